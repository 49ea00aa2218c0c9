#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Runs the tests that were built, all or those that a regular expression names, and says which failed, and how
# many were skipped and why. What keeps real time runs after the rest, with the processor to itself, then what
# measures the memory of its process, and what disturbs others last.
#
#   Scripts/test.sh [EXPRESSION]
#   Scripts/test.sh --short    all but those that take long or run by themselves, as `make test` does
#   Scripts/test.sh --long     those
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
tests=.build/debug/tilawa-annotatePackageTests.xctest
with_programs='^(EndToEndTests|LibraryTests)\.'
# Two fifths of the time are that of these: whole nights, many damaged files, random edits, long renderings.
long='^(AlignmentTests\.(ChainSearchTests|PlaceSearchTests|PrayerTests|SurroundingSpeechTests)'
long+='|DecodingTests\.(BlockDecodingTests|GoodFixtureTests|MutationFuzzTests|SeekingTests|StopFlagTests)'
long+='|EditorTests\.RandomEventTests|EncodingTests\.(EncodeTests|PassageTests)'
long+='|EndToEndTests\.(AlignmentTests|DocumentationTests|FetchFaultTests|LearnTests)'
long+='|PlaybackTests\.(FaultTests|PlaybackPropertyTests|SessionRendererTests|StretchTests)'
long+='|VideoTests\.VideoReaderTests)/'
real_time='PulseTests|LitWordTests|OnASoundServer|aFileThatNobodyKnows|thePositionIsThat'

# What the tests and the programs that they start leave behind goes with a folder of their own.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export TILAWA_HOME=$folder/home TMPDIR=$folder

# Without SwiftPM, which takes longer to come to it than some of the runs.
run() {
  env "$@" --testing-library swift-testing 2>&1 </dev/null |
    sed -u 's/\x1B\[[0-9;]*m//g' | tee -a "$folder/log"
}

beside_each_other() {
  # Many of the tests that run programs wait, and hold a thread of their process meanwhile.
  run "$tests" --filter "$with_programs" "$@" &
  run "$tests" --skip "$with_programs" "$@" || status=1
  wait $! || status=1
}

by_themselves() {
  run TILAWA_REAL_TIME=1 "$tests" --filter "$real_time" || status=1
  run TILAWA_REAL_TIME=1 "$tests" --filter SoakTests.memoryStaysFlat || status=1
  run TILAWA_EXITS=1 "$tests" --filter anImpossibleEventTraps || status=1
}

status=0
[[ -x $tests ]] || {
  echo "The tests are not built: make build-tests" >&2
  exit 1
}
case ${1:-} in
  '')
    beside_each_other
    by_themselves
    ;;
  --short) beside_each_other --skip "$long" ;;
  --long)
    run "$tests" --filter "$long" || status=1
    by_themselves
    ;;
  -*)
    echo "$1 is not known: --short, --long, or a regular expression" >&2
    exit 64
    ;;
  *) run "$tests" --filter "$1" || status=1 ;;
esac

# Again at the end, where they are found.
failed=$(grep -E '^✘ Test .* (recorded an issue|failed after)|^↳ |: Fatal error|^\*\*\* ' "$folder/log" |
  grep -vE '^↳ (Test|Target|///)' | head -100)
[[ -z $failed ]] || printf '== what failed:\n%s\n' "$failed"

# What one run leaves to another is not skipped.
skipped=$(grep -E '^➜ Test .* skipped' "$folder/log" | grep -v 'runs by itself' | sort -u)
[[ -z $skipped ]] || {
  echo "== tests skipped: $(wc -l <<<"$skipped")"
  sed -E 's/^.* skipped(: )?//; s/^"|"$//g; s/^$/no reason given/' <<<"$skipped" | sort | uniq -c
}
[[ ${1:-} != --short ]] || echo '== tests that take long or run by themselves: make test-long'
exit $status
