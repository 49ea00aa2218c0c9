// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Quran
import TestSupport
import Testing

@testable import Playback

/// What ought to be heard, worked out by plain loops over a whole request from any place in it.
struct ReferenceModel {
  let request: PlaybackRequest
  let clips: [AyahReference: AyahClip]

  /// One hearing of an ayah: what sounds, and the silence before it.
  struct Beat {
    let ayah: AyahReference
    let pass: Int
    let stage: Int
    /// The gap, which the first of all does not have.
    var gap: [Heard] = []
    var sound: [Heard] = []
  }

  var first: AyahReference {
    request.range.first.advanced(by: -request.connectionBefore) ?? .first
  }

  var last: AyahReference {
    var last = request.range.last
    guard request.rangeRepeat != .endless else { return last }
    var count = request.connectionAfter
    if case .continueAyat(let more) = request.afterRepeat { count = max(count, more) }
    last = last.advanced(by: count) ?? .last
    if case .continuePages(let pages) = request.afterRepeat, request.range.last != .last {
      let page = min(604, request.range.last.page + pages)
      last = max(last, (try? QuranDivision.page.range(of: page).last) ?? .last)
    }
    return last
  }

  /// Where in a request something begins.
  struct Start {
    var ayah: AyahReference
    var pass = 1
    var stage = 1
  }

  /// Of an ayah of the range, counted from 1.
  func number(_ ayah: AyahReference) -> Int {
    ayah.absoluteIndex - request.range.first.absoluteIndex + 1
  }

  /// The stage to which an ayah leads that is gone to.
  func stage(of ayah: AyahReference) -> Int {
    request.practice == .cumulative && request.range.contains(ayah) ? number(ayah) : 1
  }

  /// The ayat of each round of a pass.
  private var rounds: [(stage: Int, ayat: [AyahReference])] {
    let all = Array(request.range)
    guard request.practice == .cumulative else { return [(1, all)] }
    return all.indices.map { ($0 + 1, Array(all[...$0])) }
  }

  private func repetitions(of ayah: AyahReference, stage: Int) -> RepeatCount {
    switch (request.practice, request.ayahRepeat) {
    case (.cumulative, _) where number(ayah) != stage: .once
    case (.stepping, .times(let times)): .times(times * number(ayah))
    default: request.ayahRepeat
    }
  }

  var hasGaps: Bool { request.gapMilliseconds > 0 || request.gapFactor > 0 }

  /// Everything from the first hearing of an ayah in a round of a pass, at least as far as so many frames.
  func beats(from start: Start, frames: Int64) -> [Beat] {
    let (pass, start, stage) = (start.pass, start.ayah, start.stage)
    var beats: [Beat] = []
    var length: Int64 = 0
    var previous: AyahReference?
    func add(_ ayah: AyahReference, _ pass: Int, stage: Int = 1) {
      var beat = Beat(ayah: ayah, pass: pass, stage: stage)
      let clip = clips[ayah]
      if let previous, hasGaps {
        let heard = Double(clips[previous]?.audio.span.length.frames ?? 0) * request.gapFactor
        beat.gap = [.silence(max(1, Int64(request.gapMilliseconds) + Int64(heard.rounded())))]
      }
      if let clip, let previous, previous.next == ayah, request.insertsBasmalah, ayah.ayah == 1,
        ayah.surah.number != 9, !inOneBreath(previous, ayah),
        let basmalah = clips[.first], basmalah.reciter == clip.reciter
      {
        beat.sound.append(heard(basmalah))
      }
      beat.sound.append(clip.map(heard) ?? .silence(500))
      length += (beat.gap + beat.sound).reduce(0) { $0 + $1.length }
      beats.append(beat)
      previous = ayah
    }
    let range = request.range
    if start < range.first {
      for index in start.absoluteIndex..<range.first.absoluteIndex {
        add(AyahReference(absoluteIndex: index)!, pass)
      }
    }
    var number = pass
    if start <= range.last {
      while number == pass || request.rangeRepeat.allows(number), length < frames {
        for round in rounds where number > pass || round.stage >= stage {
          let isFirst = number == pass && round.stage == stage
          for ayah in round.ayat where !isFirst || ayah >= start {
            var repetition = 1
            while repetition == 1
              || repetitions(of: ayah, stage: round.stage).allows(repetition) && clips[ayah] != nil,
              length < frames
            {
              add(ayah, number, stage: round.stage)
              repetition += 1
            }
          }
        }
        number += 1
      }
    }
    if last > range.last, length < frames {
      // What follows the range belongs to the last pass.
      let reached = start <= range.last ? number - 1 : pass
      let from = max(start, range.last.next!)
      if from <= last { for ayah in AyahRange(first: from, last: last)! { add(ayah, reached) } }
    }
    return beats
  }

