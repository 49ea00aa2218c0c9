// SPDX-License-Identifier: GPL-3.0-or-later

/// Bytes that tmux passes on to the terminal that it runs in, if its option `allow-passthrough` is on; else it drops them.
///
/// Source: tmux(1), `allow-passthrough`. What the terminal answers comes to the program as if it were typed, as long as its
/// pane has the keys.
public enum TmuxPassthrough {
  public static func wrap(_ bytes: [UInt8]) -> [UInt8] {
    var wrapped = Array("\u{1B}Ptmux;".utf8)
    wrapped.reserveCapacity(bytes.count + 16)
    for byte in bytes {
      if byte == 0x1B { wrapped.append(byte) }
      wrapped.append(byte)
    }
    return wrapped + [0x1B, UInt8(ascii: "\\")]
  }
}
