// SPDX-License-Identifier: GPL-3.0-or-later

/// Consecutive ayat, the first and the last included; never empty.
public struct AyahRange: Hashable, Sendable {
  public let first: AyahReference
  public let last: AyahReference

  /// Nil when `last` comes before `first`.
  public init?(first: AyahReference, last: AyahReference) {
    guard first <= last else { return nil }
    self.init(trusted: first, last)
  }

  /// One ayah.
  public init(_ ayah: AyahReference) { self.init(trusted: ayah, ayah) }

  /// For ends known to be in order.
  init(trusted first: AyahReference, _ last: AyahReference) {
    self.first = first
    self.last = last
  }

  /// 1:1 to 114:6.
  public static var wholeQuran: AyahRange { AyahRange(trusted: .first, .last) }

  /// How many ayat, 1...6236.
  public var count: Int { last.absoluteIndex - first.absoluteIndex + 1 }

  public func contains(_ ayah: AyahReference) -> Bool { first <= ayah && ayah <= last }

  public func contains(_ other: AyahRange) -> Bool { first <= other.first && other.last <= last }

  /// The ayat in both, nil when there are none.
  public func intersection(_ other: AyahRange) -> AyahRange? {
    AyahRange(first: Swift.max(first, other.first), last: Swift.min(last, other.last))
  }

  /// The same ayat as one range for each surah, in order.
  public var bySurah: [AyahRange] {
    (first.surah.number...last.surah.number).compactMap {
      intersection(Surah(trusted: $0).ayat)
    }
  }
}

extension AyahRange: Sequence {
  public struct Iterator: IteratorProtocol, Sendable {
    fileprivate var upcoming: AyahReference?
    fileprivate let last: AyahReference

    public mutating func next() -> AyahReference? {
      guard let ayah = upcoming else { return nil }
      upcoming = ayah < last ? ayah.next : nil
      return ayah
    }
  }

  public func makeIterator() -> Iterator { Iterator(upcoming: first, last: last) }

  public var underestimatedCount: Int { count }
}

extension AyahRange: CustomStringConvertible {
  /// The shortest form that ``init(parsing:)`` reads back: "2:255", "2:1-20", "2:280-3:5", "36" for a
  /// whole surah, "78-114" for several.
  public var description: String {
    guard first == first.surah.firstAyah, last == last.surah.lastAyah else {
      return numericDescription
    }
    return first.surah == last.surah
      ? "\(first.surah.number)" : "\(first.surah.number)-\(last.surah.number)"
  }

  /// The same with its ayat numbered always: "36:1-83", "78:1-114:6".
  public var numericDescription: String {
    if first == last { return "\(first)" }
    return first.surah == last.surah ? "\(first)-\(last.ayah)" : "\(first)-\(last)"
  }
}

extension AyahRange {
  /// Ayat in ascending order as the fewest ranges.
  public static func runs(of ayat: [AyahReference]) -> [AyahRange] {
    var runs: [AyahRange] = []
    for ayah in ayat {
      if let last = runs.last, last.last.next == ayah,
        let longer = AyahRange(first: last.first, last: ayah)
      {
        runs[runs.count - 1] = longer
      } else {
        runs.append(AyahRange(ayah))
      }
    }
    return runs
  }
}
