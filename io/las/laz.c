/* SPDX-License-Identifier: BSD-3-Clause
 *
 * laz.c: finds the chunks of a LAZ file, and decodes one.
 *
 *     LAS header | VLRs | 8 bytes | chunk 0 | chunk 1 | ... | chunk table: bytes, and points, of every chunk
 *
 * A table may lie: its chunks must lie one behind the other in front of the table, and each must be large enough for
 * its points.
 */
#include "las/laz.h"
#include "common/assert.h"
#include "laz/codec.h"

#include <stdlib.h>

/* Points per byte of a chunk, at most. A symbol of a model with s symbols takes (s - 1) / 2^15 x 1.44 bits or more, since
 * every count is at least 1 of at most 2^15. The first symbols of a point, among 64 and three times 33, take 0.007 bits. */
#define LAZ_DENSEST 2048u

/* Bytes that a point takes, at most: a symbol takes 2 bytes, and a record of n bytes has fewer than 2 n + 32 symbols. Chunks
 * may be longer, but what follows their points is not read. */
static size_t most_bytes(const clump_io_laz_layout *layout, size_t points)
{
    return (points + 1) * (4 * layout->record + 64);
}

static clump_status table_failure(const clump_io_laz_frame *f, clump_io_laz_end end)
{
    const clump_io_where *where = &f->source->where;
    if (end == CLUMP_IO_LAZ_NO_MEMORY) return clump_io_no_memory(where, f->chunks * sizeof(clump_io_laz_chunk));
    if (end == CLUMP_IO_LAZ_SHORT)
        return clump_io_fail(where, CLUMP_ERR_IO_TRUNCATED, "byte %zu: the chunk table is not whole", f->table);
    return clump_io_fail(where, CLUMP_ERR_IO_FORMAT, "byte %zu: the chunk table is damaged", f->table);
}

/* Lists the chunks that have points of the file. */
static clump_status list_chunks(const clump_io_laz_frame *f, const uint32_t *points, const uint32_t *sizes,
                                clump_io_laz *laz)
{
    size_t at = f->points + 8;
    uint64_t first = 0;
    for (size_t c = 0; c < f->chunks && first < f->count; c++) {
        const uint64_t claimed = points ? points[c] : f->chunk_size, left = f->count - first;
        const size_t count = (size_t)(claimed < left ? claimed : left);
        if (sizes[c] > f->table - at)
            return clump_io_fail(&f->source->where, CLUMP_ERR_IO_FORMAT,
                                 "byte %zu: chunk %zu has %u bytes, but from byte %zu to the table there are %zu",
                                 f->table, c, sizes[c], at, f->table - at);
        if (count && (sizes[c] < f->layout.record || count > (uint64_t)LAZ_DENSEST * sizes[c]))
            return clump_io_fail(&f->source->where, CLUMP_ERR_IO_FORMAT,
                                 "byte %zu: %zu points are not possible in the %u bytes of chunk %zu", f->table, count,
                                 sizes[c], c);
        CLUMP_ASSERT(at <= f->table && sizes[c] <= f->table - at);
        const size_t most = most_bytes(&f->layout, count), size = sizes[c] < most ? sizes[c] : most;
        if (count) laz->chunks[laz->chunk_count++] = (clump_io_laz_chunk){first, count, at, size};
        if (count > laz->largest) laz->largest = count;
        if (count && size > laz->longest) laz->longest = size;
        first += count;
        at += sizes[c];
    }
    if (first == f->count) return CLUMP_OK;
    return clump_io_fail(&f->source->where, CLUMP_ERR_IO_FORMAT, "byte %zu: the chunks have %llu points, not %llu",
                         f->table, (unsigned long long)first, (unsigned long long)f->count);
}

static clump_status read_chunks(const clump_io_laz_frame *f, clump_io_laz *laz)
{
    const bool variable = f->chunk_size == CLUMP_IO_LAZ_VARIABLE;
    uint32_t *sizes = malloc(f->chunks * sizeof *sizes);
    uint32_t *points = variable ? malloc(f->chunks * sizeof *points) : NULL;
    laz->chunks = malloc(f->chunks * sizeof *laz->chunks);
    clump_io_laz_end end = CLUMP_IO_LAZ_NO_MEMORY;
    if (sizes && laz->chunks && (points || !variable))
        end = clump_io_laz_table_decode(f->source->bytes + f->table, f->source->size - f->table, f->chunks, points,
                                        sizes);
    const clump_status status = end == CLUMP_IO_LAZ_DONE ? list_chunks(f, points, sizes, laz) : table_failure(f, end);
    free(sizes);
    free(points);
    return status;
}

clump_status clump_io_laz_open(const clump_io_source *source, size_t record, clump_io_laz **out)
{
    *out = NULL;
    clump_io_laz_frame f = {.source = source, .layout.record = record};
    CLUMP_IO_TRY(clump_io_laz_frame_read(&f));
    clump_io_laz *laz = calloc(1, sizeof *laz);
    if (!laz) return clump_io_no_memory(&source->where, sizeof *laz);
    laz->layout = f.layout;
    laz->codec = clump_io_laz_codec_of(f.layout.format);
    laz->count = f.count;
    const clump_status status = f.count ? read_chunks(&f, laz) : CLUMP_OK;
    if (status == CLUMP_OK)
        *out = laz;
    else
        clump_io_laz_close(laz);
    return status;
}

void clump_io_laz_close(clump_io_laz *laz)
{
    if (laz) free(laz->chunks);
    free(laz);
}

clump_status clump_io_laz_decode_chunk(const clump_io_laz *laz, size_t c, const unsigned char *bytes, void *memory,
                                       unsigned wanted, unsigned char *records, const clump_io_where *where)
{
    CLUMP_ASSERT(c < laz->chunk_count);
    const clump_io_laz_chunk *chunk = &laz->chunks[c];
    size_t done = 0;
    const clump_io_laz_end end =
        laz->codec->decode(memory, &laz->layout, bytes, chunk->size, chunk->count, wanted, records, &done);
    const unsigned long long at = chunk->first + done, all = laz->count;
    switch (end) {
    case CLUMP_IO_LAZ_DONE:
        return CLUMP_OK;
    case CLUMP_IO_LAZ_NO_MEMORY:
        return clump_io_no_memory(where, chunk->size);
    case CLUMP_IO_LAZ_SHORT:
        return clump_io_fail(where, CLUMP_ERR_IO_TRUNCATED, "the compressed points end at point %llu of %llu", at, all);
    case CLUMP_IO_LAZ_DAMAGED:
        break;
    }
    return clump_io_fail(where, CLUMP_ERR_IO_FORMAT, "the compressed points are damaged near point %llu of %llu", at,
                         all);
}
