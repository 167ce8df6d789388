/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pcd_compressed.c: the body of a PCD file with DATA binary_compressed.
 *
 *     uint32 packed size | uint32 size | packed bytes        unpacked:  x x x ... y y y ... z z z ...
 *
 * The body has one array per field, packed as a whole with LZF. Unpacked, it is as large as the cloud. So
 * while it is copied to the cloud, pages that have been copied are returned to the system: both are never
 * in memory completely.
 *
 * PCL's writer leaves padding out. Both sizes, with and without padding, are accepted.
 */
#define _DEFAULT_SOURCE /* madvise */
#include "formats/pcd.h"
#include "common/assert.h"

#ifdef CLUMP_IO_LZF
#include <lzf.h>
enum { HAS_LZF = 1 };
#else /* built without liblzf: never called */
enum { HAS_LZF = 0 };
#define lzf_decompress(in, in_size, out, out_size) (0 * (in_size) * (out_size))
#define lzf_compress(in, in_size, out, out_size)   (0 * (in_size) * (out_size))
#endif
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Three bytes of LZF unpack to at most 264, so a short file cannot make clump take much memory. */
#define LZF_MOST_GROWTH 88

static uint32_t read_u32(const unsigned char *bytes)
{
    uint32_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

static size_t bytes_of(const clump_io_column *c, const clump_io_table *table, size_t i)
{
    CLUMP_ASSERT(i < table->column_count);
    const size_t next = i + 1 < table->column_count ? table->columns[i + 1].offset : table->record;
    return next - c->offset;
}

/* Returns the whole pages within [from, to) to the system. */
static void release(unsigned char *from, unsigned char *to)
{
#ifdef MADV_DONTNEED
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t first = ((uintptr_t)from + page - 1) & ~(page - 1), last = (uintptr_t)to & ~(page - 1);
    if (last > first) madvise((void *)first, last - first, MADV_DONTNEED);
#else
    (void)from, (void)to;
#endif
}

/* Copies one array per field to the columns. All fields advance together, CLUMP_IO_STRETCH points at a time. */
static void copy_arrays(const clump_io_source *source, const clump_io_table *table, unsigned char *unpacked,
                        size_t points, bool padded)
{
    for (size_t first = 0; first < points; first += CLUMP_IO_STRETCH) {
        const size_t left = points - first, now = left < CLUMP_IO_STRETCH ? left : CLUMP_IO_STRETCH;
        unsigned char *array = unpacked;
        for (size_t i = 0; i < table->column_count; i++) {
            const clump_io_column *c = &table->columns[i];
            const size_t bytes = bytes_of(c, table, i);
            if (c->skip && !padded) continue;
            clump_io_column_read(table, c, array + first * bytes, bytes, first, now);
            release(array + first * bytes, array + (first + now) * bytes);
            array += points * bytes;
        }
        if (left > now) clump_io_report(&source->progress, first + now, points);
    }
}

/* Computes the unpacked size from the header, with and without padding. False: overflow. */
static bool expected_sizes(const clump_io_pcd_header *header, size_t *padded, size_t *bare)
{
    size_t record = header->table.record;
    for (size_t i = 0; i < header->table.column_count; i++)
        if (header->table.columns[i].skip) record -= bytes_of(&header->table.columns[i], &header->table, i);
    return clump_io_multiply(header->points, header->table.record, padded) &&
           clump_io_multiply(header->points, record, bare);
}

static clump_status check(const clump_io_source *source, const clump_io_pcd_header *header, bool *padded)
{
    const size_t left = source->size - header->data_offset;
    const clump_io_where *where = &source->where;
    if (left < 8)
        return clump_io_fail(where, CLUMP_ERR_IO_TRUNCATED,
                             "byte %zu: %zu bytes where the two sizes of the compressed points should be",
                             header->data_offset, left);
    const size_t packed = read_u32(source->bytes + header->data_offset);
    const size_t size = read_u32(source->bytes + header->data_offset + 4);
    if (packed > left - 8)
        return clump_io_fail(where, CLUMP_ERR_IO_TRUNCATED,
                             "byte %zu: %zu bytes of compressed points are announced, %zu are there",
                             header->data_offset, packed, left - 8);
    size_t with, without;
    if (!expected_sizes(header, &with, &without) || (size != with && size != without))
        return clump_io_fail(where, CLUMP_ERR_IO_FORMAT,
                             "byte %zu: the compressed points unpack to %zu bytes, but POINTS is %zu of %zu bytes each",
                             header->data_offset + 4, size, header->points, header->table.record);
    if (size / LZF_MOST_GROWTH > packed)
        return clump_io_fail(where, CLUMP_ERR_IO_FORMAT, "byte %zu: %zu compressed bytes cannot unpack to %zu",
                             header->data_offset, packed, size);
    *padded = size == with;
    return CLUMP_OK;
}

clump_status clump_io_pcd_read_compressed(const clump_io_source *source, clump_io_pcd_header *header,
                                          clump_cloud *cloud)
{
    if (header->points == 0) return clump_io_table_prepare(&source->where, &header->table, cloud, 0);
    bool padded = false;
    CLUMP_IO_TRY(check(source, header, &padded));
    if (!HAS_LZF)
        return CLUMP_IO_UNSUPPORTED(
            source, "compressed PCD cannot be read: clump was built without liblzf (Debian: liblzf-dev)");
    const unsigned char *packed = source->bytes + header->data_offset + 8;
    const uint32_t packed_size = read_u32(packed - 8), size = read_u32(packed - 4);
    unsigned char *unpacked = clump_io_allocate(size);
    if (!unpacked) return clump_io_no_memory(&source->where, size);
    const unsigned got = lzf_decompress(packed, packed_size, unpacked, size);
    clump_status status = CLUMP_OK;
    if (got != size)
        status = CLUMP_IO_DAMAGED(source, "byte %zu: the compressed points are damaged: they unpack to %u of %u bytes",
                                  header->data_offset + 8, got, (unsigned)size);
    if (status == CLUMP_OK) status = clump_io_table_prepare(&source->where, &header->table, cloud, header->points);
    if (status == CLUMP_OK) copy_arrays(source, &header->table, unpacked, header->points, padded);
    free(unpacked);
    if (status == CLUMP_OK) clump_io_pcd_note_rest(source, header->data_offset + 8 + packed_size, cloud);
    return status;
}

/* --- writing -------------------------------------------------------------------------------- */

/* LZF has no header and no end mark: packed pieces, concatenated, unpack as a whole. So only one piece of the unpacked
 * bytes is in memory at a time. */
enum { LZF_PIECE = 1 << 18, LZF_LITERALS = 32, LZF_SPARE = LZF_PIECE / LZF_LITERALS + 64 };

typedef struct packer {
    unsigned char piece[LZF_PIECE];
    size_t used;
    unsigned char *packed;
    size_t size, capacity;
    bool failed; /* no memory */
} packer;

static bool make_room(packer *p, size_t more)
{
    if (p->capacity - p->size >= more) return true;
    const size_t capacity = 2 * p->capacity + more;
    unsigned char *grown = realloc(p->packed, capacity);
    if (!grown) return false;
    p->packed = grown;
    p->capacity = capacity;
    return true;
}

/* Packs the piece. A piece that does not get smaller is stored: a byte n - 1, then n bytes, n up to 32. */
static void flush_piece(packer *p)
{
    if (p->used == 0 || p->failed) return;
    p->failed = !make_room(p, LZF_PIECE + LZF_SPARE);
    if (p->failed) return;
    const unsigned got = lzf_compress(p->piece, (unsigned)p->used, p->packed + p->size, (unsigned)p->used);
    p->size += got;
    for (size_t i = 0; !got && i < p->used; i += LZF_LITERALS) {
        const size_t left = p->used - i, now = left < LZF_LITERALS ? left : LZF_LITERALS;
        CLUMP_ASSERT(now >= 1 && now <= LZF_LITERALS);
        p->packed[p->size++] = (unsigned char)(now - 1);
        memcpy(p->packed + p->size, p->piece + i, now);
        p->size += now;
    }
    p->used = 0;
}

static void pack(packer *p, const void *bytes, size_t size)
{
    const unsigned char *from = bytes;
    while (size && !p->failed) {
        const size_t room = LZF_PIECE - p->used, now = size < room ? size : room;
        memcpy(p->piece + p->used, from, now);
        p->used += now;
        from += now;
        size -= now;
        if (p->used == LZF_PIECE) flush_piece(p);
    }
}

static void pack_cloud(packer *p, const clump_io_output *output)
{
    const clump_cloud *cloud = output->cloud;
    const bool wide = clump_io_is_wide(cloud);
    for (int a = 0; a < 3; a++) {
        for (size_t i = 0; i < cloud->count; i++) {
            const double fine = wide ? clump_io_coordinate(cloud, i, a) : 0;
            if (wide)
                pack(p, &fine, sizeof fine);
            else
                pack(p, &cloud->xyz[3 * i + (size_t)a], sizeof(float));
        }
        clump_io_report(&output->progress, (size_t)a + 1, 3 + output->field_count);
    }
    for (size_t f = 0; f < output->field_count; f++) {
        const clump_field *field = &output->fields[f];
        pack(p, field->data, cloud->count * field->count * clump_type_size(field->type));
        clump_io_report(&output->progress, 4 + f, 3 + output->field_count);
    }
    flush_piece(p);
}

clump_status clump_io_pcd_put_compressed(const clump_io_output *output, clump_io_sink *sink)
{
    size_t record = clump_io_is_wide(output->cloud) ? 24 : 12, size;
    for (size_t f = 0; f < output->field_count; f++)
        record += output->fields[f].count * clump_type_size(output->fields[f].type);
    if (!clump_io_multiply(record, output->cloud->count, &size) || size > UINT32_MAX)
        return CLUMP_IO_UNSUPPORTED(output, "a compressed PCD holds at most 4 GiB of points; write it binary");
    packer *p = calloc(1, sizeof *p);
    if (!p) return clump_io_no_memory(&output->where, sizeof *p);
    pack_cloud(p, output);
    clump_status status = CLUMP_OK;
    if (p->failed)
        status = clump_io_no_memory(&output->where, p->capacity);
    else if (p->size > UINT32_MAX)
        status = CLUMP_IO_UNSUPPORTED(output, "the points take more than 4 GiB when compressed; write them binary");
    const uint32_t sizes[2] = {(uint32_t)p->size, (uint32_t)size};
    if (status == CLUMP_OK) {
        clump_io_put(sink, sizes, sizeof sizes);
        clump_io_put(sink, p->packed, p->size);
    }
    free(p->packed);
    free(p);
    return status;
}
