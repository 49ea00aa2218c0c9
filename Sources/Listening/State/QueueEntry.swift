// SPDX-License-Identifier: GPL-3.0-or-later

public import Playback
public import Quran

/// An item of the queue as people know it.
public struct QueueEntry: Hashable, Sendable, Identifiable {
  public private(set) var id: PlaybackItem.ID
  /// `67 Al-Mulk`, `juz 30`, `Night 3`.
  public var title: String
  /// The recording, list or argument that it came from; shuffling by recording keeps those together.
  public var source: String
  public var request: PlaybackRequest
  /// Its place before anything was shuffled; parts of one entry have the same.
  public private(set) var rank: Int
  /// What it is a part of since a shuffle by ayah.
  public private(set) var whole: Whole?
  /// The shuffle by ayah that it takes part in, for one pass of its range.
  public internal(set) var mix: Mix?
  /// Whether the rounds after this one have the passes after its own; else another entry has them.
  public private(set) var hasLaterPasses = false
  /// What of it cannot be heard; nil while nobody has looked.
  public var missing: [AyahRange]?
  /// The recording that it names, which is heard unless a reciter was chosen since.
  private var recording: MediaKey?

  public init(
    _ id: PlaybackItem.ID, title: String, source: String, _ request: PlaybackRequest
  ) {
    self.id = id
    self.title = title
    self.source = source
    self.request = request
    rank = id.number
    recording = request.only
  }

  /// One that took part in a shuffle by ayah.
  public init(
    _ id: PlaybackItem.ID, title: String, source: String, _ request: PlaybackRequest, rank: Int,
    of whole: Whole?, in mix: Mix?, hasLaterPasses: Bool
  ) {
    self.init(id, title: title, source: source, request)
    self.rank = rank
    self.whole = whole
    self.mix = mix
    self.hasLaterPasses = hasLaterPasses
  }

  /// The same as another item.
  public func numbered(_ id: PlaybackItem.ID) -> QueueEntry {
    var copy = self
    copy.id = id
    copy.rank = id.number
    return copy
  }

  /// Has it recited by somebody else, or by anybody again.
  mutating func choose(_ row: ReciterRow) {
    if row.riwayah != request.riwayah { recording = nil }
    request.riwayah = row.riwayah
    request.reciters = row.id.map { .inOrder([$0]) } ?? .anybody
    request.only = row.id == nil ? recording : nil
    missing = nil
  }

  public var item: PlaybackItem { PlaybackItem(id, request) }

  /// An entry as it was before it was divided.
  public struct Whole: Hashable, Sendable {
    public let title: String
    public let request: PlaybackRequest

    public init(title: String, _ request: PlaybackRequest) {
      self.title = title
      self.request = request
    }
  }

  /// A part of one pass of it, as an entry of its own or in its place.
  ///
  /// - Parameter pass: the first that it plays if nil.
  func part(
    _ range: AyahRange, title: String, as id: PlaybackItem.ID? = nil, pass: Int? = nil
  ) -> QueueEntry {
    var part = self
    part.id = id ?? self.id
    part.whole = whole ?? Whole(title: self.title, request)
    part.request.firstPass = pass ?? request.firstPass
    part.request.lastPass = part.request.firstPass
    if mix == nil { part.hasLaterPasses = request.lastPass == nil }
    part.title = title
    part.missing = missing.map { _ in AyahRange.runs(of: range.filter(isMissing)) }
    part.restrict(to: range)
    return part
  }

  /// The same ayat in the pass after its own, for the next round of its mix; nil where that has no such pass.
  var nextPass: QueueEntry? {
    guard hasLaterPasses, let next = passAfter else { return nil }
    var entry = self
    entry.request.firstPass = next
    entry.request.lastPass = next
    return entry
  }

  /// The whole in all passes after its own; nil where there is none that it has not left to another entry.
  func laterPasses(as id: PlaybackItem.ID) -> QueueEntry? {
    guard hasLaterPasses, let whole, let next = passAfter else { return nil }
    var later = self
    later.id = id
    later.title = whole.title
    later.restrict(to: whole.request.range)
    later.request.firstPass = next
    later.request.lastPass = nil
    later.mix = nil
    return later
  }

  /// Whether the other has all passes after this one of the same entry.
  func isPass(before later: QueueEntry) -> Bool {
    guard let whole, whole == later.whole, rank == later.rank, let lastPass = request.lastPass
    else { return false }
    return later.request.lastPass == nil && later.request.firstPass == lastPass + 1
  }

  /// Takes part in a mix whose rounds have the passes after its own too.
  mutating func join(withLaterPasses mix: Mix) {
    self.mix = mix
    hasLaterPasses = true
  }

  private var passAfter: Int? {
    request.lastPass.flatMap { request.rangeRepeat.allows($0 + 1) ? $0 + 1 : nil }
  }

  /// Both in one, if the other is the part of the same entry that follows it, or the same in all passes that follow;
  /// repeats and reciter are those that it has now.
  func joined(with next: QueueEntry) -> QueueEntry? {
    guard let whole, whole == next.whole, rank == next.rank, let lastPass = request.lastPass else {
      return nil
    }
    if request.range == next.request.range, next.request.lastPass == nil,
      next.request.firstPass == lastPass + 1
    {
      var joined = self
      joined.request.lastPass = nil
      return joined
    }
    guard request.firstPass == next.request.firstPass, lastPass == next.request.lastPass,
      request.range.last.next == next.request.range.first,
      let range = AyahRange(first: request.range.first, last: next.request.range.last)
    else { return nil }
    var joined = self
    joined.restrict(to: range)
    joined.title = range == whole.request.range ? whole.title : "\(range)"
    joined.addMissing(of: next)
    return joined
  }

  /// Takes note of what is missing of another part.
  mutating func addMissing(of other: QueueEntry) {
    missing = missing.flatMap { own in
      other.missing.map { AyahRange.runs(of: (own + $0).flatMap { Array($0) }.sorted()) }
    }
  }

  /// What leads into the whole or follows it goes with its first or its last ayah.
  private mutating func restrict(to range: AyahRange) {
    guard let whole = whole?.request else { return }
    request.range = range
    request.connectionBefore = range.first == whole.range.first ? whole.connectionBefore : 0
    let hasEnd = range.last == whole.range.last
    request.connectionAfter = hasEnd ? whole.connectionAfter : 0
    request.afterRepeat = hasEnd ? whole.afterRepeat : .stop
  }

  func isMissing(_ ayah: AyahReference) -> Bool {
    missing?.contains { $0.contains(ayah) } ?? false
  }

  /// Takes note of what has come since it was looked for.
  mutating func found(_ ayat: AyahRange) {
    missing = missing.map { missing in
      AyahRange.runs(of: missing.joined().filter { !ayat.contains($0) })
    }
  }
}
