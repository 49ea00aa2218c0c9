// SPDX-License-Identifier: GPL-3.0-or-later

extension AyahRange {
  /// Reads a range as people type it.
  ///
  /// - an ayah, as ``AyahReference/init(parsing:)`` reads it: "2:255", "baqarah 255";
  /// - from one to another: "2:1-2:20", "2:1-20", "2:280 - 3:5", "baqarah 1-20";
  /// - a surah, or from one to another: "36", "yasin", "78-114", "mulk - nas";
  /// - parts: "juz 30", "juz 29-30", "hizb 3", "rub 7", "page 5", "manzil 1", "ruku 12".
  ///
  /// - Throws: ``QuranError/unreadableRange(_:)``, ``QuranError/noSuchPart(_:_:)``,
  ///   ``QuranError/endsBeforeItStarts(first:last:)`` and the errors of
  ///   ``AyahReference/init(parsing:)``.
  public init(parsing typed: String) throws(QuranError) {
    try self.init(parsing: typed, english: .everywhere)
  }

  private init(parsing typed: String, english: EnglishNames) throws(QuranError) {
    let text = typed[...].trimmed
    if let parts = try AyahRange(parts: text) {
      self = parts
      return
    }
    guard let (left, right) = ends(of: text) else {
      guard text.saysSomething else { throw .unreadableRange(typed) }
      let place = try TypedPlace(parsing: text, english: english)
      self.init(trusted: place.first, place.last)
      return
    }
    guard left.saysSomething, right.saysSomething else { throw .unreadableRange(typed) }
    let start = try TypedPlace(parsing: left, english: english)
    if case .ayah(let first) = start, let ayah = decimalNumber(right) {
      try self.init(from: first, through: AyahReference(checking: first.surah, ayah: ayah))
    } else {
      let end = try TypedPlace(parsing: right, english: english)
      try self.init(from: start.first, through: end.last)
    }
  }

  /// The range that is named by the first words of a command line: by several where they make one reference together,
  /// such as `juz 30` or `al baqarah 255`, never by two numbers. An English name before a number is none: what people
  /// call `Night 3` is hardly ever in al-Layl.
  /// - Throws: what is wrong with the first word.
  public static func leading(
    _ words: ArraySlice<String>
  ) throws(QuranError) -> (range: AyahRange, words: Int) {
    func range(_ count: Int) throws(QuranError) -> AyahRange {
      let isBeforeNumber = words.dropFirst(count).first?.first?.isNumber ?? false
      return try AyahRange(
        parsing: words.prefix(count).joined(separator: " "),
        english: isBeforeNumber ? .nowhere : .withoutNumber)
    }
    if words.first?.first?.isLetter ?? false {
      for count in stride(from: Swift.min(words.count, maxWords), to: 1, by: -1) {
        if let range = try? range(count) { return (range, count) }
      }
    }
    return (try range(1), 1)
  }

  /// What a name of an ayah or a division may have of words.
  private static let maxWords = 4

  private init(from first: AyahReference, through last: AyahReference) throws(QuranError) {
    guard first <= last else { throw .endsBeforeItStarts(first: first, last: last) }
    self.init(trusted: first, last)
  }

  /// Nil when the text does not begin with the name of a division.
  private init?(parts text: Substring) throws(QuranError) {
    let word = text.prefix { !$0.isNumber && !$0.isWhitespace }
    let name = Spelling.plain(word)
    guard let division = divisionNames.first(where: { $0.name == name })?.division else {
      return nil
    }
    let numbers = text[word.endIndex...].trimmed
    let (left, right) = ends(of: numbers) ?? (numbers, numbers)
    guard let first = decimalNumber(left), let last = decimalNumber(right) else {
      throw .unreadableRange(String(text))
    }
    try self.init(
      from: division.range(of: first).first, through: division.range(of: last).last)
  }
}

private let divisionNames: [(name: [UInt8], division: QuranDivision)] = [
  ("juz", .juz), ("جزء", .juz), ("hizb", .hizb), ("حزب", .hizb), ("rub", .rub), ("ربع", .rub),
  ("page", .page), ("pages", .page), ("صفحة", .page), ("manzil", .manzil), ("منزل", .manzil),
  ("ruku", .ruku), ("ركوع", .ruku),
].map { (Spelling.plain($0), $1) }

/// The two sides of the first dash that joins ends and not the parts of a name: one that follows a
/// digit, or stands between spaces.
private func ends(of text: Substring) -> (left: Substring, right: Substring)? {
  let scalars = text.unicodeScalars
  for dash in scalars.indices where Spelling.dashes.contains(scalars[dash]) {
    let left = text[..<dash]
    let right = text[scalars.index(after: dash)...]
    let follows = left.trimmed.last?.isNumber == true
    let standsAlone = left.last?.isWhitespace == true && right.first?.isWhitespace == true
    if follows || standsAlone { return (left.trimmed, right.trimmed) }
  }
  return nil
}
