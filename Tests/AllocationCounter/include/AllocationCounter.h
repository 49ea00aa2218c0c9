// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stdbool.h>

// Counts the allocations of one thread, by standing in front of the C library's allocator. Under a
// sanitizer, which stands there itself, nothing is counted.

bool allocation_counter_works(void);
// Counts from now on what a thread, as `pthread_self` names it, allocates and frees; 0 for none.
void allocation_counter_watch(unsigned long thread);
long allocation_counter_count(void);
