// SPDX-License-Identifier: GPL-3.0-or-later

import Alignment
import Analysis
import AudioCore
import Foundation
import Quran
import Testing
import Workflows

/// Real recitations beside the checkout, told to begin where they do not.
@Suite struct WrongStartTests {
  private static let recording = "../shared/corpus/dev/emad_067.opus"
  private static let isThere = FileManager.default.fileExists(atPath: recording)

  private func heard() throws -> (aligner: AcousticAligner, told: AyahReference) {
    let workflow = AlignmentWorkflow(threadCount: 2, sidecars: nil)
    let recording = try workflow.measure(path: Self.recording, track: nil)
    let rate = recording.format.rate
    // The end of 67:8, and what follows it.
    let span = FramePosition(seconds: 100, at: rate)..<FramePosition(seconds: 190, at: rate)
    let first = try AyahReference(checking: 67, ayah: 1)
    return (try workflow.aligner(workflow.heard(recording), in: span), first)
  }

  @Test(.enabled(if: isThere, "no recording \(recording)"))
  func theEndOfAnAyahIsNotTheBeginningOfTheOneThatWasTold() throws {
    let (aligner, told) = try heard()
    let alignment = aligner.align(AlignmentRequest(first: told))
    let begins = try AyahReference(checking: 67, ayah: 8)
    #expect(alignment.doubt == .beginsWith(begins, told: told))
    #expect(aligner.align(AlignmentRequest(first: begins)).doubt == nil)
  }
}
