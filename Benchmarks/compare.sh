#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# auto-detect beside ffmpeg, in one run on this machine; figures, not a test, so it always ends well.
#
#   Benchmarks/compare.sh [PROGRAM]
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
program=$(realpath "${1:-$here/../.build/release/tilawa-annotate}")
"$here/make-recordings.sh" "$here/out" && python3 "$here/compare.py" "$program" "$here/out"
exit 0
