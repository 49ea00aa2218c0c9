// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import Listening

/// When play comes to rest: after `30m`, `1h30m` or any length, or at the end of the `ayah`.
enum SleepArgument: ExpressibleByArgument, Hashable {
  case ayah
  case after(Duration)

  init?(argument: String) {
    let text = argument.lowercased()
    if text == "ayah" {
      self = .ayah
      return
    }
    var seconds = 0.0
    var digits = ""
    for character in text {
      let units: [Character: Double] = ["h": 3600, "m": 60, "s": 1]
      if let unit = units[character] {
        guard let count = Double(digits) else { return nil }
        seconds += count * unit
        digits = ""
      } else {
        digits.append(character)
      }
    }
    if !digits.isEmpty {
      guard seconds == 0, let length = DurationArgument(argument: text) else { return nil }
      seconds = length.seconds
    }
    guard seconds > 0, seconds < 1e6 else { return nil }
    self = .after(.milliseconds(Int64(seconds * 1000)))
  }

  var duration: Duration? { if case .after(let length) = self { length } else { nil } }

  var timer: SleepTimer {
    switch self {
    case .ayah: .endOfAyah
    case .after(let length): .after(length)
    }
  }
}
