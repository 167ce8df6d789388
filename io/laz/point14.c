/* SPDX-License-Identifier: BSD-3-Clause
 *
 * point14.c: the layer of channel, returns, x and y, which every point has.
 *
 *     changes   7 bits in one symbol: channel | source | time | angle | number of returns | number of the return
 *                                     1         1        1      1       1                   2: same, next, before, other
 *     channel   how many further, if it changed
 *     returns   as far as the changes do not tell
 *     x, y      difference from the channel's last point, predicted by a median of differences
 */
#include "laz/layers.h"

#include "common/assert.h"

enum {
    CHANGE_RETURN = 3,
    CHANGE_RETURNS = 4,
    CHANGE_ANGLE = 8,
    CHANGE_TIME = 16,
    CHANGE_SOURCE = 32,
    CHANGE_CHANNEL = 64
};

/* Contexts by number of returns (row) and number of the return. Invalid combinations have one, too. */
static const char contexts[16][17] = {"0123453445555555", "1013333333333333", "2124444444433333", "3345444444444444",
                                      "4344544444444444", "5344454444444444", "3344445444444444", "4344444544444444",
                                      "4344444454444444", "5344444445444444", "5344444444544444", "5334444444455444",
                                      "5334444444455544", "5334444444445554", "5334444444444555", "5334444444444455"};

/* --- state ------------------------------------------------------------------------------------ */

static void set_up(clump_io_laz_point14_channel *c)
{
    c->new_time = false;
    c->ready = 0;
    for (size_t i = 0; i < 8; i++) clump_io_laz_model_begin(CLUMP_IO_LAZ_PARTS(&c->changes[i]), 128);
    clump_io_laz_model_begin(CLUMP_IO_LAZ_PARTS(&c->channel), 3);
    clump_io_laz_model_begin(CLUMP_IO_LAZ_PARTS(&c->same_pulse), 13);
    memset(c->x_steps, 0, sizeof c->x_steps);
    memset(c->y_steps, 0, sizeof c->y_steps);
    clump_io_laz_integer_begin(&c->dx, 32);
    clump_io_laz_integer_begin(&c->dy, 32);
}

static void remember(clump_io_laz_point14_channel *c, const unsigned char *record)
{
    memcpy(&c->x, record + CLUMP_IO_LAZ_AT_X, 4);
    memcpy(&c->y, record + CLUMP_IO_LAZ_AT_Y, 4);
    c->returns = record[CLUMP_IO_LAZ_AT_RETURNS];
    memcpy(&c->angle, record + CLUMP_IO_LAZ_AT_ANGLE, 2);
    memcpy(&c->source, record + CLUMP_IO_LAZ_AT_SOURCE, 2);
    memcpy(&c->time, record + CLUMP_IO_LAZ_AT_TIME, 8);
}

void clump_io_laz_point14_begin(clump_io_laz_point14 *layer, const unsigned char *first)
{
    layer->channel = clump_io_laz_channel_of(first);
    layer->used = 1u << layer->channel;
    set_up(&layer->channels[layer->channel]);
    remember(&layer->channels[layer->channel], first);
}

/* Enters a channel. A new one begins with the last point of the channel before. */
static clump_io_laz_point14_channel *enter(clump_io_laz_point14 *layer, unsigned channel)
{
    CLUMP_ASSERT(channel < 4);
    clump_io_laz_point14_channel *c = &layer->channels[channel];
    if (!(layer->used >> channel & 1u)) {
        const clump_io_laz_point14_channel *from = &layer->channels[layer->channel];
        set_up(c);
        c->x = from->x, c->y = from->y, c->returns = from->returns;
        c->source = from->source, c->angle = from->angle, c->time = from->time;
        layer->used |= 1u << channel;
    }
    layer->channel = channel;
    return c;
}

/* The context of the changes: the last point's place among the returns, and whether its time was new. */
static inline unsigned changes_context(const clump_io_laz_point14_channel *c)
{
    const unsigned number = c->returns & 15u, count = c->returns >> 4;
    return (number == 1) + (number >= count ? 2u : 0u) + (c->new_time ? 4u : 0u);
}

static void set_up_returns(clump_io_laz_point14_channel *c, unsigned number, unsigned count)
{
    if (!(c->ready >> count & 1u)) clump_io_laz_model_begin(CLUMP_IO_LAZ_PARTS(&c->counts[count]), 16);
    if (!(c->ready >> (16 + number) & 1u)) clump_io_laz_model_begin(CLUMP_IO_LAZ_PARTS(&c->numbers[number]), 16);
    c->ready |= 1u << count | 1u << (16 + number);
}

