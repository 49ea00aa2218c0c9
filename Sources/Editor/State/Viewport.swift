// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore

/// The part of a recording that the canvas shows: columns of equally many frames each.
///
/// Always true of it: the first column begins at a multiple of ``framesPerColumn``, so that columns
/// keep their content while the view scrolls; it begins inside the recording; it is no wider than the
/// recording and no narrower than ``narrowest``.
public struct Viewport: Hashable, Sendable {
  public let length: FrameCount
  public let rate: SampleRate
  public private(set) var columns = 1
  public private(set) var framesPerColumn: Int64 = 1
  public private(set) var start: FramePosition = .zero
  /// What a person chose to see before the window changed its size, so that one that changes often shows
  /// the same in the end.
  private var chosen: Range<FramePosition>?

  /// Seconds that the closest zoom shows.
  public static let narrowest = 0.05

  /// All of a recording.
  public init(length: FrameCount, rate: SampleRate, columns: Int) {
    self.length = max(length, .zero)
    self.rate = rate
    self.columns = max(columns, 1)
    showAll()
  }

  /// What is shown; half-open, ends with the recording at the latest.
  public var span: Range<FramePosition> {
    start..<min(start + FrameCount(framesPerColumn * Int64(columns)), .zero + length)
  }

  /// The column in which a place lies, if that is shown.
  public func column(of position: FramePosition) -> Int? {
    guard position >= start else { return nil }
    let column = (position.frames - start.frames) / framesPerColumn
    return column < Int64(columns) ? Int(column) : nil
  }

  /// The frames of a column; empty beyond the end of the recording.
  public func frames(ofColumn column: Int) -> Range<FramePosition> {
    let end = FramePosition.zero + length
    let first = min(start + FrameCount(framesPerColumn * Int64(column)), end)
    return first..<min(first + FrameCount(framesPerColumn), end)
  }

  /// The middle of a column, inside the recording.
  public func position(ofColumn column: Int) -> FramePosition {
    let middle = start.frames + framesPerColumn * Int64(column) + framesPerColumn / 2
    return FramePosition(min(max(middle, 0), max(length.frames - 1, 0)))
  }

  public var showsAll: Bool { framesPerColumn == widestScale }
}

// MARK: Moving it

extension Viewport {
  mutating func resize(columns: Int) {
    let wasAll = showsAll && chosen == nil
    let span = chosen ?? span
    self.columns = max(columns, 1)
    if wasAll {
      showAll()
    } else {
      show(span)
      chosen = span
    }
  }

  mutating func scroll(columns: Int) {
    // Further than the recording is long leads no further.
    let frames = framesPerColumn.multipliedReportingOverflow(by: Int64(columns))
    let distance = frames.overflow ? (columns < 0 ? -length.frames : length.frames) : frames.0
    place(at: start.frames + min(max(distance, -length.frames), length.frames))
  }

  mutating func showAll() {
    framesPerColumn = widestScale
    start = .zero
    chosen = nil
  }

  /// The span as large as it goes, in the middle.
  mutating func show(_ span: Range<FramePosition>) {
    setScale((span.length.frames + Int64(columns) - 1) / Int64(columns))
    let slack = framesPerColumn * Int64(columns) - span.length.frames
    place(at: span.lowerBound.frames - slack / 2)
  }

  /// So many seconds around a place.
  mutating func show(seconds: Double, around position: FramePosition) {
    setScale(FrameCount(seconds: seconds, at: rate).frames / Int64(columns))
    center(on: position)
  }

  /// Magnifies by `factor`, or shrinks by one below 1, keeping a place in its column.
  mutating func zoom(by factor: Double, at position: FramePosition) {
    let column = column(of: position) ?? columns / 2
    let scaled = (Double(framesPerColumn) / max(factor, 0.001)).rounded()
    let scale = Int64(exactly: scaled) ?? widestScale
    // Rounding must not keep small steps from having an effect.
    setScale(
      scale == framesPerColumn ? scale + (factor < 1 ? 1 : factor > 1 ? -1 : 0) : scale)
    place(at: position.frames - framesPerColumn * Int64(column))
  }

  mutating func center(on position: FramePosition) {
    place(at: position.frames - framesPerColumn * Int64(columns / 2))
  }

  /// Scrolls as little as shows a place with some columns around it.
  mutating func reveal(_ position: FramePosition, margin: Int = 4) {
    let margin = Int64(min(margin, columns / 4))
    let column = (position.frames - start.frames) / framesPerColumn
    if position < start || column < margin {
      place(at: position.frames - framesPerColumn * margin)
    } else if column >= Int64(columns) - margin {
      place(at: position.frames - framesPerColumn * (Int64(columns) - 1 - margin))
    }
  }

  /// Turns the page when a place that moves on by itself has left it.
  mutating func follow(_ position: FramePosition) {
    guard column(of: position) == nil else { return }
    place(at: position.frames - framesPerColumn * Int64(columns / 10))
  }

  private var widestScale: Int64 {
    max((length.frames + Int64(columns) - 1) / Int64(columns), 1)
  }

  private var closestScale: Int64 {
    max(FrameCount(seconds: Self.narrowest, at: rate).frames / Int64(columns), 1)
  }

  private mutating func setScale(_ scale: Int64) {
    framesPerColumn = min(max(scale, min(closestScale, widestScale)), widestScale)
  }

  private mutating func place(at frame: Int64) {
    let surplus = max(length.frames - framesPerColumn * Int64(columns), 0)
    let last = (surplus + framesPerColumn - 1) / framesPerColumn * framesPerColumn
    chosen = nil
    start = FramePosition(min(max(frame / framesPerColumn * framesPerColumn, 0), last))
  }
}
