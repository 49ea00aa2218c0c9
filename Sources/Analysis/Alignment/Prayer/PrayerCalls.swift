// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation

/// Names what is said between standings, and the silences there, by place and length.
struct PrayerCalls {
  /// Something said, and what the silence after it is.
  struct Call: Hashable {
    var span: Range<Double>
    var reason: UnusedReason
    var silence = UnusedReason.silence
  }

  /// A salam is longer than a takbir, in seconds.
  private static let shortestSalam = 3.0
  /// Longer speech than this belongs to no prayer.
  private static let longestSalam = 9.0
  private static let waitForSalam = 6.0
  /// How much longer than a takbir the call after a bow is.
  private static let lengthOfTasmee = 1.15

  /// Everything said outside of standings, in order.
  private(set) var spans: [Range<Double>]
  /// How long a takbir takes, in seconds: most calls are takbirs.
  let takbir: Double

  /// Where in it two salams that run into each other meet, as shares of both, and how long the pause is.
  private static let middle = 0.3...0.7
  private static let pauseOfSalams = 0.3

  /// - Parameter pauses: all short silences, in order.
  init(_ calls: [Range<Double>], pauses: [ClosedRange<Double>]) {
    spans = calls.flatMap { Self.parts(of: $0, pauses) }.sorted { $0.lowerBound < $1.lowerBound }
    let lengths = calls.map(\.length).filter { $0 < Self.longestSalam }.sorted()
    takbir = lengths.isEmpty ? 2 : lengths[lengths.count / 2]
  }

  /// The two salams of a call that is as long as both.
  private static func parts(
    of call: Range<Double>, _ pauses: [ClosedRange<Double>]
  ) -> [Range<Double>] {
    guard call.length > longestSalam, call.length <= 2 * longestSalam,
      let pause = pauses.filter({ pause in
        pause.length >= pauseOfSalams && pause.upperBound < call.upperBound
          && middle.contains((pause.lowerBound - call.lowerBound) / call.length)
      }).max(by: { $0.length < $1.length })
    else { return [call] }
    return [call.lowerBound..<pause.lowerBound, pause.upperBound..<call.upperBound]
  }

  mutating func insert(_ call: Range<Double>) {
    let place = spans.firstIndex { $0.lowerBound > call.lowerBound } ?? spans.count
    spans.insert(call, at: place)
  }

  func between(_ start: Double, _ end: Double) -> [Range<Double>] {
    spans.filter { $0.lowerBound >= start && $0.lowerBound < end }
  }

  func isTasmee(_ call: Range<Double>) -> Bool {
    call.length >= Self.lengthOfTasmee * takbir && call.length <= Self.longestSalam
  }

  /// Two long calls, one soon after the other.
  func salams(in group: [Range<Double>]) -> Range<Int>? {
    let range = max(Self.shortestSalam, takbir * Self.lengthOfTasmee)...Self.longestSalam
    let first = group.indices.dropLast().first { index in
      range.contains(group[index].length) && range.contains(group[index + 1].length)
        && group[index + 1].lowerBound - group[index].upperBound < Self.waitForSalam
    }
    return first.map { $0..<($0 + 2) }
  }

  /// What is said after a standing.
  ///
  /// - Parameters:
  ///   - hasTakbir: whether the takbir that ended it is known already.
  ///   - isProstration: whether reciting goes on after it without al-Fatiha.
  func labels(
    _ group: [Range<Double>], after kind: PrayerAligner.Kind, hasTakbir: Bool, isProstration: Bool
  ) -> [Call] {
    let salams = salams(in: group) ?? group.count..<group.count
    var calls = group.enumerated().map { index, span in
      Call(
        span: span,
        reason: span.length > Self.longestSalam
          ? .speech : salams.contains(index) ? .salam : .takbir)
    }
    guard kind != .speech else { return calls }
    if isProstration {
      if !hasTakbir, !calls.isEmpty { calls[0].silence = .sujud }
      return calls
    }
    var first = 0
    if kind != .supplication {
      if let tasmee = tasmee(in: group[..<salams.lowerBound], hasTakbir: hasTakbir) {
        calls[tasmee].reason = .tasmee
        if tasmee > 0 { calls[tasmee - 1].silence = .ruku }
        first = tasmee + 1
      }
    }
    for (number, index) in (first..<salams.lowerBound).enumerated() {
      switch number {
      case 0, 2: calls[index].silence = .sujud
      case 3 where !salams.isEmpty: calls[index].silence = .tashahhud
      default: break
      }
    }
    return calls
  }

  /// Which call ends the bow: the longest of those at its place.
  private func tasmee(in group: ArraySlice<Range<Double>>, hasTakbir: Bool) -> Int? {
    let usual = hasTakbir ? 0 : 1
    let places = group.indices.filter { $0 <= usual + 1 && isTasmee(group[$0]) }
    return places.max { group[$0].length < group[$1].length }
      ?? (group.indices.contains(usual) ? usual : nil)
  }
}
