#!/usr/bin/env bash
# The examples of docs/*.md and README.md are true; those of docs/tutorial.md build on each other, and are for tutorial.sh. Each
# document is run in a folder of its own, where `models` is the project's folder; these fenced blocks of it count:
#
#   ```scheme [file=NAME]   a model (model.scm); without a block after it that says more, `check` finds no error in it
#   ```text file=NAME       another file, for an `include` or an `--inputs`; likewise ```xml, a suite, and ```python, an
#                           adapter
#   ```inputs               the inputs of the blocks that follow, for the same model
#   ```output               the standard output of `run`
#   ```error                the standard error of a `run` that fails
#   ```trace                the standard error of `run --trace`
#   ```check                the standard error of `check`
#   ```values               EXPRESSION ⇒ VALUE, one a line: what (write EXPRESSION) writes
#   ```console              `$ espalier ARGUMENT…` lines, each followed by all that the command prints, and a few other
#                           commands; every time that a summary says is shown as 0.01 s
#
# And docs/language.md names every procedure that the language has; docs/generating.md every option, criterion and
# statistic.
#
# `manual.sh --update` writes what the tool says now into the documents; read the difference before you commit it.
set -uo pipefail
: "${ESPALIER:?}" "${SOURCE_DIR:?}"
# shellcheck source=tests/parts/pages.sh
source "$SOURCE_DIR/tests/parts/pages.sh"

# model_alone: a model without an expectation has no error in it.
model_alone() {
    [[ -n $pending ]] || return 0
    "$ESPALIER" check "$model" >out 2>&1
    judge "$pending" $? out
    pending=
}

# obey COMMAND: one of those that a console shows.
status=0
obey() {
    local words
    read -ra words <<<"$1"
    : >said
    case ${words[0]} in
        espalier | ./espalier)
            timeout 120 "$ESPALIER" "${words[@]:1}" >said 2>&1 </dev/null
            status=$?
            ;;
        cat | cut | grep) "${words[@]}" >said 2>&1 ;;
        echo) [[ ${words[1]} == '$?' ]] && echo "$status" >said ;;
        *) echo "(a command that the test does not know)" >said ;;
    esac
}

# values BLOCK PLACE
values() {
    awk '{ sub(/ *⇒ .*/, ""); print "(write " $0 ")" }' "$1" >values.scm
    timeout 60 "$ESPALIER" run values.scm >out 2>errors </dev/null
    awk '
        BEGIN { while ((getline line < "out") > 0) value[++n] = line }
        { match($0, / *⇒ /); print substr($0, 1, RSTART + RLENGTH - 1) value[NR] }
    ' "$1" >found
    cat errors >>found
    compare "$2" "$1" found
}

# run_model ARGUMENT…: standard output in `out`, standard error in `errors`.
run_model() { timeout 60 "$ESPALIER" run "$model" "$@" --inputs inputs >out 2>errors; }

document() {
    local name=${1#"$SOURCE_DIR"/} number line kind file place ok
    mkdir -p "$work/${name//\//_}" && cd -- "$work/${name//\//_}" || exit 1
    ln -sfn "$SOURCE_DIR/models" models
    split "$1"
    model=model.scm pending=
    while read -r number line kind file <&3; do
        place=$name:$line
        case $kind in
            scheme)
                model_alone
                model=model.scm
                [[ $file == - ]] || model=$file
                cp "blocks/$number" "$model"
                : >inputs
                pending=$place
                ;;
            text | xml | python) [[ $file == - ]] || cp "blocks/$number" "$file" ;;
            inputs) cp "blocks/$number" inputs ;;
            output)
                ok=true
                run_model || ok=false
                $ok || cat errors >>out
                compare "$place" "blocks/$number" out
                ;;
            error)
                run_model && echo "(the run did not fail)" >>errors
                compare "$place" "blocks/$number" errors
                ;;
            trace)
                run_model --trace
                compare "$place" "blocks/$number" errors
                ;;
            check)
                "$ESPALIER" check "$model" >out 2>&1
                compare "$place" "blocks/$number" out
                ;;
            values) values "blocks/$number" "$place" ;;
            console) console "blocks/$number" "$place" ;;
        esac
        case $kind in output | error | trace | check | console) pending= ;; esac
    done 3<list
    model_alone
    [[ -z $update ]] || join "$1"
}

