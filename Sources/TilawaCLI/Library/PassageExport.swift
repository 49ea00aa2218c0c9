// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import AudioCore
import Decoding
import Encoding
import Library

/// What of a recording goes into a file with its picture.
struct PassageOptions: ParsableArguments {
  @Option(help: "The segment's number, as in 'show'.")
  var segment: Int?

  @Option(help: "The ayah, such as 2:5; its first complete recitation.")
  var ayah: OneAyahArgument?

  @Option(help: "Start at this time, such as 1:23.5.")
  var from: DurationArgument?

  @Option(help: "Stop at this time.")
  var until: DurationArgument?

  var isGiven: Bool { segment != nil || ayah != nil || from != nil || until != nil }

  /// The same for a recording that is named.
  func sound(of recording: String) throws -> SoundOptions {
    var options = SoundOptions()
    options.recording = recording
    options.segment = segment
    options.ayah = ayah
    options.from = from
    options.until = until
    options.edge = nil
    try options.validate()
    return options
  }
}

/// Copies a passage with its picture.
struct PassageExport {
  let sound: Sound
  let path: String
  let container: PictureContainer
  let isReplacing: Bool
  let isQuiet: Bool

  func run(_ recording: Recording) throws(Failure) {
    let display = ProgressDisplay(isTerminal: StandardStreams.isErrorTerminal && !isQuiet)
    defer { display.finish() }
    var cutter = AudioCutter(sound.source) { Interrupt.flag.isStopped }
    cutter.isReplacing = isReplacing
    cutter.progress = { display.update(label: path, fraction: $0) }
    var tags = AudioTags()
    tags.title = sound.name
    tags.artist = recording.reciter?.name
    tags.date = PlainText.day(recording.recordedAt)
    var span = sound.span
    if let length = sound.source.description.frameCount {
      span = span.clamped(to: .zero..<(.zero + length))
    }
    do throws(EncodingError) {
      let file = try cutter.copyWithPicture(span, to: path, as: container, tags: tags)
      display.finish()
      guard !isQuiet else { return }
      let lead = (file.lead.seconds(at: sound.rate) * 1000).rounded() / 1000
      let edge =
        file.lead == .zero
        ? "cut to the frame"
        : lead > 0 ? "begins \(lead) s early, at a keyframe" : "begins at a keyframe"
      StandardStreams.say("\(path): \(edge)")
      if file.losesTurn {
        StandardStreams.say(
          "\(path): the picture is marked as turned, which Matroska cannot hold; players show it on its side; .mp4 keeps it upright"
        )
      }
    } catch {
      throw Failure(error)
    }
  }
}
