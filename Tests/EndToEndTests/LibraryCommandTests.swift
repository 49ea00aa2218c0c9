// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Glibc
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
    // Nothing is left in a log that another program would bring into the database.
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: program.home + "/library")
        .filter { $0.hasPrefix("library.sqlite") } == ["library.sqlite"])

    let labels = folder.path("labels.txt")
    try "0\t10\t1:1\n10\t20\t1:2-3\n15\t15\t1:3\n20\t30.5\tunused: silence\n"
      .write(toFile: labels, atomically: true, encoding: .utf8)
    let taken = try await program.run("import-labels", "Night 3", labels, "--confirm")
    #expect(taken.code == 0, "\(taken.errors)")
    #expect(try await json("list")[0]["publication"] as? String == "not_published")
    let published = try await program.run("publish", "night 3")
    #expect(published.output.contains("complete, 2 segments published"))

    let listed = try await json("list")
    #expect(listed[0]["publication"] as? String == "published")
    #expect(listed[0]["published"] as? Bool == true)
    #expect(listed.count == 1)
    #expect(listed[0]["status"] as? String == "complete")
    #expect(listed[0]["ayat"] as? [String] == ["1:1-3"])
    #expect(listed[0]["reciter"] as? String == "Mahmoud Khalil")
    #expect(listed[0]["availability"] as? String == "available")

    let runs = try await json("coverage", "1")
    #expect(runs.map { $0["first"] as? String } == ["1:1", "1:4"])
    #expect(runs.map { $0["covered"] as? Bool } == [true, false])
    #expect(try await program.run("check", "--thorough").code == 0)

    try "0\t10\t1:1\n10\t30.5\tunused: silence\n"
      .write(toFile: labels, atomically: true, encoding: .utf8)
    let edited = try await program.run("import-labels", "Night 3", labels, "--confirm", "--force")
    #expect(edited.code == 0, "\(edited.errors)")
    let changed = try await json("show", "Night 3")
    #expect(changed[0]["publication"] as? String == "changed_since_published")
    #expect(changed[0]["published"] as? Bool == false)
  }

  @Test func givesBackAnAnnotationThroughItsOwnJSON() async throws {
    try await program.importing(FixtureFolder.path("mosque.flac"))
    let first = try await program.run("export", "mosque", "--format", "annotation")
    #expect(first.code == 0)
    let kept = folder.path("mosque.annotation.json")
    try first.output.write(toFile: kept, atomically: true, encoding: .utf8)
    let again = try await program.run("import-labels", "mosque", kept)
    #expect(again.output.contains("nothing changed"), "\(again.output)\(again.errors)")
  }

  @Test(arguments: ["annotation", "textgrid", "quran-segments"])
  func wordsGoOutAndComeBack(_ format: String) async throws {
    _ = try await program.run(
      "import", FixtureFolder.path("flac-44k-stereo.flac"), "--title", "Night", "--no-detect")
    func timings() async throws -> String {
      try await program.run("export", "night", "--format", "word-timings").output
    }
    let nothing = try await program.run("export", "night", "--format", "word-timings")
    #expect(nothing.code == 0 && nothing.errors.contains("no words are timed yet"))
    let annotation = folder.path("night.annotation.json")
    try #"""
    {"schema":"tilawa.annotation/1","sample_rate":44100,"frames":1323211,"segments":[
    {"assignment":{"kind":"ayah","surah":112,"ayah":1}},
    {"marker":{"id":1,"frame":441000},"assignment":{"kind":"ayah","surah":112,"ayah":2}}],
    "words":[{"ayah":"112:1","words":[[1,44100,88200],[2,88200,132300]]},
    {"ayah":"112:2","words":[[2,485100,529200]]}]}
    """#.write(toFile: annotation, atomically: true, encoding: .utf8)
    let taken = try await program.run("import-labels", "night", annotation)
    #expect(taken.code == 0, "\(taken.errors)")
    let words = try await timings()
    #expect(
      words.contains(
        "\"112:1\":[[1000,2000],[2000,3000]],\n\"112:2\":[[1000,2000,2]]"), "\(words)")

    let file = folder.path("night.labels")
    let written = try await program.run("export", "night", "--format", format, "--output", file)
    #expect(written.code == 0, "\(written.errors)")
    #expect(try await program.run("undo", "night").code == 0)
    #expect(try await timings() == nothing.output)
    let again = try await program.run("import-labels", "night", file, "--force")
    #expect(again.code == 0 && again.errors.isEmpty, "\(again.errors)")
    #expect(try await timings() == words)
    #expect(try await program.run("check").code == 0)
  }

  @Test func aFileOfLabelsWithoutEndNamesItsLimit() async throws {
    try await program.importing(FixtureFolder.path("mosque.flac"), detecting: false)
    let line = "1.0\t2.0\t2:5\n"
    let labels = try folder.write(
      Array(String(repeating: line, count: 250_001).utf8), to: "labels.txt")
    let outcome = try await program.run("import-labels", "mosque", labels)
    #expect(outcome.code == 65)
    #expect(
      outcome.errors.contains(
        "labels.txt: Audacity labels, line 250001: more than 250000 labels; split the file"),
      "\(outcome.errors)")
    #expect(try await json("list")[0]["ayat"] as? [String] == [])
  }

  @Test func labelsComeFromAPipeAndAThousandWarningsAreNotShown() async throws {
    try await program.importing(FixtureFolder.path("mosque.flac"), detecting: false)
    // One label, and a thousand beyond the end of the recording.
    let script = """
      "$0" import-labels mosque <(printf '0\\t2\\t2:5\\n'; \
        yes "$(printf '9999\\t9999.5\\tlate')" | head -1000) --format audacity
      """
    let outcome = try await program.run(["-c", script, Program.path], as: "/bin/bash")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("1 assigned"), "\(outcome.output)")
    #expect(outcome.errors.split(separator: "\n").count == 101)
    #expect(outcome.errors.contains("900 more warnings"), "\(outcome.errors.suffix(200))")
  }

  @Test func aNoteIsNoFormulaInASafeTable() async throws {
    try await program.importing(FixtureFolder.path("mosque.flac"), detecting: false)
    let labels = try folder.write(
      Array("start,end,label,note\n0,2,2:5,=1+1\n".utf8), to: "labels.csv")
    #expect(try await program.run("import-labels", "mosque", labels).code == 0)
    let plain = try await program.run("export", "mosque", "--format", "csv")
    #expect(plain.output.contains(",=1+1\r\n"), "\(plain.output)")
    let safe = try await program.run("export", "mosque", "--format", "csv", "--spreadsheet-safe")
    #expect(safe.output.contains(",'=1+1\r\n"), "\(safe.output)")
    let refused = try await program.run(
      "export", "mosque", "--format", "json", "--spreadsheet-safe")
    #expect(refused.code == 64)
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

  @Test func aFlippedBitIsNamedAndKeepsTheBackupThatIsThere() async throws {
    try await program.importing(FixtureFolder.path("mosque.flac"), detecting: false)
    let target = folder.path("backup") + "/"
    #expect(try await program.run("backup", target).code == 0)
    let kept = try Data(contentsOf: URL(filePath: target + "library.sqlite"))
    let database = URL(filePath: program.home + "/library/library.sqlite")
    var bytes = try Data(contentsOf: database)
    let title = try #require(bytes.range(of: Data("mosque".utf8)))
    bytes[title.lowerBound] ^= 1
    try bytes.write(to: database)
    let backup = try await program.run("backup", target)
    #expect(backup.code == 65)
    #expect(backup.errors.contains("was not changed"))
    #expect(try Data(contentsOf: URL(filePath: target + "library.sqlite")) == kept)
    let check = try await program.run("check", "--thorough")
    #expect(check.code == 65)
    #expect(check.output.contains("(recording)"), "\(check.output)")
    #expect(check.output.contains("does not match its checksum"))
    #expect(try await program.run("list").code == 65)
    #expect(try await program.run("check", "--library", target).code == 0)
  }

  @Test func aFolderThatLeadsOutOfTheLibraryIsNamedAndNotUsed() async throws {
    try await program.importing(FixtureFolder.path("mosque.flac"), detecting: false)
    let recordings = program.home + "/library/Recordings"
    try FileManager.default.moveItem(atPath: recordings, toPath: folder.path("elsewhere"))
    try FileManager.default.createSymbolicLink(
      atPath: recordings, withDestinationPath: folder.path("elsewhere"))
    let list = try await program.run("list")
    #expect(list.code == 65)
    #expect(list.errors.contains("leads outside the library"))
    let check = try await program.run("check")
    #expect(check.code == 65)
    #expect(check.output.contains("Recordings: a link that leads out"), "\(check.output)")
  }

  @Test func removesAndBringsBack() async throws {
    try await program.importing(FixtureFolder.path("mosque.flac"), detecting: false)
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

  @Test(arguments: [
    ["show"], ["import"], ["import", "--in-place"], ["auto-detect", "--save"], ["publish"],
  ]) func aMovedFileIsKnownByItsNewPath(command: [String]) async throws {
    let path = try folder.copy(of: "mosque.flac", as: "here.flac")
    _ = try await program.run("import", "--in-place", path, "--title", "Mosque")
    let moved = folder.path("moved.flac")
    try FileManager.default.moveItem(atPath: path, toPath: moved)
    #expect(try await json("list")[0]["availability"] as? String == "gone")
    let outcome = try await program.run(command + [moved])
    #expect(outcome.code == 0, "\(outcome.errors)")
    let listed = try await json("list")
    #expect(listed.count == 1)
    #expect(listed[0]["availability"] as? String == "available", "\(outcome.errors)")
    #expect(try await program.run("check").code == 0)
  }

  @Test func readsOnInAFileThatHasGrown() async throws {
    let path = folder.path("stream.mp3")
    let whole = try Data(contentsOf: URL(fileURLWithPath: FixtureFolder.path("mp3-cbr-no-tag.mp3")))
    try whole.prefix(whole.count / 2).write(to: URL(fileURLWithPath: path))
    _ = try await program.run("import", "--in-place", "--no-detect", path, "--title", "Stream")
    let before = try #require(try await json("list").first?["duration_seconds"] as? Double)
    try whole.write(to: URL(fileURLWithPath: path))
    let listed = try await program.run("list")
    #expect(listed.output.contains("grown"), "\(listed.output)")
    let relinked = try await program.run("relink", "Stream", path)
    #expect(relinked.output.contains("the same file, grown"), "\(relinked.errors)")
    #expect(try await program.run("list").output.contains("grown") == false)
    let after = try #require(try await json("list").first?["duration_seconds"] as? Double)
    #expect(after > 1.5 * before)
  }

  @Test func refusesAnotherRecitationAsItsFile() async throws {
    let path = try folder.copy(of: "mosque.flac", as: "here.flac")
    _ = try await program.run("import", "--in-place", path, "--title", "Mosque")
    let other = try await program.run("relink", "Mosque", FixtureFolder.path("mp3-tags.mp3"))
    #expect(other.code == 65)
    #expect(other.errors.contains("does not contain the same recitation"))
  }

  @Test func bringsBackWhatIsRemoteOnlyByRclone() async throws {
    _ = try await program.run(
      "import", FixtureFolder.path("mosque.flac"), "--title", "Mosque")
    let library = program.home + "/library/Recordings"
    let name = try #require(
      FileManager.default.contentsOfDirectory(atPath: library).first { $0.hasSuffix(".flac") })
    let cloud = folder.path("cloud")
    try FileManager.default.createDirectory(
      atPath: cloud + "/Recordings", withIntermediateDirectories: true)
    try FileManager.default.moveItem(
      atPath: "\(library)/\(name)", toPath: "\(cloud)/Recordings/\(name)")
    #expect(try await json("list")[0]["availability"] as? String == "remote_only")

    let unset = try await program.run("download", "Mosque")
    #expect(unset.code == 64 && unset.errors.contains("library.rclone"), "\(unset.errors)")
    // It does what rclone does with a remote that is a folder.
    let tools = folder.path("tools")
    try FileManager.default.createDirectory(atPath: tools, withIntermediateDirectories: false)
    try Data(
      """
      #!/bin/sh
      test "$1" = copyto -a "$2" = -- -a "$RCLONE_INPLACE" = true || exit 2
      case "$3" in *bucket*) exit 0;; *unset*) echo "no such remote" >&2; exit 1;; *hangs*) kill -9 $$;; esac
      cp "${3#cloud:}" "$4" || { echo "directory not found" >&2; exit 3; }
      """.utf8
    ).write(to: URL(filePath: tools + "/rclone"))
    chmod(tools + "/rclone", 0o755)
    func download(_ remote: String, _ path: String, _ arguments: String...) async throws
      -> Program.Outcome
    {
      try await program.run(
        ["download"] + arguments,
        environment: ["TILAWA_LIBRARY_RCLONE": "cloud:" + remote, "PATH": path])
    }
    let path = tools + ":/usr/bin:/bin"
    let absent = try await download(cloud, "/nowhere", "--all")
    #expect(absent.code == 69 && absent.errors.contains("apt install rclone"))
    let nothing = try await download(folder.path("none"), path, "Mosque")
    #expect(nothing.code == 69 && nothing.errors.contains("directory not found"))
    let killed = try await download("hangs", path, "Mosque")
    #expect(killed.code == 69 && killed.errors.contains("it was ended by signal 9"))
    // A remote without folders copies nothing, and with success.
    let bucket = try await download("bucket", path, "Mosque")
    #expect(bucket.code == 69 && bucket.errors.contains("the remote does not have it"))

    let content = try Data(contentsOf: URL(filePath: "\(cloud)/Recordings/\(name)"))
    try (content.dropLast() + [0]).write(to: URL(filePath: "\(cloud)/Recordings/\(name)"))
    let other = try await download(cloud, path, "--all")
    #expect(
      other.errors.contains("differs from the imported one") && other.code != 0, "\(other.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: library).isEmpty)

    try content.write(to: URL(filePath: "\(cloud)/Recordings/\(name)"))
    let told = try await download(cloud, path, "--all", "--dry-run")
    #expect(told.code == 0 && told.output.hasPrefix("1 file to download"))
    let brought = try await download(cloud, path, "Mosque")
    #expect(brought.code == 0, "\(brought.errors)")
    #expect(try await json("list")[0]["availability"] as? String == "available")
    #expect(try await program.run("check", "--thorough").code == 0)
    #expect(try await download(cloud, path, "--all").errors.contains("nothing to download"))

    // A download that was killed does not keep the next from beginning.
    try FileManager.default.moveItem(
      atPath: "\(library)/\(name)", toPath: "\(library)/\(name).part")
    #expect(try await json("list")[0]["availability"] as? String == "remote_only")
    let again = try await download(cloud, path, "Mosque")
    #expect(again.code == 0 && again.errors.contains("Mosque: here"), "\(again.errors)")

    // What a remote cannot do for one file it cannot do for another.
    try await program.importing(FixtureFolder.path("mp3-tags.mp3"), detecting: false)
    for entry in try FileManager.default.contentsOfDirectory(atPath: library) {
      try FileManager.default.removeItem(atPath: "\(library)/\(entry)")
    }
    let unknown = try await download("unset", path, "--all")
    #expect(unknown.code == 69 && unknown.errors.contains("1 file not tried"), "\(unknown.errors)")
    let both = try await download(folder.path("none"), path, "--all")
    #expect(both.errors.components(separatedBy: "could not copy").count == 3, "\(both.errors)")
  }

  @Test func backsUpALibraryThatCanBeUsed() async throws {
    try await program.importing(FixtureFolder.path("mosque.flac"), detecting: false)
    let target = folder.path("copy") + "/"
    #expect(try await program.run("backup", target).code == 0)
    #expect(try await json("list", "--library", target).count == 1)
    #expect(try await program.run("check", "--thorough", "--library", target).code == 0)
  }

  @Test func namesTheRecordingThatItDoesNotKnow() async throws {
    try await program.importing(FixtureFolder.path("mosque.flac"), detecting: false)
    let outcome = try await program.run("show", "nobody's")
    #expect(outcome.code == 66)
    #expect(outcome.errors.contains("nobody's: no such recording in the library"))
  }

  /// For root, who may read everything, as somebody else.
  private static let stranger = geteuid() == 0 ? ["--reuid=65534", "--clear-groups"] : nil
  private static let setpriv = "/usr/bin/setpriv"

  private func runAsStranger(
    _ arguments: [String], environment: [String: String]
  ) async throws -> Program.Outcome {
    guard let stranger = Self.stranger else {
      return try await program.run(arguments, environment: environment)
    }
    return try await program.run(
      stranger + [Program.path] + arguments, as: Self.setpriv, environment: environment)
  }

  private static var hasStranger: Bool {
    guard stranger != nil else { return true }
    var path = Program.path as NSString
    while path.length > 1 {
      var status = stat()
      guard stat(path as String, &status) == 0, status.st_mode & 0o001 != 0 else { return false }
      path = path.deletingLastPathComponent as NSString
    }
    return access(setpriv, X_OK) == 0
  }

  @Test(.enabled(if: hasStranger, "needs setpriv and a program that everybody may run"))
  func aLibraryThatMayNotBeReadIsNotMissing() async throws {
    chmod(folder.path, 0o777)
    let home = ["TILAWA_HOME": folder.path("home"), "HOME": folder.path]
    let library = folder.path("home/library")
    let made = try await program.run(["reciter", "add", "Mahmoud Khalil"], environment: home)
    #expect(made.code == 0, "\(made.errors)")
    chmod(folder.path("home"), 0o777)
    chmod(library, 0)
    defer { chmod(library, 0o700) }
    for command in ["list", "show", "doctor", "import", "frame"] {
      var arguments = [command]
      if ["show", "import", "frame"].contains(command) {
        arguments.append(FixtureFolder.path("m4a-aac.m4a"))
      }
      if command == "frame" { arguments += ["--at", "1"] }
      let run = try await runAsStranger(arguments, environment: home)
      #expect(run.code != 0, "\(command)")
      let text = (run.output + run.errors).lowercased()
      #expect(text.contains("permission denied"), "\(command): \(text)")
      #expect(text.contains("\(library):".lowercased()), "\(command): \(text)")
      #expect(!text.contains("no library yet") && !text.contains("/.:"), "\(command): \(text)")
    }
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
