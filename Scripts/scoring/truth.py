# SPDX-License-Identifier: GPL-3.0-or-later
"""Recordings whose ayah boundaries are known, and what levels prove wrong in what was published of them."""
from __future__ import annotations

import dataclasses, json, re
from pathlib import Path
from typing import Any, Iterator, Optional

Json = dict[str, Any]
Word = list[Any]  # surah, ayah, word from 1, start, end

ENDS = 0.02  # seconds from either end of a recording within which there is no boundary
NEAR_PAUSE = 0.7  # seconds by which a published time may miss its pause
SAME_LENGTH = 0.01  # seconds by which the published lengths of one file differ


@dataclasses.dataclass(frozen=True)
class Edge:
    """Where an ayah begins or ends, and the pause that it lies in (start = end = time for none)."""

    time: float
    start: float
    end: float
    # The pause was counted to the ayah, so its other side is an edge as well that the truth does not have.
    is_trailing: bool = False
    # Published word times may tell another place: from the end of the word before it to the start of the word after it.
    between_words: Optional[tuple[float, float]] = None

    def widened(self, start: float, end: float, is_trailing: bool = False) -> "Edge":
        return dataclasses.replace(
            self, start=min(self.start, start), end=max(self.end, end), is_trailing=self.is_trailing or is_trailing
        )


@dataclasses.dataclass(frozen=True)
class Segment:
    label: str
    start: float
    end: float

    @property
    def is_ayah(self) -> bool:
        return is_ayah(self.label)

    def is_as_long_as(self, other: "Segment") -> bool:
        """Whether both may be of one file."""
        return abs((self.end - self.start) - (other.end - other.start)) <= SAME_LENGTH


@dataclasses.dataclass(frozen=True)
class Truth:
    name: str
    audio: Path
    reciter: str
    is_prayer: bool
    seconds: float
    first: str
    last: str
    segments: tuple[Segment, ...]
    edges: dict[float, Edge]  # by published time
    unused_corrections: int
    # Where words are said again that were said before, by published word times.
    repeats: tuple[Edge, ...] = ()

    @property
    def ayat(self) -> list[Segment]:
        return [segment for segment in self.segments if segment.is_ayah]

    @property
    def edges_between_ayat(self) -> list[float]:
        """Where one part that is no ayah follows another, as a takbir follows silence."""
        pairs = zip(self.segments, self.segments[1:])
        return [one.end for one, other in pairs if not one.is_ayah and not other.is_ayah]

    @property
    def key(self) -> str:
        return reciter_key(self.reciter)

    @property
    def group(self) -> str:
        """What it is reported under: the reciter, and what was done to his recordings."""
        return self.key + (" in prayer" if self.is_prayer else " in a mosque" if "mosque" in self.name else "")


def is_ayah(label: str) -> bool:
    return re.fullmatch(r"\d+:\d+", label) is not None


def reciter_key(name: str) -> str:
    """The same for all spellings of a name that differ in letter case, spaces, signs and digits."""
    return "".join(character for character in name.casefold() if character.isalpha())


def read_folder(folder: Path, corrected: bool = True) -> list[Truth]:
    """Every NAME.json of a folder that names its audio.

    What was published is corrected by corrections.json, by the words beside the folder (../words/NAME.json), and by what is
    known of joins that other recordings have as well.
    """
    file = folder / "corrections.json"
    corrections = json.loads(file.read_text("utf-8")) if corrected and file.exists() else {}
    truths = []
    for path in sorted(folder.glob("*.json")):
        row = json.loads(path.read_text("utf-8"))
        if "audio" in row:
            said = folder.parent / "words" / path.name
            words = json.loads(said.read_text("utf-8"))["words"] if corrected and said.exists() else []
            truths.append(truth(path, row, corrections.get(path.stem, []), words))
    return with_known_joins(truths) if corrected else truths


def truth(path: Path, row: Json, corrections: list[Json], words: list[Word]) -> Truth:
    ayat = [label for label in row["ayat"] if is_ayah(label)]
    first, last = row.get("recited") or (ayat[0], ayat[-1])
    segments = tuple(Segment(part["label"], part["start"], part["end"]) for part in row["segments"])
    pauses = [(pause["pause_start"], pause["pause_end"]) for pause in row.get("boundary_pauses") or [] if pause]
    edges, unused = edges_of(segments, pauses, corrections, row["duration_seconds"])
    edges, repeats = with_words(edges, segments, words)
    return Truth(
        path.stem, path.parent / row["audio"], row.get("reciter") or path.stem, row.get("kind") == "taraweeh",
        row["duration_seconds"], first, last, segments, edges, unused, repeats,
    )  # fmt: skip


