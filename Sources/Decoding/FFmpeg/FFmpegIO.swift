// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CFFmpeg
import Glibc

/// FFmpeg's view of a `ByteCursor`.
final class FFmpegIO {
  let cursor: ByteCursor
  let context: UnsafeMutablePointer<AVIOContext>

  /// - Parameter end: what lies behind it is left out.
  init(_ file: MediaFile, until end: Int64) throws(DecodingError) {
    // FFmpeg buffers by itself; a second buffer behind it would only copy.
    let cursor = ByteCursor(file, until: end, bufferSize: 0)
    let size = 32 << 10
    guard let memory = av_malloc(size) else {
      throw DecodingError(.outOfMemory, file: file.path, call: "av_malloc")
    }
    let opaque = Unmanaged.passUnretained(cursor).toOpaque()
    let context = avio_alloc_context(
      memory.assumingMemoryBound(to: UInt8.self), Int32(size), 0, opaque,
      { opaque, target, count in
        let cursor = Unmanaged<ByteCursor>.fromOpaque(opaque!).takeUnretainedValue()
        let buffer = UnsafeMutableRawBufferPointer(start: target, count: Int(count))
        guard let got = cursor.read(into: buffer) else { return tilawa_AVERROR_EIO }
        return got == 0 ? tilawa_AVERROR_EOF : Int32(got)
      }, nil,
      { opaque, offset, whence in
        let cursor = Unmanaged<ByteCursor>.fromOpaque(opaque!).takeUnretainedValue()
        if whence & AVSEEK_SIZE != 0 { return cursor.end }
        return cursor.seek(by: offset, from: whence & 3)
      })
    guard let context = context as UnsafeMutablePointer<AVIOContext>? else {
      av_free(memory)
      throw DecodingError(.outOfMemory, file: file.path, call: "avio_alloc_context")
    }
    self.cursor = cursor
    self.context = context
  }

  /// What FFmpeg asks, in its longer loops, to learn whether to go on.
  var interruption: AVIOInterruptCB {
    AVIOInterruptCB(
      callback: { opaque in
        let cursor = Unmanaged<ByteCursor>.fromOpaque(opaque!).takeUnretainedValue()
        return cursor.file.stopFlag.isStopped ? 1 : 0
      }, opaque: Unmanaged.passUnretained(cursor).toOpaque())
  }

  /// Why reading failed, or was to end, where it was.
  var failure: DecodingError? { cursor.failure ?? cursor.file.cancellation }

  deinit {
    // FFmpeg may have replaced the buffer by another.
    av_free(context.pointee.buffer)
    var context: UnsafeMutablePointer<AVIOContext>? = context
    avio_context_free(&context)
  }
}
