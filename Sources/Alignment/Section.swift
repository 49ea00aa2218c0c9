// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics
import AudioCore
import Quran

/// A part of a recording, and what is known of what is recited in it.
struct Section: Hashable, Sendable {
  var span: Range<FramePosition>
  /// Frames of the scores.
  var frames: Range<Int>
  var edges = RecitationGrammar.Edges()
  /// The first ayah of the passage, or of a prayer's portions, that is expected in it.
  var first: AyahReference
  /// The last, nil where nobody knows.
  var last: AyahReference?

  var firstFrame: Int { frames.lowerBound }

  /// Where one of its frames lies in the recording.
  func position(ofFrame frame: Int, rate: SampleRate) -> FramePosition {
    let position = FramePosition(
      seconds: LogMelFrames.seconds(ofFrame: firstFrame + frame), at: rate)
    return min(max(position, span.lowerBound), span.upperBound)
  }

  init(
    _ span: Range<FramePosition>, edges: RecitationGrammar.Edges = .init(), first: AyahReference,
    last: AyahReference?, rate: SampleRate, frameCount: Int
  ) {
    self.span = span
    self.edges = edges
    self.first = first
    self.last = last
    func frame(_ position: FramePosition) -> Int {
      min(Int(position.seconds(at: rate) * Double(LogMelFrames.framesPerSecond)), frameCount)
    }
    frames = frame(span.lowerBound)..<max(frame(span.upperBound), frame(span.lowerBound))
    // The last frame may be a short one.
    if frameCount - frames.upperBound == 1 { frames = frames.lowerBound..<frameCount }
  }
}

extension RecitationGrammar.Edges.Start {
  /// Whether what begins there begins just there.
  var isExact: Bool {
    if case .at = self { true } else { false }
  }
}
