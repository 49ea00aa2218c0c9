// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import TestSupport

/// A sound card of its own for a program: the default device of its ALSA, which plays in real time and keeps
/// what it has played.
struct ListeningCard {
  private let folder: TemporaryFolder
  /// What programs that play on it show, for the report of one that does not play as it should.
  private let witnesses = Monitor<[@Sendable () -> String?]>([])

  func watch(_ witness: @escaping @Sendable () -> String?) {
    witnesses.update { $0.append(witness) }
  }

  init() throws {
    folder = try TemporaryFolder()
    let text = """
      pcm_type.tilawa_card { lib "\(Self.library("VirtualCard"))" }
      ctl_type.tilawa_jack { lib "\(Self.library("VirtualJack"))" }
      ctl.!default { type tilawa_jack file "\(folder.path("headphones"))" }
      pcm.!default { type tilawa_card capture "\(folder.path("played"))" absence "\(absence)" }
      """
    try folder.write(Array(text.utf8), to: "asound.conf")
    try plugHeadphones(false)
  }

  private static func library(_ name: String) -> String {
    URL(filePath: Program.path).deletingLastPathComponent().path + "/lib\(name).so"
  }

  /// What `ALSA_CONFIG_PATH` is to be.
  var configuration: String { folder.path("asound.conf") }

  private var absence: String { folder.path("absent") }

  /// Its headphones, which change nothing of what it keeps.
  func plugHeadphones(_ isPlugged: Bool) throws {
    try folder.write([UInt8(ascii: isPlugged ? "1" : "0")], to: "headphones")
  }

  func unplug() throws { try folder.write([], to: "absent") }
  func plug() { unlink(absence) }

  /// Everything that has been played so far.
  var played: [Float] {
    let bytes = (try? Data(contentsOf: URL(filePath: folder.path("played")))) ?? Data()
    return bytes.prefix(bytes.count / 4 * 4).withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: Float.self) }
    }
  }

  /// Waits until so many more samples have been played.
  func wait(forSamples count: Int) async throws -> [Float] {
    let first = played.count
    return try await wait("\(count) samples") { $0.count >= first + count }
  }

  @discardableResult
  func wait(_ what: String, until isSo: ([Float]) -> Bool) async throws -> [Float] {
    let end = ContinuousClock.now + .seconds(300)
    while true {
      let played = self.played
      if isSo(played) { return played }
      guard ContinuousClock.now < end else {
        let shown = witnesses.update { $0 }.compactMap { $0() }.joined(separator: "\n")
        throw EditorTerminal.Problem(
          description: "\(what) never came; \(played.count) samples were played\n\(shown)")
      }
      try await Task.sleep(for: .milliseconds(20))
    }
  }
}
