/* SPDX-License-Identifier: BSD-3-Clause
 *
 * layered.c: the layers of points of formats 6 to 8, and the codec of their chunks.
 */
#include "laz/layered.h"

const clump_io_laz_field14 clump_io_laz_fields[CLUMP_IO_LAZ_LAYER_COUNT] = {
    [CLUMP_IO_LAZ_LAYER_XY] = {CLUMP_IO_LAZ_AT_X, 8, 0xff, 6, CLUMP_IO_LAZ_ALL},
    [CLUMP_IO_LAZ_LAYER_Z] = {CLUMP_IO_LAZ_AT_Z, 4, 0xff, 6, CLUMP_IO_LAZ_ALL},
    [CLUMP_IO_LAZ_LAYER_CLASS] = {CLUMP_IO_LAZ_AT_CLASS, 1, 0xff, 6, CLUMP_IO_LAZ_CLASSES},
    [CLUMP_IO_LAZ_LAYER_FLAGS] = {CLUMP_IO_LAZ_AT_FLAGS, 1, 0xcf, 6, CLUMP_IO_LAZ_CLASSES},
    [CLUMP_IO_LAZ_LAYER_INTENSITY] = {CLUMP_IO_LAZ_AT_INTENSITY, 2, 0xff, 6, CLUMP_IO_LAZ_OTHERS},
    [CLUMP_IO_LAZ_LAYER_ANGLE] = {CLUMP_IO_LAZ_AT_ANGLE, 2, 0xff, 6, CLUMP_IO_LAZ_OTHERS},
    [CLUMP_IO_LAZ_LAYER_USER] = {CLUMP_IO_LAZ_AT_USER, 1, 0xff, 6, CLUMP_IO_LAZ_OTHERS},
    [CLUMP_IO_LAZ_LAYER_SOURCE] = {CLUMP_IO_LAZ_AT_SOURCE, 2, 0xff, 6, CLUMP_IO_LAZ_OTHERS},
    [CLUMP_IO_LAZ_LAYER_TIME] = {CLUMP_IO_LAZ_AT_TIME, 8, 0xff, 6, CLUMP_IO_LAZ_OTHERS},
    [CLUMP_IO_LAZ_LAYER_RGB] = {CLUMP_IO_LAZ_AT_RGB, 6, 0xff, 7, CLUMP_IO_LAZ_OTHERS},
    [CLUMP_IO_LAZ_LAYER_NIR] = {CLUMP_IO_LAZ_AT_NIR, 2, 0xff, 8, CLUMP_IO_LAZ_OTHERS},
};

static size_t memory(const clump_io_laz_layout *layout)
{
    return sizeof(clump_io_laz_chunk14) + layout->extra * sizeof(clump_io_laz_extra_layer);
}

size_t clump_io_laz_layer_count(const clump_io_laz_layout *layout)
{
    size_t layers = layout->extra;
    for (unsigned k = 0; k < CLUMP_IO_LAZ_LAYER_COUNT; k++) layers += clump_io_laz_has_layer(layout, k);
    return layers;
}

size_t clump_io_laz_layered_head(const clump_io_laz_layout *layout)
{
    return layout->record + 4 + 4 * clump_io_laz_layer_count(layout);
}

void clump_io_laz_begin_layer(clump_io_laz_chunk14 *l, unsigned layer, const unsigned char *first, unsigned version)
{
    switch (layer) {
    case CLUMP_IO_LAZ_LAYER_XY:
        clump_io_laz_point14_begin(&l->xy, first);
        break;
    case CLUMP_IO_LAZ_LAYER_Z:
        clump_io_laz_numbers_begin(&l->z, CLUMP_IO_LAZ_NUMBER_Z, first);
        break;
    case CLUMP_IO_LAZ_LAYER_CLASS:
        clump_io_laz_symbols_begin(&l->classes, CLUMP_IO_LAZ_SYMBOL_CLASS, first);
        break;
    case CLUMP_IO_LAZ_LAYER_FLAGS:
        clump_io_laz_symbols_begin(&l->flags, CLUMP_IO_LAZ_SYMBOL_FLAGS, first);
        break;
    case CLUMP_IO_LAZ_LAYER_INTENSITY:
        clump_io_laz_numbers_begin(&l->intensity, CLUMP_IO_LAZ_NUMBER_INTENSITY, first);
        break;
    case CLUMP_IO_LAZ_LAYER_ANGLE:
        clump_io_laz_numbers_begin(&l->angle, CLUMP_IO_LAZ_NUMBER_ANGLE, first);
        break;
    case CLUMP_IO_LAZ_LAYER_USER:
        clump_io_laz_symbols_begin(&l->user, CLUMP_IO_LAZ_SYMBOL_USER, first);
        break;
    case CLUMP_IO_LAZ_LAYER_SOURCE:
        clump_io_laz_numbers_begin(&l->source, CLUMP_IO_LAZ_NUMBER_SOURCE, first);
        break;
    case CLUMP_IO_LAZ_LAYER_TIME:
        clump_io_laz_times_begin(&l->times, first);
        break;
    case CLUMP_IO_LAZ_LAYER_RGB:
        clump_io_laz_rgb_begin(&l->rgb, first, version);
        break;
    case CLUMP_IO_LAZ_LAYER_NIR:
        clump_io_laz_nir_begin(&l->nir, first, version);
        break;
    default:
        break;
    }
}

const clump_io_laz_codec clump_io_laz_layered = {
    .memory = memory, .decode = clump_io_laz_layered_decode, .encode = clump_io_laz_layered_encode};
