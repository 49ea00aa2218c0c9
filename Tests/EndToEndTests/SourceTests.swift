// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing

/// `source` and `play`, as a person uses them.
struct SourceTests {
  let program: Program
  let folder: TemporaryFolder
  let noise = NoiseRecording()

  init() throws {
    program = try Program()
    folder = try TemporaryFolder()
  }

  private static let unshare = "/usr/bin/unshare"

  private func played(_ arguments: String...) async throws -> (samples: [Float], errors: String) {
    let output = folder.path("out.wav")
    let outcome = try await program.run(["play"] + arguments + ["--output", output, "--force"])
    #expect(outcome.code == 0, "\(outcome.errors)")
    return (try WaveFile.samples(ofFloats: output), outcome.errors)
  }

  @Test func aSurahIsFetchedCheckedAndPlayed() async throws {
    let wav = noise.wav
    // The address that the source names leads to another one of this machine.
    let server = ScriptedServer(everywhere: true) { request, _ in
      let host = request.fields["host"] ?? ""
      let port = host.split(separator: ":").last ?? ""
      return host.hasPrefix("127.0.0.2")
        ? .ok(wav)
        : .status("302 Found", "Location: http://127.0.0.2:\(port)\(request.path)\r\n")
    }
    func sent() -> Int {
      server.requests.count { $0.fields["host"]?.hasPrefix("127.0.0.2") == true }
    }
    let pattern = server.url("{surah:3}{ayah:3}.wav")
    let refused = try await program.run("source", "add", "Net", "--url", pattern)
    #expect(refused.code == 64 && refused.errors.contains("--insecure-http"))
    #expect(
      try await program.run("source", "add", "Net", "--url", pattern, "--insecure-http").code == 0)
    let blocked = try await program.run("source", "fetch", "Net", "112")
    #expect(blocked.code == 1 && blocked.errors.contains("edit Net --allow-private"))
    let redirects = server.requests.count
    #expect(try await program.run("source", "edit", "Net", "--allow-private").code == 0)

    let offline = try await program.run(
      ["source", "fetch", "Net", "112"], environment: ["TILAWA_NETWORK_OFFLINE": "true"])
    #expect(offline.code == 69 && offline.errors.contains("offline"))
    let told = try await program.run("source", "fetch", "Net", "112", "--dry-run")
    #expect(told.code == 0 && told.output.hasPrefix("Net: 4 files to fetch"))
    let several = try await program.run("source", "fetch", "Net", "112", "1", "2", "--dry-run")
    #expect(several.output.hasPrefix("Net: 297 files to fetch"), "\(several.output)")
    #expect(server.requests.count == redirects)

