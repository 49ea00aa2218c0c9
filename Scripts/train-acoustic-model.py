#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Trains the acoustic network on recordings whose ayat are known, and writes its weights.

    Scripts/make-quran-sounds.py --table --json sounds.json
    Scripts/train-acoustic-model.py FOLDER... --sounds sounds.json --output weights.bin --version 2 --features kept/
    Scripts/train-acoustic-model.py FOLDER... --sounds sounds.json --output weights.bin --leave "Yasser Salama"
    Scripts/train-acoustic-model.py FOLDER... --sounds sounds.json --output folds/ --folds --score 'COMMAND {weights} {names}'
    Scripts/train-acoustic-model.py --self-test

A FOLDER holds any of these:
- recordings, each with a NAME.json beside it: "audio" (file name), "reciter", "segments" ("label", "start", "end" in seconds). Labels "2:5" and
  "basmala" are trained on, all others are left out. Nights of prayer ("kind": "taraweeh") are left out.
- recordings of a library beside what `tilawa-annotate export --format json` wrote of them. Only confirmed segments are trained on.
- per-ayah files SSSAAA.opus (or another format). Those of a surah are joined; the reciter is the folder's name.

Reciters are one if their names have the same letters: "Yasser Salama" and a folder yassersalama. --alias FOLDER=NAME joins others.

The program itself measures the log-mel frames (hidden command `acoustic-features`), of each recording and of degraded copies of it. --features
keeps them for the next time; delete that folder when the program measures differently. Then:
1. Each segment's frames are shared evenly among its sounds; three rounds of one Gaussian per sound and Viterbi find better places.
2. The network learns these, finds better places itself, and learns again: --rounds times, then --final-epochs.
3. Weights and activations become whole numbers, in the format that Sources/Acoustics/AcousticWeights.swift reads.

The same --seed, --threads, recordings and versions of the packages give the same weights on the same kind of processor.

--folds trains once without each reciter (or those named), writes OUTPUT/RECITER.bin, and runs the command of --score for each. In the command,
{weights} becomes that file, {reciter} the reciter's key, and the word {names} the names of the recordings left out; what it prints is printed.

