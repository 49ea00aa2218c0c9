// SPDX-License-Identifier: GPL-3.0-or-later

/// What a picture of a recording shows. Times are seconds from the start, amplitudes linear, full
/// scale being 1; what is not finite counts as zero.
public struct WaveformPictureContent: Hashable, Sendable {
  /// One of equally long stretches that tile the recording.
  public struct Column: Hashable, Sendable {
    public var minimum: Float
    public var maximum: Float
    public var rms: Float

    public init(minimum: Float, maximum: Float, rms: Float) {
      self.minimum = minimum
      self.maximum = maximum
      self.rms = rms
    }
  }

  public struct Pause: Hashable, Sendable {
    public var start: Double
    public var end: Double
    /// 0...1.
    public var confidence: Double

    public init(start: Double, end: Double, confidence: Double) {
      self.start = start
      self.end = end
      self.confidence = confidence
    }
  }

  public struct Boundary: Hashable, Sendable {
    public var time: Double
    /// 0...1.
    public var confidence: Double
    /// What begins here, such as `2:5`.
    public var label: String

    public init(time: Double, confidence: Double, label: String = "") {
      self.time = time
      self.confidence = confidence
      self.label = label
    }
  }

  /// Usually the file's name; any text.
  public var title: String
  /// Seconds into the recording at which the picture begins. All other times count from there; only
  /// the axis shows the recording's own.
  public var start = 0.0
  public var duration: Double
  /// Any number of them: they are summarised to the picture's own columns.
  public var columns: [Column]
  /// Which detector found what is shown; empty when nothing was looked for.
  public var detector: String
  public var pauses: [Pause]
  public var boundaries: [Boundary]
  /// The noise floor at equal steps over the recording, as many as there are; empty for none.
  public var noiseFloor: [Float]
  /// The level below which it is silent, as `noiseFloor`; one value for a fixed threshold.
  public var threshold: [Float]

  public init(
    title: String, duration: Double, columns: [Column], detector: String = "",
    pauses: [Pause] = [], boundaries: [Boundary] = [], noiseFloor: [Float] = [],
    threshold: [Float] = []
  ) {
    self.title = title
    self.duration = duration
    self.columns = columns
    self.detector = detector
    self.pauses = pauses
    self.boundaries = boundaries
    self.noiseFloor = noiseFloor
    self.threshold = threshold
  }
}

extension WaveformPictureContent {
  /// The columns over a span of time as one: the extremes, and the RMS of all.
  func summary(from start: Double, to end: Double) -> Column {
    var sum = Column(minimum: 0, maximum: 0, rms: 0)
    let range = indices(from: start, to: end, count: columns.count)
    guard !range.isEmpty else { return sum }
    var square: Float = 0
    for column in columns[range] {
      sum.minimum = min(sum.minimum, finite(column.minimum))
      sum.maximum = max(sum.maximum, finite(column.maximum))
      square += finite(column.rms) * finite(column.rms)
    }
    sum.rms = (square / Float(range.count)).squareRoot()
    return sum
  }

  /// The value of an equally spaced curve at a time; nil for an empty one.
  func value(of curve: [Float], at time: Double) -> Float? {
    let range = indices(from: time, to: time, count: curve.count)
    return range.first.map { finite(curve[$0]) }
  }

  /// The largest amplitude, or 1 in silence.
  var peak: Float {
    let peak = columns.reduce(Float(0)) {
      max($0, abs(finite($1.minimum)), abs(finite($1.maximum)))
    }
    return peak > 0 ? peak : 1
  }

  /// Which of `count` equal steps over the recording a span touches: at least one where there is any.
  private func indices(from start: Double, to end: Double, count: Int) -> Range<Int> {
    guard count > 0, duration > 0 else { return 0..<0 }
    let step = Double(count) / duration
    let first = min(max(Int((start * step).rounded(.down)), 0), count - 1)
    let last = min(max(Int((end * step).rounded(.up)), first + 1), count)
    return first..<last
  }
}

private func finite(_ value: Float) -> Float { value.isFinite ? value : 0 }
