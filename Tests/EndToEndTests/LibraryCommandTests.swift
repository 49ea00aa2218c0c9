// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing

/// The library by its commands, from import to what can be heard.
struct LibraryCommandTests {
  let program: Program
  let folder: TemporaryFolder

  init() throws {
    program = try Program()
    folder = try TemporaryFolder()
  }

  private func json(_ arguments: String...) async throws -> [[String: Any]] {
    let outcome = try await program.run(arguments + ["--format", "jsonl"])
    #expect(outcome.code == 0, "\(outcome.errors)")
    return try outcome.output.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  @Test func annotatesFromImportToCoverage() async throws {
    #expect(try await program.run("reciter", "add", "Mahmoud Khalil").code == 0)
    let imported = try await program.run(
      "import", FixtureFolder.path("flac-44k-stereo.flac"), "--title", "Night 3", "--reciter",
      "mahmoud khalil")
    #expect(imported.code == 0, "\(imported.errors)")
    #expect(imported.output.contains("suggested boundar"))

    let labels = folder.path("labels.txt")
    try "0\t10\t1:1\n10\t20\t1:2-3\n15\t15\t1:3\n20\t30.5\tunused: silence\n"
      .write(toFile: labels, atomically: true, encoding: .utf8)
    let taken = try await program.run("import-labels", "Night 3", labels, "--confirm")
    #expect(taken.code == 0, "\(taken.errors)")
    let published = try await program.run("publish", "night 3")
    #expect(published.output.contains("complete, 2 segments published"))

    let listed = try await json("list")
    #expect(listed.count == 1)
    #expect(listed[0]["status"] as? String == "complete")
    #expect(listed[0]["ayat"] as? [String] == ["1:1-3"])
    #expect(listed[0]["reciter"] as? String == "Mahmoud Khalil")
    #expect(listed[0]["availability"] as? String == "available")

    let runs = try await json("coverage", "1")
    #expect(runs.map { $0["first"] as? String } == ["1:1", "1:4"])
    #expect(runs.map { $0["covered"] as? Bool } == [true, false])
    #expect(try await program.run("check", "--thorough").code == 0)
  }

  @Test func givesBackAnAnnotationThroughItsOwnJSON() async throws {
    _ = try await program.run("import", FixtureFolder.path("mosque.flac"))
    let first = try await program.run("export", "mosque", "--format", "annotation")
    #expect(first.code == 0)
    let kept = folder.path("mosque.annotation.json")
    try first.output.write(toFile: kept, atomically: true, encoding: .utf8)
    let again = try await program.run("import-labels", "mosque", kept)
    #expect(again.output.contains("nothing changed"), "\(again.output)\(again.errors)")
  }

  @Test func importingAgainIsOrdinary() async throws {
    let path = FixtureFolder.path("mosque.flac")
    _ = try await program.run("import", path)
    let again = try await program.run("import", path)
    #expect(again.code == 0)
    #expect(again.errors.contains("already in the library as"))
    #expect(try await json("list").count == 1)
  }

  @Test func importsWhatItCanAndSaysWhatItCannot() async throws {
    let bad = try folder.write(Array("no audio at all".utf8), to: "notes.mp3")
    let outcome = try await program.run("import", bad, FixtureFolder.path("mosque.flac"))
    #expect(outcome.code == 1)
    #expect(outcome.errors.contains("notes.mp3"))
    #expect(try await json("list").count == 1)
    let left = try FileManager.default.contentsOfDirectory(
      atPath: program.home + "/library/Recordings")
    #expect(left.count == 1)
  }

  @Test func removesAndBringsBack() async throws {
    _ = try await program.run("import", FixtureFolder.path("mosque.flac"))
    #expect(try await program.run("remove", "mosque").code == 0)
    #expect(try await json("list").isEmpty)
    #expect(try await json("list", "--bin").count == 1)
    #expect(try await program.run("remove", "--restore", "mosque").code == 0)
    #expect(try await json("list").count == 1)
    #expect(try await program.run("check").code == 0)
  }

  @Test func findsAMovedFileInAFolder() async throws {
    let path = try folder.copy(of: "mosque.flac", as: "here.flac")
    _ = try await program.run("import", "--in-place", path, "--title", "Mosque")
    try FileManager.default.createDirectory(
      atPath: folder.path("elsewhere"), withIntermediateDirectories: false)
    try FileManager.default.moveItem(atPath: path, toPath: folder.path("elsewhere/there.flac"))
    _ = try folder.copy(of: "mp3-tags.mp3", as: "elsewhere/another.mp3")
    #expect(try await json("list")[0]["availability"] as? String == "gone")
    let relinked = try await program.run("relink", "Mosque", folder.path("elsewhere"))
    #expect(relinked.code == 0, "\(relinked.errors)")
    #expect(relinked.output.contains("the same file"))
    #expect(try await json("list")[0]["availability"] as? String == "available")
  }

  @Test func refusesAnotherRecitationAsItsFile() async throws {
    let path = try folder.copy(of: "mosque.flac", as: "here.flac")
    _ = try await program.run("import", "--in-place", path, "--title", "Mosque")
    let other = try await program.run("relink", "Mosque", FixtureFolder.path("mp3-tags.mp3"))
    #expect(other.code == 65)
    #expect(other.errors.contains("does not hold the same recitation"))
  }

  @Test func backsUpALibraryThatCanBeUsed() async throws {
    _ = try await program.run("import", FixtureFolder.path("mosque.flac"))
    let target = folder.path("copy") + "/"
    #expect(try await program.run("backup", target).code == 0)
    #expect(try await json("list", "--library", target).count == 1)
    #expect(try await program.run("check", "--thorough", "--library", target).code == 0)
  }

  @Test func namesTheRecordingThatItDoesNotKnow() async throws {
    _ = try await program.run("import", FixtureFolder.path("mosque.flac"))
    let outcome = try await program.run("show", "nobody's")
    #expect(outcome.code == 66)
    #expect(outcome.errors.contains("nobody's: no such recording in the library"))
  }

  @Test func looksWithoutMakingALibrary() async throws {
    for command in [["list"], ["coverage"], ["check"], ["show", "x"]] {
      let outcome = try await program.run(command)
      #expect(outcome.errors.contains("there is no library yet"), "\(command)")
    }
    #expect(FileManager.default.fileExists(atPath: program.home + "/library") == false)
  }

  @Test func readsSettingsFromFileAndEnvironmentAndNamesTheLineOfAMistake() async throws {
    #expect(try await program.run("settings", "set", "import.riwayah", "warsh").code == 0)
    _ = try await program.run("import", FixtureFolder.path("mosque.flac"))
    #expect(try await json("list")[0]["riwayah"] as? String == "warsh")
    #expect(try await program.run("settings", "set", "import.riwayah", "other").code == 64)

    let file = program.home + "/config/config.toml"
    try "# mine\n[import]\nriwayah = \n".write(toFile: file, atomically: true, encoding: .utf8)
    let broken = try await program.run("settings")
    #expect(broken.code == 65)
    #expect(broken.errors.contains(file))
    #expect(broken.errors.contains("line 3"))
    try "[import]\nriwaya = \"hafs\"\n".write(toFile: file, atomically: true, encoding: .utf8)
    #expect(
      try await program.run("settings").errors.contains("there is no setting 'import.riwaya'"))
  }

  @Test func showsNothingOfAHostileTitleButItsText() async throws {
    let path = try folder.copy(of: "mosque.flac", as: "a\u{1B}[31mred\n\u{202E}txt.flac")
    #expect(try await program.run("import", path).code == 0)
    let listed = try await program.run("list")
    #expect(!listed.output.contains("\u{1B}"))
    #expect(!listed.output.contains("\u{202E}"))
    #expect(listed.output.split(separator: "\n").count == 2)
  }
}
