// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import GRDB
import Quran
import TestSupport
import Testing

/// `timings check`, and sources whose files hold whole surahs, as a person uses them.
@Suite struct TimingsTests {
  let program: Program
  let folder: TemporaryFolder

  init() throws {
    program = try Program()
    folder = try TemporaryFolder()
    try ToneRecitation.teach(home: program.home)
  }

  private struct Report: Decodable {
    struct File: Decodable {
      let verdict: String?
      let format: String?
      let shift_seconds: Double?
      let drift_ppm: Double?
      let drift_significant: Bool?
      let matched: Int?
      let findings: [Finding]?
      let error: Problem?
      let ayah: String?
    }
    struct Finding: Decodable {
      let code: String
      let seconds: Double?
      let ayah: String?
      let heard: String?
    }
    struct Problem: Decodable { let code: String }
    let schema: String
    let files: [File]
  }

  private func recite(_ range: String, as name: String, pace: Double = 0.1) throws -> ToneRecitation
  {
    var recitation = ToneRecitation(pace: pace)
    recitation.silence(0.8)
    recitation.recite(try AyahRange(parsing: range))
    let path = URL(filePath: folder.path(name))
    try FileManager.default.createDirectory(
      at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
    try recitation.write(to: path.path)
    return recitation
  }

  /// The verses of a recitation as quran.com has them.
  private func publish(
    _ recitation: ToneRecitation, as name: String, shift: Double = 0, drift: Double = 0,
    moving moved: [String: Double] = [:]
  ) throws {
    let starts = recitation.starts.map { start in
      (start.seconds * (1 + drift) + shift + (moved["\(start.ayah)"] ?? 0)) * 1000
    }
    let ends = starts.dropFirst() + [(recitation.seconds * (1 + drift) + shift) * 1000]
    let verses = zip(recitation.starts, zip(starts, ends)).map { start, times in
      #"{"verse_key":"\#(start.ayah)","timestamp_from":\#(Int(times.0)),"timestamp_to":\#(Int(times.1))}"#
    }
    try folder.write(Array("[\(verses.joined(separator: ","))]".utf8), to: name)
  }

  private func check(
    _ arguments: String...
  ) async throws -> (code: Int32?, report: Report, errors: String) {
    let outcome = try await program.run(["timings", "check", "--format", "json"] + arguments)
    let report = try JSONDecoder().decode(Report.self, from: Data(outcome.output.utf8))
    return (outcome.code, report, outcome.errors)
  }

  @Test func shiftAndMovedAyatAreFoundAndRepaired() async throws {
    let recitation = try recite("93", as: "093.wav")
    try publish(recitation, as: "093.json")
    let good = try await check(folder.path("093.wav"))
    #expect(good.code == 0, "\(good.errors)")
    #expect(good.report.schema == "tilawa.timings-check/1")
    #expect(good.report.files[0].verdict == "fits" && good.report.files[0].matched == 11)

    try publish(recitation, as: "late.json", shift: 3.2)
    let late = try await check(folder.path("093.wav"), "--timings", folder.path("late.json"))
    #expect(late.code == 65 && late.report.files[0].verdict == "shifted")
    let own = good.report.files[0].shift_seconds ?? 0
    #expect(abs((late.report.files[0].shift_seconds ?? 0) - own - 3.2) < 0.05)

    try publish(recitation, as: "moved.json", shift: -0.4, moving: ["93:5": 2])
    let moved = try await check(
      folder.path("093.wav"), "--timings", folder.path("moved.json"), "--repair")
    #expect(moved.code == 65 && moved.report.files[0].verdict == "unfit")
    #expect(moved.report.files[0].findings?.map(\.ayah) == ["93:5"])
    let repaired = try await check(
      folder.path("093.wav"), "--timings", folder.path("moved.repaired.json"))
    #expect(repaired.code == 0 && repaired.report.files[0].verdict == "fits")
    let again = try await program.run(
      "timings", "check", folder.path("093.wav"), "--timings", folder.path("moved.json"), "--repair"
    )
    #expect(again.code == 64 && again.errors.contains("--force"))
    #expect(again.output.contains("93:5") && again.output.contains("starts late by 2"))
  }

  /// Long enough to be heard in parts, which the timings lead to.
  @Test func aLongRecordingIsHeardPartByPart() async throws {
    let recitation = try recite("55", as: "055.wav", pace: 0.13)
    #expect(recitation.seconds > 200)
    try publish(recitation, as: "055.json", shift: 6, drift: 900e-6, moving: ["55:40": -1.5])
    let found = try await check(folder.path("055.wav"))
    let file = found.report.files[0]
    #expect(found.code == 65 && file.matched == 78)
    #expect(abs((file.drift_ppm ?? 0) - 900) < 150 && file.drift_significant == true)
    #expect(abs((file.shift_seconds ?? 0) - 6) < 0.2)
    #expect(file.findings?.map(\.ayah) == ["55:40"])
  }

  @Test func timingsOfAnotherSurahAreUnfit() async throws {
    _ = try recite("93", as: "093.wav")
    let other = try recite("94", as: "094.wav")
    try publish(other, as: "094.json")
    let found = try await check(folder.path("093.wav"), "--timings", folder.path("094.json"))
    #expect(found.code == 65 && found.report.files[0].verdict == "unfit")
    #expect(found.report.files[0].findings?.first?.code == "other_recitation")
  }

  @Test func whatCannotBeCheckedSaysWhy() async throws {
    _ = try recite("112", as: "x.wav")
    let none = try await program.run("timings", "check", folder.path("x.wav"))
    #expect(none.code == 1 && none.errors.contains("--timings"))
    try folder.write(Array("{}".utf8), to: "x.json")
    let bad = try await program.run("timings", "check", folder.path("x.wav"))
    #expect(bad.code == 1 && bad.errors.contains("x.json"))
    try folder.write(Array("SQLite format 3\0and then nothing of that".utf8), to: "x.json")
    let broken = try await program.run("timings", "check", folder.path("x.wav"))
    #expect(
      broken.errors.hasSuffix(
        "x.json: damaged, or not an SQLite database (file is not a database, code 26);"
          + " use a timing database of the Android app Quran\n"), "\(broken.errors)")
    try folder.write(Array("\n<!DOCTYPE html>".utf8), to: "x.json")
    let page = try await program.run("timings", "check", folder.path("x.wav"))
    #expect(
      page.errors.hasSuffix(
        "x.json: not a file of timings: it looks like a web page (HTML) or XML;"
          + " check that it is the right file\n"), "\(page.errors)")
    try folder.write(Array(#"[{"ayah":1,"start_time":0,"end_time":900}]"#.utf8), to: "x.json")
    let unnamed = try await program.run("timings", "check", folder.path("x.wav"))
    #expect(unnamed.code == 1 && unnamed.errors.contains("--surah"))
    let nobody = try await program.run(
      "timings", "check", "nothing", "--timings", folder.path("x.json"))
    #expect(nobody.code == 66)
    let missing = try await program.run(
      "timings", "check", folder.path("x.wav"), "--timings", folder.path("none.json"))
    #expect(
      missing.errors.hasSuffix(
        "none.json: No such file or directory; give the path of a file of timings\n"))
  }

