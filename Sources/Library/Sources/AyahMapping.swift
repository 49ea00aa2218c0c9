// SPDX-License-Identifier: GPL-3.0-or-later

public import Quran

/// Which files of a source hold which ayat, where its counting splits or joins ayat that are whole in ours.
///
/// As people write it, ours on the left and the numbers of the source's files on the right:
///
///     # a comment
///     2:1-2 = 2:1            two ayat share a file
///     2:3+  = 2:2+           from there on to the end of the surah, or to the next line: one for one
///     2:101 = 2:100-101      an ayah that is in two files
///     2:102-103 = 2:102-103 together
///     1:1   = none
///
/// As many numbers on the right as on the left are one for one, unless `together` says that each ayah is in all of
/// these files. Ayat of no line keep their number. Nothing is said of surahs without a line.
public struct AyahMapping: Hashable, Sendable, CustomStringConvertible {
  /// Bytes of a table at most; a line for every ayah takes 150 kB.
  public static let largestSize = 1 << 20
  /// Files have numbers of three digits.
  public static let numbers = 0...999

  /// Why a text is no mapping, for people.
  public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    /// Counted from 1; nil where it is the whole text.
    public let line: Int?
    public let message: String

    public var description: String { line.map { "line \($0): \(message)" } ?? message }
  }

  /// The files of an ayah, and the ayat that are in the same files.
  private struct Place: Hashable {
    let numbers: ClosedRange<Int>?
    let ayat: ClosedRange<Int>
  }

  /// One for each line, in the order of the ayat.
  public let lines: [String]
  /// For each surah with a line, the places of its ayat.
  private let places: [Surah: [Place]]
  /// For each surah with a line, the first ayah in each file.
  private let firstAyat: [Surah: [Int: Int]]

  public var description: String { lines.joined(separator: "\n") }

  public static func == (left: AyahMapping, right: AyahMapping) -> Bool {
    left.lines == right.lines
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(lines) }

  /// - Throws: a problem that names the line.
  public init(parsing text: String) throws(Problem) {
    guard text.utf8.count <= Self.largestSize else {
      throw Problem(
        line: nil, message: "larger than the limit of \(Self.largestSize >> 20) MiB")
    }
    var entries: [Entry] = []
    // A scalar at a time: to Swift, CR LF is one character.
    for (index, line) in text.unicodeScalars.split(
      separator: "\n", omittingEmptySubsequences: false
    ).enumerated() {
      let bare = line.prefix { $0 != "#" }.filter { !Self.blanks.contains($0) }
      guard !bare.isEmpty else { continue }
      entries.append(try Entry(String(String.UnicodeScalarView(bare)), line: index + 1))
    }
    try self.init(entries)
  }

  private init(_ entries: [Entry]) throws(Problem) {
    guard !entries.isEmpty else {
      throw Problem(line: nil, message: "the file has no line such as 2:1-2 = 2:1")
    }
    let entries = entries.sorted { ($0.surah, $0.first, $0.line) < ($1.surah, $1.first, $1.line) }
    var places: [Surah: [Place]] = [:]
    var firstAyat: [Surah: [Int: Int]] = [:]
    var rest = entries[...]
    while let surah = rest.first?.surah {
      let own = rest.prefix { $0.surah == surah }
      rest = rest[own.endIndex...]
      (places[surah], firstAyat[surah]) = try Self.places(own, in: surah)
    }
    self.places = places
    self.firstAyat = firstAyat
    lines = entries.map(\.description)
  }

  /// Whether any of its lines is of a surah.
  public func maps(_ surah: Surah) -> Bool { places[surah] != nil }

  /// The numbers of the files in which an ayah is heard; nil where the source does not have it.
  public func numbers(of ayah: AyahReference) -> ClosedRange<Int>? {
    guard let places = places[ayah.surah] else { return ayah.ayah...ayah.ayah }
    return places[ayah.ayah - 1].numbers
  }

  /// The ayat that are heard in the files of an ayah, without a known place in them; that ayah alone for most.
  public func ayat(heardWith ayah: AyahReference) -> AyahRange {
    guard let together = places[ayah.surah]?[ayah.ayah - 1].ayat,
      let first = AyahReference(surah: ayah.surah.number, ayah: together.lowerBound),
      let last = AyahReference(surah: ayah.surah.number, ayah: together.upperBound)
    else { return AyahRange(ayah) }
    return AyahRange(first: first, last: last) ?? AyahRange(ayah)
  }

  /// The first ayah that is heard in a file; nil for one in which none is.
  public func firstAyah(of number: Int, in surah: Surah) -> AyahReference? {
    guard let firstAyat = firstAyat[surah] else {
      return AyahReference(surah: surah.number, ayah: number)
    }
    return firstAyat[number].flatMap { AyahReference(surah: surah.number, ayah: $0) }
  }

  /// White space, and the mark that some editors put before a text.
  private static let blanks: Set<Unicode.Scalar> = [" ", "\t", "\r", "\u{FEFF}"]

  // MARK: Lines

  /// What a line says.
  private struct Entry: CustomStringConvertible {
    enum Numbers {
      case none
      /// The last is nil where they go on one for one.
      case from(Int, last: Int?)
    }

    let line: Int
    let surah: Surah
    let first: Int
    /// Nil up to the next line, or the end of the surah.
    let last: Int?
    let numbers: Numbers
    let isTogether: Bool

    init(_ text: String, line: Int) throws(Problem) {
      func problem(_ message: String) -> Problem { Problem(line: line, message: message) }
      let sides = text.split(separator: "=", omittingEmptySubsequences: false)
      guard sides.count == 2, let left = Span(sides[0]) else {
        throw problem("'\(text.prefix(60))' is not of the form 2:1-2 = 2:1")
      }
      self.line = line
      guard let surah = Surah(left.surah) else {
        throw problem("surah \(left.surah) does not exist")
      }
      self.surah = surah
      let highest = left.last ?? left.first
      guard highest >= left.first else {
        throw problem("\(left.surah):\(left.first)-\(highest) ends before it begins")
      }
      guard left.first >= 1, highest <= surah.ayahCount else {
        throw problem("\(surah) has only the ayat 1 to \(surah.ayahCount)")
      }
      (first, last) = (left.first, left.isOpen ? nil : highest)
      let word = "together"
      isTogether = sides[1].hasSuffix(word)
      let right = isTogether ? sides[1].dropLast(word.count) : sides[1]
      if right == "none", !isTogether {
        numbers = .none
        return
      }
      guard let right = Span(right) else {
        throw problem(
          "'\(right.prefix(60))' is not a file number such as 2:1, 2:6-7, 2:2+, or none")
      }
      guard right.surah == left.surah else {
        throw problem("surah \(left.surah) cannot be in files of surah \(right.surah)")
      }
      guard right.isOpen == left.isOpen, !(right.isOpen && isTogether) else {
        throw problem("write + on both sides, and without 'together'")
      }
      let last = right.last ?? right.first
      guard last >= right.first, AyahMapping.numbers.contains(last) else {
        throw problem("file numbers are 0 to 999, the lower one first")
      }
      numbers = .from(right.first, last: right.isOpen ? nil : last)
    }

    var description: String {
      func span(_ first: Int, _ last: Int?) -> String {
        "\(surah.number):\(first)" + (last.map { $0 == first ? "" : "-\($0)" } ?? "+")
      }
      let right =
        switch numbers {
        case .none: "none"
        case .from(let first, let last): span(first, last)
        }
      return "\(span(first, last)) = \(right)" + (isTogether ? " together" : "")
    }
  }

  /// `2:5`, `2:5-6`, `2:5+`.
  private struct Span {
    let surah: Int
    let first: Int
    let last: Int?
    let isOpen: Bool

    init?(_ text: Substring) {
      isOpen = text.hasSuffix("+")
      let parts = (isOpen ? text.dropLast() : text).split(
        separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 2, let surah = Self.number(parts[0]) else { return nil }
      let bounds = parts[1].split(separator: "-", omittingEmptySubsequences: false)
      guard bounds.count == 1 || (bounds.count == 2 && !isOpen),
        let first = Self.number(bounds[0])
      else { return nil }
      (self.surah, self.first) = (surah, first)
      if bounds.count == 2 {
        guard let last = Self.number(bounds[1]) else { return nil }
        self.last = last
      } else {
        last = nil
      }
    }

    /// At most three digits, and nothing else.
    private static func number(_ text: Substring) -> Int? {
      (1...3).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        ? Int(text) : nil
    }
  }

  // MARK: Surahs

  /// Lays the lines of a surah out, ayah by ayah.
  private static func places(
    _ entries: ArraySlice<Entry>, in surah: Surah
  ) throws(Problem) -> ([Place], [Int: Int]) {
    // Ayat of no line keep their number.
    var places = (1...surah.ayahCount).map { Place(numbers: $0...$0, ayat: $0...$0) }
    var lines = [Int?](repeating: nil, count: surah.ayahCount)
    for (entry, next) in zip(entries, entries.dropFirst().map { $0 as Entry? } + [nil]) {
      let last = entry.last ?? (next.map { $0.first - 1 } ?? surah.ayahCount)
      guard entry.first <= last, next.map({ $0.first > last }) ?? true else {
        throw Problem(
          line: next?.line,
          message:
            "\(surah.number):\(next?.first ?? last) is already on line \(entry.line)")
      }
      for ayah in entry.first...last {
        lines[ayah - 1] = entry.line
        places[ayah - 1] = try place(of: ayah, entry, last: last)
      }
    }
    var firstAyat: [Int: Int] = [:]
    for ayah in 1...surah.ayahCount {
      let place = places[ayah - 1]
      for number in place.numbers.map(Array.init) ?? [] {
        guard let other = firstAyat[number] else {
          firstAyat[number] = ayah
          continue
        }
        guard !place.ayat.contains(other) else { continue }
        let file = "\(surah.number):\(number)"
        let (line, unnamed) = lines[ayah - 1].map { ($0, other) } ?? (lines[other - 1] ?? 0, ayah)
        throw Problem(
          line: line,
          message: lines[unnamed - 1].map {
            "the file \(file) is already used on line \($0)"
          }
            ?? "the file \(file) is also the file of \(surah.number):\(unnamed), which keeps its number; add a line for it, such as \(surah.number):\(unnamed)+ = \(surah.number):\(unnamed + 1)+"
        )
      }
    }
    return (places, firstAyat)
  }

  private static func place(
    of ayah: Int, _ entry: Entry, last: Int
  ) throws(Problem) -> Place {
    switch entry.numbers {
    case .none: return Place(numbers: nil, ayat: ayah...ayah)
    case .from(let first, let lastNumber):
      let isOneForOne =
        !entry.isTogether && (lastNumber.map { $0 - first == last - entry.first } ?? true)
      guard isOneForOne else {
        return Place(numbers: first...(lastNumber ?? first), ayat: entry.first...last)
      }
      let number = first + ayah - entry.first
      guard numbers.contains(number) else {
        throw Problem(
          line: entry.line, message: "\(entry.surah.number):\(ayah) would be in the file \(number)")
      }
      return Place(numbers: number...number, ayat: ayah...ayah)
    }
  }
}
