#!/usr/bin/env bash
# The program of a release build is hardened: the stack is watched, calls of the C library check their buffers, and what
# the linker fills in is read-only before `main` begins.
set -uo pipefail
command -v readelf >/dev/null || exit 77
grep -q '^ESPALIER_HARDEN:BOOL=ON' "$BUILD_DIR/CMakeCache.txt" || exit 77
grep -q '^CMAKE_BUILD_TYPE:.*=Release' "$BUILD_DIR/CMakeCache.txt" || exit 77
grep -q '^ESPALIER_SANITIZE:BOOL=ON' "$BUILD_DIR/CMakeCache.txt" && exit 77
# shellcheck source=tests/parts/judging.sh
source "$SOURCE_DIR/tests/parts/judging.sh"

readelf -Wl "$ESPALIER" >segments
readelf -Wd "$ESPALIER" >dynamic
readelf -Wh "$ESPALIER" >header
readelf -W --dyn-syms "$ESPALIER" >symbols
expect "a segment that becomes read-only" grep -q GNU_RELRO segments
expect "all symbols are bound at the start" grep -q BIND_NOW dynamic
expect "a program that can be loaded anywhere" grep -q 'Type:.*DYN' header
expect "stack protectors" grep -q __stack_chk_fail symbols
expect "calls that check their buffers" grep -qE '__[a-z]+_chk@' symbols
grep GNU_STACK segments | grep -q RWE
judge "the stack holds no code" $((1 - $?)) segments

conclude 6