  @Test func aSourceBySurahIsPlayedOnceItsTimingsWereChecked() async throws {
    let recitation = try recite("112", as: "set/112.wav")
    try publish(recitation, as: "timings.json", shift: 2)
    let without = try await program.run("source", "add", "Set", "--folder", folder.path("set"))
    #expect(without.code == 64 && without.errors.contains("--timings"))
    let added = try await program.run(
      "source", "add", "Set", "--folder", folder.path("set"), "--timings",
      folder.path("timings.json"))
    #expect(added.code == 0 && added.output == "Set: 4 ayat\n", "\(added.errors)")

    let out = folder.path("out.wav")
    func play() async throws -> Program.Outcome {
      try await program.run(
        "play", "112:3", "--reciter", "Set", "--output", out, "--force", "--missing", "cancel")
    }
    let unchecked = try await play()
    #expect(unchecked.code == 66 && unchecked.errors.contains("timings check"))
    // They are two seconds late, so they are not used as they are.
    #expect(try await program.run("timings", "check", "Set").code == 65)
    #expect(try await play().code == 66)
    #expect(try await program.run("timings", "check", "Set", "--repair").code == 65)
    let played = try await play()
    #expect(played.code == 0, "\(played.errors)")
    let third = recitation.starts[3].seconds - recitation.starts[2].seconds
    let samples = try Data(contentsOf: URL(filePath: out)).count
    #expect(abs(Double(samples) / 4 / Double(ToneRecitation.rate) - third) < 0.3)

    // What is published still does not fit; what was corrected stays.
    let plain = try await program.run("timings", "check", "Set")
    #expect(plain.code == 65 && plain.errors.contains("stay in use"), "\(plain.errors)")
    #expect(try await play().code == 0)
    #expect(try await program.run("source", "edit", "Set", "--trust-timings").code == 0)
    let shown = try await program.run("source", "show", "Set")
    #expect(shown.output.contains("4 by checked timings, 0 by trusted"), "\(shown.output)")

    // Another file has not been checked.
    _ = try recite("112", as: "set/112.wav", pace: 0.11)
    let changed = try await play()
    #expect(changed.code == 66 && changed.errors.contains("has changed since"))
    let trusted = try await program.run("source", "edit", "Set", "--trust-timings")
    #expect(trusted.code == 0, "\(trusted.errors)")
    #expect(try await play().code == 0)
  }

