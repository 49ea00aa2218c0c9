#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures how often the place where an excerpt begins is found, and fits how sure that is.

Reads a folder of recordings NAME.EXT, each with NAME.json beside it:

    {"audio": "NAME.EXT", "duration_seconds": 60.0,
     "segments": [{"label": "2:5", "start": 1.0, "end": 9.5}, ...]}

and, where there is one, corrections.json: {"NAME": [{"time", "start", "end"}, ...]}, for an edge the pause
that it lies in. Labels that are no ayat, such as a lead-in, belong to the ayah that follows.

Cuts excerpts at places that are spread evenly over what is recited, looks for them in the whole Quran, and
prints how many begin with the right ayah. One that begins within 0.6 s before the end of an ayah, or its
pause, may begin with the next; one within 0.3 s after an edge with the ayah before.

    Scripts/measure-places.py CORPUS                      # 15 s and 60 s, 200 excerpts each
    Scripts/measure-places.py CORPUS --auto-detect -n 20  # through auto-detect --surah 1-114
    Scripts/measure-places.py CORPUS --fit                # PlaceReport.sharpness, greatestMisfit

Fitted and measured on recordings by Emad al-Mansari, Mishari al-Afasy, Yasser ad-Dossari and Yasser
Salama, of whom the network that the program comes with has heard the same recordings, and one by
al-Minshawi.
"""

import argparse
import json
import math
import random
import subprocess
import sys
import tempfile
from pathlib import Path

AYAT = 6236


def is_ayah(label: str) -> bool:
    return label[:1].isdigit() and ":" in label


class Recording:
    def __init__(self, path: Path, corrections: dict):
        data = json.loads(path.read_text())
        self.audio = path.parent / data["audio"]
        self.duration = data["duration_seconds"]
        self.segments = data["segments"]
        # For each edge where the voice ends before it.
        self.ends = {round(edge["time"], 2): edge["start"] for edge in corrections.get(path.stem, [])}
        edges = [segment["start"] for segment in self.segments[1:]]
        for edge in edges:
            for pause in data.get("boundary_pauses") or []:
                if pause and pause["pause_start"] - 0.25 <= edge <= pause["pause_end"] + 0.25:
                    self.ends.setdefault(round(edge, 2), pause["pause_start"])

    def ayah(self, index: int):
        """The ayah of a segment, or the next one."""
        for segment in self.segments[index:]:
            if is_ayah(segment["label"]):
                return segment["label"]
        return None

    def right(self, time: float) -> set:
        """The ayat with which an excerpt from there may begin."""
        index = max(i for i, s in enumerate(self.segments) if i == 0 or s["start"] <= time + 1e-6)
        segment = self.segments[index]
        right = {self.ayah(index)}
        end = min(segment["end"], self.ends.get(round(segment["end"], 2), segment["end"]))
        if end - time < 0.6:
            right.add(self.ayah(index + 1))
        if index and time - segment["start"] < 0.3 and is_ayah(self.segments[index - 1]["label"]):
            right.add(self.segments[index - 1]["label"])
        return right - {None}

    def is_recited(self, time: float) -> bool:
        """Whether an ayah or a lead-in is heard there, and no other part of a prayer."""
        others = ("takbir", "silence", "ameen", "tasmee", "salam")
        return any(
            s["start"] <= time < s["end"] and not s["label"].startswith(others) for s in self.segments)


def recordings(folder: Path) -> list:
    corrected = folder / "corrections.json"
    corrections = json.loads(corrected.read_text()) if corrected.exists() else {}
    paths = sorted(p for p in folder.glob("*.json") if p != corrected)
    return [Recording(path, corrections) for path in paths]


def excerpts(all_recordings: list, seconds: float, count: int, seed: int) -> list:
    """Of recordings that are shorter, the whole, as likely as half of it would be."""
    chance = random.Random(f"{seed} {seconds}")
    weights = [max(r.duration - seconds, seconds / 2) for r in all_recordings]
    chosen = []
    while len(chosen) < count:
        recording = chance.choices(all_recordings, weights)[0]
        start = chance.uniform(0, max(recording.duration - seconds, 0))
        if not recording.is_recited(start):
            continue
        chosen.append((recording, round(start, 2), min(start + seconds, recording.duration)))
    return chosen


def run(*command) -> str:
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if result.returncode not in (0, 1, 65):
        sys.exit(f"{command[1]}: {result.stderr.strip()}")
    return result.stdout


def features(program: Path, files: list) -> list:
    return [json.loads(line) for line in run(program, "place-features", *files).splitlines()]


def detected(program: Path, files: list) -> list:
    """As `features` gives them, of what `auto-detect` reports."""
    found = {}
    options = ["--surah", "1-114", "--format", "jsonl", "--no-cache", "--quiet"]
    for line in run(program, "auto-detect", *options, *files).splitlines():
        report = json.loads(line)
        candidates = report.get("candidates", []) if "acoustic_weights" in report else []
        found[report["file"]] = [[c["first"], c["word"] - 1, 0] for c in candidates]
    return [{"places": found.get(str(file), []), "misfit": 0, "seconds": 0} for file in files]


def loss(rows: list, sharpness: float) -> float:
    """Mean of minus the log of the probability that the right place is given."""
    total = 0.0
    for _, right, result in rows:
        places = result["places"]
        weights = [math.exp(-sharpness * place[2]) for place in places]
        # The others are as good as the last that is named, at best.
        total_weight = sum(weights) + (AYAT - len(places)) * weights[-1]
        share = sum(w for w, place in zip(weights, places) if place[0] in right)
        total -= math.log(max(share, weights[-1]) / total_weight)
    return total / len(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--program", type=Path, default=Path(".build/debug/tilawa-annotate"))
    parser.add_argument("--seconds", type=float, nargs="+", default=[15, 60])
    parser.add_argument("-n", "--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--auto-detect", action="store_true")
    parser.add_argument("--fit", action="store_true")
    arguments = parser.parse_args()
    known = recordings(arguments.corpus)
    rows = []
    for seconds in arguments.seconds:
        chosen = excerpts(known, seconds, arguments.count, arguments.seed)
        with tempfile.TemporaryDirectory() as folder:
            files = []
            for number, (recording, start, end) in enumerate(chosen):
                files.append(Path(folder) / f"{number:04}.wav")
                run(
                    arguments.program, "audition", recording.audio, "--exact", "--from", f"{start:.2f}",
                    "--until", f"{end:.2f}", "--output", files[-1])
            find = detected if arguments.auto_detect else features
            results = find(arguments.program, files)
        found = 0
        for (recording, start, _), result in zip(chosen, results):
            right = recording.right(start)
            rows.append((seconds, right, result))
            first = result["places"][0][0] if result["places"] else None
            found += first in right
            if first not in right:
                print(f"{recording.audio.name} {start:.2f}: {first}, not {' or '.join(sorted(right))}")
        times = sorted(result["seconds"] for result in results)
        print(
            f"{seconds:g} s: {found} of {len(chosen)} right ({found / len(chosen):.1%}); "
            f"a search takes {times[len(times) // 2]:.2f} s in the median, {times[-1]:.2f} s at most")
    if arguments.fit:
        named = [row for row in rows if row[2]["places"]]
        candidates = [0.01 * step for step in range(1, 101)]
        best = min(candidates, key=lambda sharpness: loss(named, sharpness))
        print(f"PlaceReport.sharpness: {best:.2f} (loss {loss(named, best):.3f})")
        for seconds in arguments.seconds:
            fits = sorted(
                r["misfit"] for s, right, r in named if s == seconds and r["places"][0][0] in right)
            others = sorted(
                r["misfit"] for s, right, r in named if s == seconds and r["places"][0][0] not in right)
            print(
                f"misfit of right places over {seconds:g} s: median {fits[len(fits) // 2]:.2f}, "
                f"99 % {fits[int(0.99 * (len(fits) - 1))]:.2f}; of wrong ones: "
                f"{', '.join(f'{misfit:.2f}' for misfit in others)}")


if __name__ == "__main__":
    main()
