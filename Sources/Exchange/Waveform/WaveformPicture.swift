// SPDX-License-Identifier: GPL-3.0-or-later

/// A picture of a recording: its waveform with the pauses and boundaries found in it.
///
/// The lighter shape spans the lowest and highest sample, the darker one the RMS. Boundaries are
/// told apart by colour, by the shape of their mark and by the stroke of their line.
public struct WaveformPicture: Sendable {
  public enum Scale: Hashable, Sendable {
    /// Amplitude, up to the loudest sample of the recording.
    case linear
    /// Decibels from 60 below the loudest sample: shows what is in the pauses.
    case decibels
  }

  public var content: WaveformPictureContent
  /// Pixels, 640...8000. The height follows from the number of rows.
  public var width: Int
  /// Nil for a number that makes the picture good to look at. A value that is not positive counts
  /// as the whole recording.
  public var secondsPerRow: Double?
  public var scale: Scale

  public init(
    _ content: WaveformPictureContent, width: Int = 1600, secondsPerRow: Double? = nil,
    scale: Scale = .linear
  ) {
    self.content = content
    self.width = width
    self.secondsPerRow = secondsPerRow
    self.scale = scale
  }

  /// The picture as a PNG file.
  ///
  /// - Throws: ``ExchangeError/unsuitablePictureSize(width:height:limit:)``,
  ///   ``ExchangeError/cairo(call:status:text:)``.
  public func png() throws(ExchangeError) -> [UInt8] { try drawn(.png) }

  /// The picture as an SVG file, letters as shapes. Throws as ``png()``.
  public func svg() throws(ExchangeError) -> [UInt8] { try drawn(.svg) }

  private func drawn(_ kind: CairoCanvas.Kind) throws(ExchangeError) -> [UInt8] {
    let layout = try WaveformPictureLayout(
      start: content.start, duration: content.duration, width: width,
      secondsPerRow: secondsPerRow)
    let canvas = try CairoCanvas(kind, width: width, height: layout.height)
    WaveformPainter(content: content, layout: layout, scale: scale, canvas: canvas).paint()
    return try canvas.finish()
  }
}
