// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <libavutil/display.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>

// Macros that Swift does not import.
static const int tilawa_SWS_AREA = SWS_AREA;
static const int tilawa_SWS_BILINEAR = SWS_BILINEAR;