  private func inOneBreath(_ first: AyahReference, _ second: AyahReference) -> Bool {
    guard !hasGaps, let first = clips[first], let second = clips[second]
    else { return false }
    return first.sharesBreath && second.sharesBreath && first.audio.media == second.audio.media
      && first.audio.span.upperBound == second.audio.span.lowerBound
  }

  private func heard(_ clip: AyahClip) -> Heard {
    let span = clip.audio.span
    return .audio(clip.audio.media, span.lowerBound.frames..<span.upperBound.frames)
  }
}

@Suite struct PlaybackPropertyTests {
  /// A case: recordings of some ayat of a part of the Quran, a request, and what a person does.
  private struct Case {
    var random: SplitMix64
    var catalogue = CatalogueResolver(reciters: [1, 2].map(ReciterID.init(rawValue:)))
    var clips: [AyahReference: AyahClip] = [:]
    var broken: Set<MediaKey> = []
    var request: PlaybackRequest
    let extent: ClosedRange<Int>

    init(seed: UInt64) {
      var random = SplitMix64(state: seed)
      // Where surahs are short, so that their ends are met often.
      let start = Int.random(in: 6150...6225, using: &random)
      extent = (start - 5)...min(start + 20, AyahReference.count)
      let length = Int.random(in: 1...6, using: &random)
      let first = AyahReference(absoluteIndex: start)!
      request = PlaybackRequest(
        AyahRange(first: first, last: first.advanced(by: length - 1) ?? .last)!)
      func pick<Element>(_ elements: [Element]) -> Element {
        elements.randomElement(using: &random)!
      }
      request.connectionBefore = pick([0, 0, 1, 2])
      request.connectionAfter = pick([0, 0, 1, 3])
      request.ayahRepeat = pick([.once, .once, .times(2), .times(3), .endless])
      request.rangeRepeat = pick([.once, .once, .times(2), .endless])
      request.practice = pick([.plain, .plain, .stepping, .cumulative])
      request.gapFactor = pick([0, 0, 0, 0.5, 1])
      request.gapMilliseconds = pick([0, 0, 1, 37])
      request.crossfadeMilliseconds = pick([0, 0, 4])
      request.afterRepeat = pick([.stop, .continueAyat(2), .continuePages(1)])
      request.insertsBasmalah = pick([true, true, false])
      self.random = random
      let hasBroken = !request.insertsBasmalah && Bool.random(using: &self.random)
      fill(hasBroken: hasBroken)
    }

    private mutating func fill(hasBroken: Bool) {
      var media = 0
      var frame: Int64 = 0
      var reciter: Int64 = 1
      for index in [1] + Array(max(2, extent.lowerBound)...min(extent.upperBound + 20, 6236)) {
        let ayah = AyahReference(absoluteIndex: index)!
        if Int.random(in: 0..<4, using: &random) == 0 {
          media += 1
          frame = Int64.random(in: 0..<20, using: &random)
          reciter = Int64.random(in: 1...2, using: &random)
        } else if Int.random(in: 0..<4, using: &random) == 0 {
          frame += Int64.random(in: 1..<20, using: &random)
        }
        let length = Int64.random(in: 1...60, using: &random)
        if Int.random(in: 0..<8, using: &random) == 0 { continue }
        if hasBroken, Int.random(in: 0..<6, using: &random) == 0 {
          // The better one, were it readable.
          let name = "broken \(index)"
          var entry = CatalogueEntry(
            AyahClip(
              ayah, audio(name, 0..<9), riwayah: .hafs, reciter: ReciterID(rawValue: reciter)))
          entry.isManual = true
          catalogue.add(entry)
          broken.insert(MediaKey(rawValue: name))
        }
        var whole = AyahClip(
          ayah, audio("\(media)", frame..<(frame + length)), riwayah: .hafs,
          reciter: ReciterID(rawValue: reciter))
        whole.sharesBreath = Bool.random(using: &random)
        catalogue.add(CatalogueEntry(whole))
        clips[ayah] = whole
        frame += length
      }
    }
  }

