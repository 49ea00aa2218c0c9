// SPDX-License-Identifier: GPL-3.0-or-later

import Synchronization

/// Interleaved frames on their way from the feeder to the output thread, without a lock.
///
/// Frames have numbers that only grow: the first one written is 0. The producer writes, and may take
/// back what has not been claimed; the consumer claims, reads, and releases. Both ends are one atomic
/// word (written above, claimed below, modulo 2^32), so that a frame is either taken back or claimed,
/// never both. Each method belongs to one of the two threads.
struct FrameRing: ~Copyable, @unchecked Sendable {
  // Unchecked because of the pointers: see each of them and the atomic `ends`.
  let channels: Int
  let capacity: Int
  private let mask: Int
  private let samples: UnsafeMutablePointer<Float>
  private let ends = Atomic<UInt64>(0)
  /// The first frame that the consumer may still read; all before may be overwritten.
  private let released = Atomic<Int>(0)
  /// The producer's own count of what it wrote; behind a pointer, as the other end's is, because two
  /// threads must not have access to one variable, this struct, for changing it.
  private let written: UnsafeMutablePointer<Int>
  /// The consumer's own count of what it claimed.
  private let claimed: UnsafeMutablePointer<Int>

  /// Room for at least so many frames.
  init(channels: Int, capacity: Int) {
    self.channels = channels
    var size = 1
    while size < capacity { size *= 2 }
    self.capacity = size
    mask = size - 1
    samples = .allocate(capacity: size * channels)
    samples.initialize(repeating: 0, count: size * channels)
    written = .allocate(capacity: 1)
    written.initialize(to: 0)
    claimed = .allocate(capacity: 1)
    claimed.initialize(to: 0)
  }

  deinit {
    samples.deallocate()
    written.deallocate()
    claimed.deallocate()
  }

  // The producer's side.

  /// The number of the next frame to be written.
  var writtenIndex: Int { written.pointee }

  /// Frames that can be written now.
  var room: Int { capacity - (written.pointee - released.load(ordering: .acquiring)) }

  /// Frames written and not yet claimed.
  var unclaimed: Int {
    let word = ends.load(ordering: .acquiring)
    return Int(UInt32(truncatingIfNeeded: word >> 32) &- UInt32(truncatingIfNeeded: word))
  }

  /// Appends frames, for which there must be room.
  func write(_ source: UnsafePointer<Float>, frames: Int) {
    precondition(frames <= room)
    var done = 0
    while done < frames {
      let start = (written.pointee + done) & mask
      let count = min(frames - done, capacity - start)
      (samples + start * channels).update(from: source + done * channels, count: count * channels)
      done += count
    }
    written.pointee += frames
    // The addition overflows out of the word, not into the other half.
    ends.wrappingAdd(UInt64(UInt32(truncatingIfNeeded: frames)) << 32, ordering: .releasing)
  }

  /// Takes back all frames from number `index` on, unless one of them has been claimed.
  func retract(to index: Int) -> Bool {
    let count = written.pointee - index
    guard count > 0 else { return count == 0 }
    var word = ends.load(ordering: .acquiring)
    while true {
      let end = UInt32(truncatingIfNeeded: word >> 32)
      guard Int(end &- UInt32(truncatingIfNeeded: word)) >= count else { return false }
      let newEnd = end &- UInt32(truncatingIfNeeded: count)
      let new = UInt64(newEnd) << 32 | (word & 0xFFFF_FFFF)
      let result = ends.compareExchange(
        expected: word, desired: new, ordering: .acquiringAndReleasing)
      if result.exchanged {
        written.pointee = index
        return true
      }
      word = result.original
    }
  }

  // The consumer's side.

  /// The number of the next frame to be claimed.
  @_noLocks
  func claimedIndex() -> Int { claimed.pointee }

  /// Takes up to `wanted` frames for reading and returns how many.
  @_noLocks
  func claim(upTo wanted: Int) -> Int {
    var word = ends.load(ordering: .acquiring)
    while true {
      let start = UInt32(truncatingIfNeeded: word)
      let available = Int(UInt32(truncatingIfNeeded: word >> 32) &- start)
      let count = min(wanted, available)
      if count <= 0 { return 0 }
      let newStart = start &+ UInt32(truncatingIfNeeded: count)
      let new = (word & 0xFFFF_FFFF_0000_0000) | UInt64(newStart)
      let result = ends.compareExchange(
        expected: word, desired: new, ordering: .acquiringAndReleasing)
      if result.exchanged {
        claimed.pointee &+= count
        return count
      }
      word = result.original
    }
  }

  /// A sample of a claimed frame.
  @_noLocks
  func sample(_ frame: Int, _ channel: Int) -> Float {
    samples[(frame & mask) &* channels &+ channel]
  }

  /// Lets go of the claimed frames before number `index`.
  @_noLocks
  func release(before index: Int) { released.store(index, ordering: .releasing) }
}
