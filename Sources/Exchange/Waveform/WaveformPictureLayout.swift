// SPDX-License-Identifier: GPL-3.0-or-later

/// Where things lie in a picture of a recording: a header, then rows of equally many seconds.
///
/// All in pixels. A row is, from above, the lane of the boundaries' marks, the waveform and the time
/// axis.
struct WaveformPictureLayout {
  /// Seconds into the recording at which the picture begins; all other times count from there.
  let start: Double
  let duration: Double
  let width: Int
  let secondsPerRow: Double
  let rowCount: Int

  static let margin = 24.0
  static let headerHeight = 112.0
  static let laneHeight = 20.0
  static let waveHeight = 92.0
  static let axisHeight = 24.0
  static let rowGap = 14.0
  static let rowHeight = laneHeight + waveHeight + axisHeight + rowGap

  /// Widths that leave room for the legend.
  static let widths = 640...8000

  /// A row holds `secondsPerRow`, or as many as make the picture good to look at when nil.
  ///
  /// - Throws: ``ExchangeError/unsuitablePictureSize(width:height:limit:)``.
  init(
    start: Double = 0, duration: Double, width: Int, secondsPerRow: Double?
  ) throws(ExchangeError) {
    let limit = CairoCanvas.longestSide
    let duration = duration.isFinite ? max(duration, 0) : 0
    let seconds = min(secondsPerRow ?? Self.suitableSecondsPerRow(for: duration), duration)
    let rows = seconds > 0 ? (duration / seconds).rounded(.up) : 1
    let height = Self.headerHeight + rows * Self.rowHeight
    guard Self.widths.contains(width), height <= Double(limit) else {
      throw .unsuitablePictureSize(
        width: width, height: Int(exactly: height.rounded()) ?? .max, limit: limit)
    }
    self.start = start.isFinite ? max(start, 0) : 0
    self.duration = duration
    self.width = width
    self.secondsPerRow = seconds > 0 ? seconds : 1
    rowCount = Int(rows)
  }

  var height: Int { Int(Self.headerHeight + Double(rowCount) * Self.rowHeight) }

  var plotWidth: Double { Double(width) - 2 * Self.margin }

  /// The time a row shows; the last may be shorter than the others.
  func span(ofRow row: Int) -> ClosedRange<Double> {
    let start = Double(row) * secondsPerRow
    return start...max(start, min(start + secondsPerRow, duration))
  }

  func top(ofRow row: Int) -> Double { Self.headerHeight + Double(row) * Self.rowHeight }

  func x(of time: Double, inRow row: Int) -> Double {
    Self.margin + (time - Double(row) * secondsPerRow) / secondsPerRow * plotWidth
  }

  /// Milliseconds between labelled ticks: the shortest round step that keeps labels 90 pixels apart.
  var tickStep: Int {
    let steps = [
      100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000,
      900_000, 1_800_000, 3_600_000, 7_200_000, 18_000_000, 36_000_000,
    ]
    let shortest = 90 / plotWidth * secondsPerRow * 1000
    return steps.first { Double($0) >= shortest } ?? 86_400_000
  }

  /// Ticks of a row, in milliseconds from the start of the recording.
  func ticks(ofRow row: Int) -> [Int] {
    let span = span(ofRow: row)
    let step = tickStep
    let first = Int(((start + span.lowerBound) * 1000 / Double(step)).rounded(.up)) * step
    return Array(stride(from: first, through: Int((start + span.upperBound) * 1000), by: step))
  }

  /// One minute while that makes at most 45 rows, then two, five and so on.
  private static func suitableSecondsPerRow(for duration: Double) -> Double {
    let candidates = [60.0, 120, 300, 600, 1200, 1800, 3600, 7200]
    return candidates.first { duration / $0 <= 45 } ?? duration / 45
  }
}
