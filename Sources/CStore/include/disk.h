// SPDX-License-Identifier: GPL-3.0-or-later
// What kind of disk a file lies on.
#pragma once

/// The number of its file system, as `statfs(2)` lists them; -1 where that cannot be told.
long disk_type(const char *path);
