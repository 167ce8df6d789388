/* SPDX-License-Identifier: BSD-3-Clause
 *
 * number14.c: the layers of z, intensity, scan angle and point source: a number per point.
 *
 *              predicted from                                         coded
 *     z          the last point of the channel on the same level      always
 *     intensity  the last one with the same place and novelty of time always
 *     angle      the last one                                         if it differs
 *     source     the last one                                         if it differs
 */
#include "laz/layers.h"

#include "common/assert.h"

static const struct {
    unsigned char at, size, bits;
} fields[] = {[CLUMP_IO_LAZ_NUMBER_Z] = {CLUMP_IO_LAZ_AT_Z, 4, 32},
              [CLUMP_IO_LAZ_NUMBER_INTENSITY] = {CLUMP_IO_LAZ_AT_INTENSITY, 2, 16},
              [CLUMP_IO_LAZ_NUMBER_ANGLE] = {CLUMP_IO_LAZ_AT_ANGLE, 2, 16},
              [CLUMP_IO_LAZ_NUMBER_SOURCE] = {CLUMP_IO_LAZ_AT_SOURCE, 2, 16}};

CLUMP_IO_LAZ_INLINE int32_t get_number(const unsigned char *record, clump_io_laz_number_kind kind)
{
    int32_t wide;
    uint16_t narrow;
    memcpy(&wide, record + CLUMP_IO_LAZ_AT_Z, 4);
    if (kind == CLUMP_IO_LAZ_NUMBER_Z) return wide;
    memcpy(&narrow, record + fields[kind].at, 2);
    return narrow;
}

/* What a point is predicted from, and with which model. */
typedef struct forecast {
    int32_t *from; /* and replaced by the point's number */
    uint32_t context;
} forecast;

CLUMP_IO_LAZ_INLINE forecast forecast_of(clump_io_laz_numbers *layer, clump_io_laz_number_kind kind,
                                         clump_io_laz_mark mark)
{
    const unsigned channel = layer->channel, time = clump_io_laz_mark_time(mark), place = clump_io_laz_mark_place(mark);
    switch (kind) {
    case CLUMP_IO_LAZ_NUMBER_Z:
        return (forecast){&layer->expected[channel][clump_io_laz_mark_level(mark)], clump_io_laz_mark_z(mark)};
    case CLUMP_IO_LAZ_NUMBER_INTENSITY:
        return (forecast){&layer->expected[channel][place << 1 | time], place};
    case CLUMP_IO_LAZ_NUMBER_ANGLE:
        return (forecast){&layer->last[channel], time};
    case CLUMP_IO_LAZ_NUMBER_SOURCE:
        break;
    }
    return (forecast){&layer->last[channel], 0};
}

static void set_up(clump_io_laz_numbers *layer, unsigned channel, int32_t last)
{
    CLUMP_ASSERT(channel < 4);
    layer->last[channel] = last;
    for (size_t i = 0; i < 8; i++) layer->expected[channel][i] = last;
    clump_io_laz_integer_begin(&layer->coder[channel], fields[layer->kind].bits);
    layer->used |= 1u << channel;
}

void clump_io_laz_numbers_begin(clump_io_laz_numbers *layer, clump_io_laz_number_kind kind, const unsigned char *first)
{
    layer->kind = kind;
    layer->channel = clump_io_laz_channel_of(first);
    layer->used = 0;
    set_up(layer, layer->channel, get_number(first, kind));
}

static void enter(clump_io_laz_numbers *layer, unsigned channel)
{
    CLUMP_ASSERT(channel < 4);
    if (!(layer->used >> channel & 1u)) set_up(layer, channel, layer->last[layer->channel]);
    layer->channel = channel;
}

