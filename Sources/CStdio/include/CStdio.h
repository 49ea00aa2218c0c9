// SPDX-License-Identifier: GPL-3.0-or-later
// The standard streams, as far as Swift cannot get at them.
//
// A program that links this starts with all three descriptors in use: one that was closed reads and writes nothing, and
// fails as a closed one does. Else the next file that is opened would get its number, and the results would go there.
#pragma once

/// Leads what C libraries print through `stderr` nowhere. The program itself writes to the descriptor.
void stdio_silence_stderr(void);

/// Writes out what was printed to `stdout`; the error number if not all of it could be written, else 0.
int stdio_flush_stdout(void);
