// SPDX-License-Identifier: GPL-3.0-or-later

#define _GNU_SOURCE
#include "beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

const int beneath_path = O_PATH;

/// The kernel gives up on ".." while somebody renames folders; it says EAGAIN and may be asked again.
static const int patience = 16;

int beneath_open(int folder, const char *path, int flags, mode_t mode) {
  struct open_how how = {
    .flags = (uint64_t)(flags | O_CLOEXEC),
    .mode = flags & O_CREAT ? mode : 0,
    .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS,
  };
  for (int round = 0; round < patience; round++) {
    long descriptor = syscall(SYS_openat2, folder, path, &how, sizeof how);
    if (descriptor >= 0) return (int)descriptor;
    if (errno == ENOSYS || errno == EPERM) return beneath_walk(folder, path, flags, mode);
    if (errno != EAGAIN && errno != EINTR) return -1;
  }
  return -1;
}

static int is_link(int folder, const char *name) {
  struct stat status;
  return fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(status.st_mode);
}

int beneath_walk(int folder, const char *path, int flags, mode_t mode) {
  if (path[0] == '/') {
    errno = EXDEV;
    return -1;
  }
  int here = fcntl(folder, F_DUPFD_CLOEXEC, 0);
  while (here >= 0) {
    size_t length = strcspn(path, "/");
    char name[NAME_MAX + 1];
    int code = length == 0 ? ENOENT : length > NAME_MAX ? ENAMETOOLONG : 0;
    if (code == 0) {
      memcpy(name, path, length);
      name[length] = '\0';
      if (strcmp(name, "..") == 0) code = EXDEV;
    }
    if (code != 0) {
      close(here);
      errno = code;
      return -1;
    }
    path += length;
    while (*path == '/') path++;
    int is_last = *path == '\0';
    int next = is_last ? openat(here, name, flags | O_NOFOLLOW | O_CLOEXEC, mode)
                       : openat(here, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    int kept = errno == ELOOP || (errno == ENOTDIR && is_link(here, name)) ? EXDEV : errno;
    close(here);
    errno = kept;
    if (is_last) return next;
    here = next;
  }
  return -1;
}

int beneath_rename_new(int old_folder, const char *old_name, int new_folder,
                       const char *new_name) {
  if (renameat2(old_folder, old_name, new_folder, new_name, RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return -1;
  if (linkat(old_folder, old_name, new_folder, new_name, 0) != 0) return -1;
  return unlinkat(old_folder, old_name, 0);
}
