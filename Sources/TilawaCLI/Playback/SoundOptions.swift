// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import Annotation
import ArgumentParser
import AudioCore
import Decoding
import Library
import Quran

/// An ayah on the command line: `2:255`, `baqarah:255`.
struct OneAyahArgument: ExpressibleByArgument, Hashable {
  let ayah: AyahReference

  init?(argument: String) {
    guard let ayah = try? AyahReference(parsing: argument) else { return nil }
    self.ayah = ayah
  }
}

/// An end of what is heard.
enum EdgeArgument: String, CaseIterable, ExpressibleByArgument {
  case start, end

  /// How much of the sound an edge is.
  static let seconds = 0.5

  /// The part of a span that lies at this end of it.
  func part(of span: Range<FramePosition>, at rate: SampleRate) -> Range<FramePosition> {
    let length = min(span.length, FrameCount(seconds: Self.seconds, at: rate))
    return switch self {
    case .start: span.lowerBound..<span.lowerBound + length
    case .end: span.upperBound - length..<span.upperBound
    }
  }
}

/// What of which recording is heard.
struct SoundOptions: ParsableArguments {
  @Argument(
    help: "An id or its prefix, a title, or the path of any file.", completion: .file())
  var recording: String

  @Option(help: "The segment's number, as in 'show'.")
  var segment: Int?

  @Option(help: "The ayah, such as 2:5; its first complete recitation.")
  var ayah: OneAyahArgument?

  @Option(help: "Start at this time, such as 1:23.5.")
  var from: DurationArgument?

  @Option(help: "Stop at this time.")
  var until: DurationArgument?

  @Option(help: "Only the first or last 500 ms: start or end.")
  var edge: EdgeArgument?

  mutating func validate() throws {
    let ways = [segment != nil, ayah != nil, from != nil || until != nil]
    if ways.count(where: \.self) > 1 {
      throw ValidationError("Use one of --segment, --ayah, or --from with --until.")
    }
    if let segment, segment < 1 { throw ValidationError("--segment must be at least 1.") }
    if let from, let until, until.seconds <= from.seconds {
      throw ValidationError("--until must be after --from.")
    }
  }

  /// Finds the recording in the library, or the file, and the span in it.
  func sound(in options: LibraryOptions) throws(Failure) -> Sound {
    let path = UserFolders.absolute(recording)
    let library = try options.openExisting()
    guard let library else { return try sound(ofFile: path) }
    do throws(Failure) {
      let found = try library.recording(named: recording)
      return try sound(of: found, in: library)
    } catch {
      guard error.code == "no_such_recording" else { throw error }
      if FileKind(path: path) != .nothing { return try sound(ofFile: path) }
      throw Failure(
        code: error.code,
        message: "\(recording): no such recording in the library, and no such file;"
          + " 'list' shows the recordings")
    }
  }

  private func sound(of found: Recording, in library: Library) throws(Failure) -> Sound {
    let (recording, document): (Recording, AnnotationDocument)
    do throws(LibraryError) {
      (recording, document) = try library.annotation(of: found.id)
    } catch {
      throw Failure(error)
    }
    let availability = library.availability(of: recording)
    guard availability.isAvailable else {
      throw Failure(
        code: "no_such_file",
        message: "\(recording.title): \(availability.advice ?? availability.description)")
    }
    let whole = FramePosition.zero..<FramePosition.zero + recording.media.length
    let path: String
    do throws(LibraryError) {
      path = try library.file(of: recording)
    } catch {
      throw Failure(error)
    }
    let source = try Sound.open(path, track: recording.media.track)
    let rate = source.description.format.rate
    if let segment {
      guard segment <= document.segments.count else {
        throw Failure(
          code: "usage",
          message: "\(recording.title) has \(PlainText.count(document.segments.count, "segment"));"
            + " 'show' lists them")
      }
      let wanted = document.segments[segment - 1]
      let content = wanted.assignment.map { ", \($0)" } ?? ""
      return Sound(
        source: source, span: part(of: wanted.span, at: rate),
        name: "\(recording.title), segment \(segment)\(content)")
    }
    if let ayah = ayah?.ayah {
      let passage =
        document.firstCompleteOccurrence(of: ayah) ?? document.occurrences(of: ayah).first
      guard let passage else {
        throw Failure(
          code: "usage",
          message: "\(ayah) is not assigned to any segment of \(recording.title); 'show' lists them"
        )
      }
      let rest = passage.isComplete ? "" : ", a part of it"
      return Sound(
        source: source, span: part(of: passage.span, at: rate),
        name: "\(recording.title), \(ayah)\(rest)")
    }
    return Sound(
      source: source, span: try times(in: whole, at: rate, of: recording.title),
      name: recording.title)
  }

