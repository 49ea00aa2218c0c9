// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore

/// From places in one file to the places of the same sounds in another: another rate, and a start that
/// lies earlier or later.
public struct Retiming: Hashable, Sendable {
  public let oldRate: SampleRate
  public let newRate: SampleRate
  /// Seconds by which a sound comes later in the new file.
  public let delay: Double

  public init(from oldRate: SampleRate, to newRate: SampleRate, delay: Double = 0) {
    self.oldRate = oldRate
    self.newRate = newRate
    self.delay = delay
  }

  public var isIdentity: Bool { oldRate == newRate && delay == 0 }

  public func callAsFunction(_ position: FramePosition) -> FramePosition {
    if position == .zero { return .zero }
    if isIdentity { return position }
    return FramePosition(seconds: position.seconds(at: oldRate) + delay, at: newRate)
  }
}

extension Assignment {
  public func retimed(_ retiming: Retiming) -> Assignment {
    var result = self
    result.replaceJoins(with: joins.map { retiming($0) })
    return result
  }
}

extension Marker {
  public func retimed(_ retiming: Retiming) -> Marker {
    var result = self
    result.position = retiming(position)
    return result
  }
}

extension Attribution {
  func retimed(_ retiming: Retiming) -> Attribution {
    var result = self
    result.assignment = assignment.retimed(retiming)
    return result
  }
}

extension SegmentRecord {
  public func retimed(_ retiming: Retiming) -> SegmentRecord {
    var result = self
    result.start = start?.retimed(retiming)
    result.content.attribution = content.attribution?.retimed(retiming)
    return result
  }
}

extension TimedWord {
  /// Nil where nothing is left of it at the new rate.
  public func retimed(_ retiming: Retiming) -> TimedWord? {
    let (start, end) = (retiming(span.lowerBound), retiming(span.upperBound))
    return start < end ? TimedWord(ayah, number, start..<end) : nil
  }
}

extension WordChange {
  func retimed(_ retiming: Retiming) -> WordChange {
    WordChange(
      exactly: old.compactMap { $0.retimed(retiming) }, new.compactMap { $0.retimed(retiming) })
  }
}

extension Change {
  public func retimed(_ retiming: Retiming) -> Change {
    Change(
      first: first, exactly: old.map { $0.retimed(retiming) },
      new.map { $0.retimed(retiming) }, words: words?.retimed(retiming))
  }
}

extension Suggestions {
  func retimed(_ retiming: Retiming) -> Suggestions {
    let start = retiming(range.lowerBound)
    // The start of a recording stays its start, even if all else comes sooner.
    return Suggestions(
      in: start..<max(start, retiming(range.upperBound)),
      opening: opening?.retimed(retiming),
      boundaries.map { Boundary($0.marker.retimed(retiming), $0.attribution?.retimed(retiming)) },
      words: words?.compactMap { $0.retimed(retiming) })
  }
}

extension Edit {
  public func retimed(_ retiming: Retiming) -> Edit {
    switch self {
    case .deleteMarker, .confirmMarker, .unconfirmMarker, .clear, .confirm, .confirmAll, .unconfirm,
      .setNote, .setFlag, .fill:
      self
    case .addMarker(let marker): .addMarker(marker.retimed(retiming))
    case .moveMarker(let id, let position): .moveMarker(id, to: retiming(position))
    case .assign(let segment, let attribution, let confirming):
      .assign(segment, attribution.retimed(retiming), confirming: confirming)
    case .moveJoin(let segment, let index, let position):
      .moveJoin(segment, index: index, to: retiming(position))
    case .replaceSuggestions(let suggestions):
      .replaceSuggestions(suggestions.retimed(retiming))
    case .replaceAll(let records, let words):
      .replaceAll(
        records.map { $0.retimed(retiming) }, words: words?.compactMap { $0.retimed(retiming) })
    }
  }
}
