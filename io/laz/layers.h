/* SPDX-License-Identifier: BSD-3-Clause
 *
 * layers.h: the layers of points of formats 6 to 8, one struct per kind of layer. layered.c divides a chunk into them.
 *
 *     point14.c     channel, returns, x and y; makes a mark per point, which the other layers read
 *     number14.c    z, intensity, scan angle, point source
 *     symbol14.c    classification, flags, user data
 *     time14.c      GPS time
 *     colour14.c    red green blue, infrared
 *     byte14.c      an extra byte
 *
 * A scanner has up to four channels. Every layer predicts a value from the last point of the same channel, with models of
 * the channel. A channel that has no point yet begins with the values of the last point of any channel. Colours and extra bytes
 * deviate from that, see clump_io_laz_follower.
 *
 * A layer is first given the first point of the chunk (begin), then all other points in order, in one or more spans.
 */
#ifndef CLUMP_IO_LAZ_LAYERS_H
#define CLUMP_IO_LAZ_LAYERS_H

#include "laz/integer.h"
#include "laz/median.h"

#define CLUMP_IO_LAZ_CHANNELS 4

/* What the other layers need to know of a point.
 *
 *     bit  0 channel   2 time   3 source   4 angle   5 place of the return   7 level    10 context of z
 *          2 bits      the field differs from        2 bits                  3 bits     5 bits
 *                      the channel's last point
 */
typedef uint16_t clump_io_laz_mark;
enum { CLUMP_IO_LAZ_NEW_TIME = 4, CLUMP_IO_LAZ_NEW_SOURCE = 8, CLUMP_IO_LAZ_NEW_ANGLE = 16 };

static inline unsigned clump_io_laz_mark_channel(clump_io_laz_mark mark)
{
    return mark & 3u;
}
static inline unsigned clump_io_laz_mark_time(clump_io_laz_mark mark)
{
    return mark >> 2 & 1u;
}
/* 3: the only return of its pulse, 2: the first, 1: the last, 0: between. */
static inline unsigned clump_io_laz_mark_place(clump_io_laz_mark mark)
{
    return mark >> 5 & 3u;
}
static inline unsigned clump_io_laz_mark_level(clump_io_laz_mark mark)
{
    return mark >> 7 & 7u;
}
static inline unsigned clump_io_laz_mark_z(clump_io_laz_mark mark)
{
    return mark >> 10;
}

/* Points of a chunk, without its first. */
typedef struct clump_io_laz_span {
    unsigned char *records; /* a decoder writes its field, an encoder reads it */
    size_t record;          /* bytes of a point */
    clump_io_laz_mark *marks;
    size_t count;
} clump_io_laz_span;

/* Offsets in a record. */
enum {
    CLUMP_IO_LAZ_AT_X = 0,
    CLUMP_IO_LAZ_AT_Y = 4,
    CLUMP_IO_LAZ_AT_Z = 8,
    CLUMP_IO_LAZ_AT_INTENSITY = 12,
    CLUMP_IO_LAZ_AT_RETURNS = 14, /* 4 bits number of the return, 4 bits number of returns */
    CLUMP_IO_LAZ_AT_FLAGS = 15,   /* 4 flags of the class, 2 bits channel, direction, edge */
    CLUMP_IO_LAZ_AT_CLASS = 16,
    CLUMP_IO_LAZ_AT_USER = 17,
    CLUMP_IO_LAZ_AT_ANGLE = 18,
    CLUMP_IO_LAZ_AT_SOURCE = 20,
    CLUMP_IO_LAZ_AT_TIME = 22,
    CLUMP_IO_LAZ_AT_RGB = 30,
    CLUMP_IO_LAZ_AT_NIR = 36
};

static inline unsigned clump_io_laz_channel_of(const unsigned char *record)
{
    return record[CLUMP_IO_LAZ_AT_FLAGS] >> 4 & 3u;
}

/* --- channel, returns, x and y ---------------------------------------------------------------- */

