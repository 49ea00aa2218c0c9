// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Synchronization

/// What the output thread does: gives the device frames in time, knows which of them is heard, and
/// after a fault gives it again what was not.
///
/// A cycle looks at what was asked for, at the device, fills it, and tells what it waits for. Nothing
/// here allocates or locks; what touches samples is the kernel's.
final class OutputLoop<Device: OutputDevice> {
  private enum Phase {
    /// The device has nothing and does nothing.
    case idle
    /// It has been prepared and holds frames that it does not play yet.
    case primed
    case running
  }

  private enum Transport {
    case paused, playing
    /// On the way to a pause, which begins with a frame of the path.
    case pausing(Int)
    case lost
  }

  private let bus: OutputBus
  private let device: Device
  private let stallNanoseconds: Int
  private var kernel: OutputKernel
  private var map = PathMap()
  private var phase = Phase.idle
  private var transport = Transport.paused

  // Frames of the path: the next to be written, and the one heard now.
  private var cursor = 0
  private var heard = 0
  /// Silent frames written behind `cursor`.
  private var padding = 0

  private var generation = 0
  private var hardCuts = 0
  /// Whether the end, or running dry, has been reported since the last frame. What rests cannot run dry.
  private var hasReportedEnd = true
  private var hasReportedDry = true
  // Of the device's clock: when it was last seen to play, or to have nothing to play, and when it was
  // last looked at, taken before the look.
  private var lastProgress = 0
  private var lastLook = 0
  private var recoveredAt = -1
  private var fruitlessRecoveries = 0
  private var waitsSince = 0

  /// Recoveries in a row without one more frame heard, after which a device counts as lost.
  private static var recoveryLimit: Int { 5 }
  /// How long a device may say "again" after a suspend.
  private static var patience: Int { 5_000_000_000 }

  init(bus: OutputBus, device: Device, stallTimeout: Double) {
    self.bus = bus
    self.device = device
    stallNanoseconds = Int(stallTimeout * 1e9)
    let rate = device.format.rate.hertz
    kernel = OutputKernel(
      bus: bus, historyFrames: max(4 * device.bufferFrames, rate),
      stagingFrames: max(device.periodFrames, 64), alwaysLimits: !device.isRealTime)
  }

  /// Plays until the session closes.
  func run() {
    while !bus.isClosing.load(ordering: .acquiring) {
      cycle()
      wait()
    }
    finish()
    device.close()
  }

  /// Ends playing, knowing what was heard.
  func finish() {
    if phase == .running { updateHeard() }
    stop()
    bus.heard.store(map.ring(ofPath: heard), ordering: .releasing)
  }

  /// Does all that can be done now.
  func cycle() {
    takeRequests()
    if phase == .running { updateHeard() }
    switch transport {
    case .pausing(let end) where heard >= end: finishPause()
    case .playing, .pausing: fill()
    case .paused, .lost: break
    }
    if case .pausing(let end) = transport, heard >= end, cursor >= end { finishPause() }
    bus.heard.store(map.ring(ofPath: heard), ordering: .releasing)
    map.forget(beforePath: heard)
    checkStall()
    bus.wakeFeeder()
  }

  // Requests.

  private func takeRequests() {
    if bus.generation.load(ordering: .acquiring) != generation { cut() }
    if isReady, kernel.nextRingFrame < bus.generationStart.load(ordering: .acquiring) {
      kernel.skip(toRing: bus.generationStart.load(ordering: .acquiring))
    }
    let wanted = bus.transport.load(ordering: .acquiring)
    switch transport {
    case .paused where wanted == OutputBus.Transport.playing.rawValue: resume()
    case .pausing where wanted == OutputBus.Transport.playing.rawValue: resume()
    case .playing where wanted == OutputBus.Transport.paused.rawValue: beginPause()
    default: break
    }
  }

  /// Whether the frames after the generation's start in the ring are those wanted.
  private var isReady: Bool {
    bus.readyGeneration.load(ordering: .acquiring) == generation
  }

