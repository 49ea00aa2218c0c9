// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
public import Playback
import Quran

/// An engine that other programs see and steer.
public final class EngineRemote: Sendable {
  private let control: MediaControl
  private let player: EnginePlayer
  private let shown = Monitor(Shown())
  private let owner = Monitor<(@Sendable (MediaCommand) -> Void)?>(nil)
  private let watching: Task<Void, Never>
  private let obeying: Task<Void, Never>

  fileprivate struct Shown {
    var view = EngineView()
    var player = PlayerSnapshot()
  }

  /// - Parameters:
  ///   - lists: what else can be played, asked on the bus's thread; other programs see none where it is nil.
  ///   - quit: called where another program asks the whole program to end.
  public init(
    _ engine: PlaybackEngine, names: TrackNames,
    lists: (@Sendable () -> [MediaPlaylist])? = nil, quit: @escaping @Sendable () -> Void
  ) throws(BusError) {
    let (commands, taking) = AsyncStream.makeStream(of: MediaCommand.self)
    let player = EnginePlayer(engine, lists, taking)
    let control = try MediaControl(player)
    self.control = control
    self.player = player
    let (shown, owner) = (shown, owner)
    watching = Task.detached {
      for await _ in await engine.statuses() {
        let unknown = shown.update { shown in
          shown.view.take(engine.moment, names)
          control.publish(shown.snapshot)
          return shown.view.unknown
        }
        guard !unknown.isEmpty else { continue }
        for unheard in unknown {
          let clip = await names.clip(unheard.ayah, unheard.request)
          shown.update { $0.view.take(clip, for: unheard, names) }
        }
        shown.update { shown in
          shown.view.take(engine.moment, names)
          control.publish(shown.snapshot)
        }
      }
    }
    obeying = Task.detached {
      for await command in commands {
        switch command {
        case .setShuffled, .setVolume, .activate: owner.update { $0 }?(command)
        // A jump may have given the tracks other ids since. What the list does not have is ignored.
        case .goTo(let id):
          let tracks = shown.update { $0.view.snapshot.tracks }
          if let start = id.start, tracks.contains(where: { $0.id.start == start }) {
            await engine.go(to: start)
          }
        default: await Self.carryOut(command, with: engine, quit)
        }
      }
    }
  }

  /// Has somebody take what an engine knows nothing of: order, volume and lists.
  ///
  /// - Parameter take: called on no thread in particular; returns at once.
  public func attach(_ take: @escaping @Sendable (MediaCommand) -> Void) {
    owner.update { $0 = take }
  }

  /// Tells how order, volume and lists are now.
  public func show(_ player: PlayerSnapshot) {
    shown.update { shown in
      guard shown.player != player else { return }
      shown.player = player
      control.publish(shown.snapshot)
    }
  }

  /// Leaves the bus; what was asked for by then is carried out.
  public func close() {
    watching.cancel()
    control.close()
    player.finish()
  }

  private static func carryOut(
    _ command: MediaCommand, with engine: PlaybackEngine, _ quit: @Sendable () -> Void
  ) async {
    switch command {
    case .play: await start(engine)
    case .pause: await engine.pause()
    case .togglePause: if await !engine.togglePause() { await start(engine) }
    case .stop: await engine.stop()
    case .next:
      if engine.moment.goesByItem { await engine.nextItem() } else { await engine.next() }
    case .previous:
      if engine.moment.goesByItem { await engine.previousItem() } else { await engine.previous() }
    case .quit: quit()
    case .setRate(let rate): await engine.setSpeed(rate)
    case .setLoop(let loop): await repeatSo(loop, engine)
    // Not the engine's alone.
    case .goTo, .setShuffled, .setVolume, .activate: break
    }
  }

  /// Goes on, or begins the ayah anew that was stopped; after the end, everything.
  private static func start(_ engine: PlaybackEngine) async {
    if await engine.resume() { return }
    if case .idle(.finished) = await engine.status.state, let first = engine.moment.items.first {
      await engine.go(to: first.id)
    } else {
      await engine.again()
    }
  }

  /// A count that is a loop of that kind already stays as it is.
  private static func repeatSo(_ loop: MediaLoop, _ engine: PlaybackEngine) async {
    guard let request = engine.moment.itinerary?.request else { return }
    switch loop {
    case .none: await engine.setRepeats(ayah: .once, range: .once)
    case .track: if request.ayahRepeat.times == 1 { await engine.setRepeats(ayah: .endless) }
    case .playlist:
      await engine.setRepeats(
        ayah: .once, range: request.rangeRepeat.times == 1 ? .endless : request.rangeRepeat)
    }
  }
}

/// What a player has besides its engine.
public struct PlayerSnapshot: Hashable, Sendable {
  public var isShuffled = false
  /// An amplitude of 0...1.
  public var volume = 1.0
  public var activePlaylist: MediaPlaylist?

  public init() {}
}

extension EngineRemote.Shown {
  fileprivate var snapshot: MediaSnapshot {
    var snapshot = view.snapshot
    snapshot.isShuffled = player.isShuffled
    snapshot.volume = player.volume
    snapshot.activePlaylist = player.activePlaylist
    return snapshot
  }
}

/// What the bus asks of an engine; answers at once.
private final class EnginePlayer: MediaPlayer {
  private let engine: PlaybackEngine
  private let lists: (@Sendable () -> [MediaPlaylist])?
  private let commands: AsyncStream<MediaCommand>.Continuation
  private let told = Monitor(ToldPosition())

  init(
    _ engine: PlaybackEngine, _ lists: (@Sendable () -> [MediaPlaylist])?,
    _ commands: AsyncStream<MediaCommand>.Continuation
  ) {
    self.engine = engine
    self.lists = lists
    self.commands = commands
  }

  func position(in snapshot: MediaSnapshot) -> Int64 {
    let moment = engine.moment
    return told.update { $0.position(in: snapshot, moment) }
  }

  var playlists: [MediaPlaylist]? { lists?() }

  func perform(_ command: MediaCommand) { commands.yield(command) }

  func finish() { commands.finish() }
}
