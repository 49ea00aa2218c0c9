// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation

/// What a test wants of a page of Markdown: its commands, its links and its headings.
///
/// A block of code, indented or fenced, holds commands if its first line begins with `$ `, `tilawa-annotate` or `make`.
/// In a block with `$ ` each such line is a command, and the lines below it are its output. Without `$ ` each line is a
/// command. Two comments, which no reader sees, tell the test about a block:
///
///     <!-- before: cp Fixtures/mosque.flac hall.flac -->      commands of the shell that run before it
///     <!-- not run: it needs a microphone -->                 the next block is not run, and why
struct MarkdownPage {
  struct Command: Equatable {
    let text: String
    /// What the page shows as its output, made comparable; nil if it shows none.
    let output: String?
    /// Its line in the page, counted from 1.
    let line: Int
  }

  enum Step: Equatable {
    case preparation(String, line: Int)
    case command(Command)
    case skipped(reason: String, line: Int)
  }

  private(set) var steps: [Step] = []
  private(set) var links: [String] = []
  /// The fragments that lead to its headings, as GitHub makes them.
  private(set) var anchors: Set<String> = []

  var commands: [Command] {
    steps.compactMap { if case .command(let command) = $0 { command } else { nil } }
  }

  init(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    var index = 0
    var skipping: String?
    var isAfterBlank = true

    func block(_ body: [String], from line: Int) {
      guard let first = body.first, Self.isCommand(first) else { return }
      if let reason = skipping {
        steps.append(.skipped(reason: reason, line: line))
        skipping = nil
        return
      }
      steps += Self.commands(of: body, from: line).map(Step.command)
    }

    while index < lines.count {
      let line = lines[index]
      if line.hasPrefix("<!-- ") {
        let start = index
        while index < lines.count - 1, !lines[index].hasSuffix("-->") { index += 1 }
        let comment = lines[start...index].joined(separator: "\n").dropFirst(5).dropLast(3)
          .trimmingCharacters(in: .whitespacesAndNewlines)
        if comment.hasPrefix("before:") {
          steps.append(.preparation(String(comment.dropFirst(7)), line: start + 1))
        } else if comment.hasPrefix("not run: ") {
          skipping = String(comment.dropFirst(9))
        }
      } else if line.hasPrefix("```") {
        let start = index + 1
        index += 1
        while index < lines.count, !lines[index].hasPrefix("```") { index += 1 }
        block(Array(lines[start..<min(index, lines.count)]), from: start + 1)
      } else if line.hasPrefix("    "), isAfterBlank {
        let start = index
        while index + 1 < lines.count, lines[index + 1].hasPrefix("    ") { index += 1 }
        block(lines[start...index].map { String($0.dropFirst(4)) }, from: start + 1)
      } else {
        if line.hasPrefix("#") { anchors.insert(Self.anchor(of: line)) }
        links += Self.links(in: line)
      }
      isAfterBlank = line.isEmpty || line.hasPrefix("<!--")
      index += 1
    }
  }

  private static func isCommand(_ line: String) -> Bool {
    ["$ ", "tilawa-annotate", "make "].contains { line.hasPrefix($0) }
  }

  private static func commands(of block: [String], from line: Int) -> [Command] {
    guard block.contains(where: { $0.hasPrefix("$ ") }) else {
      return block.enumerated().filter { !$1.isEmpty }.map {
        Command(text: $1, output: nil, line: line + $0)
      }
    }
    var commands: [Command] = []
    for (offset, text) in block.enumerated() {
      if text.hasPrefix("$ ") {
        commands.append(Command(text: String(text.dropFirst(2)), output: nil, line: line + offset))
      } else if let last = commands.popLast() {
        let output = (last.output.map { $0 + "\n" } ?? "") + comparable(text)
        commands.append(Command(text: last.text, output: output, line: last.line))
      }
    }
    return commands
  }

  /// Output without what differs from run to run: identifiers of recordings, spaces at the ends of lines.
  static func comparable(_ output: String) -> String {
    output.split(separator: "\n", omittingEmptySubsequences: false)
      .map { line in
        var line = line.replacing(/\b[0-9a-f]{8}\b/, with: "--------")
        while line.hasSuffix(" ") { line.removeLast() }
        return String(line)
      }
      .joined(separator: "\n").trimmingCharacters(in: .newlines)
  }

  /// Targets of `[text](target)`, but for those within code.
  private static func links(in line: String) -> [String] {
    line.replacing(/`[^`]*`/, with: "code").matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }
  }

  /// "## What it reads" is found at `#what-it-reads`.
  private static func anchor(of heading: String) -> String {
    heading.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces).lowercased()
      .filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_" }
      .replacing(" ", with: "-")
  }
}
