// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import AudioCore
import Dispatch
import Listening
import Playback
import TerminalUI

/// Reads the shape of an ayah's sound from its recording's sidecar, which is made where there is none; on a
/// queue of its own, the latest wish alone.
final class AyahWaveforms: Sendable {
  private let sound: PublishedSound
  private let tell: @Sendable (Waveform) -> Void
  private let queue = DispatchQueue(label: "tilawa.player.waveforms", qos: .utility)
  private let wanted = Monitor<AudioClip?>(nil)
  private let known = Monitor<(media: MediaKey, envelope: Envelope)?>(nil)
  private let stop = StopFlag()

  /// Enough for any terminal's columns, two to a column.
  private static let bars = 512

  init(_ sound: PublishedSound, tell: @escaping @Sendable (Waveform) -> Void) {
    self.sound = sound
    self.tell = tell
  }

  func load(_ clip: AudioClip) {
    wanted.update { $0 = clip }
    queue.async { [self] in
      guard wanted.update({ $0 }) == clip, let waveform = waveform(of: clip) else { return }
      tell(waveform)
    }
  }

  func close() { stop.stop() }

  private func waveform(of clip: AudioClip) -> Waveform? {
    guard let envelope = envelope(of: clip.media) else { return nil }
    let grid = envelope.grid
    let first = grid.hop(containing: clip.span.lowerBound)
    let last = min(
      grid.hop(containing: clip.span.upperBound - FrameCount(1)) + 1, envelope.hopCount)
    guard first < last,
      let peaks = try? envelope.peaks(in: first..<last, columns: min(Self.bars, last - first))
    else { return nil }
    // Seen as large as it goes: recitations differ in loudness by far more than ayat of one do.
    let most = peaks.reduce(Int16(1)) {
      max($0, $1.maximum, $1.minimum == .min ? .max : -$1.minimum)
    }
    let scale = 1 / Double(most)
    return Waveform(
      clip,
      bars: peaks.map { peak in
        ColumnChart.Bar(
          minimum: Double(peak.minimum) * scale, maximum: Double(peak.maximum) * scale,
          inner: min(Double(peak.meanSquare).squareRoot() * 32768 * scale, 1))
      })
  }

  private func envelope(of media: MediaKey) -> Envelope? {
    if let known = known.update({ $0 }), known.media == media { return known.envelope }
    guard let file = sound.file(of: media) else { return nil }
    let analyzer = RecordingAnalyzer(
      threadCount: 1, sidecars: UserFolders.sidecars, stopFlag: stop)
    guard let analyzed = try? analyzer.analyze(path: file.path, track: file.track) else {
      return nil
    }
    known.update { $0 = (media, analyzed.envelope) }
    return analyzed.envelope
  }
}
