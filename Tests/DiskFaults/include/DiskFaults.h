// SPDX-License-Identifier: GPL-3.0-or-later

// Loaded by LD_PRELOAD; it has no functions of its own to call.
