// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore

/// The mix at another speed, its pitch kept. At 1.0x the mix passes through untouched, bit for bit.
///
/// The frames that come out are numbered as the mix is: each run of them knows the frame of the mix it
/// begins with and the speed. Between passing through and stretching, both are heard across 5 ms; where
/// stretching ends, what comes out is as long as what went in divided by the speed. Silence between
/// sounds is never stretched: before it each sound comes to its end, and it keeps its length.
final class StretchStage {
  /// Frames that came out, and where in the mix they come from.
  struct Run {
    var count: Int
    var mixStart: Double
    var speed: Double
  }

  /// Mixes up to so many frames to a place, all of a kind; none only at the end of the schedule, or where
  /// what follows is not there yet.
  typealias Source = (UnsafeMutablePointer<Float>, Int) -> MixedRun

  static let speedRange = 0.25...3.0

  /// More frames than a stretcher ever holds back, and than it wants ahead of its start.
  private static let lookahead = 32_768
  private static let lookbehind = 8192

  private let format: AudioFormat
  private let fadeLength: Int
  /// The frame of the mix that the next frame out begins with.
  private var exactPosition = 0.0
  /// The number of the next frame of the mix to be taken, silence not counted that is still to come out.
  private var taken = 0
  /// Frames of silence that follow those taken.
  private var silence = 0
  /// Frames of the next block that lie in `scratch` until the rest of it is there: what a stretcher makes
  /// depends on the blocks that it is fed, and these are never cut by what comes late.
  private var gathered = 0
  private var stretcher: RubberBandStretcher?
  /// The speed that the stretcher was last told, and the one of the next frame out: a change is heard
  /// only after the frames that the stretcher has under way, as many as its start delay.
  private var speed = 1.0
  private var speedOut = 1.0
  /// Speeds to come, each after so many more frames out.
  private var changes: [(after: Int, speed: Double)] = []
  /// Frames still to be thrown away at the start of the stretcher's output.
  private var surplus = 0
  /// Whether no more of the sound follows that is being stretched: silence does, or nothing.
  private var hasEnded = false
  /// Untouched frames, to be heard as stretching begins or after it ends.
  private let direct: PCMBuffer
  private var directUsed = 0
  /// Frames out since stretching began.
  private var stretched = 0
  /// Whether the first stretched frames are to be blended with untouched ones, heard just before.
  private var isJoining = false
  /// Where stretching ends: the frame of the mix from which on frames are heard untouched.
  private var leavingAt: Int?
  /// The last frames of the mix, to start a stretcher with.
  private let recent: PCMBuffer
  private let scratch: PCMBuffer

  init(format: AudioFormat) {
    self.format = format
    fadeLength = max(16, format.rate.hertz / 200)
    direct = PCMBuffer(channels: format.channels, frameCapacity: Self.lookahead)
    recent = PCMBuffer(channels: format.channels, frameCapacity: Self.lookbehind)
    scratch = PCMBuffer(
      channels: format.channels, frameCapacity: RubberBandStretcher.blockLength)
  }

  /// Whether nothing of the mix is held back.
  var isEmpty: Bool {
    stretcher == nil && directUsed >= direct.frameCount && silence == 0 && gathered == 0
  }

  /// The frame of the mix that is next to come out.
  var position: Int { Int(exactPosition.rounded(.down)) }

  /// Begins anew with a frame of the mix.
  func restart(atMix frame: Int) {
    stretcher = nil
    exactPosition = Double(frame)
    taken = frame
    silence = 0
    gathered = 0
    direct.frameCount = 0
    directUsed = 0
    recent.frameCount = 0
    hasEnded = false
    isJoining = false
    leavingAt = nil
  }

