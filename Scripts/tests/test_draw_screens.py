# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of Scripts/draw-screens.py; skipped where pyte or Pillow are missing."""

import importlib.util
import sys
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parent.parent / "draw-screens.py"
# For the modules beside it.
sys.path.insert(0, str(SCRIPT.parent))


def load():
    specification = importlib.util.spec_from_file_location("draw_screens", SCRIPT)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


try:
    screens = load()
except SystemExit as error:
    screens = None
    REASON = str(error)


@unittest.skipIf(screens is None, "pyte or Pillow is missing")
class Blocks(unittest.TestCase):
    def test_block_characters_are_rectangles(self):
        self.assertEqual(screens.blocks(ord("█")), [(0, 0, 1, 1)])
        self.assertEqual(screens.blocks(ord("▄")), [(0, 0.5, 1, 1)])
        self.assertEqual(screens.blocks(ord("▌")), [(0, 0, 0.5, 1)])
        self.assertEqual(len(screens.blocks(ord("▟"))), 3)
        self.assertIsNone(screens.blocks(ord("a")))

    def test_sextants_leave_out_the_halves_that_are_older(self):
        def sixths(scalar):
            return {(round(x * 2), round(y * 3)) for x, y, _, _ in screens.blocks(scalar)}

        self.assertEqual(sixths(0x1FB00), {(0, 0)})
        self.assertEqual(sixths(0x1FB14), {(1, 0), (0, 1), (0, 2)})
        self.assertEqual(len(sixths(0x1FB3B)), 5)
        self.assertEqual(len({frozenset(sixths(s)) for s in range(0x1FB00, 0x1FB3C)}), 60)

    def test_a_screen_becomes_a_picture(self):
        import pyte

        screen = pyte.Screen(4, 2)
        pyte.Stream(screen).feed("\x1b[31m█\x1b[0m a")
        image = screens.picture(screen, height=10)
        self.assertEqual(image.height, 20)
        self.assertEqual(image.getpixel((0, 0)), (0xCD, 0, 0))
        self.assertEqual(image.getpixel((image.width - 1, 19)), screens.BACKGROUND)


if __name__ == "__main__":
    unittest.main()
