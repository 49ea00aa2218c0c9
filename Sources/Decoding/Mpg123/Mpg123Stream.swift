// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CMpg123
import Glibc

/// An open `mpg123_handle`, reading through a cursor of its own.
final class Mpg123Stream {
  let file: MediaFile
  let format: AudioFormat
  let codecName: String

  private let cursor: ByteCursor
  private let handle: OpaquePointer
  /// Takes the frames between the place a jump lands and the one wanted.
  private let scratch: UnsafeMutableBufferPointer<Float>
  /// Keeps the callbacks' context alive for as long as libmpg123 may call them.
  private let context: Unmanaged<ByteCursor>

  /// Frames decoded and thrown away before the wanted one. The bit reservoir reaches 511 bytes back in
  /// MPEG-1 and 255 in MPEG-2, whose smallest frames carry 11 bytes.
  private static func preroll(framesPerPacket: Int) -> Int { framesPerPacket < 1152 ? 40 : 16 }

  /// Offsets that a handle keeps at most. When they run out, libmpg123 drops every other one, and reads
  /// the headers between two of them when it seeks.
  private static let indexSize = 1 << 15

  init(_ file: MediaFile) throws(DecodingError) {
    var code: Int32 = 0
    guard let handle = mpg123_new(nil, &code) else {
      throw DecodingError(
        .outOfMemory, file: file.path, call: "mpg123_new", code: code,
        detail: String(cString: mpg123_plain_strerror(code)))
    }
    let cursor = ByteCursor(file)
    let scratch = UnsafeMutableBufferPointer<Float>.allocate(capacity: 4096)
    let context = Unmanaged.passRetained(cursor)
    func fail(_ call: String) -> DecodingError {
      let error =
        cursor.failure
        ?? DecodingError(
          .damaged, file: file.path, call: call, code: mpg123_errcode(handle),
          detail: String(cString: mpg123_strerror(handle)))
      mpg123_delete(handle)
      context.release()
      scratch.deallocate()
      return error
    }
    let flags =
      Int(MPG123_FORCE_FLOAT.rawValue) | Int(MPG123_QUIET.rawValue)
      | Int(MPG123_SKIP_ID3V2.rawValue)
    mpg123_param2(handle, Int32(MPG123_REMOVE_FLAGS.rawValue), Int(MPG123_GAPLESS.rawValue), 0)
    mpg123_param2(handle, Int32(MPG123_ADD_FLAGS.rawValue), flags, 0)
    mpg123_param2(handle, Int32(MPG123_RESYNC_LIMIT.rawValue), -1, 0)
    mpg123_param2(handle, Int32(MPG123_INDEX_SIZE.rawValue), Self.indexSize, 0)
    mpg123_replace_reader_handle(
      handle,
      { context, target, count in
        let buffer = UnsafeMutableRawBufferPointer(start: target, count: count)
        let cursor = Unmanaged<ByteCursor>.fromOpaque(context!).takeUnretainedValue()
        return cursor.read(into: buffer) ?? -1
      },
      { context, distance, origin in
        let cursor = Unmanaged<ByteCursor>.fromOpaque(context!).takeUnretainedValue()
        return off_t(cursor.seek(by: Int64(distance), from: origin))
      }, nil)
    let opened = cursor.readingHeader { mpg123_open_handle(handle, context.toOpaque()) }
    guard opened == MPG123_OK.rawValue else { throw fail("mpg123_open_handle") }
    let preroll = Self.preroll(framesPerPacket: Int(mpg123_spf(handle)))
    mpg123_param2(handle, Int32(MPG123_PREFRAMES.rawValue), preroll, 0)
    var rate = 0
    var channels: Int32 = 0
    var encoding: Int32 = 0
    let found = cursor.readingHeader { mpg123_getformat(handle, &rate, &channels, &encoding) }
    guard found == MPG123_OK.rawValue,
      encoding == MPG123_ENC_FLOAT_32.rawValue, let sampleRate = SampleRate(hertz: rate),
      let format = AudioFormat(rate: sampleRate, channels: Int(channels))
    else {
      // libmpg123 only says that it came to the end of the file.
      var error = fail("mpg123_getformat")
      if error.kind == .damaged, cursor.failure == nil {
        error = DecodingError(
          .damaged, file: file.path, call: "mpg123_getformat", code: error.code,
          detail: "no MPEG audio frame in it")
      }
      throw error
    }
    // From here on no other rate or channel count comes out, whatever later frames say.
    mpg123_format_none(handle)
    mpg123_format(handle, rate, channels, encoding)

    var info = mpg123_frameinfo2()
    mpg123_info2(handle, &info)
    codecName = "MP\(info.layer)"
    self.file = file
    self.format = format
    self.cursor = cursor
    self.scratch = scratch
    self.handle = handle
    self.context = context
  }

