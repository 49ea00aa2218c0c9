#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Runs the suites that timing can touch while eight processes burn the processor. What such a run fails at is a
# test that waits for a while instead of an event, or a program that loses something when it comes late.
#
#   Scripts/test-under-load.sh [TIMES [EXPRESSION]]    once, and the suites below, unless told otherwise
#   Scripts/test-under-load.sh 1 brief                 of these suites those of threads and locks: for .ci/run
#
# Builds nothing: `make build-tests` comes before.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
times=${1:-1}
burners=8

# Suites with threads, processes, terminals or locks. Excepted are those that need real time by nature and
# therefore the processor: PulseTests (a sound server drops what comes too late), LitWordTests (the word beside a
# card that keeps the system's time), the tests OnASoundServer (its clients' own deadlines), aFileThatNobodyKnows
# (the first sound within a time that people notice) and thePositionIsThatOfTheFrames (as LitWordTests, by MPRIS);
# they run only where TILAWA_REAL_TIME is set, which is not here.
suites=(
  AudioCoreTests PlaybackTests CaptureTests LibraryTests TerminalDriverTests TmuxTests
  RecordingAnalyzerTests InterruptionTests EditorTerminalTests EditorKeyboardTests EditorKeepingTests
  EditorSoundTests EditorOpeningTests AuditionTests PlayTests
)
brief=(AudioCoreTests PlaybackTests CaptureTests TerminalDriverTests AnnotationEngineTests)
[[ ${2:-} != brief ]] || set -- "$1" "$(IFS='|' && echo "${brief[*]}")"
expression=${2:-$(IFS='|' && echo "${suites[*]}")}
unset TILAWA_REAL_TIME

pids=()
stop() {
  [[ ${#pids[@]} -eq 0 ]] || kill "${pids[@]}" 2>/dev/null
  wait 2>/dev/null
}
trap stop EXIT
for ((number = 0; number < burners; number++)); do
  (while :; do :; done) &
  pids+=($!)
done

failures=0
for ((round = 1; round <= times; round++)); do
  start=$SECONDS
  if Scripts/test.sh "$expression"; then result=passed; else
    result=FAILED
    failures=$((failures + 1))
  fi
  echo "== under load, run $round of $times: $result, $((SECONDS - start)) s"
done
[[ $failures -eq 0 ]]
