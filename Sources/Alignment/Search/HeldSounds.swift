// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics

extension AcousticScores {
  /// The same, with what is said again and again said less loudly.
  ///
  /// The frames of a sound that is held for seconds are no witnesses of their own: a network that takes the
  /// first of them for another sound takes them all for it, and a drawn vowel would outweigh all other words of an
  /// ayah. Within such a stretch the differences between sounds shrink with the distance from its ends.
  /// Silence stays as it is.
  var withHeldSoundsCountedLess: AcousticScores {
    var values = values
    let silence = soundCount - 1
    var first = 0
    var sound = silence
    func shrink(_ run: Range<Int>) {
      guard sound != silence else { return }
      for frame in run.dropFirst(Self.witnesses).dropLast(Self.witnesses) {
        let distance = min(frame - run.lowerBound, run.upperBound - 1 - frame) + 1
        let row = frame * soundCount
        let best = Int(values[row + sound])
        for column in row..<row + soundCount {
          values[column] = Int16(
            best - (best - Int(values[column])) * Self.witnesses / distance)
        }
      }
    }
    for frame in 0..<count {
      // Of the array that is not written to, which a slice of the other would have copied with each stretch.
      let row = self.values[frame * soundCount..<(frame + 1) * soundCount]
      let likeliest = row.indices.max { row[$0] < row[$1] }.map { $0 - row.startIndex } ?? silence
      guard likeliest != sound else { continue }
      shrink(first..<frame)
      (first, sound) = (frame, likeliest)
    }
    shrink(first..<count)
    return AcousticScores(soundCount: soundCount, values: values)
  }

  /// Frames at either end of a held sound that count in full. Of 2, 4, 6 and 8, 4 and 6 found most edges of a night, and
  /// 6 and 8 lost none in passages (`Scripts/measure-accuracy.py`).
  private static let witnesses = 6
}
