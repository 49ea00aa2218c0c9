// SPDX-License-Identifier: GPL-3.0-or-later

import Decoding
import GeneratedVideo
import Glibc
import Video

/// Writes a video into a folder of its own for as long as `body` runs.
func withVideo<Result>(
  _ video: GeneratedVideo, _ body: (MediaSource) throws -> Result
) throws -> Result {
  try withVideoFile(video) { try body(MediaSource(path: $0)) }
}

func withVideoFile<Result>(
  _ video: GeneratedVideo, _ body: (String) throws -> Result
) throws -> Result {
  var template = Array("\(temporaryFolder)/tilawa-video-XXXXXX".utf8CString)
  let descriptor = mkstemp(&template)
  guard descriptor >= 0 else { throw GeneratedVideo.Failure(description: "mkstemp") }
  close(descriptor)
  let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  defer { unlink(path) }
  try video.write(to: path)
  return try body(path)
}

private var temporaryFolder: String { getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp" }

extension VideoPicture {
  /// The number that its bars show.
  var number: Int? { GeneratedVideo.number(in: pixels, width: width, height: height) }

  func light(column: Int, row: Int) -> Int {
    let start = 3 * (min(row, height - 1) * width + min(column, width - 1))
    return (Int(pixels[start]) + Int(pixels[start + 1]) + Int(pixels[start + 2])) / 3
  }
}
