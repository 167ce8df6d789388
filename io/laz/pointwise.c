/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pointwise.c: chunks of point formats 0 to 3.
 *
 *     first point, as it is | one stream of the range coder: per point  x y z ...  time  colour  extra bytes
 *
 * The loops are compiled once per point format, with the range coder and the last point in registers.
 */
#include "laz/codec.h"
#include "laz/gpstime11.h"
#include "laz/point10.h"
#include "laz/rgb12.h"

typedef struct pointwise_state {
    clump_io_laz_point10 point;
    clump_io_laz_gpstime11 time;
    clump_io_laz_rgb12 colour;
    clump_io_laz_model256 extra[]; /* changes of the extra bytes */
} pointwise_state;

/* A chunk that is being read or written. */
typedef struct pointwise_chunk {
    size_t record, extra, count;
    size_t time_at, colour_at, extra_at; /* bytes of the record */
} pointwise_chunk;

static size_t pointwise_memory(const clump_io_laz_layout *layout)
{
    return sizeof(pointwise_state) + layout->extra * sizeof(clump_io_laz_model256);
}

static bool has_time(unsigned format)
{
    return format == 1 || format == 3;
}

static pointwise_chunk begin(pointwise_state *s, const clump_io_laz_layout *layout, size_t count,
                             const unsigned char *first)
{
    const pointwise_chunk chunk = {.record = layout->record,
                                   .extra = layout->extra,
                                   .count = count,
                                   .time_at = CLUMP_IO_LAZ_POINT10,
                                   .colour_at =
                                       CLUMP_IO_LAZ_POINT10 + (has_time(layout->format) ? CLUMP_IO_LAZ_GPSTIME11 : 0),
                                   .extra_at = layout->record - layout->extra};
    uint64_t time = 0;
    clump_io_laz_point10_begin(&s->point);
    if (has_time(layout->format)) {
        memcpy(&time, first + chunk.time_at, 8);
        clump_io_laz_gpstime11_begin(&s->time, time);
    }
    if (layout->format >= 2) clump_io_laz_rgb12_begin(&s->colour);
    for (size_t b = 0; b < layout->extra; b++) clump_io_laz_model_begin(CLUMP_IO_LAZ_PARTS(&s->extra[b]), 256);
    return chunk;
}

/* --- reading -------------------------------------------------------------------------------- */

CLUMP_IO_LAZ_INLINE clump_io_laz_end decode_points(pointwise_state *s, const pointwise_chunk *chunk,
                                                   const unsigned char *bytes, size_t size, unsigned char *records,
                                                   size_t *done, bool time, bool colour)
{
    clump_io_laz_decoder d;
    clump_io_laz_decoder_begin(&d, bytes, size);
    const pointwise_chunk c = *chunk;
    clump_io_laz_point p = clump_io_laz_point_get(records);
    uint16_t rgb[3] = {0};
    if (colour) memcpy(rgb, records + c.colour_at, 6);
    for (size_t i = 1; i < c.count; i++) {
        unsigned char *record = records + i * c.record;
        *done = i;
        clump_io_laz_point10_decode(&d, &s->point, &p);
        clump_io_laz_point_put(&p, record);
        if (time) {
            uint64_t t;
            if (!clump_io_laz_gpstime11_decode(&d, &s->time, &t)) return CLUMP_IO_LAZ_DAMAGED;
            memcpy(record + c.time_at, &t, 8);
        }
        if (colour) {
            clump_io_laz_rgb12_decode(&d, &s->colour, rgb);
            memcpy(record + c.colour_at, rgb, 6);
        }
        for (size_t b = 0; b < c.extra; b++)
            record[c.extra_at + b] =
                (unsigned char)((record - c.record)[c.extra_at + b] +
                                clump_io_laz_decode_again(&d, CLUMP_IO_LAZ_PARTS(&s->extra[b]), 0));
        if (clump_io_laz_overrun(&d)) return CLUMP_IO_LAZ_SHORT;
    }
    *done = c.count;
    return clump_io_laz_overrun(&d) ? CLUMP_IO_LAZ_SHORT : CLUMP_IO_LAZ_DONE;
}

static clump_io_laz_end pointwise_decode(void *memory, const clump_io_laz_layout *layout, const unsigned char *bytes,
                                         size_t size, size_t count, unsigned wanted, unsigned char *records,
                                         size_t *done)
{
    (void)wanted;
    *done = 0;
    if (size < layout->record) return CLUMP_IO_LAZ_SHORT;
    memcpy(records, bytes, layout->record);
    pointwise_state *s = memory;
    const pointwise_chunk chunk = begin(s, layout, count, records);
    const unsigned char *stream = bytes + layout->record;
    const size_t left = size - layout->record;
    switch (layout->format) {
    case 0:
        return decode_points(s, &chunk, stream, left, records, done, false, false);
    case 1:
        return decode_points(s, &chunk, stream, left, records, done, true, false);
    case 2:
        return decode_points(s, &chunk, stream, left, records, done, false, true);
    default:
        return decode_points(s, &chunk, stream, left, records, done, true, true);
    }
}

/* --- writing -------------------------------------------------------------------------------- */

CLUMP_IO_LAZ_INLINE void encode_points(pointwise_state *s, const pointwise_chunk *chunk, const unsigned char *records,
                                       clump_io_laz_bytes *out, bool time, bool colour)
{
    clump_io_laz_encoder e;
    clump_io_laz_encoder_begin(&e, out);
    const pointwise_chunk c = *chunk;
    clump_io_laz_point p = clump_io_laz_point_get(records);
    uint16_t rgb[3] = {0}, next_rgb[3];
    if (colour) memcpy(rgb, records + c.colour_at, 6);
    for (size_t i = 1; i < c.count; i++) {
        const unsigned char *record = records + i * c.record;
        const clump_io_laz_point next = clump_io_laz_point_get(record);
        clump_io_laz_point10_encode(&e, &s->point, &p, &next);
        if (time) {
            uint64_t t;
            memcpy(&t, record + c.time_at, 8);
            clump_io_laz_gpstime11_encode(&e, &s->time, t);
        }
        if (colour) {
            memcpy(next_rgb, record + c.colour_at, 6);
            clump_io_laz_rgb12_encode(&e, &s->colour, rgb, next_rgb);
        }
        for (size_t b = c.extra_at; b < c.record; b++)
            clump_io_laz_encode(&e, CLUMP_IO_LAZ_PARTS(&s->extra[b - c.extra_at]),
                                (uint8_t)(record[b] - (record - c.record)[b]));
    }
    clump_io_laz_encoder_end(&e, out);
}

static clump_io_laz_end pointwise_encode(void *memory, const clump_io_laz_layout *layout, const unsigned char *records,
                                         size_t count, clump_io_laz_bytes *out)
{
    pointwise_state *s = memory;
    const pointwise_chunk chunk = begin(s, layout, count, records);
    clump_io_laz_bytes_add(out, records, layout->record);
    switch (layout->format) {
    case 0:
        encode_points(s, &chunk, records, out, false, false);
        break;
    case 1:
        encode_points(s, &chunk, records, out, true, false);
        break;
    case 2:
        encode_points(s, &chunk, records, out, false, true);
        break;
    default:
        encode_points(s, &chunk, records, out, true, true);
    }
    return out->failed ? CLUMP_IO_LAZ_NO_MEMORY : CLUMP_IO_LAZ_DONE;
}

const clump_io_laz_codec clump_io_laz_pointwise = {
    .memory = pointwise_memory, .decode = pointwise_decode, .encode = pointwise_encode};
