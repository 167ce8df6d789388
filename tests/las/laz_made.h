/* SPDX-License-Identifier: BSD-3-Clause
 *
 * laz_made.h: LAZ files made in memory by the encoder of io/laz, and records to put into them.
 */
#ifndef LAZ_MADE_H
#define LAZ_MADE_H

#include "support/check.h"

#include "../io/laz/codec.h"

#include <stdlib.h>
#include <string.h>

#define LAZ_MADE_HEADER 375u

/* Bytes of a point without extra bytes. */
static inline size_t laz_base(unsigned format)
{
    static const size_t sizes[9] = {20, 28, 26, 34, 0, 0, 30, 36, 38};
    return sizes[format];
}

static inline clump_io_laz_layout laz_layout(unsigned format, size_t extra)
{
    return (clump_io_laz_layout){
        .format = format, .version = format < 6 ? 2 : 3, .record = laz_base(format) + extra, .extra = extra};
}

static inline void laz_put(unsigned char *bytes, uint64_t value, size_t size)
{
    memcpy(bytes, &value, size);
}

/* The header and the VLR in front of the points. */
static inline void laz_made_head(clump_io_laz_bytes *out, const clump_io_laz_layout *layout, uint64_t count,
                                 uint32_t chunk_size)
{
    unsigned char head[LAZ_MADE_HEADER + 54] = {0};
    clump_io_laz_bytes vlr = {0};
    clump_io_laz_vlr_write(layout, chunk_size, &vlr);
    memcpy(head, "LASF", 4);
    head[24] = 1, head[25] = 4;
    laz_put(head + 94, LAZ_MADE_HEADER, 2);
    laz_put(head + 96, sizeof head + vlr.size, 4);
    laz_put(head + 100, 1, 4);
    laz_put(head + 104, layout->format | 0x80u, 1);
    laz_put(head + 105, layout->record, 2);
    laz_put(head + 247, count, 8);
    const double scale = 0.01;
    for (size_t a = 0; a < 3; a++) memcpy(head + 131 + 8 * a, &scale, 8);
    memcpy(head + LAZ_MADE_HEADER + 2, CLUMP_IO_LAZ_VLR_USER, sizeof CLUMP_IO_LAZ_VLR_USER);
    laz_put(head + LAZ_MADE_HEADER + 18, CLUMP_IO_LAZ_VLR_ID, 2);
    laz_put(head + LAZ_MADE_HEADER + 20, vlr.size, 2);
    clump_io_laz_bytes_add(out, head, sizeof head);
    clump_io_laz_bytes_add(out, vlr.data, vlr.size);
    clump_io_laz_bytes_free(&vlr);
}

/* A whole file. points: how many each chunk has, as the table will say; null: chunks of chunk_size points. The caller
 * frees it. */
static inline clump_io_laz_bytes laz_made(const clump_io_laz_layout *layout, const unsigned char *records, size_t count,
                                          uint32_t chunk_size, const uint32_t *points, size_t chunks)
{
    clump_io_laz_bytes out = {0};
    const clump_io_laz_codec *codec = clump_io_laz_codec_of(layout->format);
    if (!points) chunks = (count + chunk_size - 1) / chunk_size;
    laz_made_head(&out, layout, count, points ? CLUMP_IO_LAZ_VARIABLE : chunk_size);
    const size_t from = out.size;
    clump_io_laz_bytes_add(&out, "12345678", 8);
    void *memory = malloc(codec->memory(layout));
    memset(memory, 0xa5, codec->memory(layout)); /* its content must not matter */
    uint32_t *sizes = malloc((chunks + 1) * sizeof *sizes);
    for (size_t c = 0, first = 0; c < chunks; c++) {
        const size_t left = count - first, most = points ? points[c] : chunk_size, now = left < most ? left : most;
        const size_t before = out.size;
        if (now) CHECK_INT(codec->encode(memory, layout, records + first * layout->record, now, &out), 0);
        sizes[c] = (uint32_t)(out.size - before);
        first += now;
    }
    laz_put(out.data + from, out.size, 8);
    CHECK_INT(clump_io_laz_table_encode(points, sizes, chunks, &out), 0);
    free(memory), free(sizes);
    return out;
}

/* Kinds of records. */
enum { LAZ_NOISE, LAZ_SURVEY, LAZ_EXTREMES, LAZ_SAME, LAZ_KINDS };

/* Times that jump between sequences, repeat, and advance by multiples of a step. */
static inline double laz_next_time(uint64_t *random, double time, int kind)
{
    const uint64_t dice = check_random(random);
    if (kind == LAZ_SURVEY) return time + 2e-5 * (double)(dice % 3);
    switch (dice % 9) {
    case 0:
        return time;
    case 1:
        return time + (double)(dice >> 20 & 0xffff);
    case 2:
        return -time;
    case 3:
        return time * 1e-30;
    case 4:
        return (double)(dice >> 40 & 3) * 1e5 + 1;
    default:
        return time + 1e-9 * (double)((int)(dice >> 30 & 1023) - 30);
    }
}

