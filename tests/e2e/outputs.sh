#!/usr/bin/env bash
# What a run writes costs nobody a file: not one that the run reads, under whatever name, nor one that it has written
# itself, nor one that somebody else wrote, unless --force says so. Files of ours are written anew without a word.
# Permissions and links stay.
# shellcheck disable=SC2016  # backquotes are part of what it says
set -uo pipefail
: "${ESPALIER:?}" "${SOURCE_DIR:?}"
# shellcheck source=tests/parts/judging.sh
source "$SOURCE_DIR/tests/parts/judging.sh"

cat >m.scm <<'SCM'
(include "part.scm")
(define-message Bye (code int))
(define-port client (in Bye))
(define-machine (m) (state a (on (client (Bye c)) (where (even? c)) (requirement "R-1") -> a)))
(m)
SCM
echo '(define (even? n) (= 0 (modulo n 2)))' >part.scm
echo '# none' >waived
printf 'A template that has some text of its own: {{model}}\n' >some.tpl
cat >adapter.py <<'PY'
import json, sys
for line in sys.stdin:
    ask = json.loads(line)
    if ask["type"] in ("reset", "wait"):
        print(json.dumps({"type": ask["type"]}), flush=True)
    print('{"type": "quiet"}', flush=True)
PY
espalier 0 generate m.scm -o s.xml --report page.html --quiet
mkdir links
ln -s ../m.scm links/model
ln links/../part.scm links/hard
ln -s m.scm model

# every_file_is_whole: nothing that was made above has changed.
tar cf before.tar m.scm part.scm waived some.tpl adapter.py s.xml
every_file_is_whole() {
    tar df before.tar >said 2>&1
    judge "$1: all files are as they were" $? said
    [[ -z $(find . -name '.espalier-part-*') ]]
    judge "$1: nothing is left behind" $?
}

# refused TEXT ARGUMENT…
refused() {
    espalier 2 "${@:2}"
    shows "$1"
    every_file_is_whole "${*:2}"
}

# ── no output is an input, by any name, with or without --force
for force in '' --force; do
    # shellcheck disable=SC2086 # nothing, or a word
    set -- $force
    for file in m.scm ./m.scm links/../m.scm model links/model part.scm links/hard waived; do
        for option in -o --stats --timeline --report; do
            refused 'is read from, and would be lost' generate m.scm --waive waived --depth 1000000 $option $file "$@"
        done
    done
    refused '`./m.scm`, which is `m.scm`, is read from, and would be lost' generate m.scm -o ./m.scm "$@"
    refused '`m.scm` is read from, and would be lost' graph m.scm -o m.scm "$@"
    refused '`part.scm` is read from, and would be lost' graph m.scm -o part.scm "$@"
    refused '`some.tpl` is read from, and would be lost' generate m.scm --template some.tpl -o some.tpl "$@"
    for file in m.scm part.scm s.xml; do
        refused 'is read from, and would be lost' export m.scm s.xml --format json -o $file "$@"
        refused 'is read from, and would be lost' replay m.scm s.xml --junit $file "$@"
        refused 'is read from, and would be lost' execute s.xml --model m.scm --results $file "$@" -- python3 adapter.py
        refused 'is read from, and would be lost' execute s.xml --model m.scm --junit $file "$@" -- python3 adapter.py
    done
    refused '`adapter.py` is read from, and would be lost' execute s.xml --results adapter.py "$@" -- python3 adapter.py
    refused '`m.scm` is read from, and would be lost' bench m.scm --json m.scm "$@"
    refused '`part.scm` is read from, and would be lost' bench m.scm --timeline part.scm "$@"
    # The suite whose tests are kept is updated in place as XML, and not otherwise.
    refused '`s.xml` is read from, and would be lost' generate m.scm --keep s.xml --format json -o s.xml "$@"
    refused '`s.xml` is read from, and would be lost' generate m.scm --keep s.xml --stats s.xml "$@"
    # Nor is one written twice, also where it is not there yet.
    refused '`./new`, which is `new`, cannot be written twice' generate m.scm -o new --stats ./new "$@"
    ln -sf "$PWD/new" links/new
    refused '`links/new`, which is `new`, cannot be written twice' generate m.scm -o new --report links/new "$@"
    refused 'cannot be written twice' execute s.xml --results ./new --junit new "$@" -- python3 adapter.py
    refused 'cannot be written twice' bench m.scm --json new --timeline links/../new "$@"
