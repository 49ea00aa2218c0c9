// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding
import Editor
import Foundation
import GeneratedVideo
import TerminalUI
import TestSupport
import Testing

@testable import TilawaCLI

@Suite struct RecordingThumbnailsTests {
  private func reasons(_ path: String) throws -> [String] {
    reasons(.success(try MediaSource(path: path)))
  }

  private func reasons(_ file: RecordingFile) -> [String] {
    let reasons = Monitor<[String]>([])
    let thumbnails = RecordingThumbnails(length: FrameCount(480_000), folder: nil) { event in
      if case .noThumbnails(let reason) = event { reasons.update { $0.append(reason) } }
    }
    defer { thumbnails.close() }
    let room = Rect(column: 0, row: 0, columns: 80, rows: 2)
    thumbnails.show(PictureRoom(room, pixels: nil, hasBlocks: true).wish(.stretch))
    thumbnails.take(file)
    return reasons.wait { $0.isEmpty ? nil : $0 }
  }

  @Test func thatThereIsNoPictureIsSaid() throws {
    let reasons = try reasons(FixtureFolder.path("wav-s16-44k-mono.wav"))
    #expect(reasons == ["This recording has no picture, only sound"])
  }

  @Test func whyTheFileCannotBeReadIsSaid() {
    let obstacle = PictureObstacle(unreadable: "its file is missing")
    #expect(reasons(.failure(obstacle)) == ["No picture: its file is missing"])
  }

  @Test func thatNoPictureCanBeDecodedIsSaid() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("night.mov")
    try GeneratedVideo(frames: 250, rate: 25).write(to: path)
    var bytes = try Data(contentsOf: URL(filePath: path))
    let (start, end) = try (
      #require(bytes.range(of: Data("mdat".utf8))).upperBound,
      #require(bytes.range(of: Data("moov".utf8))).lowerBound - 4
    )
    bytes.replaceSubrange(start..<end, with: Data(count: end - start))
    try bytes.write(to: URL(filePath: path))
    let expected = "This recording has a picture that is damaged and cannot be decoded"
    #expect(try reasons(path).first == expected)
  }
}
