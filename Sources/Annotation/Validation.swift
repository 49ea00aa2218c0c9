// SPDX-License-Identifier: GPL-3.0-or-later

public import Quran

/// Something about a segment that a person should know.
public struct Finding: Hashable, Sendable {
  /// The segment it concerns.
  public let segment: SegmentID
  /// The segment's place, from 0.
  public let index: Int
  public let kind: Kind

  public enum Kind: Hashable, Sendable {
    case unassigned
    /// An ayah not heard before follows a later one.
    case outOfOrder(AyahReference, after: AyahReference)
    /// A whole ayah was heard whole before, first in the segment named.
    case repeated(AyahReference, first: SegmentID)
    /// Between an ayah here and the one heard before it there are ayat that are heard nowhere.
    case missing(AyahRange)
    /// Parts of an ayah are heard, here for the first time, but never all of it.
    case incomplete(AyahReference)
    /// It takes `factor` times as long as its ayat would at the recording's median pace.
    case short(factor: Double)
    case long(factor: Double)
  }

  /// The graver the greater.
  public enum Severity: Int, Hashable, Sendable, Comparable, CaseIterable {
    /// Ordinary, but good to know.
    case note
    case worthALook
    /// The recording is not complete before this is mended.
    case blocksCompletion

    public static func < (left: Severity, right: Severity) -> Bool {
      left.rawValue < right.rawValue
    }
  }

  public var severity: Severity {
    switch kind {
    case .unassigned: .blocksCompletion
    case .repeated: .note
    case .outOfOrder, .missing, .incomplete, .short, .long: .worthALook
    }
  }
}

extension Finding: CustomStringConvertible {
  /// For people, in one line without a full stop.
  public var description: String {
    switch kind {
    case .unassigned: "unassigned"
    case .outOfOrder(let ayah, let after): "\(ayah) comes after \(after)"
    case .repeated(let ayah, _): "\(ayah) is repeated"
    case .missing(let range): "\(range.numericDescription) missing before this"
    case .incomplete(let ayah): "only a part of \(ayah) is recited"
    case .short(let factor): "\(tenths(factor)) times the expected length at this pace: too short?"
    case .long(let factor): "\(tenths(factor)) times the expected length at this pace: too long?"
    }
  }
}

private func tenths(_ factor: Double) -> Double { (factor * 10).rounded() / 10 }

extension AnnotationDocument {
  /// Looks over the whole annotation.
  /// - Returns: what was found, by segment, the gravest first.
  public func validate() -> [Finding] {
    var findings: [Finding] = []
    for segment in segments where segment.assignment == nil {
      findings.append(Finding(segment: segment.id, index: segment.index, kind: .unassigned))
    }
    findings += RecitationOrder.findings(in: segments.lazy.map { ($0.index, $0.passages) })
    findings += Pace.findings(in: self)
    return findings.enumerated().sorted { left, right in
      let (first, second) = (left.element, right.element)
      if first.index != second.index { return first.index < second.index }
      return first.severity != second.severity
        ? first.severity > second.severity : left.offset < right.offset
    }.map(\.element)
  }
}
