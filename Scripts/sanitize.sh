#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# ThreadSanitizer over the suites with threads, AddressSanitizer over those that read strangers' files and that search
# by pointers. Each is built in a folder of its own, with what its suites need and nothing else; a report of either
# fails the run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
swift=${SWIFT:-swift}

# sanitize NAME SUITE...: the suites are test targets.
sanitize() {
  local name=$1
  shift
  local folder=.build-$name-sanitizer suites=$* start=$SECONDS
  echo "== $name sanitizer: $suites"
  for product in VirtualCard DiskFaults tilawa-annotatePackageTests; do
    TILAWA_TESTS=$suites "$swift" build --sanitize="$name" --scratch-path "$folder" --product "$product"
  done
  TILAWA_TESTS=$suites TILAWA_HOME=$home \
    TSAN_OPTIONS="exitcode=66" \
    ASAN_OPTIONS="detect_leaks=0 detect_stack_use_after_return=0 allocator_may_return_null=1" \
    "$swift" test --skip-build --sanitize="$name" --scratch-path "$folder"
  echo "== $name sanitizer: clean, $((SECONDS - start)) s"
}

home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
kinds=${*:-thread address}
for kind in $kinds; do
  case $kind in
  thread) sanitize thread PlaybackTests LibraryTests EditorTests ;;
  address) sanitize address AlignmentTests DecodingTests ExchangeTests ;;
  *)
    echo "usage: Scripts/sanitize.sh [thread] [address]" >&2
    exit 64
    ;;
  esac
done
