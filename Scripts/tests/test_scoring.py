# SPDX-License-Identifier: GPL-3.0-or-later
"""Hand-made cases for what `Scripts/measure-accuracy.py` counts: python3 -m unittest discover -s Scripts/tests"""
import importlib.util, sys, unittest
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SCRIPTS))

from scoring import boundaries, truth, words  # noqa: E402
from scoring.truth import Edge, Segment, Truth  # noqa: E402
from scoring.words import Claim, Spoken  # noqa: E402


def script(name):
    spec = importlib.util.spec_from_file_location(name.replace("-", "_"), SCRIPTS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def recording(*times, pauses=(), corrections=(), labels=None, is_prayer=False, said=(), reciter="A Reciter"):
    """Ayat 1:1, 1:2, ... between so many times; the last is the end."""
    labels = labels or [f"1:{number}" for number in range(1, len(times))]
    segments = tuple(map(Segment, labels, times, times[1:]))
    edges, unused = truth.edges_of(segments, list(pauses), list(corrections), times[-1])
    edges, repeats = truth.with_words(edges, segments, [list(word) for word in said])
    return Truth("r", Path("r.wav"), reciter, is_prayer, times[-1], "1:1", "1:9", segments, edges, unused, repeats)


def report(*times, end=30.0, confidences=None, pauses=(), first=1):
    """What `auto-detect` says: ayat from 1:`first` on between boundaries."""
    confidences = confidences or [0.5] * len(times)
    edges = [0.0, *times, end]
    return {
        "pauses": [{"start": start, "end": stop} for start, stop in pauses],
        "boundaries": [{"time": time, "confidence": sure} for time, sure in zip(times, confidences)],
        "segments": [
            {"start": start, "end": stop, "confidence": 0.9, "assignment": {"kind": "ayah", "surah": 1, "ayah": first + index}}
            for index, (start, stop) in enumerate(zip(edges, edges[1:]))
        ],
    }


class Edges(unittest.TestCase):
    def test_ends_of_the_recording_are_no_edges(self):
        self.assertEqual(sorted(recording(0, 10, 20, 30).edges), [10, 20])

    def test_an_edge_has_the_pause_that_is_near_it(self):
        edges = recording(0, 10, 20, 30, pauses=[(9.2, 9.4), (20.8, 21), (19.9, 20.1)]).edges
        self.assertEqual(edges[10], Edge(10, 9.2, 9.4))
        self.assertEqual(edges[20], Edge(20, 19.9, 20.1))
        self.assertEqual(recording(0, 10, 20, pauses=[(10.8, 11)]).edges[10], Edge(10, 10, 10))

    def test_corrections_widen_or_move(self):
        rows = [
            {"time": 10, "start": 9, "end": 10.5, "kind": "A"},
            {"time": 20.0004, "start": 20.4, "end": 20.8, "kind": "B"},
            {"time": 25, "start": 24, "end": 24.5, "kind": "A"},
        ]
        found = recording(0, 10, 20, 30, pauses=[(9.8, 10.1)], corrections=rows)
        self.assertEqual(found.edges[10], Edge(10, 9, 10.5))
        self.assertAlmostEqual(found.edges[20].time, 20.6)
        self.assertEqual((found.edges[20].start, found.edges[20].end), (20.4, 20.8))
        self.assertEqual(found.unused_corrections, 1)

    def test_silences_of_prayer_are_pauses(self):
        found = recording(0, 10, 14, 30, labels=["1:1", "silence", "1:2"])
        self.assertEqual(found.edges, {10: Edge(10, 10, 14), 14: Edge(14, 10, 14)})


class WordsAsTruth(unittest.TestCase):
    said = [(1, 1, 1, 0, 4), (1, 1, 2, 4, 11), (1, 2, 1, 12, 15), (1, 2, 2, 15, 19), (1, 3, 1, 20, 25)]

    def test_where_words_put_an_edge_is_as_good_as_where_it_was_published(self):
        found = recording(0, 10, 20, 30, said=self.said)
        for time, count in ((10.2, 1), (10.5, 0), (11.5, 1), (12.05, 1), (12.5, 0)):
            self.assertEqual(boundaries.score(found, report(time, 20)).found, count + 1, time)
        self.assertEqual(boundaries.score(found, report(10, 11.5, 20)).given, 3)
        self.assertEqual(found.repeats, ())

    def test_words_said_again_are_not_false(self):
        said = self.said[:4] + [(1, 2, 1, 19.5, 22), (1, 2, 2, 22, 24), (1, 3, 1, 25, 29)]
        found = recording(0, 11.5, 24.5, 30, said=said)
        self.assertEqual(found.repeats, (Edge(19.5, 19, 19.5), Edge(12, 11, 12)))
        again = report(11.5, 19.2, 24.5)
        for segment, ayah in zip(again["segments"], (1, 2, 2, 3)):
            segment["assignment"]["ayah"] = ayah
        counts = boundaries.score(found, again)
        self.assertEqual((counts.found, counts.given, counts.exact), (2, 2, 3))
        again["segments"][1]["assignment"]["ayah"] = 1
        self.assertEqual(boundaries.score(found, again).exact, 1)
        self.assertEqual(boundaries.score(found, report(11.5, 17, 24.5)).given, 3)

    def test_of_an_ayah_begun_twice_both_beginnings_count(self):
        said = self.said[:3] + [(1, 2, 1, 17, 19), (1, 2, 2, 19, 20), (1, 3, 1, 20.5, 25)]
        published_late = recording(0, 17, 20.2, 30, said=said)
        counts = boundaries.score(published_late, report(11.5, 16.9, 20.2))
        self.assertEqual((counts.found, counts.given), (2, 2))


class Joins(unittest.TestCase):
    def joined(self, *recordings):
        return [found.edges for found in truth.with_known_joins(list(recordings))]

    def test_the_same_files_have_the_same_pause_at_their_join(self):
        surah = recording(0, 10, 30, pauses=[(9.5, 9.8)])
        night = recording(5, 15.004, 35, labels=["1:1", "1:2"])
        of_surah, of_night = self.joined(surah, night)
        self.assertEqual(of_surah, surah.edges)
        edge = of_night[15.004]
        self.assertEqual((edge.time, round(edge.start, 3), round(edge.end, 3)), (15.004, 14.504, 14.804))

    def test_other_files_have_their_own(self):
        surah = recording(0, 10, 30, pauses=[(9.5, 9.8)])
        longer = recording(0, 10.1, 30)
        another = recording(0, 10, 30, reciter="Another")
        known = recording(0, 10, 30, pauses=[(10, 10.2)])
        self.assertEqual(self.joined(surah, longer, another, known)[1:], [longer.edges, another.edges, known.edges])


class Boundaries(unittest.TestCase):
    def test_all_right(self):
        counts = boundaries.score(recording(0, 10, 20, 30), report(10.2, 19.8))
        self.assertEqual((counts.found, counts.given, counts.wanted, counts.exact, counts.ayat), (2, 2, 2, 3, 3))
        self.assertEqual(counts.f1, 1)
        self.assertEqual(counts.reviews(99.5, of_all=True), 0)

    def test_a_pause_is_as_good_as_its_edge(self):
        counts = boundaries.score(recording(0, 10, 30, pauses=[(8.5, 10)]), report(8.45))
        self.assertEqual((counts.found, counts.exact), (1, 2))
        counts = boundaries.score(recording(0, 10, 30, pauses=[(8.5, 10)]), report(8.3))
        self.assertEqual((counts.found, counts.exact), (0, 0))

    def test_one_guess_finds_one_edge(self):
        counts = boundaries.score(recording(0, 10, 10.3, 30), report(10.15))
        self.assertEqual((counts.found, counts.given), (1, 1))

    def test_wrong_labels_are_not_exact(self):
        counts = boundaries.score(recording(0, 10, 20, 30), report(10, 20, first=2))
        self.assertEqual((counts.found, counts.exact), (2, 0))

    def test_silence_cut_off_at_the_end_is_not_false(self):
        last = report(10, 28, pauses=[(28.1, 29.9)])
        counts = boundaries.score(recording(0, 10, 30), last)
        self.assertEqual((counts.found, counts.given), (1, 1))
        self.assertEqual(boundaries.score(recording(0, 10, 30), report(10, 28)).given, 2)

    def test_the_other_side_of_silence_counted_to_an_ayah_is_not_false(self):
        rows = [{"time": 10, "start": 7, "end": 10, "kind": "D"}]
        counts = boundaries.score(recording(0, 10, 30, corrections=rows), report(7.1, 9.9))
        self.assertEqual((counts.found, counts.given), (1, 1))

    def test_bowing_is_not_counted_in_prayer(self):
        night = recording(0, 10, 14, 20, 40, labels=["1:1", "1:2", "takbir", "silence"], is_prayer=True)
        claimed = report(10, 14, 25, 30)
        self.assertEqual(boundaries.score(night, claimed).given, 4)
        for segment in claimed["segments"][2:]:
            segment["assignment"] = {"kind": "unused"}
        counts = boundaries.score(night, claimed)
        self.assertEqual((counts.found, counts.given), (2, 2))

    def test_edges_of_what_lies_between_ayat_are_not_false_in_prayer(self):
        night = recording(0, 10, 10.8, 20, 40, labels=["1:1", "silence", "takbir", "1:2"], is_prayer=True)
        self.assertEqual(boundaries.score(night, report(10, 10.9, 20)).given, 2)
        self.assertEqual(boundaries.score(night, report(9.2, 10, 20)).given, 3)

    def test_a_recording_that_failed_finds_nothing(self):
        counts = boundaries.score(recording(0, 10, 20, 30), None)
        self.assertEqual((counts.failed, counts.found, counts.wanted, counts.exact), (1, 0, 2, 0))
        self.assertEqual(counts.reviews(99.5, of_all=True), 100)

    def test_a_look_mends_its_boundary_and_what_was_missed_beside_it(self):
        # Wrong at 12 and missed at 10: one look at the less sure neighbour, which is the wrong one.
        counts = boundaries.score(recording(0, 10, 20, 30), report(12, 20, confidences=[0.2, 0.9]))
        self.assertEqual(counts.reviews(99.5, of_all=True), 50)
        # Sure of what is wrong: everything is looked at.
        counts = boundaries.score(recording(0, 10, 20, 30), report(12, 20, confidences=[0.9, 0.2]))
        self.assertEqual(counts.reviews(99.5, of_all=True), 100)
        self.assertEqual(counts.sure(0.9), 0)
        self.assertIsNone(counts.sure(0.99))
        given, wrong, expected = counts.expectation(0.2)
        self.assertEqual((given, wrong), (2, 1))
        self.assertAlmostEqual(expected, 0.9)

    def test_it_stops_where_the_target_is_reached(self):
        times = [float(10 * number) for number in range(12)]
        counts = boundaries.score(recording(*times), report(*[14.0, *times[2:-1]], end=110, confidences=[0.1] + [0.9] * 9))
        self.assertEqual((counts.wanted, counts.found), (10, 9))
        # Eleven with the missed one, of which two are wrong; after a look all are right.
        self.assertEqual(counts.reviews(81, of_all=True), 0)
        self.assertEqual(counts.reviews(82, of_all=True), 10)
        self.assertEqual(counts.reviews(100, of_all=False), 10)

    def test_counts_add_up(self):
        one, two = boundaries.score(recording(0, 10, 30), report(10)), boundaries.score(recording(0, 10, 30), report(15))
        two.guesses = {guess._replace(recording="other"): right for guess, right in two.guesses.items()}
        one += two
        self.assertEqual((one.found, one.given, one.wanted, one.recordings), (1, 2, 2, 2))
        self.assertEqual(one.f1, 0.5)


def spoken(*places, surah=2, start=0.0):
    """A word a second, each 0.8 s long."""
    return [Spoken((surah, place), start + index, start + index + 0.8) for index, place in enumerate(places)]


def claim(first, last, start, end, confidence=0.9, surah=2):
    return Claim(surah, first, last, start, end, confidence)


class WordFigures(unittest.TestCase):
    def test_granularity_does_not_matter(self):
        whole = words.score(spoken(*range(6)), [claim(0, 5, 0, 5.8)])
        halves = words.score(spoken(*range(6)), [claim(0, 2, 0, 2.9), claim(3, 5, 2.9, 5.8)])
        for counts in (whole, halves):
            self.assertEqual((counts.matched, counts.claimed, counts.spoken), (6, 6, 6))
        self.assertEqual((whole.clean, halves.clean), (1, 2))

    def test_a_claim_matches_each_word_once_and_in_order(self):
        self.assertEqual(words.matched(claim(0, 9, 0, 1), [(2, 0), (2, 1), (2, 0), (2, 1), (2, 2)]), [0, 1, 4])
        self.assertEqual(words.matched(claim(0, 9, 0, 1), [(2, 5), (2, 1), (2, 2), (3, 3), (2, 3)]), [1, 2, 4])
        self.assertEqual(words.matched(claim(3, 4, 0, 1), [(2, 1), (2, 2)]), [])

    def test_an_invented_repeat(self):
        # 0-9 and then 7-9 are claimed where 0-11 is said.
        counts = words.score(spoken(*range(12)), [claim(0, 9, 0, 9.9), claim(7, 9, 9.9, 11.8)])
        self.assertEqual((counts.matched, counts.claimed - counts.matched), (10, 3))
        self.assertEqual((counts.repeats, counts.repeats_given, counts.repeats_caught), (0, 1, 0))
        self.assertEqual(counts.figures()["repeats_f1"], 0)

    def test_a_repeat_is_caught_by_a_segment_that_goes_back(self):
        said = spoken(0, 1, 2, 1, 2, 3)
        caught = words.score(said, [claim(0, 2, 0, 2.9), claim(1, 3, 2.9, 5.8)])
        self.assertEqual((caught.repeats, caught.repeats_given, caught.repeats_caught, caught.clean), (1, 1, 1, 2))
        blind = words.score(said, [claim(0, 3, 0, 5.8)])
        self.assertEqual((blind.repeats_caught, blind.clean, blind.matched), (0, 0, 4))

    def test_another_surah_is_no_repeat(self):
        said = spoken(5, 6) + spoken(0, 1, surah=3, start=2)
        counts = words.score(said, [claim(5, 6, 0, 1.9), claim(0, 1, 1.9, 3.8, surah=3)])
        self.assertEqual((counts.repeats, counts.repeats_given, counts.matched), (0, 0, 4))
        self.assertIsNone(counts.figures()["repeats_f1"])

    def test_clean_edges(self):
        said = [Spoken((2, 0), 0, 1), Spoken((2, 1), 6, 7), Spoken((2, 2), 12, 13)]

        def clean(start, end):
            return words.score(said, [claim(1, 1, start, end)]).clean

        self.assertEqual(clean(4.1, 8.9), 1)  # 1.9 s of silence on either side
        self.assertEqual(clean(3.9, 8.9), 0)
        self.assertEqual(clean(4.1, 9.1), 0)
        self.assertEqual(clean(6.4, 7), 1)  # 0.4 s of the word cut off
        self.assertEqual(clean(6.45, 6.7), 0)  # a sliver around the middle
        near = [Spoken((2, 0), 0, 1), Spoken((2, 1), 1, 2), Spoken((2, 2), 2, 3)]
        self.assertEqual(words.score(near, [claim(1, 1, 0.6, 2.4)]).clean, 1)  # 0.4 s of the neighbours
        self.assertEqual(words.score(near, [claim(1, 1, 1.0, 2.6)]).clean, 0)

    def test_trusted_coverage(self):
        said = spoken(*range(10))
        right = [claim(place, place, place, place + 0.9, 0.8) for place in range(9)]
        self.assertEqual(words.score(said, right).figures()["trusted_coverage"], 1)
        wrong = claim(5, 9, 9, 9.9, 0.95)
        self.assertAlmostEqual(words.score(said, right + [wrong]).figures()["trusted_coverage"], (9 - 4) / 10)
        amber = claim(5, 9, 9, 9.9, 0.79)
        self.assertAlmostEqual(words.score(said, right + [amber]).figures()["trusted_coverage"], 0.9)

    def test_nothing_given_scores_nothing(self):
        counts = words.score(spoken(0, 1, 2), [])
        self.assertEqual(counts.figures()["words_f1"], 0)
        self.assertIsNone(counts.figures()["clean_segments"])

    def test_segments_are_cut_where_the_words_go_back(self):
        given = report(6.0, end=9.0)
        given["words"] = [
            {"surah": 1, "ayah": ayah, "word": word, "start": start, "end": start + 0.8}
            for ayah, word, start in [(1, 1, 0), (1, 2, 1), (1, 3, 2), (1, 2, 3), (1, 3, 4), (1, 4, 5), (2, 1, 6), (2, 3, 8)]
        ]
        found = words.claims(given, lambda surah, ayah: 4, lambda surah, ayah, word: 4 * (ayah - 1) + word - 1)
        self.assertEqual(
            [(one.first, one.last, one.start, one.end) for one in found], [(0, 2, 0, 3), (1, 3, 3, 6), (4, 6, 6, 9)]
        )
        del given["words"]
        found = words.claims(given, lambda surah, ayah: 4, lambda surah, ayah, word: 4 * (ayah - 1) + word - 1)
        self.assertEqual([(one.first, one.last) for one in found], [(0, 3), (4, 7)])

    def test_onsets_are_compared_without_their_constant_part(self):
        given = {"words": [{"surah": 2, "ayah": 1, "word": n + 1, "start": n + 0.1 + (0.05 if n == 2 else 0), "end": n + 0.9} for n in range(5)]}
        errors = words.onset_errors(spoken(*range(5)), given, lambda surah, ayah, word: word - 1)
        self.assertEqual([round(error, 3) for error in errors], [0, 0, 0.05, 0, 0])


class Baseline(unittest.TestCase):
    def setUp(self):
        self.worse = script("measure-accuracy").worse

    def test_rounding_is_not_worse(self):
        before = {"range": {"all": {"f1": 0.97, "reviews_98": 6.0, "failed": 0}}}
        self.assertEqual(self.worse(before, {"range": {"all": {"f1": 0.9696, "reviews_98": 6.04, "failed": 0}}}), [])
        self.assertEqual(self.worse(before, {"range": {"all": {"f1": 0.98, "reviews_98": 5.0, "failed": 0}}}), [])

    def test_every_figure_that_got_worse_is_named(self):
        before = {"range": {"all": {"f1": 0.97, "reviews_98": 6.0, "failed": 0}, "someone": {"f1": 0.9, "failed": 0}}}
        now = {"range": {"all": {"f1": 0.969, "reviews_98": 6.1, "failed": 1}}}
        complaints = self.worse(before, now)
        self.assertEqual(len(complaints), 5)
        self.assertTrue(any("someone" in text for text in complaints))


if __name__ == "__main__":
    unittest.main()
