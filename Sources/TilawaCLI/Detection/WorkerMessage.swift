// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation

/// What a worker says about the file it has in hand; `piece` is the last thing.
///
/// On the wire: a letter, the number of bytes that follow in decimal, a newline, the bytes.
enum WorkerMessage: Sendable {
  case progress(Double)
  case remark(String)
  case failure(Failure)
  case piece(String?)
  /// What can be saved of it.
  case finding(DetectionFinding)

  var bytes: [UInt8] {
    let (letter, text): (String, String) =
      switch self {
      case .progress(let fraction): ("p", "\(fraction)")
      case .remark(let text): ("r", text)
      case .failure(let failure): ("f", failure.code + " " + failure.message)
      case .piece(let piece?): ("o", piece)
      case .piece(nil): ("n", "")
      case .finding(let finding):
        (
          "s",
          (try? JSONEncoder().encode(finding)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        )
      }
    return Array("\(letter)\(text.utf8.count)\n".utf8) + Array(text.utf8)
  }
}

/// Puts messages together from bytes as they arrive.
struct WorkerMessageParser {
  private var bytes: [UInt8] = []

  mutating func append(_ more: some Sequence<UInt8>) { bytes += more }

  /// The next whole message; nil until more bytes come.
  mutating func next() -> WorkerMessage? {
    guard let newline = bytes.firstIndex(of: 0x0A), let letter = bytes.first,
      let count = Int(String(decoding: bytes[1..<newline], as: UTF8.self)), count >= 0,
      bytes.count - newline - 1 >= count
    else { return nil }
    let end = newline + 1 + count
    let text = String(decoding: bytes[(newline + 1)..<end], as: UTF8.self)
    bytes.removeSubrange(..<end)
    switch letter {
    case UInt8(ascii: "p"): return .progress(Double(text) ?? 0)
    case UInt8(ascii: "r"): return .remark(text)
    case UInt8(ascii: "f"):
      let words = text.split(separator: " ", maxSplits: 1)
      let message = words.count > 1 ? String(words[1]) : ""
      return .failure(Failure(code: words.first.map { String($0) } ?? "", message: message))
    case UInt8(ascii: "o"): return .piece(text)
    case UInt8(ascii: "s"):
      let finding = try? JSONDecoder().decode(DetectionFinding.self, from: Data(text.utf8))
      return finding.map { .finding($0) } ?? .failure(.garbled)
    default: return .piece(nil)
    }
  }
}

extension Failure {
  fileprivate static let garbled = Failure(
    code: crashed, message: "the analysis sent an invalid message; please report this bug")
}
