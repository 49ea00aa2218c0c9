// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <errno.h>
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/channel_layout.h>
#include <libavutil/dict.h>
#include <libavutil/error.h>
#include <libavutil/intreadwrite.h>
#include <libavutil/log.h>
#include <libavutil/murmur3.h>
#include <libavutil/opt.h>
#include <libavutil/samplefmt.h>
#include <libavutil/sha.h>
#include <libswresample/swresample.h>

// Macros that Swift does not import.
static const int tilawa_AVERROR_EOF = AVERROR_EOF;
static const int tilawa_AVERROR_EAGAIN = AVERROR(EAGAIN);
static const int tilawa_AVERROR_EXIT = AVERROR_EXIT;
static const int tilawa_AVERROR_INVALIDDATA = AVERROR_INVALIDDATA;
static const int tilawa_AVERROR_PATCHWELCOME = AVERROR_PATCHWELCOME;
static const int64_t tilawa_AV_NOPTS_VALUE = AV_NOPTS_VALUE;
static const int tilawa_AVERROR_ENOMEM = AVERROR(ENOMEM);
static const int tilawa_AVERROR_EIO = AVERROR(EIO);
static const int tilawa_AVERROR_EPERM = AVERROR(EPERM);
static const int tilawa_AVERROR_EINVAL = AVERROR(EINVAL);
