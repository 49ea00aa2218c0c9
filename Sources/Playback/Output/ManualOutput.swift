// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore

/// A device with a manual clock: it has no threads of its own, so every step of a test is
/// reproducible. A session with this output belongs to one thread.
public final class ManualOutput: @unchecked Sendable {
  // Unchecked because it is only ever used by the thread that moves it.

  /// A fault of the device after a given number of played frames.
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
  /// All played frames, interleaved.
  public private(set) var played: [Float] = []
  /// The number of played frames.
  public var playedFrames: Int { played.count / format.channels }
  /// Pending faults, each with the number of frames played before it.
  public var faults: [(at: Int, fault: Fault)] = []
  /// Whether the feeder runs; if not, the ring runs dry.
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

  /// Runs feeder and output until both are idle, without advancing time.
  public func settle() {
    for _ in 0..<2 {
      while isFeeding, feed() {}
      cycle()
    }
  }

  /// Advances time by a number of frames.
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

  /// Plays, while neither feeder nor output get a turn.
  func play(_ count: Int) {
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
