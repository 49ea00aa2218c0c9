// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation

@testable import Listening

enum JSON {
  static func decode(_ text: String) throws -> Settings {
    try JSONDecoder().decode(Settings.self, from: Data(text.utf8))
  }

  static func encode(_ settings: Settings) throws -> String {
    String(decoding: try JSONEncoder().encode(settings), as: UTF8.self)
  }
}
