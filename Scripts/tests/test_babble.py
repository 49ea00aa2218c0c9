# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of Scripts/acoustic_model/babble.py; skipped where torch is missing."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

try:
    import numpy as np
    import torch

    from acoustic_model import babble
except ImportError:
    babble = None


@unittest.skipIf(babble is None, "torch is missing")
class Babble(unittest.TestCase):
    def setUp(self):
        self.random = np.random.default_rng(1)

    def even(self, frames, level):
        return torch.full((frames, 26), level, dtype=torch.uint8)

    def voice(self, frames, level):
        """A voice that speaks in every second frame."""
        levels = torch.zeros((frames, 26), dtype=torch.uint8)
        levels[::2] = level
        return levels

    def test_two_equal_powers_are_three_decibels_more(self):
        own = self.even(40, 100)
        mixed = babble.mixed(own, [self.even(30, 60)], 0, self.random)
        self.assertTrue((mixed == 106).all())

    def test_others_are_as_far_below_the_voice_as_they_were_told(self):
        own = self.voice(2000, 120)
        mixed = babble.mixed(own, [self.even(30, 80), self.even(50, 90)], 10, self.random)
        # Half decibels; where nobody speaks the others alone are heard.
        self.assertTrue((mixed[1::2] == 100).all())
        self.assertTrue((mixed[::2] == 121).all())

    def test_silence_below_full_scale_stays_within_a_byte(self):
        loudest = self.even(10, 255)
        self.assertTrue((babble.mixed(loudest, [loudest], 0, self.random) == 255).all())
        nothing = self.even(10, 0)
        self.assertTrue((babble.mixed(nothing, [loudest], 0, self.random) <= 6).all())

    def test_every_recording_gets_others_and_keeps_its_length_and_speed(self):
        recordings = [[(self.voice(100 + index, 100), 1.0)] for index in range(8)]
        for (levels, speed), versions in zip(babble.with_babble(recordings, self.random), recordings):
            self.assertEqual(levels.shape, versions[0][0].shape)
            self.assertEqual(speed, 1.0)
        self.assertEqual(babble.with_babble(recordings[:1], self.random)[0][0].tolist(), recordings[0][0][0].tolist())


if __name__ == "__main__":
    unittest.main()
