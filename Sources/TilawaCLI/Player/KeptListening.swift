// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import Library
import Listening
import Playback
import Quran

/// What a listening session keeps of itself in the library: enough to go on after the machine was switched off.
struct KeptListening: Codable, Equatable {
  /// The command line behind `play`, from which everything that is not below is read again.
  var arguments: [String]
  var entries: [Entry]
  /// What has decided the order; nil where nothing was shuffled.
  var seed: UInt64?

  struct Entry: Codable, Equatable {
    var id: Int
    var title: String
    var source: String
    var range: String
    var riwayah: String
    /// The one recording to take it from.
    var only: String?
    /// Ids of reciters; nil for anybody.
    var reciters: [Int64?]?
    var fills: Bool
    var crossfade: Int
    var curve: String
    var before: Int
    var after: Int
    var goesOn: Bool
    /// Nil in what older versions kept: as the command line says.
    var repeats: Repeats?
    /// Nil for what was never shuffled by ayah, and in what older versions kept.
    var part: Part?
  }

  /// The part of an item that an entry is since it was shuffled by ayah.
  struct Part: Codable, Equatable {
    var rank: Int
    var firstPass: Int
    /// Nil where it has all that follow.
    var lastPass: Int?
    var hasLaterPasses: Bool
    /// Nil in what older versions kept.
    var skippedPasses: Int?
    var mix: KeptMix?
    var whole: Whole

    struct KeptMix: Codable, Equatable {
      var number: Int
      var seed: UInt64
      var round: Int
    }

    struct Whole: Codable, Equatable {
      var title: String
      var range: String
      var before: Int
      var after: Int
      var goesOn: Bool
    }
  }

  /// Repetitions and gaps, which lists and people set for themselves.
  struct Repeats: Codable, Equatable {
    /// Nil for ever.
    var ayah: Int?
    var range: Int?
    var practice: String
    var gap: Int
    var gapFactor: Double
  }

  /// Where it is.
  struct Place: Codable, Equatable {
    var item: Int
    var ayah: String
    var repetition: Int
    var pass: Int
    var stage: Int
    /// Whether the basmalah before the ayah comes first; nil in what older versions kept.
    var hasBasmalah: Bool?
    var frame: Int64?
    var media: String?
    /// What was heard of the ayah, from and to frames of its recording; nil in what older versions kept.
    var heard: [[Int64]]?
    var speed: Double
    /// Whether all was heard.
    var isFinished = false
    /// The ayat that could not be heard.
    var missing: [String] = []
  }

  init(arguments: [String], queue: [QueueEntry], seed: UInt64? = nil) {
    self.arguments = arguments
    self.seed = seed
    entries = queue.map { Entry($0) }
  }

  /// The queue as it was; entries that make no sense are left out.
  ///
  /// - Parameter template: what the command line asks for of each.
  func queue(_ template: PlaybackRequest) -> [QueueEntry] {
    entries.compactMap { $0.entry(template) }
  }

  func json() -> String? { Self.text(self) }

  static func text(_ value: some Encodable) -> String? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) }
  }

  static func read<Value: Decodable>(_ text: String, as type: Value.Type = Value.self) -> Value? {
    try? JSONDecoder().decode(Value.self, from: Data(text.utf8))
  }
}

/// A listening session that was left before its end.
struct LeftListening {
  var session: ListeningSession
  var kept: KeptListening
  var place: KeptListening.Place

  /// Those of a library that can be gone on with, the last one first.
  static func all(in library: Library) throws(LibraryError) -> [LeftListening] {
    try library.listeningSessions().compactMap { session in
      guard let kept = KeptListening.read(session.request, as: KeptListening.self),
        let place = KeptListening.read(session.position, as: KeptListening.Place.self),
        !place.isFinished, !kept.entries.isEmpty
      else { return nil }
      return LeftListening(session: session, kept: kept, place: place)
    }
  }
}

extension KeptListening.Entry {
  init(_ entry: QueueEntry) {
    let request = entry.request
    id = entry.id.number
    title = entry.title
    source = entry.source
    range = "\(request.range.first)-\(request.range.last)"
    riwayah = request.riwayah.rawValue
    only = request.only?.rawValue
    if case .inOrder(let order) = request.reciters { reciters = order.map { $0?.rawValue } }
    fills = request.fillsFromOthers
    crossfade = request.crossfadeMilliseconds
    curve = request.crossfadeCurve.rawValue
    before = request.connectionBefore
    after = request.connectionAfter
    goesOn = request.afterRepeat != .stop
    repeats = KeptListening.Repeats(
      ayah: request.ayahRepeat.times, range: request.rangeRepeat.times,
      practice: request.practice.rawValue, gap: request.gapMilliseconds,
      gapFactor: request.gapFactor)
    part = KeptListening.Part(entry)
  }