  private func cut() {
    generation = bus.generation.load(ordering: .acquiring)
    let cuts = bus.hardCuts.load(ordering: .acquiring)
    let isHard = cuts != hardCuts
    hardCuts = cuts
    if phase == .running { updateHeard() }
    _ = kernel.release()
    let point = bus.cutPoint.load(ordering: .acquiring)
    let wasSounding = phase != .idle
    if !wasSounding { hasReportedDry = true }
    let end = isHard ? nil : map.path(ofRing: point, before: kernel.madeEnd)
    if let end, end >= heard, cursor > end || padding > 0 { rewind() }
    // It may have played on to the last moment.
    if let end, end >= heard {
      kernel.cut(at: end, fade: 0)
    } else {
      cutNow(wasSounding: wasSounding)
    }
    map.truncate(atPath: kernel.madeEnd)
    hasReportedEnd = false
  }

  private func cutNow(wasSounding: Bool) {
    rewind()
    var fade = 0
    if case .playing = transport, wasSounding {
      fade = min(bus.cutFade, kernel.madeEnd - cursor)
    }
    kernel.cut(at: cursor + fade, fade: fade)
    if case .pausing = transport { finishPause() }
    kernel.ramp(
      from: bus.cutFade > 0 ? 0 : 1, to: 1, start: kernel.madeEnd, length: bus.cutFade, before: 1)
  }

  private func beginPause() {
    let fade = bus.fadeFrames.load(ordering: .relaxed)
    let gain = kernel.gain(at: cursor)
    kernel.ramp(from: gain, to: 0, start: cursor, length: fade, before: gain)
    transport = .pausing(cursor + fade)
  }

  private func finishPause() {
    rewind()
    if case .lost = transport { return }
    transport = .paused
    hasReportedDry = true
    bus.state.store(OutputBus.State.paused.rawValue, ordering: .releasing)
    bus.heard.store(map.ring(ofPath: heard), ordering: .releasing)
    report(.paused)
  }

  private func resume() {
    let fade = bus.fadeFrames.load(ordering: .relaxed)
    if padding > 0 { rewind() }
    if case .lost = transport { return }
    var gain: Float = fade > 0 ? 0 : 1
    if case .pausing = transport { gain = kernel.gain(at: cursor) }
    kernel.ramp(from: gain, to: 1, start: cursor, length: fade, before: gain)
    transport = .playing
    bus.state.store(OutputBus.State.playing.rawValue, ordering: .releasing)
    hasReportedEnd = false
    lastProgress = device.clock
    report(.started)
  }

  // Filling.

  private func fill() {
    var limit = Int.max
    if case .pausing(let end) = transport { limit = end }
    var isDry = false
    while true {
      if cursor >= limit { break }
      if cursor == kernel.madeEnd, !makeMore() {
        isDry = true
        break
      }
      if padding > 0 { rewind() }
      if case .lost = transport { return }
      guard prepare() else { return }
      guard case .frames(let room) = settle(device.room()) else { return }
      if room == 0 { break }
      let count = min(
        min(room, kernel.madeEnd - cursor), min(limit - cursor, kernel.stagingFrames))
      kernel.stage(from: cursor, frames: count)
      guard case .frames(let written) = settle(device.write(kernel.staging, frames: count))
      else { return }
      if written == 0 { break }
      cursor += written
      hasReportedEnd = false
      hasReportedDry = false
      if !device.isRealTime { updateHeard() }
    }
    let isComplete = cursor >= limit || (isDry && isAtEnd)
    if isComplete { pad() }
    startIfDue(isComplete: isComplete)
    // After a fault meanwhile some of it is to be written again, and that is no end.
    if isDry, cursor == kernel.madeEnd { endOrStarve() }
  }

