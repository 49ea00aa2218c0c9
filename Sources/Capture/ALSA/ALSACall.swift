// SPDX-License-Identifier: GPL-3.0-or-later

import CALSA
import Glibc

/// The one place through which alsa-lib's return codes pass, for one device.
struct ALSACall {
  let device: String

  /// Keeps alsa-lib from writing to the terminal; evaluated once.
  static let silence: Void = { _ = tilawa_catch_alsa_messages() }()

  /// Throws unless a call's result is 0 or more, which is returned.
  @discardableResult
  func checked(
    _ call: String, as kind: CaptureError.Kind? = nil, _ result: Int32
  ) throws(CaptureError) -> Int32 {
    guard result < 0 else { return result }
    throw failure(call, result, as: kind)
  }

  func failure(
    _ call: String, _ result: Int32, as kind: CaptureError.Kind? = nil
  ) -> CaptureError {
    let usual: CaptureError.Kind =
      switch -result {
      case ENOENT, ENODEV, ENXIO: .noDevice
      case EBUSY, EAGAIN: .deviceBusy
      case EACCES, EPERM: .notPermitted
      default: .deviceFailed
      }
    return CaptureError(
      kind ?? usual, device: device, call: call, code: -result,
      detail: String(cString: snd_strerror(result)))
  }
}
