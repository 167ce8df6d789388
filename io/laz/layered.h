/* SPDX-License-Identifier: BSD-3-Clause
 *
 * layered.h: a chunk of points of formats 6 to 8. Each part of a point is a layer with a coder of its own.
 *
 *     first point | u32 points | u32 bytes of each layer | channel, returns, x, y | z | class | ... | extra byte ...
 *     as it is      of the chunk
 *
 * A layer of 0 bytes: all points have the value of the first.
 */
#ifndef CLUMP_IO_LAZ_LAYERED_H
#define CLUMP_IO_LAZ_LAYERED_H

#include "laz/codec.h"
#include "laz/layers.h"

#define CLUMP_IO_LAZ_LAYERED_BLOCK 2048 /* points; measured: 512 and 8192 are slower */

enum {
    CLUMP_IO_LAZ_LAYER_XY,
    CLUMP_IO_LAZ_LAYER_Z,
    CLUMP_IO_LAZ_LAYER_CLASS,
    CLUMP_IO_LAZ_LAYER_FLAGS,
    CLUMP_IO_LAZ_LAYER_INTENSITY,
    CLUMP_IO_LAZ_LAYER_ANGLE,
    CLUMP_IO_LAZ_LAYER_USER,
    CLUMP_IO_LAZ_LAYER_SOURCE,
    CLUMP_IO_LAZ_LAYER_TIME,
    CLUMP_IO_LAZ_LAYER_RGB,
    CLUMP_IO_LAZ_LAYER_NIR,
    CLUMP_IO_LAZ_LAYER_COUNT /* extra bytes are apart */
};

/* Where a layer's field is in a record, and in which formats. The channel is in the layer of x and y. */
typedef struct clump_io_laz_field14 {
    unsigned char at, size, mask, first_format, part;
} clump_io_laz_field14;
extern const clump_io_laz_field14 clump_io_laz_fields[CLUMP_IO_LAZ_LAYER_COUNT];

typedef struct clump_io_laz_extra_layer {
    clump_io_laz_byte14 byte;
    clump_io_laz_decoder decoder;
} clump_io_laz_extra_layer;

/* The memory of a thread. */
typedef struct clump_io_laz_chunk14 {
    clump_io_laz_point14 xy;
    clump_io_laz_numbers z, intensity, angle, source;
    clump_io_laz_symbols classes, flags, user;
    clump_io_laz_times times;
    clump_io_laz_colours rgb, nir;
    clump_io_laz_decoder decoders[CLUMP_IO_LAZ_LAYER_COUNT];
    uint32_t active; /* bit per layer that is decoded */
    clump_io_laz_mark marks[CLUMP_IO_LAZ_LAYERED_BLOCK];
    clump_io_laz_extra_layer extra[];
} clump_io_laz_chunk14;

static inline bool clump_io_laz_has_layer(const clump_io_laz_layout *layout, unsigned layer)
{
    return layout->format >= clump_io_laz_fields[layer].first_format;
}

/* Layers of a chunk, with those of extra bytes. */
size_t clump_io_laz_layer_count(const clump_io_laz_layout *layout);

/* Bytes of a chunk in front of its first layer. */
size_t clump_io_laz_layered_head(const clump_io_laz_layout *layout);

/* Sets up a layer for a chunk. */
void clump_io_laz_begin_layer(clump_io_laz_chunk14 *l, unsigned layer, const unsigned char *first, unsigned version);

/* The functions of the codec. */
clump_io_laz_end clump_io_laz_layered_decode(void *memory, const clump_io_laz_layout *layout,
                                             const unsigned char *bytes, size_t size, size_t count, unsigned wanted,
                                             unsigned char *records, size_t *done);
clump_io_laz_end clump_io_laz_layered_encode(void *memory, const clump_io_laz_layout *layout,
                                             const unsigned char *records, size_t count, clump_io_laz_bytes *out);

#endif
