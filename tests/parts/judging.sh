# shellcheck shell=bash
# For tests that count: a folder of their own, which is left and removed at the end, and what is said of a failure. They end
# with `echo "$passed passed, $failed failed"`.
passed=0
failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd -- "$work" || exit 1

# judge NAME STATUS [FILE…]: 0 is good; the files are shown where it is not.
judge() {
    if [[ $2 -eq 0 ]]; then
        passed=$((passed + 1))
        return
    fi
    echo "FAILED $1"
    shift 2
    [[ $# -eq 0 ]] || tail -n 20 "$@" 2>/dev/null # of those that are there
    failed=$((failed + 1))
}

# expect NAME COMMAND…: the command succeeds.
expect() {
    "${@:2}" >said 2>&1
    judge "$1" $? said out err
}

# espalier STATUS ARGUMENT…: standard output in `out`, standard error in `err`; within `patience` seconds.
patience=300
espalier() {
    local wanted=$1 status
    shift
    timeout "$patience" "$ESPALIER" "$@" >out 2>err </dev/null
    status=$?
    [[ $status -eq $wanted ]]
    judge "$*: exit status $status, expected $wanted" $? out err
}

# shows TEXT: the last command printed it.
shows() {
    grep -qF -e "$1" out err
    judge "shows: $1" $? out err
}
