// SPDX-License-Identifier: GPL-3.0-or-later
// A checksum on every page of a database, kept and compared below SQLite.
//
// The last 8 bytes of each page, which SQLite reserves (byte 20 of the header is 8), hold the checksum of the others. That
// is the format of SQLite's own "Checksum VFS Shim" (https://www.sqlite.org/cksumvfs.html), which Debian's library lacks.
// SQLite writes pages to the log first, whose frames have checksums of SQLite's; a page gets its own on the way from there
// to the database.
#pragma once
#include <sqlite3.h>
#include <stdint.h>

enum { checksum_bytes = 8, checksum_longest_list = 64 };

/// Makes the shim what SQLite opens databases with, from now on, in this process; any number of times. Databases without
/// reserved bytes are read and written as ever. SQLite's result code.
int checksums_install(void);

/// What becomes of a page that does not match.
enum checksum_policy {
  /// Reading it fails with SQLITE_IOERR_DATA.
  checksum_fail = 1,
  /// It is read as it is, and noted in the list.
  checksum_note = 2,
};

/// Tells a connection's main database that its pages have checksums, whatever its header says.
int checksums_require(sqlite3 *connection, enum checksum_policy policy);

/// The pages that did not match, noted in the order in which they were read.
struct checksum_faults {
  int64_t count;
  /// From 1; as many as there are, or as fit.
  uint32_t pages[checksum_longest_list];
};

/// Gets the faults that a connection has noted.
int checksums_faults(sqlite3 *connection, struct checksum_faults *faults);

/// How many bytes of each page the main database reserves, once something was read; -1 when that cannot be told.
int checksums_reserved_bytes(sqlite3 *connection);

/// Asks for reserved bytes in a database that is still empty, or in the copies that VACUUM INTO makes.
int checksums_reserve_bytes(sqlite3 *connection);

/// Settings that SQLite takes by a call with variable arguments: the schema, which comes with the file and may come from
/// anybody, gets no functions but harmless ones, and no SQL may change it behind SQLite's back. With `keeps_log`
/// closing the connection does not move the log's content into the database.
int store_harden(sqlite3 *connection, int keeps_log);

/// Lets a VACUUM repeat a schema that calls `json_valid`: it takes SQLite's own functions before ours, and checks nothing.
int store_trust_schema(sqlite3 *connection, int trusts);