  deinit {
    scratch.deallocate()
    mpg123_delete(handle)
    context.release()
  }

  /// A number that libmpg123 read from the stream, -1 where there is none.
  func state(_ key: mpg123_state) -> Int {
    var value = 0
    let result = mpg123_getstate2(handle, Int32(key.rawValue), &value, nil)
    return result == MPG123_OK.rawValue ? value : -1
  }

  /// Walks over every frame header of the file.
  func scan() throws(DecodingError) -> SeekIndex {
    guard mpg123_scan(handle) == MPG123_OK.rawValue else { throw failure("mpg123_scan") }
    let length = mpg123_length(handle)
    let framesPerPacket = mpg123_spf(handle)
    var offsets: UnsafeMutablePointer<off_t>?
    var step: off_t = 0
    var fill = 0
    let result = mpg123_index(handle, &offsets, &step, &fill)
    guard result == MPG123_OK.rawValue, let offsets, step > 0, length >= 0, framesPerPacket > 0
    else { throw failure("mpg123_index") }
    var index = SeekIndex(
      frameOffsets: UnsafeBufferPointer(start: offsets, count: fill).map { Int64($0) },
      packetsPerOffset: Int(step), framesPerPacket: Int(framesPerPacket),
      decodedLength: Int64(length))
    let delay = state(MPG123_ENC_DELAY)
    let padding = state(MPG123_ENC_PADDING)
    if delay >= 0, padding >= 0 {
      // A layer III decoder itself delays by 528 + 1 frames (LAME's "decoder delay").
      let decoderDelay: Int64 = 529
      let start = min(Int64(delay) + decoderDelay, index.decodedLength)
      let end = min(index.decodedLength, index.decodedLength - Int64(padding) + decoderDelay)
      index.audible = start..<max(start, end)
    }
    return index
  }

  /// Moves to a decoded frame, encoder delay counted.
  func seek(to frame: Int64) throws(DecodingError) {
    guard mpg123_seek(handle, off_t(frame), SEEK_SET) == off_t(frame) else {
      throw failure("mpg123_seek")
    }
  }

  /// Decodes frames and throws them away.
  func skip(_ count: Int) throws(DecodingError) {
    var left = count * format.channels
    while left > 0 {
      let room = UnsafeMutableBufferPointer(rebasing: scratch[..<min(left, scratch.count)])
      guard case .frames(let count) = try read(into: room) else { return }
      left -= count * format.channels
    }
  }

  /// Goes back to the state of a handle just opened.
  func restart(with index: SeekIndex) throws(DecodingError) {
    mpg123_close(handle)
    _ = cursor.seek(by: 0, from: SEEK_SET)
    guard mpg123_open_handle(handle, context.toOpaque()) == MPG123_OK.rawValue else {
      throw failure("mpg123_open_handle")
    }
    var rate = 0
    var channels: Int32 = 0
    var encoding: Int32 = 0
    mpg123_getformat(handle, &rate, &channels, &encoding)
    try adopt(index)
  }

  /// Takes over the index of a scan made earlier.
  func adopt(_ index: SeekIndex) throws(DecodingError) {
    // libmpg123 copies the offsets, and only reads from where they are.
    let result = index.offsets.withUnsafeBufferPointer {
      $0.withMemoryRebound(to: off_t.self) {
        mpg123_set_index(
          handle, UnsafeMutablePointer(mutating: $0.baseAddress), off_t(index.packetsPerOffset),
          $0.count)
      }
    }
    guard result == MPG123_OK.rawValue else { throw failure("mpg123_set_index") }
  }

  enum Outcome {
    case frames(Int)
    case end
    case formatChange
  }

  /// Decodes into the buffer, interleaved.
  func read(into samples: UnsafeMutableBufferPointer<Float>) throws(DecodingError) -> Outcome {
    var bytes = 0
    while true {
      let result = mpg123_read(handle, samples.baseAddress, samples.count * 4, &bytes)
      if bytes > 0 { return .frames(bytes / 4 / format.channels) }
      switch mpg123_errors(result) {
      case MPG123_OK: continue
      case MPG123_DONE: return .end
      case MPG123_NEW_FORMAT:
        var rate = 0
        var channels: Int32 = 0
        var encoding: Int32 = 0
        mpg123_getformat(handle, &rate, &channels, &encoding)
        if rate != format.rate.hertz || Int(channels) != format.channels { return .formatChange }
      case MPG123_BAD_OUTFORMAT: return .formatChange
      default: throw failure("mpg123_read")
      }
    }
  }

  private func failure(_ call: String) -> DecodingError {
    if let failure = cursor.failure { return failure }
    let code = mpg123_errcode(handle)
    return DecodingError(
      .damaged, file: file.path, call: call, code: code,
      detail: String(cString: mpg123_plain_strerror(code)))
  }
}
