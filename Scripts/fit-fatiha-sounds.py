#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fits what the kinds of sound in al-Fatiha are like (FatihaSounds in Sources/Analysis/Alignment/Prayer).

    Scripts/fit-fatiha-sounds.py RECORDING.json... [--folder FOLDER_OF_AYAH_FILES]...

Each RECORDING.json describes a recording beside it, al-Fatiha by one reciter: "audio" (the file's name) and "segments" with "label"
("1:1" to "1:7", other labels are passed over), "start" and "end" in seconds. A FOLDER holds 001001 to 001007 with any ending.

Cepstra as CepstralAnalyzer measures them, normalised over each reciter's al-Fatiha, are laid over the sounds of each ayah by time warping; the
mean of each kind of sound over the frames laid on it, each reciter counting as much as the others, is what the next warping is done with; six
rounds. Printed is how far off the boundaries are that come out of it with each reciter left out of the fit in turn (seconds, before pauses
have a say), and then the means for the program.

Needs numpy, and ffmpeg to decode.
"""
import argparse, glob, json, os, re, subprocess
from pathlib import Path

import numpy as np

PROGRAM = Path(__file__).resolve().parent.parent / "Sources/Analysis/Alignment/Prayer/FatihaSounds.swift"
RATE = 16000
FRAMES = 25  # a second
SILENCE, MARGIN = 0.003, 400  # of full scale, and samples that are kept
ROUNDS = 6
BREATH_FRAMES = 4  # after each ayah, while fitting
SKIP = 0.6  # of each frame of the words that is passed over, while fitting
TEST_SKIP, TEST_STAY = 0.45, 0.05  # BoundaryCosts.costOfSkip, costOfStay
KINDS = {
    "openVowel": ["a", "aa", "aaaaaa"], "frontVowel": ["i", "ii", "y"], "roundVowel": ["u", "uu", "w"], "nasal": ["m", "n"],
    "lateral": ["l"], "trill": ["r"], "voicedStop": ["b", "d", "dh"], "voicelessStop": ["t", "q", "k"], "sibilant": ["s"],
    "aspirate": ["h"], "pharyngeal": ["'"], "velar": ["gh"],
}
ORDER = list(KINDS)
BREATH = len(ORDER)
KIND = {letter: number for number, letters in enumerate(KINDS.values()) for letter in letters}


def program():
    """The words and the lengths of sounds, as the program has them."""
    text = PROGRAM.read_text(encoding="utf-8")
    block = text[text.index("static let words = [") :]
    block = block[: block.index("\n  ]")]
    words = re.sub(r'"\s*\+\s*"', "", block)
    words = re.findall(r'"([^"]+)"', words)
    lengths = {name: int(value) for name, value in re.findall(r"static let (\w+) = (\d+)", text)}
    return words, lengths


def sounds(ayah, lengths):
    letters = ayah.split()
    result = []
    for index, letter in enumerate(letters):
        if index == len(letters) - 1:
            frames = lengths["lastSound"]
        elif len(letter) > 2:
            frames = lengths["drawnVowel"]
        elif len(letter) == 2 and letter[0] == letter[1]:
            frames = lengths["heldVowel"] if index >= len(letters) - 2 else lengths["longVowel"]
        else:
            frames = lengths["shortSound"]
        result += [KIND[letter]] * frames
    return np.array(result + [BREATH] * BREATH_FRAMES)


def samples(path):
    words = ["ffmpeg", "-v", "error", "-i", path, "-ac", "1", "-ar", str(RATE), "-f", "f32le", "-"]
    return np.frombuffer(subprocess.run(words, capture_output=True, check=True).stdout, np.float32)


def without_silence(x):
    """Without digital silence at its ends, which would be no sound's but count in the normalisation."""
    heard = np.nonzero(np.abs(x) > SILENCE)[0]
    return x[max(heard[0] - MARGIN, 0) : heard[-1] + MARGIN]


def cepstra(x):
    length = RATE // 20
    window = 0.5 - 0.5 * np.cos(2 * np.pi * (np.arange(length) + 0.5) / length)
    mel = lambda hertz: 2595 * np.log10(1 + hertz / 700)
    edges = 700 * (10 ** (np.linspace(mel(100), mel(3800), 28) / 2595) - 1)
    bins = np.arange(length // 2 + 1) * RATE / length
    filters = np.array([
        np.maximum(np.minimum((bins - a) / (b - a), (c - bins) / (c - b)), 0) for a, b, c in zip(edges, edges[1:], edges[2:])
    ])
    cosines = np.cos(np.pi * np.arange(1, 13)[:, None] * (np.arange(26) + 0.5) / 26)
    padded = np.concatenate([np.zeros(length), x, np.zeros(length)])
    rows = []
    for frame in range((len(x) * FRAMES + RATE - 1) // RATE):
        start = (2 * frame + 1) * RATE // (2 * FRAMES) - length // 2 + length
        power = np.abs(np.fft.rfft(padded[start : start + length] * window)) ** 2
        rows.append(cosines @ np.log(filters @ power / length**2 + 1e-8))
    return np.array(rows)


def unit_frames(plain):
    count = len(plain)
    before = np.maximum(np.arange(count) - 2, 0)
    after = np.minimum(np.arange(count) + 2, count - 1)
    frames = np.concatenate([plain, 1.5 * (plain[after] - plain[before])], axis=1)
    return frames / np.maximum(np.linalg.norm(frames, axis=1, keepdims=True), 1e-6)


def warp(distances, stay, skip):
    """For each row the column it is laid on, from the first to the last."""
    rows, columns = distances.shape
    reached = np.full(columns, np.inf)
    reached[0] = distances[0, 0]
    origins = np.zeros((rows, columns), np.int8)
    for row in range(1, rows):
        best, origin = reached + stay, np.zeros(columns, np.int8)
        for step in range(1, 5):
            cost = np.full(columns, np.inf)
            cost[step:] = reached[:-step] + (step - 1) * skip
            better = cost < best
            best[better], origin[better] = cost[better], step
        reached, origins[row] = best + distances[row], origin
    path, column = np.zeros(rows, int), columns - 1
    for row in range(rows - 1, -1, -1):
        path[row] = column
        column -= int(origins[row, column])
    return path


def load(arguments):
    reciters = {}
    for path in arguments.recordings:
        truth = json.loads(Path(path).read_text(encoding="utf-8"))
        sound = cepstra(samples(os.path.join(os.path.dirname(path), truth["audio"])))
        ayat = [(s["start"], s["end"]) for s in truth["segments"] if re.fullmatch(r"1:[1-7]", s["label"])]
        reciters[Path(path).stem] = (sound, ayat)
    for folder in arguments.folder:
        parts = [without_silence(samples(sorted(glob.glob(f"{folder}/00100{ayah}.*"))[0])) for ayah in range(1, 8)]
        ends = np.cumsum([len(part) for part in parts]) / RATE
        reciters[os.path.basename(os.path.normpath(folder))] = (
            cepstra(np.concatenate(parts)), list(zip([0, *ends[:-1]], ends)))
    for name, (sound, ayat) in reciters.items():
        sound = sound - sound.mean(axis=0)
        reciters[name] = (sound / np.sqrt(sound.std(axis=0) + 1e-9), ayat)
    return reciters


def fit(reciters, words):
    means = None
    for _ in range(ROUNDS):
        sums, weights = np.zeros((BREATH + 1, 12)), np.zeros(BREATH + 1)
        for sound, ayat in reciters.values():
            share = 1 / sum(end - start for start, end in ayat)
            for (start, end), word in zip(ayat, words):
                frames = sound[int(start * FRAMES) : int(end * FRAMES)]
                if means is None:
                    path = np.minimum(np.arange(len(frames)) * len(word) // len(frames), len(word) - 1)
                else:
                    path = warp(1 - unit_frames(frames) @ unit_frames(means[word]).T, 0, SKIP)
                np.add.at(sums, word[path], frames * share)
                np.add.at(weights, word[path], share)
        means = sums / np.maximum(weights, 1e-9)[:, None]
    return means


def errors(means, sound, ayat, words):
    first, last = int(ayat[0][0] * FRAMES), int(ayat[-1][1] * FRAMES)
    path = warp(1 - unit_frames(sound[first:last]) @ unit_frames(means[np.concatenate(words)]).T, TEST_STAY, TEST_SKIP)
    ends = np.cumsum([len(word) for word in words])[:-1]
    return [(first + np.argmax(path >= end)) / FRAMES - ayah[1] for end, ayah in zip(ends, ayat)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recordings", nargs="*")
    parser.add_argument("--folder", action="append", default=[])
    reciters = load(parser.parse_args())
    texts, lengths = program()
    words = [sounds(text, lengths) for text in texts]
    for name, (sound, ayat) in reciters.items():
        others = {other: value for other, value in reciters.items() if other != name}
        off = errors(fit(others, words), sound, ayat, words)
        print(f"{name:32s} " + " ".join(f"{error:+6.2f}" for error in off))
    for name, row in zip(ORDER, fit(reciters, words)):
        print(f"    case .{name}:\n      [{', '.join(f'{value:.2f}' for value in row)}]")


main()
