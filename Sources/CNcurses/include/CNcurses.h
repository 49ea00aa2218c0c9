// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "guard.h"
#include "terminfo.h"