  /// Plays one case and compares everything heard between two jumps with the model.
  private func play(_ seed: UInt64) -> String? {
    var test = Case(seed: seed)
    let model = ReferenceModel(request: test.request, clips: test.clips)
    let canBegin = (model.first.absoluteIndex...model.last.absoluteIndex).contains {
      AyahReference(absoluteIndex: $0).map { test.clips[$0] != nil } ?? false
    }
    var settings = PlaybackSettings()
    settings.lookaheadMilliseconds = Int.random(in: 0...200, using: &test.random)
    settings.fadeOutMilliseconds = Int.random(in: 0...30, using: &test.random)
    var performance = Performance(test.catalogue, settings)
    performance.renderer.broken = test.broken
    performance.answersAtOnce = Bool.random(using: &test.random)
    performance.play(test.request)
    var start = ReferenceModel.Start(ayah: model.first, stage: model.stage(of: model.first))
    let extent = test.extent
    let range = test.request.range
    let passes = test.request.rangeRepeat

    func mismatch() -> String? {
      let heard = performance.renderer.heard
      let frames = heard.reduce(0) { $0 + $1.length }
      let beats = model.beats(from: start, frames: frames + 1)
      let all = beats.flatMap { $0.gap + $0.sound }
      let expected = Heard.joined(Heard.prefix(all, frames: frames))
      if heard != expected {
        return
          "\(test.request) from \(start) broken \(test.broken) states \(performance.states.suffix(6)) heard \(heard), expected \(expected)"
      }
      if performance.state == .idle(.finished), frames != all.reduce(0, { $0 + $1.length }) {
        return "ended after \(heard) of \(all)"
      }
      return nil
    }

    /// The ayah heard last, by the model.
    func current() -> ReferenceModel.Start {
      // What fades out before a stop does not count any more.
      switch performance.state {
      case .stopping, .idle(.stopped):
        if let occurrence = performance.conductor.status.place?.occurrence {
          return ReferenceModel.Start(
            ayah: occurrence.ayah, pass: occurrence.pass, stage: occurrence.stage)
        }
      default: break
      }
      var left = performance.renderer.heard.reduce(0) { $0 + $1.length }
      var current = start
      for beat in model.beats(from: start, frames: left + 1) {
        left -= beat.gap.reduce(0) { $0 + $1.length }
        guard left > 0 else { break }
        current = ReferenceModel.Start(ayah: beat.ayah, pass: beat.pass, stage: beat.stage)
        left -= beat.sound.reduce(0) { $0 + $1.length }
      }
      return current
    }

    /// Where a jump leads, nil where it is refused.
    func target(_ kind: Int, _ random: inout SplitMix64) -> ReferenceModel.Start? {
      let here = current()
      let (ayah, pass, stage) = (here.ayah, here.pass, here.stage)
      let isCumulative = model.request.practice == .cumulative && range.contains(ayah)
      func start(_ ayah: AyahReference, _ pass: Int, stage: Int? = nil) -> ReferenceModel.Start {
        ReferenceModel.Start(ayah: ayah, pass: pass, stage: stage ?? model.stage(of: ayah))
      }
      /// In the same round, where it is in the range.
      func beside(_ other: AyahReference) -> ReferenceModel.Start {
        start(other, pass, stage: isCumulative && range.contains(other) ? stage : nil)
      }
      switch kind {
      case 0:
        if ayah == range.last, passes.allows(pass + 1) { return start(range.first, pass + 1) }
        if isCumulative, ayah != range.last, model.number(ayah) == stage {
          return start(range.first, pass, stage: stage + 1)
        }
        return ayah < model.last ? beside(ayah.next!) : nil
      case 1:
        if ayah == range.first, isCumulative, stage > 1 {
          return start(ayah.advanced(by: stage - 2)!, pass)
        }
        if ayah == range.first, pass > 1 { return start(range.last, pass - 1) }
        return ayah > model.first ? beside(ayah.previous!) : start(ayah, pass)
      default:
        let index = Int.random(in: extent, using: &random)
        let other = AyahReference(absoluteIndex: index)!
        return model.first <= other && other <= model.last ? start(other, pass) : nil
      }
    }

    for _ in 0..<20 {
      switch Int.random(in: 0..<16, using: &test.random) {
      case 0: performance.act { _ = $0.pause() }
      case 1, 2: performance.act { _ = $0.resume() }
      case 3: performance.change { $0.loseDevice() }
      // A gap as long as an ayah would be shorter from there on.
      case 4: if test.request.gapFactor == 0 { performance.act { _ = $0.setSpeed(1.5) } }
      case 5:
        let kind = Int.random(in: 0..<3, using: &test.random)
        // The search for the format has no place yet that could be left.
        guard performance.renderer.format != nil else { continue }
        // What is cut off has to be right as well, an incoming crossfade included.
        performance.change { $0.send(.clear) }
        if performance.conductor.status.place?.occurrence.ayah != current().ayah {
          return "at \(String(describing: performance.conductor.status.place)), not \(current())"
        }
        let target = target(kind, &test.random)
        if target != nil, let problem = mismatch() { return problem }
        let accepted = performance.act { conductor in
          switch kind {
          case 0: conductor.next()
          case 1: conductor.previous()
          default: target.map { conductor.seek(to: $0.ayah) } ?? false
          }
        }
        guard accepted == (target != nil) else { return "jump to \(String(describing: target))" }
        guard let target else { return nil }
        start = target
        performance.change { _ = $0.takeHeard() }
      case 6:
        if Bool.random(using: &test.random) { performance.act { _ = $0.stop() } }
      default:
        performance.answerSearch()
        performance.hear(Int64.random(in: 1...120, using: &test.random))
      }
    }
    performance.act { _ = $0.resume() }
    for _ in 0..<20 {
      performance.answerSearch()
      performance.hear(100)
    }
    if !canBegin, case .failed = performance.state { return nil }
    return mismatch()
  }

