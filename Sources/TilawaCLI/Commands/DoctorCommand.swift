// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import ArgumentParser
import AudioCore
import Decoding
import Glibc
import Library
import MediaControl
import Playback
import TerminalUI
import Video

/// `doctor [FILE...]`
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check what works on this machine, and how to fix the rest.",
    discussion: """
      Lists the playback devices and tries to open the one that 'play' uses. If none opens, doctor \
      reports it but does not fail, because everything except playback works.

      With files, shows the format of each, and which library decodes it and why.
      """)

  @Argument(help: "Recordings to examine.", completion: .file())
  var files: [String] = []

  func run() throws {
    if files.isEmpty { return try examineInstallation() }
    var tally = DetectionTally(hasFolderProblems: false)
    for (index, path) in files.enumerated() {
      if index > 0 { print() }
      tally.add(examine(path))
    }
    if let code = tally.exitCode { throw code }
  }

  /// Prints what the program is made of and whether its folders work; fails when something does not.
  private func examineInstallation() throws {
    var isWell = true
    print("tilawa-annotate \(TilawaAnnotate.version)")
    print("\nDecoding")
    var table = TextTable(columns: [.init("library"), .init("version"), .init("decodes")])
    for library in DecodingLibrary.all {
      table.rows.append(
        [library.name, library.version, library.purpose].map { TerminalText($0) })
    }
    for line in table.lines() { print("  " + line.string) }
    for library in DecodingLibrary.all where !library.missingCodecs.isEmpty {
      isWell = false
      print(
        "  missing in \(library.name): \(library.missingCodecs.joined(separator: ", "));",
        "install the distribution's full libavcodec")
    }
    print("\nFolders")
    let advice = "every run analyses waveforms again; set XDG_CACHE_HOME or TILAWA_HOME"
    if let cache = UserFolders().cache {
      if let problem = cacheProblem(cache) {
        isWell = false
        print("  cache   \(TerminalText(cache).string): \(problem);\n          \(advice)")
      } else {
        print("  cache   \(TerminalText(cache).string): writable, \(freeSpace(cache)) free")
      }
    } else {
      isWell = false
      print("  cache   none: HOME is not set;\n          \(advice)")
    }
    if let problem = examineLibrary() {
      isWell = false
      print("  library \(TerminalText(problem).string)")
    }
    examineSound()
    examineDesktop()
    examineWindow()
    print("\nTerminal")
    let width = StandardStreams.width(of: STDOUT_FILENO).map { "\($0) columns" } ?? "none"
    print("  output  \(width)")
    print(
      "  text    \(StandardStreams.isUTF8 ? "UTF-8" : "not UTF-8: set LANG to C.UTF-8 or another UTF-8 locale")"
    )
    print("  cores   \(ProcessorCores.count)")
    if !isWell { throw ExitStatus.unavailable }
  }

  /// Prints whether there is something to play on, what to do if not, and what there is.
  private func examineSound() {
    print("\nSound")
    let configured = (try? Configuration())?.value("playback.device")
    let usual = configured ?? "default"
    let label = TerminalText(usual).string + (configured == nil ? "" : " (playback.device)")
    do throws(PlaybackError) {
      let format = try SoundDevice.attempt(usual)
      print("  \(label): can be opened, \(format.rate), \(channels(format.channels))")
    } catch {
      // The list is below.
      let isAbsent = error.kind == .noSuchDevice
      let reason = isAbsent ? error.detail ?? "no such device" : error.explanation
      print("  \(label): cannot be opened: \(TerminalText(reason).string)")
      for line in AudioDiagnostics.current().advice(error.kind) {
        print("    - \(TerminalText(line).string)")
      }
    }
    do throws(PlaybackError) {
      var table = TextTable(columns: [.init("device"), .init("what it is")])
      table.rows = try SoundDevice.all().map { [TerminalText($0.name), TerminalText($0.summary)] }
      for line in table.lines() { print("  " + line.string) }
    } catch {
      print("  the devices cannot be listed: \(TerminalText(error.description).string)")
    }
  }

  /// Prints whether other programs can control playback.
  private func examineDesktop() {
    print("\nDesktop")
    if let problem = MediaControl.problem {
      print("  media keys  no session bus (\(problem.description)); playback works without it")
    } else {
      print("  media keys  session bus reachable: media keys and playerctl control playback")
    }
    if let problem = InterruptionGuard.sleepProblem {
      print(
        "  sleep       no login manager (\(problem.description)); playback does not pause for sleep"
      )
    } else {
      print("  sleep       login manager reachable: playback pauses before sleep")
    }
  }

  /// Prints whether the picture of a video can be shown in a window.
  private func examineWindow() {
    let state =
      if MPVProcess.path == nil {
        "mpv is not installed; 'play --window' needs it: apt install mpv"
      } else if let problem = WindowDisplay().problem {
        "mpv is installed, but 'play --window' cannot work: \(problem.sentence)"
      } else {
        "mpv is installed: 'play --window' shows the picture of videos"
      }
    print("  window      \(state)")
  }

  /// Prints what the library holds; returns what is wrong with it.
  private func examineLibrary() -> String? {
    do {
      let options = try LibraryOptions.parse([])
      let path = try options.path()
      guard let library = try options.openExisting(warns: false) else {
        print("  library \(TerminalText(path).string): none yet; 'import' creates one")
        return nil
      }
      let recordings = try library.recordings()
      let away = recordings.count { !library.availability(of: $0).isAvailable }
      let absent = away > 0 ? ", \(away) of them missing; 'list' shows which" : ""
      let access = library.access == .readOnly ? ", read-only" : ""
      print(
        "  library \(TerminalText(path).string): "
          + "\(PlainText.count(recordings.count, "recording"))\(absent)\(access)")
      let learnt = try library.learntSubjects().count
      if learnt > 0 {
        let files = PlainText.count(learnt, "reciter or recording", "reciters and recordings")
        print("  learnt  from \(files); 'learn --list' shows them")
      }
      for hazard in library.folder.hazards {
        print("          \(TerminalText(hazard.description).string)")
      }
      return nil
    } catch let failure as Failure {
      return failure.message
    } catch {
      return "\(error)"
    }
  }

  /// Prints what a file is; returns why it cannot be read.
  private func examine(_ path: String) -> Failure? {
    print(TerminalText(path).string)
    do throws(DecodingError) {
      let source = try MediaSource(path: path)
      let description = source.description
      let rate = description.format.rate
      var facts = [
        ("container", description.container), ("codec", description.codec),
        ("format", "\(rate), \(channels(description.format.channels))"),
      ]
      if let count = description.frameCount {
        let seconds = (count.seconds(at: rate) * 1000).rounded() / 1000
        facts.append(("length", "\(count), \(seconds) s"))
      } else {
        facts.append(("length", "known only after decoding"))
      }
      if description.trackCount > 1 {
        facts.append(
          ("track", "\(description.track) of \(description.trackCount); choose with --track"))
      }
      facts.append(("decoder", "\(description.backend.rawValue): \(description.reason)"))
      if let index = source.seekIndex { facts.append(("packets", "\(index.packetCount), indexed")) }
      if let picture = Self.picture(of: source) { facts.append(("picture", picture)) }
      for warning in description.warnings { facts.append(("warning", warning.description)) }
      for (name, text) in facts {
        let label = TerminalText(name).padded(to: 10)
        print("  \(label.string)\(TerminalText(text).string)")
      }
      return nil
    } catch {
      let failure = Failure(AnalysisError(error))
      print("  \(TerminalText(failure.message).string)")
      return failure
    }
  }

  /// What its picture is, or why it is not shown; nil for sound alone.
  private static func picture(of source: MediaSource) -> String? {
    do throws(VideoError) {
      return PlainText.picture(try VideoReader(source).description)
    } catch {
      return error.kind == .noVideo ? nil : "it \(error.explanation)"
    }
  }

  private func channels(_ count: Int) -> String {
    switch count {
    case 1: "mono"
    case 2: "stereo"
    default: "\(count) channels"
    }
  }

  private func cacheProblem(_ folder: String) -> String? {
    // The nearest folder that is there decides whether the rest can be made.
    var path = folder
    while access(path.diskName, F_OK) != 0, let slash = path.lastIndex(of: "/"),
      slash > path.startIndex
    {
      path = String(path[..<slash])
    }
    return access(path.diskName, W_OK | X_OK) == 0 ? nil : String(cString: strerror(errno))
  }

  private func freeSpace(_ folder: String) -> String {
    var path = folder
    var status = statvfs()
    while statvfs(path.diskName, &status) != 0, let slash = path.lastIndex(of: "/"),
      slash > path.startIndex
    {
      path = String(path[..<slash])
    }
    let bytes = Double(status.f_bavail) * Double(status.f_frsize)
    return bytes >= 1e9
      ? "\((bytes / 1e8).rounded() / 10) GB" : "\((bytes / 1e5).rounded() / 10) MB"
  }
}
