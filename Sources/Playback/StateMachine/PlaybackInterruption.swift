// SPDX-License-Identifier: GPL-3.0-or-later

/// A reason to pause other than a person's wish.
public enum PlaybackInterruption: Hashable, Sendable, CaseIterable {
  case sleep
  /// The headphones were pulled out; nobody else is to hear what comes next.
  case headphones
  /// What was played on is gone from the sound server, as a Bluetooth headset is that was switched off.
  case output
  /// The sound server muted this program, as it may for a call.
  case muting
  /// The program itself was stopped, as by Ctrl-Z.
  case suspension
}

extension PlaybackInterruption: CustomStringConvertible {
  /// What happened.
  public var description: String {
    switch self {
    case .sleep: "the computer went to sleep"
    case .headphones: "the headphones were unplugged"
    case .output: "the sound device was disconnected"
    case .muting: "the sound server muted this program"
    case .suspension: "the program was stopped"
    }
  }
}
