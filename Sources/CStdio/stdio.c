// SPDX-License-Identifier: GPL-3.0-or-later
#define _GNU_SOURCE
#include "CStdio.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

// Before `main`, when Swift's runtime may have opened something already.
__attribute__((constructor)) static void fill_closed_streams(void) {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++) {
    if (fcntl(stream, F_GETFD) < 0) (void)open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

void stdio_silence_stderr(void) {
  FILE *nowhere = fopen("/dev/null", "we");
  if (nowhere) stderr = nowhere;
}

int stdio_flush_stdout(void) {
  errno = 0;
  if (fflush(stdout) == 0 && !ferror(stdout)) return 0;
  return errno ? errno : EIO;
}
