// SPDX-License-Identifier: GPL-3.0-or-later
// alsa-lib, and what Swift cannot do with it.
#pragma once
#include <alsa/asoundlib.h>

// A macro that Swift does not import.
static const int tilawa_SND_PCM_NONBLOCK = SND_PCM_NONBLOCK;

/// Has alsa-lib print nothing from now on. It has one handler of messages for the whole process, so it does not matter
/// who calls this, or how often. Returns a negative error number where it failed.
int tilawa_catch_alsa_messages(void);

/// The first message of this thread since it was emptied, in 256 bytes that belong to the thread; the messages after it
/// only tell what that one led to.
char *tilawa_alsa_message(void);
