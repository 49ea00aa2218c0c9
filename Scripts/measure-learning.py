#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures what `learn` is worth: how many errors remain after a person has confirmed the first part of a reciter's recordings.

    TILAWA_CORPUS=FOLDER Scripts/measure-learning.py [--held-out folds/] [--by each|first] [--recordings FOLDER] [--only PART ...]

FOLDER/dev is as in Scripts/measure-accuracy.py. For each reciter a library is made of all his recordings but nights of prayer. The first 20 %
are confirmed from the truth: of each recording (--by each), or recording after recording by name until 20 % of his time is reached
(--by first). Then `learn`, and what follows after the confirmed part is counted without and with what was learnt, in mode range:

errors      boundaries that were missed, and boundaries where there are none (Scripts/scoring/boundaries.py: a quarter of a second, or the pause);
            not the edges of ayat that were confirmed
distance    mean distance of the boundaries found from the published ones
far         edges more than a quarter of a second from the published ones, in a pause or not: whoever would put them there moves them

--held-out takes a folder as `Scripts/train-acoustic-model.py --folds` writes it: each reciter is heard by the weights trained without him, and only
such reciters are measured. Without it the program's own weights are used, which were trained on most of the reciters of FOLDER/dev; says so.

Without TILAWA_CORPUS it says so and succeeds. Needs nothing but Python and the program.
"""
from __future__ import annotations

import argparse, concurrent.futures, json, os, shutil, subprocess, sys, tempfile
from pathlib import Path
from typing import Any, Optional

from scoring.boundaries import TOLERANCE, fits, is_harmless
from scoring.truth import Truth, read_folder

Json = dict[str, Any]
ROOT = Path(__file__).resolve().parent.parent
TARGET = 15  # percent of the errors that remain


class Counts:
    """Errors of one or more recordings after their confirmed parts."""

    def __init__(self) -> None:
        self.edges = self.missed = self.false = 0
        self.distances: list[float] = []

    @property
    def errors(self) -> int:
        return self.missed + self.false

    @property
    def far(self) -> int:
        return self.missed + sum(distance > TOLERANCE for distance in self.distances)

    @property
    def distance(self) -> float:
        return sum(self.distances) / max(len(self.distances), 1)

    def __iadd__(self, other: "Counts") -> "Counts":
        self.edges += other.edges
        self.missed += other.missed
        self.false += other.false
        self.distances += other.distances
        return self


def counted(truth: Truth, report: Json, after: float) -> Counts:
    counts = Counts()
    edges = sorted(truth.edges.values(), key=lambda edge: edge.time)
    times = sorted(row["time"] for row in report["boundaries"])
    free = list(times)
    for edge in edges:
        is_counted = edge.time > after
        counts.edges += is_counted
        fitting = [time for time in free if fits(time, edge)]
        if fitting:
            nearest = min(fitting, key=lambda time: abs(time - edge.time))
            free.remove(nearest)
            if is_counted:
                counts.distances.append(abs(nearest - edge.time))
        else:
            counts.missed += is_counted
    confirmed_edges = edges_of({ayah.label for ayah in truth.ayat if ayah.end <= after}, report)
    counts.false = sum(
        time > after and time not in confirmed_edges and not is_harmless(time, times, truth, edges, report["pauses"]) for time in free
    )
    return counts


def edges_of(labels: set[str], report: Json) -> set[float]:
    """Where the ayat begin and end that were found of these."""
    given = [(segment, segment["assignment"]) for segment in report["segments"]]
    return {
        segment[edge]
        for segment, assignment in given
        for edge in ("start", "end")
        if assignment["kind"] == "ayah" and f"{assignment['surah']}:{assignment['ayah']}" in labels
    }


def confirmed(truths: list[Truth], share: float, by: str) -> dict[str, float]:
    """Up to which second each recording is confirmed."""
    left = share * sum(truth.seconds for truth in truths)
    result = {}
    for truth in truths:
        limit = share * truth.seconds if by == "each" else left
        result[truth.name] = max((ayah.end for ayah in truth.ayat if ayah.end <= limit), default=0.0)
        if by == "first":
            left = max(0.0, left - truth.seconds)
    return result


class Reciter:
    """A library of one reciter, in a folder of its own."""

    def __init__(self, program: str, home: Path, weights: Optional[Path]) -> None:
        self.program, self.home = program, home
        self.environment = {**os.environ, "TILAWA_HOME": str(home)}
        if weights:
            (home / "config").mkdir(parents=True)
            shutil.copy(weights, home / "config" / "acoustic-weights.bin")

    def run(self, *words: str) -> str:
        done = subprocess.run([self.program, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, env=self.environment)
        if done.returncode:
            sys.exit(f"{' '.join(words)}: exit {done.returncode}: {done.stderr.strip()[-500:]}")
        return done.stdout

    def confirm(self, truth: Truth, until: float) -> None:
        self.run("import", "--in-place", "--no-detect", "--quiet", "--reciter", truth.reciter.strip(), "--title", truth.name, str(truth.audio))
        rows = [f"{ayah.start}\t{ayah.end}\t{ayah.label}\n" for ayah in truth.ayat if ayah.end <= until]
        if rows:
            labels = self.home / "labels.txt"
            labels.write_text("".join(rows), "utf-8")
            self.run("import-labels", "--confirm", str(truth.audio), str(labels))

    def hear(self, truth: Truth) -> Json:
        return json.loads(self.run("auto-detect", "--format", "jsonl", "--start", truth.first, "--end", truth.last, str(truth.audio)))


def row(name: str, before: Counts, after: Counts, note: str = "") -> str:
    saved = f"{100 * (before.errors - after.errors) / before.errors:.0f} %" if before.errors else ""
    return (
        f"| {name} | {before.edges} | {before.errors} | {after.errors} | {saved} | {before.far} | {after.far} |"
        f" {1000 * before.distance:.0f} ms | {1000 * after.distance:.0f} ms | {note} |"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / ".build/release/tilawa-annotate"))
    parser.add_argument("--recordings", type=Path, help="the folder of recordings (default: dev in TILAWA_CORPUS)")
    parser.add_argument("--held-out", type=Path, metavar="FOLDER", help="RECITER.bin for each reciter")
    parser.add_argument("--by", choices=["each", "first"], default="each")
    parser.add_argument("--share", type=float, default=0.2)
    parser.add_argument("--only", nargs="+", default=[""], metavar="PART", help="recordings whose names contain one of these")
    options = parser.parse_args()
    corpus = os.environ.get("TILAWA_CORPUS")
    folder = options.recordings or (Path(corpus) / "dev" if corpus else None)
    if folder is None:
        print("learning: skipped; TILAWA_CORPUS names no folder of recordings")
        return 0
    if not Path(options.program).is_file():
        sys.exit(f"{options.program}: no program; build it, or name it with --program")
    groups: dict[str, list[Truth]] = {}
    for truth in read_folder(folder):
        if not truth.is_prayer and any(part in truth.name for part in options.only):
            groups.setdefault(truth.key, []).append(truth)
    if options.held_out:
        groups = {key: truths for key, truths in groups.items() if (options.held_out / f"{key}.bin").is_file()}
        print(f"weights: {options.held_out}, each trained without the reciter")
    else:
        print("weights: the program's own, which were trained on most of these reciters: errors are fewer than of an unseen one")
    print(f"confirmed: the first {100 * options.share:.0f} % of " + ("each recording" if options.by == "each" else "the reciter's recordings by name"))
    print("\n| reciter | boundaries | errors | after learning | fewer | far | after learning | distance | after learning | kept |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|---|")
    all_before, all_after = Counts(), Counts()
    for key, truths in sorted(groups.items()):
        until = confirmed(truths, options.share, options.by)
        counted_truths = [truth for truth in truths if any(edge.time > until[truth.name] for edge in truth.edges.values())]
        with tempfile.TemporaryDirectory(prefix="tilawa-learning-") as home, concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            reciter = Reciter(options.program, Path(home), options.held_out / f"{key}.bin" if options.held_out else None)
            reciter.run("reciter", "add", truths[0].reciter.strip())
            for truth in truths:
                reciter.confirm(truth, until[truth.name])
            results = []
            for is_learnt in (False, True):
                if is_learnt:
                    lines = [json.loads(line) for line in reciter.run("learn", "--format", "jsonl").splitlines()]
                counts = Counts()
                for truth, report in zip(counted_truths, pool.map(reciter.hear, counted_truths)):
                    counts += counted(truth, report, until[truth.name])
                results.append(counts)
        kept = [line["learnt"] for line in lines if line["accepted"]]
        note = ", ".join(f"{kept.count(what)} x {what}" if kept.count(what) > 1 else what for what in sorted(set(kept))) or "nothing"
        print(row(key, *results, note), flush=True)
        all_before += results[0]
        all_after += results[1]
    print(row("all", all_before, all_after))
    fewer = 100 * (all_before.errors - all_after.errors) / max(all_before.errors, 1)
    print(f"\nlearning saves {fewer:.0f} % of the errors that remain; {TARGET} % are wanted")
    return 0 if fewer >= TARGET else 1


if __name__ == "__main__":
    sys.exit(main())
