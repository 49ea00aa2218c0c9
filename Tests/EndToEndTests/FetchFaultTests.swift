// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Subprocess
import TestSupport
import Testing

/// `source fetch` that is killed, or whose disk is full, before any of its writes: whatever has happened, no file has its
/// name that is not whole, and the next fetch brings what is missing.
@Suite struct FetchFaultTests {
  enum Fault: CaseIterable {
    case kill, fullDisk
  }

  private let program: Program
  private let server: ScriptedServer
  private let wav = NoiseRecording().wav

  init() throws {
    program = try Program()
    let wav = wav
    server = ScriptedServer { request, _ in
      guard let offset = request.offset else { return .ok(wav, "ETag: \"a\"\r\n") }
      return .rest(of: wav, from: offset, "ETag: \"a\"\r\n")
    }
  }

  /// Which of the writes are tried: each in a thorough run, else a few of the many.
  private static let stride =
    ProcessInfo.processInfo.environment["TILAWA_THOROUGH"] == nil ? 13 : 1

  @Test(arguments: Fault.allCases)
  func noWriteIsTheWrongOneToFailAt(fault: Fault) async throws {
    var number = 1
    var failed = 0
    // Each time from a home that has the source and none of its files.
    let start = program.home + "/start"
    let added = try await program.run(
      [
        "source", "add", "Net", "--url", server.url("{surah:3}{ayah:3}.wav"), "--insecure-http",
        "--allow-private",
      ], environment: ["TILAWA_HOME": start])
    #expect(added.code == 0, "\(added.errors)")
    while true {
      let home = program.home + "/\(number)"
      try FileManager.default.copyItem(atPath: start, toPath: home)
      func run(_ arguments: String..., failing: Bool = false) async throws -> Program.Outcome {
        var environment = ["TILAWA_HOME": home]
        if failing {
          environment["LD_PRELOAD"] =
            URL(filePath: Program.path).deletingLastPathComponent().path + "/libDiskFaults.so"
          environment["DISK_FAULT_FOLDER"] = home
          environment["DISK_FAULT_AT"] = "\(number)"
          switch fault {
          case .kill: environment["DISK_FAULT_KILLS"] = "1"
          case .fullDisk: environment["DISK_FAULT_STAYS"] = "1"
          }
        }
        return try await program.run(["source"] + arguments, environment: environment)
      }
      let broken = try await run("fetch", "Net", "112:1-2", failing: true)
      let names = try wholeFiles(of: home)
      for name in names { #expect(try content(name) == wav, "\(name) at \(number)") }
      if broken.code == 0 {
        // There was no such write.
        #expect(failed > 3 && names.count == 2)
        break
      }
      failed += 1
      if fault == .fullDisk { #expect(!broken.errors.isEmpty, "\(number)") }

      let again = try await run("fetch", "Net", "112:1-2")
      #expect(again.code == 0, "\(number): \(again.errors)")
      #expect(try wholeFiles(of: home).count == 2, "\(number)")
      let checked = try await run("check", "Net")
      #expect(checked.code == 0, "\(number): \(checked.output)\(checked.errors)")
      number += Self.stride
    }
  }

  private func content(_ path: String) throws -> [UInt8] {
    try [UInt8](Data(contentsOf: URL(filePath: path)))
  }

  /// The files under their final names.
  private func wholeFiles(of home: String) throws -> [String] {
    let folder = home + "/library/Sources"
    guard let found = FileManager.default.enumerator(atPath: folder) else { return [] }
    return found.compactMap { $0 as? String }.filter { $0.hasSuffix(".wav") }.map {
      folder + "/" + $0
    }
  }
}
