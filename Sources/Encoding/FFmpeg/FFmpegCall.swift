// SPDX-License-Identifier: GPL-3.0-or-later

import CFFmpeg

/// The one place through which FFmpeg's return codes pass, for one file to be written.
struct FFmpegCall {
  let sink: FileSink

  /// Keeps FFmpeg from writing to the terminal; evaluated once.
  static let silence: Void = av_log_set_level(AV_LOG_QUIET)

  /// Throws unless a call's result is 0 or more, which is returned.
  ///
  /// - Parameter refusal: what it is where FFmpeg takes no such data.
  @discardableResult
  func checked(
    _ call: String, _ result: Int32, refusal: EncodingError.Kind = .inputOutput
  ) throws(EncodingError) -> Int32 {
    if let failure = sink.failure { throw failure }
    guard result < 0 else { return result }
    let kind: EncodingError.Kind =
      switch result {
      case tilawa_AVERROR_ENOMEM: .outOfMemory
      case tilawa_AVERROR_INVALIDDATA, tilawa_AVERROR_EINVAL, tilawa_AVERROR_PATCHWELCOME: refusal
      default: .inputOutput
      }
    throw EncodingError(
      kind, file: sink.path, call: call, code: result, detail: Self.text(result))
  }

  /// Throws where an allocation gave nothing.
  func allocated<Value>(_ call: String, _ value: Value?) throws(EncodingError) -> Value {
    guard let value else { throw EncodingError(.outOfMemory, file: sink.path, call: call) }
    return value
  }

  /// FFmpeg's own text for a return code.
  static func text(_ code: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: 128)
    av_strerror(code, &buffer, buffer.count)
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

extension UnsafeMutablePointer<AVPacket> {
  /// Says how many frames are not to be heard: delay in the packet that begins a stream, padding in the
  /// one that ends it.
  func declareTrim(
    delay: Int64 = 0, padding: Int64 = 0, _ call: FFmpegCall
  ) throws(EncodingError) {
    // Two numbers of 4 bytes, and two bytes of reasons.
    let data = try call.allocated(
      "av_packet_new_side_data", av_packet_new_side_data(self, AV_PKT_DATA_SKIP_SAMPLES, 10))
    for index in 0..<10 { data[index] = 0 }
    for index in 0..<4 {
      data[index] = UInt8(truncatingIfNeeded: delay >> (8 * index))
      data[4 + index] = UInt8(truncatingIfNeeded: padding >> (8 * index))
    }
  }
}
