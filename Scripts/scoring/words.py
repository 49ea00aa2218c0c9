# SPDX-License-Identifier: GPL-3.0-or-later
"""Words F1, Clean segments, Repeats F1 and Trusted coverage, as the public Quran alignment benchmark defines them.

By its specification, version 1 (github.com/QUD-Technologies/quran-alignment-benchmark, docs/SPEC.md; sections are named
below). Only Quran words are scored here: isti'adhah and basmalah outside al-Fatiha take no part, in the truth neither.

A word is (surah, its place in the surah from 0). A segment claims the words from one to another.
"""
from __future__ import annotations

import bisect, dataclasses, statistics
from typing import Any, Callable, Iterable, Optional

Json = dict[str, Any]
Word = tuple[int, int]

PAD = 2.0  # seconds of silence that a segment may hold on either side
EPSILON = 0.5  # seconds by which an edge may cut a word
GREEN = 0.8  # confidence from which on a segment is trusted
PENALTY = 4  # clean trusted segments that a wrong one costs
BARELY = 1e-9


@dataclasses.dataclass(frozen=True)
class Spoken:
    """A word that is said."""

    word: Word
    start: float
    end: float


@dataclasses.dataclass(frozen=True)
class Claim:
    """A segment that is said to hold the words first...last of a surah."""

    surah: int
    first: int
    last: int
    start: float
    end: float
    confidence: float

    @property
    def words(self) -> list[Word]:
        return [(self.surah, place) for place in range(self.first, self.last + 1)]


@dataclasses.dataclass
class Counts:
    """What was counted, of one recording or of many."""

    spoken: int = 0
    claimed: int = 0
    matched: int = 0
    segments: int = 0
    clean: int = 0
    repeats: int = 0
    repeats_given: int = 0
    repeats_caught: int = 0
    clean_green: int = 0
    wrong_green: int = 0

    def __iadd__(self, other: "Counts") -> "Counts":
        for field in dataclasses.fields(self):
            setattr(self, field.name, getattr(self, field.name) + getattr(other, field.name))
        return self

    def figures(self) -> dict[str, Optional[float]]:
        return {
            "words_f1": harmonic(self.matched, self.claimed, self.spoken),
            "clean_segments": self.clean / self.segments if self.segments else None,
            "repeats_f1": harmonic(self.repeats_caught, self.repeats_given, self.repeats),
            "trusted_coverage": max(0.0, (self.clean_green - PENALTY * self.wrong_green) / self.segments)
            if self.segments
            else None,
        }


def harmonic(right: int, given: int, wanted: int) -> Optional[float]:
    """The F1 of so many right ones; nil where there is nothing to find and nothing was given."""
    return 2 * right / (given + wanted) if given or wanted else None


def score(spoken: list[Spoken], claims: list[Claim]) -> Counts:
    """Both in order of time."""
    contents = attributed(spoken, claims)
    counts = Counts(spoken=len(spoken), segments=len(claims))
    holder: dict[int, int] = {}  # which segment matched an instance
    for number, (claim, content) in enumerate(zip(claims, contents)):
        matches = matched(claim, [spoken[index].word for index in content])
        instances = [content[place] for place in matches]
        holder.update((index, number) for index in instances)
        counts.claimed += len(claim.words)
        counts.matched += len(instances)
        clean = is_clean(claim, content, instances, spoken)
        counts.clean += clean
        if claim.confidence >= GREEN:
            counts.clean_green += clean
            counts.wrong_green += not clean
    restarts = {number for number in range(1, len(claims)) if goes_back(claims[number - 1], claims[number])}
    anchors = [
        index
        for index in range(1, len(spoken))
        if spoken[index].word[0] == spoken[index - 1].word[0] and spoken[index].word <= spoken[index - 1].word
    ]
    # A segment catches the first repeat in it only.
    caught = {holder[index] for index in anchors if index in holder} & restarts
    counts.repeats, counts.repeats_given, counts.repeats_caught = len(anchors), len(restarts), len(caught)
    return counts


def attributed(spoken: list[Spoken], claims: list[Claim]) -> list[list[int]]:
    """4.1: the instances whose middle lies in each segment, and in none before."""
    contents: list[list[int]] = [[] for _ in claims]
    for index, word in enumerate(spoken):
        middle = (word.start + word.end) / 2
        for number, claim in enumerate(claims):
            if claim.start <= middle <= claim.end:
                contents[number].append(index)
                break
    return contents


