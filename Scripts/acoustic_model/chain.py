# SPDX-License-Identifier: GPL-3.0-or-later
"""Which sound is in which frame: chains of the sounds of a text, laid over a recording."""
from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple, Optional

import numba
import numpy as np

from .features import FRAMES_PER_SECOND, Heard
from .recordings import RecordingError, Segment

# Frames that a sound of a length class (Documentation/sounds.md) takes at least; alignment has to use the same.
STATES = {
    "single": 1, "doubled": 1, "nasalised": 2, "natural": 2, "munfasil": 3, "muttasil": 3, "lazim": 4, "arid": 2, "leen": 2,
}
MARGIN = 15  # frames by which a sound may lie outside its segment: published times are that wrong
SKIPPED_SOUND = 3.0  # nats: what it costs that a sound is not heard
UNSTOPPED = 0.5  # nats: that a sound is not heard which is said only before or after a stop
MOST_SKIPPED = 6  # states in one step
IMPOSSIBLE = -1e30
UNKNOWN = -100  # the label of frames of which nothing is known; torch's ignore_index
VOICED_DEPTH = 44  # half decibels below the loud frames: voice, for the even start
COUNTS_PER_STATE = 0.8  # frames that a count (harakah) takes against others, for the even start


class State(NamedTuple):
    sound: int
    weight: float  # how long it lasts against others
    skip: float  # nats: what it costs that it is not heard


class Sounds:
    """The sounds of the text, from the JSON of Scripts/make-quran-sounds.py."""

    def __init__(self, path: Path):
        document = json.loads(path.read_text("utf-8"))
        self.phones: list[str] = document["phones"]
        unknown = set(document["lengths"]) - set(STATES)
        if unknown:
            raise RecordingError(f"{path}: unknown length classes {sorted(unknown)}")
        self.indices = {phone: index for index, phone in enumerate(self.phones)}
        self.ayat = document["ayat"]
        self.istiadhah = next(row for row in document["formulas"] if row["name"] == "istiadhah")

    @property
    def silence(self) -> int:
        return len(self.phones)

    @property
    def count(self) -> int:
        return len(self.phones) + 1

    def words(self, label: str) -> list[list[State]]:
        """Each word of an ayah or formula as states; after the words, what is said only if it is joined to the next.

        The first word is begun and the last stopped at, or both are joined to their neighbours; what differs may
        be missing.
        """
        if label == "istiadhah":
            row = self.istiadhah
        elif label == "basmala":
            row = self.ayat["1:1"]
        elif label in self.ayat:
            row = self.ayat[label]
        else:
            raise RecordingError(f"there is no ayah {label}")
        words = [self.states(word, SKIPPED_SOUND) for word in row["words"]]
        joined = row.get("joined", {})
        last = len(words) - 1
        ending: list[State] = []
        if str(last) in joined:
            stopped, other = row["words"][last], joined[str(last)]
            same = shared(stopped, other)
            words[last] = self.states(stopped[:same], SKIPPED_SOUND) + self.states(stopped[same:], UNSTOPPED)
            ending = self.states(other[same:], 0, weight=0)
        if last > 0 and "0" in joined:  # of a single word both ends are in the other form
            begun, other = row["words"][0], joined["0"]
            same = shared(begun[::-1], other[::-1])
            opening = self.states(other[: len(other) - same], 0, weight=0)
            begun_only = self.states(begun[: len(begun) - same], UNSTOPPED)
            words[0] = opening + begun_only + self.states(begun[len(begun) - same :], SKIPPED_SOUND)
        return words + [ending]

    def states(self, sounds: list[Any], skip: float, weight: Optional[float] = None) -> list[State]:
        return [
            State(self.indices[phone], max(1.0, counts * COUNTS_PER_STATE) / STATES[length] if weight is None else weight, skip)
            for phone, counts, length in sounds
            for _ in range(STATES[length])
        ]


def shared(one: list[Any], other: list[Any]) -> int:
    """How many phones two forms of a word begin with alike."""
    count = 0
    while count < min(len(one), len(other)) and one[count][0] == other[count][0]:
        count += 1
    return count