done
cp s.xml place.xml
ln -s place.xml place
espalier 0 generate m.scm --keep place.xml -o place
shows '0 added, 0 dropped'
[[ -L place ]] && cmp -s s.xml place.xml
judge "a suite is updated in place, through a link" $?
espalier 0 generate m.scm -o /dev/null --stats /dev/null --timeline /dev/null --report /dev/null

# ── what somebody else wrote is overwritten with --force alone; what we wrote, and nothing, is overwritten anyway
mine() {
    echo 'mine' >notes
    refused '`notes` is there already, and espalier has not written it: --force overwrites it' "$@" notes
    [[ $(<notes) == mine ]]
    judge "$*: notes are as they were" $?
    espalier 0 "$@" notes --force
    ! grep -q '^mine$' notes
    judge "$*: written with --force" $? notes
    cp notes first
    espalier 0 "$@" notes # the same again: it is ours
    : >notes
    espalier 0 "$@" notes # as mktemp makes it
    [[ -s notes ]]
    judge "$*: an empty file is written" $?
}
for option in -o --stats --timeline --report; do mine generate m.scm $option; done
for format in xml json ttcn3 testcomp markdown; do
    mine generate m.scm --format $format -o
    mine export m.scm s.xml --format $format -o
done
mine generate m.scm --template some.tpl -o
for kind in pda calls machines; do mine graph m.scm --kind $kind -o; done
mine replay m.scm s.xml --junit
for option in --json --timeline; do mine bench m.scm --depth 2 --runs 1 --conf v3 $option; done
# execute PAGE…: the words of the adapter come last
mine_execute() {
    echo mine >notes
    espalier 2 execute s.xml "$1" notes -- python3 adapter.py
    shows 'espalier has not written it'
    espalier 0 execute s.xml "$1" notes --force -- python3 adapter.py
    espalier 0 execute s.xml "$1" notes -- python3 adapter.py
}
mine_execute --results
mine_execute --junit
espalier 0 execute s.xml --report page.html -- python3 adapter.py
# A suite written by hand is somebody's work.
printf '<suite xmlns="urn:espalier:suite:1" model="m.scm">\n</suite>\n' >hand.xml
espalier 2 generate m.scm -o hand.xml
shows '`hand.xml` is there already'
if command -v dot >/dev/null; then
    espalier 0 graph m.scm -o drawn.svg
    espalier 0 graph m.scm -o drawn.svg
fi

# ── permissions and links
cp s.xml kept.xml
chmod 640 kept.xml
ln -s kept.xml link.xml
ln -s link.xml again.xml
espalier 0 generate m.scm -o again.xml
[[ -L again.xml && -L link.xml && $(stat -c %a kept.xml) == 640 ]]
judge "links stay links, and permissions stay" $?
ln -s not-there.xml dangling.xml
espalier 0 generate m.scm -o dangling.xml
[[ -L dangling.xml && -s not-there.xml ]]
judge "a link may lead to a file to come" $?
(umask 077 && exec "$ESPALIER" generate m.scm -o private.xml >out 2>err)
[[ $(stat -c %a private.xml) == 600 ]]
judge "a new file has the permissions that the user wants" $?
if [[ $(id -u) -ne 0 ]]; then
    chmod 440 kept.xml
    espalier 2 generate m.scm -o kept.xml
    shows 'cannot write `kept.xml`: Permission denied'
fi
# Standard output is written where it stands, also where it is a file.
"$ESPALIER" generate m.scm -o /dev/stdout >both 2>err
judge "generate -o /dev/stdout" $? err
head -n 1 both | grep -q '<?xml' && tail -n 8 both | grep -q 'requirements'
judge "the suite, then the summary" $? both
[[ -L /dev/stdout ]]
judge "/dev/stdout is as it was" $?
long=$(printf 'n%.0s' {1..255})
espalier 0 generate m.scm -o "$long"

# ── what runs that were killed have left is cleared away; of others' files, none
leftover=.espalier-part-0123456789abcdef0123456789abcdef
echo left >$leftover
echo theirs >.espalier-part-notes
espalier 0 generate m.scm -o s.xml
[[ ! -e $leftover && -e .espalier-part-notes ]]
judge "a leftover is removed" $?
echo left >$leftover
flock $leftover "$ESPALIER" generate m.scm -o s.xml >out 2>err
[[ -e $leftover ]]
judge "what a living process has locked is not" $? err
rm -f $leftover
echo precious >precious
ln -s precious $leftover
espalier 0 generate m.scm -o s.xml
[[ $(<precious) == precious ]]
judge "no link is followed" $?

conclude 1
