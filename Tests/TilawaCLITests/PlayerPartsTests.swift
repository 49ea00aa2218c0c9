// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import AudioCore
import Library
import Listening
import Playback
import Quran
import TestSupport
import Testing

@testable import TilawaCLI

@Suite struct PlayerPartsTests {
  @Test func aListIsReadAsItIsWritten() throws {
    var list = Playlist(name: "morning")
    list.play = ["67", "juz 30", #"Night "3" \ 4"#]
    list.query = try LibraryQuery(parsing: #"surah:18 reciter:"Mahmoud Khalil" length:<30s"#)
    list.reciters = ["Al-Husary"]
    list.riwayah = .warsh
    list.repeatAyah = .times(3)
    list.repeatRange = .endless
    list.gap = GapArgument(argument: "1.5x+750ms")
    list.shuffle = .recording
    #expect(try Playlist(name: "morning", text: list.text) == list)
  }

  @Test func whatPeopleWriteByHandIsUnderstood() throws {
    let list = try Playlist(
      name: "a",
      text: """
        # mornings
        play = [67, "2:255"]
        gap = "0.5s"
        order = "listed"
        repeat_ayah = 2
        """)
    #expect(list.play == ["67", "2:255"])
    #expect(
      list.gap == GapArgument(argument: "500ms") && list.repeatAyah == .times(2)
        && list.shuffle == nil)
  }

  @Test(arguments: [
    "", "play = []", "play = 3.5", "colour = \"red\"", "play = \"67\"\ngap = \"soon\"",
    "play = \"67\"\norder = \"shuffle\"", "query = \"colour:red\"", "play = [\"67\"",
    "play = \"67\"\nriwayah = \"x\"", "play = \"67\"\nrepeat_ayah = 0",
  ]) func whatMakesNoSenseNamesTheList(text: String) {
    let failure = #expect(throws: Failure.self) { try Playlist(name: "mine", text: text) }
    #expect(failure?.message.contains("mine") ?? false)
  }

  @Test func anyTextIsReadOrRefused() {
    let pieces = [
      "play", "query", "=", "[", "]", "\"", "'", "\n", "#", "67", "juz 30", ",", "gap", "500ms",
      "order", "shuffle ayah", "{", "}", "\u{202E}", "é", "\\", "repeat_ayah",
      "9999999999999999999",
    ]
    var random = SplitMix64(state: 9)
    for _ in 0..<1500 {
      let text = (0..<Int.random(in: 0...14, using: &random)).map { _ in
        pieces.randomElement(using: &random) ?? ""
      }.joined(separator: Bool.random(using: &random) ? " " : "")
      if let list = try? Playlist(name: "x", text: text) {
        #expect((try? Playlist(name: "x", text: list.text)) == list)
      }
    }
    let long = String(repeating: "#", count: Library.longestList + 1)
    #expect(throws: Failure.self) { try Playlist(name: "x", text: long) }
  }

  @Test(arguments: [
    ("play = [\"67\"]", "play = [\"67\", \"juz 30\"]"),
    (
      "# mine\nplay = \"67\"   # al-Mulk\ngap = \"1s\"\n",
      "# mine\nplay = [\"67\", \"juz 30\"]   # al-Mulk\ngap = \"1s\"\n"
    ),
    ("play = [ 67, '36' , ] # two", "play = [ 67, '36', \"juz 30\" , ] # two"),
    (
      "play = [\n  \"67\", # mulk\n\n  \"36\"  # yasin, too\n]\n\n# the end",
      "play = [\n  \"67\", # mulk\n\n  \"36\",  # yasin, too\n  \"juz 30\",\n]\n\n# the end"
    ),
    ("play = [\n\t\"67\",\n]", "play = [\n\t\"67\",\n\t\"juz 30\",\n]"),
    ("play = [\n  \"67\"\n  ,]", "play = [\n  \"67\", \"juz 30\"\n  ,]"),
    ("query = 'surah:2' # of it", "query = 'surah:2' # of it\nplay = [\"juz 30\"]\n"),
    ("play = []\nquery = 'surah:2'\n", "play = [\"juz 30\"]\nquery = 'surah:2'\n"),
  ]) func whatIsAddedChangesNothingElseOfAList(text: String, after: String) throws {
    let added = try Playlist.adding(["juz 30"], to: text, of: "mine")
    #expect(added == after)
    var list = try Playlist(name: "mine", text: text)
    list.play.append("juz 30")
    #expect(try Playlist(name: "mine", text: added) == list)
  }

  @Test func aSessionIsReadAsItWasKept() throws {
    var request = PlaybackRequest(try AyahRange(parsing: "67:3-67:9"), riwayah: .warsh)
    request.reciters = .inOrder([ReciterID(rawValue: 4), nil])
    request.only = MediaKey(rawValue: "night")
    request.fillsFromOthers = true
    request.crossfadeMilliseconds = 250
    request.crossfadeCurve = .sCurve
    request.connectionBefore = 2
    // As lists and people ask for it, whatever the command line says.
    request.ayahRepeat = .endless
    request.rangeRepeat = .times(4)
    request.practice = .cumulative
    request.gapMilliseconds = 250
    request.gapFactor = 0.5
    var queue = [QueueEntry(PlaybackItem.ID(5), title: "Night", source: "night", request)]
    // Shuffled, with what its next rounds and its old order need.
    let template = PlaybackRequest(try AyahRange(parsing: "1"))
    queue += [QueueEntry(PlaybackItem.ID(6), title: "112", source: "112", template)]
      .shuffled(by: .ayah, seed: 3, firstNumber: 7)
    let kept = KeptListening(arguments: ["67", "--gap", "1s"], queue: queue, seed: 7)
    let text = try #require(kept.json())
    let read = try #require(KeptListening.read(text, as: KeptListening.self))
    #expect(read == kept)
    #expect(read.queue(template) == queue)
    #expect(KeptListening.read("{", as: KeptListening.self) == nil)
    // What an older version kept is heard as the command line says.
    var old = kept
    old.entries[0].repeats = nil
    var sevenTimes = template
    sevenTimes.ayahRepeat = .times(7)
    #expect(old.queue(sevenTimes)[0].request.ayahRepeat == .times(7))
  }

  @Test func whatWasNotHeardLeavesThePlaceToGoOnFrom() throws {
    let folder = try TemporaryFolder()
    let library = try Library(at: LibraryFolder(path: folder.path("library")))
    let log = PlaybackLog(folders: UserFolders { _ in nil })
    let range = try AyahRange(parsing: "67:3-67:9")
    let queue = [
      QueueEntry(PlaybackItem.ID(1), title: "67", source: "67", PlaybackRequest(range))
    ]
    func recorder(_ session: ListeningSession? = nil) -> ListeningRecorder {
      ListeningRecorder(library, log: log, arguments: ["67:3-9"], reciters: [], session: session)
    }
    var now = NowPlaying(Itinerary(queue[0].request).first, of: queue[0].id, .active(.playing))
    let heard = recorder()
    now.frame = FramePosition(1234)
    heard.look(now, queue: queue)
    heard.finish(now, queue: queue)
    let left = try #require(try LeftListening.all(in: library).first)
    #expect(left.place.ayah == "67:3" && left.place.frame == 1234)
    // It goes on without a device, or something else has no sound: all stays as it was.
    now.state = .failed(.renderer("no such device"))
    now.frame = nil
    for session in [left.session, nil] {
      let silent = recorder(session)
      silent.look(now, queue: queue)
      silent.finish(now, queue: queue)
      #expect(try library.listeningSessions().count == 1)
      #expect(try LeftListening.all(in: library).first?.place == left.place)
    }
    // Two that go on with it have a session each.
    now.state = .active(.playing)
    now.frame = FramePosition(2000)
    let two = [recorder(left.session), recorder(left.session)]
    for other in two {
      other.look(now, queue: queue)
      other.finish(now, queue: queue)
    }
    now.frame = FramePosition(3000)
    two[0].finish(now, queue: queue)
    #expect(
      try Set(LeftListening.all(in: library).map(\.place.frame)) == [2000, 3000])
    now.state = .failed(.renderer("no such device"))
    now.frame = nil
    // What was missing is known all the same.
    let missing = recorder(left.session)
    missing.miss(range.first)
    missing.finish(now, queue: queue)
    #expect(try LeftListening.all(in: library).count == 2)
    #expect(try MissedAyat.latest(in: library)?.ranges == [AyahRange(range.first)])
  }

