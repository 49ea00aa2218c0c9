// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CChild
import Decoding
import Foundation
import GeneratedVideo
import Glibc
import Listening
import Playback
import Quran
import TerminalUI
import TestSupport
import Testing
import Video

@testable import TilawaCLI

/// The window by a real mpv that shows nothing, asked on a socket of its own what it would show.
@Suite(.serialized) struct PictureWindowTests {
  private struct Desk: Sendable {
    var hearing = PictureWindow.Hearing(
      media: MediaKey(rawValue: "night"), frame: FramePosition(60_000), speed: 1, isPlaying: false)
    var news: [PictureWindow.News] = []
  }

  private struct Waited: Error {}

  /// A program that would run for ever is killed with the thread that started it.
  @Test func aChildEndsWithItsThread() throws {
    let child = Monitor<pid_t>(0)
    let thread = try #require(
      WorkerThread {
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("sleep"), strdup("1000"), nil]
        let id = child_start("/bin/sleep", &arguments, environ, 2, -1, -1)
        child.update { $0 = id }
        // What is killed is the program, not yet the fork of this one.
        while id > 0,
          (try? String(contentsOfFile: "/proc/\(id)/comm", encoding: .utf8)) != "sleep\n"
        {
          usleep(1000)
        }
      })
    thread.join()
    let id = child.update { $0 }
    #expect(id > 0)
    var status: Int32 = 0
    #expect(waitpid(id, &status, 0) == id)
    #expect(status & 0x7F == SIGKILL)
  }

  @Test(.enabled(if: MPVProcess.path != nil, "no mpv"))
  func thePictureFollowsWhatIsHeardAndIsFollowed() throws {
    let folder = try TemporaryFolder()
    let file = folder.path("-night \u{642}.mp4")
    var video = GeneratedVideo(frames: 150, rate: 25)
    video.container = "mp4"
    video.soundCodec = "aac"
    try video.write(to: file)
    let desk = Monitor(Desk())
    let socket = folder.path("mpv")
    let window = PictureWindow(
      .init(
        hearing: { desk.update { $0.hearing } },
        open: { _ throws(DecodingError) in try MediaSource(path: file) },
        title: { $0.rawValue },
        tell: { news in desk.update { $0.news.append(news) } }),
      options: ["--vo=null", "--input-ipc-server=\(socket)"])
    defer { window.close() }
    #expect(window.toggle() == nil)
    let mpv = try Mpv(at: socket)
    // Frame 31 belongs to 1.25 s.
    try mpv.wait("time-pos") { $0.map { abs($0 - 1.24) < 0.001 } ?? false }
    desk.update { $0.hearing.frame = FramePosition(121_000) }
    try mpv.wait("time-pos") { $0.map { abs($0 - 2.52) < 0.001 } ?? false }

    try mpv.say(#"{"command":["set_property","pause",false]}"#)
    desk.wait { $0.news.contains(.wish(.play)) ? () : nil }
    // Nobody has granted it.
    try mpv.wait("time-pos") { $0.map { abs($0 - 2.52) < 0.001 } ?? false }
    try mpv.say(#"{"command":["seek",4,"absolute+exact"]}"#)
    let seconds = desk.wait { desk in
      desk.news.lazy.compactMap {
        if case .wish(.move(let seconds)) = $0 { seconds } else { nil }
      }.first
    }
    #expect(abs(seconds - (4 - 121_000 / 48_000)) < 0.1, "\(seconds)")

    try mpv.say(#"{"command":["quit"]}"#)
    desk.wait { $0.news.contains(.notice(Notice(.hint, "Window closed"))) ? () : nil }

    // Whoever closes it may open it again.
    while window.toggleFullScreen() == nil { usleep(1000) }
    unlink(socket)
    #expect(window.toggle() == nil)
    let another = try Mpv(at: socket)
    let id = try another.wait("pid") { $0 != nil }
    kill(pid_t(try #require(id)), SIGKILL)
    let killed = Notice(.warning, "mpv was killed (signal 9)")
    desk.wait { $0.news.contains(.notice(killed)) ? () : nil }
  }

  @Test(.enabled(if: MPVProcess.path != nil, "no mpv"))
  func openedInSilenceItShowsTheFrameAtRest() throws {
    let folder = try TemporaryFolder()
    let file = folder.path("night.mov")
    try GeneratedVideo(frames: 150, rate: 25).write(to: file)
    let desk = Monitor(Desk())
    desk.update { desk in
      desk.hearing.frame = nil
      desk.hearing.restingFrame = FramePosition(60_000)
    }
    let socket = folder.path("mpv")
    let window = PictureWindow(
      .init(
        hearing: { desk.update { $0.hearing } },
        open: { _ throws(DecodingError) in try MediaSource(path: file) },
        title: { $0.rawValue },
        tell: { news in desk.update { $0.news.append(news) } }),
      options: ["--vo=null", "--input-ipc-server=\(socket)"])
    defer { window.close() }
    #expect(window.toggle() == nil)
    let mpv = try Mpv(at: socket)
    try mpv.wait("time-pos") { $0.map { abs($0 - 1.24) < 0.001 } ?? false }
    desk.update { $0.hearing.frame = FramePosition(121_000) }
    try mpv.wait("time-pos") { $0.map { abs($0 - 2.52) < 0.001 } ?? false }
    // From now on the picture stays as it was.
    desk.update { $0.hearing.frame = nil }
    window.settle()
    window.settle()
    try mpv.wait("time-pos") { $0.map { abs($0 - 2.52) < 0.001 } ?? false }
    // Closed and asked for again before it is gone, it comes again.
    unlink(socket)
    #expect(window.toggle() == nil && window.toggle() == nil)
    _ = try Mpv(at: socket)
  }

  @Test func whyThereIsNoPictureIsSaidInPlaceOfAWindow() {
    let desk = Monitor(Desk())
    let window = PictureWindow(
      .init(
        hearing: { nil },
        open: { media throws(DecodingError) in
          throw DecodingError(.cancelled, file: media.rawValue)
        }, title: { $0.rawValue },
        tell: { news in desk.update { $0.news.append(news) } }),
      options: ["--vo=null"])
    let obstacle = PictureObstacle(unreadable: "its file is missing")
    #expect(window.toggle(unless: obstacle) == Notice(.hint, "No picture: its file is missing"))
    #expect(window.toggleFullScreen() == Notice(.hint, "No window is open"))
  }

  /// Whether or not a window could be opened.
  @Test func noWindowIsOpenedInTheEditorForSoundAlone() throws {
    let folder = try TemporaryFolder()
    let file = folder.path("night.wav")
    var recitation = ToneRecitation()
    recitation.recite(try AyahRange(parsing: "112:1"))
    try recitation.write(to: file)
    let desk = Monitor(Desk())
    let window = PictureWindow(
      .init(
        mayHavePictureLater: false,
        hearing: { desk.update { $0.hearing } },
        open: { _ throws(DecodingError) in try MediaSource(path: file) },
        title: { $0.rawValue },
        tell: { news in desk.update { $0.news.append(news) } }),
      options: [])
    #expect(window.toggle() == nil)
    // It ends by itself.
    while window.toggleFullScreen() == nil { usleep(1000) }
    window.close()
    let said = Notice(.hint, "night has no picture, only sound")
    #expect(desk.update { $0.news } == [.notice(said)])
  }

  /// A test's own connection to an mpv.
  private final class Mpv {
    private let socket: Int32
    private var rest: [UInt8] = []

    init(at path: String) throws {
      socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { bytes in
        for (index, byte) in path.utf8.enumerated() where index < bytes.count - 1 {
          bytes[index] = byte
        }
      }
      for _ in 0..<6000 {
        let result = withUnsafePointer(to: &address) {
          $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
          }
        }
        if result == 0 { return }
        usleep(10_000)
      }
      throw Waited()
    }

    deinit { Glibc.close(socket) }

    func say(_ line: String) throws {
      let bytes = Array((line + "\n").utf8)
      guard send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
        throw Waited()
      }
    }

    /// Asks until the value is the right one.
    @discardableResult
    func wait(_ property: String, until isRight: (Double?) -> Bool) throws -> Double? {
      var value: Double?
      for _ in 0..<6000 {
        try say(#"{"command":["get_property","\#(property)"],"request_id":5}"#)
        value = try answer()
        if isRight(value) { return value }
        usleep(10_000)
      }
      Issue.record("\(property) is \(value.map { "\($0)" } ?? "unknown")")
      throw Waited()
    }

    private func answer() throws -> Double? {
      while true {
        if let end = rest.firstIndex(of: 10) {
          let line = Array(rest[..<end])
          rest.removeFirst(end + 1)
          guard case .reply(5, _, let value) = MPVMessage(line: line) else { continue }
          if case .number(let number) = value { return number }
          return nil
        }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(socket, &buffer, buffer.count, 0)
        guard count > 0 else { throw Waited() }
        rest += buffer[..<count]
      }
    }
  }
}
