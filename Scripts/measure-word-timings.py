#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures how well `timings check` finds what is wrong with published words of files with an ayah each.

    Scripts/measure-word-timings.py RECORDINGS WORDS

RECORDINGS is as Scripts/align-known-recordings.py wants it; WORDS has a NAME.json for some of them: "words" are surah, ayah, word (from 1),
start and end in seconds of the recording. Cuts the ayat out of the recordings, so that each is a file, and gives their words to the program: a
third as published, a third late by 0.5 to 3 s, a third with one word moved by 0.8 to 2 s. Counts what is named. Published words are wrong at
times: what is named of those left as they are is therefore no measure of the program alone. Needs ffmpeg.
"""
import argparse, collections, json, os, random, subprocess, sys, tempfile


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recordings")
    parser.add_argument("words")
    parser.add_argument("--program", default=".build/release/tilawa-annotate")
    parser.add_argument("--seed", type=int, default=16)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    draw = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, "ayat"))
        published, planted = {}, {}
        for file in sorted(os.listdir(options.words)):
            with open(os.path.join(options.words, file), encoding="utf-8") as handle:
                words = json.load(handle)["words"]
            with open(os.path.join(options.recordings, file), encoding="utf-8") as handle:
                truth = json.load(handle)
            for segment in truth["segments"]:
                key = segment["label"]
                own = [w for w in words if f"{w[0]}:{w[1]}" == key]
                if not own or key in published:
                    continue
                start, end = segment["start"], segment["end"]
                own = [[w[2], round((w[3] - start) * 1000), round((w[4] - start) * 1000)] for w in own
                       if start - 0.3 <= w[3] < end and w[3] < w[4]]
                if not own:
                    continue
                kind = draw.choice(["as published", "late", "a word moved"])
                # A file's first word may begin with it, so it is no fault of that kind.
                inner = [w for w in own if w[1] > min(v[1] for v in own)]
                if kind == "late":
                    by = draw.uniform(500, 3000)
                    own = [[n, round(a + by), round(b + by)] for n, a, b in own]
                elif kind == "a word moved" and inner:
                    moved, by = draw.choice(inner), draw.choice([-1, 1]) * draw.uniform(800, 2000)
                    own = [[n, max(0, round(a + by)), max(1, round(b + by))] if w is moved else w for w in own for n, a, b in [w]]
                    planted[key] = moved[0]
                else:
                    kind = "as published"
                published[key] = {"segments": [[n, max(0, a), max(1, b)] for n, a, b in own]}
                planted.setdefault(key, kind)
                surah, ayah = map(int, key.split(":"))
                subprocess.run(
                    ["ffmpeg", "-nostdin", "-v", "error", "-y", "-i", os.path.join(options.recordings, truth["audio"]), "-ss", str(start),
                     "-to", str(end), "-ac", "1", os.path.join(folder, "ayat", f"{surah:03}{ayah:03}.wav")], check=True)
        with open(os.path.join(folder, "words.json"), "w", encoding="utf-8") as handle:
            json.dump(published, handle)
        run = subprocess.run(
            [options.program, "timings", "check", "--format", "json", "--no-cache", "--timings", os.path.join(folder, "words.json"),
             os.path.join(folder, "ayat")], capture_output=True, text=True)
        files = {file["ayah"]: file for file in json.loads(run.stdout)["files"] if "error" not in file}
    counts = collections.defaultdict(collections.Counter)
    for key, what in planted.items():
        file = files.get(key)
        if file is None or file["words_shift_seconds"] is None:
            counts["moved" if isinstance(what, int) else what]["not compared"] += 1
            continue
        codes = {finding["code"]: finding for finding in file["findings"]}
        wrong = [word["word"] for word in codes.get("words_wrong", {}).get("words", [])]
        kind = "moved" if isinstance(what, int) else what
        counts[kind]["compared"] += 1
        counts[kind]["shifted"] += "words_shifted" in codes
        counts[kind]["wrong words"] += bool(wrong)
        if kind == "moved":
            counts[kind]["the word named"] += what in wrong
        if options.verbose and kind == "as published" and ("words_shifted" in codes or wrong):
            print(key, file["words_shift_seconds"], codes.get("words_wrong"))
    for kind, count in sorted(counts.items()):
        print(f"{kind}: " + ", ".join(f"{what} {number}" for what, number in count.items()))


main()
