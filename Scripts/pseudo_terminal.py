# SPDX-License-Identifier: GPL-3.0-or-later
"""A program in a pseudo-terminal, and what a terminal would show of it. Needs pyte."""

import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time

import pyte


class Terminal:
    def __init__(self, command, columns, rows, environment):
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.pid, self.descriptor = pty.fork()
        if self.pid == 0:
            os.execvpe(command[0], command, environment)
        fcntl.ioctl(self.descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        os.kill(self.pid, signal.SIGWINCH)

    def read(self, wait):
        """Takes in what comes within `wait` seconds; false when nothing did, or the program has ended."""
        ready, _, _ = select.select([self.descriptor], [], [], wait)
        if not ready:
            return False
        try:
            data = os.read(self.descriptor, 65536)
        except OSError:
            return False
        self.stream.feed(data)
        return bool(data)

    def receive(self, patience=0.5, quiet=0.03):
        """Takes in what comes until nothing has come for `quiet` seconds; when each piece came, before any was
        looked at."""
        pieces, times = [], []
        while select.select([self.descriptor], [], [], quiet if times else patience)[0]:
            pieces.append(os.read(self.descriptor, 65536))
            times.append(time.monotonic())
        self.stream.feed(b"".join(pieces))
        return times

    def arrival(self, text):
        """Takes in what comes until `text` is among it and nothing has come for a moment; when the last of it came,
        before any was looked at."""
        data = b""
        while text.encode() not in data or select.select([self.descriptor], [], [], 0.01)[0]:
            data += os.read(self.descriptor, 65536)
            arrived = time.monotonic()
        self.stream.feed(data)
        return arrived

    def settle(self, quiet=0.35, limit=20):
        """Reads until nothing has come for a while."""
        end = time.monotonic() + limit
        while time.monotonic() < end and self.read(quiet):
            pass

    def send(self, text):
        os.write(self.descriptor, text.encode())

    def press(self, key):
        self.send(key)
        self.settle()

    def close(self):
        try:
            os.write(self.descriptor, b"\x1bq")
        except OSError:
            pass
        os.kill(self.pid, signal.SIGTERM)
        os.waitpid(self.pid, 0)
        os.close(self.descriptor)
