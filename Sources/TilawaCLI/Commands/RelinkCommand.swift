// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import Annotation
import ArgumentParser
import AudioCore
import Library

/// `relink RECORDING FILE`
struct RelinkCommand: LibraryCommand {
  static let configuration = CommandConfiguration(
    commandName: "relink",
    abstract: "Reconnect a recording to its file after it was moved or re-encoded.",
    discussion: """
      Compares the new file with the fingerprint of the sound in the library, so a recording is never \
      linked to another recitation. Markers, history and published segments move to the clock of the new file.

      If you name a folder, it is searched for the recording's file.

      EXAMPLES:
        tilawa-annotate relink 3f2a /media/usb/night3.wav
        tilawa-annotate relink 3f2a ~/Recordings
      """)

  @Argument(help: "An id or its prefix, or a title.")
  var recording: String

  @Argument(help: "The file, or a folder to search.", completion: .file())
  var file: String

  @Flag(inversion: .prefixedNo, help: "Copy the file into the library. Default: as before.")
  var copy: Bool?

  @OptionGroup(title: "Library")
  var libraryOptions: LibraryOptions

  func run(_ library: Library) throws {
    let found = try library.recording(named: recording)
    let analyzer = RecordingAnalyzer(
      threadCount: ProcessorCores.count,
      sidecars: UserFolders.sidecars, stopFlag: Interrupt.flag)
    let inputs = InputFiles([file])
    for problem in inputs.problems { StandardStreams.say("\(problem.path): \(problem.message)") }
    // A file of the same size is most likely the very one.
    let candidates = inputs.inputs.map(\.path).sorted { left, right in
      isLikely(left, inputs, found) && !isLikely(right, inputs, found)
    }
    var refusal: LibraryError?
    for candidate in candidates where !Interrupt.flag.isStopped {
      let relinking: Relinking
      do throws(LibraryError) {
        relinking = try library.relink(
          found.id, to: UserFolders.absolute(candidate), isCopied: copy ?? !found.isInPlace,
          analyzer: analyzer)
      } catch {
        guard candidates.count > 1 else { throw error }
        switch error.kind {
        case .changed, .media: refusal = error
        default: throw error
        }
        continue
      }
      return try PlainText.show("\(found.title): now \(candidate), \(explanation(relinking))")
    }
    if Interrupt.flag.isStopped { throw ExitStatus.interrupted }
    throw Failure(
      code: refusal == nil ? "no_such_file" : "changed",
      message:
        "\(file): none of \(PlainText.count(candidates.count, "file")) there is '\(found.title)'"
    )
  }

  private func isLikely(_ path: String, _ inputs: InputFiles, _ recording: Recording) -> Bool {
    inputs.inputs.first { $0.path == path }?.size == recording.file.size
  }

  private func explanation(_ relinking: Relinking) -> String {
    if relinking.isSameFile { return "the same file" }
    if relinking.isGrown { return "the same file, grown" }
    let alike = relinking.similarity.map { "\(Int(($0 * 100).rounded())) % alike" } ?? ""
    let milliseconds = Int((relinking.retiming.delay * 1000).rounded())
    if milliseconds == 0 { return "the same sound (\(alike))" }
    return "the same sound (\(alike)), \(abs(milliseconds)) ms "
      + (milliseconds > 0 ? "later" : "earlier")
  }
}
