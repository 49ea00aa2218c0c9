// SPDX-License-Identifier: GPL-3.0-or-later
// Opening files beneath a folder, whatever their paths and the symbolic links in them say.
#pragma once
#include <sys/types.h>

/// Opens `path` beneath the folder that `folder` is open on. Neither "..", nor an absolute path, nor a symbolic
/// link leads out of it; nothing leads through /proc.
///
/// The corresponding call is `openat2` with RESOLVE_BENEATH and RESOLVE_NO_MAGICLINKS (Linux 5.6); an older
/// kernel, or a sandbox that does not know the call, gets a walk that follows no symbolic link at all.
///
/// A descriptor, or -1 with `errno`: EXDEV where the path leads out, and from the walk for any link.
int beneath_open(int folder, const char *path, int flags, mode_t mode);

/// The walk alone, for tests.
int beneath_walk(int folder, const char *path, int flags, mode_t mode);

/// O_PATH, which Swift does not see.
extern const int beneath_path;

/// `renameat2` with RENAME_NOREPLACE; where the file system cannot do that, a hard link and `unlinkat`. 0, or -1 with
/// `errno`: EEXIST where there is such a file already.
int beneath_rename_new(int old_folder, const char *old_name, int new_folder, const char *new_name);
