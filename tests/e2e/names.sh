#!/usr/bin/env bash
# Names of files and values of options are data: nothing in them reaches a terminal as a command, and none makes a file that
# its readers refuse.
set -uo pipefail
: "${ESPALIER:?}" "${SOURCE_DIR:?}"
# shellcheck source=tests/parts/judging.sh
source "$SOURCE_DIR/tests/parts/judging.sh"

escape=$'\e]0;title\a\e[2J'
broken=$'broken-\xff\xc3-name'

# calm STATUS ARGUMENT…: neither output has a control character, or bytes that are no UTF-8.
calm() {
    local wanted=$1 status command
    shift
    command=$(printf '%q ' "$@")
    timeout 120 "$ESPALIER" "$@" >out 2>err </dev/null
    status=$?
    [[ $status -eq $wanted ]]
    judge "$command: exit status $status, expected $wanted" $? out err
    ! LC_ALL=C grep -q $'[\x01-\x08\x0b-\x1f\x7f]' out err
    judge "$command: no control characters" $?
    cat out err | iconv -f UTF-8 -t UTF-8 >/dev/null 2>&1
    judge "$command: UTF-8" $?
}

for name in "$escape" "$broken" $'line\nend'; do
    model="$name.scm"
    shown=$(printf %q "$name")
    printf '(define (f n) (if (> n 5) (checkpoint big) (checkpoint small)) (f (read int)))\n(f 0)\n' >"$model"
    calm 0 check "$model"
    calm 0 generate "$model" -o "$name.xml" --stats "$name.json" --timeline "$name.csv" --report "$name.html"
    if command -v xmllint >/dev/null; then
        cp "$name.xml" plain.xml
        xmllint --noout --schema "$SOURCE_DIR/testgen/suite/suite.xsd" plain.xml >said 2>&1
        judge "$shown: the suite is XML" $? said
    fi
    for file in "$name.json" "$name.csv" "$name.html"; do
        iconv -f UTF-8 -t UTF-8 <"$file" >/dev/null 2>&1
        judge "$shown.${file##*.}: UTF-8" $?
    done
    calm 0 replay "$model" "$name.xml"
    ! grep -q 'the suite is for' err
    judge "$shown: the suite is that of its model" $? err
    for format in json ttcn3 markdown; do calm 0 export "$model" "$name.xml" --format $format -o plain --force; done
    calm 0 explain "$model" cp:big
    calm 0 graph "$model" -o "$name.dot"
    calm 2 generate "$model" -o "$model"
    calm 2 generate "$model" -o "no/$name"
    calm 2 generate "$model" --keep "no$name"
    calm 2 generate "$model" --waive "no$name"
    calm 2 generate "$model" --template "no$name"
    calm 2 run "$model" --inputs "no$name"
    calm 2 replay "$model" "no$name"
    calm 2 export "$model" "no$name" --format json
    calm 2 execute "no$name" -- true
    calm 2 execute "$name.xml" -- "no$name"
    calm 2 execute "$name.xml" --test "$name" -- true
    calm 2 execute "$name.xml" --report "no$name" -- true
    calm 2 pda "no$name"
    calm 2 check "no$name"
    calm 2 bench "$model" --json "no/$name"
    calm 2 bench "$model" --conf "$name"
    calm 2 "$name"
    calm 2 check "$model" "$name"
    for option in --cover --target --search --seed --depth --cut --memo --schedules --solver-chain --time-limit --memory-limit \
        --fail-under --format "--$name"; do
        calm 2 generate "$model" "$option" "$name"
    done
    calm 2 explain "$model" "$name"
    calm 2 graph "$model" --kind machines --machine "$name"
    # With an error in it
    printf '(f' >"$model"
    calm 2 check "$model"
    printf '(define (f n) (car n)) (f 0)' >"$model"
    calm 1 run "$model"
    calm 1 generate "$model" -o "$name.xml"
done

# A target's name with a control character, in the timeline as in the suite
printf '(checkpoint "a\\x7;b")' >bell.scm
calm 0 generate bell.scm --timeline bell.csv -o bell.xml
grep -qF 'cp:a\x7;b' bell.csv && ! grep -q $'\a' bell.csv
judge "the timeline is as calm as the suite" $? bell.csv

conclude 1
