// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CSndFile
import Glibc

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
    description = MediaDescription(
      container: SndFileLibrary.containerName(stream.info.format),
      codec: SndFileLibrary.codecName(stream.info.format), format: format,
      frameCount: isTrue || promised == 0 ? FrameCount(promised) : nil, backend: .libsndfile,
      reason: reason, trackCount: 1, track: 1,
      estimatedFrameCount: FrameCount(min(max(promised, 0), file.size)),
      warnings: try RIFFHeader.isCutOff(file) ? [.cutOff] : [])
    self.promised = promised == sf_count_t.max || isTrue ? nil : FrameCount(promised)
  }

  var seekIndex: SeekIndex? { nil }
  var isSeekCheap: Bool { description.frameCount != nil }

  func makeDecoder() throws(DecodingError) -> any AudioDecoder {
    try SndFileDecoder(
      SndFileStream(file), format: description.format, length: description.frameCount ?? promised)
  }
}

/// An open `SNDFILE`, reading through a cursor of its own.
final class SndFileStream {
  let cursor: ByteCursor
  let info: SF_INFO
  let handle: OpaquePointer
  /// Keeps the callbacks' context alive for as long as libsndfile may call them.
  private let context: Unmanaged<ByteCursor>

  init(_ file: MediaFile) throws(DecodingError) {
    let cursor = ByteCursor(file)
    var callbacks = SF_VIRTUAL_IO(
      get_filelen: { context in
        Unmanaged<ByteCursor>.fromOpaque(context!).takeUnretainedValue().file.size
      },
      seek: { distance, origin, context in
        Unmanaged<ByteCursor>.fromOpaque(context!).takeUnretainedValue()
          .seek(by: distance, from: Int32(origin))
      },
      read: { target, count, context in
        let buffer = UnsafeMutableRawBufferPointer(start: target, count: Int(count))
        let cursor = Unmanaged<ByteCursor>.fromOpaque(context!).takeUnretainedValue()
        return sf_count_t(cursor.read(into: buffer) ?? 0)
      },
      write: { _, _, _ in 0 },
      tell: { context in
        Unmanaged<ByteCursor>.fromOpaque(context!).takeUnretainedValue().offset
      })
    let context = Unmanaged.passRetained(cursor)
    var info = SF_INFO()
    guard let handle = sf_open_virtual(&callbacks, Int32(SFM_READ), &info, context.toOpaque()) else {
      let failure = cursor.failure
      context.release()
      if let failure { throw failure }
      throw SndFileLibrary.openError(file: file.path)
    }
    self.cursor = cursor
    self.info = info
    self.handle = handle
    self.context = context
  }

  /// Whether a frame can really be decoded, whatever the header says; leaves the position anywhere.
  func hasFrame(_ frame: Int64) -> Bool {
    guard frame >= 0, frame < sf_count_t.max - 1 else { return false }
    var samples = [Float](repeating: 0, count: Int(info.channels))
    return sf_seek(handle, frame, Int32(SEEK_SET)) == frame
      && sf_readf_float(handle, &samples, 1) == 1
  }

  deinit {
    sf_close(handle)
    context.release()
  }
}

/// Names and errors of libsndfile.
enum SndFileLibrary {
  static var version: String { String(cString: sf_version_string()) }

  static func openError(file: String) -> DecodingError {
    let code = sf_error(nil)
    let detail = String(cString: sf_error_number(code))
    return DecodingError(
      .damaged, file: file, call: "sf_open_virtual", code: code, detail: detail)
  }

  static func containerName(_ format: Int32) -> String {
    switch Int(format) & Int(SF_FORMAT_TYPEMASK) {
    case SF_FORMAT_WAV, SF_FORMAT_WAVEX: "WAV"
    case SF_FORMAT_RF64: "RF64"
    case SF_FORMAT_W64: "Wave64"
    case SF_FORMAT_FLAC: "FLAC"
    case SF_FORMAT_AIFF: "AIFF"
    case SF_FORMAT_CAF: "CAF"
    case SF_FORMAT_AU: "AU"
    default: "libsndfile format \(format)"
    }
  }

  static func codecName(_ format: Int32) -> String {
    switch Int(format) & Int(SF_FORMAT_SUBMASK) {
    case SF_FORMAT_PCM_S8, SF_FORMAT_PCM_U8: "PCM 8-bit"
    case SF_FORMAT_PCM_16: "PCM 16-bit"
    case SF_FORMAT_PCM_24: "PCM 24-bit"
    case SF_FORMAT_PCM_32: "PCM 32-bit"
    case SF_FORMAT_FLOAT: "PCM float"
    case SF_FORMAT_DOUBLE: "PCM double"
    default: "compressed"
    }
  }
}

/// The outermost header of a WAV file.
enum RIFFHeader {
  /// Whether a RIFF file is shorter than its header says. Recorders that stream leave the size 0 or all
  /// ones, which says nothing.
  static func isCutOff(_ file: MediaFile) throws(DecodingError) -> Bool {
    let head = try file.head(8)
    guard head.count == 8, head.starts(with: "RIFF".utf8) else { return false }
    let size = head[4..<8].reversed().reduce(0) { $0 << 8 | Int64($1) }
    return size > 0 && size < 0xFFFF_FFFF && size + 8 > file.size + 1
  }
}
