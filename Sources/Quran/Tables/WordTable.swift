// SPDX-License-Identifier: GPL-3.0-or-later

/// The different words of the Quran and where they stand, decoded from ``PhoneTable``.
///
/// A word is kept as it sounds between two words that it is joined to, with one edit for the beginning
/// after a stop and one for the end before a stop. `Scripts/make-quran-sounds.py` shows that these
/// edits never meet.
struct WordTable: Sendable {
  struct Word: Sendable {
    /// Where the sounds begin in `sounds`: first those that are put first when the word is begun, then
    /// those of the joined word, then those that are put last when it is stopped at.
    var start: UInt32
    var firstCount: UInt8 = 0
    var firstDropped: UInt8 = 0
    var joinedCount: UInt8 = 0
    var lastDropped: UInt8 = 0
    var lastCount: UInt8 = 0
    var precedesSakt = false

    var changesWhenBegun: Bool { firstCount > 0 || firstDropped > 0 }
  }

  private(set) var sounds: [SpeechSound] = []
  private(set) var words: [Word] = []
  private(set) var ayahWords: [SpokenWord] = []
  /// For n = 0...6236, how many words the first n ayat have.
  private(set) var wordsBefore: [Int32] = [0]

  static let shared = decoded()
  /// The words of ``ayahWords`` as Warsh says them; decoded when first asked for.
  static let warshWords = readNumbers(PhoneTable.warshAyat).words

  /// The words of the n-th ayah of the Quran, from 1.
  func wordRange(ofAyah absoluteIndex: Int) -> Range<Int> {
    Int(wordsBefore[absoluteIndex - 1])..<Int(wordsBefore[absoluteIndex])
  }

  func append(
    _ number: Int, to result: inout [SpeechSound], before: Junction, after: Junction
  ) {
    let word = words[number]
    let start = Int(word.start)
    var joined = start + Int(word.firstCount)
    var end = joined + Int(word.joinedCount)
    let first = result.count
    if before == .stop {
      result.append(contentsOf: sounds[start..<joined])
      joined += Int(word.firstDropped)
    }
    if after == .stop {
      let last = end..<(end + Int(word.lastCount))
      end -= Int(word.lastDropped)
      result.append(contentsOf: sounds[joined..<end])
      result.append(contentsOf: sounds[last])
      Self.drawOut(&result, from: first)
    } else {
      result.append(contentsOf: sounds[joined..<end])
    }
  }

  /// Gives the last vowel of a word that ends at `result.endIndex`, and is stopped at, its length.
  private static func drawOut(_ result: inout [SpeechSound], from first: Int) {
    var last = result.count - 1
    if result[last].length == .munfasil { result[last].length = .natural }
    if result[last].phone == .qalqalah { last -= 1 }
    guard last > first else { return }
    switch result[last].phone.kind {
    case .vowel, .longVowel: return
    case .consonant, .nasal, .release: break
    }
    let drawn = result[last - 1]
    if drawn.length == .natural {
      result[last - 1].length = .arid
    } else if (drawn.phone == .waw || drawn.phone == .ya) && drawn.length == .single
      && last - 2 >= first
      && (result[last - 2].phone == .fathah || result[last - 2].phone == .heavyFathah)
    {
      result[last - 1].length = .leen
    }
  }
}

extension WordTable {
  private static func decoded() -> WordTable {
    var table = WordTable()
    table.readWords()
    let lists = readNumbers(PhoneTable.ayat)
    table.ayahWords = lists.words
    table.wordsBefore = lists.ends
    return table
  }

  /// The words of lists one after the other, and how many there are before each list and in all.
  private static func readNumbers(
    _ text: StaticString
  ) -> (words: [SpokenWord], ends: [Int32]) {
    var words: [SpokenWord] = []
    var ends: [Int32] = [0]
    words.reserveCapacity(text.utf8CodeUnitCount / 2)
    ends.reserveCapacity(AyahReference.count + 1)
    var reader = PhoneText(text)
    while let entry = reader.next() {
      switch entry {
      case .word(let word): words.append(word)
      case .end: ends.append(Int32(words.count))
      }
    }
    return (words, ends)
  }

  /// Marks that follow the codes of phones, in the order of the script's `MARKS`.
  private enum Mark: Int {
    case doubled, nasalised, munfasil, muttasil, lazim, begin, stop, drop, sakt, word
  }

