# SPDX-License-Identifier: GPL-3.0-or-later
"""How well boundaries and ayat were found.

found        A predicted time lies in the edge's pause or up to `PAUSE_SLACK` beside it, or within `TOLERANCE` of the edge; one each.
             Where word times are published too, the place that they give the edge is as good.
not false    A last boundary that cuts off silence up to the end, one on the other side of silence that was counted
             to an ayah, and one where words are said again. In prayer, what lies among takbirs and bowing and is no edge
             of an ayah in what was given, and edges of takbirs.
exact        An ayah that was given a segment both of whose edges are found: it needs no correction. Segments of one ayah that meet
             where its words are said again count as one.
reviews      Of 100 boundaries, how many a person looks at, the least sure first, until a target share is right: of all, or
             of those not looked at. A look makes a boundary right, and puts in what was missed between it and its neighbours.
sure         Of the boundaries with at least this confidence, the share that is right.
"""
from __future__ import annotations

import collections, dataclasses
from typing import Any, Iterable, NamedTuple, Optional

from .truth import ENDS, Edge, Segment, Truth

Json = dict[str, Any]

TOLERANCE = 0.25  # seconds
PAUSE_SLACK = 0.1
PRAYER_MARGIN = 1.0  # seconds around ayat within which a boundary counts in prayer
OPENING, CLOSING = 1.5, 2.5  # seconds by which the first and last ayah may be trimmed at the ends of a recording
END_OF_FILE = 0.3  # seconds
SURE = (0.9, 0.99)


class Guess(NamedTuple):
    """A boundary as it was given; they sort in the order in which a person looks at them."""

    confidence: float
    recording: str
    time: float


