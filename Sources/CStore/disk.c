// SPDX-License-Identifier: GPL-3.0-or-later

#include "disk.h"

#include <sys/vfs.h>

long disk_type(const char *path) {
  struct statfs disk;
  return statfs(path, &disk) == 0 ? (long)(unsigned int)disk.f_type : -1;
}
