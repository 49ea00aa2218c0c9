// SPDX-License-Identifier: GPL-3.0-or-later
// Functions of libraries that are loaded when one of them is called first. FFmpeg and curl bring along 130 libraries,
// which take longer to load than a short command takes to run.
#pragma once

/// Loads the library of this name if it is not loaded yet, and finds its function. Where the library or the function is
/// missing, the program ends as for anything that is not available, with a message after the terminal is restored.
void *tilawa_on_demand(const char *library, const char *function);

// Defines the function `name`, as the header of `LIBRARY` declares it, to be the library's own.
#define ON_DEMAND(result, name, parameters, arguments)                                           \
  __attribute__((visibility("hidden"))) result name parameters {                                 \
    static __typeof__(&name) _Atomic found;                                                      \
    __typeof__(&name) function = __c11_atomic_load(&found, __ATOMIC_ACQUIRE);                    \
    if (!function) {                                                                             \
      function = (__typeof__(&name))tilawa_on_demand(LIBRARY, #name);                            \
      __c11_atomic_store(&found, function, __ATOMIC_RELEASE);                                    \
    }                                                                                            \
    return function arguments;                                                                   \
  }
