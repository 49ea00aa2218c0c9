// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore

extension MediaSource {
  /// One of several files that are heard as one recording.
  public struct Part: Sendable {
    let source: MediaSource
    let length: FrameCount

    /// - Parameter length: of all of it, which only decoding may tell.
    public init(_ source: MediaSource, _ length: FrameCount) {
      (self.source, self.length) = (source, length)
    }
  }

  /// Several files, one after another and without a gap, as one recording.
  ///
  /// - Parameter parts: at least one, all of one sample rate and number of channels.
  /// - Throws: `.unsupportedFormat` where they differ.
  public init(joining parts: [Part]) throws(DecodingError) {
    let first = parts[0].source
    for part in parts where part.source.description.format != first.description.format {
      throw DecodingError(
        .unsupportedFormat("files of one ayah with different sample rates or channels"),
        file: part.source.file.path)
    }
    self.init(file: first.file, maker: JoinedMedia(parts))
  }
}

/// Several files as one.
private struct JoinedMedia: DecoderMaker {
  let parts: [MediaSource.Part]
  let description: MediaDescription

  init(_ parts: [MediaSource.Part]) {
    self.parts = parts
    let first = parts[0].source.description
    description = MediaDescription(
      container: first.container, codec: first.codec, format: first.format,
      precision: first.precision, frameCount: parts.reduce(.zero) { $0 + $1.length },
      backend: first.backend, reason: first.reason, trackCount: 1, track: 1,
      warnings: parts.flatMap(\.source.description.warnings))
  }

  var seekIndex: SeekIndex? { nil }
  var isSeekCheap: Bool { parts.allSatisfy(\.source.isSeekCheap) }

  func makeDecoder(isRepeatable: Bool) throws(DecodingError) -> any AudioDecoder {
    var decoders: [any AudioDecoder] = []
    for part in parts {
      decoders.append(try part.source.makeDecoder(isRepeatable: isRepeatable))
    }
    return JoinedDecoder(decoders, lengths: parts.map(\.length))
  }

  /// Packets of several files are no stream.
  func makePacketReader() throws(DecodingError) -> CodedPacketReader? { nil }
}

/// Reads one decoder after another.
private final class JoinedDecoder: AudioDecoder {
  private let decoders: [any AudioDecoder]
  /// Where each begins, and where the last ends.
  private let starts: [FramePosition]
  private var current = 0
  private(set) var position = FramePosition.zero

  init(_ decoders: [any AudioDecoder], lengths: [FrameCount]) {
    self.decoders = decoders
    var starts = [FramePosition.zero]
    for length in lengths { starts.append(starts[starts.count - 1] + length) }
    self.starts = starts
  }

  var format: AudioFormat { decoders[0].format }
  var warnings: [DecodingWarning] { decoders.flatMap(\.warnings) }

  func read(into buffer: PCMBuffer) throws(DecodingError) -> Int {
    while current < decoders.count {
      let count = try decoders[current].read(into: buffer)
      if count > 0 {
        position = position + FrameCount(Int64(count))
        return count
      }
      // Where one is shorter than it said, the next still begins in its place.
      current += 1
      if current < decoders.count {
        try decoders[current].seek(to: .zero)
        position = starts[current]
      }
    }
    return 0
  }

  func seek(to position: FramePosition) throws(DecodingError) {
    let index = starts.dropLast().lastIndex { $0 <= position } ?? 0
    try decoders[index].seek(to: .zero + (position - starts[index]))
    current = index
    self.position = position
  }
}
