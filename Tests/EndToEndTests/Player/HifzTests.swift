// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing

/// `hifz` on the command line, and reciting in a window of tmux on a card that keeps what it has played.
@Suite(.serialized) struct HifzTests {
  let program: Program
  let folder: TemporaryFolder
  let noise = NoiseRecording()

  init() async throws {
    program = try Program()
    folder = try TemporaryFolder()
  }

  private func publish() async throws {
    let recording = try folder.write(noise.wav, to: "noise.wav")
    let labels = "0\t4\t112:1\n4\t6\t112:2\n6\t8\t112:3\n8\t10\t112:4\n"
    try await program.publishing(recording, as: "Noise", labels: labels)
  }

  private func units() async throws -> [[String: Any]] {
    let outcome = try await program.run("hifz", "list", "--format", "json")
    #expect(outcome.code == 0, "\(outcome.errors)")
    let json = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
    return try #require(json as? [[String: Any]])
  }

  private func said(_ arguments: String..., code: Int32 = 0) async throws -> String {
    let outcome = try await program.run(["hifz"] + arguments)
    #expect(outcome.code == code, "\(outcome.errors)")
    return outcome.errors
  }

  @Test func unitsThatAreAddedLaterBringNoJoinsOfOthers() async throws {
    #expect(try await said("add", "113", "--by", "2", "--no-joins").contains("added 3 units"))
    let added = try await said("add", "112", "--by", "2")
    #expect(added.contains("added 2 units and 1 place where two meet"))
    #expect(try await units().count { $0["join"] as? Bool == true } == 1)
  }

  @Test func unitsAreAddedGradedAndBroughtToAnotherMachine() async throws {
    try await publish()
    #expect(try await said("list").contains("hifz add"))
    #expect(try await said("add", "112", "--by", "2").contains("added 2 units"))
    #expect(try await said("add", "112", "--by", "2").contains("added before"))
    #expect(try await said("add", "112:2-3", code: 64).contains("overlaps with 112:1-2"))
    #expect(try await said("grade", "112:1-2", "good").contains("due in 10 min"))
    #expect(try await said("grade", "112:1", "good", code: 64).contains("is not a unit"))
    #expect(try await said("review", code: 64).contains("needs a terminal"))
    #expect(try await said("review", "99", code: 64).contains("no unit lies within 99"))
    #expect(try await said("remove", "99", code: 64).contains("no unit lies within 99"))
    let listed = try await units()
    #expect(listed.map { $0["join"] as? Bool } == [false, true, false])
    #expect(listed.map { $0["reviews"] as? Int } == [1, 0, 0])

    let file = folder.path("grades.jsonl")
    #expect(try await said("export", file).contains("1 grade"))
    #expect(try await said("remove", "112:1-2", "--forget").contains("removed 1 unit"))
    // Its join has gone with it.
    #expect(try await units().count == 1)
    _ = try await said("add", "112", "--by", "2")
    #expect(try await said("import", file).contains("merged 1 grade"))
    #expect(try await units().map { $0["reviews"] as? Int } == [1, 0, 0])
    #expect(try await said("import", file).contains("1 were already here"))
    let bad = try folder.write(Array("{}\n".utf8), to: "bad.jsonl")
    #expect(try await said("import", bad, code: 65).contains("line 1"))
  }

  @Test func aPlaceWhereTwoUnitsMeetIsGradedByTheNameThatIsListed() async throws {
    _ = try await said("add", "112", "--by", "2")
    let listed = try await program.run("hifz", "list")
    #expect(listed.output.contains("112:2 | 112:3"), "\(listed.output)")
    #expect(try await said("grade", "112:2 | 112:3", "good").contains("112:2 | 112:3 is due in"))
    #expect(try await said("grade", "112:2 | 112:4", "good", code: 64).contains("112:2 | 112"))
  }

  @Test func unitsThatALimitHoldsBackAreSaidToWait() async throws {
    _ = try await said("add", "112", "--by", "1", "--no-joins")
    func asked(_ name: String, _ value: String) async throws -> String {
      try await program.run(["hifz", "review"], environment: [name: value]).errors
    }
    // None is due yet, and all four are new.
    let capped = try await asked("TILAWA_HIFZ_REVIEWS", "0")
    #expect(capped.contains("done; 4 new units wait") && capped.contains("hifz.reviews"))
    #expect(try await asked("TILAWA_HIFZ_NEW", "0").contains("4 new units wait"))
    for unit in ["112:1", "112:2"] { _ = try await said("grade", unit, "again") }
    let due = try await asked("TILAWA_HIFZ_REVIEWS", "2")
    #expect(due.contains("2 due units and 2 new units wait"), "\(due)")
    let listed = try await program.run(
      ["hifz", "list"], environment: ["TILAWA_HIFZ_REVIEWS": "2"])
    #expect(listed.output.contains("0 units to recite today"), "\(listed.output)")
    #expect(listed.output.contains("2 due units and 2 new units wait"), "\(listed.output)")
  }

  @Test(.enabled(if: EditorTerminal.isPossible, "no tmux"))
  func theCueIsHeardThePersonRecitesHearsItAndGrades() async throws {
    try await publish()
    _ = try await said("add", "112", "--by", "4")
    let card = try ListeningCard()
    var setting = EditorTerminal.Setting()
    setting.environment = ["TILAWA_HIFZ_CUE": "500ms"]
    let terminal = try await EditorTerminal(program, ["hifz", "review"], on: card, setting)
    try await terminal.wait("the person's turn") { $0.text.contains("recite now") }
    // Half a second of the first ayah, but for the fades at both ends.
    let heard = try await card.wait("the cue") { $0.count { $0 != 0 } > 2100 }
    let first = try #require(heard.firstIndex { $0 != 0 })
    #expect(heard[(first + 40)...].prefix(2000).elementsEqual(noise.decoded(40..<2040)))
    let last = try #require(heard.lastIndex { $0 != 0 })
    #expect(last - first < 4000)
    try terminal.press("Enter")
    try await terminal.wait("all of it") { $0.text.contains("▶ 112:1") }
    try terminal.press("1")
    try await terminal.wait("that it comes again") { $0.text.contains("recited 1 time") }
    try terminal.press("u")
    // What is said of it may be gone before it is seen, where the device had to wait.
    try await terminal.wait("that it was taken back") { !$0.text.contains("recited 1 time") }
    try terminal.press("4")
    try await terminal.wait("the end") { $0.text.contains("The review is complete") }
    #expect(try await units().map { $0["reviews"] as? Int } == [1])
    try terminal.press("q")
    #expect(try await terminal.waitForEnd() == 0)
    #expect(try await said("review").contains("nothing is due today"))
  }
}
