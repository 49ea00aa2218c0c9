// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Glibc

/// What a call to a device came to; plain numbers, for the output thread.
enum DeviceAnswer: BitwiseCopyable {
  /// It worked, with so many frames.
  case frames(Int)
  /// Not now; ask again a little later.
  case again
  case fault(OutputFault, Int32)
}

/// Something that frames can be played into: a sound device, a file, a test.
///
/// All methods belong to the output thread and none of them blocks but `wait`. Life of a device:
/// `prepare`, `write` until there is no room, `start`, `write` on; after a fault or `stop`, `prepare`
/// again. The loop that plays is generic over it, so that no call goes through an existential.
protocol OutputDevice: AnyObject, SendableMetatype {
  var format: AudioFormat { get }
  /// Frames that it plays in one go, and that it can hold.
  var periodFrames: Int { get }
  var bufferFrames: Int { get }
  /// Whether it plays by a clock of its own, to which silence has to be given where there is nothing.
  var isRealTime: Bool { get }
  /// Nanoseconds of the clock that tells how long it has played nothing; only differences count.
  var clock: Int { get }

  /// Makes it ready to take frames, whatever state it is in.
  func prepare() -> DeviceAnswer
  /// Lets it play what it has been given.
  func start() -> DeviceAnswer
  /// Frames it can take now; a fault if it has stopped.
  func room() -> DeviceAnswer
  /// Gives it frames, interleaved, and returns how many it took.
  func write(_ samples: UnsafePointer<Float>, frames: Int) -> DeviceAnswer
  /// Frames given to it since `prepare` and not yet heard; also known after a fault.
  func unheard() -> DeviceAnswer
  /// Throws away what has not been heard, and is silent at once.
  func stop()
  /// Waits until it has room (if `forRoom`), or the descriptor can be read, or so many milliseconds.
  func wait(wake: Int32, forRoom: Bool, milliseconds: Int)
  /// Lets go of it; nothing is called afterwards.
  func close()
}

extension OutputDevice {
  var clock: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}
