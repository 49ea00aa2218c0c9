// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import Glibc

/// Whose turn it is to ask a host: two at once at most, none before the pause after the request before it is over, and
/// none before the time that the host itself has asked for.
///
/// All programs that share a folder keep to this together, one after another as well. What cannot be kept there is
/// known to this process alone.
public final class HostTurns: Sendable {
  private let folder: String?
  private let notes = Monitor<[String: Note]>([:])

  /// - Parameter folder: where all that ask the same hosts keep their turns; nil for this object alone.
  public init(sharedIn folder: String? = nil) { self.folder = folder }

  /// Leave to ask a host, until it is gone.
  final class Turn {
    private let descriptor: Int32
    fileprivate init(_ descriptor: Int32) { self.descriptor = descriptor }
    deinit { if descriptor >= 0 { close(descriptor) } }
  }

  enum Answer {
    case turn(Turn)
    /// To be asked for again after as many seconds.
    case wait(Double)
    /// As many ask it as may; to be asked for again soon.
    case full
  }

  /// Requests to one host at once, of all programs together.
  private static let requestsAtOnce = 2
  /// No wish of a server counts longer.
  private static let longestSeconds = 7.0 * 86_400

  /// - Parameters:
  ///   - date: seconds since 1970.
  ///   - pause: after the request before, in seconds.
  func take(_ host: String, at date: Double, pause: Double) -> Answer {
    guard let turn = freeTurn(host) else { return .full }
    return withNote(host) { note in
      let left = note?.left(at: date) ?? 0
      if left > 0 { return .wait(left) }
      note = Note(date: date, seconds: pause)
      return .turn(turn)
    }
  }

  /// Lets nobody ask a host for some seconds.
  func postpone(_ host: String, at date: Double, for seconds: Double) {
    let new = Note(date: date, seconds: min(seconds, Self.longestSeconds))
    withNote(host) { note in
      if (note?.left(at: date) ?? 0) < seconds { note = new }
    }
  }

  /// From when on a host is not to be asked, and for how long. Both, since clocks are set back.
  private struct Note: Codable {
    var date: Double
    var seconds: Double

    func left(at now: Double) -> Double { min(seconds, date + seconds - now) }
  }

  private func freeTurn(_ host: String) -> Turn? {
    guard let folder else { return Turn(-1) }
    for number in 1...Self.requestsAtOnce {
      let descriptor = Self.open("\(folder)/\(Self.name(host)).\(number)")
      guard descriptor >= 0 else { return Turn(-1) }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return Turn(descriptor) }
      close(descriptor)
    }
    return nil
  }

  private func withNote<Result>(_ host: String, _ body: (inout Note?) -> Result) -> Result {
    notes.update { notes in
      let descriptor = folder.map { Self.open("\($0)/\(Self.name(host))") } ?? -1
      defer { if descriptor >= 0 { close(descriptor) } }
      guard descriptor >= 0, flock(descriptor, LOCK_EX) == 0 else { return body(&notes[host]) }
      let file = FileHandle(fileDescriptor: descriptor)
      notes[host] =
        (try? file.read(upToCount: 1000)).flatMap { try? JSONDecoder().decode(Note.self, from: $0) }
        ?? notes[host]
      let result = body(&notes[host])
      if let data = try? JSONEncoder().encode(notes[host]) {
        try? file.truncate(atOffset: 0)
        try? file.write(contentsOf: data)
      }
      return result
    }
  }

  private static func open(_ path: String) -> Int32 {
    Glibc.open(path.diskName, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
  }

  private static func name(_ host: String) -> String {
    let allowed = Set("abcdefghijklmnopqrstuvwxyz0123456789.-_")
    return "host-" + String(host.map { allowed.contains($0) ? $0 : "_" }.prefix(200))
  }
}
