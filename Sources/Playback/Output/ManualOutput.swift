// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore

/// A device whose clock is moved by hand: nothing runs on threads of its own, so that every step of a
/// test is the same each time. A session with this output belongs to one thread.
public final class ManualOutput: @unchecked Sendable {
  // Unchecked because it is only ever used by the thread that moves it.

  /// Something that happens to the device when it has played so many frames in all.
  public enum Fault: Hashable, Sendable {
    /// It stops, and what it holds is lost to it.
    case underrun, suspended
    case disconnected
    /// It stops without a word.
    case stall
  }

  public let format: AudioFormat
  public let periodFrames: Int
  public let bufferFrames: Int
  /// Everything that was heard, interleaved.
  public private(set) var played: [Float] = []
  /// Frames heard in all.
  public var playedFrames: Int { played.count / format.channels }
  /// Faults to come, by the number of frames heard before.
  public var faults: [(at: Int, fault: Fault)] = []
  /// Whether the feeder gets its turn; without it, the ring runs dry.
  public var isFeeding = true

  private enum State {
    case fresh, prepared, running, stopped
    case failed(Fault)
  }

  private var state = State.fresh
  /// Frames of time that have passed.
  private var time = 0
  private var queue: [Float] = []
  /// Frames that it holds and has not played.
  var queuedFrames: Int { queue.count / format.channels }
  /// A step of the feeder, false when it had nothing to do, and a turn of the output loop, while a
  /// session is open.
  var feed: () -> Bool = { false }
  var cycle: () -> Void = {}

  public init(format: AudioFormat, periodFrames: Int = 64, periods: Int = 4) {
    self.format = format
    self.periodFrames = periodFrames
    bufferFrames = periodFrames * periods
  }

  /// Lets feeder and output do what there is to do, without time passing.
  public func settle() {
    for _ in 0..<2 {
      while isFeeding, feed() {}
      cycle()
    }
  }

  /// Lets so many frames of time pass.
  public func advance(_ frames: Int) {
    settle()
    var left = frames
    while left > 0 {
      let count = min(left, periodFrames)
      play(count)
      left -= count
      settle()
    }
  }

  private func play(_ count: Int) {
    time += count
    guard case .running = state else { return }
    var available = min(count, queue.count / format.channels)
    if let index = faults.firstIndex(where: { $0.at <= playedFrames + available }) {
      let fault = faults.remove(at: index)
      available = max(0, fault.at - playedFrames)
      state = .failed(fault.fault)
    } else if available < count {
      state = .failed(.underrun)
    }
    played += queue.prefix(available * format.channels)
    queue.removeFirst(available * format.channels)
  }

  private var answer: DeviceAnswer? {
    switch state {
    case .failed(.underrun): .fault(.underrun, 0)
    case .failed(.suspended): .fault(.suspended, 0)
    case .failed(.disconnected): .fault(.disconnected, 0)
    case .failed(.stall), .fresh, .prepared, .running, .stopped: nil
    }
  }
}

extension ManualOutput: OutputDevice {
  var isRealTime: Bool { true }
  /// No other time passes than that by hand, however long a step may take.
  var clock: Int { time * 1_000_000_000 / format.rate.hertz }

  func prepare() -> DeviceAnswer {
    if case .failed(.disconnected) = state { return .fault(.disconnected, 0) }
    state = .prepared
    queue = []
    return .frames(0)
  }

  func start() -> DeviceAnswer {
    if let answer { return answer }
    state = .running
    return .frames(0)
  }

  func room() -> DeviceAnswer { answer ?? .frames(bufferFrames - queue.count / format.channels) }

  func write(_ samples: UnsafePointer<Float>, frames: Int) -> DeviceAnswer {
    if let answer { return answer }
    let count = min(frames, bufferFrames - queue.count / format.channels)
    queue += UnsafeBufferPointer(start: samples, count: count * format.channels)
    return .frames(count)
  }

  func unheard() -> DeviceAnswer {
    if case .failed(.disconnected) = state { return .fault(.disconnected, 0) }
    return .frames(queue.count / format.channels)
  }

  func stop() {
    if case .failed(.disconnected) = state { return }
    state = .stopped
    queue = []
  }

  func wait(wake: Int32, forRoom: Bool, milliseconds: Int) {}

  func close() {}
}