  func entry(_ template: PlaybackRequest) -> QueueEntry? {
    guard let range = try? AyahRange(parsing: range), let riwayah = Riwayah(rawValue: riwayah)
    else { return nil }
    var request = template
    request.range = range
    request.riwayah = riwayah
    request.only = only.map { MediaKey(rawValue: $0) }
    request.reciters =
      reciters.map { .inOrder($0.map { $0.map { ReciterID(rawValue: $0) } }) } ?? .anybody
    request.fillsFromOthers = fills
    request.crossfadeMilliseconds = crossfade
    request.crossfadeCurve = FadeCurve(rawValue: curve) ?? template.crossfadeCurve
    request.connectionBefore = before
    request.connectionAfter = after
    if !goesOn { request.afterRepeat = .stop }
    if let repeats {
      request.ayahRepeat = repeats.ayah.map { .times($0) } ?? .endless
      request.rangeRepeat = repeats.range.map { .times($0) } ?? .endless
      request.practice = RangePractice(rawValue: repeats.practice) ?? request.practice
      request.gapMilliseconds = repeats.gap
      request.gapFactor = repeats.gapFactor
    }
    guard let part, let whole = part.whole.entry(template) else {
      return QueueEntry(PlaybackItem.ID(id), title: title, source: source, request)
    }
    request.firstPass = max(part.firstPass, 1)
    request.lastPass = part.lastPass
    return QueueEntry(
      PlaybackItem.ID(id), title: title, source: source, request, rank: part.rank, of: whole,
      in: part.mix.map { Mix(number: $0.number, seed: $0.seed, round: max($0.round, 0)) },
      hasLaterPasses: part.hasLaterPasses, skippedPasses: max(part.skippedPasses ?? 0, 0))
  }
}

extension KeptListening.Part {
  init?(_ entry: QueueEntry) {
    guard let whole = entry.whole else { return nil }
    rank = entry.rank
    firstPass = entry.request.firstPass
    lastPass = entry.request.lastPass
    hasLaterPasses = entry.hasLaterPasses
    skippedPasses = entry.skippedPasses
    mix = entry.mix.map { KeptMix(number: $0.number, seed: $0.seed, round: $0.round) }
    self.whole = Whole(
      title: whole.title, range: "\(whole.request.range.first)-\(whole.request.range.last)",
      before: whole.request.connectionBefore, after: whole.request.connectionAfter,
      goesOn: whole.request.afterRepeat != .stop)
  }
}

extension KeptListening.Part.Whole {
  fileprivate func entry(_ template: PlaybackRequest) -> QueueEntry.Whole? {
    guard let range = try? AyahRange(parsing: range) else { return nil }
    var request = template
    request.range = range
    request.connectionBefore = before
    request.connectionAfter = after
    if !goesOn { request.afterRepeat = .stop }
    return QueueEntry.Whole(title: title, request)
  }
}

extension KeptListening.Place {
  init(_ now: NowPlaying, missing: [AyahReference], heard parts: HeardParts? = nil) {
    // In the silence after an ayah it is that ayah that was heard, and the next one that is due.
    let begin = now.next ?? PlaybackStart(item: now.item, at: now.occurrence)
    item = begin.item.number
    ayah = "\(begin.ayah)"
    repetition = begin.repetition
    pass = begin.pass
    stage = begin.stage
    hasBasmalah = now.next?.hasBasmalah ?? now.isBasmalah
    let isWithin = now.next == nil
    frame = isWithin ? now.frame?.frames : nil
    media = isWithin ? now.clip?.audio.media.rawValue : nil
    if let parts, parts.media.rawValue == media {
      heard = parts.parts.ranges.map { [$0.lowerBound.frames, $0.upperBound.frames] }
    }
    speed = now.speed
    isFinished = now.state == .idle(.finished)
    self.missing = AyahRange.runs(of: missing.sorted()).map(\.description)
  }

  /// What was heard of the ayah.
  var heardParts: HeardParts? {
    guard let media, let heard else { return nil }
    let ranges = heard.filter { $0.count == 2 && $0[0] < $0[1] }.map {
      FramePosition($0[0])..<FramePosition($0[1])
    }
    return HeardParts(MediaKey(rawValue: media), RangeSet(ranges))
  }

  var start: PlaybackStart? {
    guard let ayah = AyahReference(ayah) else { return nil }
    var start = PlaybackStart(item: PlaybackItem.ID(item), ayah: ayah)
    start.repetition = repetition
    start.pass = pass
    start.stage = stage
    start.hasBasmalah = hasBasmalah ?? false
    start.frame = frame.map { FramePosition($0) }
    start.media = media.map { MediaKey(rawValue: $0) }
    return start
  }
}
