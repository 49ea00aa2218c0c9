// SPDX-License-Identifier: GPL-3.0-or-later

extension Double {
  /// A share in whole percent, rounded down, so that nothing seems surer than it is. It has to be finite.
  public var percent: Int { Int((self * 100 + 1e-9).rounded(.down)) }
}
