// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Quran

// Places are written as numbers of frames, ayat as "2:255".

extension KeyedEncodingContainer {
  mutating func encode(_ position: FramePosition, forKey key: Key) throws {
    try encode(position.frames, forKey: key)
  }

  mutating func encode(_ positions: [FramePosition], forKey key: Key) throws {
    try encode(positions.map(\.frames), forKey: key)
  }

  mutating func encode(_ ayah: AyahReference, forKey key: Key) throws {
    try encode(ayah.description, forKey: key)
  }
}

extension KeyedDecodingContainer {
  func decode(_: FramePosition.Type, forKey key: Key) throws -> FramePosition {
    FramePosition(try decode(Int64.self, forKey: key))
  }

  func decode(_: [FramePosition].Type, forKey key: Key) throws -> [FramePosition] {
    try decode([Int64].self, forKey: key).map { FramePosition($0) }
  }

  func decode(_: AyahReference.Type, forKey key: Key) throws -> AyahReference {
    let text = try decode(String.self, forKey: key)
    guard let ayah = AyahReference(text) else { throw corrupted(key, "not an ayah: \(text)") }
    return ayah
  }

  func corrupted(_ key: Key, _ description: String) -> DecodingError {
    .dataCorruptedError(forKey: key, in: self, debugDescription: description)
  }
}
