/* SPDX-License-Identifier: BSD-3-Clause
 *
 * laz_frame.c: reads what surrounds the compressed points of a LAZ file.
 *
 *     LAS header | VLRs, one of them "laszip encoded" | where the table is | chunks | chunk table
 *                  compressor, chunk size, items        8 bytes             points   how many, ...
 *
 * Every size and offset is compared with the size of the file, and the VLR with the point format.
 */
#include "las/laz.h"

#include "common/assert.h"

#include <string.h>

#define LAZ_MAX_EXTRA   1024u /* extra bytes of a point: a decoder needs about 1 kB for each */
#define LAZ_HEADER_SIZE 375u  /* of LAS 1.4 */
#define LAZ_VLR_HEAD    54u

static uint64_t get(const unsigned char *bytes, size_t size)
{
    CLUMP_ASSERT(size <= 8);
    uint64_t value = 0;
    memcpy(&value, bytes, size);
    return value;
}

static clump_status read_header(clump_io_laz_frame *f)
{
    const unsigned char *b = f->source->bytes;
    const clump_io_where *where = &f->source->where;
    const size_t size = f->source->size;
    if (size < 227 || (b[25] >= 4 && size < LAZ_HEADER_SIZE))
        return clump_io_fail(where, CLUMP_ERR_IO_TRUNCATED, "the LAS header ends at byte %zu", size);
    if (memcmp(b, "LASF", 4) != 0) return clump_io_fail(where, CLUMP_ERR_IO_FORMAT, "byte 0: no LAS file");
    f->points = (size_t)get(b + 96, 4);
    const unsigned format = f->layout.format = b[104] & 0x3f;
    f->count = b[25] >= 4 ? get(b + 247, 8) : 0;
    if (!f->count) f->count = get(b + 107, 4);
    if (!(b[104] & 0xc0)) return clump_io_fail(where, CLUMP_ERR_IO_FORMAT, "byte 104: the points are not compressed");
    if ((b[104] & 0xc0) != 0x80)
        return clump_io_fail(where, CLUMP_ERR_IO_UNSUPPORTED, "byte 104: the points are compressed by an old LASzip");
    if (format > 10) return clump_io_fail(where, CLUMP_ERR_IO_FORMAT, "byte 104: no point format %u", format);
    if (!clump_io_laz_codec_of(format))
        return clump_io_fail(where, CLUMP_ERR_IO_UNSUPPORTED,
                             "point format %u has waveforms, which are not supported in a LAZ file", format);
    return CLUMP_OK;
}

/* Computes the extra bytes of a point. */
static clump_status read_layout(clump_io_laz_frame *f)
{
    clump_io_laz_layout *l = &f->layout;
    clump_io_laz_item items[CLUMP_IO_LAZ_MAX_ITEMS];
    size_t sum = 0;
    for (size_t count = clump_io_laz_items_of(l->format, items), i = 0; i < count; i++) sum += items[i].size;
    if (l->record < sum)
        return CLUMP_IO_DAMAGED(f->source, "points of format %u have %zu bytes, not %zu", l->format, sum, l->record);
    if (l->record > sum + LAZ_MAX_EXTRA)
        return CLUMP_IO_UNSUPPORTED(f->source, "points of %zu bytes are not supported in a LAZ file, only up to %zu",
                                    l->record, sum + LAZ_MAX_EXTRA);
    l->extra = l->record - sum;
    l->version = clump_io_laz_compressor(l->format);
    return CLUMP_OK;
}

/* Returns the offset of the data of the VLR "laszip encoded"; 0 if there is none in front of the points. Each iteration
 * takes 54 bytes of the file, so the claimed number of records is harmless. */
static size_t find_vlr(const clump_io_laz_frame *f, size_t *vlr_size)
{
    const unsigned char *b = f->source->bytes;
    const size_t size = f->points < f->source->size ? f->points : f->source->size;
    size_t at = (size_t)get(b + 94, 2);
    for (uint64_t left = get(b + 100, 4); left && at <= size && size - at >= LAZ_VLR_HEAD; left--) {
        const unsigned char *head = b + at;
        at += LAZ_VLR_HEAD;
        *vlr_size = (size_t)get(head + 20, 2);
        if (memcmp(head + 2, CLUMP_IO_LAZ_VLR_USER, sizeof CLUMP_IO_LAZ_VLR_USER) == 0 &&
            get(head + 18, 2) == CLUMP_IO_LAZ_VLR_ID)
            return *vlr_size <= size - at ? at : 0;
        at += *vlr_size;
    }
    return 0;
}

