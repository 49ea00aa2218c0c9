// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
public import Quran

/// What is heard in a segment.
///
/// Joins are places in the recording, not offsets into the segment.
public enum SegmentAssignment: Hashable, Sendable {
  /// One ayah, whole unless a part is named.
  case ayah(AyahReference, part: AyahPart? = nil)
  /// The last ayah of a surah and the first of the next in one breath, parted at `join`.
  case crossSurah(AyahReference, join: FramePosition, end: AyahReference)
  /// Several consecutive ayat in one breath, with the places where each after the first begins.
  case ayat(first: AyahReference, last: AyahReference, joins: [FramePosition])
  /// What is said before reciting: the isti'adhah, the basmalah of a surah, or both.
  case leadIn(istiadhah: Bool, basmalahOf: Int?)
  /// Nothing that is recited.
  case unused(UnusedReason)

  public enum AyahPart: String, Sendable, CaseIterable {
    case beginning, middle, end
  }

  public enum UnusedReason: String, Sendable, CaseIterable {
    case takbir, ameen, ruku, sujud, tasmee, tashahhud, qunut, salam, speech, silence, noise, other
  }
}

extension SegmentAssignment {
  /// The word for the case in JSON and CSV.
  public var kind: String {
    switch self {
    case .ayah: "ayah"
    case .crossSurah: "cross_surah"
    case .ayat: "ayat"
    case .leadIn: "lead_in"
    case .unused: "unused"
    }
  }

  /// A short name for label tracks and tables: `2:5`, `2:286 | 3:1`, `93:1-3`,
  /// `isti'adhah + basmalah`, `unused: takbir`.
  public var label: String {
    switch self {
    case .ayah(let ayah, let part):
      return part.map { "\(ayah) (\($0.rawValue))" } ?? ayah.description
    case .crossSurah(let ayah, _, let end):
      return "\(ayah) | \(end)"
    case .ayat(let first, let last, _):
      return first.surah == last.surah ? "\(first)-\(last.ayah)" : "\(first)-\(last)"
    case .leadIn(let istiadhah, let surah):
      let spoken = (istiadhah ? ["isti'adhah"] : []) + (surah != nil ? ["basmalah"] : [])
      return spoken.isEmpty ? "lead-in" : spoken.joined(separator: " + ")
    case .unused(let reason):
      return "unused: \(reason.rawValue)"
    }
  }

  /// The surah and ayah that a table's columns show: the first of several.
  var leading: (surah: Int?, ayah: Int?) {
    switch self {
    case .ayah(let ayah, _), .crossSurah(let ayah, _, _), .ayat(let ayah, _, _):
      (ayah.surah.number, ayah.ayah)
    case .leadIn(_, let surah): (surah, nil)
    case .unused: (nil, nil)
    }
  }
}

extension DetectionReport {
  /// Names for the segments in order; one that is not assigned is called by its number, from 1.
  var segmentLabels: [String] {
    segments.enumerated().map { $1.assignment?.label ?? "segment \($0 + 1)" }
  }
}
