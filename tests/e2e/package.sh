#!/usr/bin/env bash
# What a user gets: `cmake --install` into a folder, and the Debian package, unpacked. In both the program works on the
# models that come with it, and what it needs is there and nothing of the place where it was built.
set -uo pipefail
: "${ESPALIER:?}" "${SOURCE_DIR:?}" "${BUILD_DIR:?}"
command -v xmllint >/dev/null || exit 77
# shellcheck source=tests/parts/judging.sh
source "$SOURCE_DIR/tests/parts/judging.sh"

# works PREFIX: the program that is installed there, on the models that are.
works() {
    local program=$1/bin/espalier examples=$1/share/doc/espalier/examples
    (cd / && env -i "$program" --version) >out 2>&1
    judge "$1: --version" $? out
    [[ $(cat out) == "$("$ESPALIER" --version)" ]]
    judge "$1: the same version" $? out
    "$program" generate "$examples/examples/turnstile.scm" -o suite.xml >out 2>&1
    judge "$1: generate" $? out
    xmllint --noout --schema "$1/share/espalier/suite.xsd" suite.xml >out 2>&1
    judge "$1: the suite is valid by the installed schema" $? out
    "$program" replay "$examples/examples/turnstile.scm" suite.xml >out 2>&1
    judge "$1: replay" $? out
    "$program" check "$examples/sip_client.scm" >out 2>&1
    judge "$1: check" $? out
    [[ ! -e $1/share/espalier/adapters/__pycache__ ]] && python3 -B "$1/share/espalier/adapters/mqtt.py" --help >out 2>&1
    judge "$1: the adapter for MQTT" $? out
    (cd -- "$SOURCE_DIR/models" && find . -name '*.scm' | sort) >there
    (cd -- "$examples" && find . -name '*.scm' | sort) >installed
    cmp -s there installed
    judge "$1: all models" $? installed
    local page
    for page in "$SOURCE_DIR"/docs/*.md; do
        cmp -s "$page" "$1/share/doc/espalier/${page##*/}"
        judge "$1: ${page##*/}" $?
    done
    grep -rlF -- "$SOURCE_DIR" "$1" >out
    judge "$1: nothing of the place where it was built" $((1 - $?)) out
    find "$1" -not -type l -perm /022 >out
    [[ ! -s out ]]
    judge "$1: only the owner may write" $? out
}

cmake --install "$BUILD_DIR" --prefix "$work/prefix" >out 2>&1
judge "cmake --install" $? out
works "$work/prefix"
for file in share/man/man1/espalier.1 share/bash-completion/completions/espalier share/zsh/site-functions/_espalier \
    share/fish/vendor_completions.d/espalier.fish share/espalier/prelude.scm share/doc/espalier/LICENSE; do
    [[ -s prefix/$file ]]
    judge "installed: $file" $?
done

if command -v dpkg-shlibdeps >/dev/null && command -v file >/dev/null; then
    cpack -G DEB --config "$BUILD_DIR/CPackConfig.cmake" -B "$work/packages" >out 2>&1
    judge "cpack" $? out
    package=$(compgen -G 'packages/*.deb')
    [[ $package == packages/espalier_*_$(dpkg --print-architecture).deb ]]
    judge "the package's name: $package" $?
    dpkg -x "$package" root
    judge "dpkg -x" $?
    works "$work/root/usr"
    for file in man/man1/espalier.1.gz zsh/vendor-completions/_espalier doc/espalier/copyright; do
        [[ -s root/usr/share/$file ]]
        judge "in the package: $file" $?
    done
    dpkg-deb -c "$package" | awk '$2 != "root/root"' >out
    [[ ! -s out ]]
    judge "all belongs to root" $? out
    # Every library that the program names is in a package that it depends on.
    dpkg-deb -f "$package" Depends | tr ',' '\n' | sed -E 's/^ *([^ ]+).*/\1/' | sort >depends
    ldd root/usr/bin/espalier >libraries
    LC_ALL=C objdump -p root/usr/bin/espalier | awk '$1 == "NEEDED" { print $2 }' >named
    [[ -s named ]]
    judge "the program names libraries" $?
    while read -r library; do
        path=$(awk -v name="$library" '$1 == name { print $3 }' libraries)
        # dpkg knows it under /lib or under /usr/lib, which are one folder.
        owner=$( (dpkg -S "$path" || dpkg -S "/usr$path" || dpkg -S "${path#/usr}") 2>/dev/null | cut -d : -f 1)
        [[ -n $owner ]] && grep -qxF -- "$owner" depends
        judge "$library is of ${owner:-no package}, which the package depends on" $? depends
    done <named
    [[ $(dpkg-deb -f "$package" Version) == "$("$ESPALIER" --version | cut -d ' ' -f 2)" ]]
    judge "the package's version is the program's" $?
    (cd root && dpkg-deb --ctrl-tarfile "../$package" | tar -xO ./md5sums | md5sum --quiet -c) >out 2>&1
    judge "md5sums" $? out
fi

conclude 1
