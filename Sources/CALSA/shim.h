// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <alsa/asoundlib.h>
#include <stdarg.h>
#include <stdio.h>

// Macros that Swift does not import.
static const int tilawa_SND_PCM_NONBLOCK = SND_PCM_NONBLOCK;

// A handler of alsa-lib's messages has a variable number of arguments, so it cannot be in Swift. It keeps
// the first message of each thread: the ones after it only tell what that one led to.
static inline char *tilawa_alsa_message(void) {
  static __thread char text[256];
  return text;
}

static void tilawa_keep_alsa_message(const char *file, int line, const char *function, int error,
                                     const char *format, ...) {
  (void)file;
  (void)line;
  (void)function;
  (void)error;
  if (tilawa_alsa_message()[0]) return;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(tilawa_alsa_message(), 256, format, arguments);
  va_end(arguments);
}

static inline int tilawa_catch_alsa_messages(void) {
  return snd_lib_error_set_handler(tilawa_keep_alsa_message);
}
