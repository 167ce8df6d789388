/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pointwise.c: chunks of point formats 0 to 3.
 *
 *     first point, as it is | one stream of the range coder: per point  x y z ...  time  colour  extra bytes
 *
 * The loops keep the range coder and the last point in registers. One loop serves all formats: a loop per format is not
 * faster (best of 64 rounds: within 3 % for formats 0, 1 and 3), and takes five times as long to compile.
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
    bool time, colour;                   /* whether the record has them */
} pointwise_chunk;

static size_t pointwise_memory(const clump_io_laz_layout *layout)
{
    return sizeof(pointwise_state) + layout->extra * sizeof(clump_io_laz_model256);
}

static pointwise_chunk begin(pointwise_state *s, const clump_io_laz_layout *layout, size_t count,
                             const unsigned char *first)
{
    const bool has_time = layout->format == 1 || layout->format == 3;
    const pointwise_chunk chunk = {.record = layout->record,
                                   .extra = layout->extra,
                                   .count = count,
                                   .time_at = CLUMP_IO_LAZ_POINT10,
                                   .colour_at = CLUMP_IO_LAZ_POINT10 + (has_time ? CLUMP_IO_LAZ_GPSTIME11 : 0),
                                   .extra_at = layout->record - layout->extra,
                                   .time = has_time,
                                   .colour = layout->format >= 2};
    uint64_t time = 0;
    clump_io_laz_point10_begin(&s->point);
    if (chunk.time) {
        memcpy(&time, first + chunk.time_at, 8);
        clump_io_laz_gpstime11_begin(&s->time, time);
    }
    if (chunk.colour) clump_io_laz_rgb12_begin(&s->colour);
    for (size_t b = 0; b < layout->extra; b++) clump_io_laz_model_begin(CLUMP_IO_LAZ_PARTS(&s->extra[b]), 256);
    return chunk;
}

/* --- reading -------------------------------------------------------------------------------- */

static clump_io_laz_end decode_points(pointwise_state *s, const pointwise_chunk *chunk, const unsigned char *bytes,
                                      size_t size, unsigned char *records, size_t *done)
{
    clump_io_laz_decoder d;
    clump_io_laz_decoder_begin(&d, bytes, size);
    const pointwise_chunk c = *chunk;
    clump_io_laz_point p = clump_io_laz_point_get(records);
    uint16_t rgb[3] = {0};
    if (c.colour) memcpy(rgb, records + c.colour_at, 6);
    for (size_t i = 1; i < c.count; i++) {
        unsigned char *record = records + i * c.record;
        *done = i;
        clump_io_laz_point10_decode(&d, &s->point, &p);
        clump_io_laz_point_put(&p, record);
        if (c.time) {
            uint64_t t;
            if (!clump_io_laz_gpstime11_decode(&d, &s->time, &t)) return CLUMP_IO_LAZ_DAMAGED;
            memcpy(record + c.time_at, &t, 8);
        }
        if (c.colour) {
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
    return decode_points(s, &chunk, bytes + layout->record, size - layout->record, records, done);
}

/* --- writing -------------------------------------------------------------------------------- */

static void encode_points(pointwise_state *s, const pointwise_chunk *chunk, const unsigned char *records,
                          clump_io_laz_bytes *out)
{
    clump_io_laz_encoder e;
    clump_io_laz_encoder_begin(&e, out);
    const pointwise_chunk c = *chunk;
    clump_io_laz_point p = clump_io_laz_point_get(records);
    uint16_t rgb[3] = {0}, next_rgb[3];
    if (c.colour) memcpy(rgb, records + c.colour_at, 6);
    for (size_t i = 1; i < c.count; i++) {
        const unsigned char *record = records + i * c.record;
        const clump_io_laz_point next = clump_io_laz_point_get(record);
        clump_io_laz_point10_encode(&e, &s->point, &p, &next);
        if (c.time) {
            uint64_t t;
            memcpy(&t, record + c.time_at, 8);
            clump_io_laz_gpstime11_encode(&e, &s->time, t);
        }
        if (c.colour) {
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
    encode_points(s, &chunk, records, out);
    return out->failed ? CLUMP_IO_LAZ_NO_MEMORY : CLUMP_IO_LAZ_DONE;
}

const clump_io_laz_codec clump_io_laz_pointwise = {
    .memory = pointwise_memory, .decode = pointwise_decode, .encode = pointwise_encode};
