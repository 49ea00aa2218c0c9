// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
public import Decoding

/// The peaks of a span read from its samples: for zooms at which hops of 10 ms are too coarse.
public enum SpanPeaks {
  /// Divides a span evenly into columns and measures each, all channels together.
  ///
  /// Blocks while it decodes. Columns beyond the end of the recording are silent, and so are those of a
  /// span with fewer frames than columns that hold none.
  public static func measure(
    _ source: MediaSource, span: Range<FramePosition>, columns: Int,
    stopFlag: StopFlag = StopFlag()
  ) throws(AnalysisError) -> [Peaks] {
    guard columns > 0, !span.isEmpty else { return [] }
    let reader = try SpanReader(source, stopFlag: stopFlag)
    let channels = reader.channels
    let length = Int(span.length.frames)
    var measures = [Measure](repeating: Measure(), count: columns)
    var frame = 0
    try reader.read(span) { samples in
      var sample = 0
      while sample < samples.count {
        let column = min(frame * columns / length, columns - 1)
        // The first frame of the next column.
        let next = ((column + 1) * length + columns - 1) / columns
        let end = min(sample + (next - frame) * channels, samples.count)
        measures[column].add(UnsafeBufferPointer(rebasing: samples[sample..<end]))
        frame += (end - sample) / channels
        sample = end
      }
    }
    return measures.map(\.peaks)
  }

  private struct Measure {
    private var sum = 0.0
    private var count = 0
    private var lowest = Float.infinity
    private var highest = -Float.infinity

    mutating func add(_ samples: UnsafeBufferPointer<Float>) {
      var square: Float = 0
      for sample in samples {
        square += sample * sample
        lowest = min(lowest, sample)
        highest = max(highest, sample)
      }
      sum += Double(square)
      count += samples.count
    }

    var peaks: Peaks {
      guard count > 0 else { return Peaks(meanSquare: 0, minimum: 0, maximum: 0) }
      return Peaks(
        meanSquare: Float(sum / Double(count)), minimum: Int16(sample: lowest),
        maximum: Int16(sample: highest))
    }
  }
}
