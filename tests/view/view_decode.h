/* SPDX-License-Identifier: BSD-3-Clause
 *
 * view_decode.h: a plain decoder of packets, written from viewer/README.md. It finds columns by searching the text of the
 * header; tests/viewer/decode.mjs reads the header as JSON.
 */
#ifndef CLUMP_TESTS_VIEW_DECODE_H
#define CLUMP_TESTS_VIEW_DECODE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* Inflates a raw deflate stream of exactly `wanted` bytes that ends with the input. */
static inline bool view_inflate(const uint8_t *from, size_t size, uint8_t *to, size_t wanted)
{
    uint8_t none = 0;
    z_stream stream = {0};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return false;
    stream.next_in = (Bytef *)(uintptr_t)from;
    stream.avail_in = (uInt)size;
    stream.next_out = wanted ? to : &none;
    stream.avail_out = (uInt)(wanted ? wanted : 1);
    const int status = inflate(&stream, Z_FINISH);
    inflateEnd(&stream);
    return status == Z_STREAM_END && stream.total_out == wanted && stream.avail_in == 0;
}

static inline bool view_decode_column(const uint8_t *from, size_t size, uint32_t planes, uint32_t back, int64_t *values,
                                      size_t count)
{
    uint8_t *const bytes = calloc(planes * count + 1, 1);
    const bool good = bytes && (planes == 0 ? size == 0 : view_inflate(from, size, bytes, planes * count));
    for (size_t i = 0; good && i < count; i++) {
        uint64_t u = 0;
        for (uint32_t k = 0; k < planes; k++) u |= (uint64_t)bytes[k * count + i] << 8 * k;
        uint64_t d = u >> 1;
        if (u & 1) d = ~d;
        values[i] = (int64_t)(back > 0 && i >= back ? d + (uint64_t)values[i - back] : d);
    }
    free(bytes);
    return good;
}

/* A packet that was read. */
typedef struct view_read {
    char *header;
    const uint8_t *body;
} view_read;

static inline bool view_read_packet(view_read *read, const uint8_t *packet, size_t size)
{
    *read = (view_read){0};
    if (size < 8 || memcmp(packet, "CLV1", 4) != 0) return false;
    const size_t h = packet[4] | (size_t)packet[5] << 8 | (size_t)packet[6] << 16 | (size_t)packet[7] << 24;
    if (h > size - 8) return false;
    const size_t room = 1 << 20;
    read->header = calloc(room, 1);
    read->body = packet + 8 + h;
    z_stream stream = {0};
    if (!read->header || inflateInit2(&stream, -MAX_WBITS) != Z_OK) return false;
    stream.next_in = (Bytef *)(uintptr_t)(packet + 8);
    stream.avail_in = (uInt)h;
    stream.next_out = (Bytef *)read->header;
    stream.avail_out = (uInt)(room - 1);
    const int status = inflate(&stream, Z_FINISH);
    inflateEnd(&stream);
    return status == Z_STREAM_END;
}

static inline void view_read_release(view_read *read)
{
    free(read->header);
}

/* Returns the number behind `key` in the text up to the next '}'; NaN: it is not there. */
static inline double view_number(const char *text, const char *key)
{
    const char *const at = text ? strstr(text, key) : NULL;
    const char *const end = text ? strchr(text, '}') : NULL;
    return at && end && at < end ? strtod(at + strlen(key), NULL) : (double)NAN;
}

static inline size_t view_rows(const view_read *read, const char *table)
{
    char key[64];
    snprintf(key, sizeof key, "\"%s\":{\"rows\":", table);
    const char *const at = strstr(read->header, key);
    return at ? (size_t)strtoull(at + strlen(key), NULL, 10) : SIZE_MAX;
}

/* Returns the description of a column of a table; null: there is none. */
static inline const char *view_column(const view_read *read, const char *table, const char *name)
{
    char key[128];
    snprintf(key, sizeof key, "\"%s\":{\"rows\":", table);
    const char *at = strstr(read->header, key);
    if (!at) return NULL;
    const char *const end = strstr(at, "}]");
    snprintf(key, sizeof key, "{\"name\":\"%s\",", name);
    const char *const found = strstr(at, key);
    return found && (!end || found < end) ? found : NULL;
}

/* Returns the values of a column, for free(); null: there is no such column, or it cannot be read. */
static inline double *view_values(const view_read *read, const char *column, size_t rows)
{
    if (!column) return NULL;
    int64_t *const integers = malloc((rows + 1) * sizeof *integers);
    double *const values = malloc((rows + 1) * sizeof *values);
    const double nan = view_number(column, "\"nan\":"), scale = view_number(column, "\"scale\":");
    const double offset = view_number(column, "\"offset\":");
    const bool good = view_decode_column(
        read->body + (size_t)view_number(column, "\"at\":"), (size_t)view_number(column, "\"size\":"),
        (uint32_t)view_number(column, "\"planes\":"), (uint32_t)view_number(column, "\"back\":"), integers, rows);
    for (size_t i = 0; good && i < rows; i++)
        values[i] = (double)integers[i] == nan ? (double)NAN : offset + scale * (double)integers[i];
    free(integers);
    if (good) return values;
    free(values);
    return NULL;
}

#endif
