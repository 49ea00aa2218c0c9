#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fits the first weights of BoundaryEvidence (Sources/Analysis/Alignment/Candidates), and judges the aligner's confidences.

    Scripts/fit-alignment-weights.py FOLDER [--program .build/release/tilawa-annotate] [--features FILE] [--weights FOLDER]
    Scripts/fit-alignment-weights.py FOLDER --calibration found.jsonl [--calibration more.jsonl]

FOLDER holds a NAME.json beside each recording: "audio", "reciter", "duration_seconds", "segments" ("label", "start", "end"; a label
surah:ayah is an ayah), "boundary_pauses" ("pause_start", "pause_end", or null) and perhaps "kind" ("taraweeh": left out of the fit).

Without --calibration: the program's hidden command `alignment-features` measures the candidates (kept in FILE, if that is named, and read
from there the next time). A candidate is a boundary when it lies in the boundary's pause (0.1 s more on either side) or within 0.25 s, the
nearest for each boundary, dips before weak dips. Then a logistic regression for dips and one for weak dips, ridge 3 on standardised
columns, each reciter counting as much as the others, those of fewer than 50 boundaries as much less. Printed are, with each reciter left
out of the fit in turn, how well the others' weights tell his boundaries from other dips (area under the curve, mean log likelihood), and
the weights for the program, from all of them.

With --weights: FOLDER gets NAME.json for every reciter, fitted without him, for `auto-detect --boundary-weights`; with
`Scripts/align-known-recordings.py --weights FOLDER` each reciter is so aligned by what the others have taught.

With --calibration: files that `Scripts/align-known-recordings.py FOLDER` printed. Nothing in the aligner is fitted to confidences; the
table says by reciter how many of the boundaries in each step of confidence were right.

