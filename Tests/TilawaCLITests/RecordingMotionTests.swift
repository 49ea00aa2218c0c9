// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding
import Editor
import TestSupport
import Testing

@testable import TilawaCLI

@Suite struct RecordingMotionTests {
  @Test func thatThereIsNoPictureIsSaidWheneverItIsAskedFor() throws {
    let source = try MediaSource(path: FixtureFolder.path("wav-s16-44k-mono.wav"))
    expect("This recording has no picture, only sound", of: .success(source))
  }

  @Test func whyTheFileCannotBeReadIsSaidWheneverItIsAskedFor() {
    let obstacle = PictureObstacle(unreadable: "its file is missing")
    expect("No picture: its file is missing", of: .failure(obstacle))
  }

  private func expect(_ reason: String, of file: RecordingFile) {
    let reasons = Monitor<[String]>([])
    let motion = RecordingMotion(length: FrameCount(44_100), folder: nil) { event in
      if case .noSceneMarks(let reason) = event { reasons.update { $0.append(reason) } }
    }
    defer { motion.close() }
    motion.take(file)
    for count in 1...2 {
      motion.show(true)
      reasons.wait { $0.count == count ? () : nil }
      motion.show(false)
    }
    #expect(reasons.update { $0 }.allSatisfy { $0 == reason })
  }
}
