// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Synchronization

/// The innermost of the output thread: frames from the ring through the equaliser into a history, and
/// from the history, with the fades of pause and seek, to the device's staging buffer.
///
/// `@_noLocks` makes the compiler refuse locks, allocation, reference counting and existentials here.
/// Frames are numbered along the path: the order in which they are heard, whatever was skipped in the
/// ring. The history holds the last ones ready to be written once more, as they were.
struct OutputKernel: ~Copyable {
  let channels: Int
  private let bus: OutputBus
  private var equaliser: EqualiserStage
  private var limiter: LimiterStage
  private let history: UnsafeMutablePointer<Float>
  private let historyFrames: Int
  let staging: UnsafeMutablePointer<Float>
  let stagingFrames: Int
  /// Whether the limiter looks ahead of every frame, so that what comes out does not depend on how many
  /// are made at once: for a file, which can wait for them.
  private let alwaysLimits: Bool

  /// The path frame after the last one made.
  private(set) var madeEnd = 0
  /// The path frame after the last one that went through the equaliser; those from `madeEnd` on are held until
  /// the limiter has seen what follows them.
  private(set) var heldEnd = 0
  /// The ring frame that is made next. Those from here to what was claimed wait for it.
  private(set) var nextRingFrame = 0
  private var isFirst = true

  /// The gain along the path: from one value to another across some frames, constant around them.
  private var rampStart = 0
  private var rampLength = 0
  private var rampFrom: Float = 1
  private var rampTo: Float = 1
  private var rampBefore: Float = 1

  init(bus: OutputBus, historyFrames: Int, stagingFrames: Int, alwaysLimits: Bool) {
    self.bus = bus
    self.alwaysLimits = alwaysLimits
    channels = bus.format.channels
    equaliser = EqualiserStage(channels: channels, rate: bus.format.rate.hertz)
    limiter = LimiterStage(rate: bus.format.rate.hertz)
    var size = 1
    while size < historyFrames { size *= 2 }
    self.historyFrames = size
    self.stagingFrames = stagingFrames
    history = .allocate(capacity: size * channels)
    history.initialize(repeating: 0, count: size * channels)
    staging = .allocate(capacity: stagingFrames * channels)
    staging.initialize(repeating: 0, count: stagingFrames * channels)
  }

  deinit {
    history.deallocate()
    staging.deallocate()
  }

  /// How far back from `madeEnd` frames can be written again.
  var reach: Int { historyFrames &- stagingFrames &- limiter.lookahead }

  /// Makes sure that up to `wanted` frames, at most a staging buffer, are at hand, and returns how many are.
  @_noLocks
  func claim(upTo wanted: Int) -> Int {
    let left = bus.ring.claimedIndex() &- nextRingFrame
    return left > 0 ? left : bus.ring.claim(upTo: min(wanted, stagingFrames))
  }

  /// Takes frames that were claimed from the ring into the history: up to the end of its memory. With a limiter
  /// at work fewer are made than were taken, or none.
  @_noLocks
  mutating func make() {
    if let parameters = bus.parameters.read() { equaliser.set(parameters, atOnce: isFirst) }
    isFirst = false
    let offset = heldEnd & (historyFrames &- 1)
    let count = min(bus.ring.claimedIndex() &- nextRingFrame, historyFrames &- offset)
    let target = history + offset &* channels
    for frame in 0..<count {
      for channel in 0..<channels {
        target[frame &* channels &+ channel] = bus.ring.sample(nextRingFrame &+ frame, channel)
      }
    }
    nextRingFrame &+= count
    bus.ring.release(before: nextRingFrame)
    var needsLimiter = alwaysLimits || equaliser.mayBoost() || !limiter.isAtRest()
    equaliser.process(target, frames: count)
    // What a lossy file decodes to may be above full scale by itself.
    if !needsLimiter {
      for frame in heldEnd..<(heldEnd &+ count) where peak(of: frame) > 1 { needsLimiter = true }
    }
    if needsLimiter {
      for frame in heldEnd..<(heldEnd &+ count) {
        limit(frame &- limiter.lookahead, after: peak(of: frame))
      }
      heldEnd &+= count
      note(upTo: max(madeEnd, heldEnd &- limiter.lookahead))
    } else {
      heldEnd &+= count
      note(upTo: heldEnd)
    }
  }

  /// Makes the frames that are held, as if silence followed them; false when there were none.
  @_noLocks
  mutating func release() -> Bool {
    if heldEnd == madeEnd { return false }
    for frame in (heldEnd &- limiter.lookahead)..<heldEnd { limit(frame, after: 0) }
    note(upTo: heldEnd)
    return true
  }