Needs numpy.
"""
import argparse, collections, json, re, subprocess, sys
from pathlib import Path

import numpy as np

FEATURES = [
    "core", "depth", "steadiness", "lastSteadiness", "endingLow", "endingMiddle", "endingHigh", "openingLow", "openingMiddle",
    "openingHigh", "drop", "levelBefore", "levelAfter", "onset", "isolation",
]
NOT_FOR_WEAK = ["core", "isolation"]
ENOUGH = 50  # boundaries of a reciter
STEPS = [0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0001]


def is_ayah(label):
    return re.fullmatch(r"\d+:\d+", label) is not None


def reciter(truth, name):
    return re.sub(r"[^a-z]", "", truth.get("reciter", name).lower())


def boundaries(truth):
    """Every inner boundary that touches an ayah: (time, start and end of its pause)."""
    pauses = [(pause["pause_start"], pause["pause_end"]) for pause in truth.get("boundary_pauses") or [] if pause]
    found = {}
    for segment in truth["segments"]:
        for time in (segment["start"], segment["end"]):
            if not is_ayah(segment["label"]) or not 0.02 < time < truth["duration_seconds"] - 0.02:
                continue
            near = [span for span in pauses if span[0] - 0.7 <= time <= span[1] + 0.7]
            near.sort(key=lambda span: max(span[0] - time, time - span[1], 0))
            found[time] = near[0] if near else (time, time)
    for segment in truth["segments"]:
        for time in (segment["start"], segment["end"]):
            if segment["label"] == "silence" and time in found:
                start, end = found[time]
                found[time] = (min(start, segment["start"]), max(end, segment["end"]))
    return sorted((time, start, end) for time, (start, end) in found.items())


def fits(time, boundary):
    middle, start, end = boundary
    return start - 0.1 <= time <= end + 0.1 or abs(time - middle) <= 0.25


def matched(times, wanted, is_dip=None):
    """For each of the times whether it is a boundary, one to one; dips, if they are told, before others."""
    is_boundary = np.zeros(len(times), bool)
    order = np.argsort(times, kind="stable")
    for boundary in wanted:
        low, high = np.searchsorted(times[order], [min(boundary) - 0.3, max(boundary) + 0.3])
        near = [i for i in order[low:high] if not is_boundary[i] and fits(times[i], boundary)]
        if near:
            best = min(near, key=lambda i: (is_dip is not None and not is_dip[i], abs(times[i] - boundary[0])))
            is_boundary[best] = True
    return is_boundary


def recordings(folder):
    for path in sorted(folder.glob("*.json")):
        truth = json.loads(path.read_text(encoding="utf-8"))
        if "audio" in truth:
            yield path.stem, truth


def sigmoid(x):
    return 1 / (1 + np.exp(-np.clip(x, -30, 30)))


def regression(rows, truth, weights, ridge=3.0):
    total = weights.sum()
    mean = (rows * weights[:, None]).sum(0) / total
    spread = (((rows - mean) ** 2 * weights[:, None]).sum(0) / total) ** 0.5 + 1e-9
    standard = np.c_[(rows - mean) / spread, np.ones(len(rows))]
    penalty = np.eye(standard.shape[1]) * ridge
    penalty[-1, -1] = 0
    found = np.zeros(standard.shape[1])
    for _ in range(40):
        p = sigmoid(standard @ found)
        curvature = (standard.T * (weights * p * (1 - p))) @ standard + penalty
        found -= np.linalg.solve(curvature, standard.T @ (weights * (p - truth)) + penalty @ found)
    slopes = found[:-1] / spread
    return np.append(slopes, found[-1] - (slopes * mean).sum())


def area(scores, truth):
    order = np.argsort(scores, kind="stable")
    ranks = np.empty(len(order))
    ranks[order] = np.arange(1, len(order) + 1)
    right = truth.sum()
    wrong = len(truth) - right
    return (ranks[truth].sum() - right * (right + 1) / 2) / max(right * wrong, 1)


def measure(options):
    known = [(name, truth) for name, truth in recordings(options.folder) if truth.get("kind") != "taraweeh"]
    files = [str(options.folder / truth["audio"]) for _, truth in known]
    if options.features and options.features.exists():
        lines = options.features.read_text(encoding="utf-8").splitlines()
    else:
        run = subprocess.run([options.program, "alignment-features", *files], stdout=subprocess.PIPE, text=True, check=True)
        lines = run.stdout.splitlines()
        if options.features:
            options.features.write_text(run.stdout, encoding="utf-8")
    if len(lines) != len(files):
        sys.exit(f"{len(lines)} lines of features for {len(files)} recordings")
    result = []
    for (name, truth), line in zip(known, lines):
        measured = json.loads(line)["candidates"]
        rows = np.array([[candidate[key] for key in FEATURES] for candidate in measured], float)
        times = np.array([candidate["time"] for candidate in measured], float)
        is_dip = np.array([candidate["isDip"] for candidate in measured], bool)
        result.append((reciter(truth, name), rows, is_dip, matched(times, boundaries(truth), is_dip)))
    return result


def shares(who, truth):
    """The weight of each row: reciters count alike."""
    counts = collections.Counter(who)
    known = collections.Counter(who[truth])
    share = {name: min(known[name] / ENOUGH, 1) / counts[name] for name in counts}
    weights = np.array([share[name] for name in who])
    return weights * len(who) / weights.sum()


def fit(options):
    data = measure(options)
    names = sorted({name for name, *_ in data})
    fits = {name: {} for name in names}
    for title, key, of_dips in (("dips", "dips", True), ("weak dips", "weakDips", False)):
        columns = [i for i, feature in enumerate(FEATURES) if of_dips or feature not in NOT_FOR_WEAK]
        rows = np.concatenate([rows[is_dip == of_dips][:, columns] for _, rows, is_dip, _ in data])
        truth = np.concatenate([right[is_dip == of_dips] for _, _, is_dip, right in data])
        who = np.concatenate([[name] * int((is_dip == of_dips).sum()) for name, _, is_dip, _ in data])

        def weights(of):
            found = regression(rows[of], truth[of], shares(who[of], truth[of]))
            full = np.zeros(len(FEATURES) + 1)
            full[columns + [len(FEATURES)]] = found
            return found, [round(value, 3) for value in full]

        print(f"\n{title}: {int(truth.sum())} boundaries of {len(truth)}\n{'reciter left out':24s} {'area':>6s} {'log p':>7s}  boundaries")
        for name in names:
            out = who == name
            found, fits[name][key] = weights(~out)
            if not truth[out].any():
                continue
            scores = rows[out] @ found[:-1] + found[-1]
            p = np.clip(sigmoid(scores), 1e-6, 1 - 1e-6)
            mean = np.where(truth[out], np.log(p), np.log(1 - p)).mean()
            print(f"{name:24s} {area(scores, truth[out]):6.3f} {mean:7.3f}  {int(truth[out].sum())}")
        _, found = weights(np.ones(len(who), bool))
        fits.setdefault("all", {})[key] = found
        print("[" + ", ".join(f"{value:.3f}" for value in found) + "]")
    if options.weights:
        options.weights.mkdir(parents=True, exist_ok=True)
        for name, found in fits.items():
            (options.weights / f"{name}.json").write_text(json.dumps(found), encoding="utf-8")


def calibrate(options):
    known = {truth["audio"]: (name, truth) for name, truth in recordings(options.folder)}
    for path in options.calibration:
        tables = collections.defaultdict(lambda: np.zeros((len(STEPS) - 1, 2)))
        for line in path.read_text(encoding="utf-8").splitlines():
            found = json.loads(line)
            name, truth = known[Path(found["file"]).name]
            times = np.array([boundary["time"] for boundary in found.get("boundaries", [])], float)
            right = matched(times, boundaries(truth))
            kind = "taraweeh" if truth.get("kind") == "taraweeh" else reciter(truth, name)
            for boundary, is_right in zip(found.get("boundaries", []), right):
                step = np.searchsorted(STEPS, boundary["confidence"] or 0, side="right") - 1
                for key in (kind, "all"):
                    tables[key][step] += [1, is_right]
        print(f"\n{path}\n{'reciter':24s}" + "".join(f"{low:>8.2f}+   " for low in STEPS[:-1]) + "   0.90+")
        for key in sorted(tables, key=lambda key: (key == "all", key)):
            table = tables[key]
            sure = table[5:].sum(0)
            cells = "".join(f"{right / made:7.3f}/{int(made):<4d}" if made else " " * 12 for made, right in table)
            print(f"{key:24s}{cells} {sure[1] / max(sure[0], 1):7.3f}/{int(sure[0])}")


def main():
    description, _, epilog = __doc__.partition("\n")
    parser = argparse.ArgumentParser(description=description, epilog=epilog, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--program", default=".build/release/tilawa-annotate")
    parser.add_argument("--features", type=Path, help="where features are kept")
    parser.add_argument("--weights", type=Path, help="folder for the weights with each reciter left out")
    parser.add_argument("--calibration", type=Path, action="append", help="what align-known-recordings.py printed")
    options = parser.parse_args()
    calibrate(options) if options.calibration else fit(options)


if __name__ == "__main__":
    main()
