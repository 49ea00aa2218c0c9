// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran

extension JSONCursor {
  /// An assignment as ``Assignment/value(_:)`` writes it, and the values of its joins.
  ///
  /// - Throws: ``ExchangeError/malformedLabels(_:at:reason:)`` with the path.
  func spokenContent() throws(ExchangeError) -> (content: SpokenContent, joins: [JSONCursor]) {
    let kind = try required("kind")
    switch try kind.string() {
    case "ayah":
      return (
        .ayah(
          try ayah("surah", "ayah"), part: try self["part"]?.word(), withBasmalah: try hasBasmalah()
        ),
        []
      )
    case "cross_surah":
      return (
        .pair(
          try ayah("surah", "ayah"), try ayah("end_surah", "end_ayah"),
          withBasmalah: try hasBasmalah()),
        [try required("join")]
      )
    case "ayat":
      let first = try required("first").ayah()
      let last = try required("last").ayah()
      guard let range = AyahRange(first: first, last: last) else {
        throw try required("last").fault("\(last) comes before \(first)")
      }
      return (
        .ayat(range, withBasmalah: try hasBasmalah()), try required("joins").elements()
      )
    case "lead_in":
      let hasIstiadhah = try required("istiadhah").bool()
      guard try required("basmalah").bool() else {
        guard hasIstiadhah else { throw fault("a lead-in without isti'adhah or basmalah") }
        return (.istiadhah, [])
      }
      let number = try required("surah")
      guard let surah = Surah(try number.integer()) else {
        throw number.fault("surah numbers are 1 to 114")
      }
      return (.basmalah(surah, afterIstiadhah: hasIstiadhah), [])
    case "unused":
      return (.unused(try required("reason").word()), [])
    case let other:
      throw kind.fault(
        "\(quoted(other)) is not one of \"ayah\", \"cross_surah\", \"ayat\", \"lead_in\", \"unused\""
      )
    }
  }

  private func hasBasmalah() throws(ExchangeError) -> Bool {
    try self["with_basmalah"]?.bool() ?? false
  }

  private func ayah(_ surah: String, _ ayah: String) throws(ExchangeError) -> AyahReference {
    do {
      return try AyahReference(
        checking: required(surah).integer(), ayah: required(ayah).integer())
    } catch let error as ExchangeError {
      throw error
    } catch {
      throw fault("\(error)")
    }
  }

  private func ayah() throws(ExchangeError) -> AyahReference {
    let text = try string()
    guard let ayah = AyahReference(text) else {
      throw fault("\(quoted(text)) is not an ayah; write it as 2:255")
    }
    return ayah
  }
}

extension Assignment {
  /// Nil when the content calls for another number of joins, or for a surah it does not name.
  init?(_ content: SpokenContent, joins: [FramePosition]) {
    switch content {
    case .ayah(let ayah, let part, let has) where joins.isEmpty:
      self = .ayah(ayah, part: part, withBasmalah: has)
    case .pair(let first, let second, let has) where joins.count == 1:
      self = .crossSurah(first, join: joins[0], end: second, withBasmalah: has)
    case .ayat(let range, let has) where joins.count == range.count - 1:
      self = .ayat(range, joins: joins, withBasmalah: has)
    case .istiadhah where joins.isEmpty: self = .leadIn(.istiadhah)
    case .basmalah(let surah?, let isAfterIstiadhah) where joins.isEmpty:
      self = .leadIn(isAfterIstiadhah ? .istiadhahAndBasmalah(of: surah) : .basmalah(of: surah))
    case .unused(let reason) where joins.isEmpty: self = .unused(reason)
    default: return nil
    }
  }
}
