// SPDX-License-Identifier: GPL-3.0-or-later

public import Quran

/// One occurrence of an ayah in the playback order.
public struct AyahOccurrence: Hashable, Sendable {
  public enum Part: Hashable, Sendable {
    case connectionBefore, range, connectionAfter, continuation
  }

  public let ayah: AyahReference
  public let part: Part
  /// Which repetition of the ayah, counted from 1.
  public let repetition: Int
  /// The repetition of the range, counted from 1; for an ayah outside the range, the repetition
  /// that it leads into or out of.
  public let pass: Int
  /// The number of ayat played in this pass if each pass grows by one; else 1.
  public let stage: Int

  init(ayah: AyahReference, part: Part, repetition: Int, pass: Int, stage: Int = 1) {
    self.ayah = ayah
    self.part = part
    self.repetition = repetition
    self.pass = pass
    self.stage = stage
  }
}

/// The playback order of the ayat of a request, computed from any occurrence without a list.
public struct Itinerary: Hashable, Sendable {
  /// The step from one occurrence to the next.
  public enum Step: Hashable, Sendable {
    /// The same ayah once more.
    case again
    /// The ayah after it.
    case onward
    /// The range from its start, up to one ayah more than before.
    case nextStage
    /// The range from its start.
    case nextPass
    /// The ayah after the range, which is complete.
    case beyond
  }

  public let request: PlaybackRequest
  /// Ayat before the range.
  public let lead: AyahRange?
  /// Ayat after the range; none when the range never ends, or ends in another request.
  public let tail: AyahRange?
  private let lastConnection: AyahReference?

  public init(_ request: PlaybackRequest) {
    self.request = request
    let range = request.range
    lead =
      request.firstPass > 1 ? nil : Self.ayat(request.connectionBefore, before: range.first)
    let connection = Self.ayat(request.connectionAfter, after: range.last)
    lastConnection = connection?.last
    let continuation: AyahRange? =
      switch request.afterRepeat {
      case .stop: nil
      case .continueAyat(let count): Self.ayat(count, after: range.last)
      case .continuePages(let count): Self.pages(count, after: range.last)
      }
    let last = [connection, continuation].compactMap { $0?.last }.max()
    tail =
      request.reachesLastPass
      ? range.last.next.flatMap { next in
        last.flatMap { AyahRange(first: next, last: $0) }
      } : nil
  }

  /// All ayat that play at least once if nobody intervenes.
  public var extent: AyahRange {
    let first = lead?.first ?? request.range.first
    return AyahRange(first: first, last: tail?.last ?? request.range.last) ?? request.range
  }

  public var first: AyahOccurrence { occurrence(extent.first, pass: request.firstPass) }

  /// The next occurrence; nil at the end.
  ///
  /// - Parameter skipsRepetitions: whether the ayah is left whatever repetitions remain.
  public func following(
    _ occurrence: AyahOccurrence, skipsRepetitions: Bool = false
  ) -> (occurrence: AyahOccurrence, step: Step)? {
    let isInRange = occurrence.part == .range
    if isInRange, !skipsRepetitions,
      repetitions(of: occurrence).allows(occurrence.repetition + 1)
    {
      let again = AyahOccurrence(
        ayah: occurrence.ayah, part: .range, repetition: occurrence.repetition + 1,
        pass: occurrence.pass, stage: occurrence.stage)
      return (again, .again)
    }
    if isInRange, occurrence.ayah == request.range.last {
      if request.plays(pass: occurrence.pass + 1) {
        return (self.occurrence(request.range.first, pass: occurrence.pass + 1), .nextPass)
      }
      return tail.map { (self.occurrence($0.first, pass: occurrence.pass), .beyond) }
    }
    if isInRange, isCumulative, number(of: occurrence.ayah) >= occurrence.stage {
      let first = AyahOccurrence(
        ayah: request.range.first, part: .range, repetition: 1, pass: occurrence.pass,
        stage: occurrence.stage + 1)
      return (first, .nextStage)
    }
    guard let next = occurrence.ayah.next, extent.contains(next) else {
      // The range was made endless after it had been left.
      guard !isInRange, request.rangeRepeat == .endless, request.lastPass == nil else {
        return nil
      }
      return (self.occurrence(request.range.first, pass: occurrence.pass + 1), .nextPass)
    }
    return (neighbour(next, of: occurrence), .onward)
  }

  /// What follows a hearing, when other ayat were heard in the same sound.
  func following(
    _ occurrence: AyahOccurrence, skipsRepetitions: Bool, past together: AyahRange?
  ) -> (occurrence: AyahOccurrence, step: Step)? {
    var found = following(occurrence, skipsRepetitions: skipsRepetitions)
    while let together, let (next, step) = found, step == .onward || step == .beyond,
      together.contains(next.ayah)
    {
      found = following(next, skipsRepetitions: true)
    }
    return found
  }

  /// The occurrence that "previous" goes to; from the first ayah, its start.
  public func preceding(_ occurrence: AyahOccurrence) -> AyahOccurrence {
    if occurrence.part == .range, occurrence.ayah == request.range.first {
      // The last ayah of the stage before, or of the pass before.
      if isCumulative, occurrence.stage > 1,
        let last = request.range.first.advanced(by: occurrence.stage - 2)
      {
        return self.occurrence(last, pass: occurrence.pass)
      }
      if occurrence.pass > request.firstPass {
        return self.occurrence(request.range.last, pass: occurrence.pass - 1)
      }
    }
    guard let previous = occurrence.ayah.previous, extent.contains(previous) else {
      return self.occurrence(occurrence.ayah, pass: occurrence.pass)
    }
    return neighbour(previous, of: occurrence)
  }

