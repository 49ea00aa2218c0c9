#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures whether both of two passages that were recorded one after another are found.

    Scripts/join-passages.py FOLDER [--count 60] [--program P]

FOLDER is as in Scripts/measure-accuracy.py. Joins 6 to 30 s of one recording and 15 to 90 s of another, cut anywhere, and counts which ayat of
each are named, of those that last 0.8 s or longer there: told the first ayah, told the first one of the second passage, and searched for in the
whole Quran. Needs ffmpeg.
"""
import argparse, concurrent.futures, json, os, random, subprocess, sys, tempfile
from pathlib import Path

from scoring.truth import Truth, read_folder

ROOT = Path(__file__).resolve().parent.parent
SHORTEST = 0.8  # seconds of an ayah that is counted


def cut(truth: Truth, start: float, seconds: float, path: Path) -> list[str]:
    """Cuts a part out, and names its ayat."""
    command = ["ffmpeg", "-v", "error", "-y", "-ss", str(start), "-t", str(seconds), "-i", truth.audio, "-ac", "1", "-ar", "22050", path]
    subprocess.run(command, stdin=subprocess.DEVNULL, check=True)
    return [ayah.label for ayah in truth.ayat if min(ayah.end, start + seconds) - max(ayah.start, start) > SHORTEST]


def joined(truths: list[Truth], draw: random.Random, path: Path) -> tuple[list[str], list[str]]:
    """Makes a recording, and names the ayat of its two passages."""
    while True:
        pair = draw.sample(truths, 2)
        lengths = [draw.choice([6, 10, 15, 20, 30]), draw.choice([15, 20, 30, 40, 90])]
        parts, passages = [path.with_suffix(".1.wav"), path.with_suffix(".2.wav")], []
        for truth, length, part in zip(pair, lengths, parts):
            passages.append(cut(truth, round(draw.uniform(0, max(truth.seconds - length, 0)), 1), length, part))
        if pair[0].first.split(":")[0] != pair[1].first.split(":")[0] and all(passages):
            break
    inputs = [word for part in parts for word in ("-i", str(part))]
    subprocess.run(["ffmpeg", "-v", "error", "-y", *inputs, "-filter_complex", "[0:a][1:a]concat=n=2:v=0:a=1", path], stdin=subprocess.DEVNULL, check=True)
    return passages[0], passages[1]


def named(program: str, options: list[str], path: Path) -> set[str]:
    done = subprocess.run([program, "auto-detect", "--quiet", "--no-cache", "--format", "jsonl", *options, path], capture_output=True, text=True)
    assignments = [segment["assignment"] for segment in json.loads(done.stdout).get("segments", [])] if done.stdout else []
    return {f"{a['surah']}:{a['ayah']}" for a in assignments if a and a["kind"] == "ayah"}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--program", default=str(ROOT / ".build/release/tilawa-annotate"))
    parser.add_argument("--seed", type=int, default=11)
    options = parser.parse_args()
    if not Path(options.program).is_file():
        sys.exit(f"{options.program}: no program; build it, or name it with --program")
    truths = [truth for truth in read_folder(options.folder) if not truth.is_prayer and truth.seconds > 30]
    draw = random.Random(options.seed)
    shares: dict[str, list[tuple[float, float]]] = {}
    with tempfile.TemporaryDirectory(prefix="tilawa-joined-") as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        jobs = []
        for number in range(options.count):
            path = Path(folder) / f"{number}.wav"
            passages = joined(truths, draw, path)
            for how, words in (
                ("told the first", ["--start", passages[0][0]]), ("told the second", ["--start", passages[1][0]]),
                ("searched for", ["--surah", "1-114"]),
            ):
                jobs.append((how, passages, pool.submit(named, options.program, words, path)))
        for how, passages, job in jobs:
            found = job.result()
            shares.setdefault(how, []).append(tuple(sum(ayah in found for ayah in passage) / len(passage) for passage in passages))
    print("| start | ayat of the first passage found | of the second |\n|---|--:|--:|")
    for how, rows in shares.items():
        first, second = (100 * sum(column) / len(rows) for column in zip(*rows))
        print(f"| {how} | {first:.0f} % | {second:.0f} % |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