def matched(claim: Claim, content: list[Word]) -> list[int]:
    """4.2: places in `content` of the longest run of claimed words in rising order; of equally long ones the earliest."""
    places = [index for index, (surah, place) in enumerate(content) if surah == claim.surah and claim.first <= place <= claim.last]
    lengths: list[int] = []  # of the longest run that begins at each
    heads: list[int] = []  # for each length the greatest word, negated, that such a run begins with
    for index in reversed(places):
        length = bisect.bisect_left(heads, -content[index][1])
        heads[length : length + 1] = [-content[index][1]]
        lengths.insert(0, length + 1)
    chosen: list[int] = []
    for index, length in zip(places, lengths):
        if length == len(heads) - len(chosen) and (not chosen or content[index] > content[chosen[-1]]):
            chosen.append(index)
    return chosen


def is_clean(claim: Claim, content: list[int], instances: list[int], spoken: list[Spoken]) -> bool:
    """4.4: it holds the words that it claims and no others, and its edges lie beside them."""
    if not len(content) == len(claim.words) == len(instances):
        return False
    first, last = spoken[instances[0]], spoken[instances[-1]]
    inside = set(content)
    earlier = [index for index in range(instances[0]) if index not in inside]
    later = [index for index in range(instances[-1] + 1, len(spoken)) if index not in inside]
    least, most = first.start - PAD, last.end + PAD
    if earlier:
        least = max(least, spoken[earlier[-1]].end - EPSILON)
    if later:
        most = min(most, spoken[later[0]].start + EPSILON)
    return (
        least - BARELY <= claim.start <= first.start + EPSILON + BARELY
        and last.end - EPSILON - BARELY <= claim.end <= most + BARELY
        and claim.end - claim.start >= (last.end - first.start) / 2 - BARELY
    )


def goes_back(before: Claim, after: Claim) -> bool:
    """4.5: a repeat."""
    return before.surah == after.surah and after.first <= before.last


def spoken_words(rows: Iterable[list[Any]], place: Callable[[int, int, int], int]) -> list[Spoken]:
    """Of rows [surah, ayah, word from 1, start, end]; `place` answers a word's place in its surah."""
    return [Spoken((surah, place(surah, ayah, word)), start, end) for surah, ayah, word, start, end in rows]


def claims(report: Json, length: Callable[[int, int], int], place: Callable[[int, int, int], int]) -> list[Claim]:
    """The segments of a report that hold ayat, cut where the words that were heard go back.

    `length` answers how many words an ayah has. Without words in the report each segment claims its whole ayah.
    """
    result = []
    for segment in report["segments"]:
        assignment = segment["assignment"] or {}
        if assignment.get("kind") != "ayah":
            continue
        surah, ayah, confidence = assignment["surah"], assignment["ayah"], segment["confidence"] or 0
        heard = [
            (place(surah, ayah, word["word"]), word["start"])
            for word in report.get("words") or []
            if (word["surah"], word["ayah"]) == (surah, ayah)
            and segment["start"] <= (word["start"] + word["end"]) / 2 < segment["end"]
        ]
        if "words" not in report:
            heard = [(place(surah, ayah, word), segment["start"]) for word in range(1, length(surah, ayah) + 1)]
        backs = [index for index in range(1, len(heard)) if heard[index][0] <= heard[index - 1][0]]
        runs = [heard[one:other] for one, other in zip([0] + backs, backs + [len(heard)]) if one < other]
        starts = [segment["start"]] + [run[0][1] for run in runs[1:]]
        for run, start, end in zip(runs, starts, starts[1:] + [segment["end"]]):
            if start < end:
                result.append(Claim(surah, run[0][0], run[-1][0], start, end, confidence))
    return result


def onset_errors(spoken: list[Spoken], report: Json, place: Callable[[int, int, int], int]) -> list[float]:
    """Seconds from each word's onset to that of the same word heard nearest to it, without the constant part of a recording."""
    heard: dict[Word, list[float]] = {}
    for word in report.get("words") or []:
        heard.setdefault((word["surah"], place(word["surah"], word["ayah"], word["word"])), []).append(word["start"])
    errors = [
        min((start - word.start for start in heard[word.word]), key=abs) for word in spoken if word.word in heard
    ]
    constant = statistics.median(errors) if errors else 0
    return [abs(error - constant) for error in errors]
