// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
public import Playback

/// Tells what playback is to pause for: sleep that is about to begin, headphones that are pulled out, and what a
/// sound server does to what is played. What is not there, such as a login manager, is never told of.
public final class InterruptionGuard: Sendable {
  private let sleep: SleepGuard?
  private let jacks: JackWatch?
  private let server: SoundServerWatch?

  /// - Parameters:
  ///   - device: the name of the ALSA device that is played on.
  ///   - interrupt: called on a thread that must not be held up; sleep waits for `letSleep`.
  ///   - over: called on such a thread when it is over.
  public init(
    device: String, interrupt: @escaping @Sendable (PlaybackInterruption) -> Void,
    over: @escaping @Sendable () -> Void
  ) {
    sleep = try? SleepGuard(willSleep: { interrupt(.sleep) }, didWake: over)
    jacks = JackWatch(device: device) { isPlugged in
      if isPlugged { over() } else { interrupt(.headphones) }
    }
    server = SoundServerWatch { change in
      switch change {
      case .interruption(let interruption): interrupt(interruption)
      case .over: over()
      }
    }
  }

  /// Nothing is heard any more: sleep need wait no longer.
  public func letSleep() { sleep?.letSleep() }

  public func close() {
    server?.close()
    jacks?.close()
    sleep?.close()
  }

  /// Why playback does not pause before sleep; nil where it does.
  public static var sleepProblem: BusError? { SleepGuard.problem }
}
