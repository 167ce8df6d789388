/* SPDX-License-Identifier: BSD-3-Clause
 *
 * byte14.c: the layer of an extra byte: the difference from the channel's last one.
 */
#include "laz/layers.h"

#include "common/assert.h"

void clump_io_laz_byte14_begin(clump_io_laz_byte14 *layer, const unsigned char *first, size_t at, unsigned version)
{
    const unsigned channel = clump_io_laz_channel_of(first);
    layer->follower = clump_io_laz_follower_of(first, version);
    layer->at = at;
    layer->last[channel] = first[at];
    clump_io_laz_model_begin(CLUMP_IO_LAZ_PARTS(&layer->models[channel]), 256);
}

/* Enters the channel of a point; returns the last byte to predict from and to replace. */
CLUMP_IO_LAZ_INLINE uint8_t *enter(clump_io_laz_byte14 *layer, unsigned channel)
{
    CLUMP_ASSERT(channel < 4);
    unsigned from;
    bool is_new;
    const unsigned owner = clump_io_laz_follow(&layer->follower, channel, &from, &is_new);
    if (__builtin_expect(is_new, 0)) {
        clump_io_laz_model_begin(CLUMP_IO_LAZ_PARTS(&layer->models[owner]), 256);
        layer->last[owner] = layer->last[from];
    }
    return &layer->last[owner];
}

void clump_io_laz_byte14_decode(clump_io_laz_byte14 *layer, clump_io_laz_decoder *decoder,
                                const clump_io_laz_span *span)
{
    clump_io_laz_decoder d = *decoder;
    unsigned char *byte = span->records + layer->at;
    for (size_t i = 0; i < span->count; i++, byte += span->record) {
        uint8_t *const last = enter(layer, clump_io_laz_mark_channel(span->marks[i]));
        clump_io_laz_model256 *const model = &layer->models[layer->follower.context];
        *last = (uint8_t)(*last + clump_io_laz_decode_again(&d, CLUMP_IO_LAZ_PARTS(model), 0));
        *byte = *last;
    }
    *decoder = d;
}

void clump_io_laz_byte14_encode(clump_io_laz_byte14 *layer, clump_io_laz_encoder *encoder,
                                const clump_io_laz_span *span)
{
    clump_io_laz_encoder e = *encoder;
    const unsigned char *byte = span->records + layer->at;
    for (size_t i = 0; i < span->count; i++, byte += span->record) {
        uint8_t *const last = enter(layer, clump_io_laz_mark_channel(span->marks[i]));
        clump_io_laz_model256 *const model = &layer->models[layer->follower.context];
        clump_io_laz_encode(&e, CLUMP_IO_LAZ_PARTS(model), (uint8_t)(*byte - *last));
        *last = *byte;
    }
    *encoder = e;
}
