// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import ArgumentParser
import AudioCore
import Exchange
import Glibc
import Playback
import Quran
import TerminalUI
import Testing

@testable import TilawaCLI

@Suite struct CommandLinePartsTests {
  /// One that is made from the type's name takes longer than all else that is done to read a command line.
  @Test func everyCommandSaysItsName() {
    func check(_ command: any ParsableCommand.Type) {
      #expect(command.configuration.commandName != nil, "\(command)")
      command.configuration.subcommands.forEach(check)
    }
    check(TilawaAnnotate.self)
  }

  @Test(arguments: [
    ("400ms", 0.4), ("0.4s", 0.4), ("83.5", 83.5), ("1:23.5", 83.5), ("0:01:23.500", 83.5),
    ("2:00:00", 7200), ("0", 0),
  ])
  func readsDuration(_ text: String, _ seconds: Double) {
    #expect(DurationArgument(argument: text)?.seconds == seconds)
  }

  @Test(arguments: ["", "soon", "-1", "1:60", "1:2:3:4", "1.5:20", "ms", "nan", "inf", "1e9", ":5"])
  func refusesDuration(_ text: String) {
    #expect(DurationArgument(argument: text) == nil)
  }

  @Test(arguments: [
    ("500ms", 500, 0.0), ("1.0x", 0, 1), ("0.5x+500ms", 500, 0.5), ("1s+2X", 1000, 2), ("0", 0, 0),
  ])
  func readsGap(_ text: String, _ milliseconds: Int, _ factor: Double) {
    let gap = GapArgument(argument: text)
    #expect(gap?.milliseconds == milliseconds && gap?.factor == factor)
  }

  @Test(arguments: ["", "x", "-1x", "+", "1x+", "1000x", "nanx", "infx", "500ms+soon", "1,5x"])
  func refusesGap(_ text: String) {
    #expect(GapArgument(argument: text) == nil)
  }

  @Test(arguments: [("61", "61"), ("500", "500"), ("0.5x+500", "500")])
  func asksForTheUnitOfALongSilence(_ text: String, _ number: String) throws {
    let advice = "has no unit; write \(number)ms or \(number)s"
    #expect(GapArgument(argument: text)?.missingUnit == advice)
    for command in [["play", "1"], ["playlist", "new", "a", "1"]] {
      do {
        _ = try TilawaAnnotate.parseAsRoot(command + ["--gap", text])
        Issue.record("\(command) took it")
      } catch {
        #expect(TilawaAnnotate.message(for: error).contains(advice))
      }
    }
    do throws(Failure) {
      _ = try Playlist(name: "a", text: "play = [\"1\"]\ngap = \"\(text)\"")
      Issue.record("a list took it")
    } catch {
      #expect(error.message.contains(advice))
    }
    do throws(Failure) {
      _ = try Configuration(file: nil) { $0 == "TILAWA_PLAYBACK_GAP" ? text : nil }
      Issue.record("the setting took it")
    } catch {
      #expect(error.message.contains(advice))
    }
  }

  @Test(arguments: ["60", "0.5", "500s", "1:30", "500ms", "2x+2"])
  func takesASilenceWhoseUnitIsClear(_ text: String) {
    #expect(GapArgument(argument: text).map { $0.missingUnit == nil } ?? false)
  }

  @Test func aCrossfadeIsNoLongerThanInThePlayer() throws {
    #expect(throws: (any Error).self) { try PlayCommand.parse(["1", "--crossfade", "5.1s"]) }
    #expect(throws: Never.self) { try PlayCommand.parse(["1", "--crossfade", "5s"]) }
    do {
      _ = try PlayCommand.parse(["1", "--crossfade", "50"])
      Issue.record("it was taken")
    } catch {
      #expect(PlayCommand.message(for: error).contains("write 50 milliseconds as 50ms"))
    }
  }

  @Test func readsWords() {
    #expect(WordsArgument(argument: "3-7")?.words == 3...7)
    #expect(WordsArgument(argument: "5")?.words == 5...5)
    for text in ["", "0", "7-3", "1-2-3", "a", "-1", "1-", "99999999999999999999"] {
      #expect(WordsArgument(argument: text) == nil, "\(text)")
    }
  }

