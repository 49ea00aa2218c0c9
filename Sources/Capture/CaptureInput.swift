// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Encoding

/// Where recorded frames come from.
protocol CaptureInput: AnyObject {
  var format: AudioFormat { get }
  var depth: SampleDepth { get }

  /// Waits a tenth of a second at most for something to happen.
  ///
  /// Samples are interleaved and left-justified in 32 bits; `buffer` holds whole frames. Throws when
  /// nothing more will come.
  func next(into buffer: UnsafeMutableBufferPointer<Int32>) throws(CaptureError) -> CaptureEvent
}

/// What an input has to say.
enum CaptureEvent: Equatable {
  /// So many frames are in the buffer; before them, after those given last, about so many were lost.
  case frames(Int, lostBefore: Int64 = 0)
  case nothing
}
