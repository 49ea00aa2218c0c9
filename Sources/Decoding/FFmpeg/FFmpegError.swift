// SPDX-License-Identifier: GPL-3.0-or-later

import CFFmpeg

/// The one place through which FFmpeg's return codes pass.
struct FFmpegError: Error {
  let call: String
  let code: Int32

  /// FFmpeg's own text for a return code.
  static func text(_ code: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: 128)
    av_strerror(code, &buffer, buffer.count)
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  func decodingError(file: String, failure: DecodingError? = nil) -> DecodingError {
    if let failure { return failure }
    let kind: DecodingError.Kind =
      switch code {
      case tilawa_AVERROR_ENOMEM: .outOfMemory
      case tilawa_AVERROR_EXIT: .cancelled
      default: .damaged
      }
    return DecodingError(kind, file: file, call: call, code: code, detail: Self.text(code))
  }
}

/// Throws unless a call's result is 0 or more, which is returned.
@discardableResult
func checked(
  _ call: String, file: String, failure: DecodingError? = nil, _ result: Int32
) throws(DecodingError) -> Int32 {
  guard result < 0 else { return result }
  throw FFmpegError(call: call, code: result).decodingError(file: file, failure: failure)
}
