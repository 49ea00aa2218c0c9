// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Quran
import TestSupport
import Testing

/// `play` and the editor as other programs see and steer them, on a bus and a card of the test's own.
@Suite(.serialized, .enabled(if: MessageBus.isPossible, "no dbus-daemon, playerctl or gdbus"))
struct MediaKeyTests {
  let program: Program
  let folder: TemporaryFolder
  let bus: MessageBus
  let card: ListeningCard
  let noise = NoiseRecording()

  init() async throws {
    program = try Program()
    folder = try TemporaryFolder()
    bus = try MessageBus()
    card = try ListeningCard()
  }

  /// A recording of Al-Baqarah whose ayat are as long as the labels say.
  private func publish(_ labels: String) async throws {
    let recording = try folder.write(noise.wav, to: "noise.wav")
    try await program.publishing(
      recording, as: "Noise", labels: labels, reciter: "Mahmoud")
  }

  @Test func playerctlSeesAndSteersWhatIsPlayed() async throws {
    try await publish("0\t4\t112:1\n4\t8\t112:2\n8\t10\t112:3\n")
    let playing = try PlayingProgram(
      program, ["play", "112:1-3", "--repeat-ayah", "1000"], on: card, bus)
    try await bus.wait(for: "play", "status") { $0 == "Playing" }
    try await bus.wait(for: "the first ayah", "metadata", "mpris:length") { $0 == "4000000" }
    // Nothing is heard while it is paused, however long that takes.
    _ = try await bus.playerctl("pause")
    try await bus.wait(for: "the pause", "status") { $0 == "Paused" }
    #expect(try await bus.playerctl("metadata", "title") == "Al-Ikhlas 112:1")
    #expect(try await bus.playerctl("metadata", "artist") == "Mahmoud")
    #expect(try await bus.playerctl("metadata", "album")?.hasSuffix("/1000 - 112:1-3") == true)
    let first = try await bus.playerctl("metadata", "mpris:trackid")
    let position = try await bus.playerctl("position")
    #expect(try await bus.playerctl("position") == position)
    #expect(try await bus.playerctl("metadata", "mpris:trackid") == first)
    _ = try await bus.playerctl("play-pause")
    try await bus.wait(for: "playing on", "status") { $0 == "Playing" }
    _ = try await bus.playerctl("next")
    try await bus.wait(for: "the next ayah", "metadata", "title") { $0 == "Al-Ikhlas 112:2" }
    // Without repeats it is soon over, which is not to be before all was asked.
    _ = try await bus.playerctl("pause")
    try await bus.wait(for: "the second pause", "status") { $0 == "Paused" }
    _ = try await bus.playerctl("loop", "Playlist")
    try await bus.wait(for: "the loop", "loop") { $0 == "Playlist" }
    _ = try await bus.playerctl("loop", "None")
    try await bus.wait(for: "no loop", "metadata", "album") { $0 == "112:1-3" }
    let tracks = try await bus.ask(
      "gdbus",
      [
        "call", "--session", "--dest", playing.busName, "--object-path", "/org/mpris/MediaPlayer2",
        "--method", "org.freedesktop.DBus.Properties.Get", "org.mpris.MediaPlayer2.TrackList",
        "Tracks",
      ])
    // The second ayah may have come to a repetition before it was paused, which is a track of its own then.
    let ayat = tracks?.matches(of: /112\/(\d)\/ayah/).map { String($0.output.1) } ?? []
    #expect(ayat == ["1", "2", "3"] || ayat == ["1", "2", "2", "3"], "\(tracks ?? "")")
    _ = try await bus.playerctl("stop")
    #expect(try await playing.waitForEnd() == 0, "\(playing.errors)")
  }

