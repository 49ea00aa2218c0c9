// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding
import Foundation
import TestSupport
import Testing

/// The generated recordings in `Fixtures`.
enum Fixtures {
  static func path(_ name: String) -> String { FixtureFolder.path(name) }

  /// What `recitation.json` says of the recitation that all of them hold.
  static let recitation: Recitation = decoded("recitation.json")

  /// What `index.json` says of the files.
  static let index: Index = decoded("index.json")

  private static func decoded<Value: Decodable>(_ name: String) -> Value {
    // A fixture that is missing or broken fails every test that needs it.
    guard let data = try? Data(contentsOf: FixtureFolder.url.appending(path: name)),
      let value = try? JSONDecoder().decode(Value.self, from: data)
    else { fatalError("\(name) cannot be read") }
    return value
  }

  struct Recitation: Decodable {
    struct Span: Decodable {
      let kind: String?
      let start: Double
      let end: Double
      let breathNoise: BreathNoise?
      struct BreathNoise: Decodable {}
    }
    let leadIn: Span
    let tail: Span
    let pauses: [Span]
    let stopClosures: [Span]
    let fricatives: [Span]
  }

  struct Index: Decodable {
    struct Good: Decodable {
      let path: String
      let note: String
    }
    struct Malformed: Decodable {
      let path: String
      let expect: String
    }
    let good: [Good]
    let malformed: [Malformed]
  }

  /// All frames of a fixture.
  static func sound(_ name: String) throws -> Sound {
    let source = try MediaSource(path: path(name))
    let format = source.description.format
    let decoder = try source.makeDecoder()
    let buffer = PCMBuffer(channels: format.channels, frameCapacity: 8192)
    var samples: [Float] = []
    while try decoder.read(into: buffer) > 0 { samples += buffer.filled }
    return Sound(format: format, samples: samples)
  }
}
