// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore

/// How much the picture of a recording changes, several times a second.
public struct MotionTrack: Hashable, Sendable {
  struct Sample: Hashable, Sendable {
    /// Of the frame that was compared with the sample before.
    var position: FramePosition
    /// The mean difference of red, green and blue, in percent; 0 for the first sample.
    var change: Float
  }

  /// Of the sound, in frames of the recording.
  public let length: FrameCount
  public let rate: SampleRate
  private(set) var samples: [Sample] = []
  /// Whether there is nothing more to be measured.
  public private(set) var isComplete = false

  /// Seconds between samples: nobody changes posture faster.
  static let interval = 0.2

  public init(length: FrameCount, rate: SampleRate) {
    self.length = length
    self.rate = rate
  }

  init(length: FrameCount, rate: SampleRate, samples: [Sample], isComplete: Bool) {
    self.length = length
    self.rate = rate
    self.samples = samples
    self.isComplete = isComplete
  }

  /// How much has been measured, 0...1.
  public var fraction: Double {
    if isComplete { return 1 }
    guard length > .zero, let last = samples.last?.position else { return 0 }
    return min(max(Double(last.frames) / Double(length.frames), 0), 1)
  }

  mutating func append(_ sample: Sample) { samples.append(sample) }

  mutating func complete() { isComplete = true }
}

/// Measures the motion of a recording from where its track ends. Belongs to one thread, which it blocks.
public final class MotionMeter {
  private let reader: VideoReader
  private let step: FrameCount
  private var last: (position: FramePosition, pixels: [UInt8])?
  private var hasBegun = false

  /// Few enough to be blind for the noise of a camera, and enough to see somebody bow.
  private static let request = PictureRequest(width: 32, height: 18, aspect: .stretch)

  /// - Parameter reader: for this alone; it reads no frames but those that others are made from.
  public init(_ reader: VideoReader, for track: MotionTrack) {
    self.reader = reader
    reader.readsReferencesOnly = true
    step = FrameCount(seconds: MotionTrack.interval, at: track.rate)
  }

  /// Decodes one frame; the track is complete after the last.
  public func measure(into track: inout MotionTrack) throws(VideoError) {
    if !hasBegun {
      hasBegun = true
      try reader.seek(to: track.samples.last?.position ?? FramePosition(.min / 2))
    }
    guard let frame = try reader.next() else { return track.complete() }
    if let last, frame.position < last.position + step { return }
    guard let picture = reader.picture(of: frame, as: Self.request) else { return }
    let isKnown = track.samples.last.map { frame.position <= $0.position } ?? false
    if !isKnown {
      if let last, frame.position > last.position + step + step {
        // A stream of variable rate has no frames while nothing moves.
        track.append(MotionTrack.Sample(position: frame.position - step, change: 0))
      }
      let change = last.map { Self.difference($0.pixels, picture.pixels) } ?? 0
      track.append(MotionTrack.Sample(position: frame.position, change: change))
    }
    last = (frame.position, picture.pixels)
  }

  /// In percent.
  static func difference(_ left: [UInt8], _ right: [UInt8]) -> Float {
    guard left.count == right.count, !left.isEmpty else { return 100 }
    var sum = 0
    for index in left.indices { sum += abs(Int(left[index]) - Int(right[index])) }
    return Float(sum) * 100 / Float(255 * left.count)
  }
}
