// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CFFmpeg

/// A file that FFmpeg reads, with its packets indexed once for all of its decoders.
struct FFmpegMedia: DecoderMaker {
  let file: MediaFile
  var description: MediaDescription
  let index: SeekIndex
  let parameters: CodecParameters

  var seekIndex: SeekIndex? { index }
  var isSeekCheap: Bool { true }

  init(
    _ file: MediaFile, track: Int?, reason: String, seekIndex: SeekIndex?
  ) throws(DecodingError) {
    let demuxer = try FFmpegDemuxer(file, track: track)
    let parameters = try CodecParameters(
      copying: demuxer.stream.pointee.codecpar, file: file.path)
    if parameters.pointer.pointee.codec_id == AV_CODEC_ID_NONE {
      throw DecodingError(.unsupportedCodec("unknown"), file: file.path)
    }
    let opening = try demuxer.opening(parameters)
    var warnings: [DecodingWarning] = []
    if let seekIndex, seekIndex.kind != .mpegFrames {
      index = seekIndex
    } else {
      var builder = SeekIndexBuilder(file: file, parameters: parameters, opening: opening)
      index = try builder.build(demuxer)
      warnings = builder.warnings
    }
    self.file = file
    self.parameters = parameters
    description = MediaDescription(
      container: demuxer.containerName, codec: parameters.codecName, format: opening.format,
      precision: opening.precision, frameCount: FrameCount(Int64(index.audible.count)),
      backend: .ffmpeg, reason: reason,
      trackCount: demuxer.trackCount, track: demuxer.track, warnings: warnings)
  }

  func makeDecoder(isRepeatable: Bool) throws(DecodingError) -> any AudioDecoder {
    try makeDecoder(blockLength: isRepeatable ? parameters.blockLength : nil)
  }

  /// - Parameter blockLength: packets in a block that is decoded from a fresh start; nil for no blocks.
  func makeDecoder(blockLength: Int?) throws(DecodingError) -> any AudioDecoder {
    try FFmpegDecoder(
      file: file, format: description.format, index: index, packets: makePackets(),
      parameters: parameters, blockLength: blockLength)
  }

  func makePacketReader() throws(DecodingError) -> CodedPacketReader? {
    CodedPacketReader(
      stream: parameters.codedStream, index: index,
      source: try FFmpegPackets(makePackets(), file: file.path))
  }

  private func makePackets() throws(DecodingError) -> any PacketReader {
    guard index.kind == .demuxedPackets else { return DirectPacketReader(file, index: index) }
    return try DemuxedPacketReader(
      FFmpegDemuxer(file, track: description.track), index: index,
      rate: description.format.rate.hertz, kept: parameters.preroll)
  }
}
