// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import AudioCore
import Decoding
import Exchange
import Library
import Video

/// `frame RECORDING --at TIME`
struct FrameCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "frame",
    abstract: "Write a frame of a video as a PNG picture.",
    discussion: """
      Writes the frame that is visible at that time of the sound.

      EXAMPLES:
        tilawa-annotate frame livestream.mp4 --at 1:23.4
        tilawa-annotate frame "Night 3" --at 12:30 --width 640 --output takbir.png
      """)

  @Argument(
    help: "An id or its prefix, a title, or the path of any file.", completion: .file())
  var recording: String

  @Option(help: "The time, such as 83.5, 1:23.5 or 0:01:23.500.")
  var at: DurationArgument

  @Option(
    name: [.short, .long],
    help:
      "Where to write. Default: a name from the file's name and the time, in the current folder.",
    completion: .file())
  var output: String?

  @Option(help: "Width in pixels; the height follows. Default: that of the picture.")
  var width: Int?

  @Flag(help: "Replace an existing file.")
  var force = false

  @OptionGroup(title: "Library")
  var libraryOptions: LibraryOptions

  mutating func validate() throws {
    if let width, !(1...16_384).contains(width) {
      throw ValidationError("--width must be between 1 and 16,384.")
    }
    if let output, !output.lowercased().hasSuffix(".png") {
      throw ValidationError("--output must end in .png.")
    }
  }

  func run() async throws {
    let command = self
    try await runReporting { try command.write() }
  }

  private func write() throws(Failure) {
    let file = try libraryOptions.file(named: recording)
    let source = try Sound.open(file.path, track: file.track)
    let picture = try Self.reporting { () throws(VideoError) in
      let reader = try VideoReader(source)
      let description = reader.description
      var request = PictureRequest(width: description.width, height: description.height)
      if let width {
        let height = (width * description.height + description.width / 2) / description.width
        request = PictureRequest(width: width, height: height, aspect: .stretch)
      }
      let position = at.position(at: source.description.format.rate)
      return (try reader.picture(at: position, as: request), try reader.firstPosition())
    }
    guard let shown = picture.0 else {
      throw Self.nothing(before: picture.1, source)
    }
    var seconds = at.seconds
    if let length = source.description.frameCount,
      at.position(at: source.description.format.rate) > .zero + length
    {
      let end = length.seconds(at: source.description.format.rate)
      seconds = (end * 1000).rounded(.down) / 1000
      StandardStreams.say("\(recording) ends at \(PlainText.duration(end)); using its last frame")
    }
    let path = output ?? Self.defaultName(for: file, at: seconds)
    let target = try OutputFile(path: path, isReplacing: force, sparing: [file.path])
    let bytes: [UInt8]
    do throws(ExchangeError) {
      bytes = try PixelImage.png(shown.pixels, width: shown.width, height: shown.height)
    } catch {
      throw Failure(code: "usage", message: error.description)
    }
    try target.write(bytes)
    try target.finish()
    if output == nil { StandardStreams.say(path) }
  }

  private static func nothing(before first: FramePosition?, _ source: MediaSource) -> Failure {
    guard let first else {
      return Failure(
        code: "damaged", message: VideoError(.damaged, file: source.file.path).description)
    }
    let seconds = first.seconds(at: source.description.format.rate)
    return Failure(
      code: "usage",
      message: "the picture begins at \((seconds * 1000).rounded() / 1000) s; choose a later --at")
  }

  private static func defaultName(for file: NamedFile, at seconds: Double) -> String {
    let name = file.path.split(separator: "/").last.map(String.init) ?? file.path
    let stem = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    let title = file.title.map { String($0.map { $0 == "/" ? "-" : $0 }) }
    return "\(title ?? (stem.isEmpty ? name : stem))-\(seconds)s.png"
  }

  private static func reporting<Value>(
    _ body: () throws(VideoError) -> Value
  ) throws(Failure) -> Value {
    do throws(VideoError) {
      return try body()
    } catch {
      throw Failure(error)
    }
  }
}

extension Failure {
  init(_ error: VideoError) {
    let code =
      switch error.kind {
      case .noVideo: "no_video"
      case .unsupportedCodec: "unsupported_codec"
      case .tooLarge, .damaged, .cutShort: "damaged"
      case .outOfMemory: "out_of_memory"
      case .unreadable: "io_error"
      }
    self.init(code: code, message: "\(error)")
  }
}

/// A file that an argument means.
struct NamedFile {
  let path: String
  /// Of its sound; nil for the usual one.
  var track: Int?
  /// What the library calls it.
  var title: String?
}

extension LibraryOptions {
  /// The file of the recording that an argument means, in the library or by its path.
  func file(named text: String) throws(Failure) -> NamedFile {
    let path = UserFolders.absolute(text)
    guard let library = try openExisting() else { return NamedFile(path: path) }
    if let found = try Self.recording(named: text, in: library) {
      return NamedFile(
        path: try Self.file(of: found, in: library), track: found.media.track, title: found.title)
    }
    guard FileKind(path: path) != .nothing else {
      throw Failure(
        code: "no_such_file",
        message: "\(text): no such file or recording; 'list' shows recordings")
    }
    return NamedFile(path: path)
  }

  /// The file of the recording that an argument means by its title or id, where no file has that name; nil where
  /// there is no such recording either.
  func path(named text: String) throws(Failure) -> String? {
    guard FileKind(path: text) == .nothing, let library = try openExisting(),
      let found = try Self.recording(named: text, in: library)
    else { return nil }
    return try Self.file(of: found, in: library)
  }

  private static func recording(
    named text: String, in library: Library
  ) throws(Failure) -> Recording? {
    do throws(Failure) {
      return try library.recording(named: text)
    } catch {
      guard error.code == "no_such_recording" else { throw error }
      return nil
    }
  }

  private static func file(of found: Recording, in library: Library) throws(Failure) -> String {
    let availability = library.availability(of: found)
    guard availability.isAvailable else {
      throw Failure(
        code: "no_such_file",
        message: "\(found.title): \(availability.advice ?? availability.description)")
    }
    do throws(LibraryError) {
      return try library.file(of: found)
    } catch {
      throw Failure(error)
    }
  }
}
