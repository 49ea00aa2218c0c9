// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import TestSupport
import Testing

@testable import Fetch

@Suite("Servers that prove who they are, and servers that cannot")
struct TrustTests {
  private static let openssl = "/usr/bin/openssl"
  private static var isThere: Bool { FileManager.default.isExecutableFile(atPath: openssl) }

  @discardableResult
  private static func run(_ arguments: [String], in folder: String) throws -> Process {
    let process = Process()
    process.executableURL = URL(filePath: openssl)
    process.arguments = arguments
    process.currentDirectoryURL = URL(filePath: folder)
    process.standardError = FileHandle.nullDevice
    process.standardInput = Pipe()
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(arguments)")
    return process
  }

  @Test(
    "An authority of the settings is trusted; without it nothing comes",
    .enabled(if: isThere, "there is no openssl"))
  func ownAuthority() throws {
    let folder = try TemporaryFolder()
    let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    try Self.run(
      [
        "req", "-x509", "-days", "2", "-subj", "/CN=Test authority", "-keyout", "ca.key", "-out",
        "ca.pem",
      ] + key,
      in: folder.path)
    try Self.run(
      ["req", "-subj", "/CN=localhost", "-keyout", "server.key", "-out", "server.csr"] + key,
      in: folder.path)
    try folder.write(Array("subjectAltName=IP:127.0.0.1".utf8), to: "names")
    try Self.run(
      [
        "x509", "-req", "-in", "server.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial",
        "-days", "2", "-extfile", "names", "-out", "server.pem",
      ], in: folder.path)
    try folder.write([1, 2, 3], to: "001001.mp3")

    let server = Process()
    let output = Pipe()
    server.executableURL = URL(filePath: Self.openssl)
    server.arguments = [
      "s_server", "-accept", "127.0.0.1:0", "-cert", "server.pem", "-key", "server.key", "-WWW",
    ]
    server.currentDirectoryURL = URL(filePath: folder.path)
    server.standardOutput = output
    server.standardError = FileHandle.nullDevice
    server.standardInput = Pipe()
    try server.run()
    defer {
      // Threads of tests block the gentler signals, and a child inherits that.
      kill(server.processIdentifier, SIGKILL)
      server.waitUntilExit()
    }
    var said = ""
    while !said.contains("ACCEPT 127.0.0.1:") || !said.hasSuffix("\n") {
      let bytes = output.fileHandleForReading.availableData
      try #require(!bytes.isEmpty, "the server ended: \(said)")
      said += String(decoding: bytes, as: UTF8.self)
    }
    let port = said.split(separator: ":").last.map { $0.filter(\.isNumber) } ?? ""

    var settings = FetchSettings(userAgent: "tests/1")
    settings.isReachable = { _ in true }
    let target = folder.path("came.mp3")
    let request = FetchRequest(
      source: "Source", url: "https://127.0.0.1:\(port)/001001.mp3", to: target)
    let strict = Downloader(settings, clock: VirtualClock(), stopFlag: StopFlag())
    do {
      _ = try strict.download(request) { _ in nil }
      Issue.record("an unknown authority was trusted")
    } catch {
      guard case .untrusted = error.kind else {
        Issue.record("\(error)")
        return
      }
    }
    #expect(!FileManager.default.fileExists(atPath: target))

    settings.authorities = folder.path("ca.pem")
    let trusting = Downloader(settings, clock: VirtualClock(), stopFlag: StopFlag())
    _ = try trusting.download(request) { _ in nil }
    #expect(FileManager.default.contents(atPath: target) == Data([1, 2, 3]))
  }
}
