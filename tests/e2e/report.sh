#!/usr/bin/env bash
# The HTML report in a real browser: it draws without a complaint, says what --stats says, its links lead somewhere, and
# hostile text does no harm. It can be used without a mouse and without eyes, on a narrow screen and on paper.
set -uo pipefail
: "${ESPALIER:?}" "${SOURCE_DIR:?}"
for tool in chromium python3 pdftotext; do command -v $tool >/dev/null || exit 77; done
# shellcheck source=tests/parts/judging.sh
source "$SOURCE_DIR/tests/parts/judging.sh"
models=$SOURCE_DIR/models

# generate STATUS ARGUMENT…: writes page.html, stats.json and times.csv.
generate() {
    local wanted=$1 status
    shift
    rm -f page.html stats.json
    timeout 300 "$ESPALIER" generate "$@" --quiet --stats stats.json --timeline times.csv --report page.html >out 2>err </dev/null
    status=$?
    [[ $status -eq $wanted ]]
    judge "generate $*: exit status $status, expected $wanted" $? out err
}

# browse PAGE: what the browser made of it to `dom`, what it said to `log`.
browse() {
    HOME=$work timeout 300 chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run \
        --user-data-dir="$work/profile" --enable-logging=stderr --virtual-time-budget=60000 --dump-dom \
        "file://$work/$1" >dom 2>log </dev/null
}

# probe PAGE: with the script that uses the page; its findings go to `found`.
probe() {
    page=$1
    # The page's last line is </html>; its script element is closed before </body>.
    { sed '/^<\/body>$/,$d' "$1" && echo '<script type="module">' && cat "$SOURCE_DIR/tests/parts/report_probe.js" &&
        printf '%s\n' '</script>' '</body>' '</html>'; } >probed.html
    browse probed.html
    # A dump spells text as HTML does.
    sed -n '/<pre id="probe">/,/^end=1/p' dom | sed 's/<pre id="probe">//; s/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g' >found
    grep -qx 'end=1' found
    judge "$1: the probe ran" $? found log
    ! grep -q CONSOLE log
    judge "$1: nothing on the console" $? log
    ! grep '^probe-failed=' found
    judge "$1: the probe came to its end" $? found
}

# found NAME VALUE
found() {
    local line
    line=$(grep -m 1 -- "^$1=" found | cut -c 1-200)
    grep -qxF -- "$1=$2" found
    judge "$page: $line, expected $1=$2" $?
}

# tabbed PAGE PLACES [PART…]: the Tab key leads to these places, in few stops, though there may be thousands of links.
tabbed() {
    page=$1
    PYTHONDONTWRITEBYTECODE=1 timeout 300 python3 "$SOURCE_DIR/tests/parts/report_access.py" "$work/access" "$1" \
        "${@:3}" >found 2>err
    grep -qx 'end=1' found
    judge "$1: it was used to the end" $? found err
    found places "header nav $2"
    local stops
    stops=$(sed -n 's/^stops=//p' found)
    [[ $stops -gt 20 && $stops -lt 60 ]]
    judge "$1: $stops stops of the Tab key" $?
    found unseen-stops ""
}

# accessible PAGE PLACES: used by keys, as a screen reader reads it, narrow and on paper.
accessible() {
    local key
    tabbed "$1" "$2"
    found marks-in-tree "$(sed -n 's/^marks-in-page=//p' found)"
    found skip-leads-to '#summary'
    found paper-is 'rgb(255, 255, 255)'
    found chart-scale 1
    for key in faint-light faint-dark ink-is-faint nameless same-landmarks cut-off-at-400 cut-off-at-640 \
        cut-off-on-paper problems lost-lines lost-tests lost-targets lost-reasons lost-figures; do
        found $key ""
    done
    for key in motion skipped-levels filters-that-say-nothing tables-without-row-headers said-twice blank-pages; do
        found $key 0
    done
    # What was tried, where there is something to try it on.
    ! grep '=false$' found
    judge "$1: all that was tried" $?
}

# stat KEY: a number or word of stats.json.
stat() { sed -n "s/^  \"$1\": \"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}\$/\1/p" stats.json; }