/* Whether the layer has the number of a point with this mark. */
CLUMP_IO_LAZ_INLINE bool is_coded(clump_io_laz_number_kind kind, clump_io_laz_mark mark)
{
    if (kind == CLUMP_IO_LAZ_NUMBER_ANGLE) return mark & CLUMP_IO_LAZ_NEW_ANGLE;
    if (kind == CLUMP_IO_LAZ_NUMBER_SOURCE) return mark & CLUMP_IO_LAZ_NEW_SOURCE;
    return true;
}

CLUMP_IO_LAZ_INLINE void decode(clump_io_laz_numbers *layer, clump_io_laz_number_kind kind,
                                clump_io_laz_decoder *decoder, const clump_io_laz_span *span)
{
    clump_io_laz_decoder d = *decoder;
    unsigned char *record = span->records;
    for (size_t i = 0; i < span->count; i++, record += span->record) {
        const clump_io_laz_mark mark = span->marks[i];
        const unsigned channel = clump_io_laz_mark_channel(mark);
        if (__builtin_expect(channel != layer->channel, 0)) enter(layer, channel);
        int32_t *const last = &layer->last[channel];
        if (is_coded(kind, mark)) {
            const forecast f = forecast_of(layer, kind, mark);
            *last = clump_io_laz_decode_integer(&d, &layer->coder[channel], *f.from, f.context);
            if (kind != CLUMP_IO_LAZ_NUMBER_Z) *last &= 0xffff; /* damaged bytes can give more */
            *f.from = *last;
        }
        memcpy(record + fields[kind].at, last, kind == CLUMP_IO_LAZ_NUMBER_Z ? 4 : 2);
    }
    *decoder = d;
}

CLUMP_IO_LAZ_INLINE void encode(clump_io_laz_numbers *layer, clump_io_laz_number_kind kind,
                                clump_io_laz_encoder *encoder, const clump_io_laz_span *span)
{
    clump_io_laz_encoder e = *encoder;
    const unsigned char *record = span->records;
    for (size_t i = 0; i < span->count; i++, record += span->record) {
        const clump_io_laz_mark mark = span->marks[i];
        const unsigned channel = clump_io_laz_mark_channel(mark);
        if (__builtin_expect(channel != layer->channel, 0)) enter(layer, channel);
        if (!is_coded(kind, mark)) continue;
        const forecast f = forecast_of(layer, kind, mark);
        const int32_t number = get_number(record, kind);
        clump_io_laz_encode_integer(&e, &layer->coder[channel], *f.from, number, f.context);
        *f.from = layer->last[channel] = number;
    }
    *encoder = e;
}

/* Each case is a loop of its own, for one kind. */
#define FOR_EACH_KIND(work, coder)                                                                                     \
    switch (layer->kind) {                                                                                             \
    case CLUMP_IO_LAZ_NUMBER_Z:                                                                                        \
        work(layer, CLUMP_IO_LAZ_NUMBER_Z, coder, span);                                                               \
        break;                                                                                                         \
    case CLUMP_IO_LAZ_NUMBER_INTENSITY:                                                                                \
        work(layer, CLUMP_IO_LAZ_NUMBER_INTENSITY, coder, span);                                                       \
        break;                                                                                                         \
    case CLUMP_IO_LAZ_NUMBER_ANGLE:                                                                                    \
        work(layer, CLUMP_IO_LAZ_NUMBER_ANGLE, coder, span);                                                           \
        break;                                                                                                         \
    case CLUMP_IO_LAZ_NUMBER_SOURCE:                                                                                   \
        work(layer, CLUMP_IO_LAZ_NUMBER_SOURCE, coder, span);                                                          \
        break;                                                                                                         \
    }

void clump_io_laz_numbers_decode(clump_io_laz_numbers *layer, clump_io_laz_decoder *decoder,
                                 const clump_io_laz_span *span)
{
    FOR_EACH_KIND(decode, decoder)
}

void clump_io_laz_numbers_encode(clump_io_laz_numbers *layer, clump_io_laz_encoder *encoder,
                                 const clump_io_laz_span *span)
{
    FOR_EACH_KIND(encode, encoder)
}
