// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import Decoding
import Glibc
import Quran

/// A folder with one file for each ayah, `SSSAAA` and any ending.
struct ReferenceFolder: Sendable {
  let path: String

  /// The files of the folder by ayah; empty when it is no folder or holds none.
  var files: [AyahReference: String] {
    guard let folder = opendir(path) else { return [:] }
    defer { closedir(folder) }
    var files: [AyahReference: String] = [:]
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard let ayah = Self.ayah(named: name) else { continue }
      // Of two files of one ayah the same one each time.
      if let other = files[ayah], other < "\(path)/\(name)" { continue }
      files[ayah] = "\(path)/\(name)"
    }
    return files
  }

  static func ayah(named name: String) -> AyahReference? {
    let stem = name.prefix { $0 != "." }
    guard stem.utf8.count == 6, stem.utf8.allSatisfy({ (48...57).contains($0) }),
      stem.endIndex < name.endIndex, let surah = Int(stem.prefix(3)),
      let ayah = Int(stem.suffix(3))
    else { return nil }
    return AyahReference(surah: surah, ayah: ayah)
  }

  /// What there is of some ayat; those without a readable file are missing.
  func contents(
    _ wanted: [AyahReference], _ reader: CepstralReader
  ) throws(AnalysisError) -> Contents {
    let files = files
    var contents = Contents()
    let there = Set(wanted).filter { files[$0] != nil }.sorted()
    for (number, ayah) in there.enumerated() {
      guard let file = files[ayah] else { continue }
      do throws(AnalysisError) {
        contents.ayat[ayah] = try reader.part(number, of: there.count).read(path: file)
      } catch .decoding(let error) {
        contents.unreadable.append("\(error)".replacing("\(path)/", with: ""))
      }
    }
    return contents
  }

  /// What the files of a folder sound like.
  struct Contents {
    var ayat: [AyahReference: Cepstra] = [:]
    /// The files that are left out and why, in their order.
    var unreadable: [String] = []

    /// What a person should know of those files; nil where all could be read.
    var remark: String? {
      guard let first = unreadable.first else { return nil }
      let files = PlainText.count(unreadable.count, "file")
      return
        "\(files) of the reference cannot be read\(unreadable.count == 1 ? ":" : ", first") \(first)"
    }
  }
}
