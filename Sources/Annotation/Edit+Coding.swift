// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Quran

/// `{"edit":"move_marker","id":7,"at":44100}`: a segment is the number of the marker it starts
/// at, and no number is the first segment.
extension Edit: Codable {
  private enum CodingKeys: String, CodingKey {
    case edit, marker, id, at, segment, attribution, confirming, join, note, flag, ayah, suggestions
    case segments, words, count
    case passesConfirmed = "past_confirmed"
  }

  private enum Kind: String, Codable {
    case addMarker = "add_marker"
    case moveMarker = "move_marker"
    case deleteMarker = "delete_marker"
    case confirmMarker = "confirm_marker"
    case unconfirmMarker = "unconfirm_marker"
    case assign, clear, confirm, unconfirm, fill
    case confirmAll = "confirm_all"
    case moveJoin = "move_join"
    case setNote = "set_note"
    case setFlag = "set_flag"
    case replaceSuggestions = "replace_suggestions"
    case replaceAll = "replace_all"
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    func id() throws -> MarkerID { try values.decode(MarkerID.self, forKey: .id) }
    func segment() throws -> SegmentID {
      SegmentID(try values.decodeIfPresent(MarkerID.self, forKey: .segment))
    }
    func at() throws -> FramePosition { try values.decode(FramePosition.self, forKey: .at) }

    switch try values.decode(Kind.self, forKey: .edit) {
    case .addMarker: self = .addMarker(try values.decode(Marker.self, forKey: .marker))
    case .moveMarker: self = .moveMarker(try id(), to: try at())
    case .deleteMarker: self = .deleteMarker(try id())
    case .confirmMarker: self = .confirmMarker(try id())
    case .unconfirmMarker: self = .unconfirmMarker(try id())
    case .assign:
      self = .assign(
        try segment(), try values.decode(Attribution.self, forKey: .attribution),
        confirming: try values.decode(Bool.self, forKey: .confirming))
    case .clear: self = .clear(try segment())
    case .confirm: self = .confirm(try segment())
    case .confirmAll:
      self = .confirmAll(
        try values.decode([MarkerID?].self, forKey: .segments).map { SegmentID($0) })
    case .unconfirm: self = .unconfirm(try segment())
    case .moveJoin:
      self = .moveJoin(
        try segment(), index: try values.decode(Int.self, forKey: .join), to: try at())
    case .setNote: self = .setNote(try segment(), try values.decode(String.self, forKey: .note))
    case .setFlag: self = .setFlag(try segment(), try values.decode(Bool.self, forKey: .flag))
    case .fill:
      self = .fill(
        SequentialFill(
          from: try segment(), starting: try values.decode(AyahReference.self, forKey: .ayah),
          count: try values.decodeIfPresent(Int.self, forKey: .count),
          passesConfirmed: try values.decodeIfPresent(Bool.self, forKey: .passesConfirmed)
            ?? false))
    case .replaceSuggestions:
      self = .replaceSuggestions(try values.decode(Suggestions.self, forKey: .suggestions))
    case .replaceAll:
      self = .replaceAll(
        try values.decode([SegmentRecord].self, forKey: .segments),
        words: try values.decodeIfPresent([TimedWord].self, forKey: .words))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    func put(_ kind: Kind, id: MarkerID) throws {
      try values.encode(kind, forKey: .edit)
      try values.encode(id, forKey: .id)
    }
    func put(_ kind: Kind, segment: SegmentID) throws {
      try values.encode(kind, forKey: .edit)
      try values.encodeIfPresent(segment.marker, forKey: .segment)
    }

    switch self {
    case .addMarker(let marker):
      try values.encode(Kind.addMarker, forKey: .edit)
      try values.encode(marker, forKey: .marker)
    case .moveMarker(let id, let position):
      try put(.moveMarker, id: id)
      try values.encode(position, forKey: .at)
    case .deleteMarker(let id): try put(.deleteMarker, id: id)
    case .confirmMarker(let id): try put(.confirmMarker, id: id)
    case .unconfirmMarker(let id): try put(.unconfirmMarker, id: id)
    case .assign(let segment, let attribution, let confirming):
      try put(.assign, segment: segment)
      try values.encode(attribution, forKey: .attribution)
      try values.encode(confirming, forKey: .confirming)
    case .clear(let segment): try put(.clear, segment: segment)
    case .confirm(let segment): try put(.confirm, segment: segment)
    case .confirmAll(let segments):
      try values.encode(Kind.confirmAll, forKey: .edit)
      try values.encode(segments.map(\.marker), forKey: .segments)
    case .unconfirm(let segment): try put(.unconfirm, segment: segment)
    case .moveJoin(let segment, let index, let position):
      try put(.moveJoin, segment: segment)
      try values.encode(index, forKey: .join)
      try values.encode(position, forKey: .at)
    case .setNote(let segment, let note):
      try put(.setNote, segment: segment)
      try values.encode(note, forKey: .note)
    case .setFlag(let segment, let isFlagged):
      try put(.setFlag, segment: segment)
      try values.encode(isFlagged, forKey: .flag)
    case .fill(let fill):
      try put(.fill, segment: fill.start)
      try values.encode(fill.ayah, forKey: .ayah)
      try values.encodeIfPresent(fill.count, forKey: .count)
      if fill.passesConfirmed { try values.encode(true, forKey: .passesConfirmed) }
    case .replaceSuggestions(let suggestions):
      try values.encode(Kind.replaceSuggestions, forKey: .edit)
      try values.encode(suggestions, forKey: .suggestions)
    case .replaceAll(let records, let words):
      try values.encode(Kind.replaceAll, forKey: .edit)
      try values.encode(records, forKey: .segments)
      try values.encodeIfPresent(words, forKey: .words)
    }
  }
}
