// SPDX-License-Identifier: GPL-3.0-or-later

import Listening
import Playback
import Quran

/// What the settings say of how things are played, where the command line says nothing.
struct PlaybackDefaults {
  private let configuration: Configuration

  init(_ configuration: Configuration) { self.configuration = configuration }

  var riwayah: Riwayah? { configuration.value("playback.riwayah").flatMap(Riwayah.init) }

  func fill(_ request: inout PlaybackRequest, where options: RequestOptions) {
    let asked = options.asked
    if !asked.gap {
      configuration.value("playback.gap").flatMap(GapArgument.init)?.apply(to: &request)
    }
    if let silence = milliseconds("playback.missing_silence") {
      request.missingMilliseconds = silence
    }
    if !asked.ayahRepeat, let count = times("playback.repeat_ayah") {
      request.ayahRepeat = count
    }
    if !asked.rangeRepeat, let count = times("playback.repeat_range") {
      request.rangeRepeat = count
    }
    if !asked.then, request.rangeRepeat != .endless, request.ayahRepeat != .endless,
      let then = configuration.value("playback.then").flatMap(ThenArgument.init)
    {
      request.afterRepeat = then.afterRepeat
    }
  }

  /// The settings of the sound, in place of those that are remembered.
  func fill(_ settings: inout Settings) {
    if let speed = configuration.value("playback.speed").flatMap(Double.init) {
      settings.speed = speed
    }
    if let length = milliseconds("playback.crossfade") { settings.crossfadeMilliseconds = length }
    if let curve = configuration.value("playback.crossfade_curve").flatMap(FadeCurve.init) {
      settings.crossfadeCurve = curve
    }
    if let length = milliseconds("playback.fade_in") { settings.fadeInMilliseconds = length }
    if let length = milliseconds("playback.fade_out") { settings.fadeOutMilliseconds = length }
  }

  private func milliseconds(_ name: String) -> Int? {
    configuration.value(name).flatMap(DurationArgument.init).map {
      Int(($0.seconds * 1000).rounded())
    }
  }

  private func times(_ name: String) -> RepeatCount? {
    configuration.value(name).flatMap(TimesArgument.init).map { argument in
      argument.times.map { .times($0) } ?? .endless
    }
  }
}
