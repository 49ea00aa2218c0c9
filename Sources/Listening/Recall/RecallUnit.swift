// SPDX-License-Identifier: GPL-3.0-or-later

public import Quran

/// Ayat that are learnt by heart together, or the place where two such units meet.
public struct RecallUnit: Hashable, Sendable, Identifiable {
  public let range: AyahRange
  /// Whether it is the last ayah of a unit and the first of the next, to go on from one to the other.
  public let isJoin: Bool
  /// Nil until it was graded.
  public var memory: Memory?
  public var reviews: Int
  /// How often it was known and then was not.
  public var lapses: Int

  public var id: AyahRange { range }

  public init(_ range: AyahRange, isJoin: Bool) {
    self.range = range
    self.isJoin = isJoin
    reviews = 0
    lapses = 0
  }

  /// - Parameter grades: of it, the earliest first.
  public init(
    _ range: AyahRange, isJoin: Bool, grades: [(grade: RecallGrade, at: Int)],
    _ scheduler: MemoryScheduler
  ) {
    self.init(range, isJoin: isJoin)
    for grade in grades { take(grade.grade, at: grade.at, scheduler) }
  }

  public mutating func take(_ grade: RecallGrade, at time: Int, _ scheduler: MemoryScheduler) {
    if grade == .again, memory?.phase == .known { lapses += 1 }
    memory = scheduler.memory(after: grade, at: time, memory)
    reviews += 1
  }

  /// `78:1-5`, or `78:5 | 78:6` for a join.
  public var name: String {
    isJoin
      ? "\(range.first) \(Self.joinMark) \(range.last)" : range.numericDescription
  }

  private static let joinMark: Character = "|"

  /// The ayat of a join by its name; nil for any other text.
  public static func join(named name: String) -> AyahRange? {
    let ends = name.split(separator: joinMark, omittingEmptySubsequences: false).map { end in
      AyahReference(end.filter { !$0.isWhitespace })
    }
    guard ends.count == 2, let first = ends[0], let last = ends[1], first.next == last else {
      return nil
    }
    return AyahRange(first: first, last: last)
  }

  /// The units that a range is divided into; none goes over the end of a surah.
  ///
  /// - Parameter ayat: of a unit; nil for the pages of the Madinah mushaf.
  public static func divided(_ range: AyahRange, by ayat: Int?) -> [AyahRange] {
    var units: [AyahRange] = []
    var first = range.first
    for ayah in range {
      let next = ayah.next
      let isFull =
        ayat.map { ayah.ayah - first.ayah + 1 >= $0 } ?? (next.map { $0.page != ayah.page } ?? true)
      guard ayah == range.last || isFull || next?.surah != ayah.surah else { continue }
      if let unit = AyahRange(first: first, last: ayah) { units.append(unit) }
      if let next { first = next }
    }
    return units
  }

  /// The joins between units that follow one another in a surah.
  public static func joins(between units: [AyahRange]) -> [AyahRange] {
    let sorted = units.sorted { $0.first < $1.first }
    return zip(sorted, sorted.dropFirst()).compactMap { before, after in
      before.last.next == after.first && before.last.surah == after.first.surah
        ? AyahRange(first: before.last, last: after.first) : nil
    }
  }
}

/// How much is asked in a day.
public struct RecallLimits: Hashable, Sendable {
  /// Units that were never graded.
  public var new: Int
  /// All together.
  public var all: Int
  /// Minutes of reciting; nil for as long as it takes.
  public var minutes: Int?

  public init(new: Int = 3, all: Int = 50, minutes: Int? = nil) {
    self.new = new
    self.all = all
    self.minutes = minutes
  }

  /// Seconds that are left of a day; nil where they are not limited.
  ///
  /// - Parameter grades: when those of the day were given, in seconds. What passed between two of one sitting was
  ///   spent on reciting; how long the first of a sitting took is not known, and does not count.
  public func secondsLeft(after grades: [Int]) -> Int? {
    guard let minutes else { return nil }
    let times = grades.sorted()
    let spent = zip(times, times.dropFirst()).map { $1 - $0 }.filter { $0 <= RecallState.sitting }
    return Swift.max(minutes * 60 - spent.reduce(0, +), 0)
  }
}

extension [RecallUnit] {
  /// What is to be recited now: what is due by the end of the day, the longest overdue first; then what is new, in
  /// the order of the Quran, a join only once both its units are known.
  ///
  /// - Parameters:
  ///   - day: from its first second to its last, in the person's time.
  ///   - done: how many grades were given today, and how many of them to what was new.
  public func due(
    in day: Range<Int>, _ limits: RecallLimits, done: (all: Int, new: Int)
  ) -> [RecallUnit] {
    let (due, new) = waiting(in: day)
    let wanted = due + new.prefix(Swift.max(limits.new - done.new, 0))
    return Array(wanted.prefix(Swift.max(limits.all - done.all, 0)))
  }

  /// What could be recited on a day if nothing limited it, in the order of `due`.
  public func waiting(in day: Range<Int>) -> (due: [RecallUnit], new: [RecallUnit]) {
    let due = filter { ($0.memory?.due ?? .max) < day.upperBound }.sorted {
      ($0.memory?.due ?? 0, $0.range.first) < ($1.memory?.due ?? 0, $1.range.first)
    }
    let known = Set(
      filter { !$0.isJoin && $0.memory?.phase == .known }.flatMap {
        [$0.range.first, $0.range.last]
      })
    let new = filter { unit in
      unit.memory == nil
        && (!unit.isJoin || known.contains(unit.range.first) && known.contains(unit.range.last))
    }.sorted { ($0.range.first, $0.range.last) < ($1.range.first, $1.range.last) }
    return (due, new)
  }
}
