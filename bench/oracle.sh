#!/usr/bin/env bash
# What does a question to the oracle cost? Four tables: oracle v3 by the depth of the stack; the three oracles on the
# questions of a search whose targets become fewer; how much of v3's table is repaired when a target is covered; and
# one question with all its building on a large automaton.
#
#   bench/oracle.sh [MODEL...]      default: the models of models/, and generated ones of 1,000 and 10,000 lines
#
# BUILD      the folder with the release build (default: build), which is brought up to date
# QUESTIONS  in a stream (default: 100000); the shorter it is, the more the making of v3's table weighs
# LINES      of the generated model for the last table (default: 120000: about 248,000 edges)
#
# Exit status: 0, unless the oracles disagree or a model cannot be analysed (1) or the build fails (2).
set -u
export LC_ALL=C

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=${BUILD:-$here/../build}
if [ ! -e "$build/CMakeCache.txt" ]; then
  (cd "$here/.." && cmake --preset release -B "$build" >/dev/null) || exit 2
fi
cmake --build "$build" --target bench_oracle espalier >/dev/null || exit 2
bench=$build/bench/bench_oracle

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

"$bench" depth | awk '
  NR == 1 {
    print "oracle v3 by the depth of the stack; the first question after a target was covered looks at every frame\n"
    printf "%8s %10s %8s %16s\n", "frames", "ns", "to 10", "first ns"
    ten = $2
  }
  { printf "%8d %10.2f %8.2f %16d\n", $1, $2, $2 / ten, $3 }
  $1 == 10000 { deep = $2 / ten }
  END { printf "\ndepth 10,000 costs at most 1.5 times depth 10: %-4s (%.2f)\n\n", (deep <= 1.5 ? "yes" : "NO"), deep }'

models=("$@")
if [ ${#models[@]} -eq 0 ]; then
  for lines in 1000 10000; do
    "$here/generate_model.sh" "$lines" >"$scratch/generated-$lines.scm" || exit 2
  done
  models=("$here"/../models/*.scm "$scratch"/generated-*.scm)
fi
"$bench" stream "${models[@]}" >"$scratch/stream" || exit 1
awk '
  function name(path) { sub(/.*\//, "", path); sub(/\.scm$/, "", path); return path }
  NR == 1 {
    print "seconds for a stream of questions, making the oracle and covering targets included\n"
    printf "%-18s %7s %7s %9s %8s %9s %9s %9s %8s %8s\n", "model", "nodes", "edges", "questions", "covered",
           "v1", "v2", "v3", "v1 to v3", "v2 to v3"
  }
  {
    to1 = $7 / $9; to2 = $8 / $9
    printf "%-18s %7d %7d %9d %8d %9.4f %9.4f %9.5f %8.0f %8.0f\n", name($1), $2, $3, $4, $5, $7, $8, $9, to1, to2
    if (NR == 1 || to1 < least1) least1 = to1
    if (NR == 1 || to2 < least2) least2 = to2
  }
  END {
    printf "\nv3 at least 20 times faster than v2:  %-4s (%.0f)\n", (least2 >= 20 ? "yes" : "NO"), least2
    printf "v3 at least 100 times faster than v1: %-4s (%.0f)\n\n", (least1 >= 100 ? "yes" : "NO"), least1
  }' "$scratch/stream"
awk '
  function name(path) { sub(/.*\//, "", path); sub(/\.scm$/, "", path); return path }
  NR == 1 {
    print "nodes repaired for one covered target, in percent of the table, all targets covered in random order\n"
    printf "%-18s %7s %9s %9s %9s %9s %14s\n", "model", "nodes", "mean", "median", "99 %", "most",
           "when, in % of all"
  }
  { printf "%-18s %7d %9.2f %9.2f %9.2f %9.2f %14.1f\n", name($1), $2, $10, $11, $12, $13, $14 }' "$scratch/stream"

"$here/generate_model.sh" "${LINES:-120000}" >"$scratch/large.scm" || exit 2
"$bench" build "$scratch/large.scm" | awk '{
  printf "\none question with all its building, on %d nodes and %d edges: %.3f s\n", $2, $3, $4 }'
"$bench" text "$scratch/large.scm" >"$scratch/large.pda" || exit 1
TIMEFORMAT='the same from text, read and checked by espalier pda: %U s'
time "$build/espalier" pda "$scratch/large.pda"
