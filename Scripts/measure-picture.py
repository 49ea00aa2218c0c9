#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures the picture in the editor, as a person sees it.

Runs the program in a terminal of 80x24 that reads the frame's number from the cells on its screen, with a sound
card that plays in real time and says what it has played. Prints how late each frame was, how long the first one
takes after a seek, the share of a processor, how long a key takes meanwhile, and the memory.

  Scripts/measure-picture.py [--binary .build/release/tilawa-annotate] [--card .build/debug/libVirtualCard.so]

It needs ffmpeg, which makes a video of 1280x720 at 25 frames a second, its keyframes 2 s apart.
"""

import argparse
import functools
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import tempfile
import termios
import time

print = functools.partial(print, flush=True)
COLUMNS, ROWS = 80, 24
BARS = 12
RATE = 25
SOUND_RATE = 48000
SEQUENCE = re.compile(rb"\x1b(?:\[([0-9;?<$]*)([A-Za-z@~])|[_P\]][^\x1b\x07]*(?:\x1b\\|\x07)|[()].|.)")


class Terminal:
    """As much of a terminal as the program's frames need, with the brightness of each cell."""

    def __init__(self, command, environment):
        self.process, self.file = pty.fork()
        if self.process == 0:
            os.execvpe(command[0], command, environment)
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self.lights = [[None] * COLUMNS for _ in range(ROWS)]
        self.text = [[" "] * COLUMNS for _ in range(ROWS)]
        self.row = self.column = 0
        self.upper = self.lower = None
        self.rest = b""
        self.bytes = 0

    def press(self, keys):
        os.write(self.file, keys)

    def read(self, seconds):
        """Takes in what comes within a time; whether anything came."""
        if not select.select([self.file], [], [], seconds)[0]:
            return False
        try:
            data = os.read(self.file, 1 << 16)
        except OSError:
            return False
        self.bytes += len(data)
        self.take(self.rest + data)
        return True

    def take(self, data):
        place = 0
        while place < len(data):
            byte = data[place]
            if byte == 0x1B:
                match = SEQUENCE.match(data, place)
                if not match:
                    break
                if match.group(2):
                    self.control(match.group(1), match.group(2))
                place = match.end()
            elif byte == 0x0A:
                self.row = min(self.row + 1, ROWS - 1)
                place += 1
            elif byte == 0x0D:
                self.column = 0
                place += 1
            elif byte == 0x08:
                self.column = max(self.column - 1, 0)
                place += 1
            else:
                length = 1 if byte < 0x80 else 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
                if place + length > len(data):
                    break
                self.put(data[place:place + length].decode("utf-8", "replace"))
                place += length
        self.rest = data[place:]

    def put(self, character):
        if self.column < COLUMNS:
            self.lights[self.row][self.column] = self.upper if character == "\u2580" else self.lower
            self.text[self.row][self.column] = character
        self.column += 1

    def control(self, parameters, letter):
        numbers = [int(part) if part.isdigit() else 0 for part in parameters.split(b";")]
        first = numbers[0] or 1
        if letter == b"H":
            self.row, self.column = first - 1, (numbers[1] or 1) - 1 if len(numbers) > 1 else 0
        elif letter == b"A":
            self.row -= first
        elif letter == b"B":
            self.row += first
        elif letter == b"C":
            self.column += first
        elif letter == b"D":
            self.column -= first
        elif letter == b"K":
            for column in range(self.column, COLUMNS):
                self.lights[self.row][column], self.text[self.row][column] = None, " "
        elif letter == b"J":
            for row in range(ROWS):
                self.lights[row], self.text[row] = [None] * COLUMNS, [" "] * COLUMNS
        elif letter == b"n" and numbers == [5]:
            self.press(b"\x1b[0n")
        elif letter == b"m":
            self.style(numbers)

    def style(self, numbers):
        while numbers:
            number = numbers.pop(0)
            if number == 0:
                self.upper = self.lower = None
            elif number == 39:
                self.upper = None
            elif number == 49:
                self.lower = None
            elif number in (38, 48):
                light = None
                if numbers.pop(0) == 2:
                    light = sum(numbers[:3]) // 3
                    del numbers[:3]
                else:
                    numbers.pop(0)
                if number == 38:
                    self.upper = light
                else:
                    self.lower = light

    def number(self):
        """What the bars show, in the row that has most of the picture; None where it is being drawn."""
        rows = [[light for light in row if light is not None] for row in self.lights]
        best = max(rows, key=len)
        if len(best) < 2 * BARS:
            return None
        value = 0
        for bar in range(BARS):
            light = best[(2 * bar + 1) * len(best) // (2 * BARS)]
            if 90 < light < 165:
                return None
            value = 2 * value + (light > 127)
        return value

    def wait(self, isSo, seconds=30):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if isSo():
                return True
            self.read(0.05)
        raise SystemExit(f"it never came; the picture is {self.number()}:\n" + "\n".join("".join(row) for row in self.text))

    def shows(self, text):
        return any(text in "".join(row) for row in self.text)

    def processor(self):
        """Seconds that the program has used."""
        with open(f"/proc/{self.process}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self):
        with open(f"/proc/{self.process}/smaps_rollup") as file:
            lines = dict(line.split(":", 1) for line in file if ":" in line and "-" not in line[:12])
        return int(lines["Pss"].split()[0]) / 1024


def share(values, percent):
    values = sorted(values)
    return values[min(len(values) - 1, len(values) * percent // 100)]


def make_video(path, seconds):
    boxes = ",".join(
        f"drawbox=x={bar * 1280 // BARS}:y=0:w={(bar + 1) * 1280 // BARS - bar * 1280 // BARS}:h=720"
        f":c=0xdddddd:t=fill:enable='mod(floor(n/{1 << (BARS - 1 - bar)}),2)'"
        for bar in range(BARS))
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i",
         f"color=c=0x222222:s=1280x720:r={RATE}:d={seconds},{boxes},noise=alls=4:allf=t",
         "-f", "lavfi", "-i", f"sine=f=300:r={SOUND_RATE}:d={seconds}",
         "-c:v", "libx264", "-preset", "ultrafast", "-g", str(2 * RATE), "-bf", "2", "-pix_fmt", "yuv420p",
         "-c:a", "pcm_s16le", path], check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=".build/release/tilawa-annotate")
    parser.add_argument("--card", default=".build/debug/libVirtualCard.so")
    parser.add_argument("--video", help="keep the video here, and take it from here where it is")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--seeks", type=int, default=60)
    parser.add_argument("--size", choices=["small", "large"], default="large")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        video, played = folder + "/video.mov", folder + "/played"
        kept = options.video or video
        if not os.path.exists(kept):
            make_video(kept, options.seconds + 30)
        if kept != video:
            os.symlink(os.path.abspath(kept), video)
        with open(folder + "/asound.conf", "w") as file:
            file.write(f'pcm_type.tilawa_card {{ lib "{os.path.abspath(options.card)}" }}\n'
                       f'pcm.!default {{ type tilawa_card capture "{played}" absence "{folder}/absent" }}\n')
        environment = dict(
            os.environ, TILAWA_HOME=folder + "/home", TERM="xterm-256color", COLORTERM="truecolor",
            LANG="C.UTF-8", LC_ALL="C.UTF-8", ALSA_CONFIG_PATH=folder + "/asound.conf")
        subprocess.run([options.binary, "import", "--no-detect", video], env=environment, check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        terminal = Terminal([options.binary, "video"], environment)
        measure(terminal, options, played)
        terminal.press(b"q")
        end = time.monotonic() + 10
        while time.monotonic() < end and terminal.read(0.2):
            pass
        os.waitpid(terminal.process, 0)


def measure(terminal, options, played):
    def position():
        size = os.path.getsize(played) if os.path.exists(played) else 0
        # The card keeps floats of one channel.
        return size / 4 / SOUND_RATE - begun

    begun = 0
    terminal.wait(lambda: terminal.shows("unassigned"))
    time.sleep(2)
    while terminal.read(0.2):
        pass

    # The sound alone.
    terminal.press(b"5")
    terminal.wait(lambda: position() > 1)
    before, start = terminal.processor(), time.monotonic()
    while time.monotonic() < start + 10:
        terminal.read(0.05)
    print(f"sound alone: {100 * (terminal.processor() - before) / 10:.0f} % of a core, "
          f"{terminal.memory():.0f} MiB")
    sound_memory = terminal.memory()
    terminal.press(b" ")
    terminal.wait(lambda: terminal.shows("paused"))
    terminal.press(b"g")
    terminal.press(b"H" * 10)
    terminal.press(b"P" if options.size == "small" else b"PP")
    terminal.wait(lambda: terminal.number() == 0)

    # Seeks, paused.
    seeks = []
    seconds = 0
    for step in range(options.seeks):
        forward = seconds + 5 <= options.seconds and (step * 7919 % 3 != 0 or seconds < 5)
        seconds += 5 if forward else -5
        start = time.monotonic()
        terminal.press(b"L" if forward else b"H")
        terminal.wait(lambda: terminal.number() == seconds * RATE)
        seeks.append(1000 * (time.monotonic() - start))
    print(f"first frame after a seek: median {share(seeks, 50):.0f} ms, p95 {share(seeks, 95):.0f} ms, "
          f"worst {max(seeks):.0f} ms of {len(seeks)}")
    terminal.press(b"H" * (seconds // 5))
    terminal.wait(lambda: terminal.number() == 0)

    # In step, while keys are pressed.
    begun = os.path.getsize(played) / 4 / SOUND_RATE
    lates, keys, last, shown = [], [], 0, 0
    before, start, written = terminal.processor(), time.monotonic(), terminal.bytes
    terminal.press(b"5")
    pressed, next_key, names = None, start + 3, [(b"\x1b[21~", "F10"), (b"\x1b[23~", "F11")]
    silence = None
    while time.monotonic() < start + options.seconds:
        now = time.monotonic()
        if pressed is None and now > next_key:
            sequence, name = names[len(keys) % 2]
            terminal.press(sequence)
            pressed = now
        terminal.read(0.002)
        now = time.monotonic()
        if pressed and terminal.shows(names[len(keys) % 2][1] + " does nothing"):
            keys.append(1000 * (now - pressed))
            pressed, next_key = None, now + 0.11
        number = terminal.number()
        if number is not None and number != last:
            heard = position()
            if silence is None:
                # What the card played before the first frame of the sound.
                silence = 0
            lates.append(1000 * (heard - number / RATE))
            shown += 1
            last = number
    spent = time.monotonic() - start
    print(f"frames behind what the card has played: p5 {share(lates, 5):.1f} ms, median "
          f"{share(lates, 50):.1f} ms, p95 {share(lates, 95):.1f} ms, worst {max(lates):.1f} ms; "
          f"{shown} of {last} frames seen")
    print(f"key to screen: median {share(keys, 50):.1f} ms, p99 {share(keys, 99):.1f} ms of {len(keys)}")
    print(f"processor: {100 * (terminal.processor() - before) / spent:.0f} % of a core; "
          f"{(terminal.bytes - written) / spent / 1000:.0f} kB/s written")
    print(f"memory: {terminal.memory():.0f} MiB, {terminal.memory() - sound_memory:.0f} MiB above the sound")


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    main()
