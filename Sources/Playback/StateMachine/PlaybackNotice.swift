// SPDX-License-Identifier: GPL-3.0-or-later

public import Quran

/// A notice about playback for the person and for the log.
public enum PlaybackNotice: Hashable, Sendable {
  /// Silence stands for an ayah; the reason in words if there is one beyond its not being there.
  case missing(AyahReference, reason: String?)
  /// A recording could not be read on; nothing more is taken from it.
  case unreadable(MediaKey, AyahReference?, reason: String)
  case ranDry
  /// Paused at the last frame heard. The reason is a sentence that says what to do about it.
  case deviceLost(reason: String, DeviceWait)
  /// It stays paused when the device is back.
  case deviceNotAwaited
  /// Still paused, though it could be heard again.
  case deviceReturned
  /// Paused at the last frame heard.
  case interrupted(PlaybackInterruption)
  /// Play was stopped, because riwayat are not mixed.
  case riwayahChanged(to: Riwayah)
  case failed(PlaybackFailure)
}

extension PlaybackNotice: CustomStringConvertible {
  /// What happened and what to do about it, in one line. Not safe to print as it is.
  public var description: String {
    switch self {
    case .missing(let ayah, nil): "\(ayah) is missing: no recording of it was found"
    case .missing(let ayah, let reason?): "\(ayah) is missing: \(reason)"
    case .unreadable(let media, let ayah, let reason):
      "\(media.rawValue) cannot be played\(ayah.map { " for \($0)" } ?? ""): \(reason)"
    case .ranDry: "playback waited because the recording was read too slowly; no sound was skipped"
    case .deviceLost(let reason, _): reason
    case .deviceNotAwaited: "playback stays paused when the sound device is back"
    case .deviceReturned: "the sound device is back"
    case .interrupted(let interruption): "paused: \(interruption)"
    case .riwayahChanged(let riwayah): "stopped: the riwayah is now \(riwayah.displayName)"
    case .failed(let failure): "\(failure)"
    }
  }
}
