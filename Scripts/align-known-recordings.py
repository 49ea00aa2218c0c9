#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Aligns every recording of a folder, told what a person would know of it, and prints what was found.

    Scripts/align-known-recordings.py FOLDER --mode range > found.jsonl

FOLDER holds recordings, each with a NAME.json beside it: "audio" (the recording's file name), "ayat" (what is heard, in order: "2:5" for
ayat, other words for the rest), perhaps "recited" (first and last ayah in a prayer) and "kind" ("taraweeh"). Prints one line of JSON a
recording, as `auto-detect --format jsonl` does. Only the standard library is used.
"""
import argparse, glob, json, os, subprocess, sys, time


def is_ayah(label):
    return label.count(":") == 1 and label.replace(":", "").isdigit()


def hints(truth, mode):
    ayat = [label for label in truth["ayat"] if is_ayah(label)]
    first, last = truth.get("recited") or (ayat[0], ayat[-1])
    words = ["--start", first]
    if mode == "range":
        words += ["--end", last]
    if truth.get("kind") == "taraweeh":
        words += ["--prayer", "taraweeh"]
    return words


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--mode", choices=["start", "range"], default="range", help="whether the last ayah is told as well")
    parser.add_argument("--program", default=".build/release/tilawa-annotate")
    parser.add_argument("--words", action="store_true", help="also when each word is heard")
    parser.add_argument("--only", default="", help="part of the recording's name")
    options = parser.parse_args()
    for path in sorted(glob.glob(os.path.join(options.folder, "*.json"))):
        name = os.path.splitext(os.path.basename(path))[0]
        with open(path, encoding="utf-8") as handle:
            truth = json.load(handle)
        if "audio" not in truth or options.only not in name:
            continue
        audio = os.path.join(options.folder, truth["audio"])
        words = [options.program, "auto-detect", "--quiet", "--format", "jsonl"]
        words += hints(truth, options.mode) + [audio]
        if options.words:
            words.append("--words")
        begun = time.monotonic()
        run = subprocess.run(words, capture_output=True, text=True)
        print(f"{name}: {time.monotonic() - begun:.2f} s {run.stderr.strip()}", file=sys.stderr)
        sys.stdout.write(run.stdout)
        sys.stdout.flush()


main()
