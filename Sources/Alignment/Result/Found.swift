// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran

extension AcousticAligner {
  /// What was found in a section.
  struct Found: Hashable, Sendable {
    var pieces: [AlignedPiece]
    var words: [AyahAlignment.Word]
    /// How much worse than the best sound of each frame the text is, in nats a frame, over all that is
    /// recited,
    var misfit: Double
    /// and over the beginning by which a place is searched.
    var misfitOfBeginning: Double
    /// How much likelier than elsewhere the sounds of what is recited are.
    var likeness: Likeness
    /// How many ayat are said again, and how many there are.
    var repeats: Int
    var tokens: Int
    /// Whether other passages follow the one that was told.
    var isJoined = false
    /// How often al-Fatiha is heard if it is a prayer, where that was asked.
    var fatihasOfPrayer: Int?
    /// How long what is said is none of the text, or is the beginning of a first ayah that does not go on.
    var unheard: FrameCount {
      pieces.filter { $0.assignment == .unused(.speech) }
        .reduce(falseStart?.length ?? .zero) { $0 + $1.span.length }
    }
    /// The length of the first ayah, if only its beginning is heard, and what is recited next.
    var falseStart: (length: FrameCount, next: AyahReference)? {
      let recited = pieces.filter { $0.assignment.recited != nil }.prefix(2)
      guard recited.count == 2, case .ayah(let first, .beginning, _) = recited[0].assignment,
        let next = recited[1].assignment.beginning, next != first
      else { return nil }
      return (recited[0].span.length, next)
    }
    func recites(_ ayah: AyahReference) -> Bool { recited(from: .zero).contains(ayah) }
    /// The ayat of which at least a part is heard from a position on.
    func recited(from position: FramePosition) -> Set<AyahReference> {
      let recited = pieces.filter { $0.span.lowerBound >= position }
        .compactMap(\.assignment.recited)
      return Set(recited.compactMap { AyahRange(first: $0.first, last: $0.last) }.joined())
    }
    /// Whether all that is said before a position is of the text.
    func isAllRecited(before position: FramePosition) -> Bool {
      !pieces.contains {
        $0.assignment == .unused(.speech) && $0.span.lowerBound < position
      }
    }
    /// Where the ayat begin that follow something else, or ayat with a gap after them; nil where there are none.
    var regularStart: FramePosition? {
      var before: AyahReference?
      var isAfterSpeech = false
      for piece in pieces {
        if piece.assignment == .unused(.speech) { isAfterSpeech = true }
        guard let recited = piece.assignment.recited else { continue }
        if isAfterSpeech || before.map({ recited.first != $0 && recited.first != $0.next }) ?? false
        {
          return piece.span.lowerBound
        }
        before = recited.last
      }
      return nil
    }
  }
}
