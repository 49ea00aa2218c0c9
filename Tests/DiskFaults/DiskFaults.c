// SPDX-License-Identifier: GPL-3.0-or-later

// A disk that fails when it is told to. Loaded into a process by LD_PRELOAD, it stands before the calls
// by which that writes, and lets those fail that concern files below one folder:
//
//   DISK_FAULT_FOLDER    the folder
//   DISK_FAULT_AT        which of the calls fails, counted from 1
//   DISK_FAULT_STAYS     whether all calls after that fail too
//   DISK_FAULT_ERRNO     with what number
//   DISK_FAULT_KILLS     whether the process is killed there instead, before the call
//   DISK_FAULT_MARK      a file that is made when the first call has failed
//   DISK_FAULT_READONLY  whether the folder cannot be written at all
//   DISK_FAULT_WHEN      a file; all this is so only while there is one

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_int calls;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int isBelow(const char *path) {
  const char *folder = getenv("DISK_FAULT_FOLDER");
  size_t length = folder ? strlen(folder) : 0;
  return length && strncmp(path, folder, length) == 0
         && (path[length] == '/' || path[length] == '\0');
}

static int isTime(void) {
  const char *when = getenv("DISK_FAULT_WHEN");
  int kept = errno;
  int answer = !when || REAL(access)(when, F_OK) == 0;
  errno = kept;
  return answer;
}

static int fails(const char *path) {
  const char *at = getenv("DISK_FAULT_AT");
  if (!at || !isBelow(path) || !isTime()) return 0;
  int number = atomic_fetch_add(&calls, 1) + 1;
  int wanted = atoi(at);
  if (number != wanted && !(getenv("DISK_FAULT_STAYS") && number > wanted)) return 0;
  const char *mark = getenv("DISK_FAULT_MARK");
  if (mark) {
    int descriptor = REAL(open)(mark, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    if (descriptor >= 0) close(descriptor);
  }
  if (getenv("DISK_FAULT_KILLS")) kill(getpid(), SIGKILL);
  const char *code = getenv("DISK_FAULT_ERRNO");
  errno = code ? atoi(code) : ENOSPC;
  return 1;
}

static int descriptorFails(int descriptor) {
  char link[64], path[PATH_MAX];
  int kept = errno;
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, sizeof path - 1);
  errno = kept;
  if (length < 0) return 0;
  path[length] = '\0';
  return fails(path);
}

static int isReadOnly(const char *path) {
  if (!getenv("DISK_FAULT_READONLY") || !isBelow(path) || !isTime()) return 0;
  errno = EROFS;
  return 1;
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
  if (descriptorFails(descriptor)) return -1;
  return REAL(write)(descriptor, bytes, count);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
  if (descriptorFails(descriptor)) return -1;
  return REAL(pwrite)(descriptor, bytes, count, offset);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
  if (descriptorFails(descriptor)) return -1;
  return REAL(pwrite64)(descriptor, bytes, count, offset);
}

int ftruncate(int descriptor, off_t length) {
  if (descriptorFails(descriptor)) return -1;
  return REAL(ftruncate)(descriptor, length);
}

int ftruncate64(int descriptor, off64_t length) {
  if (descriptorFails(descriptor)) return -1;
  return REAL(ftruncate64)(descriptor, length);
}

int fsync(int descriptor) {
  if (descriptorFails(descriptor)) return -1;
  return REAL(fsync)(descriptor);
}

int fdatasync(int descriptor) {
  if (descriptorFails(descriptor)) return -1;
  return REAL(fdatasync)(descriptor);
}

int rename(const char *old, const char *new) {
  if (isReadOnly(new) || fails(new)) return -1;
  return REAL(rename)(old, new);
}

int unlink(const char *path) {
  if (isReadOnly(path)) return -1;
  return REAL(unlink)(path);
}

/// A name in an open folder as a path.
static const char *absolute(int folder, const char *name, char path[PATH_MAX]) {
  char link[64];
  if (name[0] == '/' || folder == AT_FDCWD) return name;
  int kept = errno;
  snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
  ssize_t length = readlink(link, path, PATH_MAX - 1);
  errno = kept;
  if (length < 0) return name;
  snprintf(path + length, PATH_MAX - (size_t)length, "/%s", name);
  return path;
}

int renameat(int old_folder, const char *old, int new_folder, const char *new) {
  char path[PATH_MAX];
  const char *target = absolute(new_folder, new, path);
  if (isReadOnly(target) || fails(target)) return -1;
  return REAL(renameat)(old_folder, old, new_folder, new);
}

int renameat2(int old_folder, const char *old, int new_folder, const char *new,
              unsigned int flags) {
  char path[PATH_MAX];
  const char *target = absolute(new_folder, new, path);
  if (isReadOnly(target) || fails(target)) return -1;
  return REAL(renameat2)(old_folder, old, new_folder, new, flags);
}

int unlinkat(int folder, const char *name, int flags) {
  char path[PATH_MAX];
  if (isReadOnly(absolute(folder, name, path))) return -1;
  return REAL(unlinkat)(folder, name, flags);
}

int mkdirat(int folder, const char *name, mode_t mode) {
  struct stat status;
  char path[PATH_MAX];
  const char *target = absolute(folder, name, path);
  if (stat(target, &status) != 0 && isReadOnly(target)) return -1;
  return REAL(mkdirat)(folder, name, mode);
}

int mkdir(const char *path, mode_t mode) {
  struct stat status;
  if (stat(path, &status) != 0 && isReadOnly(path)) return -1;
  return REAL(mkdir)(path, mode);
}

int access(const char *path, int mode) {
  if ((mode & W_OK) && isReadOnly(path)) return -1;
  return REAL(access)(path, mode);
}

static int refusesOpening(const char *path, int flags) {
  struct stat status;
  if ((flags & O_ACCMODE) == O_RDONLY && (!(flags & O_CREAT) || stat(path, &status) == 0)) return 0;
  return isReadOnly(path);
}

int open(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  if (refusesOpening(path, flags)) return -1;
  return REAL(open)(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  if (refusesOpening(path, flags)) return -1;
  return REAL(open64)(path, flags, mode);
}
