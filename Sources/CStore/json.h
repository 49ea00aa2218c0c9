// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <sqlite3.h>

/// Gives a connection a `json_valid` that its schema may call although the schema is not trusted.
///
/// SQLite 3.38 to 3.40 mark their own as unsafe by mistake, and it stands in the CHECKs of every library.
int json_valid_install(sqlite3 *connection);
