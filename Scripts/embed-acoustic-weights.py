#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Puts a file of acoustic weights into the program.

    Scripts/embed-acoustic-weights.py WEIGHTS [--output FILE]
    Scripts/embed-acoustic-weights.py --random SEED [--weights FILE] [--output FILE]

WEIGHTS is what the training script writes; its layout is in Sources/Acoustics/AcousticWeights.swift.
FILE is Sources/AcousticModel/AcousticModelTable.swift unless given. --random makes a small network that
has learnt nothing, which stands in until there is one that has; --weights keeps it as a file as well.
Needs nothing but Python.
"""

import argparse
import base64
import random
import struct
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OUTPUT = ROOT / "Sources/AcousticModel/AcousticModelTable.swift"
MAGIC = b"TILAWAAW"
FORMAT = 1
LINE = 100

HEADER = """\
// SPDX-License-Identifier: GPL-3.0-or-later
// Written by Scripts/embed-acoustic-weights.py; change that instead.

/// The weights of the acoustic network, a file as `AcousticWeights` reads it.
public enum AcousticModelTable {
  /// How many bytes it has.
  public static let byteCount = %d
  /// The bytes, zeros after the last up to a multiple of four, each four as five digits to base 85, as RFC 1924
  /// writes them, in lines.
  public static let text: StaticString = #\"\"\"
"""
FOOTER = '    """#\n}\n'


def random_network(seed):
    """26 bands in, 8 units, 39 sounds: version 0, which no trained network has."""
    source = random.Random(seed)
    layers = [(26, 8, 3, 1), (8, 39, 1, 1)]
    data = MAGIC + struct.pack("<III", FORMAT, 0, len(layers))
    for inputs, outputs, taps, dilation in layers:
        data += struct.pack("<IIII", inputs, outputs, taps, dilation)
        data += bytes(source.randrange(256) for _ in range(outputs * taps * inputs))
        data += struct.pack(f"<{outputs}f", *(0.0005 for _ in range(outputs)))
        data += struct.pack(f"<{outputs}f", *(source.uniform(-1, 1) for _ in range(outputs)))
    return data + struct.pack("<39f", *(source.uniform(-6, -3) for _ in range(39)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("weights", nargs="?", type=Path)
    parser.add_argument("--random", type=int, metavar="SEED")
    parser.add_argument("--weights", dest="kept", type=Path, metavar="FILE")
    parser.add_argument("--output", type=Path, default=OUTPUT)
    options = parser.parse_args()
    if (options.weights is None) == (options.random is None):
        parser.error("either WEIGHTS or --random")
    if options.random is None:
        data = options.weights.read_bytes()
    else:
        data = random_network(options.random)
        if options.kept:
            options.kept.write_bytes(data)
    if not data.startswith(MAGIC + struct.pack("<I", FORMAT)):
        parser.error(f"{options.weights} is not a file of acoustic weights of format {FORMAT}")
    digits = base64.b85encode(data, pad=True).decode("ascii")
    lines = [digits[start : start + LINE] for start in range(0, len(digits), LINE)]
    options.output.write_text(
        HEADER % len(data) + "".join(f"    {line}\n" for line in lines) + FOOTER
    )


if __name__ == "__main__":
    main()