Needs ffmpeg, and of PyPI numpy, numba and torch; a processor is enough. Documentation/acoustic-model.md says more.
"""
from __future__ import annotations

import argparse, collections, dataclasses, shlex, subprocess, sys, tempfile, time
from pathlib import Path
from typing import Callable

import numpy as np
import torch

from acoustic_model.chain import MOST_SKIPPED, Chain, Sounds, best_path
from acoustic_model.features import BANDS, UNITS, FeatureStore
from acoustic_model.gaussians import ROUNDS, Gaussians
from acoustic_model.network import Example, Network, Trainer, priors
from acoustic_model.recordings import Recording, RecordingError, read_folder, reciter_key
from acoustic_model.weights import WholeNumberNetwork, encoded

SAMPLES = 20  # recordings that tell how great activations get
SAMPLE_FRAMES = 1500
# What logits are multiplied by: long training makes a network surer than it is of voices that it has not heard. Of 1, 0.9, 0.8 and 0.7 the best
# for F1 by `Scripts/measure-accuracy.py --held-out`, as recordings are.
SOFTNESS = 0.9

Labels = list[np.ndarray]


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


@dataclasses.dataclass
class Material:
    """All that a network is trained on: examples, and the chains of sounds recited in them."""

    names: list[str]
    examples: list[Example]
    chains: list[Chain]
    start: Labels


def measured(store: FeatureStore, recordings: list[Recording], sounds: Sounds, leave: set[str]) -> Material:
    material = Material([], [], [], [])
    for recording in recordings:
        if recording.reciter in leave:
            continue
        heard = store.heard(recording)
        chain = Chain(heard.segments, len(heard.levels), sounds)
        material.names.append(recording.name)
        material.examples.append(Example(heard.reciter, [(heard.levels, 1.0), *heard.copies]))
        material.chains.append(chain)
        material.start.append(chain.even_labels(heard, sounds.silence))
    if not material.examples:
        raise RecordingError("no recording is left to train on")
    minutes: dict[str, float] = {}
    for example in material.examples:
        minutes[example.reciter] = minutes.get(example.reciter, 0) + len(example.x) / 1500
    say(f"{len(material.examples)} recordings: " + ", ".join(f"{key} {value:.0f} min" for key, value in sorted(minutes.items())))
    return material


def aligned(material: Material, labels: Labels, scores: Callable[[np.ndarray], np.ndarray]) -> Labels:
    """The labels along the best paths; those there were for a recording whose text does not fit it."""
    result, total, frames = [], 0.0, 0
    for name, example, chain, before in zip(material.names, material.examples, material.chains, labels):
        found = chain.align(scores(example.x))
        if found is None:
            say(f"{name}: its segments do not fit its sound; not aligned")
            result.append(before)
            continue
        result.append(found[0])
        total, frames = total + found[1], frames + len(example.x)
    say(f"aligned: {total / max(frames, 1):.4f} nats a frame")
    return result


def first_labels(material: Material, sounds: Sounds) -> Labels:
    labels = material.start
    for _ in range(ROUNDS):
        labels = aligned(material, labels, Gaussians([example.x for example in material.examples], labels, sounds.count).scores)
    return labels


def kept_labels(path: Path, material: Material) -> Labels:
    with np.load(path) as kept:
        labels = [kept[name] if name in kept else np.zeros(0) for name in material.names]
    for name, example, part in zip(material.names, material.examples, labels):
        if len(part) != len(example.x):
            raise RecordingError(f"{path}: has no labels that fit {name}; delete it to make it anew")
    return labels


def train(material: Material, sounds: Sounds, options: argparse.Namespace) -> bytes:
    """The file of weights of a network that has learnt the material."""
    torch.manual_seed(options.seed)
    if options.seed_labels and options.seed_labels.exists():
        labels = kept_labels(options.seed_labels, material)
    else:
        labels = first_labels(material, sounds)
        if options.seed_labels:
            with options.seed_labels.open("wb") as file:
                np.savez_compressed(file, **dict(zip(material.names, labels)))
    network = Network(options.hidden, sounds.count)
    plan = [options.epochs] * options.rounds + [options.final_epochs]
    trainer = Trainer(network, material.examples, sum(plan), options.seed, options.device)
    begun = time.monotonic()
    for number, epochs in enumerate(plan):
        for _ in range(epochs):
            loss = trainer.epoch(labels)
            say(f"round {number + 1} of {len(plan)}: loss {loss:.4f}, {time.monotonic() - begun:.0f} s")
        often = priors(labels, sounds.count)
        if number < len(plan) - 1:
            labels = aligned(material, labels, lambda x: network.log_probabilities(x) - often)
    network.soften(SOFTNESS)
    step = max(1, len(material.examples) // SAMPLES)
    samples = [example.x[:SAMPLE_FRAMES] for example in material.examples[::step]]
    return encoded(network, often, options.version, samples)


def write(path: Path, data: bytes) -> None:
    partial = path.with_name(path.name + ".partial")
    partial.write_bytes(data)
    partial.replace(path)
    print(f"{path}: {len(data)} bytes")


def score(command: str, weights: Path, reciter: str, names: list[str]) -> int:
    """Runs the scorer, and answers its exit status."""
    words: list[str] = []
    for word in shlex.split(command):
        words += names if word == "{names}" else [word.replace("{weights}", str(weights)).replace("{reciter}", reciter)]
    print(f"== {reciter}", flush=True)
    return subprocess.run(words, stdin=subprocess.DEVNULL).returncode


def keys(names: list[str], recordings: list[Recording], aliases: dict[str, str]) -> set[str]:
    known = {recording.reciter for recording in recordings}
    result = {aliases.get(reciter_key(name), reciter_key(name)) for name in names}
    if not result <= known:
        raise RecordingError(f"no recordings of {', '.join(sorted(result - known))}; there are {', '.join(sorted(known))}")
    return result


def distinct(folders: list[list[Recording]], paths: list[Path]) -> list[Recording]:
    """All recordings; those whose names come in several folders get the folder's name as well."""
    counts = collections.Counter(recording.name for recordings in folders for recording in recordings)
    result = [
        dataclasses.replace(recording, name=f"{path.resolve().name}__{recording.name}") if counts[recording.name] > 1 else recording
        for path, recordings in zip(paths, folders)
        for recording in recordings
    ]
    names = [recording.name for recording in result]
    if len(set(names)) < len(names):
        raise RecordingError("two folders of the same name hold recordings of the same names")
    return result