typedef struct clump_io_laz_point14_channel {
    int32_t x, y;           /* of the last point, as all below */
    uint8_t returns;        /* the byte of the record */
    bool new_time;          /* its time differed from that of the point before */
    uint16_t source, angle; /* only to encode */
    uint64_t time;          /* only to encode */
    uint32_t ready;         /* bit n: counts[n] is set up; bit 16 + n: numbers[n] */
    CLUMP_IO_LAZ_MODEL(128) changes[8];
    CLUMP_IO_LAZ_MODEL(3) channel;
    CLUMP_IO_LAZ_MODEL(16) counts[16], numbers[16];
    CLUMP_IO_LAZ_MODEL(13) same_pulse;
    clump_io_laz_median x_steps[12], y_steps[12];
    clump_io_laz_integer dx, dy;
} clump_io_laz_point14_channel;

typedef struct clump_io_laz_point14 {
    unsigned channel, used; /* used: bit per channel */
    clump_io_laz_point14_channel channels[CLUMP_IO_LAZ_CHANNELS];
} clump_io_laz_point14;

void clump_io_laz_point14_begin(clump_io_laz_point14 *layer, const unsigned char *first);
/* Both write the marks. */
void clump_io_laz_point14_decode(clump_io_laz_point14 *layer, clump_io_laz_decoder *decoder,
                                 const clump_io_laz_span *span);
void clump_io_laz_point14_encode(clump_io_laz_point14 *layer, clump_io_laz_encoder *encoder,
                                 const clump_io_laz_span *span);

/* --- numbers ---------------------------------------------------------------------------------- */

typedef enum clump_io_laz_number_kind {
    CLUMP_IO_LAZ_NUMBER_Z,
    CLUMP_IO_LAZ_NUMBER_INTENSITY,
    CLUMP_IO_LAZ_NUMBER_ANGLE,
    CLUMP_IO_LAZ_NUMBER_SOURCE
} clump_io_laz_number_kind;

typedef struct clump_io_laz_numbers {
    clump_io_laz_number_kind kind;
    unsigned channel, used;
    int32_t last[CLUMP_IO_LAZ_CHANNELS];
    int32_t expected[CLUMP_IO_LAZ_CHANNELS][8]; /* z, intensity: by level, or by place and time */
    clump_io_laz_integer coder[CLUMP_IO_LAZ_CHANNELS];
} clump_io_laz_numbers;

void clump_io_laz_numbers_begin(clump_io_laz_numbers *layer, clump_io_laz_number_kind kind, const unsigned char *first);
void clump_io_laz_numbers_decode(clump_io_laz_numbers *layer, clump_io_laz_decoder *decoder,
                                 const clump_io_laz_span *span);
void clump_io_laz_numbers_encode(clump_io_laz_numbers *layer, clump_io_laz_encoder *encoder,
                                 const clump_io_laz_span *span);

/* --- symbols ---------------------------------------------------------------------------------- */

typedef enum clump_io_laz_symbol_kind {
    CLUMP_IO_LAZ_SYMBOL_CLASS,
    CLUMP_IO_LAZ_SYMBOL_FLAGS,
    CLUMP_IO_LAZ_SYMBOL_USER
} clump_io_laz_symbol_kind;

typedef struct clump_io_laz_symbols {
    clump_io_laz_symbol_kind kind;
    unsigned channel, used;
    uint8_t last[CLUMP_IO_LAZ_CHANNELS];
    uint64_t ready[CLUMP_IO_LAZ_CHANNELS]; /* bit per model that is set up */
    clump_io_laz_model256 models[CLUMP_IO_LAZ_CHANNELS][64];
} clump_io_laz_symbols;

void clump_io_laz_symbols_begin(clump_io_laz_symbols *layer, clump_io_laz_symbol_kind kind, const unsigned char *first);
void clump_io_laz_symbols_decode(clump_io_laz_symbols *layer, clump_io_laz_decoder *decoder,
                                 const clump_io_laz_span *span);
void clump_io_laz_symbols_encode(clump_io_laz_symbols *layer, clump_io_laz_encoder *encoder,
                                 const clump_io_laz_span *span);

/* --- GPS time --------------------------------------------------------------------------------- */

/* Up to four sequences of times, with their steps: flight lines that alternate in the file. */
typedef struct clump_io_laz_times_channel {
    unsigned now, newest;
    uint64_t time[4]; /* the bits of a double, as an integer */
    int32_t step[4];
    unsigned misses[4];               /* steps in a row that were no multiple of `step` */
    CLUMP_IO_LAZ_MODEL(5) plain;      /* where step is 0 */
    CLUMP_IO_LAZ_MODEL(515) multiple; /* where it is not */
    clump_io_laz_integer coder;
} clump_io_laz_times_channel;