class Chain:
    """The states that a recording goes through in order, each with the frames it may lie in."""

    def __init__(self, segments: list[Segment], frames: int, sounds: Sounds):
        columns, skips, lows, highs, owners, weights = [], [], [], [], [], []

        def add(sound: int, skip: float, weight: float = 1.0) -> None:
            columns.append(sound)
            skips.append(skip)
            lows.append(low)
            highs.append(high)
            owners.append(index)
            weights.append(weight)

        for index, segment in enumerate(segments):
            low = 0 if index == 0 else int(segment.start * FRAMES_PER_SECOND) - MARGIN
            high = frames if index == len(segments) - 1 else int(segment.end * FRAMES_PER_SECOND) + MARGIN
            # Silence may be skipped before and after each word.
            add(sounds.silence, 0.0)
            for label in segment.labels or ():
                for word in sounds.words(label):
                    for state in word:
                        add(state.sound, state.skip, state.weight)
                    add(sounds.silence, 0.0)
        self.sounds = np.array(columns, np.int64)
        self.skips = np.array(skips, np.float32)
        self.owners = np.array(owners, np.int64)
        self.weights = np.array(weights, np.float32)
        self.is_known = np.array([segment.labels is not None for segment in segments])
        # For each frame the states [first, last) that it may be in. Both ends only rise.
        low_array, high_array = np.maximum.accumulate(lows), np.maximum.accumulate(highs)
        time = np.arange(frames)
        self.first = np.searchsorted(high_array, time, side="left").astype(np.int64)
        self.last = np.searchsorted(low_array, time, side="right").astype(np.int64)

    def align(self, scores: np.ndarray) -> Optional[tuple[np.ndarray, float]]:
        """The label of each frame on the best path, and the path's score; none if no path fits."""
        path, score = best_path(scores, self.sounds, self.skips, self.first, self.last)
        if score < IMPOSSIBLE / 2:
            return None
        labels = self.sounds[path]
        labels[~self.is_known[self.owners[path]]] = UNKNOWN
        return labels, float(score)

    def even_labels(self, heard: Heard, silence: int) -> np.ndarray:
        """The voiced frames of each segment shared among its sounds by their usual lengths."""
        level = heard.levels.mean(1)
        voiced = level > np.percentile(level, 95) - VOICED_DEPTH
        labels = np.full(len(level), silence, np.int64)
        for index, segment in enumerate(heard.segments):
            start = int(segment.start * FRAMES_PER_SECOND)
            end = min(int(segment.end * FRAMES_PER_SECOND), len(level))
            if not self.is_known[index]:
                labels[start:end] = UNKNOWN
                continue
            states = np.nonzero((self.owners == index) & (self.sounds != silence))[0]
            frames = np.arange(start, end)[voiced[start:end]]
            if len(states) == 0 or len(frames) == 0:
                continue
            ends = np.cumsum(self.weights[states])
            places = np.searchsorted(ends, (np.arange(len(frames)) + 0.5) / len(frames) * ends[-1])
            labels[frames] = self.sounds[states[np.minimum(places, len(states) - 1)]]
        return labels


@numba.njit
def best_path(
    scores: np.ndarray, sounds: np.ndarray, skips: np.ndarray, first: np.ndarray, last: np.ndarray
) -> tuple[np.ndarray, float]:
    """The best way through the states, by Viterbi. A step stays, goes on, or skips up to `MOST_SKIPPED` states.

    In frame t only states first[t]..<last[t] are possible; both only rise with t.
    """
    frames, count = len(scores), len(sounds)
    path = np.zeros(frames, np.int32)
    if frames == 0:
        return path, IMPOSSIBLE
    offsets = np.zeros(frames + 1, np.int64)
    for t in range(frames):
        offsets[t + 1] = offsets[t] + last[t] - first[t]
    steps = np.zeros(offsets[frames], np.int8)
    best = np.full(count, IMPOSSIBLE, np.float32)
    skipped = np.float32(0)
    for s in range(last[0]):  # it may start at any state before which all are skipped
        if s >= first[0] and skipped <= 10:
            best[s] = scores[0, sounds[s]] - skipped
        skipped += skips[s]
    for t in range(1, frames):
        # From the last state, so that best[s - 1] is still that of the frame before.
        for s in range(last[t] - 1, first[t] - 1, -1):
            value, step = best[s], 0
            if s >= 1 and best[s - 1] > value:
                value, step = best[s - 1], 1
            price = np.float32(0)
            for back in range(2, min(s, MOST_SKIPPED + 1) + 1):
                price += skips[s - back + 1]
                if best[s - back] - price > value:
                    value, step = best[s - back] - price, back
            steps[offsets[t] + s - first[t]] = step
            best[s] = value + scores[t, sounds[s]] if value > IMPOSSIBLE / 2 else IMPOSSIBLE
        for s in range(first[t - 1], first[t]):
            best[s] = IMPOSSIBLE
    top, state, skipped = np.float32(IMPOSSIBLE), count - 1, np.float32(0)
    for s in range(count - 1, -1, -1):  # it may end at any state after which all are skipped
        if best[s] > IMPOSSIBLE / 2 and best[s] - skipped > top:
            top, state = best[s] - skipped, s
        skipped += skips[s]
        if skipped > 10:
            break
    if top < IMPOSSIBLE / 2:
        return path, top
    for t in range(frames - 1, -1, -1):
        path[t] = state
        if t > 0:
            state -= steps[offsets[t] + state - first[t]]
    return path, top