  /// Makes up to `capacity` frames at a speed; none when the mix has ended and all of it is out, or has to
  /// wait for what follows.
  func render(
    into target: UnsafeMutablePointer<Float>, capacity: Int, speed wanted: Double, source: Source
  ) -> Run {
    if stretcher == nil {
      if directUsed < direct.frameCount { return takeDirect(into: target, capacity: capacity) }
      if silence > 0 { return takeSilence(into: target, capacity: capacity) }
      if wanted == 1 { return passThrough(into: target, capacity: capacity, source: source) }
      guard enter(wanted, source: source) else {
        return silence > 0
          ? takeSilence(into: target, capacity: capacity)
          : Run(count: 0, mixStart: exactPosition, speed: 1)
      }
    }
    if leavingAt != nil || (wanted == 1 && !hasEnded) {
      return leave(into: target, capacity: capacity, source: source)
    }
    return stretch(
      into: target, capacity: capacity, speed: hasEnded ? speed : wanted, source: source)
  }

  private func passThrough(
    into target: UnsafeMutablePointer<Float>, capacity: Int, source: Source
  ) -> Run {
    if gathered > 0 { return takeGathered(into: target, capacity: capacity) }
    if silence > 0 { return takeSilence(into: target, capacity: capacity) }
    let mixed = source(target, capacity)
    let run = Run(count: mixed.count, mixStart: exactPosition, speed: 1)
    taken += run.count
    exactPosition = Double(taken)
    if mixed.isSilence {
      recent.frameCount = 0
    } else {
      remember(target, frames: run.count)
    }
    return run
  }

  private func takeSilence(into target: UnsafeMutablePointer<Float>, capacity: Int) -> Run {
    let run = Run(count: min(capacity, silence), mixStart: exactPosition, speed: 1)
    target.update(repeating: 0, count: run.count * format.channels)
    silence -= run.count
    taken += run.count
    exactPosition = Double(taken)
    recent.frameCount = 0
    return run
  }

  private func takeDirect(into target: UnsafeMutablePointer<Float>, capacity: Int) -> Run {
    let count = min(capacity, direct.frameCount - directUsed)
    copy(direct, from: directUsed, to: target, frames: count)
    directUsed += count
    let run = Run(count: count, mixStart: exactPosition, speed: 1)
    exactPosition += Double(count)
    return run
  }

  /// What had been gathered for a stretcher when the speed came back to 1.
  private func takeGathered(into target: UnsafeMutablePointer<Float>, capacity: Int) -> Run {
    guard let samples = scratch.samples.baseAddress else {
      return Run(count: 0, mixStart: exactPosition, speed: 1)
    }
    direct.samples.baseAddress?.update(from: samples, count: gathered * format.channels)
    direct.frameCount = gathered
    directUsed = 0
    taken += gathered
    remember(samples, frames: gathered)
    gathered = 0
    return takeDirect(into: target, capacity: capacity)
  }

  // Stretching.

  /// What the next block of the mix came to.
  private enum Block {
    case sound(Int)
    /// Silence follows, or nothing.
    case end
    /// The rest of it is not there yet.
    case late
  }

  /// Gathers the next block of so many frames in `scratch`; fewer where the sound ends before.
  private func gather(_ wanted: Int, source: Source) -> Block {
    guard let samples = scratch.samples.baseAddress else { return .end }
    if silence == 0, gathered < wanted {
      let mixed = source(samples + gathered * format.channels, wanted - gathered)
      if mixed.isSilence {
        silence = mixed.count
      } else {
        gathered += mixed.count
      }
      if mixed.isUnfinished, silence == 0 { return .late }
    }
    defer { gathered = 0 }
    return gathered > 0 ? .sound(gathered) : .end
  }

  /// Begins to stretch with the sound that comes next; false where it is silence, nothing or not there.
  private func enter(_ speed: Double, source: Source) -> Bool {
    guard case .sound(let count) = gather(scratch.frameCapacity, source: source),
      let first = scratch.samples.baseAddress
    else { return false }
    prime(speed)
    feed(first, frames: count)
    return true
  }