  @Test(.enabled(if: EditorTerminal.isPossible, "no tmux"))
  func playAfterStopBeginsTheAyahAgain() async throws {
    try await publish("0\t3\t112:1\n3\t6\t112:2\n6\t10\t112:3\n")
    var setting = EditorTerminal.Setting()
    setting.environment = bus.environment
    let terminal = try await EditorTerminal(
      program, ["play", "112:1-3", "--repeat-ayah", "forever"], on: card, setting)
    try await bus.wait(for: "play", "status") { $0 == "Playing" }
    _ = try await bus.playerctl("next")
    try await bus.wait(for: "the next ayah", "metadata", "title") { $0 == "Al-Ikhlas 112:2" }
    _ = try await bus.playerctl("stop")
    try await bus.wait(for: "the stop", "status") { $0 == "Stopped" }
    _ = try await bus.playerctl("play")
    try await bus.wait(for: "play again", "status") { $0 == "Playing" }
    #expect(try await bus.playerctl("metadata", "title") == "Al-Ikhlas 112:2")
    try terminal.press("q")
    #expect(try await terminal.waitForEnd() == 0)
  }

  @Test func theListOfTracksLeadsToOtherItemsOfTheQueue() async throws {
    try await publish("0\t3\t112:1\n3\t6\t112:2\n6\t8\t113:1\n8\t10\t113:2\n")
    let playing = try PlayingProgram(
      program,
      [
        "play", "112:1-2", "113:1-2", "--repeat-ayah", "2", "--shuffle", "ayah", "--seed", "3",
        // So that nothing else is played before it is looked at.
        "--gap", "60s",
      ], on: card, bus)
    try await bus.wait(for: "play", "status") { $0 == "Playing" }
    _ = try await bus.playerctl("pause")
    try await bus.wait(for: "the pause", "status") { $0 == "Paused" }
    func asked(_ arguments: String...) async throws -> String {
      try await bus.ask(
        "gdbus",
        [
          "call", "--session", "--dest", playing.busName, "--object-path",
          "/org/mpris/MediaPlayer2", "--method",
        ] + arguments) ?? ""
    }
    let tracks = try await asked(
      "org.freedesktop.DBus.Properties.Get", "org.mpris.MediaPlayer2.TrackList", "Tracks")
    let ids = tracks.matches(of: /\/org\/tilawa\/item[\w\/]+/).map { String($0.output) }
    #expect(ids.count == 8 && Set(ids).count == 8, "\(tracks)")
    // The second repetition of the last ayah but one, after which there is a gap.
    let later = try #require(ids.dropLast(2).last)
    let told = try await asked(
      "org.mpris.MediaPlayer2.TrackList.GetTracksMetadata", "['\(later)']")
    let title = try #require(told.firstMatch(of: /'xesam:title': <'([^']+)'>/)?.output.1)
    _ = try await asked("org.mpris.MediaPlayer2.TrackList.GoTo", later)
    try await bus.wait(for: "the later track", "metadata", "title") { $0 == title }
    try await bus.wait(for: "its repetition", "metadata", "album") {
      $0.hasPrefix("Rep 2/2")
    }
    // The ids are those of another turn now, and the old ones still lead to the same ayah.
    let first = try #require(ids.first)
    _ = try await asked("org.mpris.MediaPlayer2.TrackList.GoTo", first)
    try await bus.wait(for: "the first track", "metadata", "title") { $0 != title }
    playing.end()
  }

  @Test func whoIsAskedToQuitByAnotherProgramLeavesAsByAKey() async throws {
    try await publish("0\t4\t112:1\n4\t8\t112:2\n8\t10\t112:3\n")
    let playing = try PlayingProgram(
      program, ["play", "112:1-3", "--repeat-ayah", "1000"], on: card, bus)
    try await bus.wait(for: "play", "status") { $0 == "Playing" }
    _ = try await bus.ask(
      "gdbus",
      [
        "call", "--session", "--dest", playing.busName, "--object-path", "/org/mpris/MediaPlayer2",
        "--method", "org.mpris.MediaPlayer2.Quit",
      ])
    #expect(try await playing.waitForEnd() == 0, "\(playing.errors)")
    #expect(!playing.errors.contains("interrupted"), "\(playing.errors)")
  }

