// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Glibc
import Synchronization

/// What the output thread multiplies and filters with; plain numbers, copied without counting.
struct OutputParameters: BitwiseCopyable {
  // Computed, since the first use of a stored one takes a lock.
  static var bandCount: Int {
    @_noLocks get { 6 }
  }

  var bands = (
    Biquad.identity, Biquad.identity, Biquad.identity, Biquad.identity, Biquad.identity,
    Biquad.identity
  )
  var preamp = 1.0
  var volume = 1.0
  /// Whether what is full scale in a recording may be louder than that now.
  var boosts = false

  init() {}

  /// - Parameter itemBoost: decibels by which items are made louder before.
  init(_ equaliser: Equaliser, volume: Double, rate: SampleRate, itemBoost: Double = 0) {
    let filters = equaliser.filters(at: rate)
    bands = (filters[0], filters[1], filters[2], filters[3], filters[4], filters[5])
    let decibels = equaliser.levelDecibels
    preamp = decibels == 0 ? 1 : pow(10, decibels / 20)
    self.volume = volume
    boosts = itemBoost > 0 || equaliser.boostDecibels(at: rate) > 0
  }
}

extension Biquad: BitwiseCopyable {}

/// Hands the newest parameters to the output thread: three slots, of which each side owns one and the
/// third changes hands by one exchange.
///
/// One writer at a time; one reader, which never waits.
struct ParameterExchange: ~Copyable, @unchecked Sendable {
  // Unchecked because of the pointers: a slot belongs to whoever took it out of `middle`, and each of
  // the two numbers to one side.
  private let slots: UnsafeMutablePointer<OutputParameters>
  private let writing: UnsafeMutablePointer<Int>
  private let reading: UnsafeMutablePointer<Int>
  /// The number of the slot between the two, and bit 2 while it is news.
  private let middle = Atomic<Int>(1)

  init() {
    slots = .allocate(capacity: 3)
    slots.initialize(repeating: OutputParameters(), count: 3)
    writing = .allocate(capacity: 1)
    writing.initialize(to: 0)
    reading = .allocate(capacity: 1)
    reading.initialize(to: 2)
  }

  deinit {
    slots.deallocate()
    writing.deallocate()
    reading.deallocate()
  }

  func write(_ parameters: OutputParameters) {
    slots[writing.pointee] = parameters
    let old = middle.exchange(writing.pointee | 4, ordering: .acquiringAndReleasing)
    writing.pointee = old & 3
  }

  /// The slot with the newest parameters, nil when they have been read before.
  @_noLocks
  func read() -> UnsafePointer<OutputParameters>? {
    if middle.load(ordering: .relaxed) & 4 == 0 { return nil }
    let old = middle.exchange(reading.pointee, ordering: .acquiringAndReleasing)
    reading.pointee = old & 3
    return UnsafePointer(slots + reading.pointee)
  }
}
