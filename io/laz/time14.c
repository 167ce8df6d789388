/* SPDX-License-Identifier: BSD-3-Clause
 *
 * time14.c: the layer of GPS times, for points whose time differs from that of the channel's last point.
 *
 * The bits of a double are taken as an integer. Pulses have nearly constant steps of it: a step is coded as a multiple of
 * the sequence's step, and the difference from that multiple. Where the difference from the last time is 2^31 or more,
 * the time belongs to another of four sequences, or begins a new one.
 *
 *     symbol   where the sequence's step is 0          else
 *              0      a step                           0 to 500    times the step, 0 and 500: or anything
 *              1      a new sequence                   501 to 510  times -1 to -10, -10: or anything
 *              2 3 4  the sequence 1 2 3 further       511         a new sequence
 *                                                      512 to 514  the sequence 1 2 3 further
 */
#include "laz/layers.h"

#include "common/assert.h"

enum { TIME_MOST = 500, TIME_LEAST = -10, TIME_NEW = TIME_MOST - TIME_LEAST + 1, TIME_SYMBOLS = TIME_NEW + 4 };

/* Contexts of the integer codec. */
enum {
    TIME_FIRST,    /* a step of a sequence without one */
    TIME_ONCE,     /* once the step */
    TIME_FEW,      /* 2 to 9 times */
    TIME_MANY,     /* 10 to 499 times */
    TIME_BEYOND,   /* 500 times or more */
    TIME_BACK,     /* -1 to -9 times */
    TIME_FAR_BACK, /* -10 times or less */
    TIME_ZERO,     /* nearly 0 times */
    TIME_UPPER     /* the upper half of a new sequence's time */
};

#define TIME_MISSES 3 /* in a row; then the sequence takes the new step */

/* --- state ------------------------------------------------------------------------------------ */

static void set_up(clump_io_laz_times *layer, unsigned channel, uint64_t last)
{
    CLUMP_ASSERT(channel < 4);
    clump_io_laz_times_channel *c = &layer->channels[channel];
    c->now = c->newest = 0;
    memset(c->time, 0, sizeof c->time);
    memset(c->step, 0, sizeof c->step);
    memset(c->misses, 0, sizeof c->misses);
    c->time[0] = last;
    clump_io_laz_model_begin(CLUMP_IO_LAZ_PARTS(&c->plain), 5);
    clump_io_laz_model_begin(CLUMP_IO_LAZ_PARTS(&c->multiple), TIME_SYMBOLS);
    clump_io_laz_integer_begin(&c->coder, 32);
    layer->used |= 1u << channel;
}

void clump_io_laz_times_begin(clump_io_laz_times *layer, const unsigned char *first)
{
    uint64_t time;
    memcpy(&time, first + CLUMP_IO_LAZ_AT_TIME, 8);
    layer->channel = clump_io_laz_channel_of(first);
    layer->used = 0;
    set_up(layer, layer->channel, time);
}

/* The time of a channel's last point is that of its current sequence. */
static void enter(clump_io_laz_times *layer, unsigned channel)
{
    CLUMP_ASSERT(channel < 4);
    const clump_io_laz_times_channel *from = &layer->channels[layer->channel];
    if (!(layer->used >> channel & 1u)) set_up(layer, channel, from->time[from->now]);
    layer->channel = channel;
}

static inline int32_t times(int32_t factor, int32_t step)
{
    return (int32_t)((uint32_t)factor * (uint32_t)step);
}

static inline void step_by(clump_io_laz_times_channel *c, int32_t step)
{
    c->time[c->now] += (uint64_t)(int64_t)step;
}

/* Counts a step that is no near multiple. */
static inline void miss(clump_io_laz_times_channel *c, int32_t step)
{
    if (++c->misses[c->now] <= TIME_MISSES) return;
    c->step[c->now] = step;
    c->misses[c->now] = 0;
}

