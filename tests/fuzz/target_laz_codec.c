/* SPDX-License-Identifier: BSD-3-Clause
 *
 * target_laz_codec.c: the fuzz target for chunks of LAZ, below the file around them. Four bytes choose the layout, the rest
 * is taken twice:
 *     as a chunk      any bytes must end in points or in a failure
 *     as records      what is encoded must be decoded to the same records, with all parts or without some
 */
#include "target.h"

#include "laz/codec.h"

#include <stdlib.h>
#include <string.h>

enum { HEAD = 4, POINTS = 5000 };

static clump_io_laz_layout layout_of(const uint8_t *head)
{
    static const struct {
        uint8_t format, size;
    } formats[] = {{0, 20}, {1, 28}, {2, 26}, {3, 34}, {6, 30}, {7, 36}, {8, 38}};
    const unsigned f = head[0] % 7u, extra = head[1] % 9u;
    return (clump_io_laz_layout){.format = formats[f].format,
                                 .version = f < 4 ? 2u : 3u + (head[2] & 1u),
                                 .record = formats[f].size + extra,
                                 .extra = extra};
}

static void decode_any(const clump_io_laz_codec *codec, const clump_io_laz_layout *layout, void *memory,
                       const uint8_t *bytes, size_t size, unsigned wanted)
{
    unsigned char *const records = malloc(POINTS * layout->record);
    size_t done = 0;
    const clump_io_laz_end end = codec->decode(memory, layout, bytes, size, POINTS, wanted, records, &done);
    REQUIRE(end == CLUMP_IO_LAZ_DONE || end == CLUMP_IO_LAZ_SHORT || end == CLUMP_IO_LAZ_DAMAGED);
    REQUIRE(done <= POINTS);
    free(records);
}

static void there_and_back(const clump_io_laz_codec *codec, const clump_io_laz_layout *layout, void *memory,
                           const uint8_t *records, size_t count)
{
    clump_io_laz_bytes chunk = {0};
    size_t done = 0;
    REQUIRE(codec->encode(memory, layout, records, count, &chunk) == CLUMP_IO_LAZ_DONE);
    unsigned char *const back = malloc(count * layout->record), *const bytes = malloc(chunk.size);
    memcpy(bytes, chunk.data, chunk.size); /* exactly its size, so that a sanitizer sees a byte read too far */
    REQUIRE(codec->decode(memory, layout, bytes, chunk.size, count, CLUMP_IO_LAZ_ALL, back, &done) ==
            CLUMP_IO_LAZ_DONE);
    REQUIRE(memcmp(back, records, count * layout->record) == 0);
    REQUIRE(codec->decode(memory, layout, bytes, chunk.size, count, 0, back, &done) == CLUMP_IO_LAZ_DONE);
    for (size_t i = 0; i < count; i++)
        REQUIRE(memcmp(back + i * layout->record, records + i * layout->record, 12) == 0);
    free(back);
    free(bytes);
    clump_io_laz_bytes_free(&chunk);
}

FUZZ_TARGET(laz_codec)
{
    if (size < HEAD) return 0;
    const clump_io_laz_layout layout = layout_of(data);
    const clump_io_laz_codec *const codec = clump_io_laz_codec_of(layout.format);
    void *const memory = malloc(codec->memory(&layout));
    memset(memory, data[3], codec->memory(&layout)); /* its content must not matter */
    const size_t count = (size - HEAD) / layout.record;
    decode_any(codec, &layout, memory, data + HEAD, size - HEAD, data[3] & CLUMP_IO_LAZ_ALL);
    if (count) there_and_back(codec, &layout, memory, data + HEAD, count);
    free(memory);
    return 0;
}
