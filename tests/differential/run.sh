#!/usr/bin/env bash
# Compares Espalier with a real Scheme: every program of the corpus runs in Guile and in
# `espalier run`, and must print the same.
#
#   tests/differential/run.sh [NAME...]      all programs, or those named (without .scm)
#
# ESPALIER   the binary to test (default: build/espalier)
# GUILE      the Guile to compare with (default: guile)
# TIME_LIMIT seconds for one program (default: 60)
#
# Exit status: 0 all agree, 1 some differ, 2 wrong usage, 77 no Guile here.
set -u

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
espalier=${ESPALIER:-$here/../../build/espalier}
guile=${GUILE:-guile}
time_limit=${TIME_LIMIT:-60}

if ! command -v "$guile" >/dev/null 2>&1; then
  echo "skipped: $guile is not installed"
  exit 77
fi
if ! command -v "$espalier" >/dev/null 2>&1; then
  echo "no binary at $espalier (set ESPALIER)" >&2
  exit 2
fi

programs=()
if [ $# -eq 0 ]; then
  programs=("$here"/programs/*.scm)
else
  for name in "$@"; do
    program=$here/programs/$(basename "$name" .scm).scm
    if [ ! -f "$program" ]; then
      echo "no program named $name in $here/programs" >&2
      exit 2
    fi
    programs+=("$program")
  done
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# One Guile process for all: starting it and loading the R7RS libraries costs more than
# most of the programs do.
pairs=()
for program in "${programs[@]}"; do
  pairs+=("$program" "$scratch/$(basename "$program" .scm).guile")
done
GUILE_AUTO_COMPILE=0 "$guile" --no-auto-compile \
  "$here/guile-driver.scm" "$here/guile-shim.scm" "${pairs[@]}" </dev/null

passed=0
failed=0
for program in "${programs[@]}"; do
  name=$(basename "$program" .scm)
  expected=$scratch/$name.guile
  actual=$scratch/$name.espalier
  timeout "$time_limit" "$espalier" run "$program" \
    >"$actual" 2>"$scratch/errors" </dev/null
  status=$?
  if [ "$status" -eq 0 ] && [ -f "$expected" ] && cmp -s "$expected" "$actual"; then
    passed=$((passed + 1))
    continue
  fi
  failed=$((failed + 1))
  echo "FAILED: $name"
  if [ ! -f "$expected" ]; then
    echo "  Guile gave no output: it ended before this program"
  else
    diff -u --label guile --label espalier "$expected" "$actual" | cut -c1-300 | head -n 40
  fi
  if [ "$status" -eq 124 ]; then
    echo "  espalier did not end within $time_limit s"
  elif [ "$status" -ne 0 ]; then
    echo "  espalier's exit status is $status:"
    head -n 10 "$scratch/errors" | cut -c1-300 | sed 's/^/  /'
  fi
done

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
