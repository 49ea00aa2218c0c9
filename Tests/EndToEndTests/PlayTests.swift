// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Glibc
import TestSupport
import Testing

/// `play`, into files whose samples are compared with those of the recording.
struct PlayTests {
  let program: Program
  let folder: TemporaryFolder
  let noise = NoiseRecording()

  init() throws {
    program = try Program()
    folder = try TemporaryFolder()
  }

  private static let continuous = "0\t2\t1:1\n2\t5.125\t1:2\n5.125\t10\t1:3-4\n7\t7\t1:4\n"

  private func publish(_ labels: String, of wav: [UInt8]? = nil, as title: String = "Noise")
    async throws
  {
    let recording = try folder.write(wav ?? noise.wav, to: "\(title.lowercased()).wav")
    try await program.publishing(recording, as: title, labels: labels)
  }

  private func played(_ arguments: String...) async throws -> [Float] {
    let output = folder.path("out.wav")
    let outcome = try await program.run(["play"] + arguments + ["--output", output, "--force"])
    #expect(outcome.code == 0, "\(outcome.errors)")
    return try WaveFile.samples(ofFloats: output)
  }

  private func silence(_ frames: Int) -> [Float] { [Float](repeating: 0, count: frames) }

  @Test func whatFollowsInTheRecordingIsPlayedWithoutASeam() async throws {
    try await publish(Self.continuous)
    #expect(try await played("1:1-1:4") == noise.decoded(0..<80_000))
    #expect(try await played("1:2", "--connect-after", "1") == noise.decoded(16_000..<56_000))
  }

  @Test func gapsAndRepetitionsAreExactToTheFrame() async throws {
    try await publish(Self.continuous)
    let (first, second) = (noise.decoded(0..<16_000), noise.decoded(16_000..<41_000))
    let gap = silence(4000)
    let heard = try await played(
      "1:1-2", "--repeat-ayah", "2", "--repeat-range", "2", "--gap", "500ms")
    let round = [first, gap, first, gap, second, gap, second]
    #expect(heard == (round + [gap] + round).flatMap(\.self))
  }

