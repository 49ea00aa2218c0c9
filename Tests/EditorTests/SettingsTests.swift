// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Testing

@testable import Editor

@Suite struct SettingsTests {
  @Test func theyComeBackAsTheyWere() throws {
    var settings = Settings()
    settings.canvas = .spectrogram
    settings.reactionTime = 120
    settings.equaliser.bands[2] = 0.7
    settings.equaliser.isOn = true
    let data = try JSONEncoder().encode(settings)
    #expect(try JSONDecoder().decode(Settings.self, from: data) == settings)
  }

  @Test(arguments: [
    #"{}"#, #"{"canvas": "hologram", "volume": "loud", "unheardOf": 3}"#,
    #"{"equaliser": {"bands": [1], "preamp": 0.5, "isOn": true}}"#,
  ])
  func whatIsMissingOrStrangeIsAsUsual(json: String) throws {
    let settings = try JSONDecoder().decode(Settings.self, from: Data(json.utf8))
    #expect(settings == Settings())
  }

  @Test func numbersBeyondTheirRangeAreBroughtBack() throws {
    let settings = try JSONDecoder().decode(
      Settings.self, from: Data(#"{"volume": 7, "reactionTime": -5}"#.utf8))
    #expect(settings.volume == 1)
    #expect(settings.reactionTime == 0)
  }
}
