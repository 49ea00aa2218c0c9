// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Synchronization

/// One output with its feeder and their threads, from opening to closing.
final class RenderChain: @unchecked Sendable {
  // Unchecked because of `feeder`: it belongs to the feeder's thread until that was joined, and with a
  // manual output to the thread that moves it.

  let bus: OutputBus
  let timeline = Monitor(Timeline())
  let mailbox = Monitor<[FeederCommand]>([])
  private let feeder: Feeder
  private var threads: [WorkerThread] = []
  private let closeByHand: () -> Void

  /// What is left of a schedule: the items, and where to go on.
  struct Rest {
    var items: [RenderItem] = []
    var place: ProgramPlace?
    var isComplete = true
  }

  init(
    _ output: RenderOutput, settings: RenderSettings, taking rest: Rest, scaledFrom: SampleRate?,
    tell: @escaping @Sendable (RenderEvent) -> Void
  ) throws(PlaybackError) {
    switch output {
    case .alsa(NullOutput.name):
      let device = NullOutput(settings: settings)
      (bus, feeder) = try Self.parts(
        device, settings, rest, scaledFrom, timeline, mailbox, tell)
      closeByHand = {}
      try start(device, settings)
    case .alsa(let name):
      let device = try ALSAOutput(name: name, settings: settings)
      (bus, feeder) = try Self.parts(
        device, settings, rest, scaledFrom, timeline, mailbox, tell)
      closeByHand = {}
      try start(device, settings)
    case .wavFile(let path):
      let device = try WAVFileOutput(path: path, format: settings.format)
      (bus, feeder) = try Self.parts(
        device, settings, rest, scaledFrom, timeline, mailbox, tell)
      closeByHand = {}
      try start(device, settings)
    case .manual(let device):
      let (bus, feeder) = try Self.parts(
        device, settings, rest, scaledFrom, timeline, mailbox, tell)
      self.bus = bus
      self.feeder = feeder
      let loop = OutputLoop(bus: bus, device: device, stallTimeout: settings.stallTimeout)
      device.feed = { feeder.step() }
      device.cycle = { loop.cycle() }
      closeByHand = {
        loop.finish()
        device.feed = { false }
        device.cycle = {}
      }
    }
  }

  private static func parts(
    _ device: some OutputDevice, _ settings: RenderSettings, _ rest: Rest,
    _ oldRate: SampleRate?, _ timeline: Monitor<Timeline>, _ mailbox: Monitor<[FeederCommand]>,
    _ tell: @escaping @Sendable (RenderEvent) -> Void
  ) throws(PlaybackError) -> (OutputBus, Feeder) {
    let rate = device.format.rate
    func frames(_ seconds: Double) -> Int {
      Int(max(0, FrameCount(seconds: seconds, at: rate).frames))
    }
    let ahead = max(frames(settings.ahead), 2 * device.bufferFrames, 2048)
    let bus = try OutputBus(
      format: device.format, ringFrames: 2 * ahead, cutFade: frames(settings.seekFade))
    let feeder = Feeder(
      bus: bus, isRealTime: device.isRealTime, loopDeclick: frames(settings.loopDeclick),
      aheadFrames: ahead, timeline: timeline, mailbox: mailbox, tell: tell)
    var place = rest.place
    if let oldRate, oldRate != rate, let old = place {
      place?.frame = Int(
        FrameCount(seconds: FrameCount(Int64(old.frame)).seconds(at: oldRate), at: rate).frames)
    }
    feeder.load(
      rest.items.map { $0.scaled(from: oldRate ?? rate, to: rate) }, isComplete: rest.isComplete,
      at: place)
    return (bus, feeder)
  }

  private func start(
    _ device: some OutputDevice, _ settings: RenderSettings
  ) throws(PlaybackError) {
    let feeding = Handed(feeder)
    let playing = Handed(
      OutputLoop(bus: bus, device: device, stallTimeout: settings.stallTimeout))
    guard let output = WorkerThread({ playing.value.run() }) else {
      device.close()
      throw PlaybackError(.noResources, subject: "playback", call: "pthread_create")
    }
    threads = [output]
    guard let feeder = WorkerThread({ feeding.value.run() }) else {
      close()
      throw PlaybackError(.noResources, subject: "playback", call: "pthread_create")
    }
    threads.append(feeder)
  }

  func command(_ command: FeederCommand) {
    bus.commandsSent.wrappingAdd(1, ordering: .acquiringAndReleasing)
    mailbox.update { $0.append(command) }
    bus.wakeFeeder()
  }

  /// Raises the generation for a cut that is to be made at once.
  func cut() -> Int {
    bus.hardCuts.wrappingAdd(1, ordering: .releasing)
    let generation = bus.generation.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue
    bus.wakeOutput()
    return generation
  }

  /// Ends the threads and closes the device; what was not heard is left.
  @discardableResult
  func close() -> Rest {
    bus.isClosing.store(true, ordering: .releasing)
    bus.wakeOutput()
    bus.wakeFeeder()
    for thread in threads { thread.join() }
    threads = []
    closeByHand()
    return feeder.rest
  }
}

/// A value that is handed over to another thread for good.
private struct Handed<Value>: @unchecked Sendable {
  // Unchecked because whoever hands it over does not touch it until that thread has ended.
  let value: Value
  init(_ value: Value) { self.value = value }
}
