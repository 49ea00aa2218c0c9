// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser

/// Parses the process's arguments, runs the command they name and exits with its code.
public func runTilawaAnnotate() async {
  await TilawaAnnotate.main()
}

/// The command line's root.
struct TilawaAnnotate: AsyncParsableCommand {
  static let version = "0.1.0"

  static let configuration = CommandConfiguration(
    commandName: "tilawa-annotate",
    abstract: "Turn a recording of Quran recitation into an exactly annotated source.",
    version: version,
    subcommands: [
      EditCommand.self, AutoDetectCommand.self, WaveformCommand.self, ImportCommand.self,
      ListCommand.self,
      RecordCommand.self, AuditionCommand.self, PlayCommand.self,
      ShowCommand.self, CoverageCommand.self, ImportLabelsCommand.self, ExportCommand.self,
      PublishCommand.self, UndoCommand.self,
      RedoCommand.self, RenameCommand.self, RetagCommand.self,
      RemoveCommand.self, RelinkCommand.self, ReciterCommand.self, SettingsCommand.self,
      CheckCommand.self, BackupCommand.self, DoctorCommand.self, DetectionWorkerCommand.self,
      DetectionFeaturesCommand.self, AlignmentFeaturesCommand.self,
    ], defaultSubcommand: EditCommand.self)
}
