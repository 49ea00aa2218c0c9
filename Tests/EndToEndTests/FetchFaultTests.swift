// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Quran
import Subprocess
import TestSupport
import Testing

/// `source fetch` that is killed, or whose disk is full, before any of its writes: whatever has happened, no file has its
/// name that is not whole, and after the next fetch all of it is played.
@Suite struct FetchFaultTests {
  enum Fault: CaseIterable {
    case kill, fullDisk
  }

  /// What is fetched.
  struct Published: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let pattern: String
    let timings: String?
    let ranges: [String]
    /// By the path.
    let files: [String: [UInt8]]

    var soundCount: Int { files.keys.count { $0.hasSuffix(".wav") } }

    static let ofAyat: Published = {
      let wav = NoiseRecording().wav
      return Published(
        testDescription: "ayat", pattern: "{surah:3}{ayah:3}.wav", timings: nil,
        ranges: ["112:1-2"], files: ["/112001.wav": wav, "/112002.wav": wav])
    }()

    /// Which nobody can play before they were compared with their timings.
    static let ofSurahs: Published = {
      var files: [String: [UInt8]] = [:]
      for surah in [Surah(108)!, Surah(112)!] {
        var recitation = ToneRecitation(pace: 0.1)
        recitation.silence(0.8)
        recitation.recite(surah.ayat)
        let starts = recitation.starts.map(\.seconds)
        let verses = zip(recitation.starts, starts.dropFirst() + [recitation.seconds]).map {
          #"{"verse_key":"\#($0.ayah)","timestamp_from":\#(Int($0.seconds * 1000)),"timestamp_to":\#(Int($1 * 1000))}"#
        }
        files["/\(surah.number).json"] = Array("[\(verses.joined(separator: ","))]".utf8)
        files["/\(surah.number).wav"] = WaveFile.bytes(
          rounding: recitation.samples, rate: ToneRecitation.rate)
      }
      return Published(
        testDescription: "whole surahs with timings", pattern: "{surah}.wav",
        timings: "{surah}.json", ranges: ["108", "112"], files: files)
    }()
  }

  private let program: Program

  init() throws { program = try Program() }

  /// Which of the writes are tried: each in a thorough run, else a few of the many.
  private static let stride = isThoroughRun ? 1 : 13

  /// Each fault at each kind of source in a thorough run, else both faults and both kinds once.
  private static let cases: [(Fault, Published)] =
    isThoroughRun
    ? Fault.allCases.flatMap { [($0, .ofAyat), ($0, .ofSurahs)] }
    : [(.fullDisk, .ofAyat), (.kill, .ofSurahs)]

  @Test(arguments: cases)
  func noWriteIsTheWrongOneToFailAt(fault: Fault, published: Published) async throws {
    let files = published.files
    let server = ScriptedServer { request, _ in
      guard let content = files[request.path] else { return .status("404 Not Found") }
      guard let offset = request.offset else { return .ok(content, "ETag: \"a\"\r\n") }
      return .rest(of: content, from: offset, "ETag: \"a\"\r\n")
    }
    // Each time from a home that has the source and none of its files.
    let start = program.home + "/start"
    try ToneRecitation.teach(home: start)
    let timings = published.timings.map { ["--timings", server.url($0)] } ?? []
    let added = try await program.run(
      ["source", "add", "Net", "--url", server.url(published.pattern), "--insecure-http"]
        + timings, environment: ["TILAWA_HOME": start])
    #expect(added.code == 0, "\(added.errors)")
    var number = 1
    var failed = 0
    while true {
      let home = program.home + "/\(number)"
      try FileManager.default.copyItem(atPath: start, toPath: home)
      func run(_ arguments: [String], failing: Bool = false) async throws -> Program.Outcome {
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
        return try await program.run(arguments, environment: environment)
      }
      let before = server.requests.count
      let fetch = ["source", "fetch", "Net"] + published.ranges
      let broken = try await run(fetch, failing: true)
      let whole = try wholeFiles(of: home)
      for (path, content) in whole { #expect(files[path] == content, "\(path) at \(number)") }
      if broken.code == 0 {
        // There was no such write.
        #expect(failed > 3 && whole.count == published.soundCount)
        break
      }
      failed += 1
      if fault == .fullDisk { expectToSayWhy(broken, hasBegun: server.requests.count > before) }

      let again = try await run(fetch)
      #expect(again.code == 0, "\(number): \(again.errors)")
      #expect(try wholeFiles(of: home).count == published.soundCount, "\(number)")
      let checked = try await run(["source", "check", "Net"])
      #expect(checked.code == 0, "\(number): \(checked.output)\(checked.errors)")
      for range in published.ranges {
        let played = try await run([
          "play", range, "--reciter", "Net", "--missing", "cancel", "--force", "--output",
          home + "/out.wav",
        ])
        #expect(played.code == 0, "\(range) after \(number): \(played.errors)")
      }
      number += Self.stride
    }
  }

  /// Source, file, cause and remedy, once.
  private func expectToSayWhy(_ outcome: Program.Outcome, hasBegun: Bool) {
    guard hasBegun else {
      #expect(!outcome.errors.isEmpty)
      return
    }
    #expect(outcome.code == 1, "\(outcome.errors)")
    let told = outcome.errors.split(separator: "\n").filter { $0.contains("Net: http://") }
    #expect(told.count == 1, "\(outcome.errors)")
    // SQLite does not say why an fsync has failed.
    let remedies = ["; free some disk space and try again", "; try again, or run 'check'"]
    #expect(remedies.contains { told.first?.hasSuffix($0) ?? false }, "\(outcome.errors)")
    #expect(outcome.errors.ranges(of: "try again").count == 1, "\(outcome.errors)")
  }

  /// The files under their final names, by their names at the server.
  private func wholeFiles(of home: String) throws -> [String: [UInt8]] {
    let folder = home + "/library/Sources"
    guard let found = FileManager.default.enumerator(atPath: folder) else { return [:] }
    var files: [String: [UInt8]] = [:]
    for path in found.compactMap({ $0 as? String }) where path.hasSuffix(".wav") {
      let name = path.split(separator: "/").last ?? ""
      files["/\(name)"] = try [UInt8](Data(contentsOf: URL(filePath: folder + "/" + path)))
    }
    return files
  }
}
