// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Exchange
import Quran

extension Edit {
  /// What was done, in a few words.
  func summary(at rate: SampleRate) -> String {
    func time(_ position: FramePosition) -> String { TimeText.short(position, at: rate) }
    switch self {
    case .addMarker(let marker): return "add a marker at \(time(marker.position))"
    case .moveMarker(let id, let position): return "move \(id) to \(time(position))"
    case .deleteMarker(let id): return "delete \(id)"
    case .confirmMarker(let id): return "confirm \(id)"
    case .unconfirmMarker(let id): return "unconfirm \(id)"
    case .assign(let segment, let attribution, let isConfirming):
      return "\(isConfirming ? "confirm" : "assign") \(attribution.assignment) to \(segment)"
    case .clear(let segment): return "clear \(segment)"
    case .confirm(let segment): return "confirm \(segment)"
    case .confirmAll(let segments): return "confirm \(PlainText.count(segments.count, "segment"))"
    case .unconfirm(let segment): return "unconfirm \(segment)"
    case .moveJoin(let segment, let index, let position):
      return "move join \(index + 1) of \(segment) to \(time(position))"
    case .setNote(let segment, let note):
      return note.isEmpty ? "remove the note of \(segment)" : "note on \(segment): \(note)"
    case .setFlag(let segment, let isFlagged): return "\(isFlagged ? "flag" : "unflag") \(segment)"
    case .fill(let fill): return "fill from \(fill.ayah) at \(fill.start)"
    case .replaceSuggestions(let suggestions):
      return "suggest \(PlainText.count(suggestions.boundaries.count, "boundary", "boundaries")) "
        + "from \(time(suggestions.range.lowerBound)) to \(time(suggestions.range.upperBound))"
    case .replaceAll(let records, _):
      return "import an annotation of \(PlainText.count(records.count, "segment"))"
    }
  }
}
