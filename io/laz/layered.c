/* SPDX-License-Identifier: BSD-3-Clause
 *
 * layered.c: the codec of chunks of points of formats 6 to 8. Each part of a point is a layer with a coder of its own.
 *
 *     first point | u32 points | u32 bytes of each layer | channel, returns, x, y | z | class | ... | extra byte ...
 *     as it is      of the chunk
 *
 * A layer of 0 bytes: all points have the value of the first.
 */
#include "laz/codec.h"
#include "laz/layers.h"

#include "common/assert.h"

#include <stdlib.h>

#define LAYERED_BLOCK 2048 /* points; measured: 512 and 8192 are slower */

enum {
    LAYERED_XY,
    LAYERED_Z,
    LAYERED_CLASS,
    LAYERED_FLAGS,
    LAYERED_INTENSITY,
    LAYERED_ANGLE,
    LAYERED_USER,
    LAYERED_SOURCE,
    LAYERED_TIME,
    LAYERED_RGB,
    LAYERED_NIR,
    LAYERED_COUNT /* extra bytes are apart */
};

/* Where a layer's field is in a record, and in which formats. The channel is in the layer of x and y. */
typedef struct layered_field {
    unsigned char at, size, mask, first_format, part;
} layered_field;

typedef struct layered_extra {
    clump_io_laz_byte14 byte;
    clump_io_laz_decoder decoder;
} layered_extra;

/* The memory of a thread. */
typedef struct layered_chunk {
    clump_io_laz_point14 xy;
    clump_io_laz_numbers z, intensity, angle, source;
    clump_io_laz_symbols classes, flags, user;
    clump_io_laz_times times;
    clump_io_laz_colours rgb, nir;
    clump_io_laz_decoder decoders[LAYERED_COUNT];
    uint32_t active; /* bit per layer that is decoded */
    clump_io_laz_mark marks[LAYERED_BLOCK];
    layered_extra extra[];
} layered_chunk;

static const layered_field layered_fields[LAYERED_COUNT] = {
    [LAYERED_XY] = {CLUMP_IO_LAZ_AT_X, 8, 0xff, 6, CLUMP_IO_LAZ_ALL},
    [LAYERED_Z] = {CLUMP_IO_LAZ_AT_Z, 4, 0xff, 6, CLUMP_IO_LAZ_ALL},
    [LAYERED_CLASS] = {CLUMP_IO_LAZ_AT_CLASS, 1, 0xff, 6, CLUMP_IO_LAZ_CLASSES},
    [LAYERED_FLAGS] = {CLUMP_IO_LAZ_AT_FLAGS, 1, 0xcf, 6, CLUMP_IO_LAZ_CLASSES},
    [LAYERED_INTENSITY] = {CLUMP_IO_LAZ_AT_INTENSITY, 2, 0xff, 6, CLUMP_IO_LAZ_OTHERS},
    [LAYERED_ANGLE] = {CLUMP_IO_LAZ_AT_ANGLE, 2, 0xff, 6, CLUMP_IO_LAZ_OTHERS},
    [LAYERED_USER] = {CLUMP_IO_LAZ_AT_USER, 1, 0xff, 6, CLUMP_IO_LAZ_OTHERS},
    [LAYERED_SOURCE] = {CLUMP_IO_LAZ_AT_SOURCE, 2, 0xff, 6, CLUMP_IO_LAZ_OTHERS},
    [LAYERED_TIME] = {CLUMP_IO_LAZ_AT_TIME, 8, 0xff, 6, CLUMP_IO_LAZ_OTHERS},
    [LAYERED_RGB] = {CLUMP_IO_LAZ_AT_RGB, 6, 0xff, 7, CLUMP_IO_LAZ_OTHERS},
    [LAYERED_NIR] = {CLUMP_IO_LAZ_AT_NIR, 2, 0xff, 8, CLUMP_IO_LAZ_OTHERS},
};

static bool has_layer(const clump_io_laz_layout *layout, unsigned layer)
{
    return layout->format >= layered_fields[layer].first_format;
}

/* Counts the layers of a chunk, with those of extra bytes. */
static size_t count_layers(const clump_io_laz_layout *layout)
{
    size_t layers = layout->extra;
    for (unsigned k = 0; k < LAYERED_COUNT; k++) layers += has_layer(layout, k);
    return layers;
}

/* Returns the bytes of a chunk in front of its first layer. */
static size_t head_size(const clump_io_laz_layout *layout)
{
    return layout->record + 4 + 4 * count_layers(layout);
}

