#!/usr/bin/env bash
# docs/tutorial.md, done as a reader does it: in an empty folder, from the first line to the last, with a mosquitto of its own. The
# commands are given to a shell as they stand; only the broker's port is another one, which is free. Blocks of the page:
#
#   ```scheme|text file=NAME   a new file
#   … below="TEXT"             lines to add to it, below the one line in which this text stands
#   … instead="TEXT"           lines that take the place of that one
#   ```console                 `$ COMMAND` lines, each followed by all that the command prints. One that fails is followed
#                              by `$ echo $?`
#
# `tutorial.sh --update` writes what the commands print now into the page.
set -uo pipefail
: "${ESPALIER:?}" "${SOURCE_DIR:?}"
PATH=$PATH:/usr/sbin
for program in mosquitto python3; do
    command -v "$program" >/dev/null || { echo "$program is not installed" && exit 77; }
done
# shellcheck source=tests/parts/pages.sh
source "$SOURCE_DIR/tests/parts/pages.sh"
unset -f espalier # the reader's is the program
export PYTHONDONTWRITEBYTECODE=1 HOME=$work/home
broker=
end() {
    local status=$?
    [[ -z $broker ]] || kill "$broker"
    leave $status
}
trap end EXIT

documented_port=1884
port=$documented_port

# The clone that the reader has: what the page uses of it.
mkdir -p home/espalier
ln -s "$ESPALIER" home/espalier/espalier
ln -s "$SOURCE_DIR/testgen" home/espalier/testgen

free_port() { python3 -c 'import socket; s = socket.create_server(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

# answers PID: waits until the broker listens; false where it has ended instead.
answers() {
    while kill -0 "$1" 2>/dev/null; do
        if (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
            kill -0 "$1" 2>/dev/null # or was that another program, and the port is taken?
            return
        fi
        sleep 0.05
    done
    return 1
}

# in_the_shell COMMAND: as the reader's shell would do it.
in_the_shell() {
    local command=${1//"$documented_port"/"$port"}
    (exit "$status") # what `$?` is to the command
    eval "${command//\/usr\/sbin\/mosquitto/mosquitto}" >"$work/said" 2>&1 </dev/null
}

obey() {
    [[ $status -eq 0 || $1 == 'echo $?' ]]
    judge "$place: the command before \`$1\` ended with $status, and the page does not say so" $?
    cd -- "$reader" || exit 1
    if [[ $1 == *mosquitto*'&' ]]; then
        for _ in {1..10}; do
            port=$(free_port)
            in_the_shell "$1"
            answers $! && broker=$! && break
        done
        [[ -n $broker ]]
        judge "$place: mosquitto runs" $? mosquitto.log
        status=0
    else
        in_the_shell "$1"
        status=$?
        [[ $1 != kill* ]] || broker=
    fi
    reader=$PWD
    cd -- "$work" || exit 1
    sed -i "s/\b$port\b/$documented_port/g" said
}

# edit FILE BLOCK HOW: HOW is `below="TEXT"` or `instead="TEXT"`.
edit() {
    local how=${3%%=*} text=${3#*=}
    text=${text#\"}
    awk -v text="${text%\"}" -v how="$how" -v block="$2" '
        index($0, text) == 0 { print; next }
        { found += 1 }
        how == "below" { print }
        { while ((getline line < block) > 0) print line }
        END { exit found != 1 || (how != "below" && how != "instead") }
    ' "$1" >edited
    judge "$place: one line of ${1##*/} has the text of $3" $? "$1"
    cp edited "$1"
}

status=0
reader=$work/reader
mkdir "$reader"
split "$SOURCE_DIR/docs/tutorial.md"
while read -r number line kind file rest <&3; do
    place=docs/tutorial.md:$line
    if [[ $kind == console ]]; then
        console "blocks/$number" "$place"
    elif [[ $kind != scheme && $kind != text || $file == - ]]; then
        judge "$place: a block that the test does not know" 1
    elif [[ -n $rest ]]; then
        edit "$reader/$file" "blocks/$number" "$rest"
    else
        [[ ! -e $reader/$file ]]
        judge "$place: $file is new" $?
        cp "blocks/$number" "$reader/$file"
    fi
done 3<list
[[ $status -eq 0 && -z $broker ]]
judge "the last command ends well, and the broker has" $?
[[ -z $update ]] || join "$SOURCE_DIR/docs/tutorial.md"

conclude 1
