# shellcheck shell=bash
# For tests that send signals to a running espalier.

# until_it_listens PID: returns as soon as the process catches SIGINT and SIGTERM, or is no more.
until_it_listens() {
    local pid=$1 mask
    while kill -0 "$pid" 2>/dev/null; do
        [[ /proc/$pid/exe -ef $ESPALIER ]] || continue # still a copy of this shell, which catches signals too
        mask=$(sed -n 's/^SigCgt:[[:space:]]*//p' "/proc/$pid/status" 2>/dev/null)
        (((0x${mask:-0} & 0x4002) == 0x4002)) && break
    done
}