  private mutating func readWords() {
    let expansions = PhoneText.expansions()
    let codes = expansions.flatMap { $0 }
    var starts = [0]
    for expansion in expansions { starts.append(starts[starts.count - 1] + expansion.count) }
    let text = PhoneTable.words
    let characters = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    sounds.reserveCapacity(text.utf8CodeUnitCount * 3 / 2)
    words.reserveCapacity(1 << 15)
    let phoneCount = Phone.allCases.count
    var word = Word(start: 0)
    var start = 0
    var dropped: UInt8 = 0
    var lasts = false
    for character in characters {
      let expansion = PhoneText.code(character)
      for place in starts[expansion]..<starts[expansion + 1] {
        if let phone = Phone(rawValue: codes[place]) {
          sounds.append(SpeechSound(phone))
          continue
        }
        guard let mark = Mark(rawValue: Int(codes[place]) - phoneCount) else { continue }
        switch mark {
        case .doubled: sounds[sounds.count - 1].length = .doubled
        case .nasalised: sounds[sounds.count - 1].length = .nasalised
        case .munfasil: sounds[sounds.count - 1].length = .munfasil
        case .muttasil: sounds[sounds.count - 1].length = .muttasil
        case .lazim: sounds[sounds.count - 1].length = .lazim
        case .drop: dropped += 1
        case .begin:
          word.firstCount = UInt8(sounds.count - start)
          word.firstDropped = dropped
          start = sounds.count
          dropped = 0
        case .stop:
          word.joinedCount = UInt8(sounds.count - start)
          start = sounds.count
          lasts = true
        case .sakt: word.precedesSakt = true
        case .word:
          if lasts {
            word.lastCount = UInt8(sounds.count - start)
            word.lastDropped = dropped
          } else {
            word.joinedCount = UInt8(sounds.count - start)
          }
          words.append(word)
          start = sounds.count
          word = Word(start: UInt32(start))
          dropped = 0
          lasts = false
        }
      }
    }
  }
}

/// Reads the numbers of words in ``PhoneTable``: the first character of a number says whether it has
/// one, two or three; the last character of the alphabet ends a list.
struct PhoneText {
  enum Entry {
    case word(SpokenWord)
    case end
  }

  private let text: StaticString
  private var offset = 0

  init(_ text: StaticString) {
    self.text = text
  }

  /// How many characters are in use: printable ASCII without space, quote, number sign and backslash.
  private static let radix = 91

  static func code(_ character: UInt8) -> Int {
    Int(character) - 33 - (character > 33 ? 2 : 0) - (character > 92 ? 1 : 0)
  }

  private mutating func nextCode() -> Int? {
    guard offset < text.utf8CodeUnitCount else { return nil }
    defer { offset += 1 }
    return Self.code(text.utf8Start[offset])
  }

  mutating func next() -> Entry? {
    guard let lead = nextCode() else { return nil }
    if lead == Self.radix - 1 { return .end }
    var number = lead
    let place = lead - PhoneTable.oneCharacterNumbers
    if place >= 0 {
      let three = place - PhoneTable.twoCharacterLeads
      guard let second = nextCode() else { return nil }
      if three < 0 {
        number = PhoneTable.oneCharacterNumbers + place * Self.radix + second
      } else {
        guard let third = nextCode() else { return nil }
        number =
          PhoneTable.oneCharacterNumbers
          + (PhoneTable.twoCharacterLeads + three * Self.radix + second) * Self.radix + third
      }
    }
    return .word(SpokenWord(number: UInt16(number)))
  }

  static func wordLists(_ text: StaticString) -> [[SpokenWord]] {
    var lists: [[SpokenWord]] = []
    var list: [SpokenWord] = []
    var reader = PhoneText(text)
    while let entry = reader.next() {
      switch entry {
      case .word(let word): list.append(word)
      case .end:
        lists.append(list)
        list = []
      }
    }
    return lists
  }

  /// What each code stands for: itself, or for those above phones and marks a pair of others.
  static func expansions() -> [[UInt8]] {
    let pairs = PhoneTable.pairs
    let single = radix - pairs.utf8CodeUnitCount / 2
    var expansions = (0..<single).map { [UInt8($0)] }
    for place in stride(from: 0, to: pairs.utf8CodeUnitCount, by: 2) {
      expansions.append(
        expansions[code(pairs.utf8Start[place])] + expansions[code(pairs.utf8Start[place + 1])])
    }
    return expansions
  }
}
