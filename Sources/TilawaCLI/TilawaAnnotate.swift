// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import CMalloc
import Glibc

/// Parses the process's arguments, runs the command they name and exits with its code.
public func runTilawaAnnotate() async -> Never {
  giveLargeBlocksBack()
  nameRoleForSoundServers()
  StandardStreams.prepare()
  var code = ExitCode.success
  do {
    var command = try await TilawaAnnotate.asyncParseAsRoot(StandardStreams.arguments)
    if var command = command as? any AsyncParsableCommand {
      try await command.run()
    } else {
      try command.run()
    }
  } catch {
    code = report(error)
  }
  LibraryOptions.closeAll()
  if let failure = StandardStreams.flushOutput() { code = failure.end() }
  exit(code.rawValue)
}

/// Says what ended a command: a failure, or a request for help or the version, whose text is a result.
private func report(_ error: any Error) -> ExitCode {
  let code = TilawaAnnotate.exitCode(for: error)
  let text = TilawaAnnotate.fullMessage(for: error)
  guard code.isSuccess else {
    // What was typed is in it.
    if !text.isEmpty {
      for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        StandardStreams.say(String(line))
      }
    }
    return code
  }
  do throws(Failure) {
    if !text.isEmpty { try StandardStreams.writeOutput(text + "\n") }
    return code
  } catch {
    return error.end()
  }
}

/// Blocks of a megabyte and more go back to the system when they are freed.
///
/// The allocator raises that limit by itself to the largest block that was freed, up to 32 MiB; what an
/// alignment of hours needs in turn would then stand side by side in the heap.
private func giveLargeBlocksBack() {
  let large: Int32 = 1 << 20
  mallopt(M_MMAP_THRESHOLD, large)
  // Otherwise every frame of the editor gives back what the next one asks for.
  mallopt(M_TRIM_THRESHOLD, large)
}

/// Tells PulseAudio and PipeWire that what plays through them may be silenced for a call. Their libraries read the
/// environment, which nobody may change once there are threads.
private func nameRoleForSoundServers() {
  setenv("PULSE_PROP_media.role", "music", 0)
  // For PipeWire's own ALSA plugin.
  setenv("PIPEWIRE_ALSA", "{ media.role = Music }", 0)
}

/// The command line's root.
struct TilawaAnnotate: AsyncParsableCommand {
  static let version = "0.1.0"

  static let configuration = CommandConfiguration(
    commandName: "tilawa-annotate",
    abstract: "Annotate recordings of Quran recitation with frame accuracy.",
    version: version,
    subcommands: [
      EditCommand.self, AutoDetectCommand.self, WaveformCommand.self, FrameCommand.self,
      ImportCommand.self,
      ListCommand.self,
      RecordCommand.self, AuditionCommand.self, PlayCommand.self,
      PlaylistCommand.self, HifzCommand.self, StatsCommand.self, MissingCommand.self,
      ShowCommand.self, CoverageCommand.self, ImportLabelsCommand.self, ExportCommand.self,
      PublishCommand.self, UndoCommand.self,
      RedoCommand.self, RenameCommand.self, RetagCommand.self,
      RemoveCommand.self, RelinkCommand.self, DownloadCommand.self, ReciterCommand.self,
      SourceCommand.self,
      TimingsCommand.self, LearnCommand.self, SettingsCommand.self,
      CheckCommand.self, BackupCommand.self, DoctorCommand.self, DetectionWorkerCommand.self,
      DetectionFeaturesCommand.self, AcousticFeaturesCommand.self, PlaceFeaturesCommand.self,
      AlignmentEdgesCommand.self,
    ], defaultSubcommand: EditCommand.self)
}
