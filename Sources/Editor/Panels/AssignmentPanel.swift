// SPDX-License-Identifier: GPL-3.0-or-later

public import Annotation
import AudioCore
import Quran
import TerminalUI

/// Says what is heard in a segment; confirms nothing before it is valid.
public struct AssignmentPanel: Sendable {
  public let segment: SegmentID
  var kind = Kind.ayah
  var field = Field.surah
  /// Whether what is typed next replaces what the field holds.
  var isFresh = true
  var surah = AyahPicker()
  var ayahPart: AyahPart?
  /// Whether a surah that begins in the segment begins with its basmalah.
  var withBasmalah = false
  /// The last ayah of several.
  var last = AyahPicker()
  /// The ayah of the other surah.
  var other = AyahPicker()
  var leadIn = ListCursor()
  var reason = ListCursor()
  /// What was typed of the name of a lead-in or a reason, its letters alone.
  var typedName = ""
  /// The lead-in that was chosen before a name was typed.
  var leadInBefore: ListCursor?
  /// The kind that was chosen before an ayah, or two, were typed as the surah.
  var kindBefore: Kind?
  /// The kind in which the name of a lead-in or a reason was typed as the surah.
  var kindBeforeName: Kind?
  /// The surah that is probably recited here.
  private(set) var proposedSurah: Surah?
  /// Where each ayah after the first begins.
  var joins: [FramePosition] = []
  var selectedJoin = 0
  /// Whether a person has said with which ayah the other surah begins.
  var isOtherGiven = false
  /// What the joins were reckoned for; another makes them reckoned anew.
  private var joinsAreFor: [AyahReference] = []

  enum Kind: CaseIterable { case ayah, several, crossSurah, leadIn, unused }

  enum Field: Hashable {
    case kind, surah, ayah, part, lastAyah, otherSurah, otherAyah, basmalah, split, leadIn, reason
  }

  init(_ state: State, _ segment: Segment) {
    self.segment = segment.id
    reason = ListCursor(
      UnusedReason.allCases.firstIndex(of: state.settings.lastUnusedReason) ?? 0)
    fill(
      from: segment.assignment ?? state.offer(for: segment.index)
        ?? state.namedStart(for: segment.index).map { .ayah($0) })
    let likely = state.proposedAyah(for: segment.index)?.surah
    if segment.assignment == nil, surah.surah == nil, let likely {
      surah = AyahPicker(likely)
      field = .ayah
    }
    proposedSurah = surah.surah ?? likely
    reckonJoins(state)
    if let joins = segment.assignment?.joins, !joins.isEmpty { self.joins = joins }
  }

  private mutating func fill(from assignment: Assignment?) {
    withBasmalah = assignment?.hasBasmalah ?? false
    switch assignment {
    case nil: break
    case .ayah(let ayah, let part, _):
      surah = AyahPicker(ayah)
      ayahPart = part
    case .crossSurah(let ayah, _, let end, _):
      kind = .crossSurah
      isOtherGiven = true
      surah = AyahPicker(ayah)
      other = AyahPicker(end)
    case .ayat(let range, _, _):
      kind = .several
      surah = AyahPicker(range.first)
      last = AyahPicker(range.last)
    case .leadIn(let leadIn):
      kind = .leadIn
      field = .leadIn
      self.leadIn = ListCursor(leadIn.hasIstiadhah ? (leadIn.basmalah == nil ? 0 : 2) : 1)
      if let basmalah = leadIn.basmalah { surah = AyahPicker(basmalah.firstAyah) }
    case .unused(let unused):
      kind = .unused
      field = .reason
      reason = ListCursor(UnusedReason.allCases.firstIndex(of: unused) ?? 0)
    }
  }

  /// The fields of the kind, in order.
  var fields: [Field] {
    let basmalah: [Field] = mayHoldBasmalah ? [.basmalah] : []
    return switch kind {
    case .ayah: [.kind, .surah, .ayah, .part] + basmalah
    case .several: [.kind, .surah, .ayah, .lastAyah] + basmalah + [.split]
    case .crossSurah: [.kind, .surah, .ayah, .otherSurah, .otherAyah] + basmalah + [.split]
    case .leadIn: leadIn.index == 0 ? [.kind, .leadIn] : [.kind, .leadIn, .surah]
    case .unused: [.kind, .reason]
    }
  }

  /// Whether the segment has an inside to divide.
  var showsSplit: Bool { kind == .several || kind == .crossSurah }

  /// How finely the segment's own waveform is drawn.
  static func miniatureColumns(_ size: Size) -> Int { max(size.columns - 4, 1) }
}

// MARK: What it comes to

extension AssignmentPanel {
  /// The assignment as it stands, or why there is none yet, for people.
  func assignment(_ state: State) -> Result<Assignment, Incomplete> {
    switch kind {
    case .unused:
      guard Self.reason(named: typedName) != nil else { return .failure(Incomplete(unknownName)) }
      return .success(.unused(UnusedReason.allCases[reason.index]))
    case .leadIn:
      guard Self.leadIn(named: typedName) != nil else { return .failure(Incomplete(unknownName)) }
      if leadIn.index == 0 { return .success(.leadIn(.istiadhah)) }
      guard let surah = surah.surah else { return .failure(Incomplete(surah.question)) }
      guard surah.opensWithUncountedBasmalah else {
        return .failure(
          Incomplete(
            surah.number == 1
              ? "The basmalah of Al-Fatihah is its first ayah" : "\(surah.name) has no basmalah"))
      }
      return .success(
        .leadIn(leadIn.index == 1 ? .basmalah(of: surah) : .istiadhahAndBasmalah(of: surah)))
    case .ayah, .several, .crossSurah: break
    }
    switch ayat {
    case .failure(let incomplete): return .failure(incomplete)
    case .success(let ayat):
      guard let first = ayat.first, let last = ayat.last else {
        return .failure(Incomplete("Which ayah?"))
      }
      let assignment: Assignment
      switch kind {
      case .several:
        guard let range = AyahRange(first: first, last: last) else {
          return .failure(Incomplete("Which ayat?"))
        }
        assignment = .ayat(range, joins: joins)
      case .crossSurah:
        guard let join = joins.first else {
          return .failure(Incomplete("Where does the surah change?"))
        }
        assignment = .crossSurah(first, join: join, end: last)
      default: assignment = .ayah(first, part: ayahPart)
      }
      return check(assignment.withBasmalah(withBasmalah), state)
    }
  }

