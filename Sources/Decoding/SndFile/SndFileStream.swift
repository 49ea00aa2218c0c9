// SPDX-License-Identifier: GPL-3.0-or-later

import CSndFile
import Glibc

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
    let opened = cursor.readingHeader {
      sf_open_virtual(&callbacks, Int32(SFM_READ), &info, context.toOpaque())
    }
    guard let handle = opened else {
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
    return cursor.readingHeader {
      sf_seek(handle, frame, Int32(SEEK_SET)) == frame
        && sf_readf_float(handle, &samples, 1) == 1
    }
  }

  /// Why reading failed.
  var failure: DecodingError? { cursor.failure }

  deinit {
    sf_close(handle)
    context.release()
  }
}
