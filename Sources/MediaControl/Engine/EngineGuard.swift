// SPDX-License-Identifier: GPL-3.0-or-later

public import Playback

/// Pauses an engine before sleep and when headphones are pulled out.
public final class EngineGuard: Sendable {
  private let guardian: InterruptionGuard
  private let obeying: Task<Void, Never>
  private let events: AsyncStream<InterruptionGuard.Event>.Continuation

  /// - Parameter device: the name of the ALSA device that is played on.
  public init(_ engine: PlaybackEngine, device: String) {
    let (stream, events) = AsyncStream.makeStream(of: InterruptionGuard.Event.self)
    self.events = events
    let guardian = InterruptionGuard(device: device) { events.yield($0) }
    self.guardian = guardian
    obeying = Task.detached {
      for await event in stream {
        switch event {
        case .interruption(let interruption):
          await engine.interrupt(interruption)
          // Sleep waits until the fade has been heard.
          for await status in await engine.statuses() where !Self.isHeard(status.state) { break }
          guardian.letSleep()
        case .over: await engine.endInterruption()
        }
      }
    }
  }

  public func close() {
    events.finish()
    obeying.cancel()
    guardian.close()
  }

  private static func isHeard(_ state: PlaybackState) -> Bool {
    switch state {
    case .active, .pausing, .stopping: true
    case .idle, .paused, .failed: false
    }
  }
}
