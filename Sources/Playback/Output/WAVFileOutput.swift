// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CSndFile

/// A WAV file as a device: it takes everything at once, and has heard it.
final class WAVFileOutput: OutputDevice {
  let format: AudioFormat
  let periodFrames = 1024
  let bufferFrames = 4096
  var isRealTime: Bool { false }
  private let handle: OpaquePointer

  init(path: String, format: AudioFormat) throws(PlaybackError) {
    self.format = format
    var info = SF_INFO()
    info.samplerate = Int32(format.rate.hertz)
    info.channels = Int32(format.channels)
    info.format = Int32(SF_FORMAT_WAV | SF_FORMAT_FLOAT)
    guard let handle = sf_open(path.diskName, Int32(SFM_WRITE), &info) else {
      let code = sf_error(nil)
      throw PlaybackError(
        .notWritable, subject: path, call: "sf_open", code: code,
        detail: String(cString: sf_error_number(code)))
    }
    // It would have the time of writing in it.
    sf_command(handle, Int32(SFC_SET_ADD_PEAK_CHUNK), nil, Int32(SF_FALSE))
    self.handle = handle
  }

  func prepare() -> DeviceAnswer { .frames(0) }
  func start() -> DeviceAnswer { .frames(0) }
  func room() -> DeviceAnswer { .frames(periodFrames) }

  func write(_ samples: UnsafePointer<Float>, frames: Int) -> DeviceAnswer {
    let written = Int(sf_writef_float(handle, samples, sf_count_t(frames)))
    return written == frames ? .frames(written) : .fault(.failing, sf_error(handle))
  }

  func unheard() -> DeviceAnswer { .frames(0) }
  func stop() {}

  func wait(wake: Int32, forRoom: Bool, milliseconds: Int) {
    if forRoom { return }
    waitUntilReadable(wake, milliseconds: milliseconds)
  }

  /// Completes the file's header.
  func close() { sf_close(handle) }
}
