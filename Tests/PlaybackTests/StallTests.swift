// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Synchronization
import TestSupport
import Testing

@testable import Playback

/// A device that takes and plays nothing any more, and what only looks like one.
@Suite struct StallTests {
  @Test func aDeviceThatStopsWithoutAWordIsLostAfterASecond() async throws {
    let recordings = try Recordings()
    let source = try recordings.numbered(frames: 20_000)
    for (frames, isLost) in [(47_000, false), (50_000, true)] {
      let stage = try Stage()
      stage.output.faults = [(at: 1000, fault: .stall)]
      stage.session.append([item(source, 0..<20_000)])
      stage.session.play()
      stage.output.advance(1000 + frames)
      let losses = await stage.events().filter { if case .deviceLost = $0 { true } else { false } }
      #expect(losses.count == (isLost ? 1 : 0))
      if case .deviceLost(let cause, let position) = losses.first {
        #expect(cause == .stalled)
        #expect(position?.sourceFrame == FramePosition(1000))
      }
    }
  }

  @Test func anOutputThreadThatIsHeldUpTakesNoDeviceForStalled() throws {
    let device = SlowMachine(format: format(48_000))
    let bus = try OutputBus(format: device.format, ringFrames: 1 << 16, cutFade: 0)
    let samples = (1...40_000).map { Float($0) / 16_777_216 }
    bus.ring.write(samples, frames: samples.count)
    bus.end.store(samples.count, ordering: .releasing)
    let loop = OutputLoop(bus: bus, device: device, stallTimeout: 1)
    bus.transport.store(OutputBus.Transport.playing.rawValue, ordering: .releasing)
    for _ in 0..<10 {
      loop.cycle()
      device.hold(seconds: 0.01)
    }
    #expect(numbers(device.played).count > 1000)
    // The machine is busy for three seconds, between cycles and within them. The device plays meanwhile
    // and runs dry.
    device.secondsPerWrite = 3
    for _ in 0..<10 {
      loop.cycle()
      device.hold(seconds: 3)
    }
    device.secondsPerWrite = 0
    for _ in 0..<200 {
      loop.cycle()
      device.hold(seconds: 0.01)
    }
    #expect(bus.state.load(ordering: .acquiring) == OutputBus.State.playing.rawValue)
    #expect(numbers(device.played) == Array(1...40_000))
  }
}

/// A device that goes on playing while the machine has no time for the thread that feeds it.
private final class SlowMachine: OutputDevice {
  let format: AudioFormat
  let periodFrames = 256
  let bufferFrames = 1024
  var isRealTime: Bool { true }
  private(set) var clock = 0
  private(set) var played: [Float] = []
  private var queue: [Float] = []
  private var isRunning = false
  private var hasRunDry = false
  /// How long the thread is held up before a write.
  var secondsPerWrite = 0.0

  init(format: AudioFormat) { self.format = format }

  func hold(seconds: Double) {
    clock += Int(seconds * 1e9)
    guard isRunning else { return }
    let due = Int(seconds * Double(format.rate.hertz))
    if due > queue.count { (isRunning, hasRunDry) = (false, true) }
    played += queue.prefix(due)
    queue.removeFirst(min(due, queue.count))
  }

  private var answer: DeviceAnswer? { hasRunDry ? .fault(.underrun, 0) : nil }

  func prepare() -> DeviceAnswer {
    (queue, isRunning, hasRunDry) = ([], false, false)
    return .frames(0)
  }

  func start() -> DeviceAnswer {
    isRunning = true
    return .frames(0)
  }

  func room() -> DeviceAnswer { answer ?? .frames(bufferFrames - queue.count) }

  func write(_ samples: UnsafePointer<Float>, frames: Int) -> DeviceAnswer {
    hold(seconds: secondsPerWrite)
    if let answer { return answer }
    queue += UnsafeBufferPointer(start: samples, count: min(frames, bufferFrames - queue.count))
    return .frames(frames)
  }

  func unheard() -> DeviceAnswer { .frames(queue.count) }
  func stop() { (queue, isRunning) = ([], false) }
  func wait(wake: Int32, forRoom: Bool, milliseconds: Int) {}
  func close() {}
}
