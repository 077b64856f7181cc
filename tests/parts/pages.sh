# shellcheck shell=bash
# For tests that hold a page of the manual against what the program does: the page's fenced blocks, taken out and put back.
# A test that is called with --update writes what it found into the page instead; read the difference before you commit it.
: "${SOURCE_DIR:?}"
# shellcheck source=tests/parts/judging.sh
source "$SOURCE_DIR/tests/parts/judging.sh"
update=${1-}

# compare PLACE EXPECTED FOUND
compare() {
    if [[ -n $update ]]; then
        cp "$3" "$2"
        return
    fi
    diff -u --label "expected at $1" --label found "$2" "$3"
    judge "$1" $?
}

# split PAGE: writes the blocks to blocks/N, and lists "N LINE KIND FILE [REST]" in the file `list`.
split() {
    rm -rf blocks && mkdir blocks
    awk '
        /^```/ && inside { inside = 0; close(body); next }
        /^```/ {
            inside = 1; n += 1; body = "blocks/" n
            kind = substr($1, 4); file = "-"; rest = $0; sub(/^[^ ]+ */, "", rest)
            if ($2 ~ /^file=/) { file = substr($2, 6); sub(/^[^ ]+ */, "", rest) }
            printf "" > body
            print n, NR, (kind == "" ? "none" : kind), file, rest
            next
        }
        inside { print > body }
        END { if (inside) print "unclosed block" > "/dev/stderr" }
    ' "$1" >list
}

# join PAGE: puts the blocks as they are now in blocks/N into the page.
join() {
    awk '
        /^```/ && inside { inside = 0; print; next }
        /^```/ { inside = 1; n += 1; print; body = "blocks/" n; while ((getline line < body) > 0) print line; next }
        !inside { print }
    ' "$1" >page
    cmp -s page "$1" || cp page "$1"
}

# timeless: every time that a summary says is shown as 0.01 s.
timeless() { sed -E 's/^([^ ]+: [0-9]+ tests?) in [0-9]+\.[0-9]+ s/\1 in 0.01 s/'; }

# console BLOCK PLACE: each line `$ COMMAND` of the block is followed by all that the command prints. The test has to have a
# procedure `obey COMMAND`, which leaves what is printed in the file `said`.
console() {
    local line
    : >shown
    while IFS= read -r line <&4; do
        [[ $line == '$ '* ]] || continue
        printf '%s\n' "$line" >>shown
        obey "${line#\$ }"
        timeless <said >>shown
    done 4<"$1"
    compare "$2" "$1" shown
}
