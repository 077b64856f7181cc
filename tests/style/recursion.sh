#!/usr/bin/env bash
# No recursion on the depth of data: each cycle of calls in the program is on recursion.txt, with a reason why it ends in
# time. A new one is either made a loop or put there.
set -uo pipefail
command -v python3 >/dev/null && command -v objdump >/dev/null && command -v c++filt >/dev/null || exit 77
[[ $(uname -m) == x86_64 ]] || exit 77
# Other compilers, and other flags, inline otherwise: the list is of release builds.
grep -q '^CMAKE_BUILD_TYPE:.*=Release' "$BUILD_DIR/CMakeCache.txt" || exit 77
cd "$BUILD_DIR" || exit 1
exec python3 "$SOURCE_DIR/tests/style/recursion.py" "$SOURCE_DIR/tests/style/recursion.txt" \
    libespalier_{lang,flowanalysis,pda,symexec,testgen}.a
