// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding
import Listening
import Playback
import TerminalUI
import Video

/// The picture of what is heard in a window of its own, shown by an `mpv`; it has a thread while it is open.
final class PictureWindow: Sendable {
  /// What is heard of a recording, or would be if it were not paused.
  struct Hearing {
    var media: MediaKey
    /// Nil in silence and while the ayah is looked up: the picture stands still.
    var frame: FramePosition?
    /// What is seen then if nothing was seen before.
    var restingFrame: FramePosition?
    var speed: Double
    var isPlaying: Bool
  }

  enum News: Hashable {
    case notice(Notice)
    case wish(Wish)
  }

  /// What a person wants who uses mpv's window.
  enum Wish: Hashable {
    case pause
    case play
    /// So many seconds of the sound on, or back.
    case move(Double)
  }

  /// What it needs of the player. Called on the window's thread.
  struct Player: Sendable {
    /// Whether what is heard later may have a picture where what is heard now has none.
    var mayHavePictureLater = true
    var hearing: @Sendable () -> Hearing?
    var open: @Sendable (MediaKey) throws(DecodingError) -> MediaSource
    /// What a recording is called.
    var title: @Sendable (MediaKey) -> String
    var tell: @Sendable (News) -> Void
  }

  private struct Shared {
    var thread: WorkerThread?
    var isOpen = false
    /// Whether what is heard has a picture, which the window shows.
    var isShowing = false
    var isClosing = false
    /// Whether it is asked for again while it is closing.
    var reopens = false
    var fullScreenToggles = 0
    var looks = 0
  }

  private let player: Player
  private let options: [String]
  private let shared = Monitor(Shared())

  /// Between two looks at what is heard.
  private static let tick: Int32 = 20

  /// - Parameter options: of mpv, after ours; a test has it show nothing.
  init(_ player: Player, options: [String] = MPVProcess.testOptions) {
    self.player = player
    self.options = options
  }

  /// Opens the window, or closes it. Returns why that cannot be tried.
  ///
  /// - Parameter obstacle: why there is no picture to be shown.
  func toggle(unless obstacle: PictureObstacle? = nil) -> Notice? {
    let isOpen = shared.update { state in
      if state.isOpen, state.isClosing { state.reopens.toggle() }
      if state.isOpen { state.isClosing = true }
      return state.isOpen
    }
    if isOpen { return nil }
    if let obstacle { return Notice(.hint, obstacle.reason) }
    join()
    shared.update { $0 = Shared(isOpen: true) }
    let thread = WorkerThread { [self] in
      repeat {
        run()
      } while shared.update { state in
        let reopens = state.reopens
        state = Shared(thread: state.thread, isOpen: reopens, looks: state.looks)
        return reopens
      }
    }
    guard let thread else {
      shared.update { $0.isOpen = false }
      return Self.noWindow("the system cannot start another thread")
    }
    shared.update { $0.thread = thread }
    return nil
  }

  private static func noWindow(_ reason: String) -> Notice {
    Notice(.failure, "No window: \(reason)")
  }

  /// Returns why it cannot.
  func toggleFullScreen() -> Notice? {
    shared.update { state in
      guard state.isOpen else { return Notice(.hint, "No window is open") }
      state.fullScreenToggles += 1
      return nil
    }
  }

  /// Whether the picture of what is heard is seen in it.
  var isShowing: Bool { shared.update { $0.isOpen && $0.isShowing } }

  /// Waits until mpv has been told of what was heard just now.
  func settle() {
    let looks = shared.update { $0.looks }
    shared.wait { state in !state.isOpen || state.looks >= looks + 2 ? () : nil }
  }

  /// Closes the window and waits for its end.
  func close() {
    shared.update { state in
      state.isClosing = true
      state.reopens = false
    }
    join()
  }

  private func join() {
    let thread = shared.update { state in
      defer { state.thread = nil }
      return state.thread
    }
    thread?.join()
  }

  // MARK: - On the thread

