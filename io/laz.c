/* SPDX-License-Identifier: BSD-3-Clause
 *
 * laz.c: decodes the points of a LAZ file.
 *
 *     the file:              LAS header | VLRs     | chunks | chunk table | EVLRs
 *     what the decoder gets: header | VLR          | chunks | chunk table | EVLRs
 *
 * The decoder (laz_sandbox.h) needs a whole file. Its header and its one VLR are written here from what
 * laz_frame.c found and checked. So the decoder reads only records and counts that were compared with the
 * size of the file.
 */
#include "laz.h"
#include "laz_frame.h"
#include "laz_sandbox.h"

#include <stdlib.h>
#include <string.h>

/* Limits of the decoder, in bytes and in loop iterations (turns). Measured: 11 MB besides the file and the table; 20
 * kB per extra byte of a point, in two chunks; 630,000 turns to begin a chunk, and 15 to 40 per point. */
#define LAZ_MEMORY       ((size_t)16 << 20)
#define LAZ_MEMORY_LIMIT ((size_t)1 << 31) /* of wasm */
#define LAZ_MEMORY_EXTRA ((size_t)32 << 10)
#define LAZ_MEMORY_CHUNK ((size_t)16)
#define LAZ_TURNS_CHUNK  2000000u
#define LAZ_TURNS_POINT  1000u

struct clump_io_laz {
    clump_io_where where;
    clump_io_sandbox *sandbox; /* null: there are no points */
    uint64_t count, done;      /* points */
    clump_status failure;      /* of an earlier call; no further points can be read */
};

bool clump_io_laz_available(void)
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
    memset(b, 0, head);
    memcpy(b, "LASF", 4);
    put(b + 24, 1, 1), put(b + 25, 4, 1);
    put(b + 94, CLUMP_IO_LAZ_HEADER_SIZE, 2), put(b + 96, head, 4), put(b + 100, 1, 4);
    put(b + 104, f->format | 0x80u, 1), put(b + 105, f->record, 2), put(b + 247, f->count, 8);
    unsigned char *v = b + CLUMP_IO_LAZ_HEADER_SIZE;
    memcpy(v + 2, "laszip encoded", 14);
    put(v + 18, 22204, 2), put(v + 20, CLUMP_IO_LAZ_VLR_SIZE + 6 * f->item_count, 2);
    v += CLUMP_IO_LAZ_VLR_HEAD;
    put(v, f->format < 6 ? 2 : 3, 2), put(v + 12, f->chunk_size, 4), put(v + 32, f->item_count, 2);
    v += CLUMP_IO_LAZ_VLR_SIZE;
    for (size_t i = 0; i < f->item_count; i++, v += 6)
        put(v, f->items[i].type, 2), put(v + 2, f->items[i].size, 2), put(v + 4, f->items[i].version, 2);
    memcpy(b + head, f->source->bytes + f->points, f->source->size - f->points);
    put(b + head, head + (f->table - f->points), 8);
}

static clump_status start(const clump_io_laz_frame *f, clump_io_sandbox **sandbox)
{
    const clump_io_where *where = &f->source->where;
    const size_t head = CLUMP_IO_LAZ_HEADER_SIZE + CLUMP_IO_LAZ_VLR_HEAD + CLUMP_IO_LAZ_VLR_SIZE + 6 * f->item_count;
    const size_t file = head + (f->source->size - f->points);
    const size_t needed = file + LAZ_MEMORY + LAZ_MEMORY_CHUNK * f->chunks + LAZ_MEMORY_EXTRA * f->extra;
    if (file > LAZ_MEMORY_LIMIT || needed > LAZ_MEMORY_LIMIT)
        return clump_io_fail(where, CLUMP_ERR_IO_UNSUPPORTED, "LAZ files of 2 GB and more are not supported");
    /* From format 6 on, the decoder first copies the parts of a chunk side by side. */
    const size_t memory = f->format < 6 ? needed : needed + file;
    const size_t granted = memory < LAZ_MEMORY_LIMIT ? memory : LAZ_MEMORY_LIMIT;
    clump_io_sandbox_end end = clump_io_sandbox_create(granted, sandbox);
    unsigned char *bytes = end == CLUMP_IO_SANDBOX_DONE ? clump_io_sandbox_file(*sandbox, file) : NULL;
    if (!bytes) return clump_io_no_memory(where, granted);
    write_file(f, bytes, head);

    /* A call reads some hundred points, from every chunk that they may be in, and begins one more chunk. */
    const bool variable = f->chunk_size == CLUMP_IO_LAZ_VARIABLE;
    const uint64_t turns_point = LAZ_TURNS_POINT + 32 * f->record + LAZ_TURNS_CHUNK / (variable ? 1 : f->chunk_size);
    clump_io_sandbox_limit(*sandbox, 2 * LAZ_TURNS_CHUNK + 1000 * (uint64_t)f->chunks + 16 * (uint64_t)file,
                           turns_point);
    end = clump_io_sandbox_open(*sandbox, f->record);
    if (end == CLUMP_IO_SANDBOX_DONE) return CLUMP_OK;
    if (end == CLUMP_IO_SANDBOX_SHORT)
        return clump_io_fail(where, CLUMP_ERR_IO_TRUNCATED, "byte %zu: the chunk table is not whole", f->table);
    return clump_io_fail(where, CLUMP_ERR_IO_FORMAT, "byte %zu: the chunk table is damaged", f->table);
}

clump_status clump_io_laz_open(const clump_io_source *source, size_t record, clump_io_laz **out)
{
    *out = NULL;
    clump_io_laz_frame f = {.source = source, .record = record};
    CLUMP_IO_TRY(clump_io_laz_frame_read(&f));
    clump_io_laz *laz = calloc(1, sizeof *laz);
    if (!laz) return clump_io_no_memory(&source->where, sizeof *laz);
    laz->where = source->where;
    laz->count = f.count;
    const clump_status status = f.count ? start(&f, &laz->sandbox) : CLUMP_OK;
    if (status == CLUMP_OK)
        *out = laz;
    else
        clump_io_laz_close(laz);
    return status;
}

clump_status clump_io_laz_read(clump_io_laz *laz, unsigned char *records, size_t count)
{
    const unsigned long long all = laz->count;
    if (laz->failure != CLUMP_OK)
        return clump_io_fail(&laz->where, laz->failure, "nothing can be read behind point %llu",
                             (unsigned long long)laz->done);
    if (count > laz->count - laz->done)
        return laz->failure = CLUMP_IO_TRUNCATED(laz, "there is no point %llu, the header counts %llu", all, all);
    if (!count) return CLUMP_OK;
    size_t done;
    const clump_io_sandbox_end end = clump_io_sandbox_read(laz->sandbox, records, count, &done);
    laz->done += done;
    if (end == CLUMP_IO_SANDBOX_DONE) return CLUMP_OK;
    if (end == CLUMP_IO_SANDBOX_SHORT)
        return laz->failure = CLUMP_IO_TRUNCATED(laz, "the compressed points end at point %llu of %llu",
                                                 (unsigned long long)laz->done, all);
    return laz->failure = CLUMP_IO_DAMAGED(laz, "the compressed points are damaged near point %llu of %llu",
                                           (unsigned long long)laz->done, all);
}

void clump_io_laz_close(clump_io_laz *laz)
{
    if (laz) clump_io_sandbox_destroy(laz->sandbox);
    free(laz);
}