    let fetched = try await program.run(
      ["source", "fetch", "Net", "112"], environment: ["TILAWA_SOURCES_WARN_SIZE": "0.0001"])
    #expect(fetched.code == 0, "\(fetched.errors)")
    #expect(fetched.errors.contains("sources.warn_size"), "\(fetched.errors)")
    #expect(sent() == 4)
    let list = try await program.run("source", "list")
    #expect(list.code == 0 && !list.errors.contains("sources.warn_size"))
    let always = try await program.run(
      ["source", "list"], environment: ["TILAWA_SOURCES_WARN_SIZE": "0"])
    #expect(always.code == 0 && always.errors.contains("sources.warn_size"), "\(always.errors)")
    #expect(try await program.run("source", "check", "Net").code == 0)
    let heard = try await played("112", "--reciter", "Net")
    #expect(heard.samples == (0..<4).flatMap { _ in noise.decoded(0..<80_000) })
    #expect(sent() == 4)
  }

  @Test func wellKnownSourcesAreOfferedAndAddedWithTheirReciter() async throws {
    let offered = try await program.run("source", "known", "--format", "json")
    #expect(offered.code == 0 && offered.output.contains("\"ayyoub\""))
    let added = try await program.run("source", "add", "Mine", "--known", "ayyoub")
    #expect(added.code == 0 && added.errors.contains("licence"), "\(added.errors)")
    let shown = try await program.run("source", "show", "Mine")
    #expect(shown.output.contains("Muhammad Ayyoub") && shown.output.contains("everyayah.com"))
    let unknown = try await program.run("source", "add", "Other", "--known", "nobody")
    #expect(unknown.code == 64 && unknown.errors.contains("source known"))
    let bySurah = try await program.run("source", "add", "Other", "--known", "husary-surahs")
    #expect(bySurah.code == 64 && bySurah.errors.contains("--timings"))
    let later = try await program.run(
      "source", "add", "Later", "--known", "ayyoub", "--disable")
    #expect(later.code == 0 && later.output.contains("disabled"), "\(later.output)")
    let enabled = try await program.run("source", "edit", "Later", "--enable")
    #expect(enabled.output.contains("enabled"), "\(enabled.output)")
  }

  @Test func playFetchesWhatItIsAskedToFetchAndNothingElse() async throws {
    let wav = noise.wav
    let server = ScriptedServer { _, _ in .ok(wav) }
    let pattern = server.url("{surah:3}{ayah:3}.wav")
    let added = try await program.run(
      "source", "add", "Net", "--url", pattern, "--insecure-http", "--allow-private")
    #expect(added.code == 0, "\(added.errors)")
    let silent = try await program.run(
      "play", "112:1-2", "--output", folder.path("silent.wav"))
    #expect(silent.code == 66 && silent.errors.contains("not here yet"))
    let offline = try await program.run(
      ["play", "112:1-2", "--fetch", "--output", folder.path("offline.wav")],
      environment: ["TILAWA_NETWORK_OFFLINE": "true"])
    #expect(offline.code == 69 && offline.errors.contains("unset network.offline"))
    #expect(!offline.errors.contains("--offline"), "\(offline.errors)")
    #expect(server.requests.isEmpty)
    let heard = try await played("112:1-2", "--fetch")
    #expect(heard.samples == (0..<2).flatMap { _ in noise.decoded(0..<80_000) })
    #expect(server.requests.map(\.path) == ["/112001.wav", "/112002.wav"])
    _ = try await played("112:1-2", "--fetch")
    #expect(server.requests.count == 2)
  }

  @Test func theExitCodeOfAFetchSaysWhetherAllIsHere() async throws {
    let wav = noise.wav
    let server = ScriptedServer { request, _ in
      request.path.hasPrefix("/112") ? .ok(wav) : .status("404 Not Found")
    }
    let added = try await program.run(
      "source", "add", "Net", "--url", server.url("{surah:3}{ayah:3}.wav"), "--insecure-http")
    #expect(added.code == 0, "\(added.errors)")
    func fetch(_ range: String) async throws -> Program.Outcome {
      try await program.run("source", "fetch", "Net", range)
    }
    let none = try await fetch("108")
    #expect(none.code == 1 && none.errors.contains("has no files of 108:1-3"), "\(none.errors)")
    let again = try await fetch("108")
    #expect(again.code == 1 && again.output.contains("refused by the server"), "\(again.output)")
    #expect(try await fetch("112").code == 0)
    #expect(try await fetch("112").code == 0)
    #expect(try await fetch("112:4-113:1").code == 1)
  }

  @Test func aWholeSurahThatIsRefusedIsShownAsASurah() async throws {
    let wav = noise.wav
    let server = ScriptedServer { request, _ in
      request.path == "/112.wav" ? .ok(wav) : .status("404 Not Found")
    }
    try folder.write(
      Array(#"[{"verse_key":"112:1","timestamp_from":0,"timestamp_to":900}]"#.utf8),
      to: "times.json")
    let added = try await program.run(
      "source", "add", "Net", "--url", server.url("{surah:3}.wav"), "--timings",
      folder.path("times.json"), "--insecure-http")
    #expect(added.code == 0, "\(added.errors)")
    #expect(try await program.run("source", "fetch", "Net", "112", "113").code == 1)
    let shown = try await program.run("source", "show", "Net")
    #expect(
      shown.output.contains("refused  113:1-5, by the server during the last week"),
      "\(shown.output)")
    #expect(!shown.output.contains("kept"))
    // One that is here stays in use when it cannot be renewed.
    let moved = try await program.run(
      "source", "edit", "Net", "--url", server.url("new/{surah:3}.wav"))
    #expect(moved.code == 0, "\(moved.errors)")
    let renewed = try await program.run("source", "fetch", "Net", "112", "--renew")
    #expect(
      renewed.code == 1 && renewed.errors.contains("; what is here stays in use"),
      "\(renewed.errors)")
    let fetched = try await program.run("source", "fetch", "Net", "112")
    #expect(fetched.code == 0 && fetched.output.contains("1 already here (the server refused"))
    let kept = try await program.run("source", "show", "Net")
    #expect(kept.output.contains("kept     112:1-4, which the server refused to renew"))
    #expect(!kept.output.contains("refused  "), "\(kept.output)")
    let json = try await program.run("source", "show", "Net", "--format", "jsonl")
    #expect(json.output.contains(#""refused":[],"renewal_refused":["112"]"#), "\(json.output)")
  }

  @Test func aReciterOfAnotherRiwayahIsNoStranger() async throws {
    #expect(try await program.run("reciter", "add", "Rec").code == 0)
    let played = try await program.run("play", "112", "--reciter", "Rec", "--riwayah", "warsh")
    #expect(played.code == 64 && played.errors.contains("recites Hafs"), "\(played.errors)")
  }

  @Test func aFolderIsPlayedAndWhatItLacksIsSaid() async throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("husary"), withIntermediateDirectories: false)
    for ayah in ["112001", "112002"] { try folder.write(noise.wav, to: "husary/\(ayah).wav") }
    let added = try await program.run(
      "source", "add", "Husary", "--folder", folder.path("husary"))
    #expect(added.code == 0 && added.output == "Husary: 2 ayat\n")
    let heard = try await played("112:2-3")
    #expect(heard.samples.starts(with: noise.decoded(0..<80_000)))
    #expect(heard.errors.contains("112:3: Husary has no file for it"))
    let none = try await program.run("play", "103", "--output", folder.path("none.wav"))
    #expect(none.code == 66 && none.errors.contains("103:1: Husary has no file for it"))
  }

  @Test(
    "Where there is no network at all, everything but fetching works",
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: unshare) && getuid() == 0,
      "a network namespace needs root"))
  func withoutNetwork() async throws {
    func run(_ arguments: String...) async throws -> Program.Outcome {
      try await program.run(["--net", Program.path] + arguments, as: Self.unshare)
    }
    try FileManager.default.createDirectory(
      atPath: folder.path("husary"), withIntermediateDirectories: false)
    let recording = try folder.write(noise.wav, to: "husary/112001.wav")
    for arguments in [
      ["source", "add", "Husary", "--folder", folder.path("husary")],
      ["source", "add", "Net", "--url", "https://192.0.2.1/{surah}/{ayah}.mp3"],
      ["source", "list"], ["source", "check", "Husary"], ["auto-detect", recording],
      ["import", recording, "--title", "Noise"], ["list"], ["check"], ["doctor"],
      ["play", "112:1", "--output", folder.path("out.wav")], ["missing"],
    ] {
      let outcome = try await program.run(["--net", Program.path] + arguments, as: Self.unshare)
      #expect(outcome.code == 0, "\(arguments): \(outcome.errors)")
    }
    let fetched = try await run("source", "fetch", "Net", "112:1", "--offline")
    #expect(fetched.code == 69)
  }

  @Test func aLibraryThatASyncToolCarriesIsWarnedOfWhenItIsOpened() async throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("carried/.stfolder"), withIntermediateDirectories: true)
    let library = folder.path("carried/library")
    let added = try await program.run(
      "source", "add", "Net", "--url", "https://example.org/{surah:3}{ayah:3}.mp3", "--library",
      library)
    #expect(added.code == 0 && added.errors.contains("Syncthing syncs"), "\(added.errors)")
    try folder.write(
      [1], to: "carried/library/library.sync-conflict-20260101-120000-ABCDEFG.sqlite")
    let listed = try await program.run("source", "list", "--library", library)
    #expect(listed.errors.contains("Syncthing syncs"))
    #expect(listed.errors.contains("library.sync-conflict-20260101-120000-ABCDEFG.sqlite"))
    let elsewhere = try await program.run("source", "list")
    #expect(!elsewhere.errors.contains("Syncthing"))
  }

  @Test func aSourceIsSharedWithoutItsSound() async throws {
    let files = folder.path("files")
    try FileManager.default.createDirectory(atPath: files, withIntermediateDirectories: false)
    try folder.write(noise.wav, to: "files/112001.wav")
    #expect(try await program.run("source", "add", "Mine", "--folder", files).code == 0)
    let manifest = folder.path("mine.json")
    #expect(try await program.run("source", "export", "Mine", "--output", manifest).code == 0)
    #expect(try await program.run("source", "export", "Mine", "--output", manifest).code == 64)

    let other = try Program()
    let nowhere = try await other.run("source", "import", manifest)
    #expect(nowhere.code == 64 && nowhere.errors.contains("--folder"))
    #expect(try await other.run("source", "import", manifest, "--folder", files).code == 0)
    #expect(try await other.run("source", "import", manifest, "--folder", files).code == 64)
    #expect(try await other.run("source", "check", "Mine").code == 0)
    try folder.write(Array(noise.wav.dropLast(2000)), to: "files/112001.wav")
    let changed = try await other.run("source", "check", "Mine")
    #expect(changed.code == 65 && changed.output.contains("SHA-256"))
    let shown = try await other.run("source", "show", "Mine")
    #expect(
      shown.output.contains("problem  112:1: \(files)/112001.wav: the size or SHA-256 differs"),
      "\(shown.output)")
    let json = try await other.run("source", "show", "Mine", "--format", "jsonl")
    #expect(json.output.contains(#""problems":[{"ayat":"112:1","reason":"the size or SHA-256"#))
    #expect(try await other.run("source", "import", files + "/112001.wav").code == 65)
  }

  @Test func anImportedSourceOfSurahsCanBeMoved() async throws {
    let files = folder.path("files")
    try FileManager.default.createDirectory(atPath: files, withIntermediateDirectories: false)
    try folder.write(noise.wav, to: "files/112.wav")
    try folder.write(noise.wav, to: "files/113.wav")
    let manifest = folder.path("mine.json")
    try folder.write(
      Array(#"{"112:1":{"segments":[],"timestamp_from":0,"timestamp_to":900}}"#.utf8), to: "t.json")
    _ = try await program.run(
      "source", "add", "Own", "--folder", files, "--timings", folder.path("t.json"))
    _ = try await program.run("source", "export", "Own", "--output", manifest)
    var content = try #require(
      JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: manifest)))
        as? [String: Any])
    content["name"] = "Mine"
    content["reciter"] = nil
    content["timings"] = [
      ["ayah": "112:1", "start": 0, "end": 900, "bytes": noise.wav.count] as [String: Any]
    ]
    try JSONSerialization.data(withJSONObject: content).write(to: URL(filePath: manifest))
    #expect(try await program.run("source", "import", manifest, "--folder", files).code == 0)
    // Of a surah that the manifest has no timings of it is said.
    let shown = try await program.run("source", "show", "Mine")
    #expect(
      shown.output.contains("untimed  Al-Falaq (113) is one file without timings"),
      "\(shown.output)")
    #expect(!shown.output.contains("Al-Ikhlas"))
    let moved = folder.path("moved")
    try FileManager.default.moveItem(atPath: files, toPath: moved)
    let gone = try await program.run("timings", "check", "Mine")
    #expect(gone.code == 66 && gone.errors.contains("edit Mine --folder"), "\(gone.errors)")
    let edited = try await program.run("source", "edit", "Mine", "--folder", moved)
    #expect(edited.code == 0, "\(edited.errors)")
    let heard = try await program.run(
      "play", "112:1", "--reciter", "Mine", "--output", folder.path("one.wav"))
    #expect(heard.code == 0, "\(heard.errors)")
    let checked = try await program.run("timings", "check", "Mine")
    // They are compared here too, where the recording is noise.
    #expect(checked.output.contains("Mine 112.wav: unfit"), "\(checked.output)")
    #expect(checked.errors.contains("stay in use"), "\(checked.errors)")
    // Another file needs a check of its own.
    try folder.write(Array(noise.wav.dropLast(2000)), to: "moved/112.wav")
    let changed = try await program.run(
      "play", "112:1", "--reciter", "Mine", "--output", folder.path("two.wav"))
    #expect(changed.errors.contains("'timings check Mine' checks them again"), "\(changed.errors)")
  }

  @Test func whatAnAddressOfAnotherKindLeavesUnusedIsSaid() async throws {
    let wav = noise.wav
    let server = ScriptedServer { _, _ in .ok(wav) }
    let timings = folder.path("t.json")
    try folder.write(
      Array(#"{"112:1":{"segments":[],"timestamp_from":0,"timestamp_to":900}}"#.utf8), to: "t.json")
    let added = try await program.run(
      "source", "add", "Net", "--url", server.url("{surah:3}.wav"), "--timings", timings,
      "--insecure-http")
    #expect(added.errors.contains("used after 'source fetch' has compared"), "\(added.errors)")
    _ = try await program.run("source", "fetch", "Net", "112")
    #expect(
      try await program.run("source", "edit", "Net", "--trust-timings").code == 0)
    let edited = try await program.run(
      "source", "edit", "Net", "--url", server.url("{surah:3}{ayah:3}.wav"))
    #expect(
      edited.errors.contains("1 file with whole surahs, fetched earlier, is not used"),
      "\(edited.errors)")
    _ = try await program.run("source", "fetch", "Net", "112")
    // Nothing of it is of words.
    let shown = try await program.run("source", "show", "Net")
    #expect(shown.output.contains("words    of 0 files: 0 by checked"), "\(shown.output)")
    let back = try await program.run(
      "source", "edit", "Net", "--url", server.url("{surah:3}.wav"))
    #expect(back.errors.contains("4 files with an ayah each, fetched earlier, are not used"))
  }

  @Test func orderAndEnablingOfRecitersAreOneCommand() async throws {
    for name in ["Husary", "Minshawi", "Alafasy"] {
      _ = try await program.run(
        "source", "add", name, "--url", "https://example.org/\(name)/{surah:3}{ayah:3}.mp3")
    }
    let ordered = try await program.run(
      "reciter", "order", "Alafasy", "Minshawi", "--disable", "Husary")
    #expect(ordered.code == 0, "\(ordered.errors)")
    #expect(
      ordered.output == """
        1  Alafasy (hafs)
        2  Minshawi (hafs)
        3  Husary (hafs), sources disabled

        """)
    let unknown = try await program.run("reciter", "order", "Husary", "--disable", "Nobody")
    #expect(unknown.code == 64)
    let twice = try await program.run("reciter", "order", "Husary", "Husary")
    #expect(twice.code == 64 && twice.errors.contains("Husary is named twice"))
    let both = try await program.run(
      "reciter", "order", "--enable", "Husary", "--disable", "Husary")
    #expect(both.code == 64 && both.errors.contains("Husary is named twice"))
    let nowhere = try await program.run("reciter", "move", "Husary", "4")
    #expect(nowhere.code == 64 && nowhere.errors.contains("the places are 1 to 3"))
    let again = try await program.run("reciter", "order", "--enable", "Husary")
    #expect(again.code == 0 && again.output.contains("3  Husary (hafs)\n"), "\(again.output)")
  }

  @Test func whoCannotBeHeardIsListedWithTheReason() async throws {
    #expect(try await program.run("reciter", "add", "Idle").code == 0)
    #expect(try await program.run("reciter", "add", "Warsh", "--riwayah", "warsh").code == 0)
    let added = try await program.run(
      "source", "add", "Net", "--url", "https://example.org/{surah:3}{ayah:3}.mp3")
    #expect(added.code == 0)
    let list = try await program.run("reciter", "list").output.split(separator: "\n")
    #expect(list.count == 4 && list[1].contains("no recordings, no sources"))
    #expect(list[2].contains("nothing fetched yet") && list[3].contains("warsh"))
    // Who recites another riwayah than is to be played is marked.
    let warsh = try await program.run("reciter", "list", "--riwayah", "warsh")
      .output.split(separator: "\n")
    #expect(warsh[1].contains("recites hafs, not warsh"))
    #expect(warsh[3].contains("no recordings, no sources"))
    let json = try await program.run(
      ["reciter", "list", "--format", "jsonl"], environment: ["TILAWA_PLAYBACK_RIWAYAH": "hafs"])
    #expect(
      json.output.split(separator: "\n")[1].contains(
        #""not_heard_because":"recites warsh, not hafs""#), "\(json.output)")
  }

  @Test func whyNothingOfAReciterIsHeardIsTheTrueReason() async throws {
    func reason(of name: String) async throws -> Substring {
      let list = try await program.run("reciter", "list", "--format", "jsonl").output
      let line = try #require(list.split(separator: "\n").first { $0.contains("\"\(name)\"") })
      return line.split(separator: "\"not_heard_because\":")[1]
    }
    try FileManager.default.createDirectory(
      atPath: folder.path("warsh"), withIntermediateDirectories: false)
    try folder.write(noise.wav, to: "warsh/001001.wav")
    let added = try await program.run(
      "source", "add", "Warsh", "--folder", folder.path("warsh"), "--riwayah", "warsh")
    #expect(added.code == 0, "\(added.errors)")
    #expect(try await reason(of: "Warsh").contains("'source edit Warsh --mapping'"))

    let recording = try folder.write(noise.wav, to: "noise.wav")
    _ = try await program.run("reciter", "add", "Own")
    _ = try await program.run("import", recording, "--title", "Noise", "--reciter", "Own")
    #expect(try await reason(of: "Own").contains("nothing published ('publish Noise'"))
    let labels = try folder.write(Array("0\t2\t1:1\n".utf8), to: "labels.txt")
    _ = try await program.run("import-labels", "Noise", labels, "--confirm")
    #expect(try await program.run("publish", "Noise").code == 0)
    #expect(try await reason(of: "Own").hasPrefix("null"))
    let recordings = program.home + "/library/Recordings"
    try FileManager.default.moveItem(atPath: recordings, toPath: folder.path("away"))
    #expect(try await reason(of: "Own").hasPrefix("\"Noise: "))
    // A source takes its place.
    try FileManager.default.createDirectory(
      atPath: folder.path("own"), withIntermediateDirectories: false)
    try folder.write(noise.wav, to: "own/001001.wav")
    try folder.write(noise.wav, to: "own/001002.wav")
    _ = try await program.run(
      "source", "add", "More", "--folder", folder.path("own"), "--reciter", "Own")
    #expect(try await reason(of: "Own").hasPrefix("null"))
    let coverage = try await program.run("coverage", "1", "--reciter", "Own")
    #expect(
      coverage.errors
        == "0 of 7 ayat can be played from your recordings, and 2 of the others from sources\n")
  }

  @Test func aKnownSourceSaysWhoseItIsAndItsNameLeadsThere() async throws {
    let added = try await program.run("source", "add", "Ayyoub", "--known", "ayyoub")
    #expect(added.code == 0 && added.errors.contains("the reciter is Muhammad Ayyoub"))
    let played = try await program.run(
      "play", "67:1", "--reciter", "Ayyoub", "--output", folder.path("out.wav"))
    #expect(played.code != 0)
    #expect(
      played.errors.contains("Ayyoub: no such reciter; a source of Muhammad Ayyoub has this name"))
  }

  @Test func whoeverWantsAllOrNothingGetsNothingOfAFolderWithAWebPage() async throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("web"), withIntermediateDirectories: true)
    try folder.write(noise.wav, to: "web/112001.wav")
    try folder.write(
      Array("<!DOCTYPE html><html><body>Not found</body></html>".utf8), to: "web/112002.mp3")
    #expect(
      try await program.run("source", "add", "Web", "--folder", folder.path("web")).code == 0)
    let output = folder.path("none.wav")
    let outcome = try await program.run(
      "play", "112:1-2", "--reciter", "Web", "--missing", "cancel", "--output", output)
    #expect(outcome.code == 66, "\(outcome.errors)")
    #expect(outcome.errors.contains("112:2 cannot be played; nothing was played"))
    #expect(outcome.errors.contains("a web page (HTML)"))
    #expect(!FileManager.default.fileExists(atPath: output))
  }

  @Test func aCorrectedOffsetNeverPlaysAnotherAyahFromWhatWasFetched() async throws {
    let wav = noise.wav
    let server = ScriptedServer { _, _ in .ok(wav) }
    let added = try await program.run(
      "source", "add", "Off", "--url", server.url("{surah:3}{ayah:3}.wav"), "--insecure-http",
      "--ayah-offset", "1")
    #expect(added.code == 0, "\(added.errors)")
    #expect(try await program.run("source", "fetch", "Off", "112:1-2").code == 0)
    let edited = try await program.run("source", "edit", "Off", "--ayah-offset", "0")
    #expect(edited.errors.contains("2 fetched files renamed, as the numbers"), "\(edited.errors)")
    let played = try await program.run(
      "play", "112:1", "--reciter", "Off", "--output", folder.path("out.wav"))
    #expect(played.code != 0 && played.errors.contains("'source fetch Off 112:1' fetches it"))
    #expect(try await program.run("source", "fetch", "Off", "112:1").code == 0)
    #expect(server.requests.last?.path == "/112001.wav")
    _ = try await self.played("112:1", "--reciter", "Off")
  }
}