  /// Why something is not ready, for people.
  struct Incomplete: Error, Hashable {
    let reason: String
    init(_ reason: String) { self.reason = reason }
  }

  private func check(_ assignment: Assignment, _ state: State) -> Result<Assignment, Incomplete> {
    do throws(EditRefusal) {
      _ = try state.document.plan(.assign(segment, Attribution(assignment), confirming: true))
      return .success(assignment)
    } catch {
      return .failure(Incomplete(error.message(at: state.rate).sentence))
    }
  }

  /// The ayat heard, in order, as far as they follow from the fields.
  private var ayat: Result<[AyahReference], Incomplete> {
    guard let first = surah.reference else { return .failure(Incomplete(surah.question)) }
    switch kind {
    case .several:
      guard let number = last.ayahNumber else { return .failure(Incomplete("Up to which ayah?")) }
      guard let last = AyahReference(surah: first.surah, ayah: number) else {
        return .failure(
          Incomplete("\(first.surah.name) has \(first.surah.ayahCount) ayat"))
      }
      guard let range = AyahRange(first: first, last: last), range.count > 1 else {
        return .failure(Incomplete("The last ayah comes after \(first)"))
      }
      return .success(Array(range))
    case .crossSurah:
      guard let end = other.reference else { return .failure(Incomplete(other.question)) }
      guard end.surah != first.surah else {
        return .failure(Incomplete("Both ayat are in one surah: assign several ayat instead"))
      }
      return .success([first, end])
    default: return .success([first])
    }
  }

  /// Whether a surah that opens with the basmalah begins with one of the ayat.
  private var mayHoldBasmalah: Bool {
    guard kind != .leadIn, kind != .unused, case .success(let ayat) = ayat else { return false }
    return ayat.contains(where: \.followsBasmalah)
      && (kind != .ayah || ayahPart == nil || ayahPart == .beginning)
  }

  mutating func toggleBasmalah() {
    withBasmalah.toggle()
    joinsAreFor = []
  }

  func obstacle(to action: Action, _ state: State) -> String? {
    switch action {
    case .assignAyah: return kind == .ayah ? "One ayah is chosen already" : nil
    case .assignSeveral: return kind == .several ? "Several ayat are chosen already" : nil
    case .assignCrossSurah:
      return kind == .crossSurah ? "A pair across surahs is chosen already" : nil
    case .assignLeadIn: return kind == .leadIn ? "A lead-in is chosen already" : nil
    case .assignUnused: return kind == .unused ? "Unused is chosen already" : nil
    case .assignPart: return kind == .ayah ? nil : "Only one ayah can be heard in part"
    case .assignBasmalah:
      return mayHoldBasmalah ? nil : "No surah with a basmalah begins here"
    case .splitEarlier, .splitLater, .splitHere:
      if !joins.indices.contains(selectedJoin) { return "There is nothing to split" }
      guard action == .splitHere, let span = state.document.segment(segment)?.span else {
        return nil
      }
      return span.contains(state.transport.position) && span.lowerBound < state.transport.position
        ? nil : State.playheadOutsideSegment
    case .panelAccept, .assignAcceptNext:
      if case .failure(let incomplete) = assignment(state) { return incomplete.reason }
      return nil
    default: return nil
    }
  }
}

// MARK: Splits

extension AssignmentPanel {
  /// Puts joins where the ayat would meet if all were recited at one pace, unless there are joins for
  /// these ayat already.
  mutating func reckonJoins(_ state: State) {
    guard showsSplit, case .success(let ayat) = ayat,
      let span = state.document.segment(segment)?.span
    else {
      joins = []
      joinsAreFor = []
      return
    }
    guard ayat != joinsAreFor || joins.count != ayat.count - 1 else { return }
    joinsAreFor = ayat
    selectedJoin = min(selectedJoin, max(ayat.count - 2, 0))
    let lengths = ayat.map {
      $0.length.phoneticUnits
        + (withBasmalah && $0.followsBasmalah ? AyahLength.basmalah.phoneticUnits : 0)
    }
    let whole = lengths.reduce(0, +)
    var units = 0
    joins = lengths.dropLast().map { length in
      units += length
      let share = Double(units) / Double(max(whole, 1))
      return span.lowerBound + FrameCount(Int64(Double(span.length.frames) * share))
    }
  }

  /// Moves a join as far as the ones beside it allow.
  mutating func moveJoin(_ index: Int, to position: FramePosition, _ state: State) {
    guard joins.indices.contains(index), let span = state.document.segment(segment)?.span else {
      return
    }
    let low = (index > 0 ? joins[index - 1] : span.lowerBound) + FrameCount(1)
    let high = (index + 1 < joins.count ? joins[index + 1] : span.upperBound) - FrameCount(1)
    guard low <= high else { return }
    joins[index] = min(max(position, low), high)
  }
}
