// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import Annotation
import ArgumentParser
import AudioCore
import Decoding
import Encoding
import Exchange
import Library
import Quran

/// How files of one ayah each are made.
struct AyahExportOptions: ParsableArguments {
  @Option(help: "wav, flac, mp3, m4a, opus or ogg. Default: flac.")
  var audio: AudioFileKind?

  @Flag(help: "Cut lossy recordings at their packets, without re-encoding.")
  var copy = false

  @Option(help: "Kilobits per second of lossy files. Default: a good rate for recitation.")
  var bitRate: Int?

  @Flag(help: "Skip partial ayat.")
  var wholeOnly = false

  @Flag(help: "Skip unconfirmed ayat.")
  var confirmedOnly = false

  var isGiven: Bool { audio != nil || copy || bitRate != nil || wholeOnly || confirmedOnly }

  mutating func validate() throws {
    if copy, audio != nil || bitRate != nil {
      throw ValidationError(
        "--copy keeps the encoding; remove --audio and --bit-rate.")
    }
    if let bitRate, !(8...512).contains(bitRate) {
      throw ValidationError("--bit-rate must be between 8 and 512.")
    }
  }
}

/// Cuts each ayah of a recording into a file of its own.
struct AyahExport {
  let options: AyahExportOptions
  let folder: String
  let isReplacing: Bool
  let isQuiet: Bool
  /// How the table of a data set writes texts.
  let cells: CellText

  func run(
    _ recording: Recording, _ annotated: AnnotatedRecording, path: String, _ isDataSet: Bool
  ) throws {
    let source: MediaSource
    do throws(Decoding.DecodingError) {
      source = try MediaSource(
        path: path, track: recording.media.track, stopFlag: Interrupt.flag)
    } catch {
      throw Failure(code: "damaged", message: "\(path): \(error.explanation)")
    }
    var cutter = AudioCutter(source, isStopped: { Interrupt.flag.isStopped })
    cutter.isReplacing = isReplacing
    guard let kind = options.copy ? cutter.copyKind : options.audio ?? .flac else {
      throw Failure(
        code: "unavailable",
        message:
          "\(recording.title): \(source.description.codec) cannot be cut without re-encoding;"
          + " remove --copy")
    }
    let passages = annotated.document.segments
      .filter { !options.confirmedOnly || $0.isConfirmed }.flatMap(\.passages)
    let plan = AyahFilePlan(passages, kind: kind, includesParts: !options.wholeOnly)
    guard !plan.files.isEmpty else {
      throw Failure(
        code: "usage",
        message: options.confirmedOnly && annotated.document.progress.assigned > 0
          ? "\(recording.title): no ayah is confirmed yet; remove --confirmed-only"
          : "\(recording.title): no ayah is assigned yet; nothing to cut")
    }
    let folder = UserFolders.absolute(folder)
    try UserFolders.make(folder)
    try refuseOverwriting(plan, in: folder)
    try cut(plan, cutter, recording, kind, into: folder)
    if isDataSet {
      let entries = plan.files.map {
        AudiofolderEntry(fileName: $0.name.description, passage: $0.passage)
      }
      let file = try OutputFile(path: folder + "/metadata.csv", isReplacing: isReplacing)
      try file.write(Audiofolder.metadata(of: entries, from: annotated, cells: cells))
      try file.finish()
    }
  }

  /// Before hours of work, not after.
  private func refuseOverwriting(_ plan: AyahFilePlan, in folder: String) throws(Failure) {
    guard !isReplacing else { return }
    if let taken = plan.files.first(where: { FileKind(path: "\(folder)/\($0.name)") != .nothing }) {
      throw Failure(
        code: "exists",
        message: "\(folder)/\(taken.name) already exists; use --force to replace it")
    }
  }

  private func cut(
    _ plan: AyahFilePlan, _ cutter: AudioCutter, _ recording: Recording, _ kind: AudioFileKind,
    into folder: String
  ) throws {
    let display = ProgressDisplay(isTerminal: StandardStreams.isErrorTerminal && !isQuiet)
    let rate = recording.media.rate
    var widest = (lead: 0.0, tail: 0.0)
    var clipped = 0
    for (index, file) in plan.files.enumerated() {
      display.update(
        label: file.name.description, fraction: Double(index) / Double(plan.files.count))
      let path = "\(folder)/\(file.name)"
      var tags = file.tags(artist: recording.reciter?.name, album: recording.title)
      tags.date = PlainText.day(recording.recordedAt)
      do throws(EncodingError) {
        let made =
          options.copy
          ? try cutter.copy(file.span, to: path, tags: tags)
          : try cutter.encode(
            file.span, as: EncodingSettings(kind, bitRate: options.bitRate.map { $0 * 1000 }),
            to: path, tags: tags)
        widest.lead = max(widest.lead, abs(made.lead.seconds(at: rate)))
        widest.tail = max(widest.tail, abs(made.tail.seconds(at: rate)))
        clipped += made.clippedSamples
      } catch {
        display.finish()
        if error.kind == .stopped {
          throw Failure(
            code: Failure.interrupted,
            message: "interrupted; \(index) of \(plan.files.count) files were written")
        }
        throw Failure(error)
      }
    }
    display.finish()
    StandardStreams.say(
      "\(PlainText.count(plan.files.count, "file")) in \(self.folder)\(edges(widest))")
    if clipped > 0, !isQuiet {
      StandardStreams.say(
        "\(PlainText.count(clipped, "sample")) clipped to full scale")
    }
  }

  /// How far copies reach beyond their ayat, where packets leave no choice.
  private func edges(_ widest: (lead: Double, tail: Double)) -> String {
    let milliseconds = Int((max(widest.lead, widest.tail) * 1000).rounded(.up))
    return milliseconds == 0
      ? ", cut to the frame" : ", cut at packets, up to \(milliseconds) ms off at an edge"
  }

}

extension Failure {
  init(_ error: EncodingError) {
    let code =
      switch error.kind {
      case .alreadyExists: "exists"
      case .diskFull: "disk_full"
      case .notWritable: "read_only"
      case .noEncoder, .notCopyable, .untimedPicture, .needsMatroska: "unavailable"
      case .refused, .outsideRecording: "usage"
      case .source, .endsEarly, .damagedPacket, .damaged: "damaged"
      case .noPicture(let error): Failure(error).code
      case .noPictureInSpan: "no_video"
      case .stopped: Failure.interrupted
      case .noSuchFolder, .inputOutput, .outOfMemory: "io_error"
      }
    self.init(code: code, message: error.description)
  }
}
