// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import Exchange
import Library
import TerminalUI

/// `settings`
struct SettingsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "settings", abstract: "Show and change settings.",
    discussion: """
      A setting comes from the command line, the environment, config.toml or the built-in default, in this \
      order. 'settings set' changes one line of config.toml and leaves the rest as you wrote it.
      """,
    subcommands: [List.self, Get.self, Set.self, Unset.self], defaultSubcommand: List.self)

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List all settings.")

    @Option(help: "table (for people), json or jsonl.")
    var format: ListFormat = .table

    func run() async throws {
      let format = format
      try await runReporting {
        let settings = try Configuration()
        guard format == .table else {
          return try format.write(
            Configuration.keys.map { key in
              let (value, source) = settings.lookUp(key)
              return .object([
                .init("schema", .string("tilawa.setting/1")), .init("name", .string(key.name)),
                .init("value", value.map { .string($0) } ?? .null),
                .init("source", .string(Self.word(source))),
              ])
            })
        }
        var table = TextTable(columns: [
          .init("setting"), .init("value", isFlexible: true), .init("from", isFlexible: true),
          .init("", isFlexible: true),
        ])
        table.rows = Configuration.keys.map { key in
          let (value, source) = settings.lookUp(key)
          return [key.name, value ?? Self.usual(key), Self.word(source), key.summary].map {
            TerminalText($0)
          }
        }
        try PlainText.show(table)
        if let file = settings.file { StandardStreams.say("the file is \(file)") }
      }
    }

    private static func usual(_ key: Configuration.Key) -> String {
      key.name == "library.folder" ? UserFolders().library ?? key.usual : key.usual
    }

    private static func word(_ source: Configuration.Source) -> String {
      switch source {
      case .environment(let variable): variable
      case .file: "config.toml"
      case .usual: "default"
      }
    }
  }

  struct Get: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "get",
      abstract: "Print one setting; empty if it is not set.")

    @Argument(
      help: "The name, such as import.reciter.", completion: .list(Configuration.keys.map(\.name)))
    var name: String

    func run() async throws {
      let name = name
      try await runReporting {
        let key = try SettingsCommand.key(name)
        if let value = try Configuration().lookUp(key).value { try PlainText.show(value) }
      }
    }
  }

  struct Set: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "set", abstract: "Set a setting in config.toml.")

    @Argument(
      help: "The name, such as import.reciter.", completion: .list(Configuration.keys.map(\.name)))
    var name: String

    @Argument(help: "The value.")
    var value: String

    func run() async throws {
      let (name, value) = (name, value)
      try await runReporting {
        let key = try SettingsCommand.key(name)
        if let problem = key.problem(value) {
          throw Failure(code: "usage", message: "\(name) is '\(value)', but \(problem)")
        }
        try SettingsCommand.change(key, to: value)
        if key.isPath, FileKind(path: value) == .nothing {
          StandardStreams.say("saved, but \(value) is not there")
        }
      }
    }
  }

  struct Unset: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "unset",
      abstract: "Remove a setting from config.toml; the default applies again.")

    @Argument(
      help: "The name, such as import.reciter.", completion: .list(Configuration.keys.map(\.name)))
    var name: String

    func run() async throws {
      let name = name
      try await runReporting { try SettingsCommand.change(SettingsCommand.key(name), to: nil) }
    }
  }

  fileprivate static func key(_ name: String) throws(Failure) -> Configuration.Key {
    guard let key = Configuration.keys.first(where: { $0.name == name }) else {
      throw Failure(code: "usage", message: "there is no setting '\(name)'; 'settings' lists them")
    }
    return key
  }

  fileprivate static func change(_ key: Configuration.Key, to value: String?) throws {
    // One that is broken already is for its writer to mend.
    let settings = try Configuration()
    guard let path = settings.file else {
      throw Failure(
        code: "usage", message: "there is no folder for settings: set HOME or TILAWA_HOME")
    }
    var file = SettingsFile(text: TextFile.read(path) ?? "")
    file.set(key.name, to: value)
    try UserFolders.make(parentFolder(of: path) ?? "/")
    let output = try OutputFile(path: path, isReplacing: true)
    try output.write(file.text)
    try output.finish()
    if case .environment(let variable) = settings.lookUp(key).source {
      StandardStreams.say("saved, but \(variable) is set and overrides it")
    }
  }
}
