// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore

@testable import Exchange

// Files that a test has in memory.

extension LabelFormat {
  func labels(in bytes: [UInt8]) throws(ExchangeError) -> LabelFile {
    try labels(in: LabelInput(bytes))
  }
}

extension LabelImport {
  init(
    reading bytes: [UInt8], as format: LabelFormat, tier: String? = nil, length: FrameCount,
    rate: SampleRate, isConfirmed: Bool = false, tolerance: Double = defaultTolerance
  ) throws(ExchangeError) {
    try self.init(
      reading: LabelInput(bytes), as: format, tier: tier, length: length, rate: rate,
      isConfirmed: isConfirmed, tolerance: tolerance)
  }
}

extension AnnotationJSON {
  static func recording(from bytes: [UInt8]) throws(ExchangeError) -> AnnotatedRecording {
    try recording(from: LabelInput(bytes))
  }
}
