// SPDX-License-Identifier: GPL-3.0-or-later
// A program that never outlives this one.
#pragma once
#include <sys/types.h>

/// Starts a program with `socket` as its descriptor 3, `output` and `errors` as its standard output and standard error, and
/// no other descriptor of ours.
///
/// It is killed when the thread that called this ends, however that ends. With -1 for `socket` it gets none; with -1 for
/// `output` or `errors` what it writes there goes nowhere.
/// It is a process group of its own. Returns its id, or the negative error number; a program that cannot be executed
/// exits with 127.
pid_t child_start(const char *path, char *const arguments[], char *const environment[], int socket, int output,
                  int errors);
