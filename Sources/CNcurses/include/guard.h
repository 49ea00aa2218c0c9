// SPDX-License-Identifier: GPL-3.0-or-later
// What has to happen to a terminal inside signal handlers, where Swift may not run.
#pragma once
#include <stdbool.h>
#include <stddef.h>

/// What happened since it was last asked.
enum guard_event {
  guard_woken = 1,
  guard_resized = 2,
  guard_continued = 4,
  guard_interrupted = 8,   // SIGINT
  guard_quit = 16,         // SIGQUIT
  guard_terminated = 32,   // SIGTERM
  guard_hung_up = 64,      // SIGHUP
};

/// Keeps what is typed from now on for `guard_start`: the terminal neither shows it nor waits for whole lines.
/// Output and the keys for signals work as before; the signals end the process with the terminal restored. Does
/// nothing when the terminal is held or guarded already; ends with `guard_stop`.
///
/// 0, or the error number, with the name of the call in `*call`.
int guard_hold(int input, int output, const char **call);

/// Makes the terminal raw, writes `enter`, and sees to it that `leave` is written and the modes are
/// restored on every way out: `exit`, a second SIGINT, SIGQUIT or SIGTERM, SIGTSTP, and every signal that
/// a fault raises. SIGCONT makes the terminal raw again, and so does a SIGTSTP that stops nothing. After a first SIGHUP further ones do nothing.
///
/// 0, or the error number, with the name of the call in `*call`. EBUSY while another is guarded.
int guard_start(int input, int output, const char *enter, size_t enter_count, const char *leave,
                size_t leave_count, const char **call);

/// Puts other bytes in the place of `enter`, for when the terminal is taken again.
void guard_set_enter(const char *enter, size_t enter_count);

/// Puts other bytes in the place of `leave`; false, and nothing changed, where there is no memory for them.
bool guard_set_leave(const char *leave, size_t leave_count);

/// Restores the terminal and the signals; does nothing when nothing is guarded.
void guard_stop(void);

/// Readable when `guard_take` has something; the same for the life of the process. -1 before the
/// first start.
int guard_descriptor(void);

/// Returns what happened since the last call, as bits of `guard_event`, and forgets it.
int guard_take(void);

/// Makes the descriptor readable and `guard_take` say `guard_woken`; from any thread.
void guard_wake(void);

/// Stops the process group as Ctrl-Z would, and returns when it goes on: at once in a group that nobody could continue,
/// which the system does not stop.
void guard_suspend(void);