  /// Makes more of the path; false when there is nothing to make it of.
  private func makeMore() -> Bool {
    let path = kernel.madeEnd
    while kernel.madeEnd == path {
      guard kernel.heldEnd - heard + kernel.stagingFrames <= kernel.reach else { return false }
      guard isReady else { return bridge() }
      let start = bus.generationStart.load(ordering: .acquiring)
      if kernel.nextRingFrame < start { kernel.skip(toRing: start) }
      guard kernel.claim(upTo: kernel.stagingFrames) > 0 else {
        return isRingAtEnd && kernel.release()
      }
      // A generation begun since the last look has its first frames among these: they are made after its cut.
      guard isReady else { return false }
      map.note(path: kernel.heldEnd, ring: kernel.nextRingFrame, isSound: true)
      kernel.make()
    }
    return true
  }

  /// After a cut that fades, keeps the device going with silence until the feeder is there.
  private func bridge() -> Bool {
    guard device.isRealTime, bus.cutFade > 0, phase != .idle,
      cursor - heard < device.periodFrames
    else { return false }
    _ = kernel.release()
    map.note(path: kernel.madeEnd, ring: kernel.nextRingFrame, isSound: false)
    kernel.makeSilence(device.periodFrames / 2 + 1)
    return true
  }

  private var isAtEnd: Bool { isRingAtEnd && kernel.heldEnd == kernel.madeEnd }

  private var isRingAtEnd: Bool {
    // In this order: what is equal now has been taken into account by the end that is read then.
    bus.commandsDone.load(ordering: .acquiring) == bus.commandsSent.load(ordering: .acquiring)
      && isReady && kernel.nextRingFrame == bus.end.load(ordering: .acquiring)
  }

  private func prepare() -> Bool {
    guard phase == .idle else { return true }
    guard case .frames = settle(device.prepare()) else { return false }
    phase = .primed
    padding = 0
    return true
  }

  /// Hardware plays on for a moment after the last frame: what it finds there is silence.
  private func pad() {
    guard device.isRealTime, phase != .idle else { return }
    while padding < device.periodFrames {
      guard case .frames(let room) = settle(device.room()), room > 0 else { return }
      let count = min(min(room, device.periodFrames - padding), kernel.stagingFrames)
      kernel.stageSilence(count)
      guard case .frames(let written) = settle(device.write(kernel.staging, frames: count)),
        written > 0
      else { return }
      padding += written
    }
  }

  private func startIfDue(isComplete: Bool) {
    guard phase == .primed else { return }
    let written = cursor - heard + padding
    guard written > 0 else { return }
    guard isComplete || written >= device.bufferFrames / 2 || !isReady else { return }
    guard case .frames = settle(device.start()) else { return }
    phase = .running
    lastProgress = device.clock
  }

  private func endOrStarve() {
    let isEnd = isAtEnd
    if phase == .idle || heard >= cursor {
      if phase != .idle { rewind() }
      if case .lost = transport { return }
      if isEnd, !hasReportedEnd {
        hasReportedEnd = true
        hasReportedDry = true
        report(.drained)
        // The end came before the end of the fade.
        if case .pausing = transport { finishPause() }
      } else if !isEnd, isReady, !hasReportedDry, device.isRealTime {
        hasReportedDry = true
        report(.ranDry)
      }
    }
    if !isEnd { bus.isOutputHungry.store(true, ordering: .sequentiallyConsistent) }
  }

  // The device.

  /// Stops the device and goes back to the first frame that has not been heard.
  ///
  /// Looks at the device once more: it has played on since the last look.
  private func rewind() {
    if phase == .running { updateHeard() }
    guard phase != .idle else { return }
    stop()
  }

  private func stop() {
    device.stop()
    phase = .idle
    cursor = heard
    padding = 0
  }

  private func updateHeard() {
    lastLook = device.clock
    // What is unheard can be asked for after a fault as well, and says nothing of it.
    guard case .frames = settle(device.room()), phase != .idle else { return }
    guard case .frames(let unheard) = settle(device.unheard()) else { return }
    noteUnheard(unheard)
  }

