#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the phones of every ayah, as recited in Hafs an Asim and Warsh an Nafi, for the Quran module.

    Scripts/make-quran-sounds.py [--cache FILE] [--json FILE] [OUTPUT]
    Scripts/make-quran-sounds.py --table --json FILE

OUTPUT is Sources/Quran/Tables/PhoneTable.swift unless given. The phones come from the package
quranic-phonemizer (needs exactly the version below: pip install quranic-phonemizer==3.0.5), which
works offline; recitation of the whole text takes some twenty minutes, and --cache keeps what it gave.
--json writes the phones of Hafs for programs that train on them (Documentation/sounds.md); with --table
they are read from the Swift table that is there, in a second and without the package.

Each word is recited four ways: begun after a stop or joined to the word before, and stopped at or
joined to the word after. The script checks that beginning changes only the first phones of a word
and stopping only its last ones, so the table holds the word as begun and joined on, and names two
edits. What the Swift code derives instead of storing (long vowels before a stop, word counts) is
checked here as well.

Words are those of Hafs in Warsh too. Where Warsh writes two of them as one, or one as two, or leaves
one out, see SPLIT and ABSENT.
"""

import argparse
import collections
import importlib.metadata
import json
import pickle
import re
import sys
from pathlib import Path

PACKAGE = "quranic-phonemizer"
VERSION = "3.0.5"
WORDS = 77433
RIWAYAT = ["hafs", "warsh"]

# Two words of Hafs that Warsh writes as one, and how many of its phones the first one has.
SPLIT = {(15, 7, 1): 3, (27, 20, 4): 2, (36, 22, 1): 4, (40, 26, 13): 2}
# Words of Hafs that are none of the ayat of Warsh: the basmalah of al-Fatiha, which is said before it all
# the same, and "huwa" in 57:24. They keep the sounds of Hafs; an alignment may leave sounds out.
ABSENT = {(1, 1, 1), (1, 1, 2), (1, 1, 3), (1, 1, 4), (57, 24, 10)}

# The phones: name in Swift, symbol (that of the package), in the order of their codes.
PHONES = [
    ("hamzah", "ʔ"), ("ba", "b"), ("ta", "t"), ("tha", "θ"), ("jim", "ʒ"), ("hah", "ħ"),
    ("kha", "x"), ("dal", "d"), ("dhal", "ð"), ("ra", "r"), ("zay", "z"), ("sin", "s"),
    ("shin", "ʃ"), ("sad", "sˤ"), ("dad", "dˤ"), ("tah", "tˤ"), ("zah", "ðˤ"), ("ayn", "ʕ"),
    ("ghayn", "ɣ"), ("fa", "f"), ("qaf", "q"), ("kaf", "k"), ("lam", "l"), ("mim", "m"),
    ("nun", "n"), ("heh", "h"), ("waw", "w"), ("ya", "j"), ("hiddenNun", "ŋ"),
    ("qalqalah", "Q"), ("fathah", "a"), ("heavyFathah", "aˤ"), ("kasrah", "i"),
    ("dammah", "u"), ("longA", "a:"), ("heavyLongA", "aˤ:"), ("longI", "i:"), ("longU", "u:"),
]  # fmt: skip
CODE = {symbol: code for code, (_, symbol) in enumerate(PHONES)}
# In Warsh, fathah inclined towards kasrah (taqlil) and an eased hamzah (tashil), which have no phones of their
# own: the network has not heard them.
NEAREST = {"ɛ": "a", "ɛ:": "a:", "ʔ̞": "ʔ"}
VOWELS = {"a", "aˤ", "i", "u"}
LONG_VOWELS = {"a:", "aˤ:", "i:", "u:"}

# The lengths: name in Swift, counts (harakat). Where ways of reciting differ, the counts are the
# usual ones of Hafs by way of ash-Shatibiyyah.
LENGTHS = [
    ("single", 1), ("doubled", 2), ("nasalised", 2), ("natural", 2), ("munfasil", 4),
    ("muttasil", 4), ("lazim", 6), ("arid", 4), ("leen", 2),
]  # fmt: skip
LENGTH = {name: code for code, (name, _) in enumerate(LENGTHS)}
COUNTS = dict(LENGTHS)

# What is said around the ayat, by hand in the notation of the package: words, apart by spaces, of
# phones, apart by dots. "(x)" is said only when the word is not joined to the one before, "[x]" only
# when it is joined to the one after, "[x>y]" is y when stopped at. Several wordings have several rows.
FORMULAS = [
    ("istiadhah", "ʔ.a.ʕ.u:.ð[.u] b.i.ll.a:.h[.i] m.i.n[.a] (ʔ.a.)ʃʃ.a.j.tˤ.aˤ:.n[.i] "
     "(ʔ.a.)rˤrˤ.aˤ.ʒ.i:.m[.i]"),
    ("istiadhah", "ʔ.a.ʕ.u:.ð[.u] b.i.ll.a:.h[.i] (ʔ.a.)ss.a.m.i:.ʕ[.i] (ʔ.a.)l.ʕ.a.l.i:.m[.i] m.i.n[.a] "
     "(ʔ.a.)ʃʃ.a.j.tˤ.aˤ:.n[.i] (ʔ.a.)rˤrˤ.aˤ.ʒ.i:.m[.i]"),
    ("takbir", "(ʔ.a.)lˤlˤ.aˤ:.h[.u] ʔ.a.k.b.a.rˤ[.u]"),
    ("tasmee", "s.a.m.i.ʕ[.a] (ʔ.a.)lˤlˤ.aˤ:.h[.u] l.i.m.a.n ħ.a.m.i.d.a.h[.u:]"),
    ("tahmeed", "rˤ.aˤ.bb.a.n.a: w.a.l.a.k[.a] (ʔ.a.)l.ħ.a.m.d[.u>.Q]"),
    ("tahmeed", "rˤ.aˤ.bb.a.n.a: l.a.k[.a] (ʔ.a.)l.ħ.a.m.d[.u>.Q]"),
    ("tahmeed", "(ʔ.a.)lˤlˤ.aˤ:.h.u.m̃[.a] rˤ.aˤ.bb.a.n.a: l.a.k[.a] (ʔ.a.)l.ħ.a.m.d[.u>.Q]"),
    ("tahmeed", "(ʔ.a.)lˤlˤ.aˤ:.h.u.m̃[.a] rˤ.aˤ.bb.a.n.a: w.a.l.a.k[.a] (ʔ.a.)l.ħ.a.m.d[.u>.Q]"),
    ("ameen", "ʔ.a:.m.i:.n"),
    ("salam", "(ʔ.a.)ss.a.l.a:.m[.u] ʕ.a.l.a.j.k.u.m w.a.rˤ.aˤ.ħ.m.a[.t.u>.h] (ʔ.a.)lˤlˤ.aˤ:.h[.i]"),
    ("salam", "(ʔ.a.)ss.a.l.a:.m[.u] ʕ.a.l.a.j.k.u.m"),
    ("salam", "(ʔ.a.)ss.a.l.a:.m[.u] ʕ.a.l.a.j.k.u.m w.a.rˤ.aˤ.ħ.m.a[.t.u>.h] (ʔ.a.)lˤlˤ.aˤ:.h[.i] "
     "w.a.b.a.rˤ.aˤ.k.a:.t.u.h[.u:]"),
]  # fmt: skip

# Codes after those of the phones.
MARKS = ["doubled", "nasalised", "munfasil", "muttasil", "lazim", "begin", "stop", "drop", "sakt",
         "word"]  # fmt: skip
MARK = {name: len(PHONES) + place for place, name in enumerate(MARKS)}
# The characters of the table: printable ASCII without what a Swift literal or its indent may touch.
ALPHABET = "".join(chr(c) for c in range(33, 127) if chr(c) not in '"#\\')
RADIX = len(ALPHABET)


class Recited:
    """What the package says of each surah of a riwayah, recited four ways."""

    def __init__(self, riwayah):
        import quranic_phonemizer.session.core as core
        from quranic_phonemizer import Phonemizer

        if importlib.metadata.version(PACKAGE) != VERSION:
            sys.exit(f"needs {PACKAGE}=={VERSION}")
        self.riwayah = riwayah
        self.phonemizer = Phonemizer(riwayah=riwayah)
        self.corpus = self.phonemizer._recitation.corpus
        # Of each word by its place in Hafs.
        self.places = {
            (word.surah, word.ayah, word.word): word
            for surah in range(1, 115)
            for word in self.corpus.locations(str(surah))
        }
        # A request names one range; the basmalah between two surahs needs words of several.
        self.requested = None
        core.resolve_words = lambda corpus, ledger, reference: self.requested

    def recite(self, locations, stops):
        """Per word: tokens with their rules, and what follows it ("join", "stop" or "sakt")."""
        self.requested = tuple(locations)
        # Stops are named by the numbers of the riwayah.
        names = [self.corpus.public_ref(stop) for stop in stops]
        result = self.phonemizer.analyse("", stop_refs=names)
        rules = {rule.id: rule.rule_id.value for rule in result.rule_occurrences}
        sounds = {
            sound.id: (sound.token, tuple(rules[rule] for rule in sound.rule_occurrence_ids))
            for sound in result.sounds
        }
        after = {boundary.id: boundary.state.value for boundary in result.boundaries}
        return [
            ([sounds[sound] for sound in word.sound_ids], after[word.after_boundary_id])
            for word in result.words
        ]

    def surah(self, number):
        """Per word its place in Hafs, its forms (joined, begun, stopped, begun and stopped) and sakt."""
        body = [word for place, word in self.places.items() if place[0] == number]

        def at(*places):
            return tuple(self.places[place] for place in places)

        # Surahs are joined by the basmalah, except al-Anfal and at-Tawbah. Its words are taken from
        # other places, for a word must not come twice in a request.
        if self.riwayah == "hafs":
            before, opening = at((1, 1, 3), (1, 1, 4)), at((1, 1, 1), (1, 1, 2))
        else:
            before, opening = at((1, 3, 1), (1, 3, 2)), at((11, 41, 4), (11, 41, 5))
        after = at((11, 41, 4), (11, 41, 5))
        if number == 8:
            after = at((9, 1, 1), (9, 1, 2))
        elif number == 9:
            before = at((8, 75, 20), (8, 75, 21), (8, 75, 22))
        elif number == 11:
            after = at((27, 30, 5), (27, 30, 6))
        elif number == 1:
            before = ()
        elif number == 114:
            after = opening
        words = (*before, *body, *after)
        joined, stopped, even, odd = (
            self.recite(words, stops)
            for stops in ((), words, words[::2], words[1::2])
        )  # fmt: skip
        said = []
        for index, place in enumerate(body, len(before)):
            stop, begin = (even, odd) if index % 2 == 0 else (odd, even)
            forms = [form[index][0] for form in (joined, begin, stop, stopped)]
            key = place.surah, place.ayah, place.word
            said.append((key, (forms, joined[index][1] == "sakt")))
        return said


def whole_quran(cache):
    """The words of each ayah of each surah, by riwayah."""
    if cache and cache.exists():
        return pickle.loads(cache.read_bytes())
    quran = {}
    for riwayah in RIWAYAT:
        recited = Recited(riwayah)
        surahs = quran[riwayah] = []
        for number in range(1, 115):
            surahs.append(recited.surah(number))
            print(f"{riwayah}, surah {number}", file=sys.stderr)
    if cache:
        cache.write_bytes(pickle.dumps(quran))
    return quran


def by_words_of_hafs(warsh, hafs):
    """The words of Warsh, one for each of Hafs; both in phones."""
    result = []
    for number, surah in enumerate(hafs, 1):
        # 10:15, 26:10 and 33:32 are not drawn out by the package, and are by the rule.
        said = {
            place: ([*forms[:2], *map(drawn_before_stop, forms[2:])], sakt)
            for place, (forms, sakt) in warsh[number - 1]
        }
        ayat = []
        for ayah, words in enumerate(surah, 1):
            row = []
            for word, usual in enumerate(words, 1):
                place = number, ayah, word
                if place in ABSENT:
                    row.append(usual)
                elif place in SPLIT:
                    forms, sakt = said.pop(place)
                    row += split(forms, SPLIT[place], sakt)
                elif len(row) < word:
                    forms, sakt = said.pop(place)
                    # All of it may be in its neighbours ("an", by naql and idgham); a word has a sound.
                    row.append((forms, sakt) if forms[0] else usual)
            ayat.append(row)
        assert not said, said
        result.append(ayat)
    return result


def split(forms, count, sakt):
    """Two words of which the first has so many phones where they are joined; they always are."""
    joined, begun, stopped, _ = forms
    first, last = joined[:count], joined[count:]
    begins = begun[: len(begun) - len(last)]
    return [
        ([first, begins, first, begins], False),
        ([last, last, stopped[count:], stopped[count:]], sakt),
    ]


def phone(token, rules=()):
    """The merged phone of a token, as (symbol, length)."""
    nasal = {"m̃": "m", "ñ": "n", "w̃": "w", "j̃": "j", "ŋ": "ŋ"}
    token = NEAREST.get(token, token)
    if token in nasal:
        return nasal[token], "nasalised"
    if token in LONG_VOWELS:
        for length in ("lazim", "muttasil", "munfasil"):
            if f"madd_{length}" in rules:
                return token, length
        return token, "arid" if "madd_arid_lissukun" in rules else "natural"
    if token == "a" and "tafkheem" in rules:
        return "aˤ", "single"
    if "madd_lazim" in rules:  # the ayn of opening letters
        return token, "lazim"
    length = "single"
    half = len(token) // 2
    if len(token) % 2 == 0 and token[:half] == token[half:]:
        token, length = token[:half], "doubled"
    elif "madd_leen_mahmuz" in rules:  # in Warsh, before a hamzah in the word
        length = "muttasil"
    elif "madd_leen" in rules:
        length = "leen"
    if token in ("rˤ", "lˤ"):
        token = token[0]
    assert token in CODE, token
    return token, length


def formula(text):
    """Words in the four forms, of one row of FORMULAS."""
    words = []
    for word in text.split(" "):
        forms = []
        for begun, stopped in ((False, False), (True, False), (False, True), (True, True)):
            form = re.sub(r"\((.*)\)", r"\1" if begun else "", word)
            form = re.sub(r"\[([^>]*)>?(.*)\]", r"\2" if stopped else r"\1", form)
            phones = [phone(token) for token in form.split(".")]
            forms.append(drawn_before_stop(phones) if stopped else phones)
        words.append((forms, False))
    return words


def drawn_before_stop(phones):
    """A word stopped at, with the lengths that its last vowel has there."""
    phones = list(phones)
    if not phones:
        return phones
    if phones[-1][0] in LONG_VOWELS and phones[-1][1] == "munfasil":
        phones[-1] = (phones[-1][0], "natural")
    released = len(phones) - (2 if phones[-1][0] == "Q" else 1)
    if released >= 1 and phones[released][0] not in VOWELS | LONG_VOWELS:
        symbol, length = phones[released - 1]
        if symbol in LONG_VOWELS and length == "natural":
            phones[released - 1] = (symbol, "arid")
        elif symbol in ("w", "j") and length == "single" and released >= 2:
            if phones[released - 2][0] in ("a", "aˤ"):
                phones[released - 1] = (symbol, "leen")
    return phones


def common(left, right):
    count = 0
    while count < min(len(left), len(right)) and left[count] == right[count]:
        count += 1
    return count


def edits(forms):
    """(phones put first, phones dropped first), (dropped last, put last) of a word's joined form
    to begin it and to stop at it. Lengths before a stop are left to drawn_before_stop."""
    joined, begun, stopped, both = forms
    same = common(joined[::-1], begun[::-1])
    begin = begun[: len(begun) - same], len(joined) - same
    undrawn = {"arid": "natural", "leen": "single"}
    plain = [(symbol, undrawn.get(length, length)) for symbol, length in stopped]
    stop = None
    for kept in range(len(joined), -1, -1):
        for last in range(len(plain) + 1):
            edit = len(joined) - kept, plain[len(plain) - last :]
            if stop is None or edit[0] + last < stop[0] + len(stop[1]):
                if apply(joined, ([], 0), edit, True) == stopped:
                    stop = edit
    assert apply(joined, begin, (0, [])) == begun, forms
    # 10:15 "i'ti", begun and stopped at, is not drawn out by the package, and is by the rule.
    alone = apply(joined, begin, stop, True)
    assert [symbol for symbol, _ in alone] == [symbol for symbol, _ in both], forms
    return begin, stop


def apply(joined, begin, stop, stopped=False):
    phones = begin[0] + joined[begin[1] :]
    phones = phones[: len(phones) - stop[0]] + stop[1]
    return drawn_before_stop(phones) if stopped else phones


def encode(phones):
    codes = []
    for symbol, length in phones:
        codes.append(CODE[symbol])
        usual = "natural" if symbol in LONG_VOWELS else "nasalised" if symbol == "ŋ" else "single"
        if length != usual:
            codes.append(MARK[length])
    return codes


def encode_word(forms, sakt):
    begin, stop = edits(forms)
    codes = []
    if begin != ([], 0):
        codes += encode(begin[0]) + [MARK["drop"]] * begin[1] + [MARK["begin"]]
    codes += encode(forms[0])
    if stop != (0, []):
        codes += [MARK["stop"]] + [MARK["drop"]] * stop[0] + encode(stop[1])
    return codes + [MARK["sakt"]] * sakt + [MARK["word"]]


def merged(quran):
    """The forms of all words in phones, by riwayah, surah and ayah."""
    surahs = {
        riwayah: [
            [(place, ([[phone(*sound) for sound in form] for form in forms], sakt))
             for place, (forms, sakt) in words]
            for words in quran[riwayah]
        ]
        for riwayah in RIWAYAT
    }  # fmt: skip
    hafs = []
    for words in surahs["hafs"]:
        ayat = collections.defaultdict(list)
        for (_, ayah, _), word in words:
            ayat[ayah].append(word)
        hafs.append([ayat[ayah] for ayah in sorted(ayat)])
    return {"hafs": hafs, "warsh": by_words_of_hafs(surahs["warsh"], hafs)}


def json_words(words):
    """Words begun, joined to each other and stopped at, and by word how they sound otherwise."""

    def written(phones):
        return [[symbol, COUNTS[length], length] for symbol, length in phones]

    usual = []
    others = {"joined": {}, "begun": {}, "stopped": {}, "alone": {}}
    for index, (forms, _) in enumerate(words):
        joined, begun, stopped, alone = forms
        first, last = index == 0, index == len(words) - 1
        said = alone if first and last else begun if first else stopped if last else joined
        usual.append(written(said))
        for name, form in zip(others, forms):
            if form != (said if name == "joined" else joined):
                others[name][str(index)] = written(form)
    row = {"words": usual} | {name: forms for name, forms in others.items() if forms}
    sakt = [index for index, (_, sakt) in enumerate(words) if sakt]
    return row | ({"sakt": sakt} if sakt else {})


def write_json(path, surahs):
    ayat = {
        f"{number}:{ayah}": json_words(words)
        for number, surah in enumerate(surahs, 1)
        if surah
        for ayah, words in enumerate(surah, 1)
    }
    formulas = [{"name": name} | json_words(formula(text)) for name, text in FORMULAS]
    document = {
        "source": f"{PACKAGE} {VERSION}",
        "phones": [symbol for _, symbol in PHONES],
        "lengths": COUNTS,
        "ayat": ayat,
        "formulas": formulas,
    }
    path.write_text(json.dumps(document, ensure_ascii=False, separators=(",", ":")))


def pair_codes(codes, first, count):
    """Replaces the commonest pair of codes by a new one, `count` times."""
    pairs = []
    for new in range(first, first + count):
        (pair, _) = collections.Counter(zip(codes, codes[1:])).most_common(1)[0]
        pairs.append(pair)
        paired, index = [], 0
        while index < len(codes):
            if tuple(codes[index : index + 2]) == pair:
                paired.append(new)
                index += 2
            else:
                paired.append(codes[index])
                index += 1
        codes = paired
    return codes, pairs


class WordNumbers:
    """Writes numbers of words, the commonest first, in one, two or three characters; the first says
    how many there are. The last character of the alphabet ends an ayah."""

    def __init__(self, counts):
        self.three = 1
        while True:
            best = None
            for one in range(RADIX - 1 - self.three):
                two = RADIX - 1 - self.three - one
                if one + two * RADIX + self.three * RADIX**2 >= len(counts):
                    size = sum(counts[:one])
                    size += 2 * sum(counts[one : one + two * RADIX])
                    size += 3 * sum(counts[one + two * RADIX :])
                    if best is None or size < best[0]:
                        best = size, one, two
            if best:
                break
            self.three += 1
        _, self.one, self.two = best

    def __call__(self, number):
        if number < self.one:
            return ALPHABET[number]
        number -= self.one
        if number < self.two * RADIX:
            return ALPHABET[self.one + number // RADIX] + ALPHABET[number % RADIX]
        number -= self.two * RADIX
        first = self.one + self.two + number // RADIX**2
        return ALPHABET[first] + ALPHABET[number // RADIX % RADIX] + ALPHABET[number % RADIX]


def checksum(texts):
    """FNV-1a, 64 bits, over the four forms of each word of each ayah or wording."""
    value = 0xCBF29CE484222325
    lengths = {name: code for code, (name, _) in enumerate(LENGTHS)}
    for words in texts:
        for forms, sakt in words:
            joined = forms[0]
            begin, stop = edits(forms)
            for form in (
                joined,
                apply(joined, begin, (0, [])),
                apply(joined, ([], 0), stop, True),
                apply(joined, begin, stop, True),
            ):
                for symbol, length in form:
                    for byte in (CODE[symbol], lengths[length]):
                        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
                value = (value ^ 0xFF) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
            value = (value ^ sakt) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
        value = (value ^ 0xFE) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value


def literal(text, line_length=92):
    """A raw multi-line string literal whose lines join to `text`."""
    lines = [text[i : i + line_length] for i in range(0, len(text), line_length)]
    return '#"""\n' + "\\#\n".join("    " + line for line in lines) + '\n    """#'


def write_swift(path, quran):
    ayat, warsh = ([words for surah in quran[riwayah] for words in surah] for riwayah in RIWAYAT)
    wordings = [formula(text) for _, text in FORMULAS]
    texts = ayat + wordings + warsh
    assert sum(map(len, ayat)) == sum(map(len, warsh)) == WORDS
    assert list(map(len, ayat)) == list(map(len, warsh))
    coded = [[tuple(encode_word(*word)) for word in words] for words in texts]
    counts = collections.Counter(word for words in coded for word in words)
    ranked = sorted(counts, key=lambda word: (-counts[word], word))
    number = {word: index for index, word in enumerate(ranked)}
    first_pair = len(PHONES) + len(MARKS)
    codes, pairs = pair_codes(
        [code for word in ranked for code in word], first_pair, RADIX - first_pair
    )
    words = "".join(ALPHABET[code] for code in codes)
    write_number = WordNumbers([counts[word] for word in ranked])

    def numbers(rows):
        return "".join(
            "".join(write_number(number[word]) for word in row) + ALPHABET[-1] for row in rows
        )

    names = []
    for name, _ in FORMULAS:
        if name not in names:
            names.append(name)
    formulas = "\n".join(
        f"    case .{name}:\n      "
        + literal_line(numbers(coded[len(ayat) + i] for i, (n, _) in enumerate(FORMULAS) if n == name))
        for name in names
    )
    path.write_text(
        "// SPDX-License-Identifier: GPL-3.0-or-later\n"
        "// Written by Scripts/make-quran-sounds.py; change that instead.\n"
        f"// Phones by {PACKAGE} {VERSION} (https://pypi.org/project/{PACKAGE}), copyright 2025 QUD, MIT\n"
        "// License. The text itself is not part of this project.\n\n"
        "/// What is said in each ayah, as ``WordTable`` reads it.\n"
        "enum PhoneTable {\n"
        "  /// Pairs of codes, for the codes after those of phones and marks.\n"
        f"  static let pairs: StaticString = {literal(''.join(ALPHABET[c] for pair in pairs for c in pair))}\n\n"
        f"  /// How many word numbers take one character, and how many first characters begin two.\n"
        f"  static let oneCharacterNumbers = {write_number.one}\n"
        f"  static let twoCharacterLeads = {write_number.two}\n\n"
        f"  /// FNV-1a, 64 bits, over what the script packed; see `QuranSoundsTests`.\n"
        f"  static let checksum: UInt64 = 0x{checksum(ayat + wordings):016x}\n"
        f"  static let warshChecksum: UInt64 = 0x{checksum(warsh):016x}\n\n"
        "  /// The numbers of the words of each wording.\n"
        "  static func wordings(_ formula: SpokenFormula) -> StaticString? {\n"
        f"    switch formula {{\n{formulas}\n    case .basmalah:\n      nil\n    }}\n  }}\n\n"
        f"  /// The {len(ranked)} different words, the commonest first.\n"
        f"  static let words: StaticString = {literal(words)}\n\n"
        "  /// The numbers of the words of each ayah.\n"
        f"  static let ayat: StaticString = {literal(numbers(coded[: len(ayat)]))}\n\n"
        "  /// The same words as Warsh says them.\n"
        f"  static let warshAyat: StaticString = {literal(numbers(coded[-len(warsh) :]))}\n"
        "}\n",
        encoding="utf-8",
    )
    print(f"{len(ranked)} words in {len(words)} characters, ayat in "
          f"{len(numbers(coded[: len(ayat)]))}", file=sys.stderr)  # fmt: skip


class Table:
    """Reads what `write_swift` wrote."""

    def __init__(self, path):
        self.path, self.text = path, path.read_text("utf-8")
        pairs = self.characters("pairs")
        self.pairs = list(zip(pairs[::2], pairs[1::2]))
        self.one, self.two = self.integer("oneCharacterNumbers"), self.integer("twoCharacterLeads")

    def characters(self, name):
        """The places in the alphabet of a literal's characters."""
        found = re.search(rf'static let {name}: StaticString = #"""\n(.*?)\n    """#', self.text, re.S)
        lines = (line[4:].removesuffix("\\#") for line in found[1].split("\n"))
        return [ALPHABET.index(character) for character in "".join(lines)]

    def integer(self, name):
        return int(re.search(rf"static let {name}(?:: UInt64)? = (\w+)", self.text)[1], 0)

    def expanded(self, code):
        if code < len(PHONES) + len(MARKS):
            return [code]
        return [part for half in self.pairs[code - len(PHONES) - len(MARKS)] for part in self.expanded(half)]

    def words(self):
        """The four forms of each word, and whether a sakt follows."""
        words, codes = [], []
        for code in (part for packed in self.characters("words") for part in self.expanded(packed)):
            if code != MARK["word"]:
                codes.append(code)
                continue
            begin, stop, phones, dropped, sakt, isStopping = ([], 0), (0, []), [], 0, False, False
            for code in codes:
                if code < len(PHONES):
                    symbol = PHONES[code][1]
                    usual = "natural" if symbol in LONG_VOWELS else "nasalised" if symbol == "ŋ" else "single"
                    phones.append((symbol, usual))
                elif code == MARK["begin"]:
                    begin, phones, dropped = (phones, dropped), [], 0
                elif code == MARK["stop"]:
                    joined, phones, isStopping = phones, [], True
                elif code == MARK["drop"]:
                    dropped += 1
                elif code == MARK["sakt"]:
                    sakt = True
                else:
                    phones[-1] = (phones[-1][0], MARKS[code - len(PHONES)])
            if isStopping:
                stop = dropped, phones
            else:
                joined = phones
            forms = [joined, apply(joined, begin, (0, []))]
            forms += [apply(joined, edit, stop, True) for edit in (([], 0), begin)]
            words.append((forms, sakt))
            codes = []
        return words

    def numbers(self):
        """The numbers of the words of each ayah, by surah."""
        ayat, ayah = [], []
        codes = iter(self.characters("ayat"))
        for code in codes:
            if code == RADIX - 1:
                ayat.append(ayah)
                ayah = []
            elif code < self.one:
                ayah.append(code)
            elif code < self.one + self.two:
                ayah.append(self.one + (code - self.one) * RADIX + next(codes))
            else:
                number = (code - self.one - self.two) * RADIX**2 + next(codes) * RADIX + next(codes)
                ayah.append(self.one + self.two * RADIX + number)
        # The first ayah of each surah and the end, from 1: three digits to base 64 each, from the character 0 on.
        structure = (self.path.parent / "StructureTables.swift").read_text("utf-8")
        packed = re.search(r'static var surahs.*?#"""\n(.*?)\n *"""#', structure, re.S)[1]
        digits = [ord(digit) - ord("0") for digit in re.sub(r"\\#\n|\s", "", packed)]
        starts = [a * 4096 + b * 64 + c - 1 for a, b, c in zip(*(digits[place::3] for place in range(3)))]
        return [ayat[start:end] for start, end in zip(starts, starts[1:])]

    def word_counts(self):
        return [[len(ayah) for ayah in surah] for surah in self.numbers()]

    def surahs(self):
        words = self.words()
        surahs = [[[words[number] for number in ayah] for ayah in surah] for surah in self.numbers()]
        texts = [ayah for surah in surahs for ayah in surah] + [formula(text) for _, text in FORMULAS]
        if checksum(texts) != self.integer("checksum"):
            sys.exit(f"{self.path}: not as this script would have written it")
        return surahs


def literal_line(text):
    return f'#"{text}"#'


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--cache", type=Path)
    arguments.add_argument("--json", type=Path)
    arguments.add_argument("--table", action="store_true")
    arguments.add_argument("output", type=Path, nargs="?")
    options = arguments.parse_args()
    table = Path(__file__).parent.parent / "Sources/Quran/Tables/PhoneTable.swift"
    quran = None if options.table else merged(whole_quran(options.cache))
    if options.json:
        write_json(options.json, quran["hafs"] if quran else Table(table).surahs())
    if quran:
        write_swift(options.output or table, quran)


if __name__ == "__main__":
    main()
