// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore

/// What a recording sounds like, measured where it is asked for.
///
/// Decoding all of a long recording takes longer than its alignment by lengths; most of it need not be
/// heard for that.
public struct SoundExcerpts: Sendable {
  private let read: @Sendable (Range<FramePosition>) -> Cepstra?

  /// - Parameter read: the cepstra of a span; nil where they cannot be had. Called on the aligning thread.
  public init(_ read: @escaping @Sendable (Range<FramePosition>) -> Cepstra?) { self.read = read }

  /// Parts of what is measured already.
  public init(of recording: Cepstra, rate: SampleRate) {
    self.init { recording.part($0, rate: rate) }
  }

  /// On the clock of what begins at a place of the recording.
  public func from(_ start: FramePosition) -> SoundExcerpts {
    let offset = start - FramePosition.zero
    return SoundExcerpts { cepstra(in: $0.lowerBound + offset..<$0.upperBound + offset) }
  }

  func cepstra(in span: Range<FramePosition>) -> Cepstra? { read(span) }
}

extension Cepstra {
  /// Levels of the bands in place of coefficients: what the hops know of the sound, of each 40 ms three
  /// times the four bands.
  init(bandsOf tracks: SoundTracks) {
    let hops = HopGrid.hopsPerSecond / Self.framesPerSecond
    let times = Self.width / Hop.bandCount
    let frames = tracks.count / hops
    var levels: [Float] = []
    levels.reserveCapacity(frames * Self.width)
    for frame in 0..<frames {
      for time in 0..<times {
        let hop = frame * hops + time
        for band in tracks.bands { levels.append((band[hop] + band[hop + 1]) / 2) }
      }
    }
    self.init(coefficients: levels)
  }
}
