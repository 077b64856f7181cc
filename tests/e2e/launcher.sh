#!/usr/bin/env bash
# ./espalier in a source tree of one file: it builds when sources changed, else it is silent and quick; it works
# through a symlink, from any folder, with spaces in paths, and two at once; the program gets arguments and input as given.
set -uo pipefail
# shellcheck source=tests/parts/judging.sh
source "$SOURCE_DIR/tests/parts/judging.sh"
tree=$work/"a tree"
mkdir -p "$tree"/{testgen,bin,elsewhere}
cp -r "${SOURCE_DIR:?}"/{espalier,cmake,CMakePresets.json} "$tree"
cat >"$tree/CMakeLists.txt" <<'TEXT'
cmake_minimum_required(VERSION 3.22)
project(espalier CXX)
file(GLOB sources CONFIGURE_DEPENDS testgen/*.cpp)
add_executable(espalier ${sources})
TEXT
cat >"$tree/testgen/main.cpp" <<'TEXT'
#include <cstdio>
int main(int argc, char** argv) {
    std::printf("one");
    for (int i = 1; i < argc; ++i) std::printf(" [%s]", argv[i]);
    for (int c; (c = std::getchar()) != EOF;) std::putchar(c);
}
TEXT
# Nothing is installed by a test: here every package is.
printf '#!/bin/sh\nprintf installed\n' >"$tree/bin/dpkg-query"
chmod +x "$tree/bin/dpkg-query"
export PATH=$tree/bin:$PATH
ln -s "$tree/espalier" "$tree/elsewhere/link"
cd "$tree/elsewhere" || exit 1

# prints OUTPUT MESSAGES: what ./link [a b] c prints on standard output and error, given "in" to read.
prints() {
    printf in | ./link "a b" c >output 2>messages
    [[ $(<output) == "$1" && $(<messages) == "$2" ]]
    judge "prints: $1, and says: $2" $? output messages
}

./link both </dev/null >other 2>/dev/null &
first=$(printf in | ./link "a b" c 2>messages)
wait $!
[[ $first == "one [a b] [c]in" && $(<other) == "one [both]" ]]
judge "two at once" $? messages other
prints "one [a b] [c]in" ""
sed -i s/one/two/ "$tree/testgen/main.cpp"
prints "two [a b] [c]in" "espalier: sources changed, building"
prints "two [a b] [c]in" ""
echo '#include <cstdlib>' >"$tree/testgen/more.cpp"
echo 'static int ended = std::atexit([] { __builtin_puts(" more"); });' >>"$tree/testgen/more.cpp"
prints "two [a b] [c]in more" "espalier: sources changed, building"
rm "$tree/testgen/more.cpp"
prints "two [a b] [c]in" "espalier: sources changed, building"
prints "two [a b] [c]in" ""

# A source that does not compile is an error, and no older program runs in its place.
echo 'int broken = ;' >>"$tree/testgen/main.cpp"
! ./link </dev/null >output 2>messages && [[ ! -s output ]] && grep -q 'main.cpp:.*error' messages
judge "a source that does not compile" $? output messages
conclude 8