static inline uint32_t even(uint32_t width, uint32_t most)
{
    return width < most ? width & ~1u : most;
}

static inline uint32_t y_context(const clump_io_laz_point14_channel *c, unsigned count)
{
    return (count == 1) + even(c->dx.width, 20);
}

/* Makes the mark of a point whose x and y are coded already. */
static inline clump_io_laz_mark mark_of(const clump_io_laz_point14_channel *c, unsigned channel, unsigned changes,
                                        unsigned number, unsigned count)
{
    const unsigned apart = number < count ? count - number : number - count, level = apart < 7 ? apart : 7;
    const unsigned place = (number == 1 ? 2u : 0u) + (number >= count);
    const unsigned z = (count == 1) + even((c->dx.width + c->dy.width) / 2, 18);
    const unsigned news = (changes & CHANGE_TIME ? CLUMP_IO_LAZ_NEW_TIME : 0u) |
                          (changes & CHANGE_SOURCE ? CLUMP_IO_LAZ_NEW_SOURCE : 0u) |
                          (changes & CHANGE_ANGLE ? CLUMP_IO_LAZ_NEW_ANGLE : 0u);
    return (clump_io_laz_mark)(channel | news | place << 5 | level << 7 | z << 10);
}

/* --- decoding --------------------------------------------------------------------------------- */

/* Returns the returns' byte of a point. */
CLUMP_IO_LAZ_INLINE unsigned decode_returns(clump_io_laz_point14_channel *c, clump_io_laz_decoder *d, unsigned changes)
{
    const unsigned last_number = c->returns & 15u, last_count = c->returns >> 4;
    unsigned number = last_number, count = last_count;
    if (!(changes & (CHANGE_RETURNS | CHANGE_RETURN))) return c->returns;
    set_up_returns(c, last_number, last_count);
    if (changes & CHANGE_RETURNS) count = clump_io_laz_decode(d, CLUMP_IO_LAZ_PARTS(&c->counts[last_count]));
    const unsigned change = changes & CHANGE_RETURN;
    if (change == 1) number = last_number + 1;
    if (change == 2) number = last_number + 15;
    if (change == 3 && changes & CHANGE_TIME)
        number = clump_io_laz_decode(d, CLUMP_IO_LAZ_PARTS(&c->numbers[last_number]));
    else if (change == 3)
        number = last_number + 2 + clump_io_laz_decode(d, CLUMP_IO_LAZ_PARTS(&c->same_pulse));
    return count << 4 | (number & 15u);
}

void clump_io_laz_point14_decode(clump_io_laz_point14 *layer, clump_io_laz_decoder *decoder,
                                 const clump_io_laz_span *span)
{
    clump_io_laz_decoder d = *decoder;
    clump_io_laz_point14_channel *c = &layer->channels[layer->channel];
    unsigned char *record = span->records;
    for (size_t i = 0; i < span->count; i++, record += span->record) {
        const unsigned changes = clump_io_laz_decode(&d, CLUMP_IO_LAZ_PARTS(&c->changes[changes_context(c)]));
        if (changes & CHANGE_CHANNEL) {
            const unsigned further = clump_io_laz_decode(&d, CLUMP_IO_LAZ_PARTS(&c->channel)) + 1;
            c = enter(layer, (layer->channel + further) & 3u);
        }
        const unsigned returns = decode_returns(c, &d, changes), number = returns & 15u, count = returns >> 4;
        const unsigned new_time = changes & CHANGE_TIME ? 1 : 0;
        const unsigned steps = (unsigned)(contexts[count][number] - '0') << 1 | new_time;
        clump_io_laz_median *const xs = &c->x_steps[steps], *const ys = &c->y_steps[steps];

        const int32_t dx = clump_io_laz_decode_integer(&d, &c->dx, xs->values[2], count == 1);
        clump_io_laz_median_add(xs, dx);
        c->x = (int32_t)((uint32_t)c->x + (uint32_t)dx);
        const int32_t dy = clump_io_laz_decode_integer(&d, &c->dy, ys->values[2], y_context(c, count));
        clump_io_laz_median_add(ys, dy);
        c->y = (int32_t)((uint32_t)c->y + (uint32_t)dy);

        c->returns = (uint8_t)returns;
        c->new_time = new_time;
        span->marks[i] = mark_of(c, layer->channel, changes, number, count);
        memcpy(record + CLUMP_IO_LAZ_AT_X, &c->x, 4);
        memcpy(record + CLUMP_IO_LAZ_AT_Y, &c->y, 4);
        record[CLUMP_IO_LAZ_AT_RETURNS] = (uint8_t)returns;
        record[CLUMP_IO_LAZ_AT_FLAGS] = (uint8_t)((record[CLUMP_IO_LAZ_AT_FLAGS] & 0xcfu) | layer->channel << 4);
    }
    *decoder = d;
}

