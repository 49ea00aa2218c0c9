// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
public import Playback

/// Tells what playback is to pause for: sleep that is about to begin, headphones that are pulled out, and what a
/// sound server does to what is played. What is not there, such as a login manager, is never told of.
public final class InterruptionGuard: Sendable {
  private let sleep: SleepGuard?
  private let jacks: JackWatch?
  private let server: SoundServerWatch?

  public enum Event: Hashable, Sendable {
    /// Before sleep, which waits for `letSleep`, or after something else.
    case interruption(PlaybackInterruption)
    /// What interrupted is as it was before.
    case over
  }

  /// - Parameters:
  ///   - device: the name of the ALSA device that is played on.
  ///   - tell: called on threads that must not be held up.
  public init(device: String, tell: @escaping @Sendable (Event) -> Void) {
    sleep = try? SleepGuard(
      willSleep: { tell(.interruption(.sleep)) }, didWake: { tell(.over) })
    jacks = JackWatch(device: device) { isPlugged in
      tell(isPlugged ? .over : .interruption(.headphones))
    }
    server = SoundServerWatch(changed: tell)
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