# sound NAME: what holds for every report, and that its counts are those of stats.json.
sound() {
    local key value
    found drawn true
    found problems ""
    found sections 9
    found broken-links ""
    found wrong-tests ""
    found same-ids ""
    found unnamed ""
    found sections-without-heading 0
    found landmarks 1111
    found h1 1
    found scrollers-without-keyboard 0
    found fetched ""
    found harmed false
    found foreign-elements 0
    found scripts 7 # the probe is one of them
    found axis "time (seconds)"
    found axis-after "VM steps"
    found path-was-sound true
    found path-is-sound true
    found colours-differ true
    found pointer 1
    for key in tests covered unreached infeasible; do found "$key" "$(stat $key)"; done
    found left $(($(stat unreached) + $(stat infeasible)))
    found errors "$(stat model_errors)"
    # Every figure of the statistics is on the page, as it is in the file.
    sed -n 's/^  "\([a-z_]*\)": "\{0,1\}\([^"{[]*\)"\{0,1\},\{0,1\}$/\1 \2/p' stats.json | sed 's/,$//' >figures
    [[ $(wc -l <figures) -gt 30 ]]
    judge "there are figures" $? stats.json
    while read -r key value; do
        [[ $key == seed || $key == *_seconds || $key == *_percent || $key == model ]] || found "stat:$key" "$value"
    done <figures
    for key in covered unreached infeasible targets tests; do
        grep -q "id=\"count-$key\">$(stat $key)<" page.html
        judge "the summary counts $key" $? figures
    done
    # And the chart's figures are those of the timeline, but for its last row.
    sed '1d;$d' times.csv | cut -d, -f1,2 >wanted-times
    grep -o '"timeline":\[\[.*\]\]' page.html | sed 's/"timeline":\[\[//; s/\]\]//; s/\],\[/\n/g' | cut -d, -f1,2 >drawn-times
    cmp -s wanted-times drawn-times
    judge "the chart shows the timeline" $? wanted-times drawn-times
    local readout covered
    covered=$(stat covered)
    readout=$(sed 's/\xe2\x80\xaf//g' found | sed -n 's/^readout-at-end=\([0-9]*\) covered after .* at the end\.$/\1/p')
    [[ $readout == "$covered" ]]
    judge "the chart ends at $readout, expected $covered" $? found
}

# ── a large shipped model
generate 0 "$models/sip_client.scm"
[[ $(stat unreached) -gt 0 && $(stat tests) -gt 50 ]]
judge "sip_client has something to show" $? stats.json
probe page.html
sound
found requirements "$(grep -c '"criterion": "requirements"' stats.json)"
found source-lines "$(wc -l <"$models/sip_client.scm")"
found diagrams-at-first 1
found filtered 0
found unfiltered true
[[ $(sed -n 's/^marked-lines=//p' found) -gt 100 && $(sed -n 's/^marked-lines=//p' found) == $(sed -n 's/^panels=//p' found) ]]
judge "every marked line opens" $? found
! grep -Eq '(src|href)="(https?:)?//|url\(' page.html
judge "nothing to fetch" $?
cp page.html sip.html
accessible sip.html 'summary progress left requirements source tests targets'
[[ $(grep -c '=true$' found) -eq 16 ]]
judge "everything was tried" $? found

# A link into the page opens the test that it names.
test=$(sed -n 's/.*"test": "\([^"]*\)".*/\1/p' stats.json | tail -n 1)
browse "page.html#test-$test"
grep -q "<h3 id=\"current-test\"[^>]*>$test</h3>" dom
judge "#test-$test is opened" $? log

# What this test would see: a broken script shows on the console and on the page.
sed 's/^drawChart();$/drawChart(; /' sip.html >broken.html
browse broken.html
grep -q CONSOLE log && grep -q 'id="problems" role="alert"><p>This page could not be drawn' dom
judge "a page that does not draw says so" $? log
! grep -q 'data-drawn' dom
judge "a page that does not draw is not drawn" $?

# ── verdicts, put into their place
sed 's|id="verdicts">\[\]<|id="verdicts">[{"test": "'"$test"'", "verdict": "fail", "text": "expected 200"}]<|' sip.html >verdicts.html
probe verdicts.html
found verdicts fail
found drawn true
browse "verdicts.html#test-$test"
grep -q '<p class="verdict-text">expected 200</p>' dom
judge "a verdict's text is shown" $? log

