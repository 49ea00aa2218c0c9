// SPDX-License-Identifier: GPL-3.0-or-later

public import Quran

/// Gives consecutive ayat, each whole, to segments in order; the first its end alone where a part of it
/// is heard right before.
///
/// Lead-ins and unused segments keep what they hold and take no ayah; every other unconfirmed
/// segment takes the next, in place of what it held. Ends before the next confirmed segment, whatever
/// that holds, or goes on past it, after the ayah that it holds.
public struct SequentialFill: Hashable, Sendable {
  /// The segment to begin at.
  public let start: SegmentID
  /// The ayah that the first segment filled gets.
  public let ayah: AyahReference
  /// How many segments get an ayah at most; nil for as many as there are.
  public let count: Int?
  /// Whether confirmed segments, which stay as they are, do not end it.
  public let passesConfirmed: Bool

  public init(
    from start: SegmentID, starting ayah: AyahReference, count: Int? = nil,
    passesConfirmed: Bool = false
  ) {
    self.start = start
    self.ayah = ayah
    self.count = count
    self.passesConfirmed = passesConfirmed
  }

  /// What a fill would do.
  public struct Preview: Hashable, Sendable {
    /// In order.
    public internal(set) var placements: [Placement]
    public internal(set) var end: End
  }

  /// A segment and the ayah it gets.
  public struct Placement: Hashable, Sendable {
    public let segment: SegmentID
    /// The segment's place, from 0.
    public let index: Int
    public let ayah: AyahReference
    /// Nil for the whole ayah.
    public let part: AyahPart?

    public var assignment: Assignment { .ayah(ayah, part: part) }
  }

  /// Why a fill goes no further.
  public enum End: Hashable, Sendable {
    case confirmed(SegmentID)
    case endOfRecording
    case endOfQuran
    /// As many are filled as were asked for.
    case count
  }
}

extension AnnotationDocument {
  /// Which segments a fill would give which ayah.
  /// - Throws: ``EditRefusal/unknownSegment(_:)``.
  public func preview(_ fill: SequentialFill) throws(EditRefusal) -> SequentialFill.Preview {
    var preview = SequentialFill.Preview(placements: [], end: .endOfRecording)
    var upcoming: AyahReference? = fill.ayah
    let start = try existingIndex(of: fill.start)
    // A reciter who broke off goes on with the rest.
    var part = proposal(for: start) == .ayah(fill.ayah, part: .end) ? AyahPart.end : nil
    for index in start..<records.count {
      let record = records[index]
      guard !record.content.isConfirmed else {
        guard fill.passesConfirmed else {
          preview.end = .confirmed(record.id)
          break
        }
        if let next = proposal(after: record) {
          upcoming = next.ayah
          part = next.part
        }
        continue
      }
      if let assignment = record.content.assignment, !assignment.isRecitation { continue }
      if let count = fill.count, preview.placements.count >= count {
        preview.end = .count
        break
      }
      guard let ayah = upcoming else {
        preview.end = .endOfQuran
        break
      }
      preview.placements.append(
        .init(segment: record.id, index: index, ayah: ayah, part: part))
      upcoming = ayah.next
      part = nil
    }
    return preview
  }

  func filling(_ fill: SequentialFill) throws(EditRefusal) -> Change {
    let placements = try preview(fill).placements
    guard let first = placements.first, let last = placements.last else { throw .nothingToFill }
    return rewriting(first.index...last.index) { records in
      for placement in placements {
        records[placement.index - first.index].fill(with: placement.assignment)
      }
    }
  }
}

extension SegmentRecord {
  /// Gives it an assignment by a person. How sure an alignment was of its start, it was of the ayah that it found
  /// there.
  fileprivate mutating func fill(with assignment: Assignment) {
    if content.assignment != assignment, let start, start.isSuggestion, start.origin == .aligned {
      self.start?.confidence = nil
    }
    content.attribution = Attribution(assignment)
  }
}
