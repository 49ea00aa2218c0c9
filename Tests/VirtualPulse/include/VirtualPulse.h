// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A libpulse for tests, to be found as libpulse.so.0 through LD_LIBRARY_PATH: a server with one card that has
// headphones and a loudspeaker, on which the process plays that asks. The file that the environment variable
// VIRTUAL_PULSE names says how things stand: "plugged", "unplugged", or "muted";
// beside it, a file with ".asked" at its end begins to exist when the process has been told.