/* Sets up a layer for a chunk. */
static void begin_layer(layered_chunk *l, unsigned layer, const unsigned char *first, unsigned version)
{
    switch (layer) {
    case LAYERED_XY:
        clump_io_laz_point14_begin(&l->xy, first);
        break;
    case LAYERED_Z:
        clump_io_laz_numbers_begin(&l->z, CLUMP_IO_LAZ_NUMBER_Z, first);
        break;
    case LAYERED_CLASS:
        clump_io_laz_symbols_begin(&l->classes, CLUMP_IO_LAZ_SYMBOL_CLASS, first);
        break;
    case LAYERED_FLAGS:
        clump_io_laz_symbols_begin(&l->flags, CLUMP_IO_LAZ_SYMBOL_FLAGS, first);
        break;
    case LAYERED_INTENSITY:
        clump_io_laz_numbers_begin(&l->intensity, CLUMP_IO_LAZ_NUMBER_INTENSITY, first);
        break;
    case LAYERED_ANGLE:
        clump_io_laz_numbers_begin(&l->angle, CLUMP_IO_LAZ_NUMBER_ANGLE, first);
        break;
    case LAYERED_USER:
        clump_io_laz_symbols_begin(&l->user, CLUMP_IO_LAZ_SYMBOL_USER, first);
        break;
    case LAYERED_SOURCE:
        clump_io_laz_numbers_begin(&l->source, CLUMP_IO_LAZ_NUMBER_SOURCE, first);
        break;
    case LAYERED_TIME:
        clump_io_laz_times_begin(&l->times, first);
        break;
    case LAYERED_RGB:
        clump_io_laz_rgb_begin(&l->rgb, first, version);
        break;
    case LAYERED_NIR:
        clump_io_laz_nir_begin(&l->nir, first, version);
        break;
    default:
        break;
    }
}

/* ----- decoding: layers that are not wanted are skipped --------------------------------------------------------------
 *
 * Decoding goes block by block, so that the records of a block stay in the cache while every layer fills in its part.
 * Decoding several layers in one loop gains nothing: branches that nothing predicts keep their work from overlapping. */

static uint32_t get_u32(const unsigned char *bytes)
{
    uint32_t value;
    memcpy(&value, bytes, 4);
    return value;
}

