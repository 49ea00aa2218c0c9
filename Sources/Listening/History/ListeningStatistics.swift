// SPDX-License-Identifier: GPL-3.0-or-later

public import Quran

/// One line of the listening log, as far as it is counted.
public struct HeardEntry: Hashable, Sendable {
  /// Of the person's own calendar, `2024-01-05`.
  public let day: String
  public let ayah: AyahReference
  public let reciter: String?
  /// Of the recording.
  public let seconds: Double
  /// Those of them during which a picture was seen.
  public let watchedSeconds: Double
  /// Whether the ayah was heard to its end.
  public let isWhole: Bool

  public init(
    day: String, ayah: AyahReference, reciter: String?, seconds: Double,
    watchedSeconds: Double = 0, isWhole: Bool
  ) {
    self.day = day
    self.ayah = ayah
    self.reciter = reciter
    self.seconds = seconds
    self.watchedSeconds = watchedSeconds
    self.isWhole = isWhole
  }
}

/// What was heard, added up.
public struct ListeningStatistics: Hashable, Sendable {
  /// A day, a reciter or a surah.
  public struct Row<Key: Hashable & Sendable>: Hashable, Sendable {
    public let key: Key
    public fileprivate(set) var seconds = 0.0
    public fileprivate(set) var watchedSeconds = 0.0
    /// Ayat heard to their end, repetitions counted.
    public fileprivate(set) var ayat = 0
    fileprivate var whole: Set<AyahReference> = []
    /// Different ayat heard to their end.
    public var differentAyat: Int { whole.count }
  }

  public let seconds: Double
  /// Those of them during which a picture was seen.
  public let watchedSeconds: Double
  /// Ascending.
  public let days: [Row<String>]
  /// The most heard first; nil for recordings of nobody known.
  public let reciters: [Row<String?>]
  /// In the order of the Quran.
  public let surahs: [Row<Surah>]
  /// How often each ayah was heard to its end.
  public let times: [AyahReference: Int]

  public init(_ heard: [HeardEntry]) {
    var days: [String: Row<String>] = [:]
    var reciters: [String?: Row<String?>] = [:]
    var surahs: [Surah: Row<Surah>] = [:]
    var times: [AyahReference: Int] = [:]
    var seconds = 0.0
    var watchedSeconds = 0.0
    func add<Key>(_ entry: HeardEntry, to rows: inout [Key: Row<Key>], at key: Key) {
      var row = rows[key] ?? Row(key: key)
      row.seconds += entry.seconds
      row.watchedSeconds += entry.watchedSeconds
      if entry.isWhole {
        row.ayat += 1
        row.whole.insert(entry.ayah)
      }
      rows[key] = row
    }
    for entry in heard {
      seconds += entry.seconds
      watchedSeconds += entry.watchedSeconds
      if entry.isWhole { times[entry.ayah, default: 0] += 1 }
      add(entry, to: &days, at: entry.day)
      add(entry, to: &reciters, at: entry.reciter)
      add(entry, to: &surahs, at: entry.ayah.surah)
    }
    self.seconds = seconds
    self.watchedSeconds = watchedSeconds
    self.times = times
    self.days = days.values.sorted { $0.key < $1.key }
    self.reciters = reciters.values.sorted {
      ($1.seconds, $0.key ?? "") < ($0.seconds, $1.key ?? "")
    }
    self.surahs = surahs.values.sorted { $0.key.number < $1.key.number }
  }

  /// Different ayat of the Quran that were heard to their end.
  public var heardAyat: Int { times.count }

  /// How often the whole Quran was heard: as often as its ayah that was heard least.
  public var completions: Int {
    guard times.count == AyahReference.count else { return 0 }
    return times.values.min() ?? 0
  }

  /// The part of a surah's ayat that were heard, 0...1.
  public func fraction(of surah: Surah) -> Double {
    guard let row = surahs.first(where: { $0.key == surah }) else { return 0 }
    return Double(row.differentAyat) / Double(surah.ayahCount)
  }

  /// The 114 surahs as characters, as dark as they were heard, so many to a line.
  public func picture(columns: Int, isUnicode: Bool) -> [String] {
    let shades = Array(isUnicode ? "·░▒▓█" : ".:+*#")
    let fractions = Dictionary(
      surahs.map { ($0.key, Double($0.differentAyat) / Double($0.key.ayahCount)) },
      uniquingKeysWith: { first, _ in first })
    var lines: [String] = []
    let columns = max(columns, 1)
    for first in stride(from: 0, to: Surah.all.count, by: columns) {
      let surahs = Surah.all[first..<min(first + columns, Surah.all.count)]
      lines.append(
        String(
          surahs.map { surah in
            let fraction = fractions[surah] ?? 0
            if fraction >= 1 { return shades[shades.count - 1] }
            if fraction <= 0 { return shades[0] }
            return shades[1 + min(Int(fraction * Double(shades.count - 2)), shades.count - 3)]
          }))
    }
    return lines
  }

  /// Bars of the values, the highest as high as it goes.
  public static func bars(_ values: [Double], isUnicode: Bool) -> String {
    let steps = Array(isUnicode ? " ▁▂▃▄▅▆▇█" : " .:-=+*#%")
    let most = values.max() ?? 0
    return String(
      values.map { value in
        guard most > 0, value > 0 else { return steps[0] }
        return steps[max(Int((value / most * Double(steps.count - 1)).rounded()), 1)]
      })
  }
}