@dataclasses.dataclass
class Counts:
    """What was counted, of one recording or of many."""

    wanted: int = 0
    found: int = 0
    given: int = 0
    ayat: int = 0
    exact: int = 0
    has_labels: bool = False
    failed: int = 0
    recordings: int = 0
    guesses: dict[Guess, bool] = dataclasses.field(default_factory=dict)  # and whether it is right
    missed: collections.Counter[Guess] = dataclasses.field(default_factory=collections.Counter)  # by whose look mends it

    def __iadd__(self, other: "Counts") -> "Counts":
        for name in ("wanted", "found", "given", "ayat", "exact", "failed", "recordings"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.has_labels |= other.has_labels
        self.guesses |= other.guesses
        self.missed += other.missed
        return self

    @property
    def precision(self) -> float:
        return self.found / max(self.given, 1)

    @property
    def recall(self) -> float:
        return self.found / max(self.wanted, 1)

    @property
    def f1(self) -> float:
        return 2 * self.found / max(self.given + self.wanted, 1)

    @property
    def exact_share(self) -> Optional[float]:
        return self.exact / max(self.ayat, 1) if self.has_labels else None

    def reviews(self, target: float, of_all: bool) -> float:
        """Looks per 100 boundaries until `target` percent are right, of all or of those not looked at."""
        missed = sum(self.missed.values())
        everything = left = len(self.guesses) + missed
        wrong = missed + sum(not right for right in self.guesses.values())
        looks = 0
        for guess in sorted(self.guesses):
            if wrong <= (1 - target / 100) * (everything if of_all else left):
                break
            looks += 1
            wrong -= self.missed[guess] + (not self.guesses[guess])
            left -= self.missed[guess] + 1
        return 100 * looks / max(self.wanted, 1)

    def sure(self, confidence: float) -> Optional[float]:
        given, wrong, _ = self.expectation(confidence)
        return 1 - wrong / given if given else None

    def expectation(self, confidence: float) -> tuple[int, int, float]:
        """Of the boundaries with at least this confidence: how many there are, how many are wrong, and how many their
        confidences say are."""
        sure = [(guess, right) for guess, right in self.guesses.items() if guess.confidence >= confidence]
        return len(sure), sum(not right for _, right in sure), sum(1 - guess.confidence for guess, _ in sure)

    def figures(self) -> dict[str, Optional[float]]:
        return {
            "f1": self.f1,
            "exact": self.exact_share,
            "reviews_98": self.reviews(98, of_all=False),
            "reviews_99.5": self.reviews(99.5, of_all=False),
            "reviews_all_98": self.reviews(98, of_all=True),
            "reviews_all_99.5": self.reviews(99.5, of_all=True),
            **{f"sure_{level}": self.sure(level) for level in SURE},
        }


def fits(time: float, edge: Edge, tolerance: float = TOLERANCE) -> bool:
    places = [(edge.start, edge.end)] + ([edge.between_words] if edge.between_words else [])
    return abs(time - edge.time) <= tolerance or any(
        start - PAUSE_SLACK <= time <= end + PAUSE_SLACK for start, end in places
    )


def score(truth: Truth, report: Optional[Json]) -> Counts:
    """Counts of one recording; `report` is what `auto-detect` gave, nil where it failed."""
    counts = Counts(wanted=len(truth.edges), ayat=len(truth.ayat), recordings=1, failed=report is None)
    report = report or {"boundaries": [], "segments": [], "pauses": []}
    confidences = {row["time"]: row["confidence"] or 0 for row in report["boundaries"]}
    times = sorted(confidences)
    if truth.is_prayer:
        claimed = {time for segment in report["segments"] if is_of_ayah(segment) for time in (segment["start"], segment["end"])}
        times = [time for time in times if time in claimed or any(near(time, ayah) for ayah in truth.ayat)]

    edges = sorted(truth.edges.values(), key=lambda edge: edge.time)
    free, missed = list(times), []
    for edge in edges:
        fitting = [time for time in free if fits(time, edge)]
        if fitting:
            free.remove(min(fitting, key=lambda time: abs(time - edge.time)))
        else:
            missed.append(edge)
    for time in list(free):
        if is_harmless(time, times, truth, edges, report["pauses"]):
            free.remove(time)
            times.remove(time)

    counts.given, counts.found = len(times), len(edges) - len(missed)
    guesses = [Guess(confidences[time], truth.name, time) for time in times]
    counts.guesses = {guess: guess.time not in free for guess in guesses}
    for edge in missed:
        before = [guess for guess in guesses if guess.time <= edge.time]
        after = [guess for guess in guesses if guess.time > edge.time]
        neighbours = before[-1:] + after[:1]
        if neighbours:
            counts.missed[min(neighbours)] += 1
        else:  # whoever looks through the recording puts it in, and does so first
            counts.guesses[Guess(0, truth.name, edge.time)] = False
    counts.has_labels = any(segment["assignment"] for segment in report["segments"])
    counts.exact = sum(is_exact(ayah, truth, spans(report, ayah.label, truth)) for ayah in truth.ayat)
    return counts


def near(time: float, ayah: Segment) -> bool:
    return ayah.start - PRAYER_MARGIN <= time <= ayah.end + PRAYER_MARGIN


def is_harmless(time: float, times: list[float], truth: Truth, edges: list[Edge], pauses: list[Json]) -> bool:
    if any(edge.is_trailing and fits(time, edge, tolerance=0) for edge in edges) or is_repeat(time, truth):
        return True
    if truth.is_prayer:
        return any(abs(time - edge) <= TOLERANCE for edge in truth.edges_between_ayat)
    return time == times[-1] and any(
        pause["start"] <= time + TOLERANCE and pause["end"] >= truth.seconds - END_OF_FILE for pause in pauses
    )


def is_of_ayah(segment: Json) -> bool:
    return (segment["assignment"] or {}).get("kind") == "ayah"


def is_repeat(time: float, truth: Truth) -> bool:
    return any(fits(time, repeat) for repeat in truth.repeats)


def spans(report: Json, label: str, truth: Truth) -> list[tuple[float, float]]:
    """The segments that were given to an ayah, those that meet where its words are said again as one."""
    result: list[tuple[float, float]] = []
    for segment in filter(is_of_ayah, report["segments"]):
        if f"{segment['assignment']['surah']}:{segment['assignment']['ayah']}" == label:
            start, end = segment["start"], segment["end"]
            if result and result[-1][1] == start and is_repeat(start, truth):
                start = result.pop()[0]
            result.append((start, end))
    return result


def is_exact(ayah: Segment, truth: Truth, given: Iterable[tuple[float, float]]) -> bool:
    first = truth.edges.get(ayah.start, Edge(ayah.start, ayah.start, ayah.start))
    last = truth.edges.get(ayah.end, Edge(ayah.end, ayah.end, ayah.end))

    def begins(time: float) -> bool:
        return fits(time, first) or first.time <= ENDS and time < OPENING

    def ends(time: float) -> bool:
        return fits(time, last) or last.time >= truth.seconds - ENDS and time > truth.seconds - CLOSING

    return any(begins(start) and ends(end) for start, end in given)