  private func prime(_ speed: Double) {
    let stretcher = RubberBandStretcher(format: format, speed: speed)
    self.stretcher = stretcher
    self.speed = speed
    speedOut = speed
    changes = []
    hasEnded = false
    stretched = 0
    direct.frameCount = 0
    directUsed = 0
    isJoining = recent.frameCount > 0
    surplus = stretcher.startDelay
    // What was just heard stands in for the silence ahead of the start that Rubber Band asks for.
    var left = stretcher.startPad
    let padding = max(0, left - recent.frameCount)
    for start in stride(from: 0, to: padding, by: RubberBandStretcher.blockLength) {
      stretcher.feed(nil, frames: min(RubberBandStretcher.blockLength, padding - start))
    }
    left -= padding
    guard let samples = recent.samples.baseAddress else { return }
    while left > 0 {
      let count = min(left, RubberBandStretcher.blockLength)
      stretcher.feed(
        samples + (recent.frameCount - left) * format.channels, frames: count)
      left -= count
    }
  }

  private func stretch(
    into target: UnsafeMutablePointer<Float>, capacity: Int, speed wanted: Double, source: Source
  ) -> Run {
    guard let stretcher else { return Run(count: 0, mixStart: exactPosition, speed: 1) }
    if wanted != speed, stretcher.available == 0 || surplus == 0 {
      // What is ready was made at the old speed.
      let rest = takeStretched(
        stretcher, into: target, capacity: min(capacity, stretcher.available))
      if rest.count > 0 { return rest }
      stretcher.setSpeed(wanted)
      speed = wanted
      let underWay = changes.reduce(0) { $0 + $1.after }
      changes.append((max(0, stretcher.startDelay - underWay), wanted))
    }
    while true {
      let run = takeStretched(stretcher, into: target, capacity: capacity)
      if run.count > 0 { return run }
      if framesLeft == 0 {
        self.stretcher = nil
        hasEnded = false
        isJoining = false
        direct.frameCount = 0
        directUsed = 0
        exactPosition = Double(taken)
        // The next sound does not go on from this one.
        recent.frameCount = 0
        return silence > 0 ? takeSilence(into: target, capacity: capacity) : run
      }
      guard feed(stretcher, source: source) else { return run }
    }
  }

  /// Feeds one block of the mix, or silence after its end; false where the block is not there yet.
  private func feed(_ stretcher: RubberBandStretcher, source: Source) -> Bool {
    guard let samples = scratch.samples.baseAddress else { return false }
    let wanted = max(1, min(stretcher.required, RubberBandStretcher.blockLength))
    let isFull = leavingAt != nil && direct.frameCount + wanted > direct.frameCapacity
    if !hasEnded, !isFull {
      switch gather(wanted, source: source) {
      case .sound(let count):
        feed(samples, frames: count)
        return true
      case .end: hasEnded = true
      case .late: return false
      }
    }
    // Told of the end, Rubber Band would keep back the last frames.
    stretcher.feed(nil, frames: wanted)
    return true
  }

  private func feed(_ samples: UnsafePointer<Float>, frames count: Int) {
    taken += count
    stretcher?.feed(samples, frames: count)
    remember(samples, frames: count)
    if leavingAt != nil || (isJoining && direct.frameCount < fadeLength) {
      direct.samples.baseAddress?.advanced(by: direct.frameCount * format.channels)
        .update(from: samples, count: count * format.channels)
      direct.frameCount += count
    }
  }

  private func takeStretched(
    _ stretcher: RubberBandStretcher, into target: UnsafeMutablePointer<Float>, capacity: Int
  ) -> Run {
    while surplus > 0, stretcher.available > 0 {
      surplus -= stretcher.take(nil, frames: surplus)
    }
    while let change = changes.first, change.after == 0 {
      speedOut = change.speed
      changes.removeFirst()
    }
    let wanted = min(capacity, framesLeft, changes.first?.after ?? .max)
    let count = min(wanted, stretcher.available) > 0 ? stretcher.take(target, frames: wanted) : 0
    fadeFromDirect(target, frames: count)
    let run = Run(count: count, mixStart: exactPosition, speed: speedOut)
    exactPosition += Double(count) * speedOut
    stretched += count
    if !changes.isEmpty { changes[0].after -= count }
    return run
  }

