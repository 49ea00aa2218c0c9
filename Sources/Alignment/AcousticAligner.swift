// SPDX-License-Identifier: GPL-3.0-or-later

public import Acoustics
public import Analysis
public import AudioCore
import Annotation
import Quran

/// Finds where in a recording each ayah is, told where reciting starts.
///
/// Measures a recording once; alignments of it are pure and fast after that. Immutable; safe to use from
/// any thread.
public struct AcousticAligner: Sendable {
  let scores: AcousticScores
  let pauses: [Pause]
  let rate: SampleRate
  let length: FrameCount
  public var stopFlag = StopFlag()

  /// - Parameter scores: what the recording sounds like, by the network.
  public init(_ envelope: Envelope, scores: AcousticScores) throws(AnalysisError) {
    self.scores = scores
    pauses = try PauseDetector().detect(in: envelope).pauses
    rate = envelope.grid.rate
    length = envelope.length
  }

  /// Aligns the whole recording.
  ///
  /// - Returns: nil where what is heard is not the text, however it is laid: another passage, a reading that
  ///   the network does not know, or no speech.
  public func align(_ request: AlignmentRequest) -> AyahAlignment? {
    let passage = PassageAligner().align(
      first: request.first, last: request.last, furthest: furthest(from: request.first), scores,
      isStopped: { stopFlag.isStopped })
    guard let passage, isText(passage) else { return nil }
    return AlignmentBuilder(self, passage).alignment()
  }

  /// Whether the words that were found are the words that are said.
  private func isText(_ passage: PassageAligner.Passage) -> Bool {
    let tokens = Set(passage.heard.map(\.token))
    guard tokens.contains(where: { passage.tokens[$0].ayah != nil }) else { return false }
    let misfit = BoundaryMargins(chain: passage.chain, scores: scores, path: passage.path)
      .misfit(0..<scores.count)
    let repeats = passage.heard.count - tokens.count
    return misfit <= Self.greatestMisfit
      && Double(repeats) <= Self.mostRepeats * Double(tokens.count) + 2
  }

  /// Nats a frame by which a path may be worse than the best sounds. Among 71 recordings aligned rightly the
  /// greatest around edges is 0.89, half are below 0.45; told another surah it is 0.6 to 1.1.
  private static let greatestMisfit = 0.92
  /// Where the words are others, the path goes back again and again to fit them somehow.
  private static let mostRepeats = 0.25

  /// The last ayah that can be reached in the recording at the fastest pace: seven words in two seconds.
  private func furthest(from first: AyahReference) -> AyahReference {
    var words = Int(length.seconds(at: rate) * 3.5)
    var last = first
    while words > 0, let next = last.next {
      words -= QuranSounds.wordCount(of: last)
      last = next
    }
    return last
  }
}
