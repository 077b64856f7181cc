#!/usr/bin/env bash
# No message of the language is without a test: each text in the sources of `lang` stands in some test, or in messages.txt
# with the reason. The check itself is tried first, on small trees.
set -uo pipefail
command -v python3 >/dev/null || exit 77
# shellcheck source=tests/parts/judging.sh
source "$SOURCE_DIR/tests/parts/judging.sh"
check() { python3 "$SOURCE_DIR/tests/style/messages.py" "$@"; }

# plant TESTED LISTED: a tree with one message, a test's text and a list.
plant() {
    rm -rf tree && mkdir -p tree/{lang,tests}
    echo 'fail("the cat is out");' >tree/lang/a.cpp
    echo "$1" >tree/tests/a.txt && echo "$2" >tree/list
}
# refuses TEXT: the check fails on the tree as it is now, and says so.
refuses() {
    check tree tree/list >said 2>&1
    [[ $? -eq 1 ]] && grep -qF -e "$1" said
    judge "refuses: $1" $? said
}
plant 'error: the cat is out' '' && expect "a test mentions it" check tree tree/list
plant '' 'the cat is out  cats are never in' && expect "the list has it" check tree tree/list
plant '' '' && refuses 'no test mentions: the cat is out'
plant 'error: the cat is out' 'the cat is out  cats' && refuses 'on the list, and a test mentions it'
plant '' '' && rm tree/lang/a.cpp && refuses 'no messages'

expect "the project" check "$SOURCE_DIR" "$SOURCE_DIR/tests/style/messages.txt"
cat said
conclude 6
