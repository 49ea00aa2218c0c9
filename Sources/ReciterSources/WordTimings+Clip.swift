// SPDX-License-Identifier: GPL-3.0-or-later

public import Annotation
import AudioCore
public import Playback

extension WordTimings {
  /// The words of an ayah by the clip that it is heard in; nil for none.
  public init?(_ words: [TimedWord], in audio: AudioClip) {
    guard !words.isEmpty else { return nil }
    func milliseconds(_ frame: FramePosition) -> Int {
      let seconds = (frame - audio.span.lowerBound).seconds(at: audio.format.rate)
      return Int((seconds * 1000).rounded())
    }
    var spans: [Range<Int>] = []
    var numbers: [Int] = []
    for word in words {
      let start = max(milliseconds(word.span.lowerBound), spans.last?.upperBound ?? 0)
      let end = milliseconds(min(word.span.upperBound, audio.span.upperBound))
      guard start < end else { continue }
      spans.append(start..<end)
      numbers.append(word.number)
    }
    self.init(spans, numbers: numbers)
  }
}
