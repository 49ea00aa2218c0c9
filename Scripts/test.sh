#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Runs the tests that were built, all or those that a regular expression names, and says how many were skipped
# and why. What keeps real time runs after the rest, with the processor to itself, and what disturbs others last.
#
#   Scripts/test.sh [EXPRESSION]
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
tests=.build/debug/tilawa-annotatePackageTests.xctest
real_time='PulseTests|LitWordTests|OnASoundServer|aFileThatNobodyKnows|thePositionIsThat'

# What the tests and the programs that they start leave behind goes with a folder of their own.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export TILAWA_HOME=$folder/home TMPDIR=$folder

status=0
# Without SwiftPM, which takes longer to come to it than some of the runs.
run() { env "$@" 2>&1 </dev/null | sed -u 's/\x1B\[[0-9;]*m//g' | tee -a "$folder/log" || status=1; }
if [[ ! -x $tests ]]; then
  echo "The tests are not built: make build-tests" >&2
  exit 1
elif [[ $# -gt 0 ]]; then
  run "$tests" --testing-library swift-testing --filter "$1"
else
  run "$tests" --testing-library swift-testing
  run TILAWA_REAL_TIME=1 "$tests" --testing-library swift-testing --filter "$real_time"
  run TILAWA_EXITS=1 "$tests" --testing-library swift-testing --filter anImpossibleEventTraps
fi

# What the first run leaves to the others is not skipped.
skipped=$(grep -E '^➜ Test .* skipped' "$folder/log" | grep -v 'runs by itself' | sort -u)
[[ -z $skipped ]] || {
  echo "== tests skipped: $(wc -l <<<"$skipped")"
  sed -E 's/^.* skipped(: )?//; s/^"|"$//g; s/^$/no reason given/' <<<"$skipped" | sort | uniq -c
}
exit $status
