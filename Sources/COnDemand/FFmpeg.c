// SPDX-License-Identifier: GPL-3.0-or-later
// The functions of FFmpeg that are called, but for those of libavutil, which is linked: it loads fast, and hashes need
// it.
#include "OnDemand.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>

#define LIBRARY "libavcodec.so." AV_STRINGIFY(LIBAVCODEC_VERSION_MAJOR)
ON_DEMAND(int, av_get_exact_bits_per_sample, (enum AVCodecID codec_id), (codec_id))
ON_DEMAND(int, av_new_packet, (AVPacket *pkt, int size), (pkt, size))
ON_DEMAND(AVPacket *, av_packet_alloc, (void), ())
ON_DEMAND(AVPacket *, av_packet_clone, (const AVPacket *src), (src))
ON_DEMAND(void, av_packet_free, (AVPacket **pkt), (pkt))
ON_DEMAND(uint8_t *, av_packet_get_side_data, (const AVPacket *pkt, enum AVPacketSideDataType type, size_t *size),
    (pkt, type, size))
ON_DEMAND(void, av_packet_move_ref, (AVPacket *dst, AVPacket *src), (dst, src))
ON_DEMAND(uint8_t *, av_packet_new_side_data, (AVPacket *pkt, enum AVPacketSideDataType type, size_t size),
    (pkt, type, size))
ON_DEMAND(int, av_packet_ref, (AVPacket *dst, const AVPacket *src), (dst, src))
ON_DEMAND(void, av_packet_rescale_ts, (AVPacket *pkt, AVRational tb_src, AVRational tb_dst), (pkt, tb_src, tb_dst))
ON_DEMAND(void, av_packet_unref, (AVPacket *pkt), (pkt))
ON_DEMAND(void, av_parser_close, (AVCodecParserContext *s), (s))
ON_DEMAND(AVCodecParserContext *, av_parser_init, (int codec_id), (codec_id))
ON_DEMAND(int, av_parser_parse2, (AVCodecParserContext *s, AVCodecContext *avctx, uint8_t **poutbuf, int *poutbuf_size,
    const uint8_t *buf, int buf_size, int64_t pts, int64_t dts, int64_t pos),
    (s, avctx, poutbuf, poutbuf_size, buf, buf_size, pts, dts, pos))
ON_DEMAND(AVCodecContext *, avcodec_alloc_context3, (const AVCodec *codec), (codec))
ON_DEMAND(const AVCodecDescriptor *, avcodec_descriptor_get, (enum AVCodecID id), (id))
ON_DEMAND(const AVCodecDescriptor *, avcodec_descriptor_get_by_name, (const char *name), (name))
ON_DEMAND(const AVCodec *, avcodec_find_decoder, (enum AVCodecID id), (id))
ON_DEMAND(const AVCodec *, avcodec_find_decoder_by_name, (const char *name), (name))
ON_DEMAND(const AVCodec *, avcodec_find_encoder_by_name, (const char *name), (name))
ON_DEMAND(void, avcodec_flush_buffers, (AVCodecContext *avctx), (avctx))
ON_DEMAND(void, avcodec_free_context, (AVCodecContext **avctx), (avctx))
ON_DEMAND(const char *, avcodec_get_name, (enum AVCodecID id), (id))
ON_DEMAND(int, avcodec_open2, (AVCodecContext *avctx, const AVCodec *codec, AVDictionary **options),
    (avctx, codec, options))
ON_DEMAND(AVCodecParameters *, avcodec_parameters_alloc, (void), ())
ON_DEMAND(int, avcodec_parameters_copy, (AVCodecParameters *dst, const AVCodecParameters *src), (dst, src))
ON_DEMAND(void, avcodec_parameters_free, (AVCodecParameters **par), (par))
ON_DEMAND(int, avcodec_parameters_from_context, (AVCodecParameters *par, const AVCodecContext *codec), (par, codec))
ON_DEMAND(int, avcodec_parameters_to_context, (AVCodecContext *codec, const AVCodecParameters *par), (codec, par))
ON_DEMAND(int, avcodec_receive_frame, (AVCodecContext *avctx, AVFrame *frame), (avctx, frame))
ON_DEMAND(int, avcodec_receive_packet, (AVCodecContext *avctx, AVPacket *avpkt), (avctx, avpkt))
ON_DEMAND(int, avcodec_send_frame, (AVCodecContext *avctx, const AVFrame *frame), (avctx, frame))
ON_DEMAND(int, avcodec_send_packet, (AVCodecContext *avctx, const AVPacket *avpkt), (avctx, avpkt))

#undef LIBRARY
#define LIBRARY "libavformat.so." AV_STRINGIFY(LIBAVFORMAT_VERSION_MAJOR)
ON_DEMAND(const AVOutputFormat *, av_guess_format, (const char *short_name, const char *filename,
    const char *mime_type), (short_name, filename, mime_type))
ON_DEMAND(AVRational, av_guess_frame_rate, (AVFormatContext *ctx, AVStream *stream, AVFrame *frame),
    (ctx, stream, frame))
ON_DEMAND(AVRational, av_guess_sample_aspect_ratio, (AVFormatContext *format, AVStream *stream, AVFrame *frame),
    (format, stream, frame))
ON_DEMAND(int, av_index_search_timestamp, (AVStream *st, int64_t timestamp, int flags), (st, timestamp, flags))
ON_DEMAND(int, av_interleaved_write_frame, (AVFormatContext *s, AVPacket *pkt), (s, pkt))
ON_DEMAND(const AVInputFormat *, av_probe_input_format3, (const AVProbeData *pd, int is_opened, int *score_ret),
    (pd, is_opened, score_ret))
