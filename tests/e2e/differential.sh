#!/usr/bin/env bash
# The differential test as CTest runs it: ESPALIER is the binary, SOURCE_DIR the project.
set -u
exec "${SOURCE_DIR:-$(dirname "${BASH_SOURCE[0]}")/../..}/tests/differential/run.sh" "$@"
