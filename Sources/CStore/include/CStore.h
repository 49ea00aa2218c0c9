// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "beneath.h"
#include "checksums.h"
#include "disk.h"
