/* SPDX-License-Identifier: BSD-3-Clause
 *
 * view_decode.h: a plain decoder of columns, written from viewer/README.md.
 */
#ifndef CLUMP_TESTS_VIEW_DECODE_H
#define CLUMP_TESTS_VIEW_DECODE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
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

#endif