/* Divides a chunk into its layers, and sets up those that are wanted. */
static clump_io_laz_end divide(layered_chunk *l, const clump_io_laz_layout *layout, const unsigned char *chunk,
                               size_t size, unsigned wanted)
{
    const size_t head = head_size(layout);
    const unsigned char *bytes = chunk + head, *sizes = chunk + layout->record + 4;
    size_t left = size - head;
    l->active = 0;
    for (unsigned k = 0; k < LAYERED_COUNT; k++) {
        if (!has_layer(layout, k)) continue;
        const size_t here = get_u32(sizes);
        if (here > left) return CLUMP_IO_LAZ_SHORT;
        if (k == LAYERED_XY || (here && (k == LAYERED_Z || layered_fields[k].part & wanted))) {
            clump_io_laz_decoder_begin(&l->decoders[k], bytes, here);
            begin_layer(l, k, chunk, layout->version);
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
static bool decode_layer(layered_chunk *l, unsigned layer, const clump_io_laz_span *span)
{
    clump_io_laz_decoder *d = &l->decoders[layer];
    switch (layer) {
    case LAYERED_XY:
        clump_io_laz_point14_decode(&l->xy, d, span);
        break;
    case LAYERED_Z:
        clump_io_laz_numbers_decode(&l->z, d, span);
        break;
    case LAYERED_CLASS:
        clump_io_laz_symbols_decode(&l->classes, d, span);
        break;
    case LAYERED_FLAGS:
        clump_io_laz_symbols_decode(&l->flags, d, span);
        break;
    case LAYERED_INTENSITY:
        clump_io_laz_numbers_decode(&l->intensity, d, span);
        break;
    case LAYERED_ANGLE:
        clump_io_laz_numbers_decode(&l->angle, d, span);
        break;
    case LAYERED_USER:
        clump_io_laz_symbols_decode(&l->user, d, span);
        break;
    case LAYERED_SOURCE:
        clump_io_laz_numbers_decode(&l->source, d, span);
        break;
    case LAYERED_TIME:
        return clump_io_laz_times_decode(&l->times, d, span);
    case LAYERED_RGB:
        clump_io_laz_rgb_decode(&l->rgb, d, span);
        break;
    case LAYERED_NIR:
        clump_io_laz_nir_decode(&l->nir, d, span);
        break;
    default:
        break;
    }
    return true;
}

static clump_io_laz_end decode_block(layered_chunk *l, const clump_io_laz_layout *layout, const clump_io_laz_span *span,
                                     unsigned wanted)
{
    for (unsigned k = 0; k < LAYERED_COUNT; k++) {
        if (!(l->active >> k & 1u)) continue;
        const bool sound = decode_layer(l, k, span);
        if (clump_io_laz_overrun(&l->decoders[k])) return CLUMP_IO_LAZ_SHORT;
        if (!sound) return CLUMP_IO_LAZ_DAMAGED;
    }
    for (size_t i = 0; i < layout->extra && wanted & CLUMP_IO_LAZ_OTHERS; i++) {
        layered_extra *const extra = &l->extra[i];
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

static clump_io_laz_end decode(void *memory, const clump_io_laz_layout *layout, const unsigned char *bytes, size_t size,
                               size_t count, unsigned wanted, unsigned char *records, size_t *done)
{
    layered_chunk *const l = memory;
    *done = 0;
    if (size < head_size(layout)) return CLUMP_IO_LAZ_SHORT;
    if (get_u32(bytes + layout->record) < count) return CLUMP_IO_LAZ_DAMAGED;
    clump_io_laz_end end = divide(l, layout, bytes, size, wanted);
    if (end != CLUMP_IO_LAZ_DONE) return end;
    memcpy(records, bytes, layout->record);
    for (*done = 1; *done < count;) {
        const size_t left = count - *done, now = left < LAYERED_BLOCK ? left : LAYERED_BLOCK;
        const clump_io_laz_span span = {records + *done * layout->record, layout->record, l->marks, now};
        repeat(span.records, bytes, layout->record, now);
        end = decode_block(l, layout, &span, wanted);
        if (end != CLUMP_IO_LAZ_DONE) return end;
        *done += now;
    }
    return CLUMP_IO_LAZ_DONE;
}

/* ----- encoding: one layer after the other, since their bytes lie one behind the other -------------------------------- */

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
    if (layer == LAYERED_XY || layer == LAYERED_Z) return true; /* as LASzip does */
    for (size_t k = 0; k < layered_fields[layer].size; k++)
        if (differs[layered_fields[layer].at + k] & layered_fields[layer].mask) return true;
    return false;
}

static void encode_layer(layered_chunk *l, unsigned layer, clump_io_laz_encoder *e, const clump_io_laz_span *span)
{
    switch (layer) {
    case LAYERED_XY:
        clump_io_laz_point14_encode(&l->xy, e, span);
        break;
    case LAYERED_Z:
        clump_io_laz_numbers_encode(&l->z, e, span);
        break;
    case LAYERED_CLASS:
        clump_io_laz_symbols_encode(&l->classes, e, span);
        break;
    case LAYERED_FLAGS:
        clump_io_laz_symbols_encode(&l->flags, e, span);
        break;
    case LAYERED_INTENSITY:
        clump_io_laz_numbers_encode(&l->intensity, e, span);
        break;
    case LAYERED_ANGLE:
        clump_io_laz_numbers_encode(&l->angle, e, span);
        break;
    case LAYERED_USER:
        clump_io_laz_symbols_encode(&l->user, e, span);
        break;
    case LAYERED_SOURCE:
        clump_io_laz_numbers_encode(&l->source, e, span);
        break;
    case LAYERED_TIME:
        clump_io_laz_times_encode(&l->times, e, span);
        break;
    case LAYERED_RGB:
        clump_io_laz_rgb_encode(&l->rgb, e, span);
        break;
    case LAYERED_NIR:
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
static void encode_layers(layered_chunk *l, const clump_io_laz_layout *layout, const unsigned char *first,
                          const clump_io_laz_span *span, const unsigned char *differs, size_t sizes,
                          clump_io_laz_bytes *out)
{
    clump_io_laz_encoder e;
    for (unsigned k = 0; k < LAYERED_COUNT; k++) {
        if (!has_layer(layout, k)) continue;
        const size_t from = out->size;
        if (is_needed(k, differs)) {
            begin_layer(l, k, first, layout->version);
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

static clump_io_laz_end encode(void *memory, const clump_io_laz_layout *layout, const unsigned char *records,
                               size_t count, clump_io_laz_bytes *out)
{
    layered_chunk *const l = memory;
    const size_t record = layout->record, at = out->size;
    clump_io_laz_mark *const marks = malloc(count * sizeof *marks);
    unsigned char *const differs = malloc(record);
    const uint32_t points = (uint32_t)count;
    if (!marks || !differs || !clump_io_laz_bytes_grow(out, head_size(layout))) {
        free(marks), free(differs);
        return CLUMP_IO_LAZ_NO_MEMORY;
    }
    compare(records, record, count, differs);
    clump_io_laz_bytes_add(out, records, record);
    clump_io_laz_bytes_add(out, &points, 4);
    out->size += 4 * count_layers(layout); /* there is room; the sizes follow later */
    const clump_io_laz_span span = {(unsigned char *)(uintptr_t)records + record, record, marks, count - 1};
    encode_layers(l, layout, records, &span, differs, at + record + 4, out);
    free(marks);
    free(differs);
    return out->failed ? CLUMP_IO_LAZ_NO_MEMORY : CLUMP_IO_LAZ_DONE;
}

/* ----- the codec ------------------------------------------------------------------------------------------------------ */

static size_t memory_size(const clump_io_laz_layout *layout)
{
    return sizeof(layered_chunk) + layout->extra * sizeof(layered_extra);
}

const clump_io_laz_codec clump_io_laz_layered = {.memory = memory_size, .decode = decode, .encode = encode};
