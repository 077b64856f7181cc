#!/usr/bin/env bash
# The manual page and the shells' completions say what `--help` says: the same commands, options and words. The page has
# no mistakes that man finds, and the completions complete.
set -uo pipefail
: "${ESPALIER:?}" "${SOURCE_DIR:?}"
command -v man >/dev/null && command -v python3 >/dev/null || exit 77
page=$SOURCE_DIR/docs/espalier.1
completions=$SOURCE_DIR/testgen/completions
# shellcheck source=tests/parts/judging.sh
source "$SOURCE_DIR/tests/parts/judging.sh"

# ── The page ──
LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings -E UTF-8 -l "$page" >shown 2>warned </dev/null
judge "man shows the page" $? warned
[[ ! -s warned ]]
judge "man warns of nothing" $? warned
if command -v mandoc >/dev/null; then
    mandoc -T lint -W warning "$page" >warned 2>&1
    judge "mandoc warns of nothing" $? warned
fi
grep -qF "\"$("$ESPALIER" --version)\"" "$page"
judge "the page is of this version" $?

"$ESPALIER" --help | sed -n '/^Subcommands:/,$p' | sed -nE 's/^  ([a-z]+) .*/\1/p' >commands
[[ -s commands ]]
judge "there are commands" $?
sed -nE 's/^\.SS "?([a-z]+).*/\1/p' "$page" >described
cmp -s commands described
judge "the page has every command, in the order of --help" $? described
while read -r command; do
    "$ESPALIER" "$command" --help | grep -oE '^ +(-[a-z],)?--[a-z-]+' | tr -d ' ' | tr ',' '\n' | grep -vx -e -h -e --help |
        sort >there
    awk -v command="$command" '
        /^\.S[SH] / { inside = $0 ~ "^\\.SS \"?" command "[ \"]" || $0 == ".SS " command }
        inside
    ' "$page" | sed -E 's/\\-/-/g; s/\\f[A-Z]//g; s/\\~/ /g' | grep -oE '(^|[ ,])-(o|-[a-z-]+)' | tr -d ' ,' | sort -u >named
    diff there named >differ
    judge "the page has the options of $command (<: only --help, >: only the page)" $? differ
done <commands

# ── The completions ──
mkdir made
python3 "$completions/make.py" "$ESPALIER" made >said 2>&1
judge "make.py" $? said
for file in espalier.bash _espalier espalier.fish; do
    diff "$completions/$file" "made/$file" >differ
    judge "$file is what make.py makes now; run testgen/completions/make.py" $? differ
done
cat >complete.sh <<'END'
# complete.sh WORD…: what bash would propose for the last one.
compopt() { :; } # which works only where readline asks
source "$COMPLETIONS/espalier.bash"
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_espalier
((${#COMPREPLY[@]} == 0)) || printf '%s\n' "${COMPREPLY[@]}"
END
# proposes "EXPECTED" WORD…: just these, parted by blanks, in any order.
proposes() {
    local expected=$1 found
    shift
    found=$(cd files && COMPLETIONS=$completions bash ../complete.sh "$@" 2>&1 | sort | tr '\n' ' ')
    [[ $found == "$(tr ' ' '\n' <<<"$expected" | sort | grep . | tr '\n' ' ')" ]]
    judge "completion of $*: $found, expected $expected" $?
}
mkdir -p files/folder && touch files/m.scm files/s.xml files/other.txt
proposes generate espalier gen
proposes "$(tr '\n' ' ' <commands)" espalier ''
proposes '--version' espalier --v
proposes '--search --seed --schedules --step-limit --solver-chain --stats' espalier generate m.scm --s
proposes 'dfs distance' espalier generate --search d
proposes 'dfs distance' espalier generate --search = d
proposes 'off flow v1 v2 v3' espalier generate --cut =
proposes 'states,branches states,boundaries' espalier generate --cover states,b
proposes 'm.scm folder' espalier check ''
proposes 's.xml folder' espalier execute ''
proposes 'm.scm s.xml folder' espalier replay ''
proposes '' espalier generate --depth ''
proposes '' espalier generate --stats '' # by default: files
proposes '--time-unit --timeout --time-limit --test' espalier execute s.xml --t
proposes '' espalier execute s.xml -- bash --t # the adapter's words are not ours
COMPLETIONS=$completions bash complete.sh espalier execute s.xml -- bas >said 2>&1
grep -qx bash said
judge "the adapter's command is one that there is" $? said
# As a terminal would ask for it.
# shellcheck disable=SC2016 # for that bash to expand
bash --norc -c 'source "$1/espalier.bash"; complete -p espalier' - "$completions" >said 2>&1
judge "bash registers the completion" $? said
if command -v zsh >/dev/null; then
    zsh -n "$completions/_espalier" >said 2>&1
    judge "zsh reads the completion" $? said
fi
if command -v fish >/dev/null; then
    # shellcheck disable=SC2016 # for fish to expand
    fish --no-config -c 'source $argv[1]; complete -C "espalier gen"; complete -C "espalier generate --search d"' \
        "$completions/espalier.fish" >said 2>&1
    cut -f 1 said | tr '\n' ' ' | grep -qx 'generate dfs distance '
    judge "fish completes" $? said
fi

conclude 1
