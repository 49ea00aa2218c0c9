#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fits the weights of BoundaryChooser (Sources/Analysis/Detection) to recordings with known ayat.

    Scripts/fit-boundary-weights.py FOLDER [--program .build/release/tilawa-annotate]
                                    [--features FILE] [--only NAME]

FOLDER holds a NAME.json beside each recording:

    {"audio": "NAME.m4a",           the recording, in the same folder
     "reciter": "...",              who is left out together; spelling and digits do not matter
     "duration_seconds": 17.9,
     "kind": "taraweeh",            optional: then only what touches an ayah is judged
     "segments": [{"label": "112:1", "start": 0.0, "end": 2.1}, ...],
     "boundary_pauses": [{"pause_start": 1.9, "pause_end": 2.2}, null, ...]}

Seconds. A label surah:ayah is an ayah, anything else is not; "boundary_pauses" are the pauses that
boundaries lie in, where there is one.

The program's hidden command `detection-features` measures the dips (kept in FILE, if that is named,
and read from there the next time). Then logistic regressions, ridge 3, each reciter's candidates
weighed by (500 / their number)^0.7:

- `first`: is it a boundary, by the dip's length and isolation; starts the classes of HeldSyllables;
- `final`: the same with what those found.

What follows in the program is done here as well, constant for constant: HeldSyllables,
SegmentSpacing, ExpectedF1. Printed are a table of the boundaries found with each reciter left out of
the fit in turn, one of those found with all in it, one with the weights that the program has now, and
the weights for the program. A boundary counts as found within its pause (0.1 s more on either side)
or 0.25 s, one to one. A reciter with fewer than 30 boundaries says too little and is left out
together with the one who has most.

