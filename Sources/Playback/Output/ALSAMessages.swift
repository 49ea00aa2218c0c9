// SPDX-License-Identifier: GPL-3.0-or-later

import CALSA
import Glibc
import Synchronization

/// What alsa-lib would print on the terminal.
enum ALSAMessages {
  private static let installed: Int32 = tilawa_catch_alsa_messages()

  /// From now on alsa-lib's own messages are kept, and never printed.
  static func keepFromTerminal() { _ = installed }

  /// The first message of this thread since they were forgotten, which tells more than an error number.
  static var last: String? {
    guard let text = tilawa_alsa_message() else { return nil }
    let words = String(cString: text).split(whereSeparator: \.isWhitespace)
    return words.isEmpty ? nil : words.joined(separator: " ")
  }

  static func forget() { tilawa_alsa_message()?.pointee = 0 }
}
