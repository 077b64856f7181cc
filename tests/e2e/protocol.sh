#!/usr/bin/env bash
# A protocol loop is fully covered, and in as many steps whether 10 or 20 messages can be received.
set -uo pipefail
: "${ESPALIER:?}" "${SOURCE_DIR:?}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd -- "$work" || exit 1
passed=0
failed=0
steps=()
for messages in 10 20; do
    sed "s/(define most 5)/(define most $messages)/" "$SOURCE_DIR/bench/protocol/loop.scm" >loop.scm
    "$ESPALIER" generate loop.scm --cover checkpoints --search bfs --stats stats.json --fail-under 100 >out 2>&1
    status=$?
    steps+=("$(sed -n 's/^  "vm_steps": \([0-9]*\).*/\1/p' stats.json)")
    if [[ $status -eq 0 ]]; then
        passed=$((passed + 1))
    else
        echo "FAILED $messages messages: exit status $status"
        cat out
        failed=$((failed + 1))
    fi
done
if [[ ${steps[0]} -gt 0 && ${steps[0]} -eq ${steps[1]} ]]; then
    passed=$((passed + 1))
else
    echo "FAILED ${steps[0]} steps with 10 messages, ${steps[1]} with 20"
    failed=$((failed + 1))
fi
echo "$passed passed, $failed failed"
[[ $failed -eq 0 ]]
