#!/usr/bin/env bash
# The Debian package on a system that has nothing but what every Debian has: debootstrap makes one, apt installs the package
# with what it says it depends on, an ordinary user works with it, and once it is removed nothing of it is left.
#
# The system is kept in memory, in a mount and process namespace of its own: whatever ends this test, SIGKILL too, ends all
# that it started and leaves nothing behind. Where the kernel does not allow that (a container without the right to
# mount), it is a temporary folder, without /proc, which is removed at the end.
set -uo pipefail
: "${ESPALIER:?}" "${SOURCE_DIR:?}" "${BUILD_DIR:?}"

# skip REASON
skip() {
    echo "skipped: $*"
    exit 77
}

if [[ ${1-} != inside ]]; then
    ((EUID == 0)) || skip "debootstrap takes root"
    for tool in debootstrap dpkg-shlibdeps file apt-get; do
        command -v "$tool" >/dev/null || skip "there is no $tool here"
    done
    place=$BUILD_DIR/clean-system
    mkdir -p "$place" || exit 1
    namespace=(setpriv --pdeathsig KILL unshare --mount --pid --fork --kill-child --mount-proc)
    if ! "${namespace[@]}" mount -t tmpfs none "$place" 2>/dev/null; then
        exec bash "$0" inside
    fi
    # shellcheck disable=SC2016 # expanded by the inner shell
    "${namespace[@]}" bash -c 'mount -t tmpfs -o size=2g,mode=755 none "$1" && TMPDIR=$1 exec bash "$2" inside apart' \
        bash "$place" "$0" &
    inside=$!
    trap 'kill -KILL "$inside"' INT TERM # unshare itself is deaf to these
    wait "$inside"
    exit
fi
apart=${2-}

# What this machine gets its packages from, as far as it is the distribution's own; apt knows, however it is written down.
# A line each: address, release, component.
# shellcheck source=/dev/null
source /etc/os-release
# shellcheck disable=SC2016 # apt's own notation
mapfile -t sources < <(
    apt-get indextargets --format '$(ORIGIN) $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' 2>/dev/null |
        awk -v origin="${ID^}" -v release="${VERSION_CODENAME-}" \
            '$1 == origin && ($3 == release || index($3, release "-") == 1) { print $2, $3, $4 }' | sort -u
)
mirror=$(printf '%s\n' "${sources[@]}" | awk -v release="${VERSION_CODENAME-}" '$2 == release { print $1; exit }')
[[ -n $mirror ]] || skip "apt knows no mirror of ${PRETTY_NAME-this system}"

# shellcheck source=tests/parts/judging.sh
source "$SOURCE_DIR/tests/parts/judging.sh"
if [[ -n $apart ]]; then
    trap - EXIT # all goes with the namespace
else
    trap 'exit 143' INT TERM
fi

eval "$(apt-config shell http_proxy Acquire::http::Proxy https_proxy Acquire::https::Proxy)"
export http_proxy https_proxy
/usr/lib/apt/apt-helper download-file "${mirror}dists/$VERSION_CODENAME/InRelease" reached >out 2>&1 ||
    skip "the mirror that apt uses cannot be reached"

# ── The system ──
debootstrap --variant=minbase "$VERSION_CODENAME" root "$mirror" >out 2>&1
judge "debootstrap" $? out
[[ $failed -eq 0 ]] || exit 1
[[ -z $apart ]] || mount -t proc proc root/proc
printf 'deb %s\n' "${sources[@]}" >root/etc/apt/sources.list
apt-config dump | grep '^Acquire::' >root/etc/apt/apt.conf.d/90fetch-as-here

# admin COMMAND…, user COMMAND…: in the new system, as one who has just logged in there; what is printed is in `out`.
admin() {
    chroot root /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
        "$@" >out 2>&1 </dev/null
}
user() {
    # shellcheck disable=SC2016 # expanded by the inner shell
    chroot --userspec=ada:ada root /usr/bin/env -i HOME=/home/ada USER=ada PATH=/usr/local/bin:/usr/bin:/bin LANG=C.UTF-8 \
        sh -c 'cd && exec "$@"' sh "$@" >out 2>&1 </dev/null
}
# All files, but for what is the user's, and what every use of apt leaves.
list_files() {
    find root -xdev \( -path root/var/lib/apt -o -path root/var/cache -o -path root/var/log -o -path root/tmp \
        -o -path root/home/ada -o -path 'root/var/lib/dpkg/*-old' \) -prune -o -print | sort
}

admin useradd --create-home ada
judge "an ordinary user" $? out
admin apt-get update
judge "apt-get update" $? out
admin apt-get install -y --no-install-recommends man-db python3
judge "man, and what adapters are written in" $? out
list_files >before

# ── Installed ──
cpack -G DEB --config "$BUILD_DIR/CPackConfig.cmake" -B "$work/packages" >out 2>&1
judge "cpack" $? out
cp packages/espalier_*.deb root/tmp
package=$(cd root && compgen -G 'tmp/*.deb')
admin apt-get install -s "/$package"
judge "apt-get install, with what is recommended" $? out
grep -q '^Inst graphviz ' out
judge "graphviz is recommended" $? out
admin apt-get install -y --no-install-recommends "/$package"
judge "apt-get install" $? out
user espalier --version
judge "--version" $? out
[[ $(cat out) == "$("$ESPALIER" --version)" ]]
judge "the same version" $? out
models=/usr/share/doc/espalier/examples
user espalier generate "$models/examples/turnstile.scm"
judge "generate" $? out
user espalier replay "$models/examples/turnstile.scm" turnstile-suite.xml
judge "replay" $? out
"$ESPALIER" generate "$SOURCE_DIR/models/examples/turnstile.scm" --quiet -o here.xml
cmp -s here.xml root/home/ada/turnstile-suite.xml
judge "the suite is the one that is made here" $? root/home/ada/turnstile-suite.xml
for model in $(cd "root/$models" && find . -name '*.scm'); do
    user espalier check "$models/$model"
    judge "check $model" $? out
done
user espalier graph "$models/examples/turnstile.scm"
judge "graph" $? out
user man espalier
judge "man espalier" $? out
grep -q '^SYNOPSIS' out
judge "the manual page" $? out
user bash -c '. /usr/share/bash-completion/completions/espalier && complete -p espalier'
judge "completions for bash" $? out
for file in zsh/vendor-completions/_espalier fish/vendor_completions.d/espalier.fish; do
    [[ -s root/usr/share/$file ]]
    judge "completions: $file" $?
done

admin /usr/share/espalier/adapters/mqtt.py --help # as root, who could leave compiled files beside it
judge "the adapter" $? out

# ── Removed ──
admin apt-get purge -y --autoremove espalier
judge "apt-get purge" $? out
list_files >after
diff before after >difference
judge "nothing is left" $? difference
[[ -s root/home/ada/turnstile-suite.xml ]]
judge "but for what the user made" $?

conclude 1
