// SPDX-License-Identifier: GPL-3.0-or-later

/// An alignment and what it has learnt: of a passage recited at a stretch, or of a night.
struct AlignmentOutcome {
  var alignment: AyahAlignment
  var result: LengthAligner.Result?
  var night: PrayerNight?

  init(
    _ alignment: AyahAlignment, result: LengthAligner.Result? = nil, night: PrayerNight? = nil
  ) {
    self.alignment = alignment
    self.result = result
    self.night = night
  }
}
