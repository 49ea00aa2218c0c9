# SPDX-License-Identifier: GPL-3.0-or-later
"""Recordings whose ayah boundaries are known, and what levels prove wrong in what was published of them."""
from __future__ import annotations

import dataclasses, json, re
from pathlib import Path
from typing import Any, Iterator, Optional

Json = dict[str, Any]

ENDS = 0.02  # seconds from either end of a recording within which there is no boundary
NEAR_PAUSE = 0.7  # seconds by which a published time may miss its pause


@dataclasses.dataclass(frozen=True)
class Edge:
    """Where an ayah begins or ends, and the pause that it lies in (start = end = time for none)."""

    time: float
    start: float
    end: float
    # The pause was counted to the ayah, so its other side is an edge as well that the truth does not have.
    is_trailing: bool = False

    def widened(self, start: float, end: float, is_trailing: bool = False) -> "Edge":
        return Edge(self.time, min(self.start, start), max(self.end, end), self.is_trailing or is_trailing)


@dataclasses.dataclass(frozen=True)
class Segment:
    label: str
    start: float
    end: float

    @property
    def is_ayah(self) -> bool:
        return is_ayah(self.label)


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

    @property
    def ayat(self) -> list[Segment]:
        return [segment for segment in self.segments if segment.is_ayah]

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


def read_folder(folder: Path, corrected: bool = True) -> Iterator[Truth]:
    """Every NAME.json of a folder that names its audio; corrections.json corrects them."""
    file = folder / "corrections.json"
    corrections = json.loads(file.read_text("utf-8")) if corrected and file.exists() else {}
    for path in sorted(folder.glob("*.json")):
        row = json.loads(path.read_text("utf-8"))
        if "audio" in row:
            yield truth(path, row, corrections.get(path.stem, []))


def truth(path: Path, row: Json, corrections: list[Json]) -> Truth:
    ayat = [label for label in row["ayat"] if is_ayah(label)]
    first, last = row.get("recited") or (ayat[0], ayat[-1])
    segments = tuple(Segment(part["label"], part["start"], part["end"]) for part in row["segments"])
    pauses = [(pause["pause_start"], pause["pause_end"]) for pause in row.get("boundary_pauses") or [] if pause]
    edges, unused = edges_of(segments, pauses, corrections, row["duration_seconds"])
    return Truth(
        path.stem, path.parent / row["audio"], row.get("reciter") or path.stem, row.get("kind") == "taraweeh",
        row["duration_seconds"], first, last, segments, edges, unused,
    )  # fmt: skip


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
