// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
import Glibc
import Synchronization

/// Plays a schedule of items on an output, to the frame.
///
/// Starts paused. Every method may be called from any thread, returns at once but for `init`,
/// `switchOutput` and `close`, and takes effect in the order of calls. Two threads of the session's own
/// do the work: the feeder decodes and mixes, the output thread plays.
public final class RenderSession: Sendable {
  /// Playback events and faults as they happen; ends when the session is closed.
  public let events: AsyncStream<RenderEvent>

  private let settings: RenderSettings
  private let telling: AsyncStream<RenderEvent>.Continuation
  private let state: Monitor<State>

  private struct State {
    var chain: RenderChain?
    var rest = RenderChain.Rest()
    var format: AudioFormat
    var speed = 1.0
    var volume = 1.0
    var equaliser = Equaliser.flat
    var isPlaying = false
    var isStopping = false
    /// Where the last seek leads, until it is heard, and where it goes on once there is an output.
    var target: RenderPosition?

    var position: RenderPosition? {
      guard let chain else { return target }
      let bus = chain.bus
      let generation = bus.generation.load(ordering: .acquiring)
      guard bus.readyGeneration.load(ordering: .acquiring) == generation else { return target }
      let start = bus.generationStart.load(ordering: .acquiring)
      let heard = max(bus.heard.load(ordering: .acquiring), start)
      return chain.timeline.update { $0.position(atRing: heard) } ?? target
    }

    /// Of the loudest item so far, in decibels.
    var itemBoost = 0.0

    func applyParameters() {
      guard let bus = chain?.bus else { return }
      bus.parameters.write(
        OutputParameters(equaliser, volume: volume, rate: format.rate, itemBoost: itemBoost))
    }
  }

  /// Opens an output.
  ///
  /// Throws `.noSuchDevice`, `.deviceBusy`, `.deviceNotPermitted`, `.unsupportedFormat`,
  /// `.deviceFailed`, `.notWritable` or `.noResources`.
  public init(_ output: RenderOutput, settings: RenderSettings) throws(PlaybackError) {
    self.settings = settings
    (events, telling) = AsyncStream.makeStream(of: RenderEvent.self)
    let telling = telling
    let chain = try RenderChain(
      output, settings: settings, taking: RenderChain.Rest(), scaledFrom: nil,
      tell: { telling.yield($0) })
    state = Monitor(State(chain: chain, format: chain.bus.format))
  }

  deinit { close() }

  /// The format that everything is converted to: the one asked for, or the device's own.
  public var format: AudioFormat { state.update { $0.format } }

  // The schedule.

  /// Adds items at the end of the schedule.
  ///
  /// - Parameter isComplete: false where more follows, before which the last item has no end: a file
  ///   waits for it or for `complete()`, so that its frames are the same whenever they come; a device
  ///   plays what there is.
  public func append(_ items: [RenderItem], isComplete: Bool = true) {
    take(items)
    send { _ in .append(items, isComplete: isComplete) }
  }

  /// Lets the schedule end with its last item.
  public func complete() { send { _ in .append([], isComplete: true) } }

  /// Replaces all items after one, or all items; `isComplete` as in `append`.
  ///
  /// Replaced items that have not been heard disappear; a replaced item that is playing fades out.
  public func replace(
    after item: RenderItem.ID?, with items: [RenderItem], isComplete: Bool = true
  ) {
    take(items)
    send { _ in .replace(after: item, with: items, isComplete: isComplete) }
  }

  /// Removes an item from the schedule; if it is playing, the next one follows at once.
  public func cancel(_ item: RenderItem.ID) { send { _ in .cancel(item) } }

  // Transport.

  /// Starts, or goes on with the frame after the last one heard.
  public func play(fadeIn: FrameCount = .zero) {
    state.update { state in
      guard let chain = state.chain else { return }
      if state.isStopping { chain.command(.clearAtOnce(generation: chain.cut())) }
      state.isStopping = false
      state.isPlaying = true
      chain.set(.playing, fade: fadeIn)
    }
  }

  /// Fades out and stops after the fade's last frame; `.paused` tells when that was heard.
  public func pause(fadeOut: FrameCount = .zero) {
    state.update { state in
      state.isPlaying = false
      state.chain?.set(.paused, fade: fadeOut)
    }
  }

  /// Fades out and empties the schedule; `.stopped` tells when that is done.
  public func stop(fadeOut: FrameCount = .zero) {
    state.update { state in
      guard let chain = state.chain, !state.isStopping else { return }
      state.isPlaying = false
      state.isStopping = true
      chain.set(.paused, fade: fadeOut)
      chain.command(.clearWhenPaused)
    }
  }

