// SPDX-License-Identifier: GPL-3.0-or-later

public import Quran

/// One hearing of an ayah.
public struct AyahOccurrence: Hashable, Sendable {
  public enum Part: Hashable, Sendable {
    case connectionBefore, range, connectionAfter, continuation
  }

  public let ayah: AyahReference
  public let part: Part
  /// Which repetition of the ayah, counted from 1.
  public let repetition: Int
  /// Which repetition of the range, counted from 1; outside the range that of which it leads in or out.
  public let pass: Int
}

/// The order in which the ayat of a request are heard, found from any hearing without a list of them.
public struct Itinerary: Hashable, Sendable {
  /// How one hearing follows another.
  public enum Step: Hashable, Sendable {
    /// The same ayah once more.
    case again
    /// The ayah after it.
    case onward
    /// The range from its start.
    case nextPass
    /// The ayah after the range, which is complete.
    case beyond
  }

  public let request: PlaybackRequest
  /// Ayat before the range.
  public let lead: AyahRange?
  /// Ayat after the range; none when the range never ends.
  public let tail: AyahRange?
  private let lastConnection: AyahReference?

  public init(_ request: PlaybackRequest) {
    self.request = request
    let range = request.range
    let before = Self.ayat(request.connectionBefore, before: range.first)
    lead = before
    let connection = Self.ayat(request.connectionAfter, after: range.last)
    lastConnection = connection?.last
    let continuation: AyahRange? =
      switch request.afterRepeat {
      case .stop: nil
      case .continueAyat(let count): Self.ayat(count, after: range.last)
      case .continuePages(let count): Self.pages(count, after: range.last)
      }
    let last = [connection, continuation].compactMap { $0?.last }.max()
    let isReached = request.rangeRepeat != .endless
    tail =
      isReached
      ? range.last.next.flatMap { next in
        last.flatMap { AyahRange(first: next, last: $0) }
      } : nil
  }

  /// All ayat that are heard at least once, when nobody interferes.
  public var extent: AyahRange {
    let first = lead?.first ?? request.range.first
    return AyahRange(first: first, last: tail?.last ?? request.range.last) ?? request.range
  }

  public var first: AyahOccurrence { occurrence(extent.first, pass: 1) }

  /// What follows a hearing by itself; nil at the end.
  ///
  /// - Parameter skipsRepetitions: whether the ayah is left whatever repetitions remain.
  public func following(
    _ occurrence: AyahOccurrence, skipsRepetitions: Bool = false
  ) -> (occurrence: AyahOccurrence, step: Step)? {
    let isInRange = occurrence.part == .range
    if isInRange, !skipsRepetitions, request.ayahRepeat.allows(occurrence.repetition + 1) {
      let again = AyahOccurrence(
        ayah: occurrence.ayah, part: .range, repetition: occurrence.repetition + 1,
        pass: occurrence.pass)
      return (again, .again)
    }
    if isInRange, occurrence.ayah == request.range.last {
      if request.rangeRepeat.allows(occurrence.pass + 1) {
        return (self.occurrence(request.range.first, pass: occurrence.pass + 1), .nextPass)
      }
      return tail.map { (self.occurrence($0.first, pass: occurrence.pass), .beyond) }
    }
    guard let next = occurrence.ayah.next, extent.contains(next) else { return nil }
    return (self.occurrence(next, pass: occurrence.pass), .onward)
  }

  /// The hearing that a person goes back to; from the first ayah that one again.
  public func preceding(_ occurrence: AyahOccurrence) -> AyahOccurrence {
    if occurrence.part == .range, occurrence.ayah == request.range.first, occurrence.pass > 1 {
      return self.occurrence(request.range.last, pass: occurrence.pass - 1)
    }
    guard let previous = occurrence.ayah.previous, extent.contains(previous) else {
      return self.occurrence(occurrence.ayah, pass: occurrence.pass)
    }
    return self.occurrence(previous, pass: occurrence.pass)
  }

  /// The first hearing of an ayah in a pass; nil when it is not to be heard at all.
  public func firstOccurrence(of ayah: AyahReference, pass: Int) -> AyahOccurrence? {
    extent.contains(ayah) ? occurrence(ayah, pass: pass) : nil
  }

  /// The ayat of a part of the request, among which a occurrence is counted for display.
  public func ayat(of part: AyahOccurrence.Part) -> AyahRange {
    switch part {
    case .connectionBefore: lead ?? request.range
    case .range: request.range
    case .connectionAfter, .continuation: tail ?? request.range
    }
  }

  /// How many hearings there are in all; nil when there is no end.
  public var occurrenceCount: Int? {
    guard let repetitions = request.ayahRepeat.times, let passes = request.rangeRepeat.times else {
      return nil
    }
    return (lead?.count ?? 0) + request.range.count * repetitions * passes + (tail?.count ?? 0)
  }

  /// How many hearings come before one; nil when there is no end.
  public func occurrences(before occurrence: AyahOccurrence) -> Int? {
    guard let all = occurrenceCount, let repetitions = request.ayahRepeat.times else { return nil }
    let place = occurrence.ayah.absoluteIndex
    switch occurrence.part {
    case .connectionBefore: return place - extent.first.absoluteIndex
    case .range:
      let passed = (occurrence.pass - 1) * request.range.count * repetitions
      return (lead?.count ?? 0) + passed + occurrence.repetition - 1
        + (place - request.range.first.absoluteIndex) * repetitions
    case .connectionAfter, .continuation: return all - (extent.last.absoluteIndex - place) - 1
    }
  }

  private func occurrence(_ ayah: AyahReference, pass: Int) -> AyahOccurrence {
    let part: AyahOccurrence.Part
    if ayah < request.range.first {
      part = .connectionBefore
    } else if ayah <= request.range.last {
      part = .range
    } else if let lastConnection, ayah <= lastConnection {
      part = .connectionAfter
    } else {
      part = .continuation
    }
    return AyahOccurrence(ayah: ayah, part: part, repetition: 1, pass: pass)
  }

  // Counts may be anything a person types; the Quran's ends bound them.

  private static func ayat(_ count: Int, before ayah: AyahReference) -> AyahRange? {
    guard count > 0, let last = ayah.previous else { return nil }
    return AyahRange(
      first: ayah.advanced(by: -min(count, AyahReference.count)) ?? .first, last: last)
  }

  private static func ayat(_ count: Int, after ayah: AyahReference) -> AyahRange? {
    guard count > 0, let first = ayah.next else { return nil }
    return AyahRange(
      first: first, last: ayah.advanced(by: min(count, AyahReference.count)) ?? .last)
  }

  private static func pages(_ count: Int, after ayah: AyahReference) -> AyahRange? {
    guard count > 0, let first = ayah.next else { return nil }
    let pages = QuranDivision.page
    let number = min(ayah.page + min(count, pages.count), pages.count)
    return (try? pages.range(of: number).last).flatMap { AyahRange(first: first, last: $0) }
  }
}
