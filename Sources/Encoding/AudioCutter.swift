// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
public import Decoding

/// A file that was cut out of a recording.
public struct CutFile: Hashable, Sendable {
  public let path: String
  public let kind: AudioFileKind
  /// What it decodes to.
  public let format: AudioFormat
  /// Its length at its own rate, as decoders give it that heed what the container says of delay and
  /// padding.
  public let frameCount: FrameCount
  /// Frames of the recording by which the file begins before the span; negative where it begins after.
  /// Always 0 when encoded.
  public let lead: FrameCount
  /// Frames of the recording by which the file ends after the span; negative where it ends before.
  public let tail: FrameCount
  /// Samples beyond full scale that were brought back to it.
  public let clippedSamples: Int
  /// What was wrong with the recording there, and was mended.
  public let warnings: [DecodingWarning]
}

/// Cuts spans out of a recording into files of their own.
///
/// A file is written beside its place and appears there when it is whole; one that failed or was stopped
/// leaves nothing. Blocks; not for Swift's cooperative threads. May be used from several threads.
public struct AudioCutter: Sendable {
  public let source: MediaSource
  /// Whether files that are there already may be replaced.
  public var isReplacing = false
  /// Asked between blocks; when true, the cut in hand ends with `.stopped`.
  public var isStopped: @Sendable () -> Bool
  /// Called on the cutting thread with the share of the cut in hand that is done, 0...1.
  public var progress: (@Sendable (Double) -> Void)?
  var calls = FileCalls()

  public init(
    _ source: MediaSource, isStopped: @escaping @Sendable () -> Bool = { false },
    progress: (@Sendable (Double) -> Void)? = nil
  ) {
    self.source = source
    self.isStopped = isStopped
    self.progress = progress
  }

  /// Decodes the frames of a span and encodes exactly these.
  ///
  /// WAV and FLAC of a 16-bit or 24-bit recording hold its samples to the bit. The rate is the
  /// recording's unless the encoder has none such: Opus is always 48 kHz, and MP3 at most.
  ///
  /// - Throws: `.outsideRecording` for an empty span too.
  public func encode(
    _ span: Range<FramePosition>, as settings: EncodingSettings, to path: String,
    tags: AudioTags = AudioTags()
  ) throws(EncodingError) -> CutFile {
    try check(span)
    let reader = try SpanReader(source, span, watch(path))
    let part = try PartFile(path, isReplacing: isReplacing, calls: calls)
    let writer: any PCMWriter
    var format = reader.format
    if settings.kind.isLossless {
      writer = try LosslessWriter(
        part.sink, settings: settings, length: span.length,
        precision: source.description.precision, format: format, tags: tags)
    } else {
      let lossy = try LossyWriter(part.sink, settings: settings, format: format, tags: tags)
      format = lossy.format
      writer = lossy
    }
    while let samples = try reader.next() { try writer.write(samples) }
    try writer.finish()
    try part.finish()
    return CutFile(
      path: path, kind: settings.kind, format: format, frameCount: FrameCount(writer.frameCount),
      lead: .zero, tail: .zero, clippedSamples: writer.clippedCount, warnings: reader.warnings)
  }

  func watch(_ path: String) -> CutWatch {
    CutWatch(isStopped: isStopped, progress: progress, file: path)
  }

  func check(_ span: Range<FramePosition>) throws(EncodingError) {
    let length = source.description.frameCount?.frames
    let frames = span.lowerBound.frames..<span.upperBound.frames
    guard !frames.isEmpty, frames.lowerBound >= 0, frames.upperBound <= length ?? .max else {
      throw EncodingError(.outsideRecording(frames, length: length), file: source.file.path)
    }
  }
}
