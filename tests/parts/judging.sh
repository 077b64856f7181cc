# shellcheck shell=bash
# For tests that count: a folder of their own, which is left and removed at the end, what is said of a failure, and the last
# line. A test ends with `conclude`; one that ends well without it has not judged all, and has failed.
passed=0
failed=0
concluded=0
work=$(mktemp -d)
trap leave EXIT
cd -- "$work" || exit 1

# leave [STATUS]: what is done at the end. A test with a trap of its own calls it there, with the exit status.
leave() {
    local status=${1:-$?}
    rm -rf "$work"
    if [[ $status -eq 0 && $concluded -eq 0 ]]; then
        echo "FAILED the test ends before it concludes"
        exit 1
    fi
}

# conclude LEAST: the last command of a test. It says how many checks passed and failed, and fails where one did, or where
# fewer than LEAST passed.
conclude() {
    concluded=1
    ((passed >= $1 || failed > 0)) || echo "FAILED fewer checks than $1"
    echo "$passed passed, $failed failed"
    ((failed == 0 && passed >= $1))
}

# judge NAME STATUS [FILE…]: 0 is good; the files are shown where it is not.
judge() {
    if [[ $2 -eq 0 ]]; then
        passed=$((passed + 1))
        return
    fi
    echo "FAILED $1"
    shift 2
    [[ $# -eq 0 ]] || tail -n 20 "$@" 2>/dev/null # of those that are there
    failed=$((failed + 1))
}

# expect NAME COMMAND…: the command succeeds.
expect() {
    "${@:2}" >said 2>&1
    judge "$1" $? said out err
}

# espalier STATUS ARGUMENT…: standard output in `out`, standard error in `err`; within `patience` seconds.
patience=300
espalier() {
    local wanted=$1 status
    shift
    timeout "$patience" "$ESPALIER" "$@" >out 2>err </dev/null
    status=$?
    [[ $status -eq $wanted ]]
    judge "$*: exit status $status, expected $wanted" $? out err
}

# shows TEXT: the last command printed it. hides TEXT: it did not.
shows() {
    grep -qF -e "$1" out err
    judge "shows: $1" $? out err
}
hides() {
    ! grep -qF -e "$1" out err
    judge "hides: $1" $? out err
}

# valid SUITE: well-formed, and as the schema says.
valid() {
    xmllint --noout --schema "$SOURCE_DIR/testgen/suite/suite.xsd" "$1" >said 2>&1
    judge "$1 is valid" $? said
}

# roll_dice: the numbers of RANDOM are those of ESPALIER_SEED, or of 1; a long run takes a new seed. It is printed, to run
# the test again.
roll_dice() {
    [[ -z ${ESPALIER_LONG:-} ]] || : "${ESPALIER_SEED:=$RANDOM}"
    : "${ESPALIER_SEED:=1}"
    RANDOM=$ESPALIER_SEED
    echo "ESPALIER_SEED=$ESPALIER_SEED"
}
