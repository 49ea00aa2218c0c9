// SPDX-License-Identifier: GPL-3.0-or-later

public import Quran

extension PublishedTimings {
  /// A row of the table `timings` of a database of Quran for Android, in milliseconds of the surah's file.
  public struct AndroidRow: Hashable, Sendable {
    public var surah: Surah
    /// 0 for the basmalah before the first, 999 for the surah's end.
    public var ayah: Int
    public var time: Int
    /// From `schema_version` 2 on: `word:from:to` with commas between.
    public var words: String?

    public init(_ surah: Surah, ayah: Int, time: Int, words: String? = nil) {
      self.surah = surah
      self.ayah = ayah
      self.time = time
      self.words = words
    }
  }

  /// Each ayah lasts until the next row of its surah.
  public init(android rows: [AndroidRow]) throws(TimingsError) {
    var builder = TimingsBuilder(.android)
    let bySurah = Dictionary(grouping: rows, by: \.surah)
    for surah in bySurah.keys.sorted() {
      let rows = (bySurah[surah] ?? []).sorted { ($0.time, $0.ayah) < ($1.time, $1.ayah) }
      for (index, row) in rows.enumerated() where row.ayah != 0 && row.ayah != 999 {
        guard let ayah = AyahReference(surah: surah, ayah: row.ayah) else {
          throw .malformed(
            .android, path: "timings", reason: "\(surah) has no ayah \(row.ayah)")
        }
        let end = index + 1 < rows.count ? rows[index + 1].time : nil
        try builder.append(
          ayah, start: row.time, end: end, words: try Self.words(row.words, of: ayah))
      }
    }
    self = try builder.timings(clock: .recording)
  }

  private static func words(
    _ text: String?, of ayah: AyahReference
  ) throws(TimingsError) -> [TimingsBuilder.RawWord] {
    var words: [TimingsBuilder.RawWord] = []
    for entry in (text ?? "").split(separator: ",") {
      let numbers = entry.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
      guard numbers.count == 3, let number = numbers[0], let start = numbers[1],
        let end = numbers[2], TimingsBuilder.wordNumbers.contains(number),
        (0...TimingsLimit.time).contains(start), (0...TimingsLimit.time).contains(end)
      else {
        throw .malformed(
          .android, path: "words of \(ayah)", reason: "a word is number:from:to in milliseconds")
      }
      words.append(.init(numbers: number...number, start: start, end: end))
    }
    return words
  }
}
