// SPDX-License-Identifier: GPL-3.0-or-later
#include "OnDemand.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sysexits.h>
#include <unistd.h>

static char failure[512];

// Destructors run after what `atexit` knows of, which restores the terminal.
__attribute__((destructor)) static void report_failure(void) {
  if (failure[0]) dprintf(STDERR_FILENO, "tilawa-annotate: %s; install the package that it belongs to\n", failure);
}

void *tilawa_on_demand(const char *library, const char *function) {
  // A second call, also from another thread, gives the same library. It stays loaded.
  void *handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
  void *found = handle ? dlsym(handle, function) : NULL;
  if (found) return found;
  snprintf(failure, sizeof failure, "%s", dlerror());
  exit(EX_UNAVAILABLE);
}