/* Compares the items of the VLR with those of the point format. Layered points have items of version 3 or 4. */
static clump_status compare_items(clump_io_laz_frame *f, size_t at)
{
    const clump_io_where *where = &f->source->where;
    const unsigned char *v = f->source->bytes + at, *p = v + CLUMP_IO_LAZ_VLR_SIZE;
    clump_io_laz_item items[CLUMP_IO_LAZ_MAX_ITEMS + 1];
    if (f->layout.format >= 6 && get(v + 32, 2) && get(p + 4, 2) == 4) f->layout.version = 4;
    const size_t count = clump_io_laz_items(&f->layout, items);
    bool same = f->chunk_size > 0 && get(v + 32, 2) == count;
    for (size_t i = 0; same && i < count; i++, p += 6) {
        same = get(p, 2) == items[i].type && get(p + 2, 2) == items[i].size;
        if (same && get(p + 4, 2) != items[i].version)
            return clump_io_fail(where, CLUMP_ERR_IO_UNSUPPORTED,
                                 "byte %zu: version %u of compressed item %u is not supported, only %u", at,
                                 (unsigned)get(p + 4, 2), items[i].type, items[i].version);
    }
    if (same) return CLUMP_OK;
    return clump_io_fail(where, CLUMP_ERR_IO_FORMAT,
                         "byte %zu: the record \"laszip encoded\" does not fit points of format %u and %zu bytes", at,
                         f->layout.format, f->layout.record);
}

static clump_status read_vlr(clump_io_laz_frame *f)
{
    const clump_io_where *where = &f->source->where;
    size_t vlr_size = 0;
    const size_t at = find_vlr(f, &vlr_size);
    const unsigned char *v = f->source->bytes + at;
    if (!at || vlr_size < CLUMP_IO_LAZ_VLR_SIZE || vlr_size - CLUMP_IO_LAZ_VLR_SIZE < 6 * get(v + 32, 2))
        return clump_io_fail(where, CLUMP_ERR_IO_FORMAT, "no whole record \"laszip encoded\" in front of the points");
    const unsigned compressor = (unsigned)get(v, 2), coder = (unsigned)get(v + 2, 2);
    if (compressor == 1)
        return clump_io_fail(where, CLUMP_ERR_IO_UNSUPPORTED,
                             "byte %zu: the points are compressed by LASzip 1 (compressor 1, without chunks), which is "
                             "not supported; a newer laszip or PDAL can write the file anew",
                             at);
    if (compressor != clump_io_laz_compressor(f->layout.format) || coder != 0)
        return clump_io_fail(where, CLUMP_ERR_IO_UNSUPPORTED,
                             "byte %zu: compressor %u with coder %u is not supported for point format %u", at,
                             compressor, coder, f->layout.format);
    f->chunk_size = (uint32_t)get(v + 12, 4);
    return compare_items(f, at);
}

static clump_status read_table(clump_io_laz_frame *f)
{
    const unsigned char *b = f->source->bytes;
    const clump_io_where *where = &f->source->where;
    const size_t size = f->source->size;
    if (f->points > size || size - f->points < 8)
        return clump_io_fail(where, CLUMP_ERR_IO_TRUNCATED, "the points begin at byte %zu, the file ends at byte %zu",
                             f->points, size);
    CLUMP_IO_TRY(clump_io_require(f->source, f->points, f->points + 8));
    uint64_t table = get(b + f->points, 8);
    if (table == UINT64_MAX) { /* a writer that could not seek back puts the offset at the end */
        CLUMP_IO_TRY(clump_io_require(f->source, size - 8, size));
        table = get(b + size - 8, 8);
    }
    if (table > size || size - table < 8)
        return clump_io_fail(where, CLUMP_ERR_IO_TRUNCATED,
                             "the chunk table is at byte %llu, the file ends at byte %zu", (unsigned long long)table,
                             size);
    if (table >= f->points + 8) CLUMP_IO_TRY(clump_io_require(f->source, (size_t)table, size));
    if (table < f->points + 8 || get(b + table, 4) != 0)
        return clump_io_fail(where, CLUMP_ERR_IO_FORMAT, "byte %zu: no chunk table", (size_t)table);
    f->table = (size_t)table;
    f->chunks = (uint32_t)get(b + f->table + 4, 4);
    /* A chunk begins with a point that is not compressed. */
    if (f->chunks > (f->table - f->points - 8) / f->layout.record)
        return clump_io_fail(where, CLUMP_ERR_IO_FORMAT, "byte %zu: %u chunks are not possible in %zu bytes", f->table,
                             f->chunks, f->table - f->points - 8);
    if (f->chunks == 0 || (f->chunk_size != CLUMP_IO_LAZ_VARIABLE && f->count > (uint64_t)f->chunks * f->chunk_size))
        return clump_io_fail(where, CLUMP_ERR_IO_FORMAT, "byte %zu: too few chunks, %u, for %llu points", f->table,
                             f->chunks, (unsigned long long)f->count);
    return CLUMP_OK;
}

clump_status clump_io_laz_frame_read(clump_io_laz_frame *f)
{
    CLUMP_IO_TRY(read_header(f));
    CLUMP_IO_TRY(read_layout(f));
    if (!f->count) return CLUMP_OK;
    if (f->points <= f->source->size) CLUMP_IO_TRY(clump_io_require(f->source, 0, f->points));
    CLUMP_IO_TRY(read_vlr(f));
    return read_table(f);
}
