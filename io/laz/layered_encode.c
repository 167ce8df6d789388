/* SPDX-License-Identifier: BSD-3-Clause
 *
 * layered_encode.c: encodes a chunk of layers, one after the other, since their bytes lie one behind the other.
 */
#include "laz/layered.h"

#include "common/assert.h"

#include <stdlib.h>

/* Sets the bits in which any record differs from the first. */
static void compare(const unsigned char *records, size_t record, size_t count, unsigned char *differs)
{
    CLUMP_ASSERT(record >= 1);
    memset(differs, 0, record);
    for (size_t i = 1; i < count; i++)
        for (size_t k = 0; k < record; k++) differs[k] |= (unsigned char)(records[k] ^ records[i * record + k]);
}

static bool is_needed(unsigned layer, const unsigned char *differs)
{
    if (layer == CLUMP_IO_LAZ_LAYER_XY || layer == CLUMP_IO_LAZ_LAYER_Z) return true; /* as LASzip does */
    for (size_t k = 0; k < clump_io_laz_fields[layer].size; k++)
        if (differs[clump_io_laz_fields[layer].at + k] & clump_io_laz_fields[layer].mask) return true;
    return false;
}

static void encode_layer(clump_io_laz_chunk14 *l, unsigned layer, clump_io_laz_encoder *e,
                         const clump_io_laz_span *span)
{
    switch (layer) {
    case CLUMP_IO_LAZ_LAYER_XY:
        clump_io_laz_point14_encode(&l->xy, e, span);
        break;
    case CLUMP_IO_LAZ_LAYER_Z:
        clump_io_laz_numbers_encode(&l->z, e, span);
        break;
    case CLUMP_IO_LAZ_LAYER_CLASS:
        clump_io_laz_symbols_encode(&l->classes, e, span);
        break;
    case CLUMP_IO_LAZ_LAYER_FLAGS:
        clump_io_laz_symbols_encode(&l->flags, e, span);
        break;
    case CLUMP_IO_LAZ_LAYER_INTENSITY:
        clump_io_laz_numbers_encode(&l->intensity, e, span);
        break;
    case CLUMP_IO_LAZ_LAYER_ANGLE:
        clump_io_laz_numbers_encode(&l->angle, e, span);
        break;
    case CLUMP_IO_LAZ_LAYER_USER:
        clump_io_laz_symbols_encode(&l->user, e, span);
        break;
    case CLUMP_IO_LAZ_LAYER_SOURCE:
        clump_io_laz_numbers_encode(&l->source, e, span);
        break;
    case CLUMP_IO_LAZ_LAYER_TIME:
        clump_io_laz_times_encode(&l->times, e, span);
        break;
    case CLUMP_IO_LAZ_LAYER_RGB:
        clump_io_laz_rgb_encode(&l->rgb, e, span);
        break;
    case CLUMP_IO_LAZ_LAYER_NIR:
        clump_io_laz_nir_encode(&l->nir, e, span);
        break;
    default:
        break;
    }
}

/* Writes the size of the layer that ends the buffer, which began at byte `from`, to byte `at`. */
static void put_size(clump_io_laz_bytes *out, size_t at, size_t from)
{
    CLUMP_ASSERT(at + 4 <= from && from <= out->size);
    const uint32_t size = (uint32_t)(out->size - from);
    if (!out->failed) memcpy(out->data + at, &size, 4);
}

/* Appends all layers. sizes: the byte of the first size. */
static void encode_layers(clump_io_laz_chunk14 *l, const clump_io_laz_layout *layout, const unsigned char *first,
                          const clump_io_laz_span *span, const unsigned char *differs, size_t sizes,
                          clump_io_laz_bytes *out)
{
    clump_io_laz_encoder e;
    for (unsigned k = 0; k < CLUMP_IO_LAZ_LAYER_COUNT; k++) {
        if (!clump_io_laz_has_layer(layout, k)) continue;
        const size_t from = out->size;
        if (is_needed(k, differs)) {
            clump_io_laz_begin_layer(l, k, first, layout->version);
            clump_io_laz_encoder_begin(&e, out);
            encode_layer(l, k, &e, span);
            clump_io_laz_encoder_end(&e, out);
        }
        put_size(out, sizes, from);
        sizes += 4;
    }
    for (size_t i = 0; i < layout->extra; i++, sizes += 4) {
        const size_t from = out->size, at = layout->record - layout->extra + i;
        if (differs[at]) {
            clump_io_laz_byte14_begin(&l->extra[i].byte, first, at, layout->version);
            clump_io_laz_encoder_begin(&e, out);
            clump_io_laz_byte14_encode(&l->extra[i].byte, &e, span);
            clump_io_laz_encoder_end(&e, out);
        }
        put_size(out, sizes, from);
    }
}

clump_io_laz_end clump_io_laz_layered_encode(void *memory, const clump_io_laz_layout *layout,
                                             const unsigned char *records, size_t count, clump_io_laz_bytes *out)
{
    clump_io_laz_chunk14 *const l = memory;
    const size_t record = layout->record, at = out->size;
    clump_io_laz_mark *const marks = malloc(count * sizeof *marks);
    unsigned char *const differs = malloc(record);
    const uint32_t points = (uint32_t)count;
    if (!marks || !differs || !clump_io_laz_bytes_grow(out, clump_io_laz_layered_head(layout))) {
        free(marks), free(differs);
        return CLUMP_IO_LAZ_NO_MEMORY;
    }
    compare(records, record, count, differs);
    clump_io_laz_bytes_add(out, records, record);
    clump_io_laz_bytes_add(out, &points, 4);
    out->size += 4 * clump_io_laz_layer_count(layout); /* there is room; the sizes follow later */
    const clump_io_laz_span span = {(unsigned char *)(uintptr_t)records + record, record, marks, count - 1};
    encode_layers(l, layout, records, &span, differs, at + record + 4, out);
    free(marks);
    free(differs);
    return out->failed ? CLUMP_IO_LAZ_NO_MEMORY : CLUMP_IO_LAZ_DONE;
}