/* Context and factor of a symbol 0 to 510. */
static inline unsigned context_of(unsigned symbol, int32_t *factor)
{
    CLUMP_ASSERT(symbol <= 510);
    *factor = symbol <= TIME_MOST ? (int32_t)symbol : TIME_MOST - (int32_t)symbol;
    if (symbol == 0) return TIME_ZERO;
    if (symbol == 1) return TIME_ONCE;
    if (symbol < 10) return TIME_FEW;
    if (symbol < TIME_MOST) return TIME_MANY;
    if (symbol == TIME_MOST) return TIME_BEYOND;
    return *factor > TIME_LEAST ? TIME_BACK : TIME_FAR_BACK;
}

/* What follows a step with this context: the first and the last case keep the step, others count a miss. */
static inline void learn(clump_io_laz_times_channel *c, unsigned context, int32_t step)
{
    if (context == TIME_ONCE) c->misses[c->now] = 0;
    if (context == TIME_ZERO || context == TIME_BEYOND || context == TIME_FAR_BACK) miss(c, step);
}

static void begin_sequence(clump_io_laz_times_channel *c, uint64_t time)
{
    c->now = c->newest = (c->newest + 1) & 3u;
    c->time[c->now] = time;
    c->step[c->now] = 0;
    c->misses[c->now] = 0;
}

/* --- decoding --------------------------------------------------------------------------------- */

static inline void decode_new(clump_io_laz_times_channel *c, clump_io_laz_decoder *d)
{
    const int32_t expected = (int32_t)(uint32_t)(c->time[c->now] >> 32);
    const uint64_t upper = (uint32_t)clump_io_laz_decode_integer(d, &c->coder, expected, TIME_UPPER);
    begin_sequence(c, upper << 32 | clump_io_laz_read_u32(d));
}

/* Decodes one time. False: it changes the sequence more than once, which no encoder does. */
CLUMP_IO_LAZ_INLINE bool decode_time(clump_io_laz_times_channel *c, clump_io_laz_decoder *d)
{
    for (unsigned tries = 0; tries < 2; tries++) {
        const int32_t usual = c->step[c->now];
        unsigned further; /* sequences to go on; 0: begin a new one */
        if (usual == 0) {
            const unsigned symbol = clump_io_laz_decode(d, CLUMP_IO_LAZ_PARTS(&c->plain));
            if (symbol == 0) {
                const int32_t step = clump_io_laz_decode_integer(d, &c->coder, 0, TIME_FIRST);
                c->step[c->now] = step;
                c->misses[c->now] = 0;
                step_by(c, step);
                return true;
            }
            further = symbol - 1;
        } else {
            const unsigned symbol = clump_io_laz_decode_again(d, CLUMP_IO_LAZ_PARTS(&c->multiple), 1);
            if (symbol < TIME_NEW) {
                int32_t factor;
                const unsigned context = context_of(symbol, &factor);
                const int32_t step = clump_io_laz_decode_integer(d, &c->coder, times(factor, usual), context);
                learn(c, context, step);
                step_by(c, step);
                return true;
            }
            further = symbol - TIME_NEW;
        }
        if (further == 0) {
            decode_new(c, d);
            return true;
        }
        c->now = (c->now + further) & 3u;
    }
    return false;
}

bool clump_io_laz_times_decode(clump_io_laz_times *layer, clump_io_laz_decoder *decoder, const clump_io_laz_span *span)
{
    clump_io_laz_decoder d = *decoder;
    unsigned char *record = span->records;
    bool sound = true;
    for (size_t i = 0; i < span->count && sound; i++, record += span->record) {
        const unsigned channel = clump_io_laz_mark_channel(span->marks[i]);
        if (__builtin_expect(channel != layer->channel, 0)) enter(layer, channel);
        clump_io_laz_times_channel *const c = &layer->channels[channel];
        if (span->marks[i] & CLUMP_IO_LAZ_NEW_TIME) sound = decode_time(c, &d);
        memcpy(record + CLUMP_IO_LAZ_AT_TIME, &c->time[c->now], 8);
    }
    *decoder = d;
    return sound;
}