ON_DEMAND(int, av_read_frame, (AVFormatContext *s, AVPacket *pkt), (s, pkt))
ON_DEMAND(int, av_seek_frame, (AVFormatContext *s, int stream_index, int64_t timestamp, int flags),
    (s, stream_index, timestamp, flags))
ON_DEMAND(uint8_t *, av_stream_get_side_data, (const AVStream *stream, enum AVPacketSideDataType type, size_t *size),
    (stream, type, size))
ON_DEMAND(uint8_t *, av_stream_new_side_data, (AVStream *stream, enum AVPacketSideDataType type, size_t size),
    (stream, type, size))
ON_DEMAND(int, av_write_trailer, (AVFormatContext *s), (s))
ON_DEMAND(AVFormatContext *, avformat_alloc_context, (void), ())
ON_DEMAND(int, avformat_alloc_output_context2, (AVFormatContext **ctx, const AVOutputFormat *oformat,
    const char *format_name, const char *filename), (ctx, oformat, format_name, filename))
ON_DEMAND(void, avformat_close_input, (AVFormatContext **s), (s))
ON_DEMAND(int, avformat_find_stream_info, (AVFormatContext *ic, AVDictionary **options), (ic, options))
ON_DEMAND(void, avformat_free_context, (AVFormatContext *s), (s))
ON_DEMAND(int, avformat_index_get_entries_count, (const AVStream *st), (st))
ON_DEMAND(const AVIndexEntry *, avformat_index_get_entry, (AVStream *st, int idx), (st, idx))
ON_DEMAND(AVStream *, avformat_new_stream, (AVFormatContext *s, const AVCodec *c), (s, c))
ON_DEMAND(int, avformat_open_input, (AVFormatContext **ps, const char *url, const AVInputFormat *fmt,
    AVDictionary **options), (ps, url, fmt, options))
ON_DEMAND(int, avformat_query_codec, (const AVOutputFormat *ofmt, enum AVCodecID codec_id, int std_compliance),
    (ofmt, codec_id, std_compliance))
ON_DEMAND(int, avformat_seek_file, (AVFormatContext *s, int stream_index, int64_t min_ts, int64_t ts, int64_t max_ts,
    int flags), (s, stream_index, min_ts, ts, max_ts, flags))
ON_DEMAND(int, avformat_write_header, (AVFormatContext *s, AVDictionary **options), (s, options))
ON_DEMAND(AVIOContext *, avio_alloc_context, (unsigned char *buffer, int buffer_size, int write_flag, void *opaque,
    int (*read_packet)(void *, uint8_t *, int), int (*write_packet)(void *, uint8_t *, int),
    int64_t (*seek)(void *, int64_t, int)),
    (buffer, buffer_size, write_flag, opaque, read_packet, write_packet, seek))
ON_DEMAND(int, avio_closep, (AVIOContext **s), (s))
ON_DEMAND(void, avio_context_free, (AVIOContext **s), (s))
ON_DEMAND(void, avio_flush, (AVIOContext *s), (s))
ON_DEMAND(int, avio_open, (AVIOContext **s, const char *url, int flags), (s, url, flags))

#undef LIBRARY
#define LIBRARY "libswresample.so." AV_STRINGIFY(LIBSWRESAMPLE_VERSION_MAJOR)
ON_DEMAND(int, swr_alloc_set_opts2, (struct SwrContext **ps, AVChannelLayout *out_ch_layout,
    enum AVSampleFormat out_sample_fmt, int out_sample_rate, AVChannelLayout *in_ch_layout,
    enum AVSampleFormat in_sample_fmt, int in_sample_rate, int log_offset, void *log_ctx),
    (ps, out_ch_layout, out_sample_fmt, out_sample_rate, in_ch_layout, in_sample_fmt, in_sample_rate, log_offset,
        log_ctx))
ON_DEMAND(int, swr_convert, (struct SwrContext *s, uint8_t **out, int out_count, const uint8_t **in, int in_count),
    (s, out, out_count, in, in_count))
ON_DEMAND(void, swr_free, (struct SwrContext **s), (s))
ON_DEMAND(int, swr_get_out_samples, (struct SwrContext *s, int in_samples), (s, in_samples))
ON_DEMAND(int, swr_init, (struct SwrContext *s), (s))

#undef LIBRARY
#define LIBRARY "libswscale.so." AV_STRINGIFY(LIBSWSCALE_VERSION_MAJOR)
ON_DEMAND(void, sws_freeContext, (struct SwsContext *swsContext), (swsContext))
ON_DEMAND(struct SwsContext *, sws_getCachedContext, (struct SwsContext *context, int srcW, int srcH,
    enum AVPixelFormat srcFormat, int dstW, int dstH, enum AVPixelFormat dstFormat, int flags, SwsFilter *srcFilter,
    SwsFilter *dstFilter, const double *param),
    (context, srcW, srcH, srcFormat, dstW, dstH, dstFormat, flags, srcFilter, dstFilter, param))
ON_DEMAND(const int *, sws_getCoefficients, (int colorspace), (colorspace))
ON_DEMAND(int, sws_scale, (struct SwsContext *c, const uint8_t *const *srcSlice, const int *srcStride, int srcSliceY,
    int srcSliceH, uint8_t *const *dst, const int *dstStride),
    (c, srcSlice, srcStride, srcSliceY, srcSliceH, dst, dstStride))
ON_DEMAND(int, sws_setColorspaceDetails, (struct SwsContext *c, const int *inv_table, int srcRange, const int *table,
    int dstRange, int brightness, int contrast, int saturation),
    (c, inv_table, srcRange, table, dstRange, brightness, contrast, saturation))
