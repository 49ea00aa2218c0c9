// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import Glibc
import Library
import MediaControl
import Playback

/// Whether other programs may see and steer what is played.
struct RemoteOptions: ParsableArguments {
  @Flag(
    name: .customLong("no-mpris"),
    help: "Do not let media keys and other programs see or control playback.")
  var isOff = false

  /// Lets them, where there is a bus; where there is none, nothing is said, and `doctor` tells why.
  func start(_ engine: PlaybackEngine, in library: Library) -> EngineRemote? {
    guard !isOff else { return nil }
    return try? EngineRemote(engine, names: TrackNames(library)) { kill(getpid(), SIGTERM) }
  }
}

extension TrackNames {
  /// What is known now; reciters that are added later have no name here.
  init(_ library: Library) {
    let names = Dictionary(
      ((try? library.reciters()) ?? []).map { ($0.id.rawValue, $0.name) }
    ) { first, _ in first }
    let folder = (try? Configuration())?.value("playback.page_pictures")
    let pictures = folder.map { PagePictures(folder: UserFolders.absolute($0)) }
    self.init(
      reciter: { names[$0.rawValue] },
      picture: { ayah, _ in pictures?.address(of: ayah) })
  }
}
