// SPDX-License-Identifier: GPL-3.0-or-later

import Quran

/// Tells with which ayah a recording began, part of which was found in a reference.
extension PassageSearch {
  /// What paths are worth on the way back to the first ayah: those through other words lose.
  private static let backwards = PassageScan.Scale(chance: 1)
  /// How much better it is to begin with a surah and with an ayah, and how much worse anywhere else; in
  /// the unit of paths.
  private static let surahStart: Float = 30
  private static let ayahStart: Float = 2
  private static let costElsewhere: Float = 12
  /// Seconds of what was found that the first ayah is sought from.
  private static let followed = 40
  /// How many times longer than where he was found the reciter may have taken before, and seconds more.
  private static let slower = 1.4
  private static let reachBefore = 8
  private static let reachAfter = 4
  /// Seconds by which the place where the path ends is open.
  private static let openEnd = 3
  /// A quarter of a second before and after an ayah's beginning counts as that.
  private static let beginningShare = 4

  /// Part of the track, with the basmalah said before each surah.
  private struct Stretch {
    var sounds: [SpectralFrames] = []
    /// Where each ayah begins, or the basmalah before it.
    var beginnings: [(frame: Int, ayah: AyahReference)] = []
    /// The frame that stands for the one of the track that was asked for.
    var end = 0

    var count: Int { sounds.reduce(0) { $0 + $1.count } }
  }

  /// The ayah with which reciting began, where a place is the right one.
  func first(of place: Place) -> AyahReference? {
    let rate = Cepstra.framesPerSecond
    let hit = place.hit
    let tempo = place.tempo
    let endRow = min(hit.rows.upperBound, hit.rows.lowerBound + Self.followed * rate)
    let endColumn = min(Int(hit.column(atRow: Double(endRow))), track.frames.count - 1)
    let before = Int(Double(hit.rows.lowerBound) * max(hit.slope, 0.1) * Self.slower)
    let stretch = stretch(
      from: max(hit.columns.lowerBound - before - Self.reachBefore * rate, 0),
      to: min(endColumn + Self.reachAfter * rate, track.frames.count), end: endColumn)
    var scan = PassageScan([
      SpectralFrames(joining: stretch.sounds).thinned(by: tempo.column)
    ])
    let around = max(rate / Self.beginningShare / tempo.column, 1)
    scan.begin(
      in: stretch.beginnings.flatMap { frame, ayah in
        (-around...around).map {
          (frame / tempo.column + $0, ayah.ayah == 1 ? Self.surahStart : Self.ayahStart)
        }
      }, elsewhere: Self.costElsewhere)
    let open = Self.openEnd * rate / tempo.column
    let end = stretch.end / tempo.column
    let path = scan.hit(
      voice.part(0..<min(endRow, voice.count)).thinned(by: tempo.row), chance(tempo),
      Self.backwards, endingIn: (end - open)..<(end + open))
    let found = path.map { ($0.columns.lowerBound + around + 1) * tempo.column }
    return found.flatMap { found in stretch.beginnings.last { $0.frame <= found }?.ayah }
      ?? track.ayat[track.index(at: hit.columns.lowerBound)].reference
  }

  private func stretch(from first: Int, to last: Int, end: Int) -> Stretch {
    var stretch = Stretch()
    for ayah in track.ayat[track.index(at: first)...] where ayah.frames.lowerBound < last {
      let surah = ayah.reference.surah
      if ayah.reference.ayah == 1, surah.opensWithUncountedBasmalah, !track.basmalah.isEmpty {
        stretch.beginnings.append((stretch.count, ayah.reference))
        stretch.sounds.append(track.frames.part(track.basmalah))
      }
      stretch.beginnings.append((stretch.count, ayah.reference))
      if ayah.frames.contains(end) { stretch.end = stretch.count + end - ayah.frames.lowerBound }
      stretch.sounds.append(track.frames.part(ayah.frames))
    }
    return stretch
  }
}