  /// Frames that are still to come out, once it is known where stretching ends.
  private var framesLeft: Int {
    guard let end = leavingAt ?? (hasEnded ? taken : nil) else { return .max }
    var left = Double(end) - exactPosition
    var frames = 0
    var speed = speedOut
    for change in changes {
      let covered = Double(change.after) * speed
      if covered >= left { break }
      left -= covered
      frames += change.after
      speed = change.speed
    }
    return frames + max(0, Int((left / speed).rounded()))
  }

  /// Begins with the untouched mix where it was just heard untouched.
  private func fadeFromDirect(_ target: UnsafeMutablePointer<Float>, frames: Int) {
    guard isJoining else { return }
    for frame in 0..<frames where stretched + frame < direct.frameCount {
      let gain = Float(FadeCurve.sCurve.rising(Double(stretched + frame) / Double(fadeLength)))
      for channel in 0..<format.channels {
        let sample = frame * format.channels + channel
        let untouched = direct.samples[(stretched + frame) * format.channels + channel]
        target[sample] = target[sample] * gain + untouched * (1 - gain)
      }
    }
    guard stretched + frames >= fadeLength else { return }
    isJoining = false
    direct.frameCount = 0
  }

  /// Ends stretching: the rest of it, and 5 ms of both.
  private func leave(
    into target: UnsafeMutablePointer<Float>, capacity: Int, source: Source
  ) -> Run {
    guard let stretcher else { return Run(count: 0, mixStart: exactPosition, speed: 1) }
    if leavingAt == nil {
      leavingAt = taken
      isJoining = false
      direct.frameCount = 0
    }
    while true {
      let run = takeStretched(stretcher, into: target, capacity: capacity)
      if run.count > 0 { return run }
      if framesLeft == 0 { break }
      guard feed(stretcher, source: source) else { return run }
    }
    while direct.frameCount < fadeLength || stretcher.available < fadeLength {
      if hasEnded, direct.frameCount < fadeLength { break }
      guard feed(stretcher, source: source) else {
        return Run(count: 0, mixStart: exactPosition, speed: 1)
      }
    }
    joinDirect(stretcher)
    exactPosition = Double(leavingAt ?? taken)
    self.stretcher = nil
    leavingAt = nil
    hasEnded = false
    directUsed = 0
    if direct.frameCount > 0 { return takeDirect(into: target, capacity: capacity) }
    return passThrough(into: target, capacity: capacity, source: source)
  }

  /// Blends what the stretcher made of the untouched frames into them.
  private func joinDirect(_ stretcher: RubberBandStretcher) {
    guard let samples = scratch.samples.baseAddress, direct.frameCount > 0 else { return }
    let length = min(direct.frameCount, fadeLength)
    var done = 0
    while done < length, stretcher.available > 0 {
      let count = stretcher.take(samples, frames: length - done)
      if count == 0 { break }
      for frame in 0..<count {
        let gain = Float(FadeCurve.sCurve.rising(Double(done + frame) / Double(length)))
        for channel in 0..<format.channels {
          let sample = (done + frame) * format.channels + channel
          direct.samples[sample] =
            direct.samples[sample] * gain
            + samples[frame * format.channels + channel] * (1 - gain)
        }
      }
      done += count
    }
  }

  private func remember(_ samples: UnsafePointer<Float>, frames: Int) {
    guard let kept = recent.samples.baseAddress else { return }
    let channels = format.channels
    let fresh = min(frames, recent.frameCapacity)
    let old = min(recent.frameCount, recent.frameCapacity - fresh)
    kept.update(from: kept + (recent.frameCount - old) * channels, count: old * channels)
    (kept + old * channels)
      .update(from: samples + (frames - fresh) * channels, count: fresh * channels)
    recent.frameCount = old + fresh
  }

  private func copy(
    _ buffer: PCMBuffer, from frame: Int, to target: UnsafeMutablePointer<Float>, frames: Int
  ) {
    guard let samples = buffer.samples.baseAddress else { return }
    target.update(from: samples + frame * format.channels, count: frames * format.channels)
  }
}
