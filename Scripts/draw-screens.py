#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws screens of the editor as PNG, through a terminal emulator.

    Scripts/draw-screens.py --program PROGRAM --output FOLDER [RECORDING...]

Opens each recording in terminals of 80x24, 120x36 and 200x50 cells, presses the keys of SCREENS, and writes a
picture of each screen to FOLDER. A folder stands for the recordings in it. Without any it makes three of its own,
with an annotation each: a short surah, a page of ayat and some rak'ahs of taraweeh. Needs pyte and Pillow (`pip install pyte Pillow`).
"""

import argparse
import array
import math
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
import wave
from pathlib import Path

try:
    import pyte  # noqa: F401 (pseudo_terminal needs it)
    from PIL import Image, ImageDraw, ImageFont
except ImportError as error:
    sys.exit(
        f"draw-screens: {error.name} is missing. Install both with:\n"
        "  python3 -m venv venv && venv/bin/pip install pyte Pillow\n"
        "and run again with PYTHON=venv/bin/python3 (make pictures PYTHON=...)."
    )

from pseudo_terminal import Terminal

SIZES = [(80, 24), (120, 36), (200, 50)]
# The name of each picture, and what is pressed for it after the one before.
SCREENS = [
    ("all", ["Z"]),
    ("page", ["j"] * 9 + ["+"]),
    ("segment", ["z"]),
    ("close", ["X"]),
    ("spectrogram", ["z", "p"]),
]

# --------------------------------------------------------------------------------------
# Recordings


def voice(out, seconds, rng, rate, level):
    """Syllables of a hummed voice, with the harmonics of one."""
    pitch = rng.uniform(105, 150)
    left = int(seconds * rate)
    phase = 0.0
    while left > 0:
        length = min(int(rng.uniform(0.12, 0.5) * rate), left)
        pitch = min(max(pitch * rng.uniform(0.92, 1.09), 95), 190)
        loud = level * rng.uniform(0.45, 1.0)
        colour = [rng.uniform(0.2, 1.0) / (1 + k * 0.35) for k in range(12)]
        period = [
            loud / 4 * sum(c * math.sin((k + 1) * math.tau * i / 256) for k, c in enumerate(colour))
            for i in range(256)
        ]
        for index in range(length):
            phase = (phase + 256 * pitch / rate) % 256
            edge = min(index, length - index) / (0.03 * rate)
            out.append(period[int(phase)] * min(edge, 1))
        left -= length


def quiet(out, seconds, rate):
    out.extend(0.0 for _ in range(int(seconds * rate)))


def recording(path, plan, seed):
    """Writes a recording and its labels: `plan` has (seconds of voice, label) and (None, seconds of quiet)."""
    rng = random.Random(seed)
    rate = 8000
    samples = []
    labels = []
    for seconds, label in plan:
        start = len(samples) / rate
        if seconds is None:
            quiet(samples, label, rate)
            continue
        left = seconds
        while left > 0:
            breath = min(left, rng.uniform(4, 9))
            voice(samples, breath, rng, rate, 0.5)
            left -= breath
            if left > 0:
                quiet(samples, rng.uniform(0.3, 0.6), rate)
        quiet(samples, rng.uniform(0.5, 1.1), rate)
        if label:
            labels.append((start, len(samples) / rate, label))
    noise = [rng.gauss(0, 0.004) for _ in range(rate)]
    data = array.array(
        "h",
        (
            int(max(-1, min(1, value + noise[index % rate])) * 32000)
            for index, value in enumerate(samples)
        ),
    )
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(data.tobytes())
    lines = [f"{start:.3f}\t{end:.3f}\t{label}" for start, end, label in labels]
    path.with_suffix(".txt").write_text("\n".join(lines) + "\n")


def make_recordings(folder):
    rng = random.Random(7)
    recording(
        folder / "surah 112.wav", [(2.5, "112:1"), (2.2, "112:2"), (3.0, "112:3"), (3.4, "112:4")], 1
    )
    recording(
        folder / "surah 55.wav", [(rng.uniform(2.5, 9), f"55:{ayah}") for ayah in range(1, 41)], 2
    )
    night = []
    ayah = 1
    for _ in range(6):
        for _ in range(7):
            night.append((rng.uniform(4, 14), f"2:{ayah}"))
            ayah += 1
        for _ in range(4):
            night += [(1.5, None), (None, rng.uniform(5, 12))]
    recording(folder / "night 12.wav", night, 3)
    return sorted(folder.glob("*.wav"))


# --------------------------------------------------------------------------------------
# The picture

XTERM = ["000000", "cd0000", "00cd00", "cdcd00", "0000ee", "cd00cd", "00cdcd", "e5e5e5"]
NAMES = ["black", "red", "green", "brown", "blue", "magenta", "cyan", "white"]
BRIGHT = ["7f7f7f", "ff0000", "00ff00", "ffff00", "5c5cff", "ff00ff", "00ffff", "ffffff"]
COLORS = dict(zip(NAMES, XTERM))
COLORS.update({f"bright{name}": value for name, value in zip(NAMES, BRIGHT)})
COLORS["brightbrown"] = "ffff00"
FOREGROUND, BACKGROUND = (208, 208, 208), (18, 18, 18)
FONTS = [
    "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf",
    "/usr/share/fonts/truetype/dejavu/DejaVuSansMono-Bold.ttf",
]
QUADRANTS = {
    0x2596: 0b0100, 0x2597: 0b1000, 0x2598: 0b0001, 0x2599: 0b1101, 0x259A: 0b1001,
    0x259B: 0b0111, 0x259C: 0b1011, 0x259D: 0b0010, 0x259E: 0b0110, 0x259F: 0b1110,
}  # fmt: skip
BRAILLE = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3)]


def color(name, default):
    if name == "default":
        return default
    name = COLORS.get(name, name)
    return tuple(int(name[index : index + 2], 16) for index in (0, 2, 4))


def blocks(scalar):
    """The rectangles of a block character, in shares of a cell; None for other characters."""
    if scalar == 0x2580:
        return [(0, 0, 1, 0.5)]
    if 0x2581 <= scalar <= 0x2588:
        return [(0, 1 - (scalar - 0x2580) / 8, 1, 1)]
    if 0x2589 <= scalar <= 0x258F:
        return [(0, 0, (0x2590 - scalar) / 8, 1)]
    if scalar == 0x2590:
        return [(0.5, 0, 1, 1)]
    if scalar in QUADRANTS:
        bits = QUADRANTS[scalar]
        return [
            (bit % 2 / 2, bit // 2 / 2, bit % 2 / 2 + 0.5, bit // 2 / 2 + 0.5)
            for bit in range(4)
            if bits >> bit & 1
        ]
    if 0x1FB00 <= scalar <= 0x1FB3B:
        bits = scalar - 0x1FB00 + 1
        bits += (bits >= 0b010101) + (bits + (bits >= 0b010101) >= 0b101010)
        return [
            (bit % 2 / 2, bit // 2 / 3, bit % 2 / 2 + 0.5, (bit // 2 + 1) / 3)
            for bit in range(6)
            if bits >> bit & 1
        ]
    if 0x2800 <= scalar <= 0x28FF:
        bits = scalar - 0x2800
        return [
            (x / 2 + 0.13, y / 4 + 0.06, x / 2 + 0.38, y / 4 + 0.19)
            for bit, (x, y) in enumerate(BRAILLE)
            if bits >> bit & 1
        ]
    return None


def picture(screen, height=18):
    fonts = [ImageFont.truetype(path, int(height * 0.8)) for path in FONTS]
    width = round(fonts[0].getlength("M"))
    image = Image.new("RGB", (screen.columns * width, screen.lines * height), BACKGROUND)
    draw = ImageDraw.Draw(image)
    for row in range(screen.lines):
        for column in range(screen.columns):
            cell = screen.buffer[row][column]
            front, behind = color(cell.fg, FOREGROUND), color(cell.bg, BACKGROUND)
            if cell.reverse:
                front, behind = behind, front
            left, top = column * width, row * height
            draw.rectangle((left, top, left + width - 1, top + height - 1), fill=behind)
            text = cell.data
            if not text or text == " ":
                if cell.underscore:
                    draw.line((left, top + height - 2, left + width - 1, top + height - 2), fill=front)
                continue
            parts = blocks(ord(text[0]))
            if parts is None:
                draw.text((left, top + 1), text, font=fonts[1 if cell.bold else 0], fill=front)
            for part in parts or []:
                x0, x1 = left + round(part[0] * width), left + round(part[2] * width)
                y0, y1 = top + round(part[1] * height), top + round(part[3] * height)
                if x1 > x0 and y1 > y0:
                    draw.rectangle((x0, y0, x1 - 1, y1 - 1), fill=front)
            if cell.underscore:
                draw.line((left, top + height - 2, left + width - 1, top + height - 2), fill=front)
    return image


def save(image, path):
    image.quantize(200).save(path, optimize=True)


# --------------------------------------------------------------------------------------


def main():
    parser = argparse.ArgumentParser(description="Draws screens of the editor as PNG.")
    parser.add_argument("--program", required=True)
    parser.add_argument("--output", required=True, type=Path)
    parser.add_argument("--option", action="append", default=[], help="an option for the editor")
    parser.add_argument("--colors", help="256, 16, 8 or none")
    parser.add_argument("--size", action="append", help="COLUMNSxROWS; default: 80x24, 120x36, 200x50")
    parser.add_argument("--screen", action="append", help="which of " + ", ".join(n for n, _ in SCREENS))
    parser.add_argument("--library", help="a library that has the recordings, with their annotations")
    parser.add_argument("recordings", nargs="*", type=Path)
    arguments = parser.parse_args()
    program = str(Path(arguments.program).resolve())
    arguments.output.mkdir(parents=True, exist_ok=True)
    sizes = [tuple(map(int, s.split("x"))) for s in arguments.size or []] or SIZES
    options = list(arguments.option)
    if arguments.colors:
        options += ["--colors", arguments.colors]
    with tempfile.TemporaryDirectory() as work:
        work = Path(work)
        (work / "asound.conf").write_text("pcm.!default { type null }\n")
        library = Path(arguments.library or work / "home")
        library.mkdir(exist_ok=True)
        environment = dict(os.environ)
        for name in ("NO_COLOR", "LC_ALL"):
            environment.pop(name, None)
        environment.update(
            LANG="C.UTF-8", TERM="xterm-256color", ALSA_CONFIG_PATH=str(work / "asound.conf"),
            TILAWA_HOME=str(library),
        )  # fmt: skip
        recordings = [
            file
            for path in arguments.recordings
            for file in (sorted(path.iterdir()) if path.is_dir() else [path])
        ]
        # With a library these are names of its recordings.
        missing = [] if arguments.library else [str(path) for path in recordings if not path.exists()]
        if missing:
            parser.error(f"no such file: {', '.join(missing)}")
        if not recordings:
            recordings = make_recordings(work)
            for path in recordings:
                for command in (
                    ["import", str(path)],
                    ["import-labels", path.stem, str(path.with_suffix(".txt"))],
                ):
                    subprocess.run(
                        [program, *command], check=True, env=environment, stdout=subprocess.DEVNULL,
                        stdin=subprocess.DEVNULL,
                    )  # fmt: skip
            recordings = [Path(path.stem) for path in recordings]
        for path in recordings:
            for columns, rows in sizes:
                # What is set in one picture is not to be seen in the next.
                with tempfile.TemporaryDirectory() as home:
                    environment["TILAWA_HOME"] = home
                    shutil.copytree(library, home, dirs_exist_ok=True)
                    terminal = Terminal(
                        [program, "edit", *options, str(path)], columns, rows, environment
                    )
                    terminal.settle(1.5)
                    terminal.press("\x1b")
                    for name, keys in SCREENS:
                        for key in keys:
                            terminal.press(key)
                        if arguments.screen and name not in arguments.screen:
                            continue
                        file = arguments.output / f"{path.stem}-{name}-{columns}x{rows}.png"
                        save(picture(terminal.screen), file)
                        print(file)
                    terminal.close()


if __name__ == "__main__":
    main()
