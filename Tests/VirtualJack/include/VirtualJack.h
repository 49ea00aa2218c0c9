// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A control device for tests: an ALSA ctl_ext plugin with one control, "Headphone Jack", which is plugged in while
// there is a 1 in a file. Events are told when the file has been written.
//
//     ctl_type.tilawa_jack { lib "/path/of/libVirtualJack.so" }
//     ctl.NAME { type tilawa_jack file "/file" }
