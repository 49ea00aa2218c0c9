// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics
import AudioCore
import Decoding

/// What is measured of a stretch of sound.
struct MeasuredSound: Sendable {
  var hops: [Hop] = []
  /// Nil where nobody asked for them.
  var logMel: LogMelFrames?
  var loudness: LoudnessTenths?
  var mix = MixEnergy()
}

/// Measures all that is asked for in one pass, block by block.
///
/// How the stream is cut into blocks, or into meters that are primed, makes no difference.
struct SoundMeter: ~Copyable {
  private let format: AudioFormat
  private let start: FramePosition
  private var waveform: WaveformAnalyzer
  private var logMel: LogMelAnalyzer?
  private var loudness: LoudnessAnalyzer?
  /// What was measured so far; whoever takes hops out of it gets the rest later.
  var sound = MeasuredSound()

  /// - Parameter measuresLogMel: whether log-mel frames are wanted, and loudness with them.
  init(format: AudioFormat, firstHop: Int, measuresLogMel: Bool) {
    self.format = format
    waveform = WaveformAnalyzer(format: format, firstHop: firstHop)
    start = waveform.grid.start(ofHop: firstHop)
    logMel = nil
    loudness = nil
    if measuresLogMel {
      logMel = LogMelAnalyzer(format: format, start: start)
      let analyzer = LoudnessAnalyzer(format: format, start: start)
      sound.logMel = LogMelFrames()
      sound.loudness = analyzer.emptyTenths
      loudness = consume analyzer
    }
  }

  /// Reads the frames before the first hop and leaves the decoder there.
  mutating func prime(from decoder: any AudioDecoder) throws(DecodingError) {
    guard start > .zero else { return }
    let forHops = WaveformAnalyzer.primingLength(at: format.rate)
    var longest = forHops
    if sound.logMel != nil {
      longest = max(
        forHops, LogMelAnalyzer.primingLength(at: format.rate),
        LoudnessAnalyzer.primingLength(at: format.rate))
    }
    let channels = format.channels
    let wanted = min(longest.frames, start.frames)
    let priming = PCMBuffer(channels: channels, frameCapacity: Int(wanted))
    try decoder.seek(to: start - FrameCount(wanted))
    var samples: [Float] = []
    while samples.count < Int(wanted) * channels {
      guard try decoder.read(into: priming) > 0 else { break }
      samples += priming.filled.prefix(Int(wanted) * channels - samples.count)
    }
    samples.withUnsafeBufferPointer { samples in
      waveform.prime(
        UnsafeBufferPointer(rebasing: samples.suffix(Int(forHops.frames) * channels)))
      logMel?.prime(samples)
      loudness?.prime(samples)
    }
    if decoder.position != start { try decoder.seek(to: start) }
  }

  /// Takes the next frames, interleaved.
  mutating func push(_ samples: UnsafeBufferPointer<Float>) {
    waveform.push(samples, into: &sound.hops)
    sound.mix.add(samples, channels: format.channels)
    guard var frames = sound.logMel.take(), var tenths = sound.loudness.take() else { return }
    logMel?.push(samples, into: &frames)
    loudness?.push(samples, into: &tenths)
    sound.logMel = frames
    sound.loudness = tenths
  }

  /// Ends the stretch.
  ///
  /// - Parameter endsRecording: whether nothing comes after it, so that a hop or a frame which is not full counts.
  mutating func finish(endsRecording: Bool) {
    waveform.finish(into: &sound.hops)
    guard var frames = sound.logMel.take(), var tenths = sound.loudness.take() else { return }
    if endsRecording { logMel?.finish(into: &frames) }
    loudness?.finish(into: &tenths)
    sound.logMel = frames
    sound.loudness = tenths
  }
}
