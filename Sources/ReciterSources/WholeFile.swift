// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding

/// A file decoded from its first frame to its last.
struct WholeFile {
  let frames: FrameCount
  let warnings: [DecodingWarning]

  init(_ media: MediaSource) throws(DecodingError) {
    let decoder = try media.makeDecoder()
    let buffer = PCMBuffer(channels: decoder.format.channels, frameCapacity: 65_536)
    var count: Int64 = 0
    while true {
      let read = try decoder.read(into: buffer)
      guard read > 0 else { break }
      count += Int64(read)
    }
    frames = FrameCount(count)
    warnings = media.description.warnings + decoder.warnings
  }

  /// Why a file is not a whole recitation, of "the file"; nil where it is.
  static func problem(of path: String, stopFlag: StopFlag) -> String? {
    do throws(DecodingError) {
      let whole = try WholeFile(MediaSource(path: path, stopFlag: stopFlag))
      guard whole.frames > .zero else { return "it contains no sound" }
      return whole.warnings.lazy.compactMap { warning -> String? in
        switch warning {
        case .endsEarly, .cutOff, .formatChange, .damaged, .missing: warning.description
        case .notFinite, .cancelledChannels: nil
        }
      }.first
    } catch {
      return "it \(error.cause)"
    }
  }
}
