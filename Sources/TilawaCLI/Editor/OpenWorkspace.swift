// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Editor
import Library

/// Everything that works on the open recording: its sound, its player and the keeper of its edits.
final class OpenWorkspace: Sendable {
  let id: WorkspaceID
  /// Nil while the recording is being brought into the library.
  let recording: Recording.ID?
  let sound: WorkspaceSound
  let player: WorkspacePlayer
  let picture: RecordingPicture
  // Nil while the recording is being brought into the library.
  let thumbnails: RecordingThumbnails?
  let motion: RecordingMotion?
  /// Nil where nothing can be edited.
  let keeper: EditKeeper?

  init(
    id: WorkspaceID, recording: Recording.ID?, sound: WorkspaceSound, player: WorkspacePlayer,
    picture: RecordingPicture, thumbnails: RecordingThumbnails? = nil,
    motion: RecordingMotion? = nil, keeper: EditKeeper?
  ) {
    self.id = id
    self.recording = recording
    self.sound = sound
    self.player = player
    self.picture = picture
    self.thumbnails = thumbnails
    self.motion = motion
    self.keeper = keeper
  }

  /// Ends everything. Blocks until all edits are on disk.
  /// - Returns: why edits were lost, for people; empty when all were kept.
  func close() -> [String] {
    sound.close()
    player.close()
    picture.close()
    thumbnails?.close()
    motion?.close()
    return keeper?.finish() ?? []
  }
}
