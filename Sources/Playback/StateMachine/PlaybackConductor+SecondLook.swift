// SPDX-License-Identifier: GPL-3.0-or-later

import Quran

// An ayah that was missing when it was planned is looked for once more when its turn begins.
extension PlaybackConductor {
  /// Its turn may come long after it was planned, and its file meanwhile.
  mutating func lookAgain(for occurrence: AyahOccurrence, of entry: Entry) {
    // With an excerpt what is missing may be here, and not have the part that is wanted.
    guard let item = items.first(where: { $0.id == entry.item }), item.request.excerpt == nil else {
      return tellMissing(entry)
    }
    let look = Search(
      ticket: newNumber(), need: .ayah(occurrence.ayah), item: item, isForFormat: false)
    secondLook = look
    effects.append(.lookAgain(look.need, key(of: look)))
  }

  mutating func takeSecondLook(_ answer: ClipAnswer) {
    guard let entry = ledger.first, case .missing(let occurrence, _, _) = entry.step.content else {
      return
    }
    if case .ayah(.found) = answer, again(occurrence, of: entry) { return }
    tellMissing(entry)
  }

  mutating func tellMissing(_ entry: Entry) {
    guard case .missing(let occurrence, let reason, _) = entry.step.content else { return }
    secondLook = nil
    effects.append(.notify(.missing(occurrence.ayah, reason: reason)))
  }
}
