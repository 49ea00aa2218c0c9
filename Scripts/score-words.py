#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Scores the word times of alignments against published ones.

    Scripts/align-known-recordings.py FOLDER --words > found.jsonl
    Scripts/score-words.py found.jsonl --words WORDS --folder FOLDER

WORDS holds NAME.json for recordings of FOLDER: "words" = [[surah, ayah, word from 1, start, end], ...] in seconds. FOLDER is as
Scripts/align-known-recordings.py wants it; "segments" there are label, start and end.

Words F1: a word of the truth is found when at its middle a word of the same number is heard, and a word that was heard is right when at its
middle the truth has one of the same number; the harmonic mean of both shares, as in the public Quran alignment benchmark with words for
segments. Whether a pause belongs to the word before it is a matter of convention, so in what is looked up a word lasts until the next begins,
as it does when words are highlighted. Onsets: the distance of each word's start to the truth's, with the median of the recording taken off first, since two published
timings of one recording differ by a constant. First words: without taking anything off, against where the ayah begins by "segments". Only
the standard library is used.
"""
import argparse, collections, glob, json, os, statistics, sys


def load(path):
    with open(path, encoding="utf-8") as handle:
        return json.load(handle)


def by_number(words):
    """The (start, end, start of the next) of each (surah, ayah, number) among (key, start, end) in order."""
    spans = collections.defaultdict(list)
    for index, (key, start, end) in enumerate(words):
        following = words[index + 1][1] if index + 1 < len(words) else end
        spans[key].append((start, end, max(following, end)))
    return spans


def heard_words(report):
    return by_number([((w["surah"], w["ayah"], w["word"]), w["start"], w["end"]) for w in report["words"]])


def share(words, others, shift):
    """How many of the words have at their middle another of the same number."""
    found = 0
    for key, spans in words.items():
        for start, end, _ in spans:
            middle = (start + end) / 2 + shift
            found += any(first <= middle < following for first, _, following in others.get(key, []))
    return found


def onsets(heard, truth, farthest=2.0):
    """(key, distance) of each word's start to the nearest of the same number."""
    pairs = []
    for key, spans in truth.items():
        for start, _, _ in spans:
            near = min((s - start for s, _, _ in heard.get(key, [])), key=abs, default=None)
            if near is not None and abs(near) <= farthest:
                pairs.append((key, near))
    return pairs


def percentile(values, part):
    return sorted(values)[min(int(len(values) * part), len(values) - 1)] if values else float("nan")


def score_words(reports, folder):
    total = collections.Counter()
    errors, inner = [], []
    print(f"{'recording':32} {'words':>6} {'F1':>6} {'offset':>8} {'median':>8} {'p90':>8}")
    for path in sorted(glob.glob(os.path.join(folder, "*.json"))):
        name = os.path.splitext(os.path.basename(path))[0]
        if name not in reports:
            continue
        truth = by_number([((surah, ayah, word), start, end) for surah, ayah, word, start, end in load(path)["words"]])
        heard = heard_words(reports[name])
        pairs = onsets(heard, truth)
        offset = statistics.median(d for _, d in pairs) if pairs else 0.0
        counts = collections.Counter(
            truth=sum(map(len, truth.values())), heard=sum(map(len, heard.values())),
            found=share(truth, heard, offset), right=share(heard, truth, -offset))
        total += counts
        own = [abs(d - offset) for _, d in pairs]
        errors += own
        inner += [abs(d - offset) for key, d in pairs if key[2] > 1]
        print(f"{name:32} {counts['truth']:6} {f1(counts):6.3f} {offset * 1000:5.0f} ms "
              f"{percentile(own, .5) * 1000:5.0f} ms {percentile(own, .9) * 1000:5.0f} ms")
    if total["truth"]:
        print(f"Words F1 {f1(total):.4f} ({total['found']} of {total['truth']} found, {total['right']} of {total['heard']} right)")
        print(f"onsets: median {percentile(errors, .5) * 1000:.0f} ms, p90 {percentile(errors, .9) * 1000:.0f} ms; "
              f"of inner words {percentile(inner, .5) * 1000:.0f} ms")


def f1(counts):
    precision = counts["right"] / max(counts["heard"], 1)
    recall = counts["found"] / max(counts["truth"], 1)
    return 2 * precision * recall / max(precision + recall, 1e-9)


def score_first_words(reports, folder, prefixes):
    signed = []
    print(f"{'first words':32} {'ayat':>6} {'signed':>8} {'median':>8}")
    for name, report in sorted(reports.items()):
        if not name.startswith(prefixes):
            continue
        heard = heard_words(report)
        own = []
        for segment in load(os.path.join(folder, f"{name}.json"))["segments"]:
            parts = segment["label"].split(":")
            if len(parts) != 2 or not all(part.isdigit() for part in parts):
                continue
            key = int(parts[0]), int(parts[1]), 1
            near = min((s - segment["start"] for s, _, _ in heard.get(key, [])), key=abs, default=None)
            if near is not None and abs(near) <= 2:
                own.append(near)
        signed += own
        if own:
            print(f"{name:32} {len(own):6} {statistics.median(own) * 1000:5.0f} ms "
                  f"{statistics.median(map(abs, own)) * 1000:5.0f} ms")
    if signed:
        print(f"first words: median {statistics.median(map(abs, signed)) * 1000:.0f} ms, signed "
              f"{statistics.median(signed) * 1000:.0f} ms, of {len(signed)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("found", help="what align-known-recordings.py --words prints")
    parser.add_argument("--words", help="folder of published word times")
    parser.add_argument("--folder", help="folder of the recordings, for first words")
    parser.add_argument("--joined", default="emad_,yassersalama_,minshawi_", help="beginnings of the names of joined recordings")
    options = parser.parse_args()
    reports = {}
    with open(options.found, encoding="utf-8") as handle:
        for line in handle:
            report = json.loads(line)
            if "words" in report:
                reports[os.path.splitext(os.path.basename(report["file"]))[0]] = report
            else:
                print(f"{report['file']}: no words", file=sys.stderr)
    if options.words:
        score_words(reports, options.words)
    if options.folder:
        score_first_words(reports, options.folder, tuple(options.joined.split(",")))


main()
