// SPDX-License-Identifier: GPL-3.0-or-later
// The terminfo calls of ncurses, whose header is made of macros and variadic functions.
#pragma once
#include <stdbool.h>

/// Loads a terminal type's description: 1 found, 0 no such type, -1 no database (`setupterm`).
int terminfo_load(const char *type, int descriptor);

/// A string capability as it stands in the description; NULL when the terminal lacks it (`tigetstr`).
const char *terminfo_string(const char *name);

/// A string capability for one parameter, NULL when the terminal lacks it; valid until the next call
/// (`tiparm`).
const char *terminfo_string_for(const char *name, int parameter);

/// A numeric capability; -1 when the terminal lacks it (`tigetnum`).
int terminfo_number(const char *name);

/// A boolean capability (`tigetflag`).
bool terminfo_flag(const char *name);