  @Test func silenceStandsForWhatIsMissingAndTheLogNamesIt() async throws {
    try await publish(Self.continuous)
    #expect(try await played("1:4-5") == noise.decoded(56_000..<80_000) + silence(4000))
    let log = try String(contentsOfFile: program.home + "/state/playback.log", encoding: .utf8)
    #expect(log.split(separator: "\n").count == 1)
    #expect(log.contains("Z 1:5 is missing"), "\(log)")
    let longer = try await program.run(
      ["play", "1:4-5", "--output", folder.path("out.wav"), "--force"],
      environment: ["TILAWA_PLAYBACK_MISSING_SILENCE": "2s"])
    #expect(longer.code == 0, "\(longer.errors)")
    #expect(
      try WaveFile.samples(ofFloats: folder.path("out.wav"))
        == noise.decoded(56_000..<80_000) + silence(16_000))
    let cancelled = try await program.run(
      "play", "1:4-5", "--missing", "cancel", "--output", folder.path("none.wav"))
    #expect(cancelled.code == 66)
    #expect(cancelled.errors.contains("1:5"), "\(cancelled.errors)")
    let nothing = try await program.run("play", "2", "--output", folder.path("none.wav"))
    #expect(nothing.code == 66)
    #expect(try folder.contents == ["noise.wav", "out.wav"])
  }

  @Test func aCrossfadeOverlapsWhatDoesNotContinue() async throws {
    try await publish("0\t2\t1:1\n2\t3\tunused: silence\n3\t5\t1:2\n")
    let heard = try await played("1:1-2", "--crossfade", "100ms")
    let output = folder.path("set.wav")
    let set = try await program.run(
      ["play", "1:1-2", "--output", output],
      environment: ["TILAWA_PLAYBACK_CROSSFADE": "100ms", "TILAWA_PLAYBACK_FADE_IN": "1s"])
    #expect(set.code == 0, "\(set.errors)")
    #expect(try WaveFile.samples(ofFloats: output) == heard)
    let fast = try await program.run(
      ["play", "1:1-2", "--output", output, "--force"],
      environment: ["TILAWA_PLAYBACK_SPEED": "2"])
    #expect(fast.code == 0, "\(fast.errors)")
    #expect((15_000...17_000).contains(try WaveFile.samples(ofFloats: output).count))
    #expect(heard.count == 31_200)
    #expect(heard.prefix(15_200) == noise.decoded(0..<15_200)[...])
    #expect(heard.suffix(15_200) == noise.decoded(24_800..<40_000)[...])
  }

  @Test func theBasmalahIsHeardOnceWhereASurahIsPlayedOnInto() async throws {
    // 1:7, the basmalah before 2:1 as a segment of its own, and another far from it.
    try await publish(
      "0\t1\tbasmalah (2)\n1\t2\t1:1\n2\t3\t1:7\n3\t4\tbasmalah (2)\n4\t5\t2:1\n5\t6\t2:286\n6\t7\t3:1\n"
        + "7\t8\t8:75\n8\t9\t9:1\n")
    let seconds = { (range: ClosedRange<Int>) in
      noise.decoded(range.lowerBound * 8000..<range.upperBound * 8000)
    }
    // What was recorded before it.
    #expect(try await played("1:7-2:1") == seconds(2...5))
    #expect(try await played("1:7-2:1", "--no-basmalah") == seconds(2...3) + seconds(4...5))
    #expect(try await played("2:1") == seconds(4...5))
    let gap = silence(800)
    #expect(
      try await played("1:7-2:1", "--gap", "100ms")
        == seconds(2...3) + gap + seconds(3...4) + seconds(4...5))
    // None was recorded before 3:1: the first ayah of all stands for it. Before 9:1 there is none.
    #expect(try await played("2:286-3:1") == seconds(5...6) + seconds(1...2) + seconds(6...7))
    #expect(try await played("8:75-9:1") == seconds(7...9))
  }

  @Test func noSecondBasmalahIsHeardBeforeASurahThatBeginsWithIt() async throws {
    try await publish(
      "0\t1\t1:1\n1\t2\t111:5\n2\t4\tbasmalah + 112:1\n4\t5\tbasmalah + 112:4 | 113:1\n4.5\t4.5\t113:1\n"
    )
    let seconds = { (range: ClosedRange<Int>) in
      noise.decoded(range.lowerBound * 8000..<range.upperBound * 8000)
    }
    #expect(try await played("111:5-112:1") == seconds(1...4))
    let gap = silence(800)
    #expect(
      try await played("111:5-112:1", "--gap", "100ms") == seconds(1...2) + gap + seconds(2...4))
    // The two sides of a breath, parted by a gap.
    #expect(
      try await played("112:4-113:1", "--gap", "100ms")
        == noise.decoded(32_000..<36_000) + gap + noise.decoded(36_000..<40_000))
    let label = try await program.run("export", "noise", "--format", "audacity")
    #expect(label.output.contains("basmalah + 112:1"), "\(label.errors)")
  }

  @Test func recordingsAreAsLoudAsTheFirst() async throws {
    try await publish("0\t5\t1:1\n5\t10\t1:3\n")
    // The same at a quarter of the amplitude, for the ayah that the first has not.
    let soft = noise.decoded(0..<40_000).map { $0 / 4 }
    try await publish(
      "0\t5\t1:2\n", of: WaveFile.bytes(soft, rate: NoiseRecording.rate), as: "Soft")
    let heard = try await played("1:1-3")
    #expect(heard.count == 120_000)
    #expect(heard[..<40_000] == noise.decoded(0..<40_000)[...])
    let (low, high) = (40_100, 79_900)
    let level = zip(heard[low..<high], soft[100..<39_900]).map { abs($0) / max(abs($1), 1e-9) }
    #expect(level.allSatisfy { abs($0 - 4) < 0.1 })
    let plain = try await played("1:1-3", "--no-gain")
    #expect(plain[40_000..<80_000] == soft[...])
  }

  @Test func aGapKeepsItsLengthAtAnotherSpeed() async throws {
    try await publish(Self.continuous)
    let heard = try await played("1:1-2", "--gap", "500ms", "--speed", "0.5")
    let silences = heard.split(whereSeparator: { $0 != 0 }).map(\.count).filter { $0 > 1000 }
    #expect(silences == [4000])
    #expect(abs(heard.count - 2 * 41_000 - 4000) <= 2)
  }

  @Test func learningByHeartHasItsOwnOrderGapsAndParts() async throws {
    try await publish(Self.continuous)
    let (first, second) = (noise.decoded(0..<16_000), noise.decoded(16_000..<41_000))
    #expect(try await played("1:1-2", "--stepping") == [first, second, second].flatMap(\.self))
    #expect(try await played("1:1-2", "--cumulative") == [first, first, second].flatMap(\.self))
    #expect(
      try await played("1:1-2", "--gap", "0.5x+100ms")
        == first + silence(8000 + 800) + second)
    #expect(
      try await played("1:2", "--from", "0:01", "--until", "0:02")
        == noise.decoded(24_000..<32_000))
    let several = try await program.run("play", "1:1-2", "--from", "0:01")
    #expect(several.code == 64, "\(several.errors)")
    let words = try await program.run(
      "play", "1:1", "--words", "1-2", "--output", folder.path("words.wav"))
    #expect(words.code == 69 && words.errors.contains("by time"), "\(words.errors)")
    let late = try await program.run(
      "play", "1:1", "--from", "0:09", "--output", folder.path("late.wav"))
    #expect(late.code == 64 && late.errors.contains("1:1 lasts 2.00 s"), "\(late.errors)")
    let beyond = try await program.run(
      "play", "1:1", "--until", "0:09", "--output", folder.path("late.wav"))
    #expect(beyond.code == 64 && beyond.errors.contains("1:1 lasts 2.00 s"), "\(beyond.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("late.wav")))
    #expect(try await played("1:1", "--until", "0:02") == first)
    let junk = try await program.run(["play", "1:1", "--timings", "/etc/passwd"])
    #expect(
      junk.errors.contains("/etc/passwd: this is not a JSON file of word timings"),
      "\(junk.errors)")
    let unknown = try await program.run(["play", "junk"])
    #expect(
      unknown.errors.contains("did you mean Yunus (10)? (no recording"), "\(unknown.errors)")
    let lacking = try await program.run("play", "1:1", "--words", "3-9")
    #expect(lacking.code == 64 && lacking.errors.contains("has 4 words"), "\(lacking.errors)")
    let blind = try await program.run("play", "1:1", "--window", "--device", "null")
    #expect(blind.code == 64 && blind.errors.contains("needs a terminal"), "\(blind.errors)")
  }

  @Test func whatIsMissingStaysSoUntilItIsHeard() async throws {
    try await publish(Self.continuous)
    _ = try await program.run("play", "2:1-3", "3:1", "--device", "null", "--line")
    for _ in 1...2 {
      #expect(try await program.run("missing").output == "2:1-3\n3:1\n")
      _ = try await program.run("play", "--missed", "--device", "null", "--line")
    }
    var other = noise.wav
    other[other.count - 1] ^= 1
    try await publish("0\t0.2\t2:1\n0.2\t0.4\t2:2\n", of: other, as: "Other")
    _ = try await program.run("play", "--missed", "--device", "null", "--line")
    #expect(try await program.run("missing").output == "2:3\n3:1\n")
  }

  @Test func aRecordingThatIsInTheBinIsSaidToBeThere() async throws {
    try await publish(Self.continuous)
    _ = try await program.run("play", "Noise", "--device", "null", "--line", "--for", "1s")
    let removed = try await program.run("remove", "Noise")
    #expect(removed.code == 0, "\(removed.errors)")
    let resumed = try await program.run("play", "--resume", "--device", "null", "--line")
    #expect(resumed.errors.contains("Noise: it is in the bin"), "\(resumed.errors)")
  }

  @Test func whatAQueryFindsIsNamedByItsAyat() async throws {
    try await publish("0\t2\t112:4\n2\t5.125\t113:1\n5.125\t7\t113:2\n")
    _ = try await program.run("playlist", "new", "short", "--query", "length:<30s")
    let shown = try await program.run("playlist", "show", "short")
    #expect(shown.output.contains("112:4-113:2 Al-Ikhlas"), "\(shown.output)")
  }

  @Test func listsAreNamedAsTheyAreShownAndWhatIsLeftOutIsSaid() async throws {
    try await publish(Self.continuous)
    #expect(try await program.run("playlist", "new", "@morning", "1:1").code == 0)
    #expect(try await program.run("playlist", "add", "@morning", "1:2").code == 0)
    #expect(try await program.run("playlist").output.contains("@morning  1:1, 1:2"))
    #expect(try await program.run("playlist", "show", "morning").output.contains("1:2"))
    for name in ["@@at", " ", " a"] {
      let odd = try await program.run("playlist", "new", name, "1:1")
      #expect(odd.code == 64 && odd.errors.contains("name of a list"), "\(odd.errors)")
    }
    let nothing = try await program.run("playlist", "add", "morning")
    #expect(nothing.code == 64 && nothing.errors.contains("name what to add"))
    for editor in ["/bin/false", "/nothing"] {
      let edited = try await program.run(
        ["playlist", "edit", "morning"], environment: ["EDITOR": editor, "VISUAL": ""])
      #expect(edited.code != 0 && edited.errors.contains("'\(editor)' ended"), "\(edited.errors)")
    }
    let open = try await program.run("playlist", "new", "open", "--query", "reciter:\"Emad")
    #expect(open.code == 64 && open.errors.contains("a quote is not closed"), "\(open.errors)")
    #expect(try await program.run("playlist", "remove", "@morning").code == 0)
  }

  @Test func onlyAnOrdinaryFileIsAList() async throws {
    try await publish(Self.continuous)
    _ = try await program.run("playlist", "new", "real", "1:1")
    let lists = program.home + "/library/Playlists/"
    try FileManager.default.createSymbolicLink(
      atPath: lists + "link.toml", withDestinationPath: "real.toml")
    try FileManager.default.createDirectory(
      atPath: lists + "folder.toml", withIntermediateDirectories: false)
    #expect(mkfifo(lists + "pipe.toml", 0o600) == 0)
    for name in ["link", "folder", "pipe"] {
      for command in [["play", "@\(name)"], ["playlist", "show", name]] {
        let run = try await program.run(command)
        #expect(
          run.code == 66 && run.errors.contains("'\(name)' is a link, a folder or a device"),
          "\(run.errors)")
      }
    }
    let all = try await program.run("playlist")
    #expect(all.code == 0 && !all.output.contains("there is no list"), "\(all.output)")
  }

  @Test func whatCanBeDoneWithAFileOfNoLibraryIsSaid() async throws {
    let file = try folder.write(noise.wav, to: "voice.wav")
    func expectAdvice(_ file: String) async throws {
      let run = try await program.run("play", file, "--device", "null", "--line")
      #expect(run.code == 66 && run.errors.contains("'audition' plays any file"), "\(run.errors)")
    }
    try await expectAdvice(file)
    let none = try await program.run("play", "1", "--device", "null", "--line")
    #expect(none.errors.contains("there is no library yet"))
    // It is another than the one that the library has.
    try await publish(Self.continuous)
    try await expectAdvice(try folder.write([UInt8](noise.wav.dropLast(8000)), to: "other.wav"))
  }

  @Test func fetchingWithoutASourceIsSaid() async throws {
    try await publish(Self.continuous)
    _ = try await program.run("play", "2:1", "1:1", "--device", "null", "--line")
    let fetched = try await program.run("missing", "--fetch")
    #expect(fetched.errors.contains("nothing was fetched"), "\(fetched.errors)")
  }

  @Test func aLogOfWhatCannotHaveBeenHeardIsRefused() async throws {
    try await publish(Self.continuous)
    let log = folder.path("heard.jsonl")
    func merged(frames: Int, at time: Int) async throws -> Program.Outcome {
      let id = UUID().uuidString
      _ = try folder.write(
        Array(
          """
          {"schema":"tilawa.heard/1","id":"\(id)","at":\(time),"ayah":"1:1","riwayah":"hafs",\
          "media":"m","frames":\(frames),"length":48000,"rate":48000,"speed":1}

          """.utf8), to: "heard.jsonl")
      return try await program.run("stats", "--import", log)
    }
    let now = Int(Date().timeIntervalSince1970)
    #expect(try await merged(frames: 48_000, at: now).code == 0)
    // The clock of another machine may be a little ahead.
    #expect(try await merged(frames: 48_000, at: now + 3600).code == 0)
    #expect(try await merged(frames: 48_001, at: now).code != 0)
    let ahead = try await merged(frames: 48_000, at: now + 7 * 86_400)
    #expect(ahead.code == 0 && ahead.errors.contains("merged 0"), "\(ahead.errors)")
    #expect(ahead.errors.contains("skipped 1 line with a date that lies ahead"))
    // What belongs to statistics alone is no part of that.
    for option in [["--by", "surah"], ["--format", "json"]] {
      #expect(try await program.run(["stats", "--forget"] + option).code == 64)
    }
    #expect(try await program.run("stats", "--forget").errors.contains("deleted 2 hearings"))
  }

  @Test func theGapOfAListYieldsToTheOptionAndNotToTheSetting() async throws {
    try await publish(Self.continuous)
    _ = try await program.run("playlist", "new", "slow", "1:1-2", "--gap", "500ms")
    let (first, second) = (noise.decoded(0..<16_000), noise.decoded(16_000..<41_000))
    let output = folder.path("set.wav")
    let set = try await program.run(
      ["play", "@slow", "--output", output], environment: ["TILAWA_PLAYBACK_GAP": "1.0x"])
    #expect(set.code == 0, "\(set.errors)")
    #expect(try WaveFile.samples(ofFloats: output) == first + silence(4000) + second)
    #expect(try await played("@slow", "--gap", "0ms") == first + second)
    #expect(try await played("@slow", "--gap", "250ms") == first + silence(2000) + second)
  }

  @Test func severalItemsAreHeardInOrderAndATitleIsNoSurah() async throws {
    try await publish(Self.continuous)
    let (first, second) = (noise.decoded(0..<16_000), noise.decoded(16_000..<41_000))
    #expect(
      try await played("1:2-3", "1:4", "1:2", "1:1")
        == noise.decoded(16_000..<80_000) + second + first)
    // Night is a surah's name too.
    let renamed = try await program.run("rename", "Noise", "Night 3")
    #expect(renamed.code == 0, "\(renamed.errors)")
    #expect(try await played("night 3") == noise.decoded(0..<80_000))
    let none = try await program.run("play", "Night 9", "--output", folder.path("none.wav"))
    #expect(none.code == 64 && none.errors.contains("no recording has that title"))
    _ = try await program.run("playlist", "new", "nights", "1:1")
    let added = try await program.run("playlist", "add", "nights", "Night 9")
    #expect(added.code == 64 && added.errors.contains("the list nights: "), "\(added.errors)")
    let (one, same) = (
      try await played("1:1-3", "--shuffle", "ayah", "--seed", "5"),
      try await played("1:1-3", "--shuffle", "ayah", "--seed", "5")
    )
    #expect(one == same && one.count == 56_000)
    let two = try await played(
      "1:1-3", "--shuffle", "ayah", "--seed", "5", "--repeat-range", "3")
    #expect(two.count == 3 * 56_000 && two.starts(with: one))
    let passes = stride(from: 0, to: two.count, by: 56_000).map { Array(two[$0..<$0 + 56_000]) }
    #expect(Set(passes).count > 1)
    for pass in passes { #expect(pass.sorted() == one.sorted()) }
  }

  @Test func goesOnAfterTheRange() async throws {
    try await publish(Self.continuous)
    #expect(try await played("1:1", "--then", "ayat:2") == noise.decoded(0..<56_000))
    // A recording ends with its last ayah, unless more is asked for, which it does not have.
    let output = folder.path("set.wav")
    let set = try await program.run(
      ["play", "Noise", "--output", output], environment: ["TILAWA_PLAYBACK_THEN": "ayat:2"])
    #expect(set.code == 0 && !set.errors.contains("cannot be played"), "\(set.errors)")
    #expect(try WaveFile.samples(ofFloats: output) == noise.decoded(0..<80_000))
    let asked = try await program.run(
      "play", "Noise", "--then", "ayat:1", "--output", folder.path("asked.wav"))
    #expect(asked.errors.contains("1:5: the recording that was named does not have it"))
    #expect(!asked.errors.contains("nobody"), "\(asked.errors)")
  }

  @Test func theSeedOfAShuffledListIsSaidAndCanBeGiven() async throws {
    try await publish(Self.continuous)
    _ = try await program.run("playlist", "new", "mixed", "1:1-4", "--shuffle", "ayah")
    let output = folder.path("first.wav")
    let first = try await program.run("play", "@mixed", "--output", output)
    let seed = try #require(first.errors.firstMatch(of: /shuffled ayah by ayah, seed ([0-9]+)/)?.1)
    let again = try await played("@mixed", "--seed", String(seed))
    let isSame = try WaveFile.samples(ofFloats: output) == again
    #expect(isSame)
    var orders: Set<[Float]> = []
    for seed in 1...5 { orders.insert(try await played("@mixed", "--seed", "\(seed)")) }
    #expect(orders.count > 1)
    let shown = try await program.run("playlist", "show", "mixed")
    #expect(shown.output.contains("1:1-4 Al-Fatihah") && shown.output.contains("--seed N"))
    _ = try await program.run("playlist", "new", "listed", "1:1-4")
    for what in ["1", "@listed"] {
      let refused = try await program.run("play", what, "--seed", "1", "--output", output)
      #expect(refused.code == 64 && refused.errors.contains("--seed needs"), "\(refused.errors)")
    }
  }

  @Test func statisticsTellOfTheTimeAndTheTableThatAreAskedFor() async throws {
    for (days, time) in [(nil, "yet"), ("1", "today"), ("7", "in the last 7 days")] {
      let shown = try await program.run(["stats"] + (days.map { ["--days", $0] } ?? []))
      #expect(shown.output.contains("nothing has been heard \(time)"), "\(shown.output)")
    }
    // For programs too, only what was asked for.
    let all = try await program.run("stats", "--format", "json")
    for key in ["by_day", "by_surah", "by_reciter"] { #expect(all.output.contains(key)) }
    let some = try await program.run("stats", "--by", "surah", "--format", "json")
    #expect(some.output.contains("by_surah") && some.output.contains("completions"))
    #expect(!some.output.contains("by_day") && !some.output.contains("by_reciter"))
  }

  @Test func saysWhatCannotBe() async throws {
    let without = try await program.run("play", "1")
    #expect(without.code == 66 && without.errors.contains("import"), "\(without.errors)")
    try await publish(Self.continuous)
    let nobody = try await program.run("play", "1", "--reciter", "Nobody")
    #expect(nobody.code == 64, "\(nobody.errors)")
    let endless = try await program.run(
      "play", "1", "--repeat-range", "forever", "--output", folder.path("out.wav"))
    #expect(endless.code == 64 && endless.errors.contains("--repeat-range 3"), "\(endless.errors)")
    for option in ["ayah", "range"] {
      let list = try await program.run(
        "playlist", "new", option, "1", "--repeat-\(option)", "forever")
      #expect(list.code == 0, "\(list.errors)")
      let listed = try await program.run(
        "play", "@\(option)", "--output", folder.path("listed.wav"))
      #expect(listed.code == 64 && listed.errors.contains("--repeat-\(option) 3"))
      let set = try await program.run(
        ["play", "1", "--output", folder.path("set.wav")],
        environment: ["TILAWA_PLAYBACK_REPEAT_\(option.uppercased())": "forever"])
      #expect(set.code == 64 && set.errors.contains("--repeat-\(option) 3"), "\(set.errors)")
      // A number that is given is heard, whatever the list says.
      let once = try await program.run(
        "play", "@\(option)", "--repeat-\(option)", "1", "--output", folder.path("\(option).wav"))
      #expect(once.code == 0, "\(once.errors)")
    }
    _ = try await program.run("playlist", "new", "mixed", "1", "--shuffle", "ayah")
    for practice in ["--stepping", "--cumulative"] {
      for what in [["1", "--shuffle", "ayah"], ["@mixed"]] {
        let mixed = try await program.run(
          ["play"] + what + [practice, "--output", folder.path("set.wav")])
        #expect(mixed.code == 64 && mixed.errors.contains("in order"), "\(mixed.errors)")
      }
    }
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(!left.contains { $0.hasPrefix("listed") || $0.hasPrefix("set") }, "\(left)")
    let device = try await program.run("play", "1:1", "--device", "hw:CARD=nothing")
    #expect(device.code == 69)
    #expect(device.errors.contains("--output"), "\(device.errors)")
  }
}
