// SPDX-License-Identifier: GPL-3.0-or-later

import Playback
import TerminalUI

extension Notice {
  /// What a screen says of what has happened to playback; nil for what is said where it was asked for.
  init?(_ notice: PlaybackNotice) {
    let text = notice.description
    switch notice {
    case .riwayahChanged: return nil
    case .missing, .unreadable, .ranDry: self.init(.warning, text)
    case .failed: self.init(.failure, text)
    case .deviceLost(let reason, let wait):
      self.init(.warning, "\(reason); \(wait.advice)", isOfPause: true)
    case .deviceNotAwaited: self.init(.done, text, isOfPause: true)
    case .deviceReturned: self.init(.done, "\(text); space resumes", isOfPause: true)
    case .interrupted: self.init(.warning, text, isOfPause: true)
    }
  }
}