  @Test func anAyahOfWhichAPartWasHeardIsMissingStill() throws {
    let folder = try TemporaryFolder()
    let library = try Library(at: LibraryFolder(path: folder.path("library")))
    let ayah = try #require(AyahReference("67:3"))
    let rate = try #require(SampleRate(hertz: 8000))
    let format = try #require(AudioFormat(rate: rate, channels: 1))
    let span = FramePosition(0)..<FramePosition(80_000)
    let queue = [
      QueueEntry(
        PlaybackItem.ID(1), title: "67:3", source: "67", PlaybackRequest(AyahRange(ayah)))
    ]
    var now = NowPlaying(Itinerary(queue[0].request).first, of: queue[0].id, .active(.playing))
    now.clip = AyahClip(
      ayah, AudioClip(MediaKey(rawValue: "night"), span, format: format), riwayah: .hafs,
      reciter: nil)
    for (end, isMissing) in [(Int64(40_000), true), (80_000, false)] {
      let recorder = ListeningRecorder(
        library, log: PlaybackLog(folders: UserFolders { _ in nil }), arguments: ["67:3"],
        reciters: [])
      recorder.miss(ayah)
      for frame in stride(from: 0, through: end, by: 4000) {
        now.frame = FramePosition(frame)
        recorder.look(now, queue: queue)
      }
      now.frame = nil
      now.state = .active(.awaitingNextAyah)
      recorder.look(now, queue: queue)
      recorder.finish(now, queue: queue)
      #expect(try (MissedAyat.latest(in: library) != nil) == isMissing)
      now.state = .active(.playing)
    }
  }

