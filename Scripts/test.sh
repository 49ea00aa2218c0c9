#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Runs the tests that were built, all or those that a regular expression names, and says how many were skipped
# and why. What keeps real time runs after the rest, with the processor to itself.
#
#   Scripts/test.sh [EXPRESSION]
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
swift=${SWIFT:-swift}
real_time='PulseTests|LitWordTests|OnASoundServer|aFileThatNobodyKnows|thePositionIsThat'

# What the tests and the programs that they start leave behind goes with a folder of their own.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export TILAWA_HOME=$folder/home TMPDIR=$folder

status=0
run() { "$@" 2>&1 </dev/null | tee -a "$folder/log" || status=1; }
if [[ $# -gt 0 ]]; then
  run "$swift" test --skip-build --filter "$1"
else
  run "$swift" test --skip-build
  run env TILAWA_REAL_TIME=1 "$swift" test --skip-build --filter "$real_time"
fi

# What the first run leaves to the second one is not skipped.
skipped=$(grep -E '^➜ Test .* skipped' "$folder/log" | grep -v 'runs by itself' | sort -u)
[[ -z $skipped ]] || {
  echo "== tests skipped: $(wc -l <<<"$skipped")"
  sed -E 's/^.* skipped(: )?//; s/^"|"$//g; s/^$/no reason given/' <<<"$skipped" | sort | uniq -c
}
exit $status
