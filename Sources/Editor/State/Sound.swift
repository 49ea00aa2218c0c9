// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
import TerminalUI

/// What is known of how the recording sounds, as far as it has arrived.
public struct Sound: Sendable {
  /// RMS at evenly spaced points over the whole recording, the loudest 1; grows while it is analysed.
  public internal(set) var overview: [Float] = []
  /// How far the analysis is, 0...1; nil when there is none under way.
  public internal(set) var analysis: Double?
  public internal(set) var levels: LevelTrack
  /// Stretches without a voice, in order; shaded on the canvas.
  public internal(set) var pauses: [Range<FramePosition>] = []
  public internal(set) var waveform: WaveformWindow?
  public internal(set) var spectrogram: SpectrogramWindow?
  /// What the strip of the whole recording shows.
  var overviewBars: OverviewBars?
  /// The waveform of the segment whose inside is being divided.
  public internal(set) var miniature: WaveformWindow?
  /// What has been asked for and not come yet.
  var requested: [WindowRequest.Use: WindowRequest] = [:]
  /// What was asked for in vain, so that it is not asked for again.
  var failed: [WindowRequest.Use: WindowRequest] = [:]
  /// What more has become known of since it came.
  var stale: Set<WindowRequest.Use> = []

  init(rate: SampleRate) { levels = LevelTrack(rate: rate) }

  mutating func answer(_ request: WindowRequest) {
    if requested[request.use] == request { requested[request.use] = nil }
  }
}

/// The columns of a waveform over a span, evenly divided.
public struct WaveformWindow: Hashable, Sendable {
  public let span: Range<FramePosition>
  public let columns: [Column]

  public struct Column: Hashable, Sendable {
    /// -1...1.
    public var minimum: Float
    public var maximum: Float
    /// 0...1.
    public var rms: Float
    /// RMS of the background there, and below which the detector took it for a pause.
    public var floor: Float?
    public var threshold: Float?

    public init(
      minimum: Float, maximum: Float, rms: Float, floor: Float? = nil, threshold: Float? = nil
    ) {
      self.minimum = minimum
      self.maximum = maximum
      self.rms = rms
      self.floor = floor
      self.threshold = threshold
    }

  }

  public init(span: Range<FramePosition>, columns: [Column]) {
    self.span = span
    self.columns = columns
  }

  /// What the columns over some frames have together; nil where the window does not reach.
  func column(over frames: Range<FramePosition>) -> Column? {
    guard let indices = columnIndices(over: frames, of: columns.count, spanning: span) else {
      return nil
    }
    var joined = columns[indices.lowerBound]
    var square = Double(joined.rms * joined.rms)
    for column in columns[indices].dropFirst() {
      joined.minimum = min(joined.minimum, column.minimum)
      joined.maximum = max(joined.maximum, column.maximum)
      square += Double(column.rms * column.rms)
    }
    joined.rms = Float((square / Double(indices.count)).squareRoot())
    return joined
  }
}

/// The loudness of bands of frequency over a span, evenly divided.
public struct SpectrogramWindow: Hashable, Sendable {
  public let span: Range<FramePosition>
  /// Bands of each column, the lowest first.
  public let bands: Int
  /// Column by column, 0 for silence to 255 for the loudest.
  public let values: [UInt8]
  /// What is drawn for each value: from the background of what is shown to its loudest.
  private let shades: [UInt8]

  public init(span: Range<FramePosition>, bands: Int, values: [UInt8]) {
    self.span = span
    self.bands = max(bands, 1)
    self.values = values
    shades = Self.shades(for: values)
  }

  /// Shares of the values that are drawn in black and in full: between words a voice leaves most bands to
  /// the background.
  private static let (dark, full) = (0.2, 0.003)
  /// Steps of a value that the contrast is spread over at least: a background alone stays dark.
  private static let leastContrast = 64

  private static func shades(for values: [UInt8]) -> [UInt8] {
    var counts = [Int](repeating: 0, count: 256)
    for value in values { counts[Int(value)] += 1 }
    func value(below share: Double) -> Int {
      var left = Int(Double(values.count) * share)
      for value in counts.indices {
        left -= counts[value]
        if left < 0 { return value }
      }
      return 255
    }
    let top = max(value(below: 1 - full), leastContrast)
    let bottom = min(value(below: dark), top - leastContrast)
    return (0..<256).map { UInt8(min(max(($0 - bottom) * 255 / (top - bottom), 0), 255)) }
  }

  var columnCount: Int { values.count / bands }

  /// A picture of it, each of its columns the loudest of those over some frames.
  func heat(over spans: [Range<FramePosition>], ramp: [UInt8]) -> PixelHeat {
    let sources = spans.map { columnIndices(over: $0, of: columnCount, spanning: span) ?? 0..<0 }
    return PixelHeat(sources, bands: bands, values: values, shades: shades, ramp: ramp)
  }

  /// How bright the loudest of the columns over some frames is in one band, 0...255; nil where the window
  /// does not reach.
  func value(over frames: Range<FramePosition>, band: Int) -> UInt8? {
    guard (0..<bands).contains(band),
      let indices = columnIndices(over: frames, of: columnCount, spanning: span)
    else { return nil }
    return shades[Int(indices.reduce(0) { max($0, values[$1 * bands + band]) })]
  }
}

/// Which of `count` even parts of a span lie over some frames; nil when they lie outside.
private func columnIndices(
  over frames: Range<FramePosition>, of count: Int, spanning span: Range<FramePosition>
) -> Range<Int>? {
  guard count > 0, !span.isEmpty, frames.overlaps(span) else { return nil }
  let clamped = frames.clamped(to: span)
  let length = Double(span.length.frames)
  func index(_ position: FramePosition) -> Double {
    Double(position.frames - span.lowerBound.frames) * Double(count) / length
  }
  // A hair's breadth of a neighbour, from rounding, does not count.
  let first = min(Int(index(clamped.lowerBound) + 0.01), count - 1)
  let end = min(max(Int((index(clamped.upperBound) - 0.01).rounded(.up)), first + 1), count)
  return first..<end
}