# ── examples with every criterion, searches that were cut short, no analysis
for model in "$models"/examples/*.scm; do
    generate 0 "$model" --cover all --step-limit 20000
    probe page.html
    sound
done
generate 0 "$models/two_routers.scm" --cut off --step-limit 3000
probe page.html
sound
grep -q 'Incomplete' page.html
judge "an incomplete search says so" $?
generate 0 "$models/two_routers.scm" --schedules all --step-limit 20000
probe page.html
sound

# ── tests whose end the model leaves open
generate 0 "$SOURCE_DIR/tests/bugs/open_end.scm" --cover checkpoints
probe page.html
sound
[[ $(grep -o '"end": "open"' page.html | wc -l) -eq 2 ]]
judge "two ends are open" $?
browse 'page.html#test-cp-beyond'
grep -q '<h3 id="current-test"[^>]*>cp-beyond</h3>' dom &&
    grep -q '<tr class="end">.*left open: the model does not say what the system does after this' dom
judge "the table says so" $? log

# ── what the system may choose
printf '%s\n' '(define-message M (n int))' '(define-port p out M)' '(write p (M (fresh (int 1 9))))' \
    '(checkpoint "here")' >range.scm
generate 0 range.scm
probe page.html
sound
browse 'page.html#test-cp-here'
grep -q '<h3 id="current-test"[^>]*>cp-here</h3>' dom &&
    grep -qF 'chosen by the system, called x1 (one of (int 1 9)) from here on' dom
judge "the table says what may be chosen" $? log

# ── hostile text: in the file's name, names of things, requirements, strings, errors and comments
evil='</script><script>harmed=true</script><img src=x onerror=harmed=true>]]>&lt;!--'
name='we<i>rd & "q" <img src=x onerror=harmed=true>.scm'
cat >"$name" <<MODEL
; $evil
(define-message |M $evil| (|f $evil| string))
(define-message |O $evil| (|g $evil| string))
(define-port |p $evil| (in |M $evil|) (out |O $evil|))
(define-machine (m n)
  (state |s $evil|
    (on (|p $evil| (|M $evil| s))
        (cond ((equal? s "$evil \" ' \x0;\x202e;\x2028;")
               (requirement "R $evil" "text \" ' $evil \x2028;")
               (write |p $evil| (|O $evil| s)))
              ((equal? s "boom") (error "$evil \x1b;[31m" s))
              ((< n 0) (checkpoint "never $evil"))))
    (after 5 (checkpoint "c $evil"))))
(m 0)
MODEL
generate 1 "$name"
probe page.html
sound
[[ $(stat model_errors) -eq 1 && $(stat infeasible) -gt 0 ]]
judge "the hostile model shows every part" $? stats.json
grep -qF 'R &lt;/script&gt;&lt;script&gt;harmed' dom
judge "hostile text is shown as it is" $?
! LC_ALL=C grep -q $'[\x01-\x08\x0b\x0c\x0e-\x1f]' page.html
judge "no control characters in the page" $?

# ── several files
mkdir -p parts
printf '%s\n' '(include "parts/one.scm")' '(checkpoint "main")' >main.scm
printf '%s\n' '(define-message M)' '(define-port p in M)' '(checkpoint "part")' >parts/one.scm
generate 0 main.scm
probe page.html
sound
found source-lines 5
grep -q 'href="#file1-line3"[^>]*>parts/one.scm:3:1<' dom
judge "a target in an included file has its place" $?

# ── a thousand targets, tests and requirements; and none of them reached
{
    printf '%s\n' '(define-message Go (n (int 0 9999)))' '(define-message Done (n int))' '(define-port p (in Go) (out Done))'
    printf '(define (serve n) (write p (Done n)) (case n\n'
    for ((i = 0; i < 1000; ++i)); do printf '((%d) (requirement "R-%d" "Number %d is known."))\n' $i $i $i; done
    printf '(else #t)))\n(select ((p (Go n)) (serve n)))\n'
} >thousand.scm
generate 0 thousand.scm --cover requirements --depth 2
[[ $(stat tests) -eq 1000 && $(stat covered) -eq 1000 ]]
judge "a thousand tests" $? stats.json
probe page.html
sound
found requirements 100 # of 1,000, at a time
found diagrams-at-first 1
tabbed page.html 'summary progress requirements source tests targets' tabbing
generate 0 thousand.scm --cover requirements --depth 1
[[ $(stat unreached) -eq 1000 ]]
judge "a thousand unreached targets" $? stats.json
probe page.html
sound

# ── nothing to show: no targets, and none that can be covered
printf '%s\n' '(define-message M (n (int 0 9)))' '(define-port p in M)' \
    '(select ((p (M n)) (if (> n 20) (requirement "R" "Never.") #t)))' >never.scm
generate 0 never.scm --cover checkpoints
[[ $(stat targets) -eq 0 ]]
judge "a model without targets" $? stats.json
browse page.html
! grep -q CONSOLE log && grep -q 'data-drawn="true"' dom
judge "a page without targets is drawn" $? log
[[ $(grep -o '<p>The model has no targets for these criteria.</p>' dom | wc -l) -eq 3 ]] && grep -q '<p>The suite has no tests.</p>' dom
judge "a page without targets says so" $? log
generate 0 never.scm --cover requirements
[[ $(stat infeasible) -eq 1 && $(stat tests) -eq 0 ]]
judge "a model with nothing but an infeasible target" $? stats.json
probe page.html
sound
accessible page.html 'summary progress left requirements source targets'

# ── written whole or not at all
timeout 300 "$ESPALIER" generate main.scm --report no/such/folder.html >out 2>err
[[ $? -eq 2 ]] && grep -qF "cannot write \`no/such/folder.html\`" err
judge "an unwritable report is refused before the search" $? err
timeout 300 "$ESPALIER" generate main.scm --report both --stats both >out 2>err
[[ $? -eq 2 ]] && grep -q 'cannot be written twice' err
judge "the report is no other file" $? err
timeout 300 "$ESPALIER" generate main.scm --report main.scm >out 2>err
[[ $? -eq 2 ]] && [[ $(wc -l <main.scm) -eq 2 ]]
judge "the report is not the model" $? err
timeout 300 "$ESPALIER" generate main.scm --report /dev/full >out 2>err
[[ $? -eq 2 ]] && grep -qF "cannot write \`/dev/full\`: No space left" err
judge "a full disk is an error" $? err
compgen -G '*.part*' >left
judge "no halves are left" $((1 - $?)) left

conclude 1