  private func noteUnheard(_ unheard: Int) {
    let place = min(cursor, cursor + padding - max(0, unheard))
    // No further back than there is history, whatever the device says.
    let new = max(heard, place, kernel.madeEnd - kernel.reach)
    if new > heard || new >= cursor { lastProgress = device.clock }
    heard = new
  }

  /// Passes on an answer; after a fault, gets ready to write again what was not heard.
  private func settle(_ answer: DeviceAnswer) -> DeviceAnswer {
    switch answer {
    case .frames: waitsSince = 0
    case .again:
      if waitsSince == 0 { waitsSince = device.clock }
      if device.clock - waitsSince > Self.patience { lose(.failing, 0) }
    case .fault(let fault, let code): recover(from: fault, code)
    }
    return answer
  }

  private func recover(from fault: OutputFault, _ code: Int32) {
    let answer = device.unheard()
    if case .frames(let unheard) = answer { noteUnheard(unheard) }
    // After a sleep nobody may be there to hear it go on.
    guard case .frames = answer, fault == .underrun else {
      lose(fault == .underrun ? .failing : fault, code)
      return
    }
    let isOutOfFrames = phase == .running && heard >= cursor
    phase = .idle
    cursor = heard
    padding = 0
    // It had played everything there was: no fault, but an end or a want of frames. A device that cannot
    // even be prepared has no such excuse.
    guard !isOutOfFrames else { return }
    fruitlessRecoveries = heard == recoveredAt ? fruitlessRecoveries + 1 : 0
    recoveredAt = heard
    if fruitlessRecoveries >= Self.recoveryLimit {
      lose(.failing, code)
    } else {
      report(.recovered, fault)
    }
  }

  private func lose(_ fault: OutputFault, _ code: Int32) {
    stop()
    transport = .lost
    bus.state.store(OutputBus.State.lost.rawValue, ordering: .releasing)
    bus.heard.store(map.ring(ofPath: heard), ordering: .releasing)
    report(.lost, fault, code)
  }

  /// A stall is a look that finds nothing played for too long. How late it is by now says nothing: this
  /// thread may have been held up since it looked, and the device not.
  private func checkStall() {
    guard phase == .running, cursor > heard else { return }
    if lastLook - lastProgress > stallNanoseconds { lose(.stalled, 0) }
  }

  private func wait() {
    // Frames that came since the ring was found empty, and before anyone knew that they were waited for.
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    if bus.isOutputHungry.load(ordering: .relaxed), isReady,
      bus.ring.unclaimed > 0 || (kernel.heldEnd > kernel.madeEnd && isRingAtEnd)
    {
      bus.isOutputHungry.store(false, ordering: .relaxed)
      if case .playing = transport { return }
    }
    switch (transport, phase) {
    case (.lost, _), (.paused, _):
      device.wait(wake: bus.wakeDescriptor, forRoom: false, milliseconds: 500)
    case (_, .idle):
      // Something failed and is tried again, or there is nothing to play.
      let isTrying = fruitlessRecoveries > 0 || waitsSince > 0 || cursor < kernel.madeEnd
      device.wait(
        wake: bus.wakeDescriptor, forRoom: false, milliseconds: isTrying ? 5 : 100)
    case (_, .primed):
      device.wait(wake: bus.wakeDescriptor, forRoom: false, milliseconds: 5)
    case (_, .running):
      let unheard = cursor - heard + padding
      let isFull = unheard > device.bufferFrames - device.periodFrames
      let left = unheard * 1000 / device.format.rate.hertz
      device.wait(
        wake: bus.wakeDescriptor, forRoom: isFull,
        milliseconds: isFull ? max(20, left) : min(max(1, left / 2), 20))
    }
    bus.clearWake()
  }

  private func report(
    _ kind: OutputReport.Kind, _ cause: OutputFault = .underrun, _ code: Int32 = 0
  ) {
    bus.reports.push(
      OutputReport(kind: kind, heard: map.ring(ofPath: heard), cause: cause, code: code))
  }
}
