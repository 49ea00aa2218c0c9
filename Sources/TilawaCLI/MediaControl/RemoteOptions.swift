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

  /// Connects what plays on a device with the desktop: other programs, sleep and headphones. Where there is
  /// no bus nothing is said, and `doctor` tells why.
  func connect(
    _ engine: PlaybackEngine, in library: Library, on output: RenderOutput
  ) -> DesktopConnection? {
    guard case .alsa(let device) = output else { return nil }
    let remote =
      isOff
      ? nil : try? EngineRemote(engine, names: TrackNames(library)) { kill(getpid(), SIGTERM) }
    return DesktopConnection(remote: remote, guardian: EngineGuard(engine, device: device))
  }
}

/// What connects playback with the desktop, until it is closed.
struct DesktopConnection {
  let remote: EngineRemote?
  let guardian: EngineGuard

  func close() {
    guardian.close()
    remote?.close()
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
