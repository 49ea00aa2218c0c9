// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation

func bytes(_ path: String) throws -> [UInt8] {
  [UInt8](try Data(contentsOf: URL(filePath: path)))
}
