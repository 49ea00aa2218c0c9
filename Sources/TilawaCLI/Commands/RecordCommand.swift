// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import ArgumentParser
import AudioCore
import Capture
import Encoding
import Foundation
import Glibc
import Library
import MediaControl
import Quran

/// `record`
struct RecordCommand: LibraryCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Record into the library, with a level meter, until Ctrl-C.",
    discussion: """
      Writes FLAC continuously, so even a crash loses only the last moment; --recover imports \
      interrupted recordings.

      EXAMPLES:
        tilawa-annotate record --title "Night 3" --reciter "Mahmoud Khalil"
        tilawa-annotate record --device plughw:1 --duration 1:30:00
        tilawa-annotate record --recover
      """)

  @Option(help: "The title. Default: the date and time.")
  var title: String?

  @OptionGroup(title: "About the recording")
  var details: DetailOptions

  @Option(
    help: "The ALSA device; arecord -L lists them. Default: the setting, else default.")
  var device: String?

  @Option(help: "Stop after this time, such as 1:30:00.")
  var duration: DurationArgument?

  @Option(help: "Frames per second. Default: the device's own rate.")
  var rate: Int?

  @Option(help: "1 or 2. Default: the device's own.")
  var channels: Int?

  @Flag(help: "Import interrupted recordings; do not record.")
  var recover = false

  @Flag(help: "Do not suggest boundaries.")
  var noDetect = false

  @OptionGroup(title: "Library")
  var libraryOptions: LibraryOptions

  mutating func validate() throws {
    if let channels, !(1...2).contains(channels) {
      throw ValidationError("--channels must be 1 or 2.")
    }
    if let rate, !(8000...192_000).contains(rate) {
      throw ValidationError("--rate must be between 8000 and 192000.")
    }
  }

  func run(_ library: Library) throws {
    let left = library.cutOffRecordings()
    if recover { return try recoverAll(left, into: library) }
    if !left.isEmpty {
      StandardStreams.say(
        "\(PlainText.count(left.count, "earlier recording")) \(left.count == 1 ? "was" : "were") cut"
          + " off; 'record --recover' imports \(left.count == 1 ? "it" : "them")")
    }
    let settings = try Configuration()
    // What is wrong with these is said before anything is heard.
    let reciter = try library.reciter(for: details, default: settings.value("import.reciter"))
    let begun = Date()
    let slot: RecordingSlot
    do throws(LibraryError) {
      slot = try RecordingSlot(PlainText.fileName(begun), in: library)
    } catch {
      throw Failure(error)
    }
    let report = try record(
      to: slot.path, device: device ?? settings.value("record.device") ?? "default")
    if report.frameCount == .zero {
      unlink(slot.path.diskName)
      slot.close()
      throw Failure(
        code: "unavailable", message: report.problem?.description ?? "nothing was recorded")
    }
    var entry = Importer.Details()
    entry.title = title ?? PlainText.moment(begun)
    entry.reciter = reciter?.id
    entry.riwayah = details.riwayah ?? reciter?.riwayah
    entry.recordedAt = details.date?.date ?? begun
    entry.night = details.night
    try enter(slot.path, entry, library)
    slot.close()
    // It is entered all the same.
    if let problem = report.problem {
      throw Failure(code: "unavailable", message: problem.description)
    }
  }

  private func record(to path: String, device: String) throws -> CaptureReport {
    let request = CaptureRequest(
      device: device, rate: rate.flatMap(SampleRate.init(hertz:)), channels: channels)
    let recorder: Recorder
    do throws(CaptureError) {
      recorder = try Recorder(request, to: path)
    } catch {
      unlink((path + ".lock").diskName)
      throw Failure(code: "unavailable", message: error.description)
    }
    let rate = recorder.format.rate
    StandardStreams.say(
      "recording from \(device): \(rate), \(recorder.format.channels == 1 ? "mono" : "stereo"); Ctrl-C ends it"
    )
    let inhibitor = SleepInhibitor(why: "recording")
    defer { inhibitor?.release() }
    let display = LevelDisplay(rate: rate)
    let limit = duration.map { $0.position(at: rate) }
    var heard = FramePosition.zero
    let report = recorder.run(
      until: { Interrupt.flag.isStopped || limit.map { heard >= $0 } ?? false },
      onLevel: { level in
        heard = level.end
        display.show(level)
      })
    display.finish()
    for gap in report.gaps {
      let length = Int((gap.length.seconds(at: rate) * 1000).rounded())
      StandardStreams.say(
        "at \(PlainText.duration(gap.start.seconds(at: rate))) the computer was too slow; \(length) ms"
          + " are silence")
    }
    if report.clippedCount > 0 {
      StandardStreams.say(
        "\(PlainText.count(report.clippedCount, "sample")) at full scale: turn the input down next time"
      )
    }
    return report
  }

  private func recoverAll(_ left: [String], into library: Library) throws {
    if left.isEmpty { return StandardStreams.say("there are no interrupted recordings") }
    for path in left {
      do {
        try enter(path, Importer.Details(), library)
        unlink((path + ".lock").diskName)
      } catch let failure as Failure {
        StandardStreams.say("\(path): \(failure.message)")
      }
    }
  }

  private func enter(
    _ path: String, _ entry: Importer.Details, _ library: Library
  ) throws {
    // Ctrl-C has ended the recording, and must not end its entering.
    var importer = Importer(
      into: library,
      analyzer: RecordingAnalyzer(
        threadCount: ProcessorCores.count,
        sidecars: UserFolders.sidecars), detect: nil)
    if !noDetect {
      importer.detect = { (envelope: Envelope) throws(AnalysisError) in
        try PauseDetector().detect(in: envelope)
      }
    }
    let result: Importer.Result
    do throws(LibraryError) {
      result = try importer.adopt(path, entry)
    } catch {
      throw Failure(
        code: Failure(error).code,
        message: "\(error); the sound is in \(path); 'record --recover' tries again")
    }
    let recording = result.recording
    try PlainText.show(
      "\(recording.id.short)  \(recording.title)  \(PlainText.duration(recording.media.seconds))")
  }
}
