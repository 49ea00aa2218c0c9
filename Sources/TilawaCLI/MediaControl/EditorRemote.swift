// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Editor
import MediaControl

/// The editor's playback, as other programs see and steer it, from the first sound on. Belongs to the editor's
/// thread.
final class EditorRemote {
  private let player: EditorMediaPlayer
  private var control: MediaControl?
  private var isOff: Bool
  private let inbox: EditorInbox
  private var guardian: InterruptionGuard?
  private let resumes: Bool
  private let heard = Monitor(Heard())
  private let device: String
  private var shown = MediaSnapshot()
  private var place: (position: FramePosition, at: ContinuousClock.Instant)?

  private struct Heard {
    var isPlaying = false
    /// Whether it was playing when it was interrupted, and has not played since.
    var isInterrupted = false
  }

  /// By how much a position may be off from where time led it, in seconds, before other programs are told.
  private static let tolerance = 0.5

  /// - Parameters:
  ///   - device: the name of the ALSA device that is played on.
  ///   - resumes: whether what an interruption paused goes on by itself after it.
  init(isOff: Bool, device: String, resumes: Bool, inbox: EditorInbox) {
    self.resumes = resumes
    self.isOff = isOff
    self.device = device
    self.inbox = inbox
    player = EditorMediaPlayer(inbox)
  }

  /// Tells how playback stands.
  func show(_ state: State, _ playing: WorkspacePlayer?) {
    watch(state)
    guard !isOff, control != nil || state.transport.isPlaying else { return }
    if control == nil {
      // Without a bus there is nobody to tell, now or later.
      control = try? MediaControl(player)
      isOff = control == nil
    }
    let (snapshot, span) = Self.snapshot(of: state)
    player.watch(playing, span, at: state.rate)
    let isBreak = snapshot.track == shown.track && hasJumped(state)
    place = (state.transport.position, ContinuousClock.now)
    guard snapshot != shown || isBreak else { return }
    shown = snapshot
    control?.publish(snapshot, isBreak: isBreak)
  }

  func close() {
    guardian?.close()
    control?.close()
  }

  /// Pauses before sleep and for headphones that are pulled out.
  private func watch(_ state: State) {
    heard.update { heard in
      // Until the pause is carried out it plays on.
      if state.transport.isPlaying, !heard.isPlaying { heard.isInterrupted = false }
      heard.isPlaying = state.transport.isPlaying
    }
    if guardian == nil, state.transport.isPlaying {
      guardian = InterruptionGuard(device: device) { [inbox, heard, resumes] event in
        switch event {
        case .interruption:
          heard.update { $0.isInterrupted = $0.isInterrupted || $0.isPlaying }
          inbox.post(.remote(.pause))
        case .over:
          let goesOn = heard.update { heard in
            defer { heard.isInterrupted = false }
            return heard.isInterrupted
          }
          if resumes, goesOn { inbox.post(.remote(.play)) }
        }
      }
    }
    if !state.transport.isPlaying { guardian?.letSleep() }
  }

  /// What a command of another program means here.
  static func events(for command: MediaCommand, in state: State) -> [Event] {
    let isPlaying = state.transport.isPlaying
    return switch command {
    case .play: isPlaying ? [] : [.perform(.playToggle)]
    case .pause, .stop: isPlaying ? [.perform(.playToggle)] : []
    case .togglePause: [.perform(.playToggle)]
    case .next: [.skip(isForward: true)]
    case .previous: [.skip(isForward: false)]
    case .quit: [.perform(.quit)]
    case .setRate(let rate): steps(from: state.transport.speed, to: rate).map { .perform($0) }
    case .setLoop(let loop): [.setLooping(loop != .none)]
    case .setVolume(let volume): [.setVolume(volume)]
    // A recording is one track, in its order.
    case .setShuffled, .goTo, .activate: []
    }
  }

