#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the tables of the Quran module from a folder with the metadata tables (CSV).

    Scripts/make-quran-tables.py FOLDER [OUTPUT]

OUTPUT is Sources/Quran/Tables unless given. Numbers are packed as PackedTable reads them: each
takes a fixed count of characters, the most significant first, six bits in each, '0' standing for
zero. What the Swift code derives instead of storing (juz from rub, the page of a surah, ...) is
checked here.
"""

import csv
import sys
from pathlib import Path

METADATA_SOURCE = """\
// Surahs and division starts: Tanzil Quran Metadata (https://tanzil.net/docs/quran_metadata),
// copyright Tanzil Project, CC BY 3.0, cross-checked with the Android Quran app and quran-meta."""
NAME_SOURCE = """\
// Arabic names, and where two are given the second: Tanzil Quran Metadata
// (https://tanzil.net/docs/quran_metadata), copyright Tanzil Project, CC BY 3.0.
// Where two are given the first: quran.com."""
LENGTH_SOURCE = """\
// Counted from Tanzil's text (https://tanzil.net, copyright Tanzil Project, CC BY 3.0) in Hafs
// counting. The text itself is not part of this project."""


def pack(number, width):
    assert 0 <= number < 64**width, number
    return "".join(chr(48 + (number >> 6 * place & 63)) for place in reversed(range(width)))


def rows(folder, name):
    with open(folder / name, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def literal(packed, line_length=90):
    """A raw multi-line string literal whose lines join to `packed`."""
    lines = [packed[i : i + line_length] for i in range(0, len(packed), line_length)]
    return '#"""\n' + "\\#\n".join("      " + line for line in lines) + '\n      """#'


def table(doc, name, width, numbers):
    body = literal("".join(pack(number, width) for number in numbers))
    return (
        f"  /// {doc}\n  static var {name}: PackedTable {{\n"
        f"    PackedTable(\n      width: {width},\n      {body})\n  }}\n"
    )


def write(path, source, doc, name, members):
    path.write_text(
        "// SPDX-License-Identifier: GPL-3.0-or-later\n"
        "// Written by Scripts/make-quran-tables.py; change that instead.\n"
        f"{source}\n\n/// {doc}\nenum {name} {{\n" + "\n".join(members) + "}\n",
        encoding="utf-8",
    )


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    folder = Path(sys.argv[1])
    output = Path(sys.argv[2]) if len(sys.argv) == 3 else (
        Path(__file__).parent.parent / "Sources/Quran/Tables")

    surahs = rows(folder, "surahs.csv")
    starts = [int(surah["first_ayah_abs"]) for surah in surahs] + [6237]
    assert len(surahs) == 114
    assert all(
        starts[i] + int(surah["ayahs"]) == starts[i + 1] for i, surah in enumerate(surahs))

    def division(name, count):
        found = rows(folder, name)
        assert len(found) == count
        absolute = [starts[int(row["surah"]) - 1] + int(row["ayah"]) - 1 for row in found]
        assert absolute == sorted(set(absolute))
        assert all(int(row.get("abs", number)) == number for row, number in zip(found, absolute))
        return absolute

    rubs = division("rub240.csv", 240)
    pages = division("pages604.csv", 604)
    rukus = division("rukus_tanzil.csv", 556)
    manzils = division("manzil7.csv", 7)
    sajdahs = division("sajdah15.csv", 15)
    rulings = [row["type_tanzil"] == "obligatory" for row in rows(folder, "sajdah15.csv")]
    assert division("juz30.csv", 30) == rubs[::8]
    assert division("hizb60.csv", 60) == rubs[::4]
    for surah, first, last in zip(surahs, starts, starts[1:]):
        assert sum(first <= ruku < last for ruku in rukus) == int(surah["rukus"])
        assert sum(page <= first for page in pages) == int(surah["start_page"])
        assert first in rukus

    counts = rows(folder, "ayah_counts_by_riwayah.csv")
    hafs = [int(row["Hafs"]) for row in counts]
    assert hafs == [int(surah["ayahs"]) for surah in surahs]
    for one, other in ("Hafs", "Shuba"), ("Qalun", "Warsh"), ("Douri", "Sousi"), ("Bazzi", "Qunbul"):
        assert all(row[one] == row[other] for row in counts)

    def difference(riwayah):
        return [int(row[riwayah]) - count + 32 for row, count in zip(counts, hafs)]

    end = "and last 6237, the end."
    write(
        output / "StructureTables.swift", METADATA_SOURCE,
        "Where the parts of the Quran start, in absolute ayat from 1.", "StructureTables",
        [
            table(f"The first ayah of each surah, {end}", "surahs", 3, starts),
            table(f"The first ayah of each rub, {end}", "rubs", 3, rubs + [6237]),
            table(f"The first ayah of each page, {end}", "pages", 3, pages + [6237]),
            table(f"The first ayah of each manzil, {end}", "manzils", 3, manzils + [6237]),
            table(f"The first ayah of each ruku, {end}", "rukus", 3, rukus + [6237]),
            table(
                "The ayat of prostration, doubled, plus 1 where it is obligatory.", "sajdahs", 3,
                [2 * ayah + ruling for ayah, ruling in zip(sajdahs, rulings)]),
            table(
                "The place of each surah in the order of revelation, doubled, plus 1 if Medinan.",
                "revelation", 2,
                [
                    2 * int(surah["revelation_order"]) + (surah["place"] == "Medinan")
                    for surah in surahs
                ]),
            table(
                "Ayat of each surah as Qalun and Warsh count, less those of Hafs, plus 32.",
                "nafiDifferences", 1, difference("Qalun")),
            table(
                "Ayat of each surah as Douri and Sousi count, less those of Hafs, plus 32.",
                "abuAmrDifferences", 1, difference("Douri")),
            table(
                "Ayat of each surah as Bazzi and Qunbul count, less those of Hafs, plus 32.",
                "ibnKathirDifferences", 1, difference("Bazzi")),
        ])

    columns = (
        "name_ar", "translit_qurancom", "translit_tanzil", "english_qurancom", "english_tanzil")
    assert not any("|" in surah[column] for surah in surahs for column in columns)
    names = "\n".join(
        "    " + "|".join(surah[column] for column in columns) for surah in surahs)
    write(
        output / "SurahNameTable.swift", NAME_SOURCE,
        "The names of the surahs.", "SurahNameTable",
        [
            "  /// A line for each surah: Arabic, two transliterations, two English names.\n"
            '  static let text: StaticString = #"""\n' + names + '\n    """#\n'
        ])

    ayat = rows(folder, "ayah_stats.csv")
    assert [int(ayah["abs"]) for ayah in ayat] == list(range(1, 6237))
    write(
        output / "AyahLengthTable.swift", LENGTH_SOURCE,
        "How long each ayah is.", "AyahLengthTable",
        [
            table(
                "For each ayah: words (8 bits), letters (10), phonetic units (12), waqf marks (6), "
                "madd signs (6).",
                "lengths", 7,
                [
                    int(ayah["words"]) << 34 | int(ayah["letters"]) << 24
                    | int(ayah["phonetic_units"]) << 12 | int(ayah["waqf_marks"]) << 6
                    | int(ayah["madd_signs"])
                    for ayah in ayat
                ])
        ])


if __name__ == "__main__":
    main()