  @Test func aPlaceIsGoneBackToExactly() throws {
    let range = try AyahRange(parsing: "67:1-67:2")
    var now = NowPlaying(
      Itinerary(PlaybackRequest(range)).first, of: PlaybackItem.ID(2), .active(.playing))
    now.frame = FramePosition(1234)
    now.speed = 1.25
    let place = KeptListening.Place(now, missing: Array(try AyahRange(parsing: "67:5-67:6")))
    #expect(place.missing == ["67:5-6"] || place.missing == ["67:5-67:6"])
    let start = try #require(place.start)
    #expect(start.item == PlaybackItem.ID(2) && start.ayah == range.first)
    #expect(start.frame == FramePosition(1234) && start.repetition == 1 && start.pass == 1)
    for range in place.missing { #expect((try? AyahRange(parsing: range)) != nil) }
    // What of the ayah was heard is known where it goes on.
    let rate = try #require(SampleRate(hertz: 8000))
    let format = try #require(AudioFormat(rate: rate, channels: 1))
    let night = AudioClip(
      MediaKey(rawValue: "night"), FramePosition(0)..<FramePosition(9000), format: format)
    now.clip = AyahClip(range.first, night, riwayah: .hafs, reciter: nil)
    let parts = HeardParts(night.media, RangeSet(FramePosition(10)..<FramePosition(1234)))
    let kept = KeptListening.Place(now, missing: [], heard: parts)
    #expect(kept.heardParts == parts)
    let text = try #require(KeptListening.text(kept))
    #expect(KeptListening.read(text, as: KeptListening.Place.self) == kept)
    #expect(!start.hasBasmalah)
    // Within the basmalah before an ayah, it goes on in the basmalah.
    now.isBasmalah = true
    var begin = KeptListening.Place(now, missing: []).start
    #expect(begin?.hasBasmalah == true && begin?.frame == FramePosition(1234))
    // In the gap after an ayah, what was heard is not heard again.
    now.isBasmalah = false
    now.frame = nil
    begin = PlaybackStart(item: PlaybackItem.ID(3), ayah: range.last)
    for hasBasmalah in [false, true] {
      begin?.hasBasmalah = hasBasmalah
      now.next = begin
      #expect(KeptListening.Place(now, missing: []).start == begin)
    }
  }

  @Test func theLineShowsWhatChangesTheSound() {
    var settings = Settings()
    #expect(TransportLine.sound(settings, limitedBy: 0) == ["", "", ""])
    settings.changeGain(up: true)
    settings.hasEqualiser = true
    #expect(
      TransportLine.sound(settings, limitedBy: 2) == ["gain +3 dB", "eq", "limited by 2 dB"])
    let help = PlayCommand.helpMessage(columns: 1000)
    #expect(help.contains("else as last in the player, but 1 with --output."))
  }

  @Test func whatIsTypedIsTakenApartAsAShellWould() {
    #expect(
      QueueFinder.words(in: #"67 'juz 30' @morning "Night 3""#) == [
        "67", "juz 30", "@morning", "Night 3",
      ])
    #expect(QueueFinder.words(in: "  ") == [])
    #expect(QueueFinder.words(in: #"a "b"#) == ["a", "b"])
  }

  @Test(arguments: [
    ("30m", 1800), ("1h30m", 5400), ("90", 90), ("45s", 45), ("1:30", 90),
  ]) func timersAreTypedInManyWays(text: String, seconds: Int) {
    #expect(SleepArgument(argument: text) == .after(.seconds(seconds)))
  }

  @Test func whatIsNoTimeIsNoTimer() {
    #expect(SleepArgument(argument: "ayah") == .ayah)
    for text in ["", "0m", "m", "-5m", "1x", "nan", "1e9h"] {
      #expect(SleepArgument(argument: text) == nil, "\(text)")
    }
  }
}