Needs numpy.
"""

import argparse
import collections
import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np

CHOOSER = Path(__file__).resolve().parent.parent / "Sources/Analysis/Detection/BoundaryChooser.swift"
FIRST = ["length", "isolation"]
FINAL = ["held", "length", "isolation", "separation", "lengthWithSeparation"]


# The program's own steps after the measuring of dips.


def sigmoid(x):
    return 1 / (1 + np.exp(-np.clip(x, -30, 30)))


def logit(p):
    return np.log(p / (1 - p))


def held_syllables(steadiness, prior):
    """HeldSyllables: (log odds, separation)."""
    weights = np.clip(prior, 0.02, 0.98)
    count = len(steadiness)
    if count < 5:
        return logit(weights), 0.0
    prior_variance = max(steadiness.var() / 2, 1e-3)
    for _ in range(25):
        held = weights.sum()
        free = count - held
        held_mean = (weights * steadiness).sum() / (held + 1e-6)
        free_mean = ((1 - weights) * steadiness).sum() / (free + 1e-6)
        squares = (weights * (steadiness - held_mean) ** 2).sum()
        squares += ((1 - weights) * (steadiness - free_mean) ** 2).sum()
        variance = (squares + 10 * prior_variance) / (count + 10)
        fewer = min(held, free)
        distance = min(held_mean - free_mean, 0) * fewer / (fewer + 2)
        share = np.clip((held + 10 * 0.3) / (count + 10), 0.03, 0.97)
        odds = (steadiness - (held_mean + free_mean) / 2) * distance / variance + logit(share)
        weights = sigmoid(np.clip(odds, -12, 12))
    return np.clip(odds, -8, 8), float(np.clip(-distance / variance**0.5, 0, 6))


def best(probabilities):
    """ExpectedF1: a mask of those chosen."""
    chosen = np.zeros(len(probabilities), bool)
    if len(probabilities):
        order = np.argsort(-probabilities, kind="stable")
        ranks = np.arange(1, len(probabilities) + 1)
        scores = 2 * np.cumsum(probabilities[order]) / (ranks + probabilities.sum() * 1.08)
        chosen[order[: scores.argmax() + 1]] = True
        chosen &= probabilities >= 0.3
    return chosen


def spacing(probabilities, times, duration):
    """SegmentSpacing.refine."""
    indices = np.flatnonzero(probabilities > 0.02)
    if len(indices) < 4:
        return probabilities
    current = np.clip(probabilities[indices], 1e-4, 1 - 1e-4)
    log_odds = np.concatenate([[0], logit(current), [0]])
    points = np.concatenate([[0], times[indices], [duration]])
    last = len(points) - 1
    for _ in range(3):
        cuts = np.concatenate([[0], times[indices][best(current)], [duration]])
        lengths = np.maximum(np.diff(cuts), 0.3)
        logs = np.log(lengths)
        mean = np.median(logs)
        variance = (((logs - mean) ** 2).sum() + 5 * 0.7**2) / (len(logs) + 5)
        spread = np.clip(variance**0.5, 0.35, 1)
        rate = 1 / lengths.mean()
        forward = np.full(last + 1, -1e18)
        forward[0] = 0
        into = [None]
        for end in range(1, last + 1):
            first = min(int(np.searchsorted(points, points[end] - 90)), end - 1)
            length = np.maximum(points[end] - points[first:end], 0.05)
            log_normal = -(((np.log(length) - mean) / spread) ** 2) / 2 - np.log(spread) - 0.919
            ratio = log_normal - np.log(length) - (np.log(rate) - rate * length)
            scores = 0.6 * np.maximum(ratio, -6)
            into.append((first, scores))
            forward[end] = np.logaddexp.reduce(forward[first:end] + scores) + log_odds[end]
        backward = np.full(last + 1, -1e18)
        backward[last] = 0
        for end in range(last, 0, -1):
            first, scores = into[end]
            after = scores + backward[end] + log_odds[end]
            backward[first:end] = np.logaddexp(backward[first:end], after)
        posterior = np.exp(np.clip(forward[1:-1] + backward[1:-1] - forward[last], -50, 0))
        current = np.clip(posterior, 1e-4, 1 - 1e-4)
    result = probabilities.copy()
    result[indices] = current
    return result


# Truth and scores.


def is_ayah(label):
    return re.fullmatch(r"\d+:\d+", label) is not None


def boundaries(truth):
    """Every inner boundary that touches an ayah: (time, start and end of its pause)."""
    pauses = [pause for pause in truth.get("boundary_pauses") or [] if pause]
    found = {}
    for segment in truth["segments"]:
        for time in (segment["start"], segment["end"]):
            if not is_ayah(segment["label"]) or not 0.02 < time < truth["duration_seconds"] - 0.02:
                continue
            spans = [(pause["pause_start"], pause["pause_end"]) for pause in pauses]
            near = [span for span in spans if span[0] - 0.7 <= time <= span[1] + 0.7]
            near.sort(key=lambda span: max(span[0] - time, time - span[1], 0))
            found[time] = near[0] if near else (time, time)
    for segment in truth["segments"]:
        for time in (segment["start"], segment["end"]):
            if segment["label"] == "silence" and time in found:
                start, end = found[time]
                found[time] = (min(start, segment["start"]), max(end, segment["end"]))
    return sorted((time, start, end) for time, (start, end) in found.items())


def counts(truth, time):
    """Whether a boundary there is to be judged: in a prayer, what lies among takbirs is not."""
    ayat = [segment for segment in truth["segments"] if is_ayah(segment["label"])]
    return truth.get("kind") != "taraweeh" or any(
        segment["start"] - 1 <= time <= segment["end"] + 1 for segment in ayat
    )


def score(recording, chosen):
    """(found, made, wanted)"""
    free = sorted(time for time in recording.times[chosen] if counts(recording.truth, time))
    made, found = len(free), 0
    for time, start, end in recording.boundaries:
        near = [
            guess
            for guess in free
            if start - 0.1 <= guess <= end + 0.1 or abs(guess - time) <= 0.25
        ]
        if near:
            free.remove(min(near, key=lambda guess: abs(guess - time)))
            found += 1
    return found, made, len(recording.boundaries)


class Recording:
    """The dips of a recording, and which of them are boundaries."""

    def __init__(self, name, truth, measured):
        self.name = name
        self.truth = truth
        self.reciter = re.sub(r"[^a-z]", "", truth.get("reciter", name).lower())
        self.duration = measured["duration"]
        dips = measured["dips"]
        for key in ("start", "end", "length", "isolation", "steadiness"):
            setattr(self, key, np.array([dip[key] for dip in dips], float))
        self.times = np.array([dip["time"] for dip in dips], float)
        self.is_inner = np.array([dip["isInner"] for dip in dips], bool)
        self.is_candidate = np.array([dip["isCandidate"] for dip in dips], bool)
        self.boundaries = boundaries(truth)
        middles = (self.start + self.end) / 2
        self.counts = np.array([counts(truth, middle) for middle in middles], float)
        self.is_boundary = self.matched()

    def matched(self):
        """Each boundary is given to the longest dip at it, less twice the distance."""
        is_boundary = np.zeros(len(self.start))
        for time, start, end in self.boundaries:
            best_value, best_dip = None, None
            near = (self.start <= max(time, end) + 0.15) & (self.end >= min(time, start) - 0.25)
            for dip in np.flatnonzero(near):
                value = self.end[dip] - self.start[dip]
                if end <= start:
                    value -= 2 * max(time - self.end[dip], self.start[dip] - time, 0)
                if not is_boundary[dip] and (best_value is None or value > best_value):
                    best_value, best_dip = value, dip
            if best_dip is not None:
                is_boundary[best_dip] = 1
        return is_boundary

    def features(self, first):
        """The columns of FINAL for each candidate, given the weights of `first`."""
        mask = self.is_candidate
        length, isolation = self.length[mask], self.isolation[mask]
        prior = sigmoid(
            first["length"] * length + first["isolation"] * isolation + first["constant"]
        )
        held, separation = held_syllables(self.steadiness[mask], prior)
        columns = [held, length, isolation, np.full(len(held), separation), length * separation]
        return np.stack(columns, 1)

    def chosen(self, weights):
        first, final = weights
        probabilities = np.full(len(self.times), 0.001)
        log_odds = self.features(first) @ [final[name] for name in FINAL] + final["constant"]
        probabilities[self.is_candidate] = sigmoid(log_odds)
        probabilities = spacing(probabilities, self.times, self.duration)
        return best(np.where(self.is_inner, probabilities, 0)) & self.is_inner


# The fit.


def regression(rows, truth, weights, ridge=3.0):
    """Logistic regression on standardised columns; coefficients for the columns as they are."""
    total = weights.sum()
    mean = (rows * weights[:, None]).sum(0) / total
    spread = (((rows - mean) ** 2 * weights[:, None]).sum(0) / total) ** 0.5 + 1e-9
    standard = np.c_[(rows - mean) / spread, np.ones(len(rows))]
    penalty = np.eye(standard.shape[1]) * ridge
    penalty[-1, -1] = 0
    found = np.zeros(standard.shape[1])
    for _ in range(30):
        p = sigmoid(standard @ found)
        curvature = (standard.T * (weights * p * (1 - p))) @ standard + penalty
        found -= np.linalg.solve(curvature, standard.T @ (weights * (p - truth)) + penalty @ found)
    slopes = found[:-1] / spread
    return slopes, found[-1] - (slopes * mean).sum()


def fit(recordings, folds):
    candidates = collections.Counter()
    for recording in recordings:
        mask = recording.is_candidate
        candidates[folds[recording.reciter]] += recording.counts[mask].sum()

    def column(of):
        return np.concatenate([of(recording)[recording.is_candidate] for recording in recordings])

    truth = column(lambda recording: recording.is_boundary)
    weights = column(
        lambda recording: recording.counts * (500 / candidates[folds[recording.reciter]]) ** 0.7
    )
    lengths = column(lambda recording: recording.length)
    isolations = column(lambda recording: recording.isolation)
    slopes, constant = regression(np.stack([lengths, isolations], 1), truth, weights)
    first = dict(zip(FIRST, slopes), constant=constant)
    rows = np.concatenate([recording.features(first) for recording in recordings])
    slopes, constant = regression(rows, truth, weights)
    return first, dict(zip(FINAL, slopes), constant=constant)


def folds_of(recordings):
    """Which fold each reciter belongs to."""
    wanted = collections.Counter()
    for recording in recordings:
        wanted[recording.reciter] += len(recording.boundaries)
    largest = wanted.most_common(1)[0][0]
    return {name: name if count >= 30 else largest for name, count in wanted.items()}


# Reports.


def table(title, recordings, weights_of):
    print(f"\n{title}\n{'reciter':28s} {'P':>6s} {'R':>6s} {'F1':>6s}  boundaries")
    sums = collections.defaultdict(lambda: np.zeros(3, int))
    for recording in recordings:
        found = score(recording, recording.chosen(weights_of(recording)))
        for key in (recording.reciter, "all"):
            sums[key] += found
    for key in sorted(sums, key=lambda key: (key == "all", key)):
        found, made, wanted = sums[key]
        p, r, f1 = found / max(made, 1), found / max(wanted, 1), 2 * found / max(made + wanted, 1)
        print(f"{key:28s} {p:6.3f} {r:6.3f} {f1:6.3f}  {wanted}")


def swift(weights):
    return ", ".join(f"{name}: {value:.3f}" for name, value in weights.items())


def present_weights():
    """What BoundaryChooser.swift has."""
    text = CHOOSER.read_text(encoding="utf-8")
    found = []
    for name in ("first", "final"):
        body = re.search(rf"static let {name} = \((.*?)\)", text, re.S).group(1)
        pairs = re.findall(r"(\w+): (-?[\d.]+)", body)
        found.append({key: float(value) for key, value in pairs})
    return found


def measure(program, files, kept):
    if kept and kept.exists():
        lines = kept.read_text(encoding="utf-8").splitlines()
    else:
        command = [program, "detection-features", *files]
        run = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        lines = run.stdout.splitlines()
        if kept:
            kept.write_text(run.stdout, encoding="utf-8")
    if len(lines) != len(files):
        sys.exit(f"{len(lines)} lines of features for {len(files)} recordings")
    return map(json.loads, lines)


def main():
    description, _, epilog = __doc__.partition("\n")
    parser = argparse.ArgumentParser(
        description=description, epilog=epilog, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--program", default=".build/release/tilawa-annotate")
    parser.add_argument("--features", type=Path, help="where features are kept")
    parser.add_argument("--only", default="", help="part of the names of the recordings to take")
    options = parser.parse_args()

    truths = {}
    for path in sorted(options.folder.glob("*.json")):
        truth = json.loads(path.read_text(encoding="utf-8"))
        if "audio" in truth and options.only in path.stem:
            truths[path.stem] = truth
    if not truths:
        sys.exit(f"{options.folder}: no recordings with a JSON file beside them")
    files = [str(options.folder / truth["audio"]) for truth in truths.values()]
    measured = measure(options.program, files, options.features)
    recordings = [Recording(*three) for three in zip(truths, truths.values(), measured)]

    folds = folds_of(recordings)
    held_out = {}
    for fold in sorted(set(folds.values())):
        others = [recording for recording in recordings if folds[recording.reciter] != fold]
        if not others:
            sys.exit("at least two reciters are needed")
        held_out[fold] = fit(others, folds)
        print(f"without {fold}:", *map(swift, held_out[fold]), sep="\n  ")
    fitted = fit(recordings, folds)
    present = present_weights()
    by_fold = {name: held_out[fold] for name, fold in folds.items()}
    table("reciter left out of the fit", recordings, lambda recording: by_fold[recording.reciter])
    table("all in the fit", recordings, lambda recording: fitted)
    table("the program's present weights", recordings, lambda recording: present)
    print("\nfirst = (" + swift(fitted[0]) + ")\nfinal = (" + swift(fitted[1]) + ")")


if __name__ == "__main__":
    main()
