// SPDX-License-Identifier: GPL-3.0-or-later

#include "AllocationCounter.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static _Atomic(unsigned long) watched;
static atomic_long counted;

void allocation_counter_watch(unsigned long thread) {
  atomic_store(&counted, 0);
  atomic_store(&watched, thread);
}

long allocation_counter_count(void) { return atomic_load(&counted); }

#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)

bool allocation_counter_works(void) { return false; }

#else

bool allocation_counter_works(void) { return true; }

// The C library's own names for what is replaced here.
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *memory);

static void count(void) {
  unsigned long thread = atomic_load_explicit(&watched, memory_order_relaxed);
  if (thread && thread == (unsigned long)pthread_self()) atomic_fetch_add_explicit(&counted, 1, memory_order_relaxed);
}

void *malloc(size_t size) {
  count();
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count();
  return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
  count();
  return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
  count();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **memory, size_t alignment, size_t size) {
  void *result = memalign(alignment, size);
  if (!result) return ENOMEM;
  *memory = result;
  return 0;
}

void free(void *memory) {
  if (memory) count();
  __libc_free(memory);
}

#endif
