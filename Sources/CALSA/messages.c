// SPDX-License-Identifier: GPL-3.0-or-later
#include "CALSA.h"

#include <stdarg.h>
#include <stdio.h>

static __thread char text[256];

char *tilawa_alsa_message(void) { return text; }

// A handler of alsa-lib's messages has a variable number of arguments, so it cannot be in Swift.
static void keep(const char *file, int line, const char *function, int error, const char *format,
                 ...) {
  (void)file;
  (void)line;
  (void)function;
  (void)error;
  if (text[0]) return;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
}

int tilawa_catch_alsa_messages(void) { return snd_lib_error_set_handler(keep); }
