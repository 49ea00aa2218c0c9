// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import AudioCore
import Editor
import Library
import Quran

/// How the open recording sounds, and what the library holds of the same ayat to compare it with.
struct DeskReference: Sendable {
  let library: Library
  let recording: Recording
  let sidecars: SidecarFolder?

  /// What an alignment is given.
  struct Material: Sendable {
    /// For a prayer's structure, and for a comparison.
    var sound: Cepstra?
    /// To hear where the reciter goes back.
    var excerpts: SoundExcerpts?
    var comparison: ReferenceComparison?
    /// With which recordings it is compared, or that there are none, for people.
    var remark: String?
  }

  /// Blocks: what is not kept in the cache is decoded.
  ///
  /// Without anything to compare with, the lengths of the ayat have to do.
  func material(
    for request: AlignmentRequest, _ choice: DetectionParameters.Reference,
    in span: Range<FramePosition>, stopFlag: StopFlag
  ) throws(AnalysisError) -> Material {
    let reader = CepstralReader(sidecars: sidecars, stopFlag: stopFlag)
    let seconds = span.length.seconds(at: recording.media.rate)
    let held = choice == .library ? clips(for: request, withinSeconds: seconds) : []
    let share = ReferenceShare(request, withinSeconds: seconds, of: held)
    let clips = share.isEmpty ? [] : held
    let remark =
      choice == .none
      ? nil
      : clips.isEmpty
        ? ReferenceChoice.nothingInLibrary(of: request.saidAyat)
        : "compared with \(library.titles(of: clips).joined(separator: ", ")) (\(share.text))"
    let path = recording.path(in: library.folder)
    let excerpts = reader.excerpts(path: path, track: recording.media.track)
    let rate = recording.media.rate
    let isOfFatiha = request.isOfFatiha(withinSeconds: seconds)
    guard !clips.isEmpty || request.prayer != .none || isOfFatiha else {
      return Material(excerpts: excerpts.from(span.lowerBound), remark: remark)
    }
    let sound = try reader.read(path: path, track: recording.media.track).part(span, rate: rate)
    guard !clips.isEmpty else { return Material(sound: sound, remark: remark) }
    return Material(
      sound: sound,
      comparison: ReferenceComparison(
        recording: sound, reference: try reader.recitation(of: clips)),
      remark: remark)
  }

  private func clips(
    for request: AlignmentRequest, withinSeconds seconds: Double
  ) -> [ReferenceClips] {
    let ayat = request.referenceAyat(withinSeconds: seconds)
    let preference = ReferencePreference(
      reciter: recording.reciter?.id, riwayah: recording.riwayah, excluding: recording.id)
    // A library that cannot be asked just now is none to compare with.
    return (try? library.referenceClips(for: ayat, preferring: preference)) ?? []
  }
}