  /// Seeks to a frame of an item's recording, or to its start; the current sound ends at once.
  ///
  /// Uses the nearest frame that the item has. If the item does not exist, nothing follows.
  public func seek(
    to item: RenderItem.ID, repetition: Int = 0, sourceFrame: FramePosition? = nil
  ) {
    state.update { state in
      guard let chain = state.chain else { return }
      state.target = RenderPosition(
        item: item, repetition: repetition, sourceFrame: sourceFrame, frame: .zero, outgoing: nil)
      chain.command(
        .seek(
          item, repetition: repetition, sourceFrame: sourceFrame, generation: chain.cut()))
    }
  }

  // Sound.

  /// 1 is the recording's own speed, at which its frames are not touched; pitch is kept. Clamped to
  /// 0.25...3 and heard after what is rendered ahead.
  public var speed: Double {
    get { state.update { $0.speed } }
    set {
      state.update { state in
        let range = StretchStage.speedRange
        guard !newValue.isNaN else { return }
        state.speed = min(max(newValue, range.lowerBound), range.upperBound)
        state.chain?.bus.speed.store(state.speed.bitPattern, ordering: .relaxed)
      }
    }
  }

  /// An amplitude of 0...1, heard at once and reached without a click.
  public var volume: Double {
    get { state.update { $0.volume } }
    set {
      state.update { state in
        state.volume = newValue.isNaN ? state.volume : min(max(newValue, 0), 1)
        state.applyParameters()
      }
    }
  }

  /// Heard at once and reached without a click.
  public var equaliser: Equaliser {
    get { state.update { $0.equaliser } }
    set {
      state.update { state in
        state.equaliser = newValue
        state.applyParameters()
      }
    }
  }

  /// The level since the last call.
  public func takeLevel() -> OutputLevel {
    state.update { state in
      guard let bus = state.chain?.bus else {
        return OutputLevel(peak: 0, clippedSamples: 0, limitedDecibels: 0)
      }
      let gain = Float(
        bitPattern: bus.leastGain.exchange(Float(1).bitPattern, ordering: .relaxed))
      return OutputLevel(
        peak: Float(bitPattern: bus.peak.exchange(0, ordering: .relaxed)),
        clippedSamples: bus.clipped.exchange(0, ordering: .relaxed),
        limitedDecibels: gain < 1 ? -20 * log10(Double(gain)) : 0)
    }
  }

  /// What is heard now; after a seek at once its target. Nil before the first item.
  public var position: RenderPosition? {
    state.update { $0.position }
  }

  // The output.

  /// Goes on with another output, or the same opened anew, at the place that is heard.
  ///
  /// Whether it plays stays as it was, except that a session whose device was lost stays paused. The
  /// format may change with the device. Throws as `init` does, and then has no output until a call of
  /// this succeeds; the schedule is kept.
  public func switchOutput(to output: RenderOutput) throws(PlaybackError) {
    let result: Result<Void, PlaybackError> = state.update { state in
      let wasLost =
        state.chain?.bus.state.load(ordering: .acquiring) == OutputBus.State.lost.rawValue
      if wasLost { state.isPlaying = false }
      if let chain = state.chain {
        state.target = state.position
        state.rest = chain.close()
      }
      state.chain = nil
      let telling = telling
      return Result { () throws(PlaybackError) in
        let chain = try RenderChain(
          output, settings: settings, taking: state.rest, scaledFrom: state.format.rate,
          tell: { telling.yield($0) })
        state.format = chain.bus.format
        state.chain = chain
        chain.bus.speed.store(state.speed.bitPattern, ordering: .relaxed)
        state.applyParameters()
        if state.isPlaying { chain.set(.playing, fade: .zero) }
      }
    }
    try result.get()
  }

  /// Ends playback and closes the output, without a fade; a WAV file is then complete.
  public func close() {
    state.update { state in
      state.chain?.close()
      state.chain = nil
    }
    telling.finish()
  }

  /// Has the limiter at work before the first item that is made louder.
  private func take(_ items: [RenderItem]) {
    let boost = items.map(\.gainDecibels).max() ?? 0
    state.update { state in
      guard boost > state.itemBoost else { return }
      state.itemBoost = boost
      state.applyParameters()
    }
  }

  private func send(_ command: (RenderChain) -> FeederCommand) {
    state.update { state in
      guard let chain = state.chain else { return }
      chain.command(command(chain))
    }
  }
}

extension RenderChain {
  fileprivate func set(_ transport: OutputBus.Transport, fade: FrameCount) {
    bus.fadeFrames.store(Int(max(0, min(fade.frames, 1 << 40))), ordering: .relaxed)
    bus.transport.store(transport.rawValue, ordering: .releasing)
    bus.wakeOutput()
  }
}
