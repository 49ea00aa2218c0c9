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

  /// `openssl s_server` with a certificate of an authority of its own. Its files are whole answers.
  private final class Server {
    let folder: TemporaryFolder
    private let process = Process()
    private var port = ""

    var url: String { "https://127.0.0.1:\(port)/001001.mp3" }
    var authority: String { folder.path("ca.pem") }

    /// - Parameter names: who the certificate is for.
    init(names: String) throws {
      folder = try TemporaryFolder()
      let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
      try TrustTests.run(
        [
          "req", "-x509", "-days", "2", "-subj", "/CN=Test authority", "-keyout", "ca.key", "-out",
          "ca.pem",
        ] + key,
        in: folder.path)
      try TrustTests.run(
        ["req", "-subj", "/CN=localhost", "-keyout", "server.key", "-out", "server.csr"] + key,
        in: folder.path)
      try folder.write(Array("subjectAltName=\(names)".utf8), to: "names")
      try TrustTests.run(
        [
          "x509", "-req", "-in", "server.csr", "-CA", "ca.pem", "-CAkey", "ca.key",
          "-CAcreateserial", "-days", "2", "-extfile", "names", "-out", "server.pem",
        ], in: folder.path)
      let head = "HTTP/1.0 200 OK\r\nContent-Length: 3\r\n\r\n"
      try folder.write(Array(head.utf8) + [1, 2, 3], to: "001001.mp3")

      let output = Pipe()
      process.executableURL = URL(filePath: TrustTests.openssl)
      process.arguments = [
        "s_server", "-accept", "127.0.0.1:0", "-cert", "server.pem", "-key", "server.key", "-HTTP",
      ]
      process.currentDirectoryURL = URL(filePath: folder.path)
      process.standardOutput = output
      process.standardError = FileHandle.nullDevice
      process.standardInput = Pipe()
      try process.run()
      var said = ""
      while !said.contains("ACCEPT 127.0.0.1:") || !said.hasSuffix("\n") {
        let bytes = output.fileHandleForReading.availableData
        try #require(!bytes.isEmpty, "the server ended: \(said)")
        said += String(decoding: bytes, as: UTF8.self)
      }
      port = said.split(separator: ":").last.map { $0.filter(\.isNumber) } ?? ""
    }

    deinit {
      // Threads of tests block the gentler signals, and a child inherits that.
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
  }

  /// - Parameter authorities: nil for the system's.
  private func fetch(_ server: Server, authorities: String?) -> FetchError? {
    var settings = FetchSettings(userAgent: "tests/1")
    settings.isReachable = { _ in true }
    settings.authorities = authorities
    let request = FetchRequest(
      source: "Source", url: server.url, to: server.folder.path("came.mp3"))
    do throws(FetchError) {
      _ = try Downloader(settings, clock: VirtualClock(), stopFlag: StopFlag())
        .download(request) { _ in nil }
      return nil
    } catch {
      return error
    }
  }

  private func expectRefusal(_ error: FetchError?, _ server: Server) {
    if case .untrusted = error?.kind {} else { Issue.record("\(String(describing: error))") }
    #expect(!FileManager.default.fileExists(atPath: server.folder.path("came.mp3")))
  }

  @Test(
    "Authorities of the settings that cannot be read are no fault of the server",
    .enabled(if: isThere, "there is no openssl"))
  func unreadableAuthorities() throws {
    let server = try Server(names: "IP:127.0.0.1")
    let file = server.folder.path("nowhere.pem")
    let error = fetch(server, authorities: file)
    guard case .badAuthorities(_, file) = error?.kind else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(error?.description.contains("network.ca_file") == true)
  }

  @Test(
    "An authority of the settings is trusted; without it nothing comes",
    .enabled(if: isThere, "there is no openssl"))
  func ownAuthority() throws {
    let server = try Server(names: "IP:127.0.0.1")
    expectRefusal(fetch(server, authorities: nil), server)
    #expect(fetch(server, authorities: server.authority) == nil)
    #expect(
      FileManager.default.contents(atPath: server.folder.path("came.mp3")) == Data([1, 2, 3]))
  }

  @Test(
    "A certificate for another name is not trusted, whoever has signed it",
    .enabled(if: isThere, "there is no openssl"))
  func anotherName() throws {
    let server = try Server(names: "DNS:recitations.example,IP:127.0.0.2")
    let error = fetch(server, authorities: server.authority)
    expectRefusal(error, server)
    #expect(error?.cause.contains("127.0.0.1") == true, "\(String(describing: error))")
  }

  @Test(
    "A secure address that redirects to an insecure one says so",
    .enabled(if: isThere, "there is no openssl"))
  func insecureRedirect() throws {
    let server = try Server(names: "IP:127.0.0.1")
    let target = "http://127.0.0.1:1/001001.mp3"
    try server.folder.write(
      Array("HTTP/1.0 302 Found\r\nLocation: \(target)\r\nContent-Length: 0\r\n\r\n".utf8),
      to: "001001.mp3")
    let error = fetch(server, authorities: server.authority)
    #expect(error?.kind == .insecure(redirect: target))
    #expect(error?.cause.contains(target) == true)
  }
}
