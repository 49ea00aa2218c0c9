// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import AudioCore
import Decoding
import Glibc
import Playback

/// Plays one item into a file, as fast as it can be written; the file is there when it is whole.
struct SoundFileRun {
  let sound: Sound
  let item: RenderItem
  let settings: RenderSettings
  let speed: Double
  let equaliser: Equaliser
  let path: String
  let isReplacing: Bool

  /// Blocks until the file is written, and shows how far it is on a terminal.
  func run() throws(Failure) {
    let file = try OutputFile(
      path: path, isReplacing: isReplacing, sparing: [sound.source.file.path])
    guard let unfinished = file.unfinishedPath else {
      throw Failure(code: "usage", message: "\(path) is not a regular file; --output needs one")
    }
    let session: RenderSession
    do throws(PlaybackError) {
      session = try RenderSession(.wavFile(unfinished), settings: settings)
    } catch {
      throw Failure(error)
    }
    defer { session.close() }
    session.speed = speed
    session.equaliser = equaliser
    session.append([item])
    let inbox = EventInbox(session.events)
    session.play()
    let display = ProgressDisplay(isTerminal: StandardStreams.isErrorTerminal)
    defer { display.finish() }
    var isWhole = false
    while !isWhole {
      if Interrupt.flag.isStopped {
        throw Failure(code: Failure.interrupted, message: "interrupted; \(path) was not written")
      }
      for event in inbox.take() {
        switch event {
        case .drained: isWhole = true
        case .itemCutShort(_, let problem?): throw Failure(problem)
        case .deviceLost:
          throw Failure(
            code: "io_error", message: "\(path) cannot be written; check the free disk space")
        default: break
        }
      }
      if !sound.isOpenEnded { display.update(label: path, fraction: fraction(session)) }
      if !isWhole { usleep(10_000) }
    }
    session.close()
    try file.finish()
  }

  private func fraction(_ session: RenderSession) -> Double {
    guard let position = session.position, let frame = position.sourceFrame else { return 0 }
    let part = Double((frame - sound.span.lowerBound).frames) / Double(sound.span.length.frames)
    return (Double(position.repetition) + part) / Double(item.repetitions ?? 1)
  }
}
