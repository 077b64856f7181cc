#!/usr/bin/env bash
# Wrong usage: each is refused with exit status 2 and one message that says what is wrong, before any long work; and an
# output that nobody can get is not passed over in silence.
# shellcheck disable=SC2016  # backquotes are part of what it says
set -uo pipefail
: "${ESPALIER:?}" "${SOURCE_DIR:?}"
# shellcheck source=tests/parts/judging.sh
source "$SOURCE_DIR/tests/parts/judging.sh"

# says STATUS PATTERN ARGUMENT…: the whole of what it says, on standard error, is one line that matches.
says() {
    local wanted=$1 pattern=$2 status
    shift 2
    timeout 60 "$ESPALIER" "$@" >out 2>err </dev/null
    status=$?
    [[ $status -eq $wanted && ! -s out && $(wc -l <err) -eq 1 ]] && grep -qE -- "^$pattern\$" err
    judge "espalier $*: exit status $status, expected $wanted and /$pattern/ in" $? out err
}
# holds NAME COMMAND…
holds() {
    "${@:2}"
    judge "$1" $?
}

mkdir folder
cat >model.scm <<'SCM'
(define (f n) (if (> n 5) (checkpoint big)) (f (+ n (read))))
(f 0)
SCM
cp model.scm kept.scm

# ── commands and arguments
says 2 'espalier: there is no command `generat`; did you mean `generate`\? \(see `espalier --help`\)' generat model.scm
says 2 'espalier: there is no option `--depth` \(see `espalier --help`\)' --depth
says 2 'espalier generate: MODEL is required \(see `espalier generate --help`\)' generate
says 2 'espalier generate: there is no use for `--depht` here \(see `espalier generate --help`\)' generate model.scm --depht 3
says 2 'espalier check: there is no use for `more` here \(see `espalier check --help`\)' check model.scm more
for command in check run generate graph 'explain --depth 1'; do
    read -ra words <<<"$command"
    set -- "${words[@]}" nowhere.scm
    [[ ${words[0]} != explain ]] || set -- "$@" cp:big
    says 2 'error: cannot read `nowhere.scm`: No such file or directory' "$@"
    set -- "${@/nowhere.scm/folder}"
    says 2 'error: cannot read `folder`: Is a directory' "$@"
done

# ── values of options
for value in 0 -1 x 1000001 99999999999999999999; do
    says 2 "espalier generate: --depth: .$value. is not a whole number from 1 to 1000000, or auto .*" generate model.scm --depth $value
done
says 2 'espalier generate: --depth: 1 required N missing .*' generate model.scm --depth
says 2 'espalier generate: --seed: `-1` is not a whole number from 0 to 18446744073709551615 .*' generate model.scm --seed -1
says 2 'espalier generate: --step-limit: `0` is not a whole number from 1 .*' generate model.scm --step-limit 0
for value in 0 -1 nan inf; do
    says 2 "espalier generate: --time-limit: .$value. is not a number of seconds greater than 0 .*" generate model.scm --time-limit $value
done
for value in 0 -1 G 1.5G 99999999999G; do
    says 2 "espalier generate: --memory-limit: .$value. is not a number of bytes such as .*" generate model.scm --memory-limit $value
done
says 2 'espalier generate: --fail-under: `nan` is not a percentage from 0 to 100 .*' generate model.scm --fail-under nan
says 2 'espalier generate: --search: `best` is not dfs, bfs, random, distance or mixed .*' generate model.scm --search best
says 2 'espalier generate: --search mixed: the orders are mixed only where there is no bound, with --depth auto.*' generate model.scm --depth 3 --search mixed
says 2 'espalier generate: --cover: there is no criterion `branch`; there are .*, and all' generate model.scm --cover branch
says 2 'espalier generate: solver chain `models`: without z3 .*' generate model.scm --solver-chain models
says 2 'espalier generate: --target: there is no target `cp:bgi`; did you mean `cp:big`\?' generate model.scm --target cp:bgi
says 2 'espalier explain: there is no target `cp:bgi`; did you mean `cp:big`\?' explain model.scm cp:bgi
says 2 'espalier generate: cannot read `nowhere`: No such file or directory' generate model.scm --waive nowhere

# ── where results go: refused before the search, which here would have no end
for option in -o --stats --timeline; do
    says 2 'espalier generate: cannot write `no/where`: No such file or directory' generate model.scm --depth 1000000 $option no/where
    says 2 'espalier generate: cannot write `folder`: Is a directory' generate model.scm --depth 1000000 $option folder
    says 2 'espalier generate: `./model.scm`, which is `model.scm`, is read from, and would be lost' generate model.scm --depth 1000000 $option ./model.scm
done
says 2 'espalier generate: `same` cannot be written twice' generate model.scm --depth 1000000 --stats same -o same
holds "the model is as it was" cmp model.scm kept.scm
holds "nothing is left behind" test "$(find . -newer kept.scm -name ".espalier-part-*" -o -name '*-suite.xml' | wc -l)" -eq 0

# ── outputs that are lost
if [[ -e /dev/full ]]; then
    for arguments in "generate model.scm" "explain model.scm cp:big" "graph model.scm" "check model.scm --dump ir" "--help"; do
        read -ra words <<<"$arguments"
        timeout 60 "$ESPALIER" "${words[@]}" >/dev/full 2>err </dev/null
        holds "$arguments >/dev/full: exit status 2" test $? -eq 2
        holds "$arguments >/dev/full says why" grep -q '^espalier: cannot write to standard output: No space' err
    done
    holds "the suite is there all the same" test -s model-suite.xml
fi

conclude 1
