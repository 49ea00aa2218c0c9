// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import Library
import Listening
import Playback
import Quran

/// What is played, and from where.
extension PlayCommand {
  /// - Throws: where a part is wanted that an ayah does not have as it will be heard.
  func check(_ queue: [QueueEntry], _ sound: PublishedSound) throws(Failure) {
    for entry in queue {
      guard let excerpt = entry.request.excerpt,
        case .found(let clip) = waiting({
          await sound.clip(of: entry.request.range.first, entry.request.query)
        })
      else { continue }
      do throws(ExcerptError) {
        try clip.check(excerpt)
      } catch {
        throw Failure(code: error.isOfTime ? "usage" : "unavailable", message: error.description)
      }
    }
  }

  /// - Throws: where a file of it would have no end, whoever has asked for that.
  static func checkEnd(of queue: [QueueEntry]) throws(Failure) {
    for entry in queue {
      let endless = [
        ("--repeat-ayah", entry.request.ayahRepeat), ("--repeat-range", entry.request.rangeRepeat),
      ].filter { $0.1 == .endless }
      guard let (option, _) = endless.first else { continue }
      throw Failure(
        code: "usage",
        message: "\(entry.title) repeats forever and cannot be written to a file;"
          + " give a number, such as \(option) 3")
    }
  }

  /// What to play and where to begin.
  struct Plan {
    var queue: [QueueEntry]
    var start: PlaybackStart?
    /// The session that is gone on with.
    var session: ListeningSession?
    /// The command line behind `play` that it was begun with.
    var arguments: [String]
    var finder: QueueFinder
    var settings: Settings
    var seed: UInt64
    /// Whether the seed has decided the order.
    var isShuffled = false
    var missing: [AyahReference] = []
    /// What was heard of the ayah where it begins.
    var heard: HeardParts?
  }

  func plan(in library: Library) throws(Failure) -> Plan {
    if missed {
      let found: MissedAyat?
      do {
        found = try MissedAyat.latest(in: library)
      } catch {
        throw error as? Failure ?? Failure(code: "damaged_library", message: "\(error)")
      }
      guard let found else {
        throw Failure(code: "no_such_session", message: "nothing was missing")
      }
      var plan = try newPlan(
        in: library, arguments: found.ranges.map(\.numericDescription), queue: nil)
      plan.queue = found.entries
      // Until they are heard.
      plan.missing = found.ranges.flatMap { Array($0) }
      return plan
    }
    guard resume || requestOptions.what.isEmpty else {
      return try newPlan(in: library, arguments: Self.arguments)
    }
    let sessions: [LeftListening]
    do throws(LibraryError) {
      sessions = try LeftListening.all(in: library)
    } catch {
      throw Failure(error)
    }
    for left in sessions {
      let (kept, place) = (left.kept, left.place)
      // What was asked for then; how it sounds and where is said now.
      let old = (try? Self.parse(kept.arguments)) ?? self
      var plan = try old.newPlan(in: library, arguments: kept.arguments, queue: kept)
      guard !plan.queue.isEmpty else { continue }
      plan.start = place.start
      plan.session = left.session
      plan.heard = place.heardParts
      plan.missing = place.missing.compactMap { try? AyahRange(parsing: $0) }.flatMap { Array($0) }
      plan.settings.speed = outputOptions.wantedSpeed ?? place.speed
      return plan
    }
    guard resume else {
      throw Failure(
        code: "usage",
        message: "name what to play, such as 67, 'juz 30' or 2:1-20; see 'help play'")
    }
    throw Failure(code: "no_such_session", message: "there is nothing to resume")
  }

  private func newPlan(
    in library: Library, arguments: [String], queue kept: KeptListening? = nil
  ) throws(Failure) -> Plan {
    let configuration = try Configuration()
    // A file does not hang on what was heard last.
    var settings =
      outputOptions.output == nil ? PlayerMemory.settings(in: library) : Settings()
    PlaybackDefaults(configuration).fill(&settings)
    if let speed = outputOptions.wantedSpeed { settings.speed = speed }
    var template = try requestOptions.template(
      by: voice, practiceOptions, in: library, configuration)
    if requestOptions.crossfade == nil {
      template.crossfadeMilliseconds = template.hasGaps ? 0 : settings.crossfadeMilliseconds
    } else {
      settings.crossfadeMilliseconds = template.crossfadeMilliseconds
    }
    template.crossfadeCurve = settings.crossfadeCurve
    let seed = kept?.seed ?? seed ?? UInt64.random(in: 1...999_999)
    let finder = QueueFinder(
      library: library, template: template,
      hasRiwayah: voice.riwayah != nil || !voice.reciter.isEmpty,
      seed: seed,
      asked: requestOptions.asked)
    var queue: [QueueEntry]
    var isShuffled = shuffle != nil
    if let kept {
      queue = kept.queue(template)
      isShuffled = kept.seed != nil
    } else {
      let lists = try finder.shuffledLists(requestOptions.what)
      guard self.seed == nil || isShuffled || !lists.isEmpty else {
        throw Failure(code: "usage", message: Self.seedWithoutShuffle)
      }
      isShuffled = isShuffled || !lists.isEmpty
      for list in lists where shuffle == nil {
        guard let unit = list.shuffle else { continue }
        StandardStreams.say("@\(list.name): shuffled \(unit.summary), seed \(seed)")
      }
      queue = try finder.joined(try finder.entries(requestOptions.what))
      for entry in queue { try PracticeOptions.check(entry.request) }
      if let shuffle {
        queue = queue.shuffled(by: shuffle.unit, seed: seed, firstNumber: queue.count + 1)
        StandardStreams.say("shuffled \(shuffle.unit.summary), seed \(seed)")
      }
    }
    return Plan(
      queue: queue, arguments: arguments, finder: finder, settings: settings, seed: seed,
      isShuffled: isShuffled)
  }

  /// What is behind `play` on the command line.
  private static var arguments: [String] {
    let all = StandardStreams.arguments
    guard let place = all.firstIndex(of: configuration.commandName ?? "play") else { return [] }
    return Array(all[(place + 1)...])
  }
}
