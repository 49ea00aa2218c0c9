// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CSndFile

/// A file that libsndfile reads: WAV and its kin, FLAC, AIFF, CAF, AU.
///
/// Ogg is left to FFmpeg: libsndfile 1.2.0 lands in the wrong place on about one Vorbis seek in 500.
struct SndFileMedia: DecoderMaker {
  let file: MediaFile
  let description: MediaDescription
  /// A length in the header that turned out not to be there.
  private let promised: FrameCount?

  init(_ file: MediaFile, reason: String) throws(DecodingError) {
    self.file = file
    let stream = try SndFileStream(file)
    guard let rate = SampleRate(hertz: Int(stream.info.samplerate)),
      let format = AudioFormat(rate: rate, channels: Int(stream.info.channels))
    else {
      throw DecodingError(
        .damaged, file: file.path, call: "sf_open_virtual",
        detail: "\(stream.info.samplerate) Hz, \(stream.info.channels) channels")
    }
    let promised = stream.info.frames
    let isTrue = stream.hasFrame(promised - 1)
    // libFLAC does not recover from a seek that failed, so the first frame is asked of a new stream.
    if !isTrue, promised != 0, case let again = try SndFileStream(file), !again.hasFrame(0) {
      throw again.failure
        ?? DecodingError(
          promised == sf_count_t.max ? .noFrames : .damaged, file: file.path,
          call: "sf_readf_float", detail: "no frame can be decoded")
    }
    description = MediaDescription(
      container: SndFileLibrary.containerName(stream.info.format),
      codec: SndFileLibrary.codecName(stream.info.format), format: format,
      precision: SndFileLibrary.precision(stream.info.format),
      frameCount: isTrue || promised == 0 ? FrameCount(promised) : nil, backend: .libsndfile,
      reason: reason, trackCount: 1, track: 1,
      estimatedFrameCount: FrameCount(min(max(promised, 0), file.size)),
      warnings: try RIFFHeader.isCutOff(file) ? [.cutOff] : [])
    self.promised = promised == sf_count_t.max || isTrue ? nil : FrameCount(promised)
  }

  var seekIndex: SeekIndex? { nil }
  var isSeekCheap: Bool { description.frameCount != nil }

  func makePacketReader() -> CodedPacketReader? { nil }

  /// Repeatable at all times.
  func makeDecoder(isRepeatable: Bool) throws(DecodingError) -> any AudioDecoder {
    try SndFileDecoder(
      SndFileStream(file), format: description.format, length: description.frameCount ?? promised)
  }
}