  /// To the nearest of the editor's speeds.
  private static func steps(from speed: Double, to wanted: Double) -> [Action] {
    func index(_ speed: Double) -> Int {
      Transport.speeds.indices.min {
        abs(Transport.speeds[$0] - speed) < abs(Transport.speeds[$1] - speed)
      } ?? 0
    }
    let steps = index(wanted) - index(speed)
    return Array(repeating: steps < 0 ? .playSlower : .playFaster, count: abs(steps))
  }

  private func hasJumped(_ state: State) -> Bool {
    guard let place else { return false }
    let moved = (state.transport.position - place.position).seconds(at: state.rate)
    let elapsed = (ContinuousClock.now - place.at) / .seconds(1)
    let expected = state.transport.isPlaying ? elapsed * state.transport.speed : 0
    return moved < -0.01 || moved - expected > Self.tolerance
  }

  /// What is told of a state, and the part of the recording that is the track.
  static func snapshot(of state: State) -> (MediaSnapshot, Range<FramePosition>) {
    var snapshot = MediaSnapshot()
    let transport = state.transport
    let end = FramePosition.zero + state.document.length
    snapshot.status =
      switch transport.phase {
      case .playing: .playing
      case .paused: .paused
      case .stopped: .stopped
      }
    snapshot.rate = transport.speed
    snapshot.volume = state.settings.volume
    snapshot.loop = transport.isLooping ? .track : .none
    guard let card = state.card else { return (snapshot, .zero..<end) }
    var title = card.title
    var span = FramePosition.zero..<end
    var segment = state.document.segment(containing: transport.position)
    switch transport.target {
    case .segment(let id):
      if let played = state.document.segment(id) {
        segment = played
        span = played.span
        title = played.assignment.map { "\($0)" } ?? "Segment \(played.index + 1)"
      }
    case .span(let played):
      span = played
      title += ", a part"
    case .recording, nil: break
    }
    let numbers = [span.lowerBound, span.upperBound].map { String($0.frames) }
    var track = MediaTrack(
      id: .init(rawValue: "/org/tilawa/recording/\(numbers.joined(separator: "/"))"), title: title)
    track.artists = card.reciter.isEmpty ? [] : [card.reciter]
    track.album = card.title
    track.length = span.length.microseconds(at: state.rate)
    snapshot.track = track
    snapshot.tracks = [track]
    snapshot.canGoNext = segment.index + 1 < state.document.segments.count
    snapshot.canGoPrevious = segment.index > 0
    return (snapshot, span)
  }
}

/// What the bus asks of the editor.
private final class EditorMediaPlayer: MediaPlayer {
  private struct Watched {
    var player: WorkspacePlayer?
    var span = FramePosition.zero..<FramePosition.zero
    var rate: SampleRate?
    /// Told while a command is under way.
    var latest: Int64 = 0
  }

  private let inbox: EditorInbox
  private let watched = Monitor(Watched())

  init(_ inbox: EditorInbox) { self.inbox = inbox }

  func watch(_ player: WorkspacePlayer?, _ span: Range<FramePosition>, at rate: SampleRate) {
    watched.update { watched in
      watched.player = player
      watched.span = span
      watched.rate = rate
    }
  }

  func position(in snapshot: MediaSnapshot) -> Int64 {
    watched.update { watched in
      guard let rate = watched.rate else { return 0 }
      if let position = watched.player?.report()?.position {
        let offset = min(max(position, watched.span.lowerBound), watched.span.upperBound)
        watched.latest = (offset - watched.span.lowerBound).microseconds(at: rate)
      }
      return min(watched.latest, snapshot.track?.length ?? 0)
    }
  }

  func perform(_ command: MediaCommand) { inbox.post(.remote(command)) }
}

extension FrameCount {
  /// Rounded down.
  fileprivate func microseconds(at rate: SampleRate) -> Int64 {
    let (seconds, rest) = frames.quotientAndRemainder(dividingBy: Int64(rate.hertz))
    return seconds * 1_000_000 + rest * 1_000_000 / Int64(rate.hertz)
  }
}
