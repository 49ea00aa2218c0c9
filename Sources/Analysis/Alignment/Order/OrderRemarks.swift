// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran

/// What people should know of the order in which ayat are heard.
enum OrderRemarks {
  /// One sentence for each place where the reciter goes back, or leaves something out; in order.
  ///
  /// - Parameters:
  ///   - byLengths: whether nothing but lengths told what was left out.
  ///   - start: the second at which what is aligned begins in the recording.
  static func remarks(
    _ result: LengthAligner.Result, byLengths: Bool, from start: Double
  ) -> [String] {
    remarks(
      heard(result).map { Heard(ayah: $0.ayah, isPart: $0.isPart, seconds: $0.seconds + start) },
      byLengths: byLengths)
  }

  /// The same for segments.
  static func remarks(
    _ segments: [AyahAlignment.Segment], byLengths: Bool, from origin: FramePosition,
    rate: SampleRate
  ) -> [String] {
    func seconds(_ position: FramePosition) -> Double {
      position.seconds(at: rate) + origin.seconds(at: rate)
    }
    let heard = segments.flatMap { segment -> [Heard] in
      let start = seconds(segment.span.lowerBound)
      switch segment.assignment {
      case .ayah(let ayah, let part):
        return [Heard(ayah: ayah, isPart: part != nil, seconds: start)]
      case .crossSurah(let ayah, let join, let end):
        return [
          Heard(ayah: ayah, isPart: false, seconds: start),
          Heard(ayah: end, isPart: false, seconds: seconds(join)),
        ]
      case .ayat(let range, let joins):
        let starts = [start] + joins.map(seconds)
        return zip(range, starts).map { Heard(ayah: $0, isPart: false, seconds: $1) }
      case .leadIn, .unused: return []
      }
    }
    return remarks(heard, byLengths: byLengths)
  }

  private static func remarks(_ heard: [Heard], byLengths: Bool) -> [String] {
    var remarks: [String] = []
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
      if here.ayah <= before.ayah {
        var end = index
        while end + 1 < heard.count, heard[end + 1].ayah <= far,
          heard[end + 1].ayah > heard[end].ayah
        {
          end += 1
        }
        remarks.append(again(heard[index...end], isPart: before.isPart))
        index = end
      } else if here.ayah > far, let next = far.next, let skipped = here.ayah.previous,
        let left = AyahRange(first: next, last: skipped)
      {
        let isOne = left.first == left.last
        let which = isOne ? "\(next)" : left.numericDescription
        let time = clock(here.seconds)
        remarks.append(
          byLengths
            ? "\(which) \(isOne ? "seems" : "seem") to be left out at \(time), or what is near it; "
              + "lengths alone do not tell for sure"
            : "\(which) \(isOne ? "is" : "are") not heard at \(time)")
      }
      last = heard[index]
      furthest = max(far, heard[index].ayah)
      index += 1
    }
    return remarks
  }

  private struct Heard {
    var ayah: AyahReference
    var isPart: Bool
    var seconds: Double
  }

  private static func heard(_ result: LengthAligner.Result) -> [Heard] {
    result.tokens.indices.compactMap { index in
      guard case .ayah(let ayah) = result.tokens[index].content,
        result.points[index].position < result.points[index + 1].position
      else { return nil }
      return Heard(
        ayah: ayah, isPart: result.tokens[index].part != nil, seconds: result.points[index].time)
    }
  }

  /// - Parameter isPart: whether the reciter stopped within an ayah.
  private static func again(_ heard: ArraySlice<Heard>, isPart: Bool) -> String {
    let first = heard[heard.startIndex]
    let last = heard[heard.endIndex - 1]
    let time = clock(first.seconds)
    if heard.count == 1 {
      let what = isPart || first.isPart ? "a part of \(first.ayah)" : "\(first.ayah)"
      return "\(what) is heard again at \(time)"
    }
    let range = AyahRange(first: first.ayah, last: last.ayah)?.numericDescription
    return "\(range ?? "\(first.ayah)") are heard again at \(time)"
  }

  /// Minutes and seconds, hours where there are any.
  private static func clock(_ seconds: Double) -> String {
    let whole = Int(seconds)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let minutes = whole / 60 % 60
    return whole >= 3600
      ? "\(whole / 3600):\(two(minutes)):\(two(whole % 60))" : "\(minutes):\(two(whole % 60))"
  }
}
