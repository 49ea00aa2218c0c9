// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation

/// What an `mpv` says over its JSON IPC, as far as it matters here.
public enum MPVMessage: Hashable, Sendable {
  public enum Value: Hashable, Sendable {
    case number(Double)
    case flag(Bool)
  }

  /// It has carried out the command of that number, or failed to; the value that was asked for.
  case reply(Int, isSuccess: Bool, Value?)
  /// It is paused, or goes on.
  case paused(Bool)
  /// It begins to seek.
  case seeking
  /// It shows the frame that was loaded or sought.
  case restarted
  /// The file cannot be shown.
  case failed
  /// It ends because somebody has closed it.
  case closing

  /// Nil for anything else, and for what is no JSON.
  public init?(line: [UInt8]) {
    guard let raw = try? JSONDecoder().decode(Raw.self, from: Data(line)) else { return nil }
    guard let event = raw.event else {
      // Numbers of ours begin at 1.
      guard let number = raw.requestNumber, number > 0, let outcome = raw.error else { return nil }
      self = .reply(number, isSuccess: outcome == "success", raw.data)
      return
    }
    switch event {
    case "property-change":
      guard raw.name == "pause", case .flag(let isPaused) = raw.data else { return nil }
      self = .paused(isPaused)
    case "seek": self = .seeking
    case "playback-restart": self = .restarted
    case "end-file":
      guard raw.reason == "error" else { return nil }
      self = .failed
    case "shutdown": self = .closing
    default: return nil
    }
  }

  private struct Raw: Decodable {
    let event: String?
    let name: String?
    let reason: String?
    let error: String?
    let requestNumber: Int?
    let data: Value?

    private enum Keys: String, CodingKey {
      case event, name, reason, error, data
      case requestNumber = "request_id"
    }

    init(from decoder: any Decoder) throws {
      let all = try decoder.container(keyedBy: Keys.self)
      event = try? all.decode(String.self, forKey: .event)
      name = try? all.decode(String.self, forKey: .name)
      reason = try? all.decode(String.self, forKey: .reason)
      error = try? all.decode(String.self, forKey: .error)
      requestNumber = try? all.decode(Int.self, forKey: .requestNumber)
      if let flag = try? all.decode(Bool.self, forKey: .data) {
        data = .flag(flag)
      } else if let number = try? all.decode(Double.self, forKey: .data), number.isFinite {
        data = .number(number)
      } else {
        data = nil
      }
    }
  }
}

/// Cuts what comes from an `mpv` into messages.
public struct MPVMessages: Sendable {
  private var line: [UInt8] = []
  private var isTooLong = false

  /// Longer lines are thrown away; mpv's have less than 200 bytes here.
  public static let maxLength = 4096

  public init() {}

  /// The messages that are complete with some more bytes.
  public mutating func take(_ bytes: some Sequence<UInt8>) -> [MPVMessage] {
    var messages: [MPVMessage] = []
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        if !isTooLong, let message = MPVMessage(line: line) { messages.append(message) }
        line.removeAll(keepingCapacity: true)
        isTooLong = false
      } else if line.count < Self.maxLength {
        line.append(byte)
      } else {
        isTooLong = true
      }
    }
    return messages
  }
}
