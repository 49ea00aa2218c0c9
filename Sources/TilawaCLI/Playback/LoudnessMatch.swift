// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics
import Analysis
import AudioCore
import Decoding
import Playback

/// Makes recordings and sources as loud as the first of them that is heard, which is heard as it is to the bit.
///
/// By the loudness that an analysis has kept, or else by what a minute of the recording has from its first clip
/// on. A source of many files is one recording here, so that its ayat keep what they differ in.
final class LoudnessMatch: Sendable {
  private let sound: PublishedSound
  private let state = Monitor(State())

  private struct State {
    var first: (name: String, clip: AudioClip)?
    /// LUFS; nil where nothing is to be measured.
    var known: [String: Float?] = [:]
  }

  /// More would raise the noise of a recording whose level was never set.
  private static let greatest: Float = 20
  private static let measuredSeconds = 60.0

  init(_ sound: PublishedSound) { self.sound = sound }

  /// Decibels to be added to a clip. Blocks while a recording is measured that comes for the first time.
  func gain(of clip: AudioClip) -> Double {
    let name = sound.recording(of: clip.media)
    let first = state.update { state in
      if state.first == nil { state.first = (name, clip) }
      return state.first
    }
    guard let first, first.name != name, let wanted = loudness(of: first.clip, first.name),
      let own = loudness(of: clip, name)
    else { return 0 }
    return Double(max(-Self.greatest, min(wanted - own, Self.greatest)))
  }

  private func loudness(of clip: AudioClip, _ name: String) -> Float? {
    if let known = state.update({ $0.known[name] }) { return known }
    let found = kept(clip) ?? measured(clip)
    state.update { $0.known[name] = .some(found) }
    return found
  }

  private func kept(_ clip: AudioClip) -> Float? {
    guard let sidecars = UserFolders.sidecars, let file = sound.file(of: clip.media) else {
      return nil
    }
    return RecordingAnalyzer.knownLoudness(
      path: file.path, track: file.track, sidecars: sidecars)?.integrated
  }

  private func measured(_ clip: AudioClip) -> Float? {
    guard let decoder = try? sound.open(clip.media).makeDecoder(),
      (try? decoder.seek(to: clip.span.lowerBound)) != nil
    else { return nil }
    let rate = decoder.format.rate
    var analyzer = LoudnessAnalyzer(format: decoder.format)
    var tenths = analyzer.emptyTenths
    let buffer = PCMBuffer(channels: decoder.format.channels, frameCapacity: 8192)
    var length = FrameCount.zero
    while length.seconds(at: rate) < Self.measuredSeconds,
      let count = try? decoder.read(into: buffer), count > 0
    {
      analyzer.push(buffer.filled, into: &tenths)
      length = length + FrameCount(Int64(count))
    }
    return tenths.loudness(
      wholeTenths: LoudnessAnalyzer.wholeTenths(in: length, at: rate)
    ).integrated
  }
}
