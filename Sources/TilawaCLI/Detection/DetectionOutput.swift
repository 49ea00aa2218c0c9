// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// Where the results of `auto-detect` go: standard output, one file, or a folder with one file each.
final class DetectionOutput {
  private enum Target {
    case standardOutput
    case file(OutputFile)
    case folder(String)
  }

  private let format: DetectionFormat
  private let isNamingFiles: Bool
  private let isReplacing: Bool
  private let target: Target
  private var count = 0
  private var usedNames: Set<String> = []

  /// - Parameters:
  ///   - path: a file, or a folder that exists or ends in a slash; nil for standard output.
  ///   - isNamingFiles: whether rows say which file they belong to.
  init(
    _ format: DetectionFormat, path: String?, isNamingFiles: Bool, isReplacing: Bool
  ) throws(Failure) {
    self.format = format
    self.isNamingFiles = isNamingFiles
    self.isReplacing = isReplacing
    if let path, Self.isFolder(path) || path.hasSuffix("/") {
      mkdir(path, 0o777)
      guard Self.isFolder(path) else {
        throw Failure(code: "io_error", message: "cannot create the folder \(path)")
      }
      target = .folder(path)
      return
    }
    if isNamingFiles, !format.holdsSeveralFiles {
      throw Failure(
        code: "usage",
        message: "\(format.rawValue) holds one recording; for several, --output FOLDER/")
    }
    if let path {
      target = .file(try OutputFile(path: path, isReplacing: isReplacing))
    } else {
      target = .standardOutput
    }
    try write(format.opening(isNamingFiles: isNamingFiles))
  }

  /// Whether a person reads the results as they come.
  var isTerminal: Bool {
    if case .standardOutput = target { StandardStreams.isOutputTerminal } else { false }
  }

  /// Adds the result of one file.
  func add(_ piece: String, for input: String) throws(Failure) {
    if case .folder(let folder) = target {
      let file = try OutputFile(path: folder + "/" + name(for: input), isReplacing: isReplacing)
      try file.write(
        format.opening(isNamingFiles: false) + format.separator(isFirst: true) + piece
          + format.closing(isEmpty: false))
      try file.finish()
    } else {
      try write(format.separator(isFirst: count == 0) + piece)
    }
    count += 1
  }

  /// Ends the document.
  func finish() throws(Failure) {
    if case .folder = target { return }
    try write(format.closing(isEmpty: count == 0))
    if case .file(let file) = target { try file.finish() }
  }

  private func write(_ text: String) throws(Failure) {
    guard !text.isEmpty else { return }
    switch target {
    case .standardOutput: try StandardStreams.writeOutput(text)
    case .file(let file): try file.write(text)
    case .folder: break
    }
  }

  /// The input's own name with the format's ending, and a number where two inputs share a name.
  private func name(for input: String) -> String {
    let last = input.split(separator: "/").last.map { String($0) } ?? "recording"
    let stem = last.lastIndex(of: ".").map { $0 > last.startIndex ? String(last[..<$0]) : last }
    var name = "\(stem ?? last).\(format.fileExtension)"
    var number = 2
    while !usedNames.insert(name).inserted {
      name = "\(stem ?? last)-\(number).\(format.fileExtension)"
      number += 1
    }
    return name
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
