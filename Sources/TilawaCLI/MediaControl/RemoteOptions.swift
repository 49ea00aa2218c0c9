// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import AudioCore
import Library
import MediaControl
import Playback

/// Whether other programs may see and steer what is played.
struct RemoteOptions: ParsableArguments {
  @Flag(
    name: .customLong("no-mpris"),
    help: "Do not let media keys or other programs see or control playback.")
  var isOff = false

  /// Connects what plays on a device with the desktop: other programs, sleep and headphones. Where there is
  /// no bus nothing is said, and `doctor` tells why.
  ///
  /// - Parameter hasQueue: whether what plays has a queue into which lists can be put.
  func connect(
    _ engine: PlaybackEngine, in library: Library, _ sound: PublishedSound, on device: String,
    hasQueue: Bool
  ) -> DesktopConnection {
    let lists: @Sendable () -> [MediaPlaylist] = {
      ((try? Playlist.names(in: library)) ?? []).map {
        MediaPlaylist(id: .init(named: $0), name: $0)
      }
    }
    let leaving = StopFlag()
    let remote =
      isOff
      ? nil
      : try? EngineRemote(engine, names: TrackNames(library, sound), lists: hasQueue ? lists : nil)
      {
        leaving.stop()
      }
    return DesktopConnection(
      remote: remote, guardian: EngineGuard(engine, device: device), leaving: leaving)
  }
}

/// What connects playback with the desktop, until it is closed.
struct DesktopConnection {
  let remote: EngineRemote?
  let guardian: EngineGuard
  /// Set where another program asks this one to end, which it does as if a person had left it.
  let leaving: StopFlag

  func close() {
    guardian.close()
    remote?.close()
  }
}

extension TrackNames {
  /// What is known now; reciters that are added later have no name here.
  init(_ library: Library, _ sound: PublishedSound) {
    let names = Dictionary(
      ((try? library.reciters()) ?? []).map { ($0.id.rawValue, $0.name) }
    ) { first, _ in first }
    let folder = (try? Configuration())?.value("playback.page_pictures")
    let pictures = folder.map { PagePictures(folder: UserFolders.absolute($0)) }
    let covers = CoverFiles { sound.file(of: $0)?.path }
    self.init(
      reciter: { names[$0.rawValue] },
      picture: { ayah, media in
        pictures?.address(of: ayah) ?? media.flatMap { covers?.address(of: $0) }
      },
      clip: { ayah, request in await request.clip(of: ayah, with: sound.asPublished) })
  }
}
