// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
import CALSA
import Glibc

/// A playback PCM in the list of alsa-lib. Some listed PCMs cannot be opened.
public struct SoundDevice: Hashable, Sendable {
  /// The name for `RenderOutput.alsa`.
  public let name: String
  /// In alsa-lib's own words, in one line; may be empty.
  public let summary: String

  /// The PCMs that the configuration of alsa-lib and the present cards offer for playback.
  ///
  /// The corresponding C function is `snd_device_name_hint`.
  public static func all() throws(PlaybackError) -> [SoundDevice] {
    ALSAMessages.keepFromTerminal()
    ALSAMessages.forget()
    var hints: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    try checked("snd_device_name_hint", "alsa-lib", snd_device_name_hint(-1, "pcm", &hints))
    guard let hints else { return [] }
    defer { snd_device_name_free_hint(hints) }
    var devices: [SoundDevice] = []
    var place = hints
    while let hint = place.pointee {
      // No direction means both.
      let direction = text("IOID", of: hint)
      if let name = text("NAME", of: hint), direction == nil || direction == "Output" {
        let lines = (text("DESC", of: hint) ?? "").split(separator: "\n")
        devices.append(SoundDevice(name: name, summary: lines.joined(separator: ", ")))
      }
      place += 1
    }
    return devices
  }

  /// Opens a device as for playback, and closes it.
  ///
  /// - Returns: the format in which it would play stereo at 48 kHz.
  /// - Throws: as `RenderSession.init` does.
  public static func attempt(_ name: String) throws(PlaybackError) -> AudioFormat {
    guard let rate = SampleRate(hertz: 48_000), let wanted = AudioFormat(rate: rate, channels: 2)
    else { throw PlaybackError(.unsupportedFormat, subject: name) }
    let device = try ALSAOutput(name: name, settings: RenderSettings(format: wanted))
    defer { device.close() }
    return device.format
  }

  private static func text(_ field: String, of hint: UnsafeMutableRawPointer) -> String? {
    guard let value = snd_device_name_get_hint(hint, field) else { return nil }
    defer { free(value) }
    return String(cString: value)
  }
}
