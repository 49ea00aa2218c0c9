#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fits how long an ayah takes to its text (RecitedToken in Sources/Analysis/Alignment).

    Scripts/fit-ayah-lengths.py FOLDER STATS

FOLDER holds NAME.json for each recording with "reciter" and "segments" ("label", "start", "end" in seconds; a label surah:ayah is an ayah).
STATS is the table of ayat that Scripts/make-quran-tables.py reads: columns surah, ayah, phonetic_units, waqf_marks, madd_signs.

A duration is a pace, one for each recording, times the phonetic units, so many units for a stop, for each sign of madd and for each waqf
mark, and times a factor for the last ayah of a surah. Robust least squares on the logarithm (errors beyond 0.15 count linearly), every
reciter counting as much as the others. Al-Fatiha is left out, and what may end with silence: the last segment of a recording loses the time
that the median reciter waits there. Printed are the coefficients with each reciter left out in turn and from all, with the spread of the
logarithm (errors limited to 0.4) that they leave in his recordings, against the spread that plain phonetic units leave.

Needs numpy and scipy.
"""
import argparse, collections, csv, json, re
from pathlib import Path

import numpy as np
from scipy.optimize import least_squares

NAMES = ["stop", "madd", "waqf", "last"]
PLAIN = np.array([4.0, 0, 0, 1])
LIMIT, BEND = 0.4, 0.15
SHORTEST = 0.5  # seconds; less is a slip of the truth
SILENCE = 0.7  # seconds at the end of a recording
FEWEST = 5  # ayat in a recording, to know its pace


def ayat(folder, stats):
    table = {}
    with open(stats, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            key = int(row["surah"]), int(row["ayah"])
            table[key] = [float(row[name]) for name in ("phonetic_units", "madd_signs", "waqf_marks")]
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


main()
