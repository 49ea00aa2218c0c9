// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding
import Foundation
import Playback
import Video

/// The covers of recordings as files of the cache, for other programs to show.
final class CoverFiles: Sendable {
  private let folder: String
  private let file: @Sendable (MediaKey) -> String?
  private let known = Monitor<[MediaKey: String?]>([:])

  /// Nil where no folder is the user's own.
  ///
  /// - Parameter file: where a recording is.
  init?(file: @escaping @Sendable (MediaKey) -> String?) {
    guard let cache = UserFolders().cache else { return nil }
    folder = cache + "/covers"
    self.file = file
  }

  /// The `file:` address of a recording's cover; nil where it has none. Blocks when it is asked for first.
  func address(of media: MediaKey) -> String? {
    if let address = known.update({ $0[media] }) { return address }
    let address = file(media).flatMap(write)
    known.update { $0[media] = .some(address) }
    return address
  }

  private func write(coverOf path: String) -> String? {
    guard let file = try? MediaFile(path: path), let key = try? file.contentKey(track: nil),
      let cover = CoverPicture(file), (try? UserFolders.make(folder)) != nil
    else { return nil }
    let digits = key.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    let url = URL(filePath: "\(folder)/\(digits).\(cover.kind.rawValue)")
    do {
      try Data(cover.bytes).write(to: url, options: .atomic)
    } catch {
      return nil
    }
    return url.absoluteString
  }
}
