// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
public import Quran

/// A folder with a picture of each page of the mushaf, named by its number: `001.png`, `page1.jpg`.
public struct PagePictures: Sendable {
  private let addresses: [Int: String]

  private static let kinds: Set = ["png", "jpg", "jpeg", "webp", "svg", "gif"]

  /// What the folder holds now; none where it cannot be read.
  public init(folder: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    var addresses: [Int: String] = [:]
    for name in names.sorted() {
      let url = URL(filePath: folder).appending(path: name)
      let digits = url.deletingPathExtension().lastPathComponent.reversed().prefix {
        $0.isASCII && $0.isNumber
      }
      guard Self.kinds.contains(url.pathExtension.lowercased()), digits.count <= 4,
        let page = Int(String(digits.reversed())), addresses[page] == nil
      else { continue }
      addresses[page] = url.absoluteString
    }
    self.addresses = addresses
  }

  /// The address of the picture of an ayah's page, in the Madinah mushaf.
  public func address(of ayah: AyahReference) -> String? { addresses[ayah.page] }
}