typedef struct clump_io_laz_times {
    unsigned channel, used;
    clump_io_laz_times_channel channels[CLUMP_IO_LAZ_CHANNELS];
} clump_io_laz_times;

void clump_io_laz_times_begin(clump_io_laz_times *layer, const unsigned char *first);
/* False: the layer makes no sense. */
bool clump_io_laz_times_decode(clump_io_laz_times *layer, clump_io_laz_decoder *decoder, const clump_io_laz_span *span);
void clump_io_laz_times_encode(clump_io_laz_times *layer, clump_io_laz_encoder *encoder, const clump_io_laz_span *span);

/* --- colours and extra bytes ------------------------------------------------------------------ */

/* Which models and which last value a point of these layers uses: those of its context, one context per channel.
 *
 * Items of version 4: the context is the channel. Items of version 3 have two mistakes of LASzip. All files have them, so
 * they belong to the format:
 *   1. The context is the channel only where the channel differs from that of the point before. Else it is 0.
 *   2. The first point after a change to a context that was used before is predicted from the last value of the context
 *      before the change, and replaces that value.
 */
typedef struct clump_io_laz_follower {
    unsigned channel; /* of the last point */
    unsigned context; /* of the last point */
    unsigned used;    /* bit per context */
    unsigned version;
} clump_io_laz_follower;

static inline clump_io_laz_follower clump_io_laz_follower_of(const unsigned char *first, unsigned version)
{
    const unsigned channel = clump_io_laz_channel_of(first);
    return (clump_io_laz_follower){channel, channel, 1u << channel, version};
}

/* Enters the channel of the next point. Returns the context whose last value is used and replaced; f->context has the
 * models. *from: the context before. *is_new: the caller copies the last value of *from to the new context. */
static inline unsigned clump_io_laz_follow(clump_io_laz_follower *f, unsigned channel, unsigned *from, bool *is_new)
{
    const unsigned context = f->version == 3 && channel == f->channel ? 0 : channel;
    *from = f->context;
    f->channel = channel;
    f->context = context;
    *is_new = !(f->used >> context & 1u);
    f->used |= 1u << context;
    return *is_new || f->version != 3 ? context : *from;
}

typedef struct clump_io_laz_colours {
    clump_io_laz_follower follower;
    uint16_t last[CLUMP_IO_LAZ_CHANNELS][3];
    CLUMP_IO_LAZ_MODEL(128) changes[CLUMP_IO_LAZ_CHANNELS];
    clump_io_laz_model256 bytes[CLUMP_IO_LAZ_CHANNELS][6];
} clump_io_laz_colours;

void clump_io_laz_rgb_begin(clump_io_laz_colours *layer, const unsigned char *first, unsigned version);
void clump_io_laz_rgb_decode(clump_io_laz_colours *layer, clump_io_laz_decoder *decoder, const clump_io_laz_span *span);
void clump_io_laz_rgb_encode(clump_io_laz_colours *layer, clump_io_laz_encoder *encoder, const clump_io_laz_span *span);

void clump_io_laz_nir_begin(clump_io_laz_colours *layer, const unsigned char *first, unsigned version);
void clump_io_laz_nir_decode(clump_io_laz_colours *layer, clump_io_laz_decoder *decoder, const clump_io_laz_span *span);
void clump_io_laz_nir_encode(clump_io_laz_colours *layer, clump_io_laz_encoder *encoder, const clump_io_laz_span *span);

typedef struct clump_io_laz_byte14 {
    clump_io_laz_follower follower;
    size_t at; /* offset in the record */
    uint8_t last[CLUMP_IO_LAZ_CHANNELS];
    clump_io_laz_model256 models[CLUMP_IO_LAZ_CHANNELS];
} clump_io_laz_byte14;

void clump_io_laz_byte14_begin(clump_io_laz_byte14 *layer, const unsigned char *first, size_t at, unsigned version);
void clump_io_laz_byte14_decode(clump_io_laz_byte14 *layer, clump_io_laz_decoder *decoder,
                                const clump_io_laz_span *span);
void clump_io_laz_byte14_encode(clump_io_laz_byte14 *layer, clump_io_laz_encoder *encoder,
                                const clump_io_laz_span *span);

#endif
