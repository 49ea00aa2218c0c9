// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics
import Analysis
import AudioCore
import Quran

@testable import Alignment

/// Speech as a network without fault would hear it: in each frame one sound is likely and the others are not.
struct Speech {
  private(set) var sounds: [UInt8] = []
  /// Where each ayah that was said begins and ends, in frames.
  private(set) var ayat: [(ayah: AyahReference, frames: Range<Int>)] = []
  var framesPerSound = 3
  var riwayah = Riwayah.hafs
  /// Frames in which the sound that is said is only the second likeliest, and what it is taken for.
  private var takenFor: [Int: UInt8] = [:]

  mutating func pause(_ frames: Int) {
    sounds += repeatElement(SoundChain.silence, count: frames)
  }

  /// - Parameter words: which of its words are said; nil for all.
  mutating func say(_ ayah: AyahReference, words: Range<Int>? = nil) {
    let first = sounds.count
    let all = QuranSounds.words(of: ayah, in: riwayah)
    let words = words ?? 0..<all.count
    say(Array(all[words]))
    ayat.append((ayah, first..<sounds.count))
  }

  mutating func say(_ words: [SpokenWord]) {
    for sound in QuranSounds.sounds(of: words) {
      let frames = max(framesPerSound, ChainPrices().states(of: sound.length))
      sounds += repeatElement(sound.phone.rawValue, count: frames)
    }
  }

  /// Takes frames for other sounds than they are, one of so many.
  ///
  /// - Parameter frames: nil for all of them.
  mutating func mishear(everyNth: Int, in frames: Range<Int>? = nil) {
    for frame in frames ?? sounds.indices where frame % everyNth == everyNth - 1 {
      sounds[frame] = UInt8(frame * 7 % Int(SoundChain.silence))
    }
  }

  /// Hears whatever follows a pause two frames earlier than it sounds.
  mutating func hearEarly() {
    for frame in sounds.indices.dropLast(2)
    where sounds[frame] == SoundChain.silence && sounds[frame + 1] == SoundChain.silence
      && sounds[frame + 2] != SoundChain.silence
    {
      sounds[frame] = sounds[frame + 2]
      sounds[frame + 1] = sounds[frame + 2]
    }
  }

  /// Holds a sound of what was said last for so many frames, in which it is taken for another.
  mutating func draw(_ sound: Phone, for frames: Int, takenFor other: Phone) {
    guard let last = ayat.last, let first = sounds[last.frames].firstIndex(of: sound.rawValue)
    else {
      return
    }
    let at = sounds[first...].firstIndex { $0 != sound.rawValue } ?? sounds.count
    sounds.insert(contentsOf: repeatElement(sound.rawValue, count: frames), at: at)
    ayat[ayat.count - 1].frames = last.frames.lowerBound..<last.frames.upperBound + frames
    for frame in at..<at + frames { takenFor[frame] = other.rawValue }
  }

  /// Cuts out what is found in a span; where ayat were said is not known any more.
  mutating func remove(_ span: Range<FramePosition>) {
    let frames = [span.lowerBound, span.upperBound].map {
      Int($0.seconds(at: Self.rate) * Double(LogMelFrames.framesPerSecond))
    }
    sounds.removeSubrange(frames[0]..<frames[1])
    ayat = []
  }

  /// Of what was said last so many frames are not heard.
  mutating func beginSoftly(_ frames: Int) {
    guard let last = ayat.last else { return }
    for frame in last.frames.prefix(frames) { sounds[frame] = SoundChain.silence }
  }

  mutating func say(_ formula: SpokenFormula) {
    say(QuranSounds.wordings(of: formula).first ?? [])
  }

  /// Speech that is none of the text: other sounds in every frame, the same on each run.
  mutating func mumble(_ frames: Int) {
    var state = UInt32(truncatingIfNeeded: sounds.count) | 1
    for _ in 0..<frames {
      state = state &* 1_664_525 &+ 1_013_904_223
      sounds.append(UInt8(state >> 24) % SoundChain.silence)
    }
  }

  var scores: AcousticScores {
    let count = Int(SoundChain.silence) + 1
    var values = [Int16](repeating: -4 * 128, count: sounds.count * count)
    for (frame, sound) in sounds.enumerated() { values[frame * count + Int(sound)] = 3 * 128 }
    for (frame, other) in takenFor { values[frame * count + Int(other)] = 5 * 128 }
    return AcousticScores(soundCount: count, values: values)
  }

  static let rate = SampleRate(hertz: 8000)!

  /// Of a recording that sounds so, with silence where it is silent.
  ///
  /// - Parameters:
  ///   - riwayah: what it is said to be in.
  ///   - other: what it sounds like, if not like this.
  func aligner(
    in riwayah: Riwayah = .hafs, soundingLike other: AcousticScores? = nil
  ) throws -> AcousticAligner {
    let hopsPerFrame = HopGrid.hopsPerSecond / LogMelFrames.framesPerSecond
    var random: UInt32 = 1
    let hops = sounds.flatMap { sound -> [Hop] in
      (0..<hopsPerFrame).map { _ in
        random = random &* 1_664_525 &+ 1_013_904_223
        let level: Float = sound == SoundChain.silence ? 1e-7 : 0.02
        return Hop(
          meanSquare: level * (1 + Float(random >> 24) / 512), minimum: -1000, maximum: 1000,
          fine: 0xCCCC_CCCC)
      }
    }
    let frames = sounds.count * Self.rate.hertz / LogMelFrames.framesPerSecond
    return try AcousticAligner(
      Envelope(rate: Self.rate, length: FrameCount(Int64(frames)), hops: hops),
      scores: other ?? scores,
      riwayah: riwayah)
  }

  static func position(_ frame: Int) -> FramePosition {
    FramePosition(Int64(frame * rate.hertz / LogMelFrames.framesPerSecond))
  }
}
