// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser

/// `waveform FILE`
struct WaveformCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "waveform", abstract: "The waveform as data or as a picture.")
}