  private func sound(ofFile path: String) throws(Failure) -> Sound {
    let source = try Sound.open(path, track: nil)
    guard segment == nil, ayah == nil else {
      throw Failure(
        code: "no_such_recording",
        message: "\(recording) is not in the library and has no segments; 'import' it, or name a"
          + " time span with --from and --until")
    }
    let rate = source.description.format.rate
    if let count = source.description.frameCount {
      let whole = FramePosition.zero..<FramePosition.zero + count
      return Sound(
        source: source, span: try times(in: whole, at: rate), name: recording, readsOn: isToTheEnd)
    }
    guard edge != .end || until != nil else {
      throw Failure(
        code: "usage",
        message: "the length of \(recording) is known only after decoding; use --until, or"
          + " 'import' it")
    }
    let whole = FramePosition.zero..<Sound.farAway
    return Sound(
      source: source, span: try times(in: whole, at: rate), name: recording, readsOn: isToTheEnd)
  }

  /// Whether what is heard ends where the recording does.
  private var isToTheEnd: Bool { until == nil && edge == nil }

  /// The span that `from` and `until` leave of the whole.
  private func times(
    in whole: Range<FramePosition>, at rate: SampleRate, of name: String? = nil
  ) throws(Failure) -> Range<FramePosition> {
    let start = from?.position(at: rate) ?? whole.lowerBound
    let ending =
      "\(name ?? recording) ends at \(PlainText.duration(whole.length.seconds(at: rate)))"
    guard start < whole.upperBound else {
      throw Failure(code: "usage", message: "\(ending), before --from")
    }
    let wanted = until?.position(at: rate) ?? whole.upperBound
    let end = min(wanted, whole.upperBound)
    if wanted > end { StandardStreams.say("\(ending), before --until") }
    guard start < end else {
      throw Failure(code: "usage", message: "there is no frame between --from and --until")
    }
    return part(of: start..<end, at: rate)
  }

  private func part(
    of span: Range<FramePosition>, at rate: SampleRate
  ) -> Range<FramePosition> {
    edge?.part(of: span, at: rate) ?? span
  }
}

/// A span of a recording that can be decoded.
struct Sound {
  let source: MediaSource
  let span: Range<FramePosition>
  /// For people; not safe to print as it is.
  let name: String
  /// Whether what is written behind it meanwhile is heard too.
  var readsOn = false

  /// A place beyond every recording, where the length of one is not known.
  static let farAway = FramePosition(1 << 39)

  /// Whether it ends with the recording, wherever that is.
  var isOpenEnded: Bool { span.upperBound == Self.farAway }
  var rate: SampleRate { source.description.format.rate }

  /// What has been written behind it since it was opened; nil for nothing.
  ///
  /// - Parameter end: the frame after the last that was heard.
  func continuation(from end: FramePosition) -> Sound? {
    let path = source.file.path
    guard readsOn, let file = try? MediaFile(path: path), file.size > source.file.size,
      let grown = try? MediaSource(file, track: source.description.track)
    else { return nil }
    let last = grown.description.frameCount.map { .zero + $0 } ?? Self.farAway
    return end < last ? Sound(source: grown, span: end..<last, name: name, readsOn: true) : nil
  }

  static func open(_ path: String, track: Int?) throws(Failure) -> MediaSource {
    do throws(DecodingError) {
      return try MediaSource(path: path, track: track, stopFlag: Interrupt.flag)
    } catch {
      let failure = Failure(AnalysisError(error))
      throw Failure(code: failure.code, message: "\(path): \(failure.message)")
    }
  }
}
