#!/usr/bin/env bash
# clang-tidy on every source file, with the checks of .clang-tidy. A file that passed is looked at again only when it,
# a header or the checks changed.
set -euo pipefail
command -v clang-tidy >/dev/null || exit 77
cd -- "${SOURCE_DIR:?}"
passed=${BUILD_DIR:?}/tidy
mkdir -p "$passed"

# tidy FILE STAMP. The compiler's own warnings are the build's affair, hence -w.
tidy() {
    clang-tidy --quiet -p "$BUILD_DIR" --extra-arg=-w --warnings-as-errors='*' "$1" 2>/dev/null && touch "$2"
}
export -f tidy

newest=.clang-tidy
shopt -s nullglob
for header in {lang,flowanalysis,symexec,pda,testgen}/*.hpp tests/*/*.hpp; do
    [[ $newest -nt $header ]] || newest=$header
done
for file in {lang,flowanalysis,symexec,pda,testgen}/*.cpp tests/{lang,flowanalysis,symexec,pda,testgen}/*_test.cpp; do
    stamp=$passed/${file//\//_}
    [[ $stamp -nt $file && $stamp -nt $newest ]] || printf '%s\0%s\0' "$file" "$stamp"
done | xargs -0r -n 2 -P "$(nproc)" bash -c 'tidy "$@"' tidy