  @Test func workerMessagesArriveWholeHoweverTheyAreCut() throws {
    let finding = DetectionFinding(
      DetectionReport(
        file: "a.wav", rate: try #require(SampleRate(hertz: 8000)), frames: FrameCount(900),
        detector: "adaptive", boundaries: [.init(FramePosition(300), confidence: 0.7)],
        segments: [
          .init(.zero..<FramePosition(300), assignment: .ayah(.first, part: nil), confidence: 0.7),
          .init(FramePosition(300)..<FramePosition(900), confidence: 0.7),
        ], words: [TimedWord(.first, 1, FramePosition(10)..<FramePosition(20))]),
      AlignmentJudgement(
        doubt: .init(code: "other_text", text: "it hardly fits"),
        request: .init(span: .zero..<FramePosition(900), first: .first, prayer: .taraweeh)))
    let messages: [WorkerMessage] = [
      .finding(finding),
      .progress(0.25), .remark("ends early\nreally"),
      .failure(Failure(code: "empty", message: "a b")),
      .piece("x\ny\u{0}"), .piece(nil), .piece(""),
    ]
    let bytes = messages.flatMap(\.bytes)
    for size in [1, 2, 7, bytes.count] {
      var parser = WorkerMessageParser()
      var received: [String] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        parser.append(bytes[start..<min(start + size, bytes.count)])
        while let message = parser.next() { received.append("\(message)") }
      }
      #expect(received == messages.map { "\($0)" })
    }
  }

  @Test func aWorkerThatReadsOnIsNotTakenToHang() {
    var lane = LaneState()
    lane.begin(0)
    let longAgo = ContinuousClock.now - .seconds(600)
    // The first look only says where the count stands; what was read before is another file's.
    lane.notice(5000, atMost: 1000)
    lane.heard = longAgo
    lane.notice(5000, atMost: 1000)
    #expect(lane.heard == longAgo)
    lane.notice(5800, atMost: 1000)
    #expect(lane.heard > longAgo)
    // Beyond what the file can need it goes round in circles.
    lane.heard = longAgo
    lane.notice(6001, atMost: 1000)
    #expect(lane.heard == longAgo)
    lane.begin(1)
    #expect(lane.heard > longAgo)
    #expect(WorkerActivity.bytesRead(by: getpid()) ?? 0 > 0)
  }

  /// Work that goes on until the test is over.
  private final class Stuck: Sendable {
    let isOver = Monitor(false)
    func work() -> Int { isOver.wait { $0 ? 1 : nil } }
    deinit { isOver.update { $0 = true } }
  }

  @Test func workThatHangsIsGivenUp() async throws {
    let stuck = Stuck()
    let failure = await #expect(throws: Failure.self) {
      try await WatchedRun(patience: .zero, isStopped: { false }).run(size: 0) { [stuck] _ in
        stuck.work()
      }
    }
    #expect(failure?.code == Failure.hung)
    stuck.isOver.update { $0 = true }
  }

  @Test(.timeLimit(.minutes(5))) func whatIsGivenUpIsToldToStop() async throws {
    let hasStopped = Monitor(false)
    let failure = await #expect(throws: Failure.self) {
      try await WatchedRun(patience: .zero, isStopped: { false }).run(size: 0) { watch in
        while !watch.stopFlag.isStopped { sched_yield() }
        hasStopped.update { $0 = true }
      }
    }
    #expect(failure?.code == Failure.hung)
    await runBlocking { hasStopped.wait { $0 ? () : nil } }
  }

  @Test func workThatDoesNotHeedAnInterruptionIsGivenUp() async throws {
    let stuck = Stuck()
    let failure = await #expect(throws: Failure.self) {
      try await WatchedRun(grace: .zero, isStopped: { true }).run(size: 0) { [stuck] _ in
        stuck.work()
      }
    }
    #expect(failure?.code == Failure.interrupted)
    stuck.isOver.update { $0 = true }
  }

  @Test func workThatEndsGivesItsResult() async throws {
    #expect(try await WatchedRun(isStopped: { false }).run(size: 0) { _ in 7 } == 7)
    // The watch looks twice after decoding has ended, and does not mind that nothing is heard.
    let (hasEnded, looks) = (Monitor(false), Monitor(0))
    let isStopped = { @Sendable () -> Bool in
      _ = hasEnded.wait { $0 ? true : nil }
      looks.update { $0 += 1 }
      return false
    }
    let decoded = try await WatchedRun(patience: .zero, isStopped: isStopped).run(size: 0) {
      watch in
      watch.endWatch()
      hasEnded.update { $0 = true }
      return looks.wait { $0 >= 2 ? 8 : nil }
    }
    #expect(decoded == 8)
    #expect(WorkerPool.mostBytes(ofFileOf: 1 << 40) == 16 << 40)
    #expect(WorkerPool.mostBytes(ofFileOf: .max) == .max)
  }

  @Test func exitCodeIsCommonToAllFailuresOrOne() {
    func code(_ codes: [String?], folderProblems: Bool = false) -> Int32? {
      var tally = DetectionTally(hasFolderProblems: folderProblems)
      for code in codes { tally.add(code.map { Failure(code: $0, message: "") }) }
      return tally.exitCode?.rawValue
    }
    #expect(code([nil, nil]) == nil)
    #expect(code(["empty", nil]) == 1)
    #expect(code(["empty", "damaged"]) == 65)
    #expect(code(["no_such_file"]) == 66)
    #expect(code(["no_such_file", "empty"]) == 1)
    #expect(code([nil], folderProblems: true) == 1)
  }

  @Test func progressWeighsFilesBySize() {
    var progress = BatchProgress([.init(path: "a", size: 300), .init(path: "b", size: 100)])
    progress.set(1, for: 1)
    #expect(progress.fraction == 0.25)
    progress.set(0.5, for: 0)
    #expect(progress.fraction == 0.625)
    #expect(progress.label == "1 of 2 recordings")
  }

  @Test func theTransportLineKeepsItsKeysAsLongAsTheyFit() {
    func line(_ width: Int) -> String {
      TransportLine.text(
        ["playing", "0:08.4  (0:00.0 of 0:02.4)", "", "time 2"], name: "Ramadan, night 3",
        width: width)
    }
    let whole =
      "playing  0:08.4  (0:00.0 of 0:02.4)  time 2  Ramadan, night 3  space, arrows, [ ] speed, q"
    #expect(line(200) == whole)
    #expect(
      line(79) == "playing  0:08.4  (0:00.0 of 0:02.4)  time 2  space, arrows, [ ] speed, q")
    #expect(line(82).contains("Ramadan…  space"))
    #expect(line(60) == "playing  0:08.4  (0:00.0 of 0:02.4)  time 2")
    #expect(line(20) == "playing  0:08.4  (0…")
    for width in 1...100 { #expect(TerminalText(line(width)).width <= width) }
  }

  @Test func whatToDoAboutSoundFollowsTheSurroundings() {
    func advice(
      _ problem: PlaybackError.Kind = .noSuchDevice, _ change: (inout AudioDiagnostics) -> Void
    ) -> String {
      var surroundings = AudioDiagnostics()
      change(&surroundings)
      return surroundings.advice(problem).joined(separator: "\n")
    }
    #expect(advice { $0.hasPulseAudio = true }.contains("apt install libasound2-plugins"))
    #expect(
      advice {
        $0.hasPulseAudio = true
        $0.hasPulsePlugin = true
      }.contains("--device pulse"))
    #expect(advice { $0.hasPipeWire = true }.contains("apt install pipewire-alsa"))
    #expect(
      advice {
        $0.hasPipeWire = true
        $0.hasPipeWirePlugin = true
      }.contains("--device pipewire"))
    #expect(
      advice(.deviceNotPermitted) {
        $0.hasCards = true
        $0.mayOpenCards = false
      }.contains("usermod -aG audio"))
    #expect(advice(.deviceBusy) { $0.hasCards = true }.contains("fuser"))
    #expect(advice { $0.hasCards = true }.contains("choose a device below"))
    #expect(advice { $0.isContainer = true }.contains("--device /dev/snd"))
    #expect(advice { $0.isRemote = true }.contains("ssh -R"))
    #expect(advice { _ in }.contains("connect a card"))
    #expect(advice { _ in }.contains("--output FILE.wav"))
  }

  @Test func foldersFollowTheEnvironment() {
    func cache(_ variables: [String: String]) -> String? { UserFolders { variables[$0] }.cache }
    #expect(cache(["HOME": "/h"]) == "/h/.cache/tilawa")
    #expect(cache(["HOME": "/h", "XDG_CACHE_HOME": "/c"]) == "/c/tilawa")
    #expect(cache(["HOME": "/h", "XDG_CACHE_HOME": "relative"]) == "/h/.cache/tilawa")
    #expect(cache([:]) == nil)
    #expect(cache(["HOME": ""]) == nil)
    #expect(cache(["HOME": "/h", "TILAWA_HOME": "/t", "XDG_CACHE_HOME": "/c"]) == "/t/cache")
  }
}
