// SPDX-License-Identifier: GPL-3.0-or-later

import Decoding
import Video

/// Why a recording shows no picture, for people.
struct PictureObstacle: Error, Hashable {
  let reason: String

  /// - Parameter reason: why its file cannot be read.
  init(unreadable reason: String) { self.reason = "No picture: \(reason)" }

  init(_ error: VideoError) { reason = "This recording \(error.explanation)" }
}

/// What sound and picture of a recording are read from, or why they cannot be.
typealias RecordingFile = Result<MediaSource, PictureObstacle>

extension MediaSource {
  func pictureReader() throws(PictureObstacle) -> VideoReader {
    do throws(VideoError) {
      return try VideoReader(self)
    } catch {
      throw PictureObstacle(error)
    }
  }
}
