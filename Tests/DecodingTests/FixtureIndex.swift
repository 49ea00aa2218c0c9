// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing

/// What `Fixtures/index.json` says about the recordings beside it.
struct FixtureIndex: Decodable {
  let good: [GoodFixture]
  let malformed: [MalformedFixture]

  static let all: FixtureIndex = {
    do {
      let data = try Data(contentsOf: FixtureFolder.url.appending(path: "index.json"))
      return try JSONDecoder().decode(FixtureIndex.self, from: data)
    } catch {
      fatalError("Fixtures/index.json: \(error)")
    }
  }()

  static func path(_ name: String) -> String { FixtureFolder.path(name) }

  static func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: FixtureFolder.url.appending(path: name)))
  }
}

/// A recording that must decode as its entry says.
struct GoodFixture: Decodable, Sendable, CustomTestStringConvertible {
  let path: String
  let container: String
  let codec: String
  let rate: Int
  let channels: Int
  /// Frames after trimming; nil where the file cannot say.
  let frames: Int64?
  let sourceSeconds: Double
  let audioTracks: Int

  var file: String { FixtureIndex.path(path) }
  var testDescription: String { path }

  /// How close a frame that is decoded from a start just before it is to the same frame decoded from the beginning.
  var startAccuracy: StartAccuracy {
    if path.contains("-pns") { return .energy }
    return codec == "opus" || codec == "vorbis" ? .within(1e-4) : .exact
  }

  /// Files that share a decoder.
  var family: String { codec.hasPrefix("pcm_") ? "pcm" : codec }
}

enum StartAccuracy {
  case exact
  case within(Float)
  /// Noise that is random by design: only how loud it is can be compared.
  case energy
}

/// A file with a fault, and what a reader makes of it.
struct MalformedFixture: Decodable, Sendable, CustomTestStringConvertible {
  enum Outcome: String, Decodable {
    case error, partial, complete, either
  }

  let path: String
  let fault: String
  let expect: Outcome

  var file: String { FixtureIndex.path(path) }
  var testDescription: String { path }
}