  /// The occurrence after which one comes; nil at the first. Where an ayah repeats without end, it is left after
  /// the first repetition.
  public func occurrence(before occurrence: AyahOccurrence) -> AyahOccurrence? {
    func repeated(_ times: Int, _ first: AyahOccurrence) -> AyahOccurrence {
      AyahOccurrence(
        ayah: first.ayah, part: first.part, repetition: times, pass: first.pass, stage: first.stage)
    }
    if occurrence.repetition > 1 { return repeated(occurrence.repetition - 1, occurrence) }
    let previous = preceding(occurrence)
    if previous == occurrence { return nil }
    return repeated(repetitions(of: previous).times ?? 1, previous)
  }

  /// The last occurrence of all; where the range repeats without end, of its first pass.
  public var last: AyahOccurrence {
    let pass = request.lastPass ?? request.rangeRepeat.times ?? request.firstPass
    let last = occurrence(extent.last, pass: pass)
    return AyahOccurrence(
      ayah: last.ayah, part: last.part, repetition: repetitions(of: last).times ?? 1, pass: pass,
      stage: last.stage)
  }

  /// The first occurrence of an ayah in a pass; nil if the ayah does not play.
  public func firstOccurrence(of ayah: AyahReference, pass: Int) -> AyahOccurrence? {
    extent.contains(ayah) ? occurrence(ayah, pass: pass) : nil
  }

  /// The ayat of a part of the request, for the display of "ayah n of m".
  public func ayat(of part: AyahOccurrence.Part) -> AyahRange {
    switch part {
    case .connectionBefore: lead ?? request.range
    case .range: request.range
    case .connectionAfter, .continuation: tail ?? request.range
    }
  }

  /// An occurrence that was planned by another order of the ayat, in this one.
  func adopting(_ occurrence: AyahOccurrence) -> AyahOccurrence {
    let stage =
      isCumulative && occurrence.part == .range
      ? max(occurrence.stage, number(of: occurrence.ayah)) : 1
    return AyahOccurrence(
      ayah: occurrence.ayah, part: occurrence.part, repetition: occurrence.repetition,
      pass: occurrence.pass, stage: stage)
  }

  /// How often an ayah plays before the next one, at a given occurrence.
  public func repetitions(of occurrence: AyahOccurrence) -> RepeatCount {
    guard occurrence.part == .range else { return .once }
    switch request.practice {
    case .plain: return request.ayahRepeat
    case .stepping:
      guard let times = request.ayahRepeat.times else { return .endless }
      let (product, isTooMuch) = times.multipliedReportingOverflow(by: number(of: occurrence.ayah))
      return .times(isTooMuch ? .max : product)
    case .cumulative:
      return number(of: occurrence.ayah) == occurrence.stage ? request.ayahRepeat : .once
    }
  }

  /// The number of occurrences; nil if endless or too large to count.
  public var occurrenceCount: Int? {
    guard let last = request.lastPass ?? request.rangeRepeat.times, let pass = passCount else {
      return nil
    }
    let passes = max(last - request.firstPass + 1, 1)
    let (range, isTooMuch) = pass.multipliedReportingOverflow(by: passes)
    guard !isTooMuch, range <= Int.max - 2 * AyahReference.count else { return nil }
    return (lead?.count ?? 0) + range + (tail?.count ?? 0)
  }

  /// The number of occurrences before one; nil if endless.
  public func occurrences(before occurrence: AyahOccurrence) -> Int? {
    guard let all = occurrenceCount, let pass = passCount,
      let repetitions = request.ayahRepeat.times
    else { return nil }
    let place = occurrence.ayah.absoluteIndex
    switch occurrence.part {
    case .connectionBefore: return place - extent.first.absoluteIndex
    case .range:
      let (number, stage) = (number(of: occurrence.ayah), occurrence.stage)
      let passed =
        switch request.practice {
        case .plain: (number - 1) * repetitions
        case .stepping: number * (number - 1) / 2 * repetitions
        case .cumulative:
          (stage - 1) * (stage - 2) / 2 + (stage - 1) * repetitions + number - 1
        }
      let passesBefore = occurrence.pass - request.firstPass
      return (lead?.count ?? 0) + passesBefore * pass + passed + occurrence.repetition - 1
    case .connectionAfter, .continuation: return all - (extent.last.absoluteIndex - place) - 1
    }
  }

  /// How many hearings one pass of the range has.
  private var passCount: Int? {
    guard let repetitions = request.ayahRepeat.times else { return nil }
    let ayat = request.range.count
    let (times, others) =
      switch request.practice {
      case .plain: (ayat, 0)
      case .stepping: (ayat * (ayat + 1) / 2, 0)
      case .cumulative: (ayat, ayat * (ayat - 1) / 2)
      }
    let (product, isTooMuch) = times.multipliedReportingOverflow(by: repetitions)
    return isTooMuch || product > .max - others ? nil : product + others
  }

  private var isCumulative: Bool { request.practice == .cumulative }

  /// Of an ayah of the range, counted from 1.
  private func number(of ayah: AyahReference) -> Int {
    ayah.absoluteIndex - request.range.first.absoluteIndex + 1
  }

  /// The ayah before or after a hearing; inside the range in the same stage.
  private func neighbour(_ ayah: AyahReference, of occurrence: AyahOccurrence) -> AyahOccurrence {
    guard occurrence.part == .range, request.range.contains(ayah) else {
      return self.occurrence(ayah, pass: occurrence.pass)
    }
    return AyahOccurrence(
      ayah: ayah, part: .range, repetition: 1, pass: occurrence.pass, stage: occurrence.stage)
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
    let stage = part == .range && isCumulative ? number(of: ayah) : 1
    return AyahOccurrence(ayah: ayah, part: part, repetition: 1, pass: pass, stage: stage)
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
