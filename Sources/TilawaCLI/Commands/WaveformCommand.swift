// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import ArgumentParser
import AudioCore
import Decoding
import Exchange

/// `waveform FILE`
struct WaveformCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "waveform",
    abstract: "Write the waveform as data for players, or as a picture.",
    discussion: """
      The extension of --output sets the format: .dat and .json are audiowaveform's formats (version 2), \
      which peaks.js and others read; .png and .svg are a picture with the pauses and boundaries that \
      auto-detect finds.

      EXAMPLES:
        tilawa-annotate waveform night.m4a --output night.png
        tilawa-annotate waveform night.m4a --from 12:30 --until 13:00 --scale decibels -o detail.svg
        tilawa-annotate waveform night.m4a --samples-per-pixel 512 --output night.dat
      """)

  enum Scale: String, ExpressibleByArgument, CaseIterable {
    case linear, decibels
  }

  @Argument(help: "A recording.", completion: .file())
  var file: String

  @Option(
    name: [.short, .long], help: "Where to write: NAME.dat, .json, .png or .svg.",
    completion: .file())
  var output: String

  @Option(help: "The start time, such as 83.5, 1:23.5 or 0:01:23.500.")
  var from: DurationArgument?

  @Option(help: "The end time.")
  var until: DurationArgument?

  @Option(
    help: "Picture: width in pixels, 640 to 8000. Data: number of pairs; sets --samples-per-pixel.")
  var width: Int?

  @Option(help: "Picture: seconds per row. Default: by length.")
  var secondsPerRow: Double?

  @Option(help: "Picture: linear or decibels; decibels show quiet sounds in pauses.")
  var scale: Scale = .linear

  @Option(help: "Data: frames per pair of minimum and maximum. Default: 256.")
  var samplesPerPixel: Int?

  @Option(help: "Data: 8 or 16 bits a value.", completion: .list(["8", "16"]))
  var bits: Int = 16

  @OptionGroup(title: "Detection")
  var detection: DetectionOptions

  @Flag(help: "Replace an existing file.")
  var force = false

  private enum Kind: String {
    case dat, json, png, svg
  }

  mutating func validate() throws {
    if kind == nil { throw ValidationError("--output must end in .dat, .json, .png or .svg.") }
    if WaveformPeaks.Resolution(rawValue: bits) == nil {
      throw ValidationError("--bits must be 8 or 16.")
    }
    if let samplesPerPixel, !(1...1_000_000).contains(samplesPerPixel) {
      throw ValidationError("--samples-per-pixel must be between 1 and 1,000,000.")
    }
    if let width, width < 1 { throw ValidationError("--width must be at least 1.") }
    if let secondsPerRow, !(secondsPerRow > 0) {
      throw ValidationError("--seconds-per-row must be more than 0.")
    }
    if let from, let until, from.seconds >= until.seconds {
      throw ValidationError("--until must be after --from.")
    }
  }

  private var kind: Kind? {
    output.lastIndex(of: ".").flatMap {
      Kind(rawValue: output[output.index(after: $0)...].lowercased())
    }
  }

  func run() async throws {
    Interrupt.install()
    do {
      let target = try OutputFile(path: output, isReplacing: force, sparing: [file])
      let bytes = try await contents()
      try target.write(bytes)
      try target.finish()
    } catch let failure as Failure {
      // What concerns the output names it already.
      let isOutput = failure.message.contains(output)
      throw failure.end(saying: isOutput ? failure.message : "\(file): \(failure.message)")
    }
  }

  private func contents() async throws -> [UInt8] {
    switch kind {
    case .dat, .json:
      let command = self
      let peaks = try await runBlocking {
        Result { () throws(Failure) in try command.peaks() }
      }.get()
      let resolution = WaveformPeaks.Resolution(rawValue: bits) ?? .bits16
      return kind == .dat
        ? AudiowaveformData.bytes(of: peaks, resolution: resolution)
        : Array(AudiowaveformJSON.text(of: peaks, resolution: resolution).utf8)
    case .png, .svg: return try await picture()
    case nil: throw ExitStatus.usage
    }
  }

  /// Reads the samples, since data is wanted at any resolution.
  private func peaks() throws(Failure) -> WaveformPeaks {
    do throws(AnalysisError) {
      let source: MediaSource
      do throws(DecodingError) {
        source = try MediaSource(
          path: file, track: detection.track, stopFlag: Interrupt.flag)
      } catch {
        throw AnalysisError(error)
      }
      let rate = source.description.format.rate
      var length = source.description.frameCount
      var warnings: [DecodingWarning] = []
      if length == nil {
        // The header is silent or wrong: only decoding tells.
        let recording = try RecordingAnalyzer(
          threadCount: ProcessorCores.count, sidecars: detection.sidecars,
          stopFlag: Interrupt.flag
        ).analyze(path: file, track: detection.track)
        length = recording.envelope.length
        warnings = recording.warnings
      }
      let span = self.span(of: length ?? .zero, rate)
      let perPixel =
        samplesPerPixel
        ?? width.map { max(1, Int((span.length.frames + Int64($0) - 1) / Int64($0))) } ?? 256
      let peaks = try PixelPeaks.measure(
        source, span: span, framesPerPixel: perPixel, stopFlag: Interrupt.flag)
      for warning in DecodingWarning.merged(warnings + peaks.warnings) {
        StandardStreams.say("\(file): \(warning)")
      }
      let result = WaveformPeaks(
        rate: rate, samplesPerPixel: perPixel, minima: peaks.minima, maxima: peaks.maxima)
      if let result, result.length > 0 { return result }
    } catch {
      throw Failure(error)
    }
    throw Failure(code: "usage", message: "--from is after the end of the recording")
  }

  private func picture() async throws -> [UInt8] {
    let job = DetectionJob(
      options: detection, threadCount: ProcessorCores.count, stopFlag: Interrupt.flag)
    let progress = ProgressDisplay()
    let (file, label) = (self.file, ProgressLabel.text(for: self.file))
    let result = try await WatchedRun().run(size: FileKind.size(of: file)) { watch in
      job.run(file) {
        watch.hear()
        progress.update(label: label, fraction: $0)
      } analyzed: {
        watch.endWatch()
      }
    }
    progress.finish()
    if let failure = result.failure { throw failure }
    for remark in result.remarks { StandardStreams.say("\(file): \(remark)") }
    guard case .report(let report) = result.outcome, let envelope = result.envelope else {
      throw Failure(code: "io_error", message: "no waveform")
    }
    do {
      let content = try pictureContent(report, envelope)
      let picture = WaveformPicture(
        content, width: width ?? 1600, secondsPerRow: secondsPerRow,
        scale: scale == .linear ? .linear : .decibels)
      return try kind == .png ? picture.png() : picture.svg()
    } catch let error as AnalysisError {
      throw Failure(error)
    } catch let error as ExchangeError {
      throw Failure(code: "usage", message: error.description)
    }
  }

  private func pictureContent(
    _ report: DetectionReport, _ envelope: Envelope
  ) throws -> WaveformPictureContent {
    let rate = report.rate
    let span = self.span(of: report.frames, rate)
    guard !span.isEmpty else {
      throw Failure(code: "usage", message: "--from is after the end of the recording")
    }
    let hops =
      envelope.grid.hop(
        containing: span.lowerBound)..<(envelope.grid.hop(
        containing: span.upperBound - FrameCount(1)) + 1)
    // More columns than hops would only repeat them.
    let columns = try envelope.peaks(in: hops, columns: min(hops.count, 200_000)).map {
      WaveformPictureContent.Column(
        minimum: Float($0.minimum) / 32767, maximum: Float($0.maximum) / 32767,
        rms: $0.meanSquare.squareRoot())
    }
    var content = WaveformPictureContent(report, columns: columns)
    let start = span.lowerBound.seconds(at: rate)
    content.start = start
    content.duration = span.length.seconds(at: rate)
    let end = content.duration
    content.pauses = content.pauses.compactMap { pause in
      let (from, until) = (max(pause.start - start, 0), min(pause.end - start, end))
      return from < until
        ? .init(start: from, end: until, confidence: pause.confidence) : nil
    }
    content.boundaries = content.boundaries.compactMap { boundary in
      let time = boundary.time - start
      return (0...end).contains(time)
        ? .init(time: time, confidence: boundary.confidence, label: boundary.label) : nil
    }
    return content
  }

  /// The frames from --from to --until, within the recording.
  private func span(of length: FrameCount, _ rate: SampleRate) -> Range<FramePosition> {
    let end = until.map { min($0.position(at: rate), .zero + length) } ?? .zero + length
    let start = min(from?.position(at: rate) ?? .zero, end)
    return start..<end
  }
}

extension DurationArgument {
  func position(at rate: SampleRate) -> FramePosition { FramePosition(seconds: seconds, at: rate) }
}
