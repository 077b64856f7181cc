#!/usr/bin/env bash
# A protocol loop is fully covered, and in as many steps whether 10 or 20 messages can be received.
set -uo pipefail
: "${ESPALIER:?}" "${SOURCE_DIR:?}"
# shellcheck source=tests/parts/judging.sh
source "$SOURCE_DIR/tests/parts/judging.sh"
steps=()
for messages in 10 20; do
    sed "s/(define most 5)/(define most $messages)/" "$SOURCE_DIR/bench/protocol/loop.scm" >loop.scm
    "$ESPALIER" generate loop.scm --cover checkpoints --search bfs --stats stats.json --fail-under 100 >out 2>&1
    status=$?
    steps+=("$(sed -n 's/^  "vm_steps": \([0-9]*\).*/\1/p' stats.json)")
    judge "$messages messages: exit status $status" $status out
done
[[ ${steps[0]} -gt 0 && ${steps[0]} -eq ${steps[1]} ]]
judge "${steps[0]} steps with 10 messages, ${steps[1]} with 20" $?
conclude 1