def with_words(
    edges: dict[float, Edge], segments: tuple[Segment, ...], words: list[Word]
) -> tuple[dict[float, Edge], tuple[Edge, ...]]:
    """The edges with the places that published word times give them, and where words are said again.

    Published times of ayat know of no repeats: of an ayah that is begun twice they have one beginning, and the other is
    among the repeats.
    """
    edges, repeats = dict(edges), []
    published = {segment.label: segment.start for segment in segments}
    begun: dict[str, Edge] = {}
    for before, word in zip(words, words[1:]):
        label = f"{word[0]}:{word[1]}"
        place = Edge(word[3], min(before[4], word[3]), word[3])
        if word[:3] <= before[:3]:
            repeats.append(place)
            if word[2] == 1 and label in begun:
                repeats.append(begun[label])
        elif word[2] == 1:
            begun[label] = place
            time = published.get(label)
            if time in edges:
                edges[time] = dataclasses.replace(edges[time], between_words=(place.start, place.end))
    return edges, tuple(repeats)


def with_known_joins(truths: list[Truth]) -> list[Truth]:
    """The recordings with the pauses that others have where the same files of two ayat are joined.

    A night of prayers and the surah that it was made of have the same joins, of which levels show less under reverberation.
    """
    known: dict[tuple[str, str, str], list[tuple[Segment, Segment, Edge]]] = {}
    for truth in truths:
        for one, other, edge in joins(truth):
            if edge.start < edge.end:
                known.setdefault((truth.key, one.label, other.label), []).append((one, other, edge))

    result = []
    for truth in truths:
        edges = dict(truth.edges)
        for one, other, edge in joins(truth):
            for there, after, pattern in known.get((truth.key, one.label, other.label), []):
                if edge.start == edge.end and one.is_as_long_as(there) and other.is_as_long_as(after):
                    shift = one.end - there.end
                    edges[one.end] = dataclasses.replace(edge, start=pattern.start + shift, end=pattern.end + shift)
                    break
        result.append(dataclasses.replace(truth, edges=edges))
    return result


def joins(truth: Truth) -> Iterator[tuple[Segment, Segment, Edge]]:
    """Where one ayah follows another."""
    for one, other in zip(truth.segments, truth.segments[1:]):
        if one.is_ayah and other.is_ayah and one.end == other.start and one.end in truth.edges:
            yield one, other, truth.edges[one.end]


def edges_of(
    segments: tuple[Segment, ...], pauses: list[tuple[float, float]], corrections: list[Json], seconds: float
) -> tuple[dict[float, Edge], int]:
    """The inner edges of ayat by their published times, corrected, and how many corrections belong to none.

    A correction of kind B moves an edge into the pause beside which it was published. The others widen its pause;
    at one of kind D silence was counted to the ayah.
    """
    edges: dict[float, Edge] = {}
    for segment in segments:
        for time in (segment.start, segment.end) if segment.is_ayah else ():
            if ENDS < time < seconds - ENDS:
                edges[time] = Edge(time, *pause_at(time, pauses))
    # In prayer silences are segments of their own.
    for silence in segments:
        for time in {silence.start, silence.end} & edges.keys() if silence.label == "silence" else ():
            edges[time] = edges[time].widened(silence.start, silence.end)
    waiting = {round(row["time"], 3): row for row in corrections}
    for time, edge in edges.items():
        row = waiting.pop(round(time, 3), None)
        if row and row["kind"] == "B":
            edges[time] = Edge((row["start"] + row["end"]) / 2, row["start"], row["end"])
        elif row:
            edges[time] = edge.widened(row["start"], row["end"], is_trailing=row["kind"] == "D")
    return edges, len(waiting)


def pause_at(time: float, pauses: list[tuple[float, float]]) -> tuple[float, float]:
    def distance(pause: tuple[float, float]) -> float:
        return max(pause[0] - time, time - pause[1], 0)

    nearest: Optional[tuple[float, float]] = min(pauses, key=distance, default=None)
    return nearest if nearest and distance(nearest) <= NEAR_PAUSE else (time, time)
