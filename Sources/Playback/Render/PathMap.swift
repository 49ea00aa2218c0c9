// SPDX-License-Identifier: GPL-3.0-or-later

/// Which frame of the ring is heard with a frame of the path: the order in which the output thread
/// plays frames, with silence put in and stale frames left out. The output thread's; allocates once.
struct PathMap: ~Copyable {
  private struct Splice: BitwiseCopyable {
    var path: Int
    var ring: Int
    /// Whether the ring goes on with the path: silence that was put in stays at one frame.
    var isSound: Bool
  }

  private static let capacity = 128
  private let splices: UnsafeMutablePointer<Splice>
  private var count = 1

  init() {
    splices = .allocate(capacity: Self.capacity)
    splices.initialize(
      repeating: Splice(path: 0, ring: 0, isSound: true), count: Self.capacity)
  }

  deinit { splices.deallocate() }

  /// Notes that from a frame of the path on the ring is heard from frame `ring` on.
  mutating func note(path: Int, ring: Int, isSound: Bool) {
    let last = splices[count - 1]
    if last.isSound == isSound, isSound ? last.ring + (path - last.path) == ring : last.ring == ring
    {
      return
    }
    if last.path == path {
      count -= 1
    } else if count == Self.capacity {
      // The oldest is only of use to someone who rewinds by a hundred seeks.
      for index in 1..<count { splices[index - 1] = splices[index] }
      count -= 1
    }
    splices[count] = Splice(path: path, ring: ring, isSound: isSound)
    count += 1
  }

  func ring(ofPath path: Int) -> Int {
    var index = count - 1
    while index > 0, splices[index].path > path { index -= 1 }
    let splice = splices[index]
    return splice.isSound ? splice.ring + (path - splice.path) : splice.ring
  }

  /// The place on the path of a frame of the ring, nil if it has none or not yet.
  func path(ofRing ring: Int, before end: Int) -> Int? {
    var index = count - 1
    var spliceEnd = end
    while index >= 0 {
      let splice = splices[index]
      if splice.isSound, ring >= splice.ring, splice.path + (ring - splice.ring) <= spliceEnd {
        return splice.path + (ring - splice.ring)
      }
      spliceEnd = splice.path
      index -= 1
    }
    return nil
  }

  /// Forgets the path from a frame on.
  mutating func truncate(atPath path: Int) {
    while count > 1, splices[count - 1].path >= path { count -= 1 }
  }

  /// Forgets what only concerns frames before one.
  mutating func forget(beforePath path: Int) {
    var stale = 0
    while stale + 1 < count, splices[stale + 1].path <= path { stale += 1 }
    guard stale > 0 else { return }
    for index in stale..<count { splices[index - stale] = splices[index] }
    count -= stale
  }
}
