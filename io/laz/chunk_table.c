/* SPDX-License-Identifier: BSD-3-Clause
 *
 * chunk_table.c: sizes of chunks, coded as differences from the chunk before.
 */
#include "laz/codec.h"
#include "laz/integer.h"

#include <stdlib.h>

enum { TABLE_POINTS = 0, TABLE_SIZES = 1 }; /* contexts */

clump_io_laz_end clump_io_laz_table_decode(const unsigned char *bytes, size_t size, size_t count, uint32_t *points,
                                           uint32_t *sizes)
{
    if (size <= CLUMP_IO_LAZ_TABLE_HEAD) return CLUMP_IO_LAZ_SHORT;
    clump_io_laz_integer *integer = malloc(sizeof *integer);
    if (!integer) return CLUMP_IO_LAZ_NO_MEMORY;
    clump_io_laz_integer_begin(integer, 32);
    clump_io_laz_decoder d;
    clump_io_laz_decoder_begin(&d, bytes + CLUMP_IO_LAZ_TABLE_HEAD, size - CLUMP_IO_LAZ_TABLE_HEAD);
    for (size_t i = 0; i < count && !clump_io_laz_overrun(&d); i++) {
        if (points)
            points[i] =
                (uint32_t)clump_io_laz_decode_integer(&d, integer, i ? (int32_t)points[i - 1] : 0, TABLE_POINTS);
        sizes[i] = (uint32_t)clump_io_laz_decode_integer(&d, integer, i ? (int32_t)sizes[i - 1] : 0, TABLE_SIZES);
    }
    free(integer);
    return clump_io_laz_overrun(&d) ? CLUMP_IO_LAZ_SHORT : CLUMP_IO_LAZ_DONE;
}

clump_io_laz_end clump_io_laz_table_encode(const uint32_t *points, const uint32_t *sizes, size_t count,
                                           clump_io_laz_bytes *out)
{
    clump_io_laz_integer *integer = malloc(sizeof *integer);
    if (!integer) return CLUMP_IO_LAZ_NO_MEMORY;
    const uint32_t head[2] = {0, (uint32_t)count};
    clump_io_laz_bytes_add(out, head, sizeof head);
    clump_io_laz_integer_begin(integer, 32);
    clump_io_laz_encoder e;
    clump_io_laz_encoder_begin(&e, out);
    for (size_t i = 0; i < count; i++) {
        if (points)
            clump_io_laz_encode_integer(&e, integer, i ? (int32_t)points[i - 1] : 0, (int32_t)points[i], TABLE_POINTS);
        clump_io_laz_encode_integer(&e, integer, i ? (int32_t)sizes[i - 1] : 0, (int32_t)sizes[i], TABLE_SIZES);
    }
    clump_io_laz_encoder_end(&e, out);
    free(integer);
    return out->failed ? CLUMP_IO_LAZ_NO_MEMORY : CLUMP_IO_LAZ_DONE;
}