  @_noLocks
  private mutating func limit(_ frame: Int, after peak: Float) {
    let gain = limiter.gain(after: peak)
    if gain == 1 || frame < madeEnd { return }
    _ = bus.leastGain.min(Float(gain).bitPattern, ordering: .relaxed)
    let place = (frame & (historyFrames &- 1)) &* channels
    for channel in 0..<channels {
      let sample = Double(history[place &+ channel])
      history[place &+ channel] = Float(sample * gain)
    }
  }

  @_noLocks
  private func peak(of frame: Int) -> Float {
    let place = (frame & (historyFrames &- 1)) &* channels
    var highest: Float = 0
    for channel in 0..<channels { highest = max(highest, abs(history[place &+ channel])) }
    return highest
  }

  /// Lets the path go on to a frame, and notes how loud it is.
  @_noLocks
  private mutating func note(upTo end: Int) {
    var highest: Float = 0
    var over = 0
    for frame in madeEnd..<end {
      let place = (frame & (historyFrames &- 1)) &* channels
      for channel in 0..<channels {
        let level = abs(history[place &+ channel])
        highest = max(highest, level)
        over &+= level > 1 ? 1 : 0
      }
    }
    madeEnd = end
    // Bits of floats that are not negative are ordered as the floats are.
    _ = bus.peak.max(highest.bitPattern, ordering: .relaxed)
    if over > 0 { bus.clipped.wrappingAdd(over, ordering: .relaxed) }
  }

  /// Adds silence to the path.
  @_noLocks
  mutating func makeSilence(_ frames: Int) {
    for frame in 0..<frames {
      let place = ((madeEnd &+ frame) & (historyFrames &- 1)) &* channels
      for channel in 0..<channels { history[place &+ channel] = 0 }
    }
    madeEnd &+= frames
    heldEnd = madeEnd
  }

  /// Throws away all frames of the ring before one.
  @_noLocks
  mutating func skip(toRing frame: Int) {
    while bus.ring.claimedIndex() < frame {
      if bus.ring.claim(upTo: frame &- bus.ring.claimedIndex()) == 0 { break }
    }
    nextRingFrame = min(frame, bus.ring.claimedIndex())
    bus.ring.release(before: nextRingFrame)
  }

  /// Lets the path end with frame `end`, the `fade` frames before it fading to silence.
  @_noLocks
  mutating func cut(at end: Int, fade: Int) {
    var index = 0
    while index < fade {
      let frame = end &- fade &+ index
      let place = (frame & (historyFrames &- 1)) &* channels
      let x = Float(index) / Float(fade)
      let gain = (1 - x * x * (3 - 2 * x)) * self.gain(at: frame)
      for channel in 0..<channels {
        // Not `*=`: see `EqualiserStage.set` about changes in place.
        let sample = history[place &+ channel]
        history[place &+ channel] = sample * gain
      }
      index &+= 1
    }
    madeEnd = end
    heldEnd = end
    equaliser.forget()
  }

  /// Lets the gain run from one value to another across some frames of the path; ahead of them it is
  /// `before`.
  @_noLocks
  mutating func ramp(from: Float, to target: Float, start: Int, length: Int, before: Float) {
    rampBefore = before
    rampFrom = from
    rampTo = target
    rampStart = start
    rampLength = length
  }

  @_noLocks
  func gain(at frame: Int) -> Float {
    if frame < rampStart { return rampBefore }
    if frame >= rampStart &+ rampLength { return rampTo }
    let x = Float(frame &- rampStart) / Float(rampLength)
    return rampFrom + (rampTo - rampFrom) * (x * x * (3 - 2 * x))
  }

  /// Puts frames of the path into the staging buffer as they are to be heard.
  @_noLocks
  func stage(from start: Int, frames: Int) {
    let isPlain =
      rampTo == 1
      && (start >= rampStart &+ rampLength || (rampFrom == 1 && rampBefore == 1))
    for frame in 0..<frames {
      let place = ((start &+ frame) & (historyFrames &- 1)) &* channels
      let gain = isPlain ? 1 : gain(at: start &+ frame)
      for channel in 0..<channels {
        staging[frame &* channels &+ channel] = history[place &+ channel] * gain
      }
    }
  }

  @_noLocks
  func stageSilence(_ frames: Int) {
    for index in 0..<(frames &* channels) { staging[index] = 0 }
  }
}