  // What a busy machine keeps from the card for a while is no fault of the position.
  @Test(
    .enabled(
      if: ProcessInfo.processInfo.environment["TILAWA_REAL_TIME"] != nil,
      "runs by itself, as in make test-long: TILAWA_REAL_TIME=1 swift test --filter thePositionIsThat"
    ))
  func thePositionIsThatOfTheFramesThatTheCardHasPlayed() async throws {
    try await publish("0\t10\t112:1\n")
    let playing = try PlayingProgram(
      program, ["play", "112:1", "--repeat-ayah", "forever"], on: card, bus)
    try await bus.wait(for: "play", "status") { $0 == "Playing" }
    try await card.wait("sound") { $0.contains { $0 != 0 } }
    let client = try BusClient(bus.address, player: playing.busName)
    /// What the card keeps may be as much behind what it plays as it takes in one go.
    let slack = Int64(200_000)
    let length = Int64(10_000_000)
    var told: Set<Int64> = []
    for _ in 0..<20 {
      let before = Self.heard(card.played)
      let position = try client.position
      let after = Self.heard(card.played)
      #expect((0...length).contains(position))
      // Whichever time the ayah is heard by now.
      let times = (before / length - 1)...(after / length + 1)
      let isHeard = times.contains {
        (before - slack...after + slack).contains(position + $0 * length)
      }
      #expect(isHeard, "\(before) \(position) \(after)")
      told.insert(position)
      try await Task.sleep(for: .milliseconds(20))
    }
    #expect(told.count > 1)
    playing.end()
  }

  /// Microseconds of the recording that were played.
  private static func heard(_ played: [Float]) -> Int64 {
    guard let first = played.firstIndex(where: { $0 != 0 }) else { return 0 }
    return Int64(played.count - first) * 1_000_000 / Int64(NoiseRecording.rate)
  }

