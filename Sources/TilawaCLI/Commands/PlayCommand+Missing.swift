// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Glibc
import Listening
import Playback
import Quran
import TerminalUI

/// What is missing, and what is done about it.
extension PlayCommand {
  /// The queue after what is missing in it was told, and the person has said what to do about it.
  func answered(
    _ queue: [QueueEntry], _ engine: PlaybackEngine, _ sound: PublishedSound,
    _ reciters: [ReciterRow]
  ) throws(Failure) -> [QueueEntry] {
    var queue = queue
    var sound = sound
    // Whoever wants all or nothing is not to learn in the middle that a file holds no sound.
    sound.looksInside = missing == .cancel
    var checks: [CoverageCheck] = []
    for index in queue.indices {
      let request = queue[index].request
      let check = waiting { [sound] in await CoverageCheck.of(request, with: sound) }
      queue[index].missing = check.missing
      checks.append(check)
    }
    let missing = checks.flatMap(\.missing)
    guard !missing.isEmpty else { return queue }
    let fillable = checks.flatMap(\.fillable)
    tell(checks, missing, fillable, sound, reciters)
    switch answer(canFill: !fillable.isEmpty) {
    case .cancel:
      throw Failure(
        code: "no_such_recording",
        message: "\(PlainText.ranges(missing)) cannot be played; nothing was played")
    case .continueWithGaps: break
    case .fill: for index in queue.indices { queue[index].request.fillsFromOthers = true }
    }
    return queue
  }

  /// Tells what is missing, and why, as far as anybody knows.
  private func tell(
    _ checks: [CoverageCheck], _ missing: [AyahRange], _ fillable: [AyahRange],
    _ sound: PublishedSound, _ reciters: [ReciterRow]
  ) {
    let count = PlainText.count(missing.reduce(0) { $0 + $1.count }, "ayah", "ayat")
    StandardStreams.say("\(count) cannot be played: \(PlainText.ranges(missing))")
    // Reasons that differ in numbers alone, as in those of ayah and file, are told of the first.
    var told: Set<String> = []
    for check in checks {
      let query = check.request.query
      for ayah in check.missing.joined() where told.count < Self.mostReasons {
        let reason =
          waiting { await sound.reason(against: ayah, query) }
          ?? reciters.whoLacks(check.request) + "; "
          + (query.only == nil
            ? "import or publish one, or add a source that has it"
            : "'play \(ayah)' plays it from any recording")
        guard told.insert(String(reason.filter { !$0.isNumber })).inserted else { continue }
        StandardStreams.say("\(ayah): \(reason)")
      }
    }
    if !fillable.isEmpty {
      StandardStreams.say("other reciters have \(PlainText.ranges(fillable))")
    } else if self.missing == .fill {
      StandardStreams.say("\(Self.unfillable(checks)), so nothing is filled in")
    }
  }

  /// Why what is missing cannot be had from others.
  private static func unfillable(_ checks: [CoverageCheck]) -> String {
    checks.contains { $0.request.reciters != .anybody }
      ? "no other reciter has any of them here" : "every reciter was asked already"
  }

  /// What the player tells first of a queue that others were to fill and cannot; nil where they can, or nothing is missing.
  func noticeOfUnfilled(_ queue: [QueueEntry], _ sound: PublishedSound) -> Notice? {
    guard missing == .fill else { return nil }
    let checks = queue.map { entry in
      var asked = entry.request
      asked.fillsFromOthers = false
      return waiting { [asked] in await CoverageCheck.of(asked, with: sound) }
    }
    let missing = checks.flatMap(\.missing)
    guard !missing.isEmpty, checks.allSatisfy(\.fillable.isEmpty) else { return nil }
    let ayat = missing.count > 3 ? "What is missing" : PlainText.ranges(missing)
    return Notice(.warning, "\(ayat): \(Self.unfillable(checks)), so nothing is filled in")
  }

  /// Lines.
  private static let mostReasons = 10

  /// Asks what to do where nothing was said and somebody can answer.
  private func answer(canFill: Bool) -> CoverageCheck.Answer {
    if let missing { return missing.answer }
    guard StandardStreams.isErrorTerminal, isatty(STDIN_FILENO) == 1 else {
      return .continueWithGaps
    }
    while !Interrupt.flag.isStopped {
      StandardStreams.draw(
        (canFill ? "[f]ill from others, " : "") + "[c]ontinue with silence, or [q]uit? ")
      guard let line = readLine() else { return .cancel }
      switch line.lowercased().first {
      case "f" where canFill: return .fill
      case "c": return .continueWithGaps
      case "q": return .cancel
      default: continue
      }
    }
    return .cancel
  }
}
