// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Quran

/// Whether a recording ends with the ayah that it was told to end with.
///
/// Where it does not, all ayat before the end are squeezed or stretched so that they fill it. So the last
/// minutes are aligned again at the pace of what precedes them, with the end left open.
struct EndSearch {
  let candidates: AlignmentCandidates
  let timeline: AlignmentTimeline
  let stopFlag: StopFlag

  /// How a recording ends.
  struct Ending {
    var last: AyahReference
    /// Where each ayah begins, as far as was looked.
    var starts: [AyahReference: FramePosition]
  }

  /// The last active seconds that are aligned again.
  private static let stretch = 200.0
  /// They begin after so many boundaries in a row that are at least so probable.
  private static let sureRows = 3
  private static let sureness = 0.9
  /// Ayat after the told one that may be the last.
  private static let beyond = 12
  /// How much likelier another end has to be, as a logarithm.
  private static let gain = 4.0

  /// Another end, if that fits much better.
  ///
  /// - Parameter told: the alignment to the end that was told, of the timeline.
  func better(than told: LengthAligner.Result) -> Ending? {
    guard let last = told.lastAyah, let row = beginning(of: told),
      let point = timeline.points.firstIndex(where: { $0.position == told.points[row].position })
    else { return nil }
    let tokens = Array(told.tokens[row...])
    var further = tokens
    var ayah = last
    for _ in 0..<Self.beyond {
      guard let next = ayah.next else { break }
      further += RecitedToken.tokens(AyahRange(first: ayah, last: next) ?? AyahRange(next))
        .dropFirst()
      ayah = next
    }
    let pace = told.paces[..<row].reduce(0, +) / Double(row)
    func align(_ tokens: [RecitedToken], isEndKnown: Bool) -> LengthAligner.Result? {
      var aligner = LengthAligner(
        candidates: candidates, timeline: timeline.suffix(fromPoint: point), tokens: tokens,
        isEndKnown: isEndKnown, leadIn: .none)
      aligner.stopFlag = stopFlag
      return aligner.align(
        hasLeadIn: false,
        LengthAligner.Learnt(
          paces: tokens.map { _ in pace }, spread: told.spread, evidence: told.evidence))
    }
    guard let own = align(tokens, isEndKnown: true),
      let open = align(further, isEndKnown: false), let found = open.lastAyah, found != last,
      open.logLikelihood > own.logLikelihood + Self.gain
    else { return nil }
    return Ending(last: found, starts: open.starts)
  }

  /// The last row that is surely right and early enough.
  private func beginning(of told: LengthAligner.Result) -> Int? {
    let latest = timeline.duration - Self.stretch
    return told.points.indices.last { row in
      row >= Self.sureRows && told.points[row].active <= latest && row < told.tokens.count
        && told.probabilities[(row - Self.sureRows)...row].allSatisfy { $0 >= Self.sureness }
    }
  }
}
