// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics

extension AcousticScores {
  /// The same for a reading of which the sounds are not known: a sound that is said as another costs no more in a
  /// frame than one that is left out. Silence stays as it is.
  var forgivingOtherSounds: AcousticScores {
    let most = Int(ChainPrices().skippedSound)
    var values = values
    for row in stride(from: 0, to: values.count, by: soundCount) {
      let sounds = row..<row + soundCount - 1
      let best = sounds.reduce(Int(Int16.min)) { max($0, Int(values[$1])) }
      for column in sounds { values[column] = Int16(max(Int(values[column]), best - most)) }
    }
    return AcousticScores(soundCount: soundCount, values: values)
  }

  /// The same without a difference between sounds: what is left is that something is said.
  var ofSpeechAlone: AcousticScores {
    var values = values
    for row in stride(from: 0, to: values.count, by: soundCount) {
      let sounds = row..<row + soundCount - 1
      let best = sounds.reduce(Int16.min) { max($0, values[$1]) }
      for column in sounds { values[column] = best }
    }
    return AcousticScores(soundCount: soundCount, values: values)
  }
}
