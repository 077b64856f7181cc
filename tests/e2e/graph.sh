#!/usr/bin/env bash
# Every shipped model can be drawn in every kind: Graphviz takes the DOT without a word, and its SVG is well-formed.
# Names that DOT, HTML or XML could misread do no harm. Without Graphviz there is a message that says what is missing.
set -uo pipefail
: "${ESPALIER:?}" "${SOURCE_DIR:?}"
# shellcheck source=tests/parts/judging.sh
source "$SOURCE_DIR/tests/parts/judging.sh"

# No program is found on this path: neither is `dot`.
PATH=$work "$ESPALIER" graph "$SOURCE_DIR/models/examples/turnstile.scm" -o "$work/none.svg" 2>"$work/said"
status=$?
[[ $status -eq 2 && ! -e $work/none.svg ]] && grep -qF 'graphviz is needed for SVG: apt-get install graphviz' "$work/said"
judge "without graphviz" $? said

"$ESPALIER" graph "$SOURCE_DIR/models/examples/turnstile.scm" --kind calls -o "$work/calls.dot" 2>"$work/said" &&
    "$ESPALIER" graph "$SOURCE_DIR/models/examples/turnstile.scm" --kind calls 2>>"$work/said" | cmp - "$work/calls.dot" >>"$work/said"
judge "the same in a file" $? said

command -v dot >/dev/null && command -v xmllint >/dev/null || exit 77

cat >"$work/strange & <names>.scm" <<'MODEL'
(define-message |M"<&>| (|f\\n{}| int))
(define-port |p\|q| in |M"<&>|)
(define-machine (|m/#1 "&amp;"| |x y|)
  (state |<b>| (on (|p\|q| (|M"<&>| v)) (where (> v 1)) (checkpoint |\\N\\G "&lt;"|) -> ||))
  (state || (on (|p\|q| |M"<&>|) -> |<b>|) (on (|p\|q| any)) (after 3 -> |λ\x1;|))
  (state |λ\x1;| (final "<")))
(|m/#1 "&amp;"| "]]>")
MODEL

# A machine that is not there, with those that are; and options for machines in another picture.
"$ESPALIER" graph "$SOURCE_DIR/models/inventory_system.scm" --kind machines --machine shop >"$work/out" 2>"$work/said"
status=$?
[[ $status -eq 2 && ! -s $work/out ]] && grep -q 'no machine .shop.; it has client, server$' "$work/said"
judge "an unknown machine" $? said
for option in "--machine client" "--direction right"; do
    # shellcheck disable=SC2086 # two words
    "$ESPALIER" graph "$SOURCE_DIR/models/inventory_system.scm" --kind calls $option >"$work/out" 2>"$work/said"
    status=$?
    [[ $status -eq 2 && ! -s $work/out ]] && grep -q -- "--kind machines" "$work/said"
    judge "$option in a picture of calls" $? said
done
"$ESPALIER" graph "$SOURCE_DIR/models/inventory_system.scm" --kind machines --machine client --direction right >"$work/out"
grep -q 'machine client' "$work/out" && ! grep -q 'machine server' "$work/out" && grep -q 'rankdir=LR' "$work/out"
judge "one machine alone, to the right" $? said

while IFS= read -r model; do
    for kind in pda calls machines; do
        # Laying out thousands of nodes takes minutes.
        [[ $("$ESPALIER" graph "$model" --kind "$kind" | wc -l) -lt 20000 ]] || continue
        timeout 300 "$ESPALIER" graph "$model" --kind "$kind" -o "$work/out.svg" >"$work/said" 2>&1
        status=$?
        [[ $status -eq 0 && ! -s $work/said ]] && xmllint --huge --nonet --noout "$work/out.svg" >"$work/said" 2>&1
        judge "$kind of ${model##*/}" $? said
    done
done < <(find "$SOURCE_DIR/models" "$work" -name '*.scm' | sort)

conclude 1
