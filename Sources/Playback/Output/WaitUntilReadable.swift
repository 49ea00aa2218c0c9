// SPDX-License-Identifier: GPL-3.0-or-later

// `poll` is among what alsa-lib's header brings; the compiler sees it as that module's.
import CALSA

/// Waits until a descriptor can be read, or for so many milliseconds.
func waitUntilReadable(_ descriptor: Int32, milliseconds: Int) {
  var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  poll(&entry, 1, Int32(milliseconds))
}
