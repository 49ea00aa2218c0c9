#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures the player: the share of a processor, how long a key takes, and how long other programs wait for an answer.

    Scripts/measure-player.py [--program PROGRAM] [--seconds 20] [--ayah 6] [--card libVirtualCard.so]

Plays noise as ayat on no device, or on the tests' sound card, in a pseudo-terminal of 200x50 with a text, on a message bus of its own.
Prints the share of one core while an ayah is played, the time from a key to the end of its frame, and the time of
calls by MPRIS. Needs dbus-daemon, and python3-dbus for the last.
"""

import argparse
import fcntl
import os
import pty
import select
import signal
import statistics
import struct
import subprocess
import tempfile
import termios
import time
import wave
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COLUMNS, ROWS = 200, 50
RATE = 44100
AYAT = 20


class Player:
    def __init__(self, command, environment):
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.execvpe(command[0], command, environment)
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        os.kill(self.pid, signal.SIGWINCH)

    def read(self, seconds):
        """How many frames, each written at once, and bytes are written within so many seconds."""
        end, frames, size = time.monotonic() + seconds, 0, 0
        while (left := end - time.monotonic()) > 0:
            if select.select([self.terminal], [], [], left)[0]:
                size += len(os.read(self.terminal, 65536))
                frames += 1
        return frames, size

    def key(self, key):
        """Milliseconds from a key to the end of what is written next."""
        while select.select([self.terminal], [], [], 0)[0]:
            os.read(self.terminal, 65536)
        start, written = time.monotonic(), b""
        os.write(self.terminal, key)
        while time.monotonic() - start < 2:
            if select.select([self.terminal], [], [], 0.002)[0]:
                written += os.read(self.terminal, 65536)
            elif written:
                break
        return (time.monotonic() - start - 0.002) * 1000

    def ticks(self):
        fields = Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return int(fields[11]) + int(fields[12])


def library(program, folder, environment, length):
    """A library whose ayat are noise of so many seconds."""
    with wave.open(str(folder / "noise.wav"), "wb") as file:
        file.setparams((2, 2, RATE, 0, "NONE", ""))
        file.writeframes(os.urandom(4 * RATE * AYAT * length))
    labels = (f"{i * length}\t{(i + 1) * length}\t2:{i + 1}\n" for i in range(AYAT))
    (folder / "labels.txt").write_text("".join(labels))
    (folder / "text.txt").write_text("\n".join("كلمة " * 12 for _ in range(6236)))
    for arguments in (
        ["import", str(folder / "noise.wav"), "--title", "Noise", "--no-detect"],
        ["import-labels", "Noise", str(folder / "labels.txt"), "--confirm"],
        ["publish", "Noise"],
    ):
        subprocess.run([program, *arguments], env=environment, stdin=subprocess.DEVNULL, check=True,
                       capture_output=True)  # fmt: skip


def percentile(values, share):
    return sorted(values)[min(int(len(values) * share), len(values) - 1)]


def calls(address, count):
    """Milliseconds of calls that ask for the position, and for everything."""
    import dbus
    import dbus.bus

    bus = dbus.bus.BusConnection(address)
    while not (names := [name for name in bus.list_names() if "tilawa_annotate" in name]):
        time.sleep(0.05)
    player = dbus.Interface(bus.get_object(names[0], "/org/mpris/MediaPlayer2"), "org.freedesktop.DBus.Properties")
    interface = "org.mpris.MediaPlayer2.Player"
    asked = {"Position": lambda: player.Get(interface, "Position"), "everything": lambda: player.GetAll(interface)}
    times = {name: [] for name in asked}
    for _ in range(count):
        for name, ask in asked.items():
            start = time.monotonic()
            ask()
            times[name].append((time.monotonic() - start) * 1000)
    return times


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / ".build/release/tilawa-annotate"))
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--ayah", type=int, default=6, metavar="SECONDS", help="how long each ayah is")
    parser.add_argument("--card", help="the tests' sound card, which plays in real time: .build/debug/libVirtualCard.so")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tilawa-player-") as name:
        folder = Path(name)
        bus = subprocess.Popen(["dbus-daemon", "--session", "--nofork", "--print-address"], stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, text=True)  # fmt: skip
        address = bus.stdout.readline().strip()
        environment = {
            **os.environ, "TILAWA_HOME": str(folder / "home"), "LANG": "C.UTF-8", "TERM": "xterm-256color",
            "DBUS_SESSION_BUS_ADDRESS": address,
        }  # fmt: skip
        try:
            library(options.program, folder, environment, options.ayah)
            command = [options.program, "play", "2:1-20", "--repeat-range", "forever", "--text", str(folder / "text.txt")]
            if options.card:
                (folder / "asound.conf").write_text(
                    f'pcm_type.tilawa_card {{ lib "{Path(options.card).resolve()}" }}\n'
                    f'pcm.!default {{ type tilawa_card capture "{folder}/played" absence "{folder}/absent" ppm 0 }}\n')  # fmt: skip
                environment["ALSA_CONFIG_PATH"] = str(folder / "asound.conf")
            else:
                command += ["--device", "null"]
            player = Player(command, environment)
            player.read(3)
            before, start = player.ticks(), time.monotonic()
            frames, size = player.read(options.seconds)
            share = (player.ticks() - before) / os.sysconf("SC_CLK_TCK") / (time.monotonic() - start)
            print(f"playing at {COLUMNS}x{ROWS}: {100 * share:.1f} % of a core, {size / options.seconds / 1000:.1f} kB/s, "
                  f"{frames / options.seconds:.0f} frames/s")
            keys = [player.key(key) for key in [b"{", b"}"] * 100]
            print(f"key to frame: median {statistics.median(keys):.1f} ms, p99 {percentile(keys, 0.99):.1f} ms")
            try:
                for what, times in calls(address, 1000).items():
                    print(f"MPRIS, {what}: median {statistics.median(times):.2f} ms, p99 {percentile(times, 0.99):.2f} ms")
            except ImportError:
                print("MPRIS: skipped; python3-dbus is not installed")
            os.write(player.terminal, b"q")
            os.waitpid(player.pid, 0)
        finally:
            bus.terminate()


if __name__ == "__main__":
    main()