/* --- encoding --------------------------------------------------------------------------------- */

/* Returns whether the time is less than 2^31 from that of a sequence. */
static inline bool is_near(const clump_io_laz_times_channel *c, unsigned sequence, uint64_t time, int32_t *step)
{
    const uint64_t apart = time - c->time[sequence];
    *step = (int32_t)(uint32_t)apart;
    return (uint64_t)(int64_t)*step == apart;
}

/* The symbol of a step: the nearest multiple of the usual one. */
static inline unsigned symbol_of(int32_t step, int32_t usual)
{
    const float ratio = (float)step / (float)usual;
    if (ratio >= TIME_MOST) return TIME_MOST;
    if (ratio <= TIME_LEAST) return TIME_MOST - TIME_LEAST;
    const int32_t nearest = (int32_t)(ratio >= 0 ? ratio + 0.5F : ratio - 0.5F);
    return (unsigned)(nearest >= 0 ? nearest : TIME_MOST - nearest);
}

CLUMP_IO_LAZ_INLINE void encode_step(clump_io_laz_times_channel *c, clump_io_laz_encoder *e, int32_t step)
{
    const int32_t usual = c->step[c->now];
    if (usual == 0) {
        clump_io_laz_encode(e, CLUMP_IO_LAZ_PARTS(&c->plain), 0);
        clump_io_laz_encode_integer(e, &c->coder, 0, step, TIME_FIRST);
        c->step[c->now] = step;
        c->misses[c->now] = 0;
        return;
    }
    int32_t factor;
    const unsigned symbol = symbol_of(step, usual), context = context_of(symbol, &factor);
    clump_io_laz_encode(e, CLUMP_IO_LAZ_PARTS(&c->multiple), symbol);
    clump_io_laz_encode_integer(e, &c->coder, times(factor, usual), step, context);
    learn(c, context, step);
}

/* Says that the time is in a sequence further on, or in a new one for 0. */
static void encode_further(clump_io_laz_times_channel *c, clump_io_laz_encoder *e, unsigned further)
{
    if (c->step[c->now] == 0)
        clump_io_laz_encode(e, CLUMP_IO_LAZ_PARTS(&c->plain), further + 1);
    else
        clump_io_laz_encode(e, CLUMP_IO_LAZ_PARTS(&c->multiple), TIME_NEW + further);
}

CLUMP_IO_LAZ_INLINE void encode_time(clump_io_laz_times_channel *c, clump_io_laz_encoder *e, uint64_t time)
{
    int32_t step;
    unsigned further = 0;
    while (further < 4 && !is_near(c, (c->now + further) & 3u, time, &step)) further++;
    if (further == 4) {
        encode_further(c, e, 0);
        const int32_t expected = (int32_t)(uint32_t)(c->time[c->now] >> 32);
        clump_io_laz_encode_integer(e, &c->coder, expected, (int32_t)(uint32_t)(time >> 32), TIME_UPPER);
        clump_io_laz_write_u32(e, (uint32_t)time);
        begin_sequence(c, time);
        return;
    }
    if (further) encode_further(c, e, further);
    c->now = (c->now + further) & 3u;
    encode_step(c, e, step);
    c->time[c->now] = time;
}

void clump_io_laz_times_encode(clump_io_laz_times *layer, clump_io_laz_encoder *encoder, const clump_io_laz_span *span)
{
    clump_io_laz_encoder e = *encoder;
    const unsigned char *record = span->records;
    for (size_t i = 0; i < span->count; i++, record += span->record) {
        const unsigned channel = clump_io_laz_mark_channel(span->marks[i]);
        if (__builtin_expect(channel != layer->channel, 0)) enter(layer, channel);
        if (!(span->marks[i] & CLUMP_IO_LAZ_NEW_TIME)) continue;
        uint64_t time;
        memcpy(&time, record + CLUMP_IO_LAZ_AT_TIME, 8);
        encode_time(&layer->channels[channel], &e, time);
    }
    *encoder = e;
}
