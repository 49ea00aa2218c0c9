#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Counts the numbers that alignment was given by hand, and fails where they are too many or nothing says what judges them.

    Scripts/count-constants.py [--list]

Counted are constants and defaults of types that are a number in Sources/Alignment: thresholds, prices, windows. Weights that were
trained (Sources/AcousticModel) and tables of the text (Sources/Quran) are not. A comment in the same type or extension names
the script that judges or fits them. Run by `make lint`.
"""
import pathlib, re, sys

MOST = 120
# Members of types; a variable that counts from nothing is no choice.
CONSTANT = re.compile(
    r"^ {2,4}(?:(?:private|fileprivate|public|package|static)\s+)*(?:let|var)\s+\w+(?::\s*[\w.]+)?\s*=\s*-?(?:nats\()?-?[0-9]")
COUNTER = re.compile(r"\bvar \w+(?:: \w+)? = 0(?:\.0)?$")
JUDGE = re.compile(r"//.*(?:Scripts|Benchmarks)/[\w-]+\.py")


def declarations(lines):
    """Ranges of indices of the types and extensions of a file, each with the comment before it."""
    start = 0
    for index, line in enumerate(lines):
        if line == "}":
            yield range(start, index)
            start = index + 1


def main():
    found, unjudged = [], []
    for path in sorted(pathlib.Path("Sources/Alignment").rglob("*.swift")):
        lines = path.read_text("utf-8").splitlines()
        for declaration in declarations(lines):
            is_judged = any(JUDGE.search(lines[index]) for index in declaration)
            for index in declaration:
                line = lines[index]
                inside = re.match(r" {4}", line)
                if not CONSTANT.match(line) or COUNTER.search(line) or (inside and not is_member(lines, index)):
                    continue
                found.append(f"{path}:{index + 1}: {line.strip()}")
                if not is_judged:
                    unjudged.append(found[-1])
    if "--list" in sys.argv:
        print("\n".join(found))
    for place in unjudged:
        print(f"no script is named that judges it: {place}")
    print(f"constants of alignment: {len(found)} of at most {MOST}")
    sys.exit(len(found) > MOST or bool(unjudged))


def is_member(lines, index):
    """Whether a line that is indented twice belongs to a nested type and not to a function."""
    opening = next(line for line in reversed(lines[:index]) if re.match(r"^ {2}\S.*\{$", line))
    return bool(re.search(r"\b(?:struct|enum|class|extension)\b", opening))


main()
