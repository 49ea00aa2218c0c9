// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
public import Quran

/// What is heard in a segment.
///
/// Joins are places in the recording, not offsets into the segment: they stay where the sound is
/// when an edge of the segment moves. Each lies strictly inside its segment and after the one before.
///
/// Recitation may hold the basmalah of each surah that begins in it (``Surah/opensWithUncountedBasmalah``), right
/// before its first ayah and as a part of that ayah's stretch.
public enum Assignment: Hashable, Sendable {
  /// One ayah; whole unless a part is named.
  case ayah(AyahReference, part: AyahPart? = nil, withBasmalah: Bool = false)
  /// An ayah and one of another surah in one breath; the second begins at `join`.
  case crossSurah(
    AyahReference, join: FramePosition, end: AyahReference, withBasmalah: Bool = false)
  /// Two or more consecutive ayat in one breath, with the places where each after the first begins.
  case ayat(AyahRange, joins: [FramePosition], withBasmalah: Bool = false)
  /// What is said before reciting.
  case leadIn(LeadIn)
  /// Nothing that is recited.
  case unused(UnusedReason)
}

/// Which part of an ayah is heard, when it is not whole: the reciter broke off, or went back.
public enum AyahPart: String, Hashable, Sendable, Codable, CaseIterable {
  case beginning, middle, end
}

/// The isti'adhah, the basmalah of a surah where it is no ayah, or both.
public enum LeadIn: Hashable, Sendable {
  case istiadhah
  case basmalah(of: Surah)
  case istiadhahAndBasmalah(of: Surah)

  public var hasIstiadhah: Bool {
    switch self {
    case .istiadhah, .istiadhahAndBasmalah: true
    case .basmalah: false
    }
  }

  /// The surah whose basmalah is heard, nil when none is.
  public var basmalah: Surah? {
    switch self {
    case .istiadhah: nil
    case .basmalah(let surah), .istiadhahAndBasmalah(let surah): surah
    }
  }
}

/// Why a segment holds nothing that is recited.
public enum UnusedReason: String, Hashable, Sendable, Codable, CaseIterable {
  case takbir, ameen, ruku, sujud, tasmee, tashahhud, qunut, salam, speech, silence, noise, other
}

extension Assignment {
  /// Whether at least a part of an ayah is heard.
  public var isRecitation: Bool {
    switch self {
    case .ayah, .crossSurah, .ayat: true
    case .leadIn, .unused: false
    }
  }

  /// Whether a surah that begins in it begins with its basmalah.
  public var hasBasmalah: Bool {
    switch self {
    case .ayah(_, _, let has), .crossSurah(_, _, _, let has), .ayat(_, _, let has): has
    case .leadIn, .unused: false
    }
  }

  /// Whether the basmalah of a surah can be a part of it: whether one that opens with it, uncounted, begins in it.
  public var mayHoldBasmalah: Bool {
    switch self {
    case .ayah(let ayah, let part, _): ayah.followsBasmalah && (part == nil || part == .beginning)
    case .crossSurah(let first, _, let end, _): first.followsBasmalah || end.followsBasmalah
    case .ayat(let range, _, _): range.contains(where: \.followsBasmalah)
    case .leadIn, .unused: false
    }
  }

  /// The same with or without the basmalah; without it where it cannot hold one.
  public func withBasmalah(_ has: Bool = true) -> Assignment {
    let has = has && mayHoldBasmalah
    return switch self {
    case .ayah(let ayah, let part, _): .ayah(ayah, part: part, withBasmalah: has)
    case .crossSurah(let ayah, let join, let end, _):
      .crossSurah(ayah, join: join, end: end, withBasmalah: has)
    case .ayat(let range, let joins, _): .ayat(range, joins: joins, withBasmalah: has)
    case .leadIn, .unused: self
    }
  }

