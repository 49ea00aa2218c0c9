// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
public import Playback
import Quran

/// An engine that other programs see and steer.
public final class EngineRemote: Sendable {
  private let control: MediaControl
  private let player: EnginePlayer
  private let watching: Task<Void, Never>
  private let obeying: Task<Void, Never>

  /// - Parameters:
  ///   - lists: what else can be played; other programs see none where it is nil.
  ///   - quit: called where another program asks the whole program to end.
  public init(
    _ engine: PlaybackEngine, names: TrackNames, lists: PlayableLists? = nil,
    quit: @escaping @Sendable () -> Void
  ) throws(BusError) {
    let (commands, taking) = AsyncStream.makeStream(of: MediaCommand.self)
    let player = EnginePlayer(engine, lists, taking)
    let control = try MediaControl(player)
    self.control = control
    self.player = player
    watching = Task.detached {
      var view = EngineView()
      for await _ in await engine.statuses() {
        view.take(engine.moment, names)
        control.publish(view.snapshot)
      }
    }
    obeying = Task.detached {
      for await command in commands {
        if case .activate(let list) = command {
          await lists?.activate(list)
        } else {
          await Self.carryOut(command, with: engine, quit)
        }
      }
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
    case .next: await engine.next()
    case .previous: await engine.previous()
    case .quit: quit()
    case .setRate(let rate): await engine.setSpeed(rate)
    case .setLoop(let loop): await repeatSo(loop, engine)
    case .goTo(let id): if let ayah = id.ayah { await engine.seek(to: ayah) }
    // An engine has one order and leaves loudness to the sound server.
    case .setShuffled, .setVolume, .activate: break
    }
  }

  /// Goes on, or starts over what was stopped.
  private static func start(_ engine: PlaybackEngine) async {
    guard await !engine.resume(), let first = engine.moment.itinerary?.first else { return }
    await engine.seek(to: first.ayah)
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

/// Lists that a person has saved, for other programs to choose from.
public struct PlayableLists: Sendable {
  /// Asked on the bus's thread; returns at once.
  public var all: @Sendable () -> [MediaPlaylist]
  /// Plays one in place of what is under way.
  public var activate: @Sendable (MediaPlaylist.ID) async -> Void

  public init(
    all: @escaping @Sendable () -> [MediaPlaylist],
    activate: @escaping @Sendable (MediaPlaylist.ID) async -> Void
  ) {
    self.all = all
    self.activate = activate
  }
}

/// What the bus asks of an engine; answers at once.
private final class EnginePlayer: MediaPlayer {
  private let engine: PlaybackEngine
  private let lists: PlayableLists?
  private let commands: AsyncStream<MediaCommand>.Continuation
  private let told = Monitor(ToldPosition())

  init(
    _ engine: PlaybackEngine, _ lists: PlayableLists?,
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

  var playlists: [MediaPlaylist]? { lists?.all() }

  func perform(_ command: MediaCommand) { commands.yield(command) }

  func finish() { commands.finish() }
}
