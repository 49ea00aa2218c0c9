// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <alsa/asoundlib.h>

// Swift has no functions with variable arguments to give alsa-lib.
static inline void tilawa_alsa_ignore(const char *file, int line, const char *function,
                                      int code, const char *format, ...) {}

// Keeps alsa-lib from writing to the terminal; its return codes say what went wrong.
static inline int tilawa_alsa_silence(void) {
  return snd_lib_error_set_handler(tilawa_alsa_ignore);
}
