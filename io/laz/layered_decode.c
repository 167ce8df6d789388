/* SPDX-License-Identifier: BSD-3-Clause
 *
 * layered_decode.c: decodes a chunk of layers. Layers that are not wanted are skipped.
 *
 * Decoding goes block by block, so that the records of a block stay in the cache while every layer fills in its part.
 * Decoding several layers in one loop gains nothing: branches that nothing predicts keep their work from overlapping.
 */
#include "laz/layered.h"

#include "common/assert.h"

static uint32_t get_u32(const unsigned char *bytes)
{
    uint32_t value;
    memcpy(&value, bytes, 4);
    return value;
}

/* Divides a chunk into its layers, and sets up those that are wanted. */
static clump_io_laz_end divide(clump_io_laz_chunk14 *l, const clump_io_laz_layout *layout, const unsigned char *chunk,
                               size_t size, unsigned wanted)
{
    const size_t head = clump_io_laz_layered_head(layout);
    const unsigned char *bytes = chunk + head, *sizes = chunk + layout->record + 4;
    size_t left = size - head;
    l->active = 0;
    for (unsigned k = 0; k < CLUMP_IO_LAZ_LAYER_COUNT; k++) {
        if (!clump_io_laz_has_layer(layout, k)) continue;
        const size_t here = get_u32(sizes);
        if (here > left) return CLUMP_IO_LAZ_SHORT;
        if (k == CLUMP_IO_LAZ_LAYER_XY ||
            (here && (k == CLUMP_IO_LAZ_LAYER_Z || clump_io_laz_fields[k].part & wanted))) {
            clump_io_laz_decoder_begin(&l->decoders[k], bytes, here);
            clump_io_laz_begin_layer(l, k, chunk, layout->version);
            l->active |= 1u << k;
        }
        sizes += 4, bytes += here, left -= here;
    }
    for (size_t i = 0; i < layout->extra; i++) {
        const size_t here = get_u32(sizes);
        if (here > left) return CLUMP_IO_LAZ_SHORT;
        clump_io_laz_decoder_begin(&l->extra[i].decoder, bytes, here);
        if (here)
            clump_io_laz_byte14_begin(&l->extra[i].byte, chunk, layout->record - layout->extra + i, layout->version);
        sizes += 4, bytes += here, left -= here;
    }
    return CLUMP_IO_LAZ_DONE;
}

/* Decodes one layer of a block; false: the layer makes no sense. */
static bool decode_layer(clump_io_laz_chunk14 *l, unsigned layer, const clump_io_laz_span *span)
{
    clump_io_laz_decoder *d = &l->decoders[layer];
    switch (layer) {
    case CLUMP_IO_LAZ_LAYER_XY:
        clump_io_laz_point14_decode(&l->xy, d, span);
        break;
    case CLUMP_IO_LAZ_LAYER_Z:
        clump_io_laz_numbers_decode(&l->z, d, span);
        break;
    case CLUMP_IO_LAZ_LAYER_CLASS:
        clump_io_laz_symbols_decode(&l->classes, d, span);
        break;
    case CLUMP_IO_LAZ_LAYER_FLAGS:
        clump_io_laz_symbols_decode(&l->flags, d, span);
        break;
    case CLUMP_IO_LAZ_LAYER_INTENSITY:
        clump_io_laz_numbers_decode(&l->intensity, d, span);
        break;
    case CLUMP_IO_LAZ_LAYER_ANGLE:
        clump_io_laz_numbers_decode(&l->angle, d, span);
        break;
    case CLUMP_IO_LAZ_LAYER_USER:
        clump_io_laz_symbols_decode(&l->user, d, span);
        break;
    case CLUMP_IO_LAZ_LAYER_SOURCE:
        clump_io_laz_numbers_decode(&l->source, d, span);
        break;
    case CLUMP_IO_LAZ_LAYER_TIME:
        return clump_io_laz_times_decode(&l->times, d, span);
    case CLUMP_IO_LAZ_LAYER_RGB:
        clump_io_laz_rgb_decode(&l->rgb, d, span);
        break;
    case CLUMP_IO_LAZ_LAYER_NIR:
        clump_io_laz_nir_decode(&l->nir, d, span);
        break;
    default:
        break;
    }
    return true;
}

static clump_io_laz_end decode_block(clump_io_laz_chunk14 *l, const clump_io_laz_layout *layout,
                                     const clump_io_laz_span *span, unsigned wanted)
{
    for (unsigned k = 0; k < CLUMP_IO_LAZ_LAYER_COUNT; k++) {
        if (!(l->active >> k & 1u)) continue;
        const bool sound = decode_layer(l, k, span);
        if (clump_io_laz_overrun(&l->decoders[k])) return CLUMP_IO_LAZ_SHORT;
        if (!sound) return CLUMP_IO_LAZ_DAMAGED;
    }
    for (size_t i = 0; i < layout->extra && wanted & CLUMP_IO_LAZ_OTHERS; i++) {
        clump_io_laz_extra_layer *const extra = &l->extra[i];
        if (!extra->decoder.size) continue;
        clump_io_laz_byte14_decode(&extra->byte, &extra->decoder, span);
        if (clump_io_laz_overrun(&extra->decoder)) return CLUMP_IO_LAZ_SHORT;
    }
    return CLUMP_IO_LAZ_DONE;
}

/* Makes count copies of a record; layers then fill in what differs. */
static void repeat(unsigned char *records, const unsigned char *first, size_t record, size_t count)
{
    CLUMP_ASSERT(record >= 1);
    memcpy(records, first, record);
    for (size_t done = 1; done < count; done *= 2)
        memcpy(records + done * record, records, (done < count - done ? done : count - done) * record);
}

clump_io_laz_end clump_io_laz_layered_decode(void *memory, const clump_io_laz_layout *layout,
                                             const unsigned char *bytes, size_t size, size_t count, unsigned wanted,
                                             unsigned char *records, size_t *done)
{
    clump_io_laz_chunk14 *const l = memory;
    *done = 0;
    if (size < clump_io_laz_layered_head(layout)) return CLUMP_IO_LAZ_SHORT;
    if (get_u32(bytes + layout->record) < count) return CLUMP_IO_LAZ_DAMAGED;
    clump_io_laz_end end = divide(l, layout, bytes, size, wanted);
    if (end != CLUMP_IO_LAZ_DONE) return end;
    memcpy(records, bytes, layout->record);
    for (*done = 1; *done < count;) {
        const size_t left = count - *done, now = left < CLUMP_IO_LAZ_LAYERED_BLOCK ? left : CLUMP_IO_LAZ_LAYERED_BLOCK;
        const clump_io_laz_span span = {records + *done * layout->record, layout->record, l->marks, now};
        repeat(span.records, bytes, layout->record, now);
        end = decode_block(l, layout, &span, wanted);
        if (end != CLUMP_IO_LAZ_DONE) return end;
        *done += now;
    }
    return CLUMP_IO_LAZ_DONE;
}
