// SPDX-License-Identifier: GPL-3.0-or-later

import Quran

/// The ayat of a reference recitation, one after the other, without the silence at the ends of each.
struct ReferenceTrack {
  struct Ayah {
    var reference: AyahReference
    /// Half-open, in frames of the track.
    var frames: Range<Int>
  }

  /// In order; 1:1, which every basmalah sounds like, comes first where the reference has it.
  let ayat: [Ayah]
  let frames: SpectralFrames

  init(_ recitation: ReferenceRecitation) {
    var ayat: [Ayah] = []
    var parts: [SpectralFrames.Part] = []
    var frame = 0
    for reference in recitation.ayat.keys.sorted() {
      guard let cepstra = recitation.ayat[reference]?.withoutSilence, cepstra.count > 0 else {
        continue
      }
      ayat.append(Ayah(reference: reference, frames: frame..<(frame + cepstra.count)))
      parts.append(.known(cepstra))
      frame += cepstra.count
    }
    self.ayat = ayat
    frames = SpectralFrames(joining: parts)
  }

  /// What is heard before surahs, and tells nothing of which; empty where the reference lacks it.
  var basmalah: Range<Int> {
    ayat.first.flatMap { $0.reference == .first ? $0.frames : nil } ?? 0..<0
  }

  /// All the rest, by which a place is known.
  var telling: Range<Int> { basmalah.upperBound..<frames.count }

  /// The ayah that a frame is part of, as an index; the first or the last for frames beyond the ends.
  func index(at frame: Int) -> Int {
    max(ayat.partitioningIndex { $0.frames.lowerBound > frame } - 1, 0)
  }
}
