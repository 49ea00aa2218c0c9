#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What a release has to pass, on a machine that does nothing else: the formatter, all tests 20 times in a row, those
# that timing can touch 3 times under load, the sanitizers. Ends with the first thing that fails.
#
#   Scripts/release-check.sh [TIMES [TIMES-UNDER-LOAD]]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
times=${1:-20}
times_under_load=${2:-3}

make lint
make build-tests
for ((round = 1; round <= times; round++)); do
  start=$SECONDS
  Scripts/test.sh
  echo "== run $round of $times: passed, $((SECONDS - start)) s"
done
Scripts/test-under-load.sh "$times_under_load"
Scripts/sanitize.sh
echo '== release-check: passed'
