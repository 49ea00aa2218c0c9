// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Quran
import Subprocess
import SystemPackage
import TestSupport
import Testing

/// Every command in README.md and Documentation/ runs, prints what the page shows, and every link leads somewhere.
///
/// A page's commands run in order, in one folder, with a home of their own. `MarkdownPage` says how a page prepares its
/// files and how it names a command that cannot run in a test.
struct DocumentationTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  static let root = FixtureFolder.url.deletingLastPathComponent()

  /// Paths of all pages, relative to the checkout.
  static let pages: [String] = {
    let names = try? FileManager.default.contentsOfDirectory(
      atPath: root.appending(path: "Documentation").path)
    return ["README.md", "CONTRIBUTING.md"]
      + (names ?? []).filter { $0.hasSuffix(".md") }.sorted().map { "Documentation/" + $0 }
  }()

  static func page(_ path: String) throws -> MarkdownPage {
    MarkdownPage(try String(contentsOf: root.appending(path: path), encoding: .utf8))
  }

  @Test(arguments: pages)
  func everyCommandRunsAndPrintsWhatThePageShows(_ path: String) async throws {
    let page = try Self.page(path)
    guard !page.commands.isEmpty else { return }
    try prepareFolder()
    for step in page.steps {
      switch step {
      case .preparation(let script, let line):
        let outcome = try await shell(script)
        #expect(outcome.status == .exited(0), "\(path):\(line): \(outcome.errors)")
      case .command(let command) where command.text.hasPrefix("make"):
        let target = "make --dry-run" + command.text.dropFirst("make".count)
        let outcome = try await shell(target, in: Self.root.path)
        #expect(outcome.status == .exited(0), "\(path):\(command.line): \(outcome.errors)")
      case .command(let command):
        let outcome = try await shell(command.text)
        #expect(
          outcome.status == .exited(0),
          "\(path):\(command.line): \(command.text)\n\(outcome.errors)")
        if let shown = command.output {
          let (printed, shown) = (MarkdownPage.comparable(outcome.output), shown)
          #expect(printed == shown, "\(path):\(command.line): \(command.text)")
        }
      case .skipped: break
      }
    }
  }

  @Test(arguments: pages)
  func everyLinkLeadsToAFileOrAHeading(_ path: String) throws {
    let folder = Self.root.appending(path: path).deletingLastPathComponent()
    for link in try Self.page(path).links where !link.hasPrefix("https://") {
      let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
      let target =
        parts[0].isEmpty
        ? Self.root.appending(path: path) : folder.appending(path: String(parts[0])).standardized
      #expect(
        FileManager.default.fileExists(atPath: target.path), "\(path): no file for \(link)")
      guard parts.count == 2 else { continue }
      let text = try String(contentsOf: target, encoding: .utf8)
      #expect(
        MarkdownPage(text).anchors.contains(String(parts[1])), "\(path): no heading for \(link)")
    }
  }

  /// A command that can fetch is named wherever the pages and the help say which commands use the network.
  @Test func everyCommandThatFetchesIsNamedAsUsingTheNetwork() async throws {
    struct Help: Decodable {
      struct Command: Decodable {
        struct Argument: Decodable {
          struct Name: Decodable { let name: String }
          let names: [Name]?
        }
        let commandName: String
        let discussion: String?
        let arguments: [Argument]?
        let subcommands: [Command]?

        var all: [Command] { [self] + (subcommands ?? []).flatMap(\.all) }
      }
      let command: Command
    }
    let outcome = try await Program().run("--experimental-dump-help")
    let help = try JSONDecoder().decode(Help.self, from: Data(outcome.output.utf8))
    let commands = help.command.all
    let fetching = commands.filter { command in
      command.arguments?.contains { $0.names?.contains { $0.name == "fetch" } ?? false } ?? false
    }.map(\.commandName)
    #expect(fetching.sorted() == ["missing", "play"])
    for path in ["README.md", "Documentation/privacy.md", "Documentation/sources.md"] {
      let text = try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
      for name in fetching { #expect(text.contains("`\(name) --fetch`"), "\(path): \(name)") }
    }
    let told = commands.compactMap(\.discussion).filter { $0.contains("use the network") }
    #expect(told.count == 2)
    for text in told {
      for name in fetching { #expect(text.contains("'\(name) --fetch'"), "\(text)") }
    }
  }

  @Test func everyPageIsReachedFromTheReadme() throws {
    let linked = Set(try Self.page("README.md").links)
    for path in Self.pages where path != "README.md" {
      #expect(linked.contains(path), "README.md does not link to \(path)")
    }
  }

  @Test func theReadmeIsReadInFiveMinutes() throws {
    let size = try Data(contentsOf: Self.root.appending(path: "README.md")).count
    #expect(size <= 12 << 10, "README.md has \(size) bytes; put chapters into Documentation/")
  }

  /// What the examples of all pages take for granted, made once.
  private static let prepared = Result { try preparedFolder() }

  private func prepareFolder() throws {
    let prepared = try Self.prepared.get()
    for name in try prepared.contents {
      try FileManager.default.copyItem(atPath: prepared.path(name), toPath: folder.path(name))
    }
  }

  private static func preparedFolder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("Fixtures"), withDestinationPath: FixtureFolder.url.path)
    // A program of this name on PATH, and a sound device that discards everything.
    try FileManager.default.createDirectory(
      atPath: folder.path(".bin"), withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path(".bin/tilawa-annotate"), withDestinationPath: Program.path)
    try folder.write(
      Array("pcm.!default { type null }\nctl.!default { type null }\n".utf8), to: ".asound.conf")

    var surah = ToneRecitation()
    surah.silence(0.7)
    surah.recite(try AyahRange(parsing: "112"))
    try surah.write(to: folder.path("surah-112.m4a"))

    let portion = try AyahRange(parsing: "2:1-2:5")
    var night = ToneRecitation(pace: 0.08)
    night.silence(0.7)
    night.recite(portion)
    try night.write(to: folder.path("night.m4a"))
    try ToneRecitation.teach(home: folder.path(".home"))

    try FileManager.default.createDirectory(
      atPath: folder.path("recordings"), withIntermediateDirectories: false)
    try folder.copy(of: "wav-s16-8k-mono.wav", as: "recordings/one.wav")
    try folder.copy(of: "mp3-tags.mp3", as: "recordings/two.mp3")
    try folder.copy(of: "flac-44k-stereo.flac", as: "night3.flac")
    try folder.copy(of: "m4a-voice-memo.m4a", as: "voice.m4a")
    return folder
  }

  private func shell(
    _ script: String, in workingFolder: String? = nil
  ) async throws -> Program.Outcome {
    let path = folder.path(".bin") + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "")
    let environment: [Subprocess.Environment.Key: String?] = [
      "PATH": path, "HOME": folder.path, "TILAWA_HOME": folder.path(".home"), "LANG": "C.UTF-8",
      "LC_ALL": "", "TZ": "UTC", "COLUMNS": "", "ALSA_CONFIG_PATH": folder.path(".asound.conf"),
    ]
    let result = try await Subprocess.run(
      .path("/bin/bash"), arguments: ["-e", "-u", "-o", "pipefail", "-c", script],
      environment: .inherit.updating(environment),
      workingDirectory: FilePath(workingFolder ?? folder.path), output: .string(limit: 4 << 20),
      error: .string(limit: 1 << 20))
    return Program.Outcome(
      status: result.terminationStatus, output: result.standardOutput,
      errors: result.standardError)
  }
}