  /// Counts and gaps that change at any moment cut nothing off, leave nothing out, and in the end lead to the end.
  @Test func otherCountsBreakNothingOff() {
    var finished = 0
    for seed in 0..<300 {
      var test = Case(seed: UInt64(50_000 + seed))
      test.request.crossfadeMilliseconds = 0
      test.request.gapMilliseconds = 0
      var performance = Performance(test.catalogue)
      performance.renderer.broken = test.broken
      performance.play(test.request)
      for _ in 0..<12 {
        performance.hear(Int64.random(in: 1...60, using: &test.random))
        let counts: [RepeatCount?] = [nil, .once, .times(3), .endless]
        let (ayah, range) = (
          counts.randomElement(using: &test.random)!, counts.randomElement(using: &test.random)!
        )
        performance.act { conductor in
          _ = conductor.setRepeats(ayah: ayah, range: range)
        }
        if Int.random(in: 0..<3, using: &test.random) == 0 {
          let (gap, factor) = (
            Int.random(in: 0...20, using: &test.random),
            [0, 0.5].randomElement(using: &test.random)!
          )
          performance.act { _ = $0.setGap(milliseconds: gap, factor: factor) }
        }
      }
      performance.act { _ = $0.setRepeats(ayah: .once, range: .once) }
      performance.hearToTheEnd()
      guard performance.state == .idle(.finished) else {
        if case .failed = performance.state { continue }
        Issue.record("seed \(seed): \(performance.state) after \(performance.renderer.heard)")
        return
      }
      let whole = Set(
        test.clips.values.flatMap { [$0.audio.span.lowerBound, $0.audio.span.upperBound] }.map(
          \.frames))
      finished += 1
      for case .audio(_, let span) in performance.renderer.heard
      where !whole.contains(span.lowerBound) || !whole.contains(span.upperBound) {
        Issue.record("seed \(seed): \(span) is cut off")
        return
      }
    }
    #expect(finished > 150)
  }

  @Test(arguments: 0..<4)
  func whatIsHeardIsWhatWasAskedFor(_ part: Int) {
    let count = isThoroughRun ? 2500 : 800
    for seed in 0..<count {
      let seed = UInt64(part * count + seed)
      if let problem = play(seed) {
        Issue.record("seed \(seed): \(problem)")
        return
      }
    }
  }
}
