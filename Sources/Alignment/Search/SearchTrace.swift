// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore

/// Where each state of each frame came from, for as many frames as are not settled.
struct SearchTrace: ~Copyable {
  private let hubs: Int
  /// For each frame its first entry in `blocks`.
  private var firsts: [Int] = []
  private var blocks: [Int32] = []
  /// For each state of each of the blocks how many states back its path was in the frame before, or the hub.
  private var codes: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  /// For each frame and hub the state from which it was entered, or -1.
  private var entries: [Int32] = []
  /// Frames that are forgotten.
  private var base = 0

  private static let size = SearchFront.statesPerBlock
  /// Less are numbers of states that a path moved on by, passing over those between.
  private static let firstHub = SoundChain.longestEnding + 2

  init(hubs: Int) {
    self.hubs = hubs
    capacity = 1 << 20
    codes = .allocate(capacity: capacity)
  }

  deinit { codes.deallocate() }

  static func code(ofHub hub: Int) -> UInt8 { UInt8(firstHub + hub) }

  static func hub(ofCode code: Int) -> Int? { code < firstHub ? nil : code - firstHub }

  /// Begins a frame.
  ///
  /// - Parameter reached: its blocks, in order.
  /// - Returns: where their codes are to be written; until the next call.
  mutating func append(_ reached: [Int]) -> UnsafeMutablePointer<UInt8> {
    let first = blocks.count
    firsts.append(first)
    for block in reached { blocks.append(Int32(block)) }
    for _ in 0..<hubs { entries.append(-1) }
    if blocks.count * Self.size > capacity { move(first, to: 2 * blocks.count * Self.size) }
    return codes + first * Self.size
  }

  /// Gives back the memory that is not in use now.
  mutating func trim() { move(blocks.count, to: blocks.count * Self.size) }

  /// Moves the codes of some blocks to other memory.
  private mutating func move(_ count: Int, to capacity: Int) {
    let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    moved.update(from: codes, count: count * Self.size)
    codes.deallocate()
    codes = moved
    self.capacity = capacity
  }

  /// In the latest frame a path entered a hub.
  mutating func enter(_ hub: Int, from state: Int32) {
    entries[entries.count - hubs + hub] = state
  }

  mutating func forget(before frame: Int) {
    let gone = frame - base
    let first = firsts[gone]
    codes.update(from: codes + first * Self.size, count: (blocks.count - first) * Self.size)
    blocks.removeFirst(first)
    firsts.removeFirst(gone)
    for index in firsts.indices { firsts[index] -= first }
    entries.removeFirst(gone * hubs)
    base = frame
  }

  /// The way that leads to a state or hub, back to the frame `down`.
  func follow(
    from state: Int32, frame: Int, down: Int, _ body: (_ frame: Int, _ state: Int32) -> Void
  ) {
    var state = state
    for frame in stride(from: frame, through: down, by: -1) {
      body(frame, state)
      state = before(state, frame)
    }
  }

  /// The latest frame from which on paths to some states and hubs part, and where they all are in it.
  ///
  /// - Parameter down: the first frame to look at.
  /// - Returns: nil where they have nothing in common.
  func parting(of states: [Int32], frame: Int, down: Int) -> (frame: Int, state: Int32)? {
    var states = Set(states)
    for frame in stride(from: frame, through: down, by: -1) {
      if let state = states.first, states.count == 1 { return (frame, state) }
      states = Set(states.map { before($0, frame) })
    }
    return nil
  }

  /// Where the path to a state or hub in a frame is in the frame before.
  private func before(_ state: Int32, _ frame: Int) -> Int32 {
    guard state >= 0 else {
      let entry = entries[(frame - base) * hubs + Int(-1 - state)]
      return entry >= 0 ? entry : state
    }
    let block = state / Int32(Self.size)
    let first = firsts[frame - base]
    let end = frame - base + 1 < firsts.count ? firsts[frame - base + 1] : blocks.count
    let slot = blocks[first..<end].partitioningIndex { $0 >= block }
    guard slot < end, blocks[slot] == block else { return state }
    let code = Int(codes[slot * Self.size + Int(state) % Self.size])
    return Self.hub(ofCode: code).map { Int32(-1 - $0) } ?? state - Int32(code)
  }
}
