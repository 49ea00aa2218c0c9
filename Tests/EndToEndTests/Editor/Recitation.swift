// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport

/// The synthetic recitation of `Fixtures/`: five ayat end in it, and seven breaths are taken.
struct Recitation: Decodable {
  struct Pause: Decodable {
    let kind: String
    let start: Double
    let end: Double
  }

  let pauses: [Pause]

  static let fixture = "flac-44k-stereo.flac"
  static let seconds = 30.00478

  init() throws {
    let data = try Data(contentsOf: URL(filePath: FixtureFolder.path("recitation.json")))
    self = try JSONDecoder().decode(Recitation.self, from: data)
  }

  /// The pause that a time lies in; a detector may find them a little longer.
  func pause(at seconds: Double) -> Pause? {
    pauses.first { $0.start - 0.03 <= seconds && seconds <= $0.end + 0.03 }
  }
}
