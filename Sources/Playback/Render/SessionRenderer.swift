// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
public import Decoding

/// A render session as the engine's renderer.
///
/// Commands wait in a queue for a thread of the renderer's own, which opens recordings and the output
/// and may block there; the session itself is never waited for.
public final class SessionRenderer: PlaybackRenderer {
  public let events: AsyncStream<RendererEvent>

  private let telling: AsyncStream<RendererEvent>.Continuation
  private let mailbox = Monitor<[RendererTask]>([])
  private let heard = Monitor(HeardSession())
  /// Whether the thread is there to be closed.
  private let isOpen: Monitor<Bool>

  /// - Parameters:
  ///   - output: opened when the engine knows the first recording's format, and again after a loss.
  ///   - settings: how a session of a format plays.
  ///   - gain: decibels by which a clip is made louder, asked for on the renderer's thread.
  ///   - open: finds and opens a recording, on the renderer's thread.
  public init(
    output: RenderOutput,
    settings: @escaping @Sendable (AudioFormat) -> RenderSettings = { RenderSettings(format: $0) },
    gain: @escaping @Sendable (AudioClip) -> Double = { _ in 0 },
    open: @escaping @Sendable (MediaKey) throws(DecodingError) -> MediaSource
  ) {
    (events, telling) = AsyncStream.makeStream(of: RendererEvent.self)
    let (mailbox, telling) = (mailbox, telling)
    let parts = RendererParts(
      output: output, settings: settings, gain: gain, open: open, heard: heard, mailbox: mailbox,
      tell: { telling.yield($0) })
    let thread = WorkerThread {
      let worker = SessionRendererWorker(parts)
      while worker.isOpen {
        let tasks = mailbox.wait { tasks in
          defer { tasks.removeAll() }
          return tasks.isEmpty ? nil : tasks
        }
        for task in tasks where worker.isOpen { worker.carryOut(task) }
      }
      telling.finish()
    }
    isOpen = Monitor(thread != nil)
    if thread == nil { telling.yield(.broken(reason: "the system cannot start another thread")) }
  }

  deinit { mailbox.update { $0.append(.close(done: nil)) } }

  public func send(_ command: RendererCommand) { mailbox.update { $0.append(.command(command)) } }

  public func position() -> RendererPosition? { heard.update { $0.position } }

  /// How loud it has been since this was last asked; nil where nothing is open. Returns at once.
  public func takeLevel() -> OutputLevel? { heard.update { $0.session?.takeLevel() } }

  /// An amplitude of 0...1, heard at once and reached without a click.
  public func setVolume(_ volume: Double) { mailbox.update { $0.append(.setVolume(volume)) } }

  /// Heard at once and reached without a click.
  public func setEqualiser(_ equaliser: Equaliser) {
    mailbox.update { $0.append(.setEqualiser(equaliser)) }
  }

  /// Goes on with another output, at the place that is heard; one that was lost is opened by the next
  /// `.run`. What cannot be opened is told as `.deviceLost`.
  public func switchOutput(to output: RenderOutput) {
    mailbox.update { $0.append(.switchOutput(output)) }
  }

  /// Ends playback at once and lets go of the output; a WAV file is complete then. Blocks until that is
  /// done. Nothing is played afterwards.
  public func close() {
    let wasOpen = isOpen.update { isOpen in
      defer { isOpen = false }
      return isOpen
    }
    guard wasOpen else { return }
    let done = Monitor(false)
    mailbox.update { $0.append(.close(done: done)) }
    done.wait { $0 ? () : nil }
  }
}

/// What the renderer's thread has to do.
enum RendererTask: Sendable {
  case command(RendererCommand)
  case switchOutput(RenderOutput)
  case setVolume(Double)
  case setEqualiser(Equaliser)
  /// Told by the session that is the so-manieth.
  case event(RenderEvent, session: Int)
  /// A fade was due by now, whether it was told or not.
  case fadeOverdue(FadeID)
  /// The output of the session that is the so-manieth was lost, and may be back.
  case retryOutput(session: Int)
  case close(done: Monitor<Bool>?)
}

/// What the renderer's thread works with.
struct RendererParts: Sendable {
  let output: RenderOutput
  let settings: @Sendable (AudioFormat) -> RenderSettings
  let gain: @Sendable (AudioClip) -> Double
  let open: @Sendable (MediaKey) throws(DecodingError) -> MediaSource
  let heard: Monitor<HeardSession>
  let mailbox: Monitor<[RendererTask]>
  let tell: @Sendable (RendererEvent) -> Void

  /// Gives the renderer's thread something to do after a while.
  func post(_ task: RendererTask, after delay: Duration) {
    let mailbox = mailbox
    Task.detached {
      try? await Task.sleep(for: delay)
      mailbox.update { $0.append(task) }
    }
  }

  /// Passes on what a session tells, until it is closed.
  func listen(to events: AsyncStream<RenderEvent>, session: Int) {
    let mailbox = mailbox
    Task.detached {
      for await event in events { mailbox.update { $0.append(.event(event, session: session)) } }
    }
  }
}

/// The session and what its items are to the engine, for whoever asks for the position.
struct HeardSession: Sendable {
  var session: RenderSession?
  var items: [RenderItem.ID: ScheduledItem] = [:]

  var position: RendererPosition? {
    guard let position = session?.position, let item = items[position.item] else { return nil }
    return RendererPosition(item: item.id, sourceFrame: position.sourceFrame)
  }
}
