// SPDX-License-Identifier: GPL-3.0-or-later

/// Preamp, six filters and volume over interleaved frames, in place; the output thread's.
///
/// New parameters are reached along a straight line of 20 ms, in steps of 16 frames. Between two stable
/// second-order filters every filter on that line is stable, since the region of stable (a1, a2) is a
/// triangle. With everything at rest on "no change" the samples are not touched.
struct EqualiserStage: ~Copyable {
  private static var step: Int { 16 }

  private let channels: Int
  private let stepsPerChange: Int
  /// The coefficients in use, and how much each changes in a step.
  private let filters: UnsafeMutablePointer<Biquad>
  private let slopes: UnsafeMutablePointer<Biquad>
  private let targets: UnsafeMutablePointer<Biquad>
  /// Two memories a band and channel (transposed direct form II).
  private let memory: UnsafeMutablePointer<Double>
  private var preamp = 1.0
  private var volume = 1.0
  private var preampTarget = 1.0
  private var volumeTarget = 1.0
  private var stepsLeft = 0
  /// Frames until the next step of a change.
  private var framesLeft = 0
  private var isTransparent = true
  private var boosts = false

  /// Whether it may make full-scale sound louder: as it is, or on its way from there.
  @_noLocks
  func mayBoost() -> Bool { boosts || stepsLeft > 0 }

  init(channels: Int, rate: Int) {
    self.channels = channels
    stepsPerChange = max(1, rate / 50 / Self.step)
    let count = OutputParameters.bandCount
    filters = .allocate(capacity: count)
    slopes = .allocate(capacity: count)
    targets = .allocate(capacity: count)
    memory = .allocate(capacity: count * channels * 2)
    filters.initialize(repeating: .identity, count: count)
    slopes.initialize(repeating: .identity, count: count)
    targets.initialize(repeating: .identity, count: count)
    memory.initialize(repeating: 0, count: count * channels * 2)
  }

  deinit {
    filters.deallocate()
    slopes.deallocate()
    targets.deallocate()
    memory.deallocate()
  }

  /// Sets out for new parameters; `atOnce` where nothing has been heard yet.
  @_noLocks
  mutating func set(_ parameters: UnsafePointer<OutputParameters>, atOnce: Bool) {
    targets[0] = parameters.pointee.bands.0
    targets[1] = parameters.pointee.bands.1
    targets[2] = parameters.pointee.bands.2
    targets[3] = parameters.pointee.bands.3
    targets[4] = parameters.pointee.bands.4
    targets[5] = parameters.pointee.bands.5
    preampTarget = parameters.pointee.preamp
    volumeTarget = parameters.pointee.volume
    boosts = parameters.pointee.boosts
    if atOnce {
      arrive()
      return
    }
    let part = 1 / Double(stepsPerChange)
    for band in 0..<OutputParameters.bandCount {
      let from = filters[band]
      let to = targets[band]
      // Here and below as whole values: field by field in place, the compiler (6.3.1) breaks when it builds
      // for the thread sanitizer.
      var slope = to
      slope.b0 = (to.b0 - from.b0) * part
      slope.b1 = (to.b1 - from.b1) * part
      slope.b2 = (to.b2 - from.b2) * part
      slope.a1 = (to.a1 - from.a1) * part
      slope.a2 = (to.a2 - from.a2) * part
      slopes[band] = slope
    }
    stepsLeft = stepsPerChange
    framesLeft = 0
    isTransparent = false
  }

  /// Forgets what was filtered, where the sound that follows has nothing to do with it.
  @_noLocks
  func forget() {
    for index in 0..<(OutputParameters.bandCount * channels * 2) { memory[index] = 0 }
  }

  @_noLocks
  mutating func process(_ samples: UnsafeMutablePointer<Float>, frames: Int) {
    if isTransparent { return }
    var done = 0
    while done < frames {
      var count = frames &- done
      if stepsLeft > 0 {
        if framesLeft == 0 { advance() }
        if stepsLeft > 0 {
          count = min(count, framesLeft)
          framesLeft &-= count
        }
      }
      filter(samples + done &* channels, frames: count)
      done &+= count
    }
  }

  @_noLocks
  private mutating func advance() {
    stepsLeft &-= 1
    if stepsLeft == 0 {
      arrive()
      return
    }
    framesLeft = Self.step
    for band in 0..<OutputParameters.bandCount {
      var filter = filters[band]
      let slope = slopes[band]
      filter.b0 += slope.b0
      filter.b1 += slope.b1
      filter.b2 += slope.b2
      filter.a1 += slope.a1
      filter.a2 += slope.a2
      filters[band] = filter
    }
    let rest = Double(stepsLeft)
    preamp += (preampTarget - preamp) / (rest + 1)
    volume += (volumeTarget - volume) / (rest + 1)
  }

  @_noLocks
  private mutating func arrive() {
    stepsLeft = 0
    preamp = preampTarget
    volume = volumeTarget
    isTransparent = preamp == 1 && volume == 1
    for band in 0..<OutputParameters.bandCount {
      let filter = targets[band]
      filters[band] = filter
      if Self.isIdentity(filter) {
        let start = band &* channels &* 2
        for index in start..<(start &+ channels &* 2) { memory[index] = 0 }
      } else {
        isTransparent = false
      }
    }
  }

  @_noLocks
  private func filter(_ samples: UnsafeMutablePointer<Float>, frames: Int) {
    let before = preamp
    let after = volume
    for channel in 0..<channels {
      if before == 1 && after == 1 { break }
      var index = channel
      for _ in 0..<frames {
        samples[index] = Float(Double(samples[index]) * before)
        index &+= channels
      }
    }
    for band in 0..<OutputParameters.bandCount {
      let c = filters[band]
      if Self.isIdentity(c) && stepsLeft == 0 { continue }
      for channel in 0..<channels {
        let state = memory + (band &* channels &+ channel) &* 2
        var s1 = state[0]
        var s2 = state[1]
        var index = channel
        for _ in 0..<frames {
          let x = Double(samples[index])
          let y = c.b0 * x + s1
          s1 = c.b1 * x - c.a1 * y + s2
          s2 = c.b2 * x - c.a2 * y
          samples[index] = Float(y)
          index &+= channels
        }
        // Far below any sample: kept out of the denormal numbers, on which processors are slow.
        state[0] = abs(s1) < 1e-30 ? 0 : s1
        state[1] = abs(s2) < 1e-30 ? 0 : s2
      }
    }
    if after == 1 { return }
    for index in 0..<(frames &* channels) {
      samples[index] = Float(Double(samples[index]) * after)
    }
  }

  @_noLocks
  private static func isIdentity(_ c: Biquad) -> Bool {
    c.b0 == 1 && c.b1 == 0 && c.b2 == 0 && c.a1 == 0 && c.a2 == 0
  }
}
