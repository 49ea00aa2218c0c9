#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Counts the numbers that alignment was given by hand, and fails where they are too many.

    Scripts/count-constants.py [--list]

Counted are constants and defaults that are a number in Sources/Alignment: thresholds, prices, windows. Weights that were trained
(Sources/AcousticModel) and tables of the text (Sources/Quran) are not. Run by `make lint`.
"""
import pathlib, re, sys

MOST = 120
CONSTANT = re.compile(r"^\s*(?:(?:private|fileprivate|public|package|static)\s+)*(?:let|var)\s+\w+(?::\s*[\w.]+)?\s*=\s*-?(?:nats\()?-?[0-9]")

found = []
for path in sorted(pathlib.Path("Sources/Alignment").rglob("*.swift")):
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        # Variables of a function that count from nothing are no choices.
        if CONSTANT.match(line) and not re.search(r"\bvar \w+ = 0(?:\.0)?$", line):
            found.append(f"{path}:{number}: {line.strip()}")
if "--list" in sys.argv:
    print("\n".join(found))
print(f"constants of alignment: {len(found)} of at most {MOST}")
sys.exit(len(found) > MOST)