# The procedures that the language has, and those in the first column of the manual's tables `| procedure | …`.
procedures() {
    {
        grep -oE '^\(define \(?[^ )]+' "$SOURCE_DIR/lang/expand/prelude.scm" | sed -E 's/^\(define \(?//'
        sed -nE 's/^PRIMITIVE\([^,]*, "([^"]+)".*/\1/p' "$SOURCE_DIR/lang/ir/primitives.def"
    } | grep -v '^%' | LC_ALL=C sort -u >"$work/there"
    awk '
        /^\| procedure \|/ { table = 1 }
        !/^\|/ { table = 0 }
        table {
            sub(/ \| .*/, "")
            while (match($0, /`\([^ )`]+/)) {
                print substr($0, RSTART + 2, RLENGTH - 2)
                $0 = substr($0, RSTART + RLENGTH)
            }
        }' "$SOURCE_DIR/docs/language.md" | LC_ALL=C sort -u >"$work/named"
    compare "docs/language.md: names of procedures" "$work/named" "$work/there"
}

# first_column TABLE-HEADER: the code in the first column of that table of docs/generating.md, a word a line.
first_column() {
    awk -v header="| $1 |" '
        index($0, header) == 1 { table = 1; next }
        !/^\|/ { table = 0 }
        table {
            sub(/ \| .*/, "")
            while (match($0, /`[^`]+`/)) {
                print substr($0, RSTART + 1, RLENGTH - 2)
                $0 = substr($0, RSTART + RLENGTH)
            }
        }' "$SOURCE_DIR/docs/generating.md" | LC_ALL=C sort -u
}

# The reference tables of docs/generating.md have all that there is, and nothing else.
generating() {
    cd -- "$work" || exit 1
    first_column criterion >named
    "$ESPALIER" generate --help | sed -nE 's/.*What the suite must reach: a list of (.*); or all.*/\1/p' |
        tr -d ' ' | tr ',' '\n' | LC_ALL=C sort -u >there
    compare "docs/generating.md: criteria" named there
    first_column option | sed 's/ .*//' | grep -v '^--output$' >named # -o, in short
    "$ESPALIER" generate --help | grep -oE '^ +(-o,)?--[a-z-]+' | tr -d ' ' | grep -v -- --help |
        sed 's/-o,--output/-o/' | LC_ALL=C sort -u >there
    compare "docs/generating.md: options" named there
    printf '(define (f n) (checkpoint a) (assert (< n 9)) (if (= (* n n) 7) (checkpoint b)) (f (read (int 0 9)))) (f 0)' >numbers.scm
    printf 'cp:a\n' >waived
    for limit in 5 1000000; do # ended by it, and by itself
        "$ESPALIER" generate numbers.scm --step-limit $limit --waive waived --quiet --stats $limit.json
    done
    # Keys of the object itself are indented by two, those of the objects in its lists by six.
    sed -nE 's/^  "([^"]+)":.*/\1/p' 5.json 1000000.json | LC_ALL=C sort -u >there
    first_column key | grep -v '^tests_left_out$' | grep -v '^internal_error$' >named # of a bug of ours # only after a signal
    compare "docs/generating.md: statistics" named there
    sed -nE 's/^      "([^"]+)":.*/\1/p' 5.json 1000000.json | LC_ALL=C sort -u >there
    first_column member | grep -v '^path_continues$' >named # of very long ways
    compare "docs/generating.md: statistics of targets and errors" named there
}

for page in "$SOURCE_DIR"/README.md "$SOURCE_DIR"/docs/*.md; do
    [[ ! -e $page || $page == */docs/tutorial.md ]] || document "$page"
done
if [[ -z $update ]]; then
    procedures
    generating
fi

conclude $((${#update} == 0)) # an update judges nothing
