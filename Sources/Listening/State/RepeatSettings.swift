// SPDX-License-Identifier: GPL-3.0-or-later

import Playback

/// How often each item of the queue and each ayah of it is heard, in which order, and the silence between two ayat.
struct RepeatSettings: Hashable, Sendable {
  var ayah: RepeatCount
  var range: RepeatCount
  var practice: RangePractice
  var gapMilliseconds: Int
  /// Silence besides that, as so many times the ayah before it.
  var gapFactor: Double

  init(_ request: PlaybackRequest) {
    ayah = request.ayahRepeat
    range = request.rangeRepeat
    practice = request.practice
    gapMilliseconds = request.gapMilliseconds
    gapFactor = request.gapFactor
  }

  func apply(to request: inout PlaybackRequest) {
    request.ayahRepeat = ayah
    request.rangeRepeat = range
    request.practice = practice
    request.gapMilliseconds = gapMilliseconds
    request.gapFactor = gapFactor
  }

  /// The gap as it is typed behind `--gap`; nil without one.
  var gap: String? {
    let factor = gapFactor > 0 ? "\((gapFactor * 100).rounded() / 100)x" : nil
    let silence = gapMilliseconds > 0 ? "\(gapMilliseconds)ms" : nil
    let parts = [factor, silence].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: "+")
  }
}

extension State {
  /// Of the item that plays; whoever sets them sets them for all items.
  var repeats: RepeatSettings? {
    get { queue.isEmpty ? nil : RepeatSettings(queue[currentIndex ?? 0].request) }
    set {
      guard let newValue else { return }
      newRepeats = newValue
      let isOtherCount = queue.contains { $0.request.rangeRepeat != newValue.range }
      let ended = queue.endingWithRound(at: now?.item)
      for index in queue.indices { newValue.apply(to: &queue[index].request) }
      if isOtherCount {
        queue.renewLaterPasses(of: ended, from: now?.item, lastNumber: &lastNumber)
      }
      revision += 1
    }
  }
}

extension RepeatCount {
  /// The counts that two keys lead through; the last is without end.
  private static let ladder: [RepeatCount] =
    ((1...10) + [15, 20, 30, 40, 50, 100]).map { .times($0) } + [.endless]

  func stepped(by steps: Int) -> RepeatCount {
    let ladder = Self.ladder
    guard let times else { return ladder[max(ladder.count - 1 + min(steps, 0), 0)] }
    // A count between two steps goes to the nearest in the direction asked for.
    let index =
      steps > 0
      ? ladder.firstIndex { $0.times.map { $0 > times } ?? true }
      : ladder.lastIndex { $0.times.map { $0 < times } ?? false }
    return index.map { ladder[$0] } ?? self
  }
}