  @Test func filesWithAnAyahEachAreCheckedByTheirNames() async throws {
    let ayat = ["2:2", "2:3", "2:4", "2:5", "2:6", "2:7"]
    for ayah in ayat { _ = try recite(ayah, as: "ayat/00200\(ayah.suffix(1)).wav") }
    // The third holds the next one too, two are swapped, one is silent, one no sound.
    _ = try recite("2:4-5", as: "ayat/002004.wav")
    _ = try recite("2:7", as: "ayat/002006.wav")
    _ = try recite("2:6", as: "ayat/002007.wav")
    var silence = ToneRecitation()
    silence.silence(2)
    try silence.write(to: folder.path("ayat/002008.wav"))
    try folder.write(Array("<html><body>Not found</body></html>".utf8), to: "ayat/002009.mp3")
    // What is named otherwise is no ayah.
    try folder.write(Array("notes".utf8), to: "ayat/notes.txt")
    let (code, report, errors) = try await check(folder.path("ayat"))
    #expect(code == 65, "\(errors)")
    let found = report.files.reduce(into: [String: String]()) { found, file in
      let findings = (file.findings ?? []).map { $0.code + ($0.heard.map { " \($0)" } ?? "") }
      found[file.ayah ?? ""] = findings.joined(separator: ", ")
    }
    #expect(
      found == [
        "2:2": "", "2:3": "", "2:4": "also_holds 2:5", "2:5": "", "2:6": "other_ayah 2:7",
        "2:7": "other_ayah 2:6", "2:8": "silent", "2:9": "not_decodable",
      ])
    // As a source, and for people.
    #expect(
      try await program.run("source", "add", "Ayat", "--folder", folder.path("ayat")).code == 0)
    let people = try await program.run("timings", "check", "Ayat")
    #expect(people.code == 65 && people.output.contains("002004.wav: also holds 2:5"))
    #expect(people.output.contains("Ayat: 8 files with one ayah each, 5 do not fit"))
  }

  @Test func publishedWordsCountOnceTheTimingsAreTrusted() async throws {
    _ = try recite("112:1", as: "ayat/112001.wav")
    try folder.write(
      Array(
        #"{"112:1":{"segments":[[1,800,1200],[2,1200,1500],[3,1500,1900],[4,1900,2500]]}}"#.utf8),
      to: "words.json")
    let added = try await program.run(
      "source", "add", "Words", "--folder", folder.path("ayat"), "--timings",
      folder.path("words.json"), "--trust-timings")
    #expect(added.code == 0, "\(added.errors)")
    let out = folder.path("words.wav")
    let played = try await program.run(
      "play", "112:1", "--words", "2-3", "--reciter", "Words", "--output", out)
    #expect(played.code == 0, "\(played.errors)")
    let seconds =
      Double(try Data(contentsOf: URL(filePath: out)).count) / 4 / Double(ToneRecitation.rate)
    #expect(abs(seconds - 0.7) < 0.05, "\(seconds)")
  }

  /// The words of an ayah in a file of its own, as QUL has them.
  private func words(
    of text: String, in recitation: ToneRecitation, shift: Double = 0, moving moved: Int? = nil
  ) -> String {
    let words = QuranSounds.words(of: AyahReference(text)!)
    let times = (0...words.count).map {
      recitation.starts[0].seconds + recitation.seconds(of: Array(words.prefix($0))) + shift
    }
    let segments = words.indices.map { index in
      let by = index + 1 == moved ? 0.9 : 0
      return
        "[\(index + 1),\(Int((times[index] + by) * 1000)),\(Int((times[index + 1] + by) * 1000))]"
    }
    return #""\#(text)":{"segments":[\#(segments.joined(separator: ","))]}"#
  }

  @Test func publishedWordsOfFilesCountOnceTheyFitWhatIsHeard() async throws {
    let (one, two, four) = try (
      recite("112:1", as: "ayat/112001.wav"), recite("112:2", as: "ayat/112002.wav"),
      recite("112:4", as: "ayat/112004.wav")
    )
    let published = [
      words(of: "112:1", in: one), words(of: "112:2", in: two, shift: 1),
      words(of: "112:4", in: four, moving: 3),
    ].joined(separator: ",")
    try folder.write(Array("{\(published)}".utf8), to: "words.json")
    let added = try await program.run(
      "source", "add", "Words", "--folder", folder.path("ayat"), "--timings",
      folder.path("words.json"))
    #expect(added.code == 0 && added.errors.contains("timings check"), "\(added.errors)")
    func shown() async throws -> String { try await program.run("source", "show", "Words").output }
    #expect(try await shown().contains("words    of 0 files"))

    // A folder and a source alike.
    let alone = try await check(folder.path("ayat"), "--timings", folder.path("words.json"))
    let found = try await check("Words", "--repair")
    for (code, report, errors) in [alone, found] {
      #expect(code == 65, "\(errors)")
      let findings = report.files.reduce(into: [String: [Report.Finding]]()) {
        $0[$1.ayah ?? ""] = $1.findings
      }
      #expect(findings["112:1"]?.isEmpty == true)
      #expect(findings["112:2"]?.map(\.code) == ["words_shifted"])
      #expect(abs((findings["112:2"]?.first?.seconds ?? 0) - 1) < 0.2)
      #expect(findings["112:4"]?.map(\.code) == ["words_wrong"])
    }
    #expect(try await shown().contains("words    of 3 files: 3 by checked timings"))
    let again = try await check(
      folder.path("ayat"), "--timings", folder.path("words.repaired.json"))
    #expect(again.code == 0, "\(again.report)")
    // What was corrected stays in use, whatever is found of what was published.
    let plain = try await check("Words")
    #expect(
      plain.code == 65 && plain.errors.contains("words of 112:2, 112:4: the timings that were"))
    #expect(try await shown().contains("words    of 3 files: 3 by checked timings"))
  }

  /// The database of Quran for Android, as its app has it: with the times of words from version 2 of its schema on.
  @Test func aDatabaseOfQuranForAndroidIsChecked() async throws {
    let recitation = try recite("112", as: "set/112.wav")
    let rows = recitation.starts.map { start in
      let words = QuranSounds.words(of: start.ayah)
      let times = (0...words.count).map { count in
        Int((start.seconds + recitation.seconds(of: Array(words.prefix(count)))) * 1000)
      }
      let text = words.indices.map { "\($0 + 1):\(times[$0]):\(times[$0 + 1])" }
      return "(112, \(start.ayah.ayah), \(times[0]), '\(text.joined(separator: ","))')"
    }
    let database = try DatabaseQueue(path: folder.path("112.db"))
    try await database.write { [end = Int(recitation.seconds * 1000)] db in
      try db.execute(
        sql: """
          CREATE TABLE properties (property TEXT NOT NULL, value TEXT NOT NULL);
          INSERT INTO properties VALUES ('schema_version', '2'), ('version', '1');
          CREATE TABLE timings (sura INTEGER NOT NULL, ayah INTEGER NOT NULL, time INTEGER NOT NULL,
            words TEXT, PRIMARY KEY (sura, ayah));
          INSERT INTO timings VALUES \(rows.joined(separator: ", ")), (112, 999, \(end), NULL);
          """)
    }
    try database.close()
    let (code, report, errors) = try await check(
      folder.path("set/112.wav"), "--timings", folder.path("112.db"))
    #expect(code == 0, "\(errors)")
    #expect(report.files.map(\.matched) == [4] && report.files[0].format == "android")

    let added = try await program.run(
      "source", "add", "Set", "--folder", folder.path("set"), "--timings", folder.path("112.db"))
    #expect(added.code == 0, "\(added.errors)")
    #expect(try await program.run("timings", "check", "Set").code == 0)
    let shown = try await program.run("source", "show", "Set")
    #expect(shown.output.contains("words    of 4 ayat of whole surahs"), "\(shown.output)")
    let out = folder.path("words.wav")
    let played = try await program.run(
      "play", "112:1", "--words", "2-3", "--reciter", "Set", "--output", out)
    #expect(played.code == 0, "\(played.errors)")
    let words = QuranSounds.words(of: AyahReference("112:1")!)
    let wanted =
      recitation.seconds(of: Array(words.prefix(3)))
      - recitation.seconds(of: Array(words.prefix(1)))
    let seconds =
      Double(try Data(contentsOf: URL(filePath: out)).count) / 4 / Double(ToneRecitation.rate)
    #expect(abs(seconds - wanted) < 0.05, "\(seconds) instead of \(wanted)")
  }

  @Test func wordsAreFetchedWithTheSoundAndCountOnceTheyFit() async throws {
    let (one, two) = try (
      recite("112:1", as: "112001.wav"), recite("112:2", as: "112002.wav")
    )
    let published =
      "{\(words(of: "112:1", in: one)),\(words(of: "112:2", in: two, shift: 1))}"
    let sounds = try ["112001.wav", "112002.wav"].map {
      try [UInt8](Data(contentsOf: URL(filePath: folder.path($0))))
    }
    let server = ScriptedServer { request, _ in
      switch request.path {
      case "/112001.wav": .ok(sounds[0])
      case "/112002.wav": .ok(sounds[1])
      case "/words.json": .ok(Array(published.utf8))
      default: .status("404 Not Found")
      }
    }
    let added = try await program.run(
      "source", "add", "Net", "--url", server.url("{surah:3}{ayah:3}.wav"), "--timings",
      server.url("words.json"), "--insecure-http")
    #expect(added.code == 0, "\(added.errors)")
    // The second ayah alone brings the words too.
    let second = try await program.run("source", "fetch", "Net", "112:2")
    #expect(second.code == 0, "\(second.errors)")
    let unfit = "Net 112:2: the published words are not used"
    #expect(second.errors.contains(unfit), "\(second.errors)")
    let first = try await program.run("source", "fetch", "Net", "112:1")
    #expect(first.code == 0 && !first.errors.contains("not used"), "\(first.errors)")
    // As long as it is so, it is said.
    let both = try await program.run("source", "fetch", "Net", "112:1-2")
    #expect(both.code == 0 && both.output.contains("nothing to fetch; 2 already here"))
    #expect(both.errors.components(separatedBy: unfit).count == 2, "\(both.errors)")
    let shown = try await program.run("source", "show", "Net")
    #expect(shown.output.contains("words    of 1 file: 1 by checked timings"))
    #expect(shown.output.contains("unfit    " + unfit))
    let json = try await program.run("source", "show", "Net", "--format", "jsonl")
    #expect(json.output.contains(#""reason":"the published words are not used""#), "\(json.output)")
    #expect(server.requests.count { $0.path == "/words.json" } == 1)
  }

  @Test func timingsAreFetchedWithTheSoundAndPlayedOnceTheyFit() async throws {
    let recitation = try recite("112", as: "112.wav")
    try publish(recitation, as: "112.json")
    try publish(recitation, as: "late.json", shift: 2)
    let sound = try [UInt8](Data(contentsOf: URL(filePath: folder.path("112.wav"))))
    let (good, late) = try (
      [UInt8](Data(contentsOf: URL(filePath: folder.path("112.json")))),
      [UInt8](Data(contentsOf: URL(filePath: folder.path("late.json"))))
    )
    let server = ScriptedServer { request, number in
      switch request.path {
      case "/112.wav": .ok(sound)
      case "/timings?surah=112": .ok(number == 0 ? Array("<html>".utf8) : number < 4 ? late : good)
      default: .status("404 Not Found")
      }
    }
    let added = try await program.run(
      "source", "add", "Net", "--url", server.url("{surah:3}.wav"), "--timings",
      server.url("timings?surah={surah}"), "--insecure-http", "--allow-private")
    #expect(added.code == 0, "\(added.errors)")
    #expect(server.requests.isEmpty)

    func fetch(_ arguments: String...) async throws -> Program.Outcome {
      try await program.run(["source", "fetch", "Net", "112"] + arguments)
    }
    func play() async throws -> Program.Outcome {
      try await program.run(
        "play", "112:3", "--reciter", "Net", "--output", folder.path("out.wav"), "--force",
        "--missing", "cancel")
    }
    let page = try await fetch()
    #expect(page.code == 1 && page.errors.contains("timings?surah=112"), "\(page.errors)")
    #expect(page.output.contains("1 file and 1 file of timings to fetch"), "\(page.output)")
    #expect(
      page.errors.contains(
        "(not a file of timings: it looks like a web page (HTML) or XML); check the address in a browser"
      ), "\(page.errors)")
    let listed = try await program.run("reciter", "list")
    #expect(listed.output.contains("no timings here yet ('source show Net'"), "\(listed.output)")
    let shown = try await program.run("source", "show", "Net")
    let reason =
      "the timings of Al-Ikhlas (112) are not here yet; 'source fetch Net 112' fetches them"
    #expect(shown.output.contains("untimed  \(reason)\n"), "\(shown.output)")
    let json = try await program.run("source", "show", "Net", "--format", "jsonl")
    #expect(
      json.output.contains(#""untimed":[{"ayat":"112","reason":"\#(reason)"}]"#), "\(json.output)")
    let unfit = try await fetch()
    #expect(unfit.code == 0 && unfit.errors.contains("not used: shifted"), "\(unfit.errors)")
    #expect(try await play().code == 66)
    #expect(try await fetch().output.contains("nothing to fetch"))
    #expect(try await fetch("--renew-timings").errors.contains("not used"))
    let fit = try await fetch("--renew-timings")
    #expect(fit.code == 0 && !fit.errors.contains("not used"), "\(fit.errors)")
    let played = try await play()
    #expect(played.code == 0, "\(played.errors)")
    #expect(server.requests.count { $0.path == "/112.wav" } == 1)
  }

  @Test func timingsThatTheServerDoesNotHaveAreNotSaidToBeComing() async throws {
    let recitation = try recite("112", as: "112.wav")
    let sound = WaveFile.bytes(rounding: recitation.samples, rate: ToneRecitation.rate)
    let server = ScriptedServer { request, _ in
      request.path == "/112.wav" ? .ok(sound) : .status("404 Not Found")
    }
    let added = try await program.run(
      "source", "add", "Net", "--url", server.url("{surah:3}.wav"), "--timings",
      server.url("{surah:3}.json"), "--insecure-http")
    #expect(added.code == 0, "\(added.errors)")
    #expect(try await program.run("source", "fetch", "Net", "112").code == 1)
    let checked = try await program.run("timings", "check", "Net")
    #expect(checked.code == 1)
    #expect(
      checked.errors
        == "Net Al-Ikhlas (112): the server does not have the timings of Al-Ikhlas (112);"
        + " 'source fetch Net 112 --renew-timings' asks again\n")
    let listed = try await program.run("reciter", "list")
    #expect(
      listed.output.contains("the server refused the timings ('source show Net'"),
      "\(listed.output)")
    let shown = try await program.run("source", "show", "Net")
    #expect(shown.output.contains("untimed  the server does not have the timings of Al-Ikhlas"))
  }

  @Test func trustCoversWhatIsFetchedLaterAndNeverReplacesWhatWasChecked() async throws {
    var files: [String: [UInt8]] = [:]
    for surah in ["112", "113"] {
      try publish(try recite(surah, as: "\(surah).wav"), as: "\(surah).json", shift: 2)
      for name in ["\(surah).wav", "\(surah).json"] {
        files["/\(name)"] = try [UInt8](Data(contentsOf: URL(filePath: folder.path(name))))
      }
    }
    let isGone = Monitor(false)
    let server = ScriptedServer { [files] request, _ in
      guard let content = files[request.path] else { return .status("404 Not Found") }
      let isTimings = request.path.hasSuffix(".json")
      return isTimings && isGone.update { $0 } ? .status("404 Not Found") : .ok(content)
    }
    func run(_ arguments: String...) async throws -> Program.Outcome {
      try await program.run(arguments)
    }
    func playable() async throws -> Substring? {
      try await run("source", "show", "Net").output.split(separator: "\n").first {
        $0.hasPrefix("playable")
      }?.split(separator: ": ").last
    }
    let added = try await run(
      "source", "add", "Net", "--url", server.url("{surah:3}.wav"), "--timings",
      server.url("{surah:3}.json"), "--insecure-http", "--trust-timings")
    #expect(added.code == 0, "\(added.errors)")
    let first = try await run("source", "fetch", "Net", "112")
    #expect(first.code == 0 && first.errors.contains("as you trust them"), "\(first.errors)")
    #expect(try await playable() == "0 by checked timings, 4 by trusted")

    #expect(try await run("timings", "check", "Net", "--repair").code == 65)
    #expect(try await playable() == "4 by checked timings, 0 by trusted")
    #expect(try await run("source", "edit", "Net", "--trust-timings").code == 0)
    #expect(try await playable() == "4 by checked timings, 0 by trusted")
    let renewed = try await run("source", "fetch", "Net", "112", "--renew-timings")
    #expect(renewed.code == 0 && renewed.errors.contains("stay in use"), "\(renewed.errors)")
    isGone.update { $0 = true }
    #expect(try await run("source", "fetch", "Net", "112", "--renew-timings").code == 1)
    #expect(try await playable() == "4 by checked timings, 0 by trusted")

    isGone.update { $0 = false }
    #expect(try await run("source", "fetch", "Net", "113").code == 0)
    #expect(try await playable() == "4 by checked timings, 5 by trusted")
    #expect(try await run("source", "edit", "Net", "--no-trust-timings").code == 0)
    #expect(try await playable() == "4 by checked timings, 0 by trusted")
  }

  @Test func wordsThatNobodyTimedAreHeard() async throws {
    let recitation = try recite("93", as: "set/093.wav")
    try publish(recitation, as: "timings.json")
    let added = try await program.run(
      "source", "add", "Set", "--folder", folder.path("set"), "--timings",
      folder.path("timings.json"), "--trust-timings")
    #expect(added.code == 0, "\(added.errors)")
    let out = folder.path("out.wav")
    let played = try await program.run(
      "play", "93:6", "--words", "2-3", "--reciter", "Set", "--output", out)
    #expect(played.code == 0, "\(played.errors)")
    let words = QuranSounds.words(of: AyahReference("93:6")!)
    let wanted =
      recitation.seconds(of: Array(words.prefix(3)))
      - recitation.seconds(of: Array(words.prefix(1)))
    let seconds =
      Double(try Data(contentsOf: URL(filePath: out)).count) / 4 / Double(ToneRecitation.rate)
    #expect(abs(seconds - wanted) < 0.3, "\(seconds) instead of \(wanted)")
  }

  @Test func anEmptyFolderIsNoSource() async throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("empty"), withIntermediateDirectories: false)
    let outcome = try await program.run("source", "add", "Empty", "--folder", folder.path("empty"))
    #expect(outcome.code == 65 && outcome.errors.contains("002255.mp3"))
    #expect(try await program.run("source", "list").output.isEmpty)
    #expect(try await program.run("reciter", "list").output.isEmpty)
  }
}