  @Test func noCommandOfThreeClientsIsLost() async throws {
    // Each ayah for ever, so that none follows by itself.
    let labels = (0..<60).map { "\(Double($0) / 6)\t\(Double($0 + 1) / 6)\t2:\($0 + 1)\n" }
    try await publish(labels.joined())
    let playing = try PlayingProgram(
      program, ["play", "2:1-2:60", "--repeat-ayah", "forever"], on: card, bus)
    try await bus.wait(for: "play", "status") { $0 == "Playing" }
    let (address, name) = (bus.address, playing.busName)
    let start = try BusClient(address, player: name)
    for _ in 0..<29 { try start.call("Next") }
    try await bus.wait(for: "the middle", "metadata", "title") { $0 == "Al-Baqarah 2:30" }
    let runs = try await withThrowingTaskGroup(of: Walk.self) { group in
      for seed in 1...3 {
        group.addTask {
          try await onAThread { try Walk(seed: UInt64(seed), try BusClient(address, player: name)) }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(runs.flatMap(\.problems) == [])
    let moved = runs.reduce(0) { $0 + $1.moved }
    try await bus.wait(for: "all of them", "metadata", "title") {
      $0 == "Al-Baqarah 2:\(30 + moved)"
    }
    // To one of the list, and to one that is not in it.
    try start.call("GoTo", of: "org.mpris.MediaPlayer2.TrackList", path: "/org/nothing")
    _ = try await bus.playerctl("stop")
    #expect(try await playing.waitForEnd() == 0, "\(playing.errors)")
  }

  /// What one client does at random: goes to other ayat, and looks how far the one that is heard has come.
  private struct Walk {
    private(set) var moved = 0
    private(set) var problems: [String] = []

    init(seed: UInt64, _ client: BusClient) throws {
      var random = SplitMix64(state: seed)
      var latest = (id: "", position: Int64(0))
      for _ in 0..<40 {
        switch Int.random(in: 0..<4, using: &random) {
        case 0 where moved < 9:
          try client.call("Next")
          moved += 1
        case 1 where moved > -9:
          try client.call("Previous")
          moved -= 1
        default:
          let (track, position) = (try client.track, try client.position)
          guard try client.track.id == track.id else { continue }
          if position < 0 || track.length > 0 && position > track.length {
            problems.append("\(position) of \(track)")
          }
          if latest.id == track.id, position < latest.position {
            problems.append("\(position) after \(latest)")
          }
          latest = (track.id, position)
        }
      }
    }
  }

  @Test func withoutABusOrItsWishPlayIsAsItWas() async throws {
    try await publish("0\t0.5\t112:1\n")
    let environment = [
      "ALSA_CONFIG_PATH": card.configuration, "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere",
    ]
    let outcome = try await program.run(["play", "112:1"], environment: environment)
    #expect(outcome.code == 0 && outcome.errors == "", "\(outcome.errors)")
    let doctor = try await program.run(["doctor"], environment: environment)
    #expect(doctor.output.contains("no session bus"), "\(doctor.output)")
    let playing = try PlayingProgram(
      program, ["play", "112:1", "--no-mpris", "--repeat-ayah", "forever"], on: card, bus)
    try await card.wait("sound") { $0.contains { $0 != 0 } }
    #expect(try await bus.ask("playerctl", ["-l"]) == "")
    playing.end()
  }

  @Test(.enabled(if: EditorTerminal.isPossible, "no tmux"))
  func thePlayersVolumeOrderAndListsAreSeenAndSet() async throws {
    try await publish("0\t2\t112:1\n2\t4\t112:2\n4\t6\t112:3\n6\t10\t114:1\n")
    let made = try await program.run(["playlist", "new", "my evening", "114:1"])
    #expect(made.code == 0, "\(made.errors)")
    var setting = EditorTerminal.Setting()
    setting.environment = bus.environment
    let terminal = try await EditorTerminal(
      program, ["play", "112:1-3", "--repeat-ayah", "forever"], on: card, setting)
    try await bus.wait(for: "play", "status") { $0 == "Playing" }
    _ = try await bus.playerctl("volume", "0.3")
    try await terminal.wait("the volume") { $0.text.contains("vol 30%") }
    try await bus.wait(for: "the volume", "volume") { $0.hasPrefix("0.3") }
    _ = try await bus.playerctl("shuffle", "On")
    try await terminal.wait("the seed") { $0.text.contains("seed") }
    try await bus.wait(for: "another order", "shuffle") { $0 == "On" }
    _ = try await bus.playerctl("shuffle", "Off")
    try await bus.wait(for: "the order", "shuffle") { $0 == "Off" }
    let names = try #require(try await bus.ask("playerctl", ["-l"]))
    // It may name one twice.
    let player = try #require(names.split(separator: "\n").first)
    func asked(_ method: String, _ arguments: String...) async throws -> String? {
      try await bus.ask(
        "gdbus",
        [
          "call", "--session", "--dest", "org.mpris.MediaPlayer2." + player, "--object-path",
          "/org/mpris/MediaPlayer2", "--method", method,
        ] + arguments)
    }
    let lists = try #require(
      try await asked(
        "org.mpris.MediaPlayer2.Playlists.GetPlaylists", "0", "10", "Alphabetical", "false"))
    let path = try #require(lists.firstMatch(of: /\/org\/tilawa\/list\/\w+/)?.output)
    #expect(lists.contains("'my evening'"), "\(lists)")
    _ = try await asked("org.mpris.MediaPlayer2.Playlists.ActivatePlaylist", String(path))
    try await bus.wait(for: "the list", "metadata", "title") { $0 == "An-Nas 114:1" }
    let active = try await asked(
      "org.freedesktop.DBus.Properties.Get", "org.mpris.MediaPlayer2.Playlists", "ActivePlaylist")
    #expect(active?.contains("my evening") == true, "\(active ?? "")")
    try terminal.press("q")
    #expect(try await terminal.waitForEnd() == 0)
  }

  @Test(.enabled(if: EditorTerminal.isPossible, "no tmux"))
  func aQueueThatGrowsWithinAnAyahIsSeenAtOnce() async throws {
    try await publish("0\t8\t112:1\n8\t10\t113:1\n")
    var setting = EditorTerminal.Setting()
    setting.environment = bus.environment
    let terminal = try await EditorTerminal(
      program, ["play", "112:1"], on: card, setting)
    try await bus.wait(for: "play", "status") { $0 == "Playing" }
    // In a pause nothing changes but the queue.
    _ = try await bus.playerctl("pause")
    try await bus.wait(for: "the pause", "status") { $0 == "Paused" }
    let names = try #require(try await bus.ask("playerctl", ["-l"]))
    let player = try #require(names.split(separator: "\n").first)
    func asked(_ interface: String, _ property: String) async throws -> String {
      try await bus.ask(
        "gdbus",
        [
          "call", "--session", "--dest", "org.mpris.MediaPlayer2." + player, "--object-path",
          "/org/mpris/MediaPlayer2", "--method", "org.freedesktop.DBus.Properties.Get",
          "org.mpris.MediaPlayer2." + interface, property,
        ]) ?? ""
    }
    #expect(try await asked("Player", "CanGoNext").contains("false"))
    try terminal.press("a")
    try terminal.type("113:1")
    try terminal.press("Enter")
    let end = ContinuousClock.now + .seconds(60)
    while try await !asked("Player", "CanGoNext").contains("true"), ContinuousClock.now < end {
      try await Task.sleep(for: .milliseconds(50))
    }
    #expect(try await asked("Player", "CanGoNext").contains("true"))
    #expect(try await asked("TrackList", "Tracks").contains("/113/1/ayah"))
    try terminal.press("q")
    #expect(try await terminal.waitForEnd() == 0)
  }

  @Test func theCoverOfARecordingIsShown() async throws {
    let picture =
      Array("\u{89}PNG".unicodeScalars.map { UInt8($0.value) }) + [13, 10, 26, 10, 1, 2]
    let flac = FLACFile.covered(
      try Data(contentsOf: URL(filePath: FixtureFolder.path("flac-44k-stereo.flac"))), by: picture)
    let recording = try folder.write(flac, to: "covered.flac")
    try await program.importing(recording, detecting: false, labels: "0\t10\t112:1\n")
    for command in [["publish", "covered", "--unconfirmed"]] {
      let outcome = try await program.run(command)
      #expect(outcome.code == 0, "\(outcome.errors)")
    }
    let playing = try PlayingProgram(
      program, ["play", "112:1", "--repeat-ayah", "forever"], on: card, bus)
    let address = try await bus.wait(for: "the cover", "metadata", "mpris:artUrl") {
      $0.hasSuffix(".png")
    }
    let shown = try Data(contentsOf: try #require(URL(string: address)))
    #expect(Array(shown) == picture)
    playing.end()
  }

  @Test(.enabled(if: EditorTerminal.isPossible, "no tmux"))
  func theEditorObeysAsItDoesItsKeys() async throws {
    // Ten minutes, so that it is not over before a busy machine has looked.
    let silence = [Int16](repeating: 0, count: 600 * NoiseRecording.rate)
    let recording = try folder.write(
      WaveFile.bytes(silence, rate: NoiseRecording.rate), to: "silence.wav")
    try await program.importing(recording, detecting: false, labels: "0\t2\ta\n2\t600\tb\n")
    var setting = EditorTerminal.Setting()
    setting.environment = bus.environment
    let terminal = try await EditorTerminal(program, ["silence"], on: card, setting)
    try await terminal.wait("segments") { $0.segments.count == 2 }
    #expect(try await bus.ask("playerctl", ["-l"]) == "")
    try terminal.press("Space")
    try await bus.wait(for: "play", "status") { $0 == "Playing" }
    _ = try await bus.playerctl("pause")
    try await terminal.wait("the pause") { $0.transport.contains("paused") }
    try await bus.wait(for: "the pause", "status") { $0 == "Paused" }
    #expect(try await bus.playerctl("metadata", "title") == "silence")
    #expect(try await bus.playerctl("metadata", "mpris:length") == "600000000")
    _ = try await bus.playerctl("volume", "0.35")
    try await terminal.wait("the volume") { $0.transport.contains("35%") }
    try await bus.wait(for: "the volume", "volume") { $0.hasPrefix("0.35") }
    _ = try await bus.playerctl("loop", "Track")
    try await terminal.wait("the loop") { $0.transport.contains("loop") }
    try await bus.wait(for: "the loop", "loop") { $0 == "Track" }
    _ = try await bus.playerctl("loop", "None")
    try await bus.wait(for: "no loop", "loop") { $0 == "None" }
    try terminal.press("q")
    #expect(try await terminal.waitForEnd() == 0)
  }
}
