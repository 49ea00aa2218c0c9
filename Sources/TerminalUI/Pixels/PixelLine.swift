// SPDX-License-Identifier: GPL-3.0-or-later

/// A line from the top to the bottom of an image, a pixel wide.
public struct PixelLine: Hashable, Sendable {
  /// Counted from the left.
  public var column: Int
  public var role: Role
  /// Pixels drawn, and pixels left out.
  public var dash: Int
  public var gap: Int

  public init(column: Int, role: Role, dash: Int = 1, gap: Int = 0) {
    self.column = column
    self.role = role
    self.dash = max(dash, 1)
    self.gap = max(gap, 0)
  }

  func rows(of height: Int) -> [Int] { (0..<height).filter { $0 % (dash + gap) < dash } }
}
