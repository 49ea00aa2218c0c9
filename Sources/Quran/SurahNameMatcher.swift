// SPDX-License-Identifier: GPL-3.0-or-later

/// Compares one typed text with every name of every surah.
struct SurahNameMatcher {
  let text: Spelling
  /// What the text says if it is a number.
  let number: Int?
  private let takesEnglish: Bool

  /// Whether the text has no letter or digit.
  var isBlank: Bool { text.plain.isEmpty }

  init(_ typed: Substring, takesEnglish: Bool = true) {
    self.takesEnglish = takesEnglish
    var name = typed.trimmed
    if let space = name.firstIndex(where: \.isWhitespace), Self.isWordForSurah(name[..<space]) {
      name = name[space...].trimmed
    }
    text = Spelling(plain: Spelling.plain(name))
    number = decimalNumber(name)
  }

  static func isWordForSurah(_ word: Substring) -> Bool {
    wordsForSurah.contains(Spelling.plain(word))
  }

  struct Candidate {
    let surah: Surah
    let quality: SurahMatch.Quality
    let distance: Int
    let language: SurahName.Language

    func goesBefore(_ other: Candidate) -> Bool {
      (quality.rawValue, distance, language.rawValue, surah.number)
        < (other.quality.rawValue, other.distance, other.language.rawValue, other.surah.number)
    }
  }

  /// The best fit of each surah that fits at all, the best surah first.
  var ranked: [Candidate] {
    let fitting = candidates(fit)
    return fitting.isEmpty ? candidates(similarity) : fitting
  }

  private func candidates(_ fit: (SurahName) -> Candidate?) -> [Candidate] {
    var best = [Candidate?](repeating: nil, count: 114)
    for name in SurahName.all where takesEnglish || name.language != .english {
      guard let candidate = fit(name) else { continue }
      let row = name.surah.number - 1
      if let other = best[row], !candidate.goesBefore(other) { continue }
      best[row] = candidate
    }
    return best.compactMap(\.self).sorted { $0.goesBefore($1) }
  }

  private func fit(_ name: SurahName) -> Candidate? {
    guard let quality = quality(name) else { return nil }
    return Candidate(surah: name.surah, quality: quality, distance: 0, language: name.language)
  }

  private func quality(_ name: SurahName) -> SurahMatch.Quality? {
    if let number {
      guard String(name.surah.number).hasPrefix(String(number)) else { return nil }
      return number == name.surah.number ? .number : .beginning
    }
    let startsAlike = name.spelling.plain.starts(with: text.plain)
    guard startsAlike || name.spelling.skeleton.starts(with: text.skeleton) else { return nil }
    if name.isLaterWord { return .laterWord }
    if name.spelling.plain == text.plain { return .name }
    if name.spelling.skeleton == text.skeleton { return .spelling }
    return startsAlike ? .beginning : .spelledBeginning
  }

  /// One slip is forgiven from four letters on, two from seven, three from ten.
  private func similarity(_ name: SurahName) -> Candidate? {
    let typed = text.skeleton
    let forgiven = min(3, (typed.count - 1) / 3)
    guard forgiven > 0, typed.count <= name.spelling.skeleton.count + forgiven, !name.isLaterWord,
      !text.hasUnknownLetters
    else { return nil }
    let slips = editDistances(from: typed, to: name.spelling.skeleton)
    // A beginning counts as further away than a whole name.
    let distance = min(2 * slips.whole, 2 * slips.beginning + 1)
    guard distance / 2 <= forgiven else { return nil }
    return Candidate(
      surah: name.surah, quality: .similar, distance: distance, language: name.language)
  }
}

private let wordsForSurah = ["surah", "sura", "surat", "سورة"].map { Spelling.plain($0) }

/// Letters to insert, remove or replace, to arrive at the whole name and at the beginning that is
/// nearest.
private func editDistances(
  from text: [UInt8], to name: [UInt8]
) -> (whole: Int, beginning: Int) {
  var row = Array(0...name.count)
  for (typed, letter) in text.enumerated() {
    var diagonal = row[0]
    row[0] = typed + 1
    for column in name.indices {
      let replaced = diagonal + (name[column] == letter ? 0 : 1)
      diagonal = row[column + 1]
      row[column + 1] = min(replaced, diagonal + 1, row[column] + 1)
    }
  }
  return (row[name.count], row.min() ?? 0)
}
