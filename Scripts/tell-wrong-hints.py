#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tells the aligner wrong starts or ends of recordings of known ayat, and counts how often it says that something does not fit.

    Scripts/tell-wrong-hints.py FOLDER [--mode start|range|end|within] [--program .build/release/tilawa-annotate]

FOLDER holds recordings with a NAME.json each, as for Scripts/align-known-recordings.py; prayers, and recordings of fewer than 8 ayat, are
left out. Each is aligned as it is, and told to begin 1, 3 and 10 ayat later or earlier (whichever the surah has room for) and with
another surah (the one ten before, or ten after). In mode "range" the last ayah is told as well: the right one, or for another surah its
last. In mode "end" the right start is told, and an end 1, 3 and 10 ayat later or earlier. In mode "within" excerpts of 40 s that begin in
the middle of an ayah of 4 s or more, up to eight of a recording, are told to begin with it, and 1, 2 and 3 ayat later. Printed are, by
hypothesis, in how many recordings the alignment was said to be doubtful, in how many another start or end was named as fitting better,
and in how many that one was the right one. Only the standard library is used, and ffmpeg for excerpts.
"""
import argparse, collections, glob, json, os, re, subprocess, sys, tempfile

AYAT = [7, 286, 200, 176, 120, 165, 206, 75, 129, 109, 123, 111, 43, 52, 99, 128, 111, 110, 98, 135, 112, 78, 118, 64, 77, 227, 93, 88, 69, 60,
        34, 30, 73, 54, 45, 83, 182, 88, 75, 85, 54, 53, 89, 59, 37, 35, 38, 29, 18, 45, 60, 49, 62, 55, 78, 96, 29, 22, 24, 13, 14, 11, 11,
        18, 12, 12, 30, 52, 52, 44, 28, 28, 20, 56, 40, 31, 50, 40, 46, 42, 29, 19, 36, 25, 22, 17, 19, 26, 30, 20, 15, 21, 11, 8, 8, 19, 5, 8,
        8, 11, 11, 8, 3, 9, 5, 4, 7, 3, 6, 3, 5, 4, 5, 6]
STARTS = [("right", 0), ("off by 1", 1), ("off by 3", 3), ("off by 10", 10), ("another surah", None)]
WITHIN = [("right", 0)] + [(f"{shift} later", shift) for shift in (1, 2, 3)]
ENDS = [("right", 0)] + [(f"{abs(shift)} {'later' if shift > 0 else 'earlier'}", shift) for shift in (1, 3, 10, -1, -3, -10)]


def is_ayah(label):
    return re.fullmatch(r"\d+:\d+", label) is not None


def told_end(first, last, shift):
    """First and last ayah that are told, the last in the next surah where this one has no more; nil where there is no such end."""
    (surah, ayah), (first_surah, first_ayah) = [tuple(map(int, text.split(":"))) for text in (last, first)]
    ayah += shift
    while surah < 114 and ayah > AYAT[surah - 1]:
        surah, ayah = surah + 1, ayah - AYAT[surah - 1]
    is_there = 1 <= ayah <= AYAT[surah - 1] and (surah, ayah) > (first_surah, first_ayah)
    return (first, f"{surah}:{ayah}") if is_there else None


def told_start(first, last, shift):
    """First and last ayah that are told; nil where there is no such start."""
    (surah, ayah), (lastSurah, lastAyah) = [tuple(map(int, text.split(":"))) for text in (first, last)]
    if shift is None:
        other = surah - 10 if surah > 60 else surah + 10
        return f"{other}:1", f"{other}:{AYAT[other - 1]}"
    if ayah - shift >= 1 and shift:
        return f"{surah}:{ayah - shift}", last
    if ayah + shift < (lastAyah if surah == lastSurah else AYAT[surah - 1]) - 2:
        return f"{surah}:{ayah + shift}", last
    return None


def examples(options, truth, ayat, shifts, excerpt):
    """What is told of which file: a title, the file, its first and last ayah as told, and the right ayah."""
    audio = os.path.join(options.folder, truth["audio"])
    if options.mode != "within":
        told, right = (told_end, ayat[-1]) if options.mode == "end" else (told_start, ayat[0])
        hints = [(title, told(ayat[0], ayat[-1], shift)) for title, shift in shifts]
        yield from ((title, audio, hint, right) for title, hint in hints if hint)
        return
    segments = [segment for segment in truth["segments"] if is_ayah(segment["label"])]
    for index in range(3, len(segments) - 8, max(1, len(segments) // 8)):
        start, end = segments[index]["start"], segments[index]["end"]
        if end - start < 4:
            continue
        subprocess.run(["ffmpeg", "-v", "error", "-y", "-ss", str((start + end) / 2), "-t", "40", "-i", audio, "-ac", "1", excerpt], check=True)
        for title, shift in shifts:
            yield title, excerpt, (segments[index + shift]["label"], None), segments[index]["label"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--mode", choices=["start", "range", "end", "within"], default="start")
    parser.add_argument("--program", default=".build/release/tilawa-annotate")
    parser.add_argument("--longest", type=float, default=1000, help="seconds; longer recordings are left out")
    parser.add_argument("--each", action="store_true")
    options = parser.parse_args()
    shifts = {"end": ENDS, "within": WITHIN}.get(options.mode, STARTS)
    excerpt = os.path.join(tempfile.mkdtemp(), "excerpt.wav")
    rows = {name: collections.Counter() for name, _ in shifts}
    for path in sorted(glob.glob(os.path.join(options.folder, "*.json"))):
        name = os.path.splitext(os.path.basename(path))[0]
        with open(path, encoding="utf-8") as handle:
            truth = json.load(handle)
        ayat = [label for label in truth.get("ayat", []) if is_ayah(label)]
        if len(ayat) < 8 or truth.get("kind") == "taraweeh" or truth["duration_seconds"] > options.longest:
            continue
        for title, audio, hint, right in examples(options, truth, ayat, shifts, excerpt):
            words = [options.program, "auto-detect", "--quiet", "--format", "jsonl"] + (["--no-cache"] if audio == excerpt else [])
            words += ["--start", hint[0]] + (["--end", hint[1]] if options.mode in ("range", "end") else [])
            run = subprocess.run(words + [audio], capture_output=True, text=True)
            lines = [line for line in run.stdout.splitlines() if line.startswith("{")]
            report = json.loads(lines[0]) if lines else {"error": {"message": run.stderr.strip()}}
            # What cannot be aligned at all is doubted as well.
            failures = [report["error"]["message"]] if "error" in report else []
            warnings = failures + [remark["text"] for remark in report.get("remarks", [])]
            doubts = failures or report.get("verdict") == "doubtful"
            better = [m.group(1) for w in warnings for m in [re.search(r"(?:begins with|ends with|sounds like) (\d+:\d+)", w)] if m]
            rows[title].update(told=1, doubted=bool(doubts), named=bool(better), right=right in better, noted=bool(doubts or better))
            if options.each and bool(doubts or better) == (title == "right"):
                print(name, title, hint, warnings)
    print(f'{"":16s} {"told":>6s} {"doubted":>8s} {"better":>8s} {"rightly":>8s} {"either":>8s}')
    for title, _ in shifts:
        r = rows[title]
        print(f'{title:16s} {r["told"]:6d} {r["doubted"]:8d} {r["named"]:8d} {r["right"]:8d} {r["noted"]:8d}')


main()
