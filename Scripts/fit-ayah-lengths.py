#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fits how long an ayah takes to its text (RecitedToken in Sources/Analysis/Alignment).

    Scripts/fit-ayah-lengths.py FOLDER STATS [--files DIR]

FOLDER holds NAME.json for each recording with "reciter" and "segments" ("label", "start", "end" in seconds; a label surah:ayah is an ayah).
STATS is the table of ayat that Scripts/make-quran-tables.py reads: columns surah, ayah, phonetic_units, waqf_marks, madd_signs.

A duration is a pace, one for each recording, times the phonetic units, so many units for a stop, for each sign of madd and for each waqf
mark, and times a factor for the last ayah of a surah. Robust least squares on the logarithm (errors beyond 0.15 count linearly), every
reciter counting as much as the others. Al-Fatiha is left out, and what may end with silence: the last segment of a recording loses the time
that the median reciter waits there. Printed are the coefficients with each reciter left out in turn and from all, with the spread of the
logarithm (errors limited to 0.4) that they leave in his recordings, against the spread that plain phonetic units leave.

Surahs open with letters that are recited by their names: how many units each of those takes that is drawn for six counts is printed last,
for each such ayah of FOLDER and of DIR (files SSSAAA.* of one reciter, an ayah each), and the median; the other coefficients are those of all.

Needs numpy and scipy, and ffprobe for DIR.
"""
import argparse, collections, csv, json, re, subprocess
from pathlib import Path

import numpy as np
from scipy.optimize import least_squares

NAMES = ["stop", "madd", "waqf", "last"]
PLAIN = np.array([4.0, 0, 0, 1])
LIMIT, BEND = 0.4, 0.15
SHORTEST = 0.5  # seconds; less is a slip of the truth
SILENCE = 0.7  # seconds at the end of a recording
FEWEST = 5  # ayat in a recording, to know its pace
# Letters drawn for six counts at the openings of surahs.
OPENINGS = {2: 2, 3: 2, 7: 3, 10: 1, 11: 1, 12: 1, 13: 2, 14: 1, 15: 1, 19: 3, 26: 2, 27: 1, 28: 2, 29: 2, 30: 2, 31: 2, 32: 2, 36: 1, 38: 1,
            40: 1, 41: 1, 42: 1, 43: 1, 44: 1, 45: 1, 46: 1, 50: 1, 68: 1}
AROUND = 25  # ayat that tell the pace of an opening


def lengths_of_text(stats):
    table = {}
    with open(stats, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            key = int(row["surah"]), int(row["ayah"])
            table[key] = [float(row[name]) for name in ("phonetic_units", "madd_signs", "waqf_marks")]
    return table


def openings(folder, files, table, coefficients):
    """For each opening with drawn letters what it is of, and the units by which each letter makes it longer."""
    stop, for_madd, for_waqf, _ = coefficients
    recitations = []
    for path in sorted(folder.glob("*.json")):
        truth = json.loads(path.read_text(encoding="utf-8"))
        seconds = {}
        for segment in truth.get("segments", []):
            if re.fullmatch(r"\d+:\d+", segment["label"]):
                seconds.setdefault(tuple(map(int, segment["label"].split(":"))), segment["end"] - segment["start"])
        recitations.append((path.stem, seconds))
    if files:
        for surah in OPENINGS:
            seconds = {}
            for path in sorted(files.glob(f"{surah:03d}*"))[:AROUND]:
                words = ["ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", str(path)]
                seconds[surah, int(path.stem[3:6])] = float(subprocess.run(words, capture_output=True, text=True, check=True).stdout)
            recitations.append((f"{files.name} {surah}", seconds))
    for name, seconds in recitations:
        lengths = {key: table[key][0] + stop + for_madd * table[key][1] + for_waqf * table[key][2] for key in seconds}
        for (surah, ayah), letters in [((surah, 1), letters) for surah, letters in OPENINGS.items()]:
            others = [seconds[key] / lengths[key] for key in seconds if key[0] == surah and 1 < key[1] <= AROUND and seconds[key] > SHORTEST]
            if (surah, ayah) in seconds and len(others) >= FEWEST:
                units = seconds[surah, ayah] / np.median(others)
                yield name, f"{surah}:{ayah}", (units - lengths[surah, ayah]) / letters


def ayat(folder, stats):
    table = lengths_of_text(stats)
    last = {surah: max(ayah for other, ayah in table if other == surah) for surah, _ in table}
    for path in sorted(folder.glob("*.json")):
        truth = json.loads(path.read_text(encoding="utf-8"))
        segments = [segment for segment in truth.get("segments", []) if re.fullmatch(r"\d+:\d+", segment["label"])]
        if len(segments) < FEWEST:
            continue
        for segment in segments:
            surah, ayah = map(int, segment["label"].split(":"))
            seconds = segment["end"] - segment["start"]
            if segment is truth["segments"][-1]:
                seconds -= SILENCE
            if surah != 1 and seconds > SHORTEST:
                who = re.sub(r"[^a-z]", "", truth["reciter"].lower())
                yield (who, path.stem, np.log(seconds), *table[surah, ayah], ayah == last[surah])


def errors(coefficients, columns, recordings):
    seconds, units, madd, waqf, is_last = columns
    stop, for_madd, for_waqf, last = coefficients
    lengths = units + stop + for_madd * madd + for_waqf * waqf
    left = seconds - np.log(np.maximum(lengths, 1)) - np.where(is_last, np.log(max(last, 0.1)), 0)
    for members in recordings:
        left[members] -= np.median(left[members])
    return left


def spread(left):
    return np.sqrt(np.mean(np.clip(left, -LIMIT, LIMIT) ** 2))


def main():
    description, _, epilog = __doc__.partition("\n")
    parser = argparse.ArgumentParser(description=description, epilog=epilog, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("stats", type=Path)
    parser.add_argument("--files", type=Path, metavar="DIR")
    options = parser.parse_args()
    who, names, *columns = map(np.array, zip(*ayat(options.folder, options.stats)))
    columns[4] = columns[4].astype(bool)
    recordings = [names == name for name in sorted(set(names))]
    counts = collections.Counter(who)
    shares = np.sqrt(np.array([1 / counts[name] for name in who]))

    def fit(of):
        found = least_squares(
            lambda x: np.concatenate([(shares * 20 * errors(x, columns, recordings))[of], (x - PLAIN) * [0.02, 0.02, 0.02, 0.2]]),
            PLAIN + 0.5, loss="soft_l1", f_scale=BEND, diff_step=1e-3)
        return found.x

    print(f"{'reciter left out':24s} {'ayat':>5s} " + " ".join(f"{name:>6s}" for name in NAMES) + "   spread  plain")
    for name in [*sorted(counts), "all"]:
        out = who == name if name != "all" else np.ones(len(who), bool)
        found = fit(~out if name != "all" else out)
        left = errors(found, columns, recordings)[out]
        plain = errors(PLAIN, columns, recordings)[out]
        print(f"{name:24s} {int(out.sum()):5d} " + " ".join(f"{value:6.2f}" for value in found)
              + f"   {spread(left):.3f}  {spread(plain):.3f}")
    letters = list(openings(options.folder, options.files, lengths_of_text(options.stats), found))
    for name, ayah, units in letters:
        print(f"{name:32s} {ayah:6s} {units:6.1f} units a letter")
    if letters:
        print(f"{'median':39s} {np.median([units for *_, units in letters]):6.1f}")


main()
