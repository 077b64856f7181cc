# shellcheck shell=bash
# What ./espalier and ./espalier-test share: installing packages, configuring, building. The caller has set
#   here     the root of the sources, an absolute path
#   program  its own name, for messages
# Everything here talks on standard error and reads nothing from standard input: both belong to the program.

build_packages=(g++ cmake ninja-build ccache libboost-dev libgmp-dev libz3-dev libcli11-dev libtinyxml2-dev libpugixml-dev)

# What the program is built from: each source with its size and time. Cheap enough to ask at every start.
sources() {
    (cd -- "$here" && pwd && find lang flowanalysis symexec pda testgen cmake CMakeLists.txt CMakePresets.json \
        -type f ! -name '.*' ! -name '*~' -printf '%p %s %T@\n' 2>/dev/null) || true
}
up_to_date() {
    [[ -x $here/build/espalier && -r $here/build/.built-from && $(sources) == "$(<"$here/build/.built-from")" ]]
}

say() { printf '%s: %s\n' "$program" "$*" >&2; }

# Runs a command quietly; when it fails, shows the end of what it printed.
quietly() {
    local log=$here/build/setup.log
    mkdir -p "$here/build"
    if ! "$@" >"$log" 2>&1 </dev/null; then
        tail -n 60 "$log" >&2
        say "failed: $*"
        say "all of its output is in $log"
        return 1
    fi
}

# One set-up at a time in one source tree; the lock is let go by unlock, or when the script ends.
lock() {
    mkdir -p "$here/build"
    exec 9>"$here/build/.lock"
    if command -v flock >/dev/null && ! flock -n 9; then
        say "waiting for another set-up to finish"
        flock 9
    fi
}
unlock() { exec 9>&-; }

have_tools() { command -v cmake && command -v c++; } >/dev/null

# Says what cannot be installed here, and why. Ends the script, unless the tools are there: then the libraries may have
# come another way, and the build will tell.
cannot_install() {
    say "$1. These are needed (Debian names):"
    say "    ${*:2}"
    have_tools || exit 1
    say "trying with what is here"
}

# Installs those of the given Debian packages that are missing; sudo only where not root.
install_packages() {
    local package missing=() as_root=() install
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        have_tools || cannot_install "this system has no apt to install packages with" "$@"
        return
    fi
    for package; do
        [[ $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) == installed* ]] || missing+=("$package")
    done
    ((${#missing[@]})) || return 0
    if ((EUID)); then
        if ! command -v sudo >/dev/null; then
            cannot_install "installing packages takes root or sudo" "${missing[@]}"
            return
        fi
        as_root=(sudo)
    fi
    say "installing ${missing[*]}"
    install=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive
        apt-get install -y -q --no-install-recommends -o DPkg::Lock::Timeout=600 "${missing[@]}")
    # The lists of packages may be absent (a bare system) or stale: then fetch them, and try once more.
    if "${install[@]}" >"$here/build/setup.log" 2>&1 </dev/null; then return 0; fi
    "${as_root[@]}" apt-get update -q >"$here/build/setup.log" 2>&1 </dev/null || true
    quietly "${install[@]}" || cannot_install "apt-get could not install the packages" "${missing[@]}"
}

# libFuzzer and the sanitizers' runtime for clang: a package of its own whose name has clang's version in it.
install_clang_runtime() {
    local version
    version=$(clang --version 2>/dev/null | sed -n 's/.*clang version \([0-9]*\).*/\1/p')
    [[ -n $version ]] && command -v apt-cache >/dev/null || return 0
    [[ -n $(apt-cache --names-only search "^libclang-rt-$version-dev\$") ]] || return 0
    install_packages "libclang-rt-$version-dev"
}

# The browser that the tests of the HTML report use, where the system has it as a package: Ubuntu has not, and one unknown
# name would keep apt from installing all the others. Without it, these tests are skipped.
install_browser() {
    local as_root=()
    command -v chromium >/dev/null && return
    command -v apt-cache >/dev/null || return 0
    ((EUID == 0)) || as_root=(sudo)
    if [[ -z $(apt-cache --names-only search '^chromium$') ]]; then # unknown, or no lists of packages yet
        "${as_root[@]}" apt-get update -q >"$here/build/setup.log" 2>&1 </dev/null || true
    fi
    if [[ -n $(apt-cache --names-only search '^chromium$') ]]; then
        install_packages chromium
    else
        say "there is no package chromium here: the tests of the HTML report are skipped"
    fi
}

# configure PRESET DIR TESTS: brings DIR to a state that can be built, from nothing or from another time. TESTS is ON
# or OFF; a folder that has the tests keeps them.
configure() {
    local preset=$1 dir=$here/$2 tests=$3 generator=()
    if grep -qsxF "CMAKE_HOME_DIRECTORY:INTERNAL=$here" "$dir/CMakeCache.txt" &&
        [[ -e $dir/build.ninja || -e $dir/Makefile ]] &&
        { [[ $preset != sanitize ]] || grep -qsx 'ESPALIER_FUZZ:.*=ON' "$dir/CMakeCache.txt"; }; then # once by another compiler
        [[ $tests == OFF ]] || quietly cmake -DESPALIER_TESTS=ON "$dir"
        return
    fi
    rm -rf "$dir/CMakeCache.txt" "$dir/CMakeFiles"
    command -v ninja >/dev/null || generator=(-G "Unix Makefiles")
    if ! (cd -- "$here" && quietly cmake --preset "$preset" "${generator[@]}" -DESPALIER_TESTS="$tests"); then
        say "needed, by Debian names: ${build_packages[*]}"
        return 1
    fi
}

# Says now and then how far the build is.
report_progress() {
    local step
    while sleep 30; do
        step=$(sed -n 's/^\[\([0-9]*\)\/\([0-9]*\)\].*/\1 of \2/p' "$here/build/setup.log" 2>/dev/null | tail -n 1)
        [[ -z $step ]] || say "built $step"
    done
}

# build DIR [TARGET…]
build() {
    local before reporter status=0
    before=$(sources)
    report_progress 9>&- &
    reporter=$!
    quietly cmake --build "$here/$1" --parallel "$(nproc)" ${2:+--target "${@:2}"} || status=$?
    kill $reporter 2>/dev/null || true
    wait $reporter 2>/dev/null || true
    ((status == 0)) || return 1
    [[ $1 != build ]] || printf '%s\n' "$before" >"$here/build/.built-from"
}