def run(options: argparse.Namespace) -> int:
    aliases = {reciter_key(folder): reciter_key(name) for folder, _, name in (text.partition("=") for text in options.alias)}
    sounds = Sounds(options.sounds)
    recordings = distinct([read_folder(folder, aliases) for folder in options.folders], options.folders)
    recordings = [recording for recording in recordings if any(part in recording.name for part in options.only)]
    leave = keys(options.leave, recordings, aliases)
    if options.folds is None:
        folds: list[str] = []
    else:
        folds = sorted(keys(options.folds, recordings, aliases) or {recording.reciter for recording in recordings} - leave)
        options.output.mkdir(parents=True, exist_ok=True)
    failed = 0
    with tempfile.TemporaryDirectory(prefix="tilawa-features-") as temporary:
        store = FeatureStore(options.features or Path(temporary), options.program, options.copies, options.seed)
        if options.folds is None:
            write(options.output, train(measured(store, recordings, sounds, leave), sounds, options))
        for reciter in folds:
            say(f"without {reciter}")
            path = options.output / f"{reciter}.bin"
            write(path, train(measured(store, recordings, sounds, leave | {reciter}), sounds, options))
            if options.score:
                names = [recording.name for recording in recordings if recording.reciter == reciter]
                failed += score(options.score, path, reciter, names) != 0
    return 1 if failed else 0


def self_test() -> None:
    """Checks the whole-number network against the float one, and Viterbi against a plain one."""
    random = np.random.default_rng(19)
    torch.manual_seed(19)
    network = Network(48, 39)
    levels = np.clip(np.round(random.normal(0, UNITS, (700, BANDS))), -124, 124).astype(np.int8)
    x = levels.astype(np.float32) / UNITS
    with torch.no_grad():  # as decided as a trained network
        network.layers[-1].weight *= 40
    often = priors([random.integers(0, 39, 1000)], 39)
    whole = WholeNumberNetwork(encoded(network, often, 7, [x]))
    difference = np.abs(whole.log_probabilities(levels) - network.log_probabilities(x))
    spread = network.log_probabilities(x).std()
    print(f"whole numbers against float: {difference.max():.3f} nats at most, {difference.mean():.4f} on average; they spread by {spread:.2f}")
    assert whole.version == 7 and np.array_equal(whole.priors, often)
    assert difference.max() < 0.2 and difference.mean() < 0.03 and spread > 0.3

    for trial in range(200):
        frames, count = int(random.integers(4, 12)), int(random.integers(2, 12))
        scores = random.normal(0, 2, (frames, 5)).astype(np.float32)
        sounds = random.integers(0, 5, count)
        skips = random.choice([0.0, 3.0], count).astype(np.float32)
        low = np.sort(random.integers(-3, frames - 2, count))
        high = np.maximum.accumulate(low + random.integers(1, frames, count))
        low[0], high[-1] = 0, frames
        low = np.sort(low)
        time_axis = np.arange(frames)
        first, last = np.searchsorted(high, time_axis, side="left"), np.searchsorted(low, time_axis, side="right")
        path, found = best_path(scores, sounds, skips, first, last)
        expected = plain_best(scores, sounds, skips, low, high)
        assert abs(found - expected) < 1e-3 or max(found, expected) < -1e29, f"trial {trial}: {found}, not {expected}"
    print("Viterbi: 200 chains as found by trying every step")


