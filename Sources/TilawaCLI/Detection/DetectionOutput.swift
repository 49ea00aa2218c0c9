// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Glibc

/// Where the results of `auto-detect` go: standard output, one file, or a folder with one file each.
final class DetectionOutput {
  private enum Target {
    case standardOutput
    case file(OutputFile)
    case folder(String)
  }

  /// Whether rows say which recording they belong to.
  let isNamingFiles: Bool

  private let format: DetectionFormat
  private let isReplacing: Bool
  private let inputs: [String]
  private let target: Target
  private var count = 0
  private var reportCount = 0

  /// - Parameters:
  ///   - path: a file, or a folder that exists or ends in a slash; nil for standard output.
  ///   - inputs: every recording of the run.
  ///   - isSeveral: whether the document has to say which recording is which.
  init(
    _ format: DetectionFormat, path: String?, inputs: [String], isSeveral: Bool, isReplacing: Bool
  ) throws(Failure) {
    self.format = format
    self.isReplacing = isReplacing
    self.inputs = inputs
    if let path, Self.isFolder(path) || path.hasSuffix("/") {
      if mkdir(path.diskName, 0o777) != 0, !Self.isFolder(path) {
        let reason = String(cString: strerror(errno))
        throw Failure(code: "io_error", message: "cannot create the folder \(path): \(reason)")
      }
      target = .folder(path.hasSuffix("/") ? String(path.dropLast()) : path)
      isNamingFiles = false
      return
    }
    isNamingFiles = isSeveral
    if isSeveral, !format.holdsSeveralFiles {
      throw Failure(
        code: "usage",
        message: "\(format.rawValue) can hold only one recording; for several, use --output FOLDER/"
      )
    }
    if let path {
      target = .file(try OutputFile(path: path, isReplacing: isReplacing, sparing: inputs))
    } else {
      target = .standardOutput
    }
    try write(format.opening(isNamingFiles: isNamingFiles))
  }

  /// Whether a person reads the results as they come.
  var isTerminal: Bool {
    if case .standardOutput = target { StandardStreams.isOutputTerminal } else { false }
  }

  /// Whether each recording's result is a file of its own, whose failure concerns no other.
  var isFolder: Bool {
    if case .folder = target { true } else { false }
  }

  /// Adds the result of the input with this index.
  ///
  /// - Parameter isReport: false for one that only says what failed.
  func add(_ piece: String, forInput index: Int, isReport: Bool) throws(Failure) {
    if case .folder(let folder) = target {
      let file = try OutputFile(
        path: folder + "/" + names[index], isReplacing: isReplacing, sparing: inputs)
      try file.write(
        format.opening(isNamingFiles: false) + format.separator(isFirst: true) + piece
          + format.closing(isEmpty: false))
      try file.finish()
    } else {
      try write(format.separator(isFirst: count == 0) + piece)
    }
    count += 1
    if isReport { reportCount += 1 }
  }

  /// Ends the document. A file without one result is not put in place, whatever was there before.
  func finish() throws(Failure) {
    if case .folder = target { return }
    try write(format.closing(isEmpty: count == 0))
    if case .file(let file) = target, reportCount > 0 { try file.finish() }
  }

  private func write(_ text: String) throws(Failure) {
    guard !text.isEmpty else { return }
    switch target {
    case .standardOutput: try StandardStreams.writeOutput(text)
    case .file(let file): try file.write(text)
    case .folder: break
    }
  }

  /// For each input its own name with the format's ending, and a number where an earlier input has it.
  private lazy var names: [String] = {
    var used: Set<String> = []
    return inputs.map { input in
      let last = input.split(separator: "/").last.map { String($0) } ?? "recording"
      let dot = last.lastIndex(of: ".").flatMap { $0 > last.startIndex ? $0 : nil }
      let stem = dot.map { String(last[..<$0]) } ?? last
      var name = "\(stem).\(format.fileExtension)"
      var number = 2
      while !used.insert(name).inserted {
        name = "\(stem)-\(number).\(format.fileExtension)"
        number += 1
      }
      return name
    }
  }()

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path.diskName, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
