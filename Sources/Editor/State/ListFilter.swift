// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import TerminalUI

/// Which segments the list shows, and its keys go to.
enum ListFilter: Hashable, CaseIterable {
  case all, unsure, unconfirmed, flagged, unassigned, prayer

  /// For people: so many of the segments that it shows.
  func title(_ count: Int) -> String {
    switch self {
    case .all: counted(count, "segment")
    case .unsure: counted(count, "unsure segment")
    case .unconfirmed: counted(count, "unconfirmed segment")
    case .flagged: counted(count, "segment") + " with a flag or a note"
    case .unassigned: counted(count, "unassigned segment")
    case .prayer: counted(count, "segment") + " without recitation"
    }
  }

  func shows(_ index: Int, of document: AnnotationDocument) -> Bool {
    let content = document.records[index].content
    return switch self {
    case .all: true
    case .unsure: Certainty(document.sureness(ofSegmentAt: index)) == .unsure
    case .unconfirmed: !content.isConfirmed
    case .flagged: content.isMarked
    case .unassigned: content.assignment == nil
    case .prayer: if case .unused = content.assignment { true } else { false }
    }
  }
}

/// The segments in the list, by their places in the recording.
struct ListedSegments: RandomAccessCollection {
  /// Nil while all of them are listed.
  private let chosen: [Int]?
  let endIndex: Int
  let startIndex = 0

  init(_ filter: ListFilter, _ document: AnnotationDocument) {
    let places = document.records.indices
    chosen = filter == .all ? nil : places.filter { filter.shows($0, of: document) }
    endIndex = chosen?.count ?? places.count
  }

  subscript(row: Int) -> Int { chosen?[row] ?? row }

  /// The first row that shows a segment at or after a place.
  func row(from place: Int) -> Int {
    chosen?.firstIndex { $0 >= place } ?? Swift.min(place, endIndex)
  }

  /// The row of a segment; nil where it is not listed.
  func row(of place: Int) -> Int? {
    let row = row(from: place)
    return indices.contains(row) && self[row] == place ? row : nil
  }

  func next(after place: Int) -> Int? {
    let row = row(from: place + 1)
    return indices.contains(row) ? self[row] : nil
  }

  func previous(before place: Int) -> Int? {
    let row = row(from: place) - 1
    return indices.contains(row) ? self[row] : nil
  }
}

extension State {
  var listed: ListedSegments { ListedSegments(filter, document) }

  /// Goes on to the next filter that shows something.
  mutating func turnFilter() {
    let all = ListFilter.allCases
    let here = all.firstIndex(of: filter) ?? 0
    let following = (1..<all.count).map { all[(here + $0) % all.count] }
    filter = following.first { !ListedSegments($0, document).isEmpty } ?? .all
    listFollowsSelection = true
    notice = Notice(
      .done,
      "The list shows " + (filter == .all ? "all segments" : filter.title(listed.count)))
  }
}