/* Intensity, returns, flags and what follows, of formats 0 to 3. */
static inline void laz_made_point10(unsigned char *p, const clump_io_laz_layout *l, int kind, uint64_t *random)
{
    const uint64_t dice = check_random(random);
    laz_put(p + 12, dice >> 8 & (kind == LAZ_SURVEY ? 255 : 65535), 2);
    if (dice % 4 == 0) p[14] = (unsigned char)(kind == LAZ_SURVEY ? 9 + 9 * (dice >> 32 & 3) : dice >> 32);
    if (dice % 7 == 0) p[15] = (unsigned char)(dice >> 40 & 7);
    if (dice % 11 == 0) p[16] = (unsigned char)(p[16] + 1);
    if (dice % 13 == 0) p[17] = (unsigned char)(dice >> 48);
    if (dice % 17 == 0) laz_put(p + 18, dice >> 24 & 65535, 2);
    if (l->format == 1 || l->format == 3) {
        double time;
        memcpy(&time, p + 20, 8);
        time = laz_next_time(random, time, kind);
        memcpy(p + 20, &time, 8);
    }
}

/* The same of formats 6 to 8. Pulses have up to 5 returns in order; the channel changes now and then. */
static inline void laz_made_point14(unsigned char *p, int kind, uint64_t *random)
{
    const uint64_t dice = check_random(random), other = check_random(random);
    const bool survey = kind == LAZ_SURVEY;
    const unsigned number = p[14] & 15u, returns = p[14] >> 4;
    const bool new_pulse = !survey || number >= returns;
    laz_put(p + 12, dice >> 8 & (survey ? 255 : 65535), 2);
    if (!survey)
        p[14] = (unsigned char)(dice >> 32);
    else
        p[14] = (unsigned char)(new_pulse ? 1u | (1 + (dice >> 40) % 5) << 4 : returns << 4 | (number + 1));
    if (dice % (survey ? 50 : 3) == 0) p[15] = (unsigned char)(dice >> 48 & (survey ? 0x70 : 0xff));
    if (dice % 7 == 0) p[16] = (unsigned char)(other & (survey ? 7 : 255));
    if (dice % 13 == 0) p[17] = (unsigned char)(other >> 8);
    if (new_pulse && dice % 5 == 0) laz_put(p + 18, (unsigned)(p[18] | p[19] << 8) + (other >> 16 & 31) - 15, 2);
    if (dice % 1001 == 0) laz_put(p + 20, other >> 24 & 65535, 2);
    if (new_pulse && dice % 8) {
        double time;
        memcpy(&time, p + 22, 8);
        time = laz_next_time(random, time, kind);
        memcpy(p + 22, &time, 8);
    }
}

/* Fills a record that is a copy of the one before. */
static inline void laz_made_record(unsigned char *p, const clump_io_laz_layout *l, int kind, uint64_t *random)
{
    const size_t base = l->record - l->extra;
    if (kind == LAZ_NOISE) {
        for (size_t b = 0; b < l->record; b++) p[b] = (unsigned char)check_random(random);
        return;
    }
    for (size_t a = 0; a < 3; a++) {
        int32_t step;
        memcpy(&step, p + 4 * a, 4);
        const uint64_t dice = check_random(random);
        if (kind == LAZ_SURVEY) step = (int32_t)((uint32_t)step + (uint32_t)(dice % (a == 0 ? 200 : 60)) - 30);
        if (kind == LAZ_EXTREMES)
            step = dice % 3 == 0 ? INT32_MIN : dice % 3 == 1 ? INT32_MAX : (int32_t)(dice >> (32 + dice % 31));
        memcpy(p + 4 * a, &step, 4);
    }
    if (l->format < 6)
        laz_made_point10(p, l, kind, random);
    else
        laz_made_point14(p, kind, random);
    const uint64_t colour = check_random(random);
    const size_t colours = l->format == 8 ? 4 : l->format == 7 || l->format == 2 || l->format == 3 ? 3 : 0;
    for (size_t c = 0; c < colours; c++)
        if (colour >> c & 1)
            laz_put(p + base - 2 * colours + 2 * c, colour >> (16 + (colour & 64 ? 0 : 4 * c)) & 0xffff, 2);
    for (size_t b = base; b < l->record; b++)
        if (check_random(random) % 3 == 0) p[b] = (unsigned char)check_random(random);
}

/* Records of one of the kinds; the caller frees them. */
static inline unsigned char *laz_made_records(const clump_io_laz_layout *l, size_t count, int kind, uint64_t seed)
{
    unsigned char *records = calloc(count + 1, l->record);
    for (size_t i = 0; i < count; i++) {
        unsigned char *p = records + i * l->record;
        if (i) memcpy(p, p - l->record, l->record);
        if (kind != LAZ_SAME || i == 0) laz_made_record(p, l, i ? kind : LAZ_NOISE, &seed);
    }
    return records;
}

#endif