/* --- encoding --------------------------------------------------------------------------------- */

/* Returns the symbol of the changes, but for the channel. c is the point's channel, or the one before if that is new. */
static inline unsigned compare(const clump_io_laz_point14_channel *c, const unsigned char *record)
{
    uint16_t source, angle;
    uint64_t time;
    memcpy(&angle, record + CLUMP_IO_LAZ_AT_ANGLE, 2);
    memcpy(&source, record + CLUMP_IO_LAZ_AT_SOURCE, 2);
    memcpy(&time, record + CLUMP_IO_LAZ_AT_TIME, 8);
    const unsigned returns = record[CLUMP_IO_LAZ_AT_RETURNS], further = (returns - c->returns) & 15u;
    return (source != c->source ? CHANGE_SOURCE : 0u) | (time != c->time ? CHANGE_TIME : 0u) |
           (angle != c->angle ? CHANGE_ANGLE : 0u) | (returns >> 4 != c->returns >> 4 ? CHANGE_RETURNS : 0u) |
           (further == 0    ? 0u
            : further == 1  ? 1u
            : further == 15 ? 2u
                            : 3u);
}

CLUMP_IO_LAZ_INLINE void encode_returns(clump_io_laz_point14_channel *c, clump_io_laz_encoder *e, unsigned changes,
                                        unsigned returns)
{
    const unsigned last_number = c->returns & 15u, last_count = c->returns >> 4, number = returns & 15u;
    if (!(changes & (CHANGE_RETURNS | CHANGE_RETURN))) return;
    set_up_returns(c, last_number, last_count);
    if (changes & CHANGE_RETURNS) clump_io_laz_encode(e, CLUMP_IO_LAZ_PARTS(&c->counts[last_count]), returns >> 4);
    if ((changes & CHANGE_RETURN) != 3) return;
    if (changes & CHANGE_TIME)
        clump_io_laz_encode(e, CLUMP_IO_LAZ_PARTS(&c->numbers[last_number]), number);
    else
        clump_io_laz_encode(e, CLUMP_IO_LAZ_PARTS(&c->same_pulse), ((number - last_number) & 15u) - 2);
}

void clump_io_laz_point14_encode(clump_io_laz_point14 *layer, clump_io_laz_encoder *encoder,
                                 const clump_io_laz_span *span)
{
    clump_io_laz_encoder e = *encoder;
    clump_io_laz_point14_channel *c = &layer->channels[layer->channel];
    const unsigned char *record = span->records;
    for (size_t i = 0; i < span->count; i++, record += span->record) {
        const unsigned before = layer->channel, channel = clump_io_laz_channel_of(record);
        clump_io_laz_point14_channel *const last = c;
        c = channel == before ? c : enter(layer, channel);
        const unsigned changes = compare(c, record) | (channel != before ? CHANGE_CHANNEL : 0u);
        clump_io_laz_encode(&e, CLUMP_IO_LAZ_PARTS(&last->changes[changes_context(last)]), changes);
        if (changes & CHANGE_CHANNEL)
            clump_io_laz_encode(&e, CLUMP_IO_LAZ_PARTS(&last->channel), ((channel - before) & 3u) - 1);
        const unsigned returns = record[CLUMP_IO_LAZ_AT_RETURNS], number = returns & 15u, count = returns >> 4;
        encode_returns(c, &e, changes, returns);
        const unsigned new_time = changes & CHANGE_TIME ? 1 : 0;
        const unsigned steps = (unsigned)(contexts[count][number] - '0') << 1 | new_time;
        clump_io_laz_median *const xs = &c->x_steps[steps], *const ys = &c->y_steps[steps];

        int32_t x, y;
        memcpy(&x, record + CLUMP_IO_LAZ_AT_X, 4);
        memcpy(&y, record + CLUMP_IO_LAZ_AT_Y, 4);
        const int32_t dx = (int32_t)((uint32_t)x - (uint32_t)c->x), dy = (int32_t)((uint32_t)y - (uint32_t)c->y);
        clump_io_laz_encode_integer(&e, &c->dx, xs->values[2], dx, count == 1);
        clump_io_laz_median_add(xs, dx);
        clump_io_laz_encode_integer(&e, &c->dy, ys->values[2], dy, y_context(c, count));
        clump_io_laz_median_add(ys, dy);

        remember(c, record);
        c->new_time = new_time;
        span->marks[i] = mark_of(c, channel, changes, number, count);
    }
    *encoder = e;
}
