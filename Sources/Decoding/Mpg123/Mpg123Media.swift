// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore

/// An MP3 (or MP2, MP1) file, its frames counted and indexed once for all of its decoders.
///
/// libmpg123's own gapless mode is off: the trim is done here, from the same LAME tag, so that a decoder
/// which got the index from a sidecar and one that scanned the file agree on where frame 0 is.
struct Mpg123Media: DecoderMaker {
  let file: MediaFile
  let description: MediaDescription
  let index: SeekIndex

  var seekIndex: SeekIndex? { index }
  var isSeekCheap: Bool { true }

  init(_ file: MediaFile, reason: String, seekIndex: SeekIndex?) throws(DecodingError) {
    self.file = file
    let stream = try Mpg123Stream(file)
    var gaps: MPEGAudioGaps?
    if let seekIndex, seekIndex.kind == .mpegFrames {
      index = seekIndex
    } else {
      index = try stream.scan()
      gaps = try MPEGAudioGaps(in: file, index)
    }
    let length = FrameCount(Int64(index.audible.count))
    var description = MediaDescription(
      container: "MPEG audio", codec: stream.codecName, format: stream.format,
      precision: .lossy,
      frameCount: length, backend: .libmpg123, reason: reason,
      trackCount: 1, track: 1)
    if let warning = gaps?.warning(index) { description.warnings.append(warning) }
    // What is missing in its midst is not missing at its end.
    let found = index.packetCount + (gaps?.packetCount ?? 0)
    let promised = try XingTag.frameCount(in: file)
    if let promised, promised > found {
      let extra = Int64(promised - found) * Int64(index.framesPerPacket)
      description.warnings.append(
        .endsEarly(promised: length + FrameCount(extra), found: length))
    }
    self.description = description
  }

  func makePacketReader() throws(DecodingError) -> CodedPacketReader? {
    CodedPacketReader(
      stream: CodedStream(
        codec: description.codec.lowercased(), setup: [], hertz: description.format.rate.hertz,
        channels: description.format.channels),
      index: index, source: MPEGAudioPackets(file, index: index))
  }

  /// Repeatable at all times.
  func makeDecoder(isRepeatable: Bool) throws(DecodingError) -> any AudioDecoder {
    let stream = try Mpg123Stream(file)
    try stream.adopt(index)
    return try Mpg123Decoder(stream, index: index)
  }
}
