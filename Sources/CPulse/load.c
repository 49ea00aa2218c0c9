// SPDX-License-Identifier: GPL-3.0-or-later
#include "CPulse.h"

#include <dlfcn.h>

_Bool tilawa_load_pulse(tilawa_pulse *pulse) {
  void *library = dlopen("libpulse.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!library) return 0;
#define F(name)                                                   \
  pulse->name = (__typeof__(pa_##name) *)dlsym(library, "pa_" #name); \
  if (!pulse->name) return 0;
  TILAWA_PULSE_FUNCTIONS(F)
#undef F
  return 1;
}
