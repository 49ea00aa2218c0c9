// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran

/// What people should know of the order in which ayat are heard.
enum OrderRemarks {
  /// One for each place where the reciter goes back, or leaves something out; in order. Al-Fatiha of a
  /// prayer is no part of the order.
  ///
  /// - Parameter origin: where what was aligned begins in the recording.
  static func remarks(
    _ segments: [AyahAlignment.Segment], isPrayer: Bool, from origin: FramePosition,
    rate: SampleRate
  ) -> [AlignmentRemark] {
    func seconds(_ position: FramePosition) -> Double {
      position.seconds(at: rate) + origin.seconds(at: rate)
    }
    var heard = segments.flatMap { segment -> [Heard] in
      let start = seconds(segment.span.lowerBound)
      switch segment.assignment {
      case .ayah(let ayah, let part, _):
        return [Heard(ayah: ayah, isPart: part != nil, seconds: start)]
      case .crossSurah(let ayah, let join, let end, _):
        return [
          Heard(ayah: ayah, isPart: false, seconds: start),
          Heard(ayah: end, isPart: false, seconds: seconds(join)),
        ]
      case .ayat(let range, let joins, _):
        let starts = [start] + joins.map(seconds)
        return zip(range, starts).map { Heard(ayah: $0, isPart: false, seconds: $1) }
      case .leadIn, .unused: return []
      }
    }
    if isPrayer { heard.removeAll { $0.ayah.isInFatiha } }
    return remarks(heard, isPrayer: isPrayer)
  }

  private static func remarks(_ heard: [Heard], isPrayer: Bool) -> [AlignmentRemark] {
    var remarks: [AlignmentRemark] = []
    var last: Heard?
    var furthest: AyahReference?
    var index = 0
    while index < heard.count {
      let here = heard[index]
      guard let before = last, let far = furthest else {
        (last, furthest) = (here, here.ayah)
        index += 1
        continue
      }
      if here.ayah <= far {
        var end = index
        while end + 1 < heard.count, heard[end + 1].ayah <= far,
          let next = heard[end].ayah.next, heard[end + 1].ayah >= next,
          !isElsewhere(heard[end + 1].ayah, after: next)
        {
          end += 1
        }
        let isNew = !heard[..<index].contains { (here.ayah...heard[end].ayah).contains($0.ayah) }
        if let again = AyahRange(first: here.ayah, last: heard[end].ayah) {
          if isNew {
            let later = here.ayah <= before.ayah ? before.ayah : far
            remarks.append(.outOfOrder(again, after: later, seconds: here.seconds))
            (last, index) = (heard[end], end + 1)
            continue
          }
          let isPart = again.count == 1 && (before.isPart || here.isPart)
          remarks.append(.heardAgain(again, isPart: isPart, seconds: here.seconds))
        }
        index = end
      } else if let next = far.next, isElsewhere(here.ayah, after: next), !isPrayer {
        while index + 1 < heard.count, heard[index + 1].ayah == heard[index].ayah.next {
          index += 1
        }
        if let range = AyahRange(first: here.ayah, last: heard[index].ayah) {
          remarks.append(.outOfOrder(range, after: before.ayah, seconds: here.seconds))
        }
      } else if here.ayah > far, let next = far.next, let skipped = here.ayah.previous,
        let left = AyahRange(first: next, last: skipped),
        // In a prayer portions may be of other surahs.
        !(isPrayer && here.ayah.surah != next.surah
          && (here.ayah.ayah == 1 || isElsewhere(here.ayah, after: next)))
      {
        // What comes later is said to be out of order there.
        let later = Set(heard[index...].map(\.ayah))
        for range in AyahRange.runs(of: left.filter { !later.contains($0) }) {
          remarks.append(.leftOut(range, seconds: here.seconds))
        }
      }
      last = heard[index]
      furthest = max(far, heard[index].ayah)
      index += 1
    }
    return remarks
  }

  /// Whether whole surahs lie between an ayah and the one that was expected: another passage begins.
  private static func isElsewhere(_ ayah: AyahReference, after next: AyahReference) -> Bool {
    let first = next.ayah == 1 ? next.surah.number : next.surah.number + 1
    return ayah.surah.number > first
  }

  private struct Heard {
    var ayah: AyahReference
    var isPart: Bool
    var seconds: Double
  }
}
