#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fits how much longer the drawn letters that open some surahs take than the table of lengths has them.

    Scripts/fit-drawn-letters.py FOLDER...

Each FOLDER holds recordings whose ayat are known, as Scripts/train-acoustic-model.py reads them. Of each recording the pace is the
median over its ayat of seconds per phonetic unit; an opening's length over that pace, less its units of the table, is shared by its
drawn letters. Prints this for each opening, and the median over all: `unitsOfDrawnLetter` in Sources/Quran/OpeningLetters.swift.
Needs ffprobe and numpy.
"""
import argparse, functools, re, statistics, subprocess
from pathlib import Path

from acoustic_model.recordings import is_ayah, label_of_file, read_folder

ROOT = Path(__file__).resolve().parent.parent
LEAST = 5  # ayat from which on a recording has a pace
DRAWN = ({2: 2, 3: 2, 13: 2, 26: 2, 28: 2, 29: 2, 30: 2, 31: 2, 32: 2, 7: 3, 19: 3}
         | dict.fromkeys((10, 11, 12, 14, 15, 27, 36, 38, 40, 41, 42, 43, 44, 45, 46, 50, 68), 1))


def packed(name, table):
    """The numbers of a packed table in Sources/Quran."""
    text = (ROOT / "Sources/Quran/Tables" / name).read_text()
    width, rows = re.search(table + r".*?width: (\d+),\s+#\"\"\"\n(.*?)\"\"\"#", text, re.S).groups()
    rows, width = re.sub(r"\\#\n|\s", "", rows), int(width)
    return [functools.reduce(lambda value, character: value << 6 | ord(character) - ord("0"), rows[at:at + width], 0)
            for at in range(0, len(rows), width)]


def table_units():
    """The phonetic units of each ayah."""
    lengths = packed("AyahLengthTable.swift", "lengths")
    firsts = packed("StructureTables.swift", "surahs")
    return {f"{surah}:{index - first + 1}": lengths[index - 1] >> 12 & 0xFFF
            for surah, (first, next) in enumerate(zip(firsts, firsts[1:]), 1) for index in range(first, next)}


def seconds(path):
    run = subprocess.run(["ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", str(path)],
                         capture_output=True, check=True, text=True, stdin=subprocess.DEVNULL)
    return float(run.stdout)


def lengths(recording):
    """The seconds of each ayah that is recited by itself, once."""
    if recording.is_joined:
        return {label_of_file(path): seconds(path) for path in recording.files}
    return {segment.labels[0]: segment.end - segment.start for segment in recording.segments
            if segment.labels and len(segment.labels) == 1 and is_ayah(segment.labels[0])}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER")
    units, found = table_units(), []
    for folder in parser.parse_args().folders:
        for recording in read_folder(folder, {}):
            long = {label: length for label, length in lengths(recording).items() if units[label] > 0}
            if len(long) < LEAST:
                continue
            pace = statistics.median(length / units[label] for label, length in long.items())
            for label, length in long.items():
                surah, ayah = map(int, label.split(":"))
                letters = 3 if label == "42:2" else DRAWN.get(surah, 0) if ayah == 1 else 0
                if letters:
                    each = (length / pace - units[label]) / letters
                    found.append(each)
                    print(f"{recording.name:<40} {label:>5}: {letters} letters, {each:5.1f} units each")
    print(f"median of {len(found)}: {statistics.median(found):.1f}")


if __name__ == "__main__":
    main()
