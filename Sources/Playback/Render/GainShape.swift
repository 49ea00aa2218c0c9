// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Glibc

func decibelGain(_ decibels: Double) -> Float { Float(pow(10, decibels / 20)) }

/// The gain of each frame of one repetition of an item: its own gain, fades at its ends, the de-click
/// at loop joins, and a crossfade to what follows.
struct GainShape {
  private let gain: Float
  private let length: Int
  private let rise: Fade
  private let fall: Fade
  /// The crossfade under way and how far it is at the first frame asked for.
  private let overlapOut: (fade: Fade, frame: Int)?

  init(
    entry: Mixer.Entry, repetition: Int, overlapIn: Int, crossfadesOut: Bool,
    overlapOut: (length: Int, curve: FadeCurve, frame: Int)?, loopDeclick: Int
  ) {
    gain = entry.gain
    length = entry.length
    // Level at both ends, so that neither the signal nor its slope jumps.
    let declick = Fade(FrameCount(Int64(min(loopDeclick, entry.length / 2))), .sCurve)
    if repetition > 0 {
      rise = declick
    } else {
      rise = overlapIn > 0 ? .none : entry.item.fadeIn
    }
    if !entry.isLast(repetition) {
      fall = declick
    } else {
      fall = crossfadesOut ? .none : entry.item.fadeOut
    }
    self.overlapOut = overlapOut.map {
      (Fade(FrameCount(Int64($0.length)), $0.curve), $0.frame)
    }
  }

  /// Whether nothing but the item's own gain applies.
  func isConstant(_ frames: Range<Int>) -> Bool {
    overlapOut == nil && frames.lowerBound >= rise.length.frames
      && frames.upperBound <= length - Int(fall.length.frames)
  }

  /// The gain of a frame of the item, the `offset`th since the crossfade's place was taken.
  func gain(at frame: Int, offset: Int) -> Float {
    var result = gain
    if frame < rise.length.frames { result *= rise.rising(frame) }
    let intoFall = frame - (length - Int(fall.length.frames))
    if fall.length > .zero, intoFall >= 0 { result *= fall.falling(intoFall) }
    if let overlapOut { result *= overlapOut.fade.falling(overlapOut.frame + offset) }
    return result
  }
}
