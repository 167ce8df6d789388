/* SPDX-License-Identifier: BSD-3-Clause
 *
 * oracle.c: decodes the points of a LAZ file with laz-perf.
 *
 *     the file:              LAS header | VLRs     | chunks | chunk table | EVLRs
 *     what the decoder gets: header | VLR          | chunks | chunk table | EVLRs
 *
 * The decoder (sandbox.h) needs a whole file. Its header and its one VLR are written here from what
 * io/las/laz_frame.c found and checked.
 */
#include "oracle.h"
#include "sandbox.h"
#include "las/laz.h"

#include <string.h>

/* Limits of the decoder, in bytes and in loop iterations (turns). Measured: 11 MB besides the file and the table; 20
 * kB per extra byte of a point, in two chunks; 630,000 turns to begin a chunk, and 15 to 40 per point. */
#define LAZ_MEMORY       ((size_t)16 << 20)
#define LAZ_MEMORY_LIMIT ((size_t)1 << 31) /* of wasm */
#define LAZ_MEMORY_EXTRA ((size_t)32 << 10)
#define LAZ_MEMORY_CHUNK ((size_t)16)
#define LAZ_TURNS_CHUNK  2000000u
#define LAZ_TURNS_POINT  1000u
#define LAZ_HEADER_SIZE  375u /* of LAS 1.4 */
#define LAZ_VLR_HEAD     54u

bool lazperf_available(void)
{
    return true;
}

static void put(unsigned char *bytes, uint64_t value, size_t size)
{
    memcpy(bytes, &value, size);
}

/* Writes the file that the decoder reads. */
static void write_file(const clump_io_laz_frame *f, unsigned char *b, size_t head)
{
    clump_io_laz_item items[CLUMP_IO_LAZ_MAX_ITEMS + 1];
    const size_t item_count = clump_io_laz_items(&f->layout, items);
    memset(b, 0, head);
    memcpy(b, "LASF", 4);
    put(b + 24, 1, 1), put(b + 25, 4, 1);
    put(b + 94, LAZ_HEADER_SIZE, 2), put(b + 96, head, 4), put(b + 100, 1, 4);
    put(b + 104, f->layout.format | 0x80u, 1), put(b + 105, f->layout.record, 2), put(b + 247, f->count, 8);
    unsigned char *v = b + LAZ_HEADER_SIZE;
    memcpy(v + 2, "laszip encoded", 14);
    put(v + 18, 22204, 2), put(v + 20, CLUMP_IO_LAZ_VLR_SIZE + 6 * item_count, 2);
    v += LAZ_VLR_HEAD;
    put(v, f->layout.format < 6 ? 2 : 3, 2), put(v + 12, f->chunk_size, 4), put(v + 32, item_count, 2);
    v += CLUMP_IO_LAZ_VLR_SIZE;
    for (size_t i = 0; i < item_count; i++, v += 6)
        put(v, items[i].type, 2), put(v + 2, items[i].size, 2), put(v + 4, items[i].version, 2);
    memcpy(b + head, f->source->bytes + f->points, f->source->size - f->points);
    put(b + head, head + (f->table - f->points), 8);
}

static clump_status start(const clump_io_laz_frame *f, clump_io_sandbox **sandbox)
{
    const clump_io_where *where = &f->source->where;
    clump_io_laz_item items[CLUMP_IO_LAZ_MAX_ITEMS + 1];
    const size_t item_count = clump_io_laz_items(&f->layout, items);
    const size_t head = LAZ_HEADER_SIZE + LAZ_VLR_HEAD + CLUMP_IO_LAZ_VLR_SIZE + 6 * item_count;
    const size_t file = head + (f->source->size - f->points);
    const size_t needed = file + LAZ_MEMORY + LAZ_MEMORY_CHUNK * f->chunks + LAZ_MEMORY_EXTRA * f->layout.extra;
    if (file > LAZ_MEMORY_LIMIT || needed > LAZ_MEMORY_LIMIT)
        return clump_io_fail(where, CLUMP_ERR_IO_UNSUPPORTED, "LAZ files of 2 GB and more are not supported");
    /* From format 6 on, the decoder first copies the parts of a chunk side by side. */
    const size_t memory = f->layout.format < 6 ? needed : needed + file;
    const size_t granted = memory < LAZ_MEMORY_LIMIT ? memory : LAZ_MEMORY_LIMIT;
    clump_io_sandbox_end end = clump_io_sandbox_create(granted, sandbox);
    unsigned char *bytes = end == CLUMP_IO_SANDBOX_DONE ? clump_io_sandbox_file(*sandbox, file) : NULL;
    if (!bytes) return clump_io_no_memory(where, granted);
    write_file(f, bytes, head);

    /* A call reads some hundred points, from every chunk that they may be in, and begins one more chunk. */
    const bool variable = f->chunk_size == CLUMP_IO_LAZ_VARIABLE;
    const uint64_t turns_point =
        LAZ_TURNS_POINT + 32 * f->layout.record + LAZ_TURNS_CHUNK / (variable ? 1 : f->chunk_size);
    clump_io_sandbox_limit(*sandbox, 2 * LAZ_TURNS_CHUNK + 1000 * (uint64_t)f->chunks + 16 * (uint64_t)file,
                           turns_point);
    end = clump_io_sandbox_open(*sandbox, f->layout.record);
    if (end == CLUMP_IO_SANDBOX_DONE) return CLUMP_OK;
    if (end == CLUMP_IO_SANDBOX_SHORT)
        return clump_io_fail(where, CLUMP_ERR_IO_TRUNCATED, "byte %zu: the chunk table is not whole", f->table);
    return clump_io_fail(where, CLUMP_ERR_IO_FORMAT, "byte %zu: the chunk table is damaged", f->table);
}

clump_status lazperf_decode(const clump_io_source *source, size_t record, unsigned char *records, size_t count,
                            size_t *done)
{
    *done = 0;
    clump_io_laz_frame f = {.source = source, .layout.record = record};
    CLUMP_IO_TRY(clump_io_laz_frame_read(&f));
    if (!f.count || !count) return CLUMP_OK;
    clump_io_sandbox *sandbox = NULL;
    clump_status status = start(&f, &sandbox);
    if (status == CLUMP_OK) {
        const clump_io_sandbox_end end = clump_io_sandbox_read(sandbox, records, count, done);
        if (end == CLUMP_IO_SANDBOX_SHORT)
            status = CLUMP_IO_TRUNCATED(source, "laz-perf: the points end at point %zu of %zu", *done, count);
        else if (end != CLUMP_IO_SANDBOX_DONE)
            status = CLUMP_IO_DAMAGED(source, "laz-perf: the points are damaged near point %zu of %zu", *done, count);
    }
    clump_io_sandbox_destroy(sandbox);
    return status;
}