  /// The places where an ayah after the first begins, in order.
  public var joins: [FramePosition] {
    switch self {
    case .ayah, .leadIn, .unused: []
    case .crossSurah(_, let join, _, _): [join]
    case .ayat(_, let joins, _): joins
    }
  }

  /// Puts other joins, as many, in place of its own.
  mutating func replaceJoins(with joins: [FramePosition]) {
    switch self {
    case .ayah, .leadIn, .unused: break
    case .crossSurah(let ayah, _, let end, let has):
      self = .crossSurah(ayah, join: joins[0], end: end, withBasmalah: has)
    case .ayat(let range, _, let has): self = .ayat(range, joins: joins, withBasmalah: has)
    }
  }

  /// What the two sides of a cut hold: the left all that begins before it, the right nothing, unless
  /// the cut lies on a join, for then the ayat from there on are the right one's.
  func split(at cut: FramePosition) -> (left: Assignment, right: Assignment?) {
    let joins = self.joins
    let before = joins.prefix { $0 < cut }
    guard before.count < joins.count else { return (self, nil) }
    let cutsAtJoin = joins[before.count] == cut
    switch self {
    case .ayah, .leadIn, .unused:
      return (self, nil)
    case .crossSurah(let ayah, _, let end, let has):
      return (
        .ayah(ayah).withBasmalah(has), cutsAtJoin ? .ayah(end).withBasmalah(has) : nil
      )
    case .ayat(let range, _, let has):
      let after = range.first.advanced(by: before.count + 1)
      let rest = joins.dropFirst(before.count + 1)
      return (
        .run(from: range.first, joins: before).withBasmalah(has),
        cutsAtJoin ? after.map { .run(from: $0, joins: rest).withBasmalah(has) } : nil
      )
    }
  }

  /// An ayah, and one more for each join.
  private static func run(
    from first: AyahReference, joins: ArraySlice<FramePosition>
  ) -> Assignment {
    guard !joins.isEmpty, let last = first.advanced(by: joins.count),
      let range = AyahRange(first: first, last: last)
    else { return .ayah(first) }
    return .ayat(range, joins: Array(joins))
  }

  /// - Throws: a refusal when it contradicts itself, or a join lies outside `span`.
  func check(in span: Range<FramePosition>) throws(EditRefusal) {
    guard !hasBasmalah || mayHoldBasmalah else { throw .noBasmalah(self) }
    switch self {
    case .ayah, .leadIn, .unused: return
    case .crossSurah(let ayah, _, let end, _):
      guard ayah.surah != end.surah else { throw .pairWithinOneSurah(ayah, end) }
    case .ayat(let range, let joins, _):
      guard range.count > 1 else { throw .runOfOneAyah(range.first) }
      guard joins.count == range.count - 1 else {
        throw .wrongNumberOfJoins(joins.count, for: range)
      }
    }
    var previous = span.lowerBound
    for join in joins {
      guard span.lowerBound < join, join < span.upperBound else {
        throw .joinOutsideSegment(join, span)
      }
      guard previous < join else { throw .joinsOutOfOrder(previous, join) }
      previous = join
    }
  }
}

extension Assignment: CustomStringConvertible {
  /// A short name: `2:5`, `2:5 (end)`, `2:286 | 3:1`, `93:1-3`, `basmalah + 112:1`,
  /// `isti'adhah + basmalah`, `unused: takbir`.
  public var description: String {
    if hasBasmalah { return "basmalah + \(withBasmalah(false))" }
    return switch self {
    case .ayah(let ayah, let part, _): part.map { "\(ayah) (\($0.rawValue))" } ?? "\(ayah)"
    case .crossSurah(let ayah, _, let end, _): "\(ayah) | \(end)"
    case .ayat(let range, _, _): range.numericDescription
    case .leadIn(.istiadhah): "isti'adhah"
    case .leadIn(.basmalah): "basmalah"
    case .leadIn(.istiadhahAndBasmalah): "isti'adhah + basmalah"
    case .unused(let reason): "unused: \(reason.rawValue)"
    }
  }
}
