#!/usr/bin/env bash
# What does a change cost? Two builds do the same work in turns: they run programs in both engines, and search models. For
# each kind of work it prints the median of the user times of each build, and the median of their ratios, new to old.
#
#   bench/builds.sh OLD NEW [RUNS]       OLD, NEW: folders with release builds; RUNS: turns (default 5)
#
# ONLY   a pattern of bash for the work to do (default: *)
#
# The work is fixed by options that every build knows, and ends by itself, so both do all of it. Exit status: 0; 1, where a
# build fails; 2 for wrong usage.
set -euo pipefail
export LC_ALL=C
usage() { echo "usage: bench/builds.sh OLD NEW [RUNS]" >&2 && exit 2; }
[[ $# -ge 2 && $# -le 3 && ${3:-5} =~ ^[1-9][0-9]*$ ]] || usage
[[ -x $1/espalier && -x $2/espalier ]] || { echo "there is no espalier in $1, or none in $2" >&2 && exit 2; }
old=$(readlink -f "$1") new=$(readlink -f "$2") runs=${3:-5}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
scratch=$work # of programs.sh
trap 'rm -rf "$work"' EXIT

# shellcheck source=bench/language/programs.sh
source "$here/language/programs.sh"
names=()
declare -A command_of
add() { # NAME COMMAND, where BUILD stands for the build's folder
    names+=("$1")
    command_of[$1]=$2
}
# In the symbolic executor nothing is displayed, and the end is a checkpoint.
for name in "${programs[@]}"; do
    [[ $name != start-up ]] || continue
    add "run $name" "BUILD/espalier run ${source[$name]}"
    [[ -x $old/bench/bench_explore && -x $new/bench/bench_explore ]] || continue
    {
        echo '(define (show x) x)'
        sed -e 's/(display /(show /' -e 's/(newline)//' "${source[$name]}"
        echo '(checkpoint done)'
    } >"$work/$name.scm"
    add "search $name" "BUILD/bench/bench_explore $work/$name.scm"
done
search() { # MODEL DEPTH OPTION…
    local model=$1 depth=$2
    shift 2
    add "$model --depth $depth $*" \
        "BUILD/espalier generate $here/../models/$model.scm --depth $depth $* --quiet --force -o $work/suite.xml"
}
for model in sctp:2 sip_client:3; do
    for order in dfs bfs distance; do
        search "${model%:*}" "${model#*:}" --search "$order" --cut off --memo off
        search "${model%:*}" "${model#*:}" --search "$order" --cut v3 --memo on
    done
done
search sip_client 4 --search bfs --cut v3 --memo on
search sip_client 3 --search dfs --cut off --memo off --solver-chain z3 --step-limit 20000
search bgp 4 --search bfs --cut v3 --memo on --step-limit 3000000

median() { sort -g | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }
seconds_of() { # BUILD NAME
    local TIMEFORMAT=%3U status=0 command=${command_of[$2]//BUILD/$1}
    { time $command >"$work/out" 2>&1 </dev/null || status=$?; } 2>"$work/time"
    [[ $status -le 1 ]] || { echo "$command fails:" >&2 && head -n 5 "$work/out" >&2 && exit 1; }
    cat "$work/time"
}
printf '%-60s %8s %8s %7s\n' work 'old s' 'new s' ratio
for name in "${names[@]}"; do
    # shellcheck disable=SC2053
    [[ $name == ${ONLY:-*} ]] || continue
    : >"$work/old" && : >"$work/new" && : >"$work/ratios"
    for ((i = 0; i < runs; i++)); do
        a=$(seconds_of "$old" "$name") b=$(seconds_of "$new" "$name")
        echo "$a" >>"$work/old" && echo "$b" >>"$work/new"
        awk "BEGIN { print $b / ($a > 0 ? $a : 0.001) }" >>"$work/ratios"
    done
    printf '%-60s %8.2f %8.2f %7.3f\n' "$name" "$(median <"$work/old")" "$(median <"$work/new")" "$(median <"$work/ratios")"
done