  private func run() {
    var sight = PictureSight(player)
    // Nothing that a window needs would help where there is no picture.
    if !player.mayHavePictureLater, sight.lacksPicture() { return }
    guard let path = MPVProcess.path else {
      let text = "The window needs mpv, which is not installed: apt install mpv"
      return player.tell(.notice(Notice(.failure, text)))
    }
    if options.isEmpty, let problem = WindowDisplay().problem {
      return player.tell(.notice(Self.noWindow(problem.sentence)))
    }
    guard let mpv = MPVProcess(path: path, options: options) else {
      return player.tell(.notice(Self.noWindow("cannot start mpv")))
    }
    let start = ContinuousClock.now
    var follower = WindowFollower()
    var isAlive = mpv.send(follower.begin())
    var isOurs = false
    while isAlive, !isOurs {
      guard let messages = mpv.receive(waiting: Self.tick) else { break }
      for message in messages {
        let (commands, wish) = follower.take(message, sight.heard(), at: .now - start)
        isAlive = mpv.send(commands) && isAlive
        if let wish = wish.flatMap({ sight.wish($0) }) { player.tell(.wish(wish)) }
      }
      if follower.takeFailure() {
        player.tell(.notice(Notice(.warning, "mpv cannot show the picture of this recording")))
      }
      if !follower.hasWindow {
        player.tell(.notice(Self.noWindow("mpv cannot open one on this display")))
        shared.update { $0.isClosing = true }
      }
      let heard = sight.heard()
      isAlive = mpv.send(follower.look(heard, at: .now - start)) && isAlive
      let (isClosing, toggles) = shared.update { state in
        defer { state.fullScreenToggles = 0 }
        state.looks += 1
        state.isShowing = heard != nil
        return (state.isClosing, state.fullScreenToggles)
      }
      if toggles % 2 == 1 { isAlive = mpv.send([follower.toggleFullScreen()]) && isAlive }
      isOurs = isClosing
    }
    if isOurs { _ = mpv.send([follower.quit()]) }
    let end = mpv.finish()
    if isOurs { return }
    let rest = player.hearing()?.isPlaying == true ? "; playback continues" : ""
    let notice =
      switch end {
      case .closed: Notice(.hint, "Window closed")
      case .exited(let code): Notice(.warning, "mpv failed (exit code \(code))\(rest)")
      case .killed(let signal): Notice(.warning, "mpv was killed (signal \(signal))\(rest)")
      }
    player.tell(.notice(notice))
  }
}

/// What is heard as times of the picture beside it.
private struct PictureSight {
  private let player: PictureWindow.Player
  /// Nil for those that have none.
  private var known: [MediaKey: Picture?] = [:]
  private var last: WindowFollower.Heard?

  private struct Picture {
    var path: String
    var rate: SampleRate
    var times: PictureTimes
  }

  /// Recordings that are kept open.
  private static let most = 4

  init(_ player: PictureWindow.Player) { self.player = player }

  /// Nil where what is heard has no picture.
  mutating func heard() -> WindowFollower.Heard? {
    guard var hearing = hearing() else { return still() }
    guard let frame = hearing.frame else { return still() }
    if known[hearing.media] == nil || picture(of: hearing.media)?.times.knows(frame) == false {
      look(up: hearing.media, at: frame)
      // That took a while.
      hearing = self.hearing() ?? hearing
    }
    guard known[hearing.media] != nil, let frame = hearing.frame else { return still() }
    guard let picture = picture(of: hearing.media) else {
      last = nil
      return nil
    }
    let heard = WindowFollower.Heard(
      path: picture.path, seconds: picture.times.seconds(at: frame), speed: hearing.speed,
      isPlaying: hearing.isPlaying, frameSeconds: picture.times.frameSeconds,
      firstSeconds: picture.times.firstSeconds ?? -.infinity)
    last = heard
    return heard
  }

  private func hearing() -> PictureWindow.Hearing? {
    guard var hearing = player.hearing() else { return nil }
    if hearing.frame == nil, last == nil {
      hearing.frame = hearing.restingFrame
      hearing.isPlaying = false
    }
    return hearing
  }

  /// Whether what is heard is known to have none, which was told then.
  mutating func lacksPicture() -> Bool {
    _ = heard()
    guard let media = player.hearing()?.media, let known = known[media] else { return false }
    return known == nil
  }

  /// What the player has to be told; nil where the window shows nothing of it.
  func wish(_ wish: WindowFollower.Wish) -> PictureWindow.Wish? {
    switch wish {
    case .pause: return .pause
    case .play: return .play
    case .seek(let seconds):
      guard let hearing = player.hearing(), let frame = hearing.frame,
        let picture = picture(of: hearing.media)
      else { return nil }
      let place = picture.times.position(atSeconds: seconds)
      return .move((place - frame).seconds(at: picture.rate))
    }
  }

  /// The picture stays as it was.
  private func still() -> WindowFollower.Heard? {
    var heard = last
    heard?.isPlaying = false
    return heard
  }

  private func picture(of media: MediaKey) -> Picture? { known[media] ?? nil }

  private mutating func look(up media: MediaKey, at frame: FramePosition) {
    if known[media] == nil {
      if known.count >= Self.most { known = [:] }
      known[media] = .some(find(media))
    }
    picture(of: media)?.times.approach(frame)
  }

  private func find(_ media: MediaKey) -> Picture? {
    do throws(DecodingError) {
      let source = try player.open(media)
      let name = source.file.path
      let path = name.hasPrefix("/") ? name : UserFolders.absolute(name)
      let rate = source.description.format.rate
      do throws(VideoError) {
        return Picture(path: path, rate: rate, times: try PictureTimes(source))
      } catch {
        let text = "\(player.title(media)) \(error.explanation)"
        player.tell(.notice(Notice(.hint, text)))
        return nil
      }
    } catch {
      // That it cannot be read is said where it should be heard.
      return nil
    }
  }
}