def plain_best(scores: np.ndarray, sounds: np.ndarray, skips: np.ndarray, low: np.ndarray, high: np.ndarray) -> float:
    """The score of the best path, over all states in every frame."""
    frames, count = len(scores), len(sounds)
    none = -1e30

    def over(first: int, last: int) -> float:
        """The price of skipping the states first..<last."""
        return float(skips[first:last].sum())

    def possible(t: int, s: int) -> bool:
        return bool(low[s] <= t <= high[s])

    best = [float(scores[0, sounds[s]]) - over(0, s) if over(0, s) <= 10 and possible(0, s) else none for s in range(count)]
    for t in range(1, frames):
        before = best
        best = [
            max(before[p] - over(p + 1, s) for p in range(max(0, s - 1 - MOST_SKIPPED), s + 1)) + float(scores[t, sounds[s]]) if possible(t, s) else none
            for s in range(count)
        ]
    return max(best[s] - over(s + 1, count) if over(s + 1, count) <= 10 else none for s in range(count))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    parser.add_argument("--sounds", type=Path, help="the JSON of Scripts/make-quran-sounds.py")
    parser.add_argument("--output", type=Path, help="file of weights to write; with --folds, a folder")
    parser.add_argument("--version", type=int, default=1, help="version of the weights, which results and caches carry (default 1)")
    parser.add_argument("--program", default=".build/release/tilawa-annotate")
    parser.add_argument("--features", type=Path, help="folder that keeps what was measured")
    parser.add_argument("--only", nargs="+", default=[""], metavar="PART", help="recordings whose names contain one of these")
    parser.add_argument("--alias", action="append", default=[], metavar="FOLDER=NAME", help="two names of one reciter")
    parser.add_argument("--leave", nargs="+", default=[], metavar="RECITER", help="reciters to leave out")
    parser.add_argument("--folds", nargs="*", metavar="RECITER", help="train without each reciter (default: every one) in turn")
    parser.add_argument("--score", metavar="COMMAND", help="run for each fold")
    parser.add_argument("--copies", type=int, default=3, help="degraded copies of each recording (default 3)")
    parser.add_argument("--hidden", type=int, default=192, help="width of the hidden layers (default 192)")
    parser.add_argument("--rounds", type=int, default=3, help="rounds that end with new labels (default 3)")
    parser.add_argument("--epochs", type=int, default=3, help="epochs of such a round (default 3)")
    parser.add_argument("--final-epochs", type=int, default=240, help="epochs of the last round (default 240)")
    parser.add_argument("--seed-labels", type=Path, metavar="FILE", help="labels of step 1: read if it exists, else written; not with --folds")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", default="cpu", help="where it learns: cpu (default) or cuda")
    parser.add_argument("--threads", type=int, default=1, help="of torch (default 1)")
    parser.add_argument("--self-test", action="store_true", help="check the arithmetic on random numbers, and stop")
    options = parser.parse_args()
    if not options.self_test and not (options.folders and options.sounds and options.output):
        parser.error("needs FOLDER, --sounds and --output")
    if options.folds is None and options.score:
        parser.error("--score needs --folds")
    if options.folds is not None and options.seed_labels:
        parser.error("--seed-labels would carry labels from fold to fold")
    if not all("=" in text for text in options.alias):
        parser.error("--alias needs FOLDER=NAME")
    if options.rounds < 0 or options.epochs < 1 or options.final_epochs < 1 or options.copies < 0 or options.hidden < 1:
        parser.error("--epochs, --final-epochs and --hidden need 1 at least, --rounds and --copies 0")
    return options


def main() -> int:
    options = arguments()
    torch.set_num_threads(options.threads)
    torch.use_deterministic_algorithms(True)
    if options.self_test:
        self_test()
        return 0
    try:
        return run(options)
    except (RecordingError, OSError) as error:
        say(f"train-acoustic-model: {error}")
        return 1


if __name__ == "__main__":
    sys.exit(main())
