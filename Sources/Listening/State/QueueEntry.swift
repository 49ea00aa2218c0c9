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
  /// Passes after its own that a person has removed.
  public private(set) var skippedPasses = 0
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
    of whole: Whole?, in mix: Mix?, hasLaterPasses: Bool, skippedPasses: Int
  ) {
    self.init(id, title: title, source: source, request)
    self.rank = rank
    self.whole = whole
    self.mix = mix
    self.hasLaterPasses = hasLaterPasses
    self.skippedPasses = skippedPasses
  }

  /// The same as another item.
  func numbered(_ id: PlaybackItem.ID, rank: Int) -> QueueEntry {
    var copy = self
    copy.id = id
    copy.rank = rank
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
    if request.lastPass == nil { part.hasLaterPasses = true }
    part.title = title
    part.missing = missing.map { _ in AyahRange.runs(of: range.filter(isMissing)) }
    part.restrict(to: range)
    return part
  }

  /// Whether the round of its mix after its own has it in the next pass.
  var hasNextPass: Bool {
    hasLaterPasses && request.lastPass != nil && request.rangeRepeat.allows(nextPass)
  }

  /// The pass after its own.
  var nextPass: Int { request.firstPass + skippedPasses + 1 }

  /// The whole in all passes from one on, which the range may not have; nil where another entry has them.
  func whole(fromPass pass: Int, as id: PlaybackItem.ID) -> QueueEntry? {
    guard hasLaterPasses, let whole else { return nil }
    var later = self
    later.id = id
    later.title = whole.title
    later.restrict(to: whole.request.range)
    later.request.firstPass = pass
    later.request.lastPass = nil
    later.request.fillsFromOthers = whole.request.fillsFromOthers
    later.mix = nil
    later.skippedPasses = 0
    return later
  }

  /// Whether both are parts, or passes, of one entry.
  func isPart(ofSameAs other: QueueEntry) -> Bool { rank == other.rank && whole == other.whole }

  /// Whether the other is of a later pass of the same entry.
  func isPass(before later: QueueEntry) -> Bool {
    whole != nil && isPart(ofSameAs: later) && request.firstPass < later.request.firstPass
  }

  /// Leaves the passes after its own to the rounds of the mix that it comes to take part in.
  ///
  /// - Parameter next: the first of them; nil where another entry has none.
  mutating func leaveLaterPasses(from next: Int?) {
    // After its last pass there may be more once the count is raised.
    hasLaterPasses = isToTheEnd || next != nil
    skippedPasses = next.map { max($0 - request.firstPass - 1, 0) } ?? 0
  }

  mutating func skipPass() { skippedPasses += 1 }

  /// Whether it is a part, or one pass, of an entry.
  var isOfOnePass: Bool { whole != nil && request.lastPass != nil }

  /// Whether it is heard to the last pass of its range.
  var isToTheEnd: Bool {
    request.lastPass.map { !request.rangeRepeat.allows($0 + 1) } ?? true
  }

  /// Both in one, if the other is the part of the same entry that follows it, or the same in all passes that follow;
  /// repeats and reciter are those that it has now.
  func joined(with next: QueueEntry) -> QueueEntry? {
    guard let whole, whole == next.whole, rank == next.rank, let lastPass = request.lastPass else {
      return nil
    }
    if request.range == whole.request.range, request.range == next.request.range, next.isToTheEnd,
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
