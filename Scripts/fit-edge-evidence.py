#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fits how sure an alignment is of its edges: the constants of Sources/Alignment/Result/EdgeEvidence.swift.

    Scripts/fit-edge-evidence.py FOLDER --held-out folds/ [--program PROGRAM]

FOLDER holds recordings whose ayat are known (Scripts/measure-accuracy.py says how); folds/ holds RECITER.bin for each reciter, as
`Scripts/train-acoustic-model.py --folds` writes it. Each reciter is heard by the weights that were trained without him, and recordings of
others are left out. The hidden command `alignment-edges` says of every edge what speaks for it.

An edge is right as Scripts/scoring/boundaries.py has it. The fit is a logistic regression with a small ridge, each reciter's edges
weighed alike but for the root of their number. Printed are the constants, how much they would say of each reciter if he
were left out of the fit, what those of the program say, and of edges given 90 and 99 percent how many are wrong and how many
are expected to be. The same of the program's constants with no more than level and slope fitted: the order of the edges stays, and
with it what is reviewed first. Needs nothing but Python.
"""
from __future__ import annotations

import argparse, json, math, re, subprocess, sys
from pathlib import Path
from typing import Any

from scoring import boundaries
from scoring.truth import Truth, read_folder

ROOT = Path(__file__).resolve().parent.parent
EVIDENCE = ROOT / "Sources/Alignment/Result/EdgeEvidence.swift"
NAMES = ["constant", "perMargin", "perMisfit", "perPause"]
RIDGE = 1.0
STEPS = 30

Row = tuple[list[float], bool, str]  # evidence, right, reciter


def evidence(edge: dict[str, float]) -> list[float]:
    """As `EdgeEvidence.probability` has it."""
    return [1.0, math.log1p(max(edge["margin"], 0)), edge["misfit"], min(edge["pause"], 1)]


def probability(weights: list[float], values: list[float]) -> float:
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, sum(w * v for w, v in zip(weights, values))))))


def solved(matrix: list[list[float]], vector: list[float]) -> list[float]:
    """By elimination."""
    count = len(vector)
    rows = [row[:] + [value] for row, value in zip(matrix, vector)]
    for column in range(count):
        pivot = max(range(column, count), key=lambda row: abs(rows[row][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        for row in range(count):
            if row != column:
                factor = rows[row][column] / rows[column][column]
                rows[row] = [value - factor * other for value, other in zip(rows[row], rows[column])]
    return [rows[index][count] / rows[index][index] for index in range(count)]


def fitted(rows: list[Row]) -> list[float]:
    """By Newton's method."""
    counts: dict[str, int] = {}
    for _, _, reciter in rows:
        counts[reciter] = counts.get(reciter, 0) + 1
    typical = sum(counts.values()) / len(counts)
    count = len(rows[0][0])
    weights = [0.0] * count
    for _ in range(STEPS):
        gradient = [-RIDGE * weight if index else 0.0 for index, weight in enumerate(weights)]
        curvature = [[RIDGE if row == column and row else 0.0 for column in range(count)] for row in range(count)]
        for values, right, reciter in rows:
            share = math.sqrt(typical / counts[reciter])
            p = probability(weights, values)
            for row in range(count):
                gradient[row] += share * (right - p) * values[row]
                for column in range(count):
                    curvature[row][column] += share * p * (1 - p) * values[row] * values[column]
        weights = [weight + step for weight, step in zip(weights, solved(curvature, gradient))]
    return weights


def edges(program: str, truth: Truth, weights: Path) -> list[Row]:
    command = [program, "alignment-edges", "--start", truth.first, "--end", truth.last, "--acoustic-weights", str(weights)]
    command += ["--prayer", "taraweeh"] if truth.is_prayer else []
    done = subprocess.run(command + [str(truth.audio)], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{truth.audio}: {done.stderr.strip()}")
    found: dict[float, dict[str, Any]] = {edge["time"]: edge for edge in json.loads(done.stdout)["edges"]}
    report = {"boundaries": [{"time": time, "confidence": 0} for time in found], "segments": [], "pauses": []}
    guesses = boundaries.score(truth, report).guesses
    return [(evidence(found[guess.time]), right, truth.key) for guess, right in guesses.items() if guess.time in found]


def present() -> list[float]:
    """The constants that the program has."""
    text = EVIDENCE.read_text("utf-8")
    return [float(re.search(rf"static let {name} = (\S+)", text)[1]) for name in NAMES]


def rescaled(weights: list[float], rows: list[Row]) -> list[float]:
    """The constants with the level and the slope that fit."""
    scores: list[Row] = [
        ([1.0, sum(w * v for w, v in zip(weights, values))], right, reciter) for values, right, reciter in rows
    ]
    level, slope = fitted(scores)
    return [slope * weight + (0 if index else level) for index, weight in enumerate(weights)]


def judged(name: str, rows: list[Row], weights: list[float]) -> None:
    given = [(probability(weights, values), right) for values, right, _ in rows]
    loss = -sum(math.log(max(p if right else 1 - p, 1e-9)) for p, right in given) / len(given)
    shares = []
    for level in boundaries.SURE:
        sure = [(p, right) for p, right in given if p >= level]
        wrong, expected = sum(not right for _, right in sure), sum(1 - p for p, _ in sure)
        shares.append(f"{wrong} wrong of {len(sure)} given {level}, {expected:.1f} expected" if sure else f"none given {level}")
    right = sum(right for _, right in given) / len(given)
    print(f"{name}: {len(rows)} edges, {right:.3f} right; {loss:.4f} nats an edge; {', '.join(shares)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--held-out", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--program", default=".build/release/tilawa-annotate")
    options = parser.parse_args()
    rows: list[Row] = []
    for truth in read_folder(options.folder):
        weights = options.held_out / f"{truth.key}.bin"
        if weights.is_file():
            rows += edges(options.program, truth, weights)
    reciters = sorted({reciter for _, _, reciter in rows})
    if len(reciters) < 2:
        sys.exit(f"{options.held_out}: weights for two reciters of {options.folder} at least are needed")
    for reciter in reciters:
        own = [row for row in rows if row[2] == reciter]
        others = [row for row in rows if row[2] != reciter]
        judged(f"{reciter}, left out", own, fitted(others))
        judged(f"{reciter}, left out of level and slope", own, rescaled(present(), others))
    judged("all, as the program has it", rows, present())
    for name, weights in (("all", fitted(rows)), ("all, level and slope", rescaled(present(), rows))):
        judged(name, rows, weights)
        for constant, weight in zip(NAMES, weights):
            print(f"  private static let {constant} = {weight:.2f}")


if __name__ == "__main__":
    main()
