/* SPDX-License-Identifier: BSD-3-Clause
 *
 * laz_sink.c: the file around the compressed chunks. laz_pack.c compresses them.
 */
#include "las/laz_sink.h"
#include "common/assert.h"
#include "las/las.h"
#include "laz/codec.h"

#include <stdlib.h>

struct clump_io_laz_sink {
    clump_io_where where;
    clump_io_sink *sink;
    clump_io_laz_layout layout;
    clump_io_laz_packing *packing;
    bool patches;         /* the header can be written last; else `held` has all bytes behind it */
    unsigned char *head;  /* of the LAZ file */
    size_t head_size;     /* the points begin here: 8 bytes, then the chunks */
    size_t las_points;    /* byte of the points in the LAS file */
    uint64_t count;       /* points */
    uint64_t chunk_bytes; /* of all chunks */
    uint32_t *sizes;      /* bytes of each chunk */
    size_t chunks, capacity;
    clump_io_laz_bytes held;
    bool failed; /* no memory */
};

/* --- what can be written ---------------------------------------------------------------------- */

clump_status clump_io_laz_can_hold(const clump_io_where *where, unsigned format, size_t record)
{
    if (!clump_io_laz_codec_of(format))
        return clump_io_fail(where, CLUMP_ERR_IO_UNSUPPORTED,
                             "point format %u has waveforms, which LAZ files are not written with; write .las", format);
    const size_t most = clump_io_las_base(format) + CLUMP_IO_LAZ_MAX_EXTRA;
    if (record > most)
        return clump_io_fail(where, CLUMP_ERR_IO_UNSUPPORTED,
                             "a point has %zu bytes; a LAZ file can have %zu of this point format; write .las", record,
                             most);
    return CLUMP_OK;
}

/* --- the head --------------------------------------------------------------------------------- */

/* Returns the byte behind the last VLR; 0: the head makes no sense. */
static size_t vlr_end(const unsigned char *head, size_t size)
{
    CLUMP_ASSERT(size >= CLUMP_IO_LAS_SIZE_1_2);
    size_t at = clump_io_las_u16(head + CLUMP_IO_LAS_HEADER_SIZE);
    for (uint32_t left = clump_io_las_u32(head + CLUMP_IO_LAS_VLRS); left; left--) {
        if (at > size || size - at < CLUMP_IO_LAS_VLR_HEAD) return 0;
        at += CLUMP_IO_LAS_VLR_HEAD + clump_io_las_u16(head + at + 20);
    }
    return at <= size ? at : 0;
}

/* Appends the VLR "laszip encoded". */
static void add_vlr(const clump_io_laz_layout *layout, unsigned minor, clump_io_laz_bytes *out)
{
    unsigned char vlr[CLUMP_IO_LAS_VLR_HEAD] = {0};
    const size_t at = out->size;
    if (minor == 0) clump_io_las_put(vlr, 0, 0xaabb, 2); /* a signature, in LAS 1.0 */
    memcpy(vlr + 2, CLUMP_IO_LAZ_VLR_USER, sizeof CLUMP_IO_LAZ_VLR_USER - 1);
    clump_io_las_put(vlr, 18, CLUMP_IO_LAZ_VLR_ID, 2);
    memcpy(vlr + 22, "compression of the points", 25);
    clump_io_laz_bytes_add(out, vlr, sizeof vlr);
    clump_io_laz_vlr_write(layout, CLUMP_IO_LAZ_CHUNK_POINTS, out);
    const size_t data = out->size - at - sizeof vlr;
    CLUMP_ASSERT(out->failed || data == CLUMP_IO_LAZ_VLR_SIZE + 6u * out->data[at + sizeof vlr + 32]);
    if (!out->failed) clump_io_las_put(out->data, at + 20, data, 2);
}

/* Sets what a LAZ header has and the LAS header has not. */
static void mark_compressed(clump_io_laz_sink *laz, uint32_t vlrs)
{
    laz->head[CLUMP_IO_LAS_FORMAT] |= 0x80;
    clump_io_las_put(laz->head, CLUMP_IO_LAS_POINTS, laz->head_size, 4);
    clump_io_las_put(laz->head, CLUMP_IO_LAS_VLRS, vlrs, 4);
}

static clump_status make_head(clump_io_laz_sink *laz, const unsigned char *head, size_t size)
{
    const size_t end = size >= CLUMP_IO_LAS_SIZE_1_2 ? vlr_end(head, size) : 0;
    if (!end) return clump_io_fail(&laz->where, CLUMP_ERR_INTERNAL, "the head of the LAS file is damaged");
    clump_io_laz_bytes bytes = {0};
    clump_io_laz_bytes_add(&bytes, head, end);
    add_vlr(&laz->layout, head[CLUMP_IO_LAS_VERSION + 1], &bytes);
    clump_io_laz_bytes_add(&bytes, head + end, size - end);
    laz->head = bytes.data;
    laz->head_size = bytes.size;
    laz->las_points = size;
    if (bytes.failed) return clump_io_no_memory(&laz->where, size);
    if (laz->head_size > UINT32_MAX)
        return clump_io_fail(&laz->where, CLUMP_ERR_IO_UNSUPPORTED,
                             "the points would begin at byte %zu, behind the 4 GB that LAS can tell", laz->head_size);
    mark_compressed(laz, clump_io_las_u32(head + CLUMP_IO_LAS_VLRS) + 1);
    return CLUMP_OK;
}

/* --- the chunks ------------------------------------------------------------------------------- */

/* Writes bytes behind the head, now or at the end. */
static void put_behind(clump_io_laz_sink *laz, const void *bytes, size_t size)
{
    if (laz->patches)
        clump_io_put(laz->sink, bytes, size);
    else
        clump_io_laz_bytes_add(&laz->held, bytes, size);
}

static void take_chunk(void *user, const unsigned char *chunk, size_t size)
{
    clump_io_laz_sink *const laz = user;
    if (laz->chunks == laz->capacity) {
        const size_t capacity = laz->capacity ? 2 * laz->capacity : 256;
        uint32_t *sizes = realloc(laz->sizes, capacity * sizeof *sizes);
        if (!sizes) laz->failed = true;
        if (laz->failed) return;
        laz->sizes = sizes;
        laz->capacity = capacity;
    }
    CLUMP_ASSERT(laz->chunks < laz->capacity && size <= UINT32_MAX);
    laz->sizes[laz->chunks++] = (uint32_t)size; /* 50,000 points of at most 1,100 bytes */
    laz->chunk_bytes += size;
    put_behind(laz, chunk, size);
}

static bool has_failed(const clump_io_laz_sink *laz)
{
    return laz->failed || laz->held.failed;
}

clump_status clump_io_laz_sink_open(const clump_io_where *where, clump_io_sink *sink, const unsigned char *head,
                                    size_t size, int threads, clump_io_laz_sink **out)
{
    static const uint64_t later = UINT64_MAX;
    *out = NULL;
    const unsigned format = head[CLUMP_IO_LAS_FORMAT];
    const size_t record = clump_io_las_u16(head + CLUMP_IO_LAS_RECORD);
    CLUMP_IO_TRY(clump_io_laz_can_hold(where, format, record));
    CLUMP_ASSERT(record >= clump_io_las_base(format));
    clump_io_laz_sink *laz = calloc(1, sizeof *laz);
    if (!laz) return clump_io_no_memory(where, sizeof *laz);
    laz->where = *where;
    laz->sink = sink;
    laz->patches = clump_io_sink_patches(sink);
    laz->layout = (clump_io_laz_layout){
        .format = format, .version = format < 6 ? 2 : 3, .record = record, .extra = record - clump_io_las_base(format)};
    clump_status status = make_head(laz, head, size);
    if (status == CLUMP_OK) laz->packing = clump_io_laz_packing_open(&laz->layout, threads, take_chunk, laz);
    if (status == CLUMP_OK && !laz->packing) status = clump_io_no_memory(where, CLUMP_IO_LAZ_CHUNK_POINTS * record);
    if (status != CLUMP_OK) {
        clump_io_laz_sink_abandon(laz);
        return status;
    }
    if (laz->patches) clump_io_put(sink, laz->head, laz->head_size);
    put_behind(laz, &later, sizeof later);
    *out = laz;
    return CLUMP_OK;
}

clump_status clump_io_laz_sink_add(clump_io_laz_sink *laz, const unsigned char *records, size_t count)
{
    laz->count += count;
    if (clump_io_laz_packing_add(laz->packing, records, count) && !has_failed(laz)) return CLUMP_OK;
    return clump_io_no_memory(&laz->where, CLUMP_IO_LAZ_CHUNK_POINTS * laz->layout.record);
}

/* --- the end ---------------------------------------------------------------------------------- */

/* Moves the offset of an EVLR or of waveforms from the tail of the LAS file to that of the LAZ file. */
static void move_place(const clump_io_laz_sink *laz, size_t at, uint64_t tail, size_t tail_size)
{
    const uint64_t place = clump_io_las_u64(laz->head + at);
    const uint64_t las_tail = laz->las_points + laz->count * laz->layout.record;
    if (place < las_tail || place - las_tail > tail_size || !tail_size) return;
    clump_io_las_put(laz->head, at, tail + (place - las_tail), 8);
}

/* The header of close, with the offsets of the LAZ file. tail: its byte. */
static void finish_head(clump_io_laz_sink *laz, const unsigned char *head, uint64_t tail, size_t tail_size)
{
    const uint32_t vlrs = clump_io_las_u32(laz->head + CLUMP_IO_LAS_VLRS);
    const size_t header = clump_io_las_u16(laz->head + CLUMP_IO_LAS_HEADER_SIZE);
    CLUMP_ASSERT(header <= laz->head_size);
    if (head) memcpy(laz->head, head, header);
    mark_compressed(laz, vlrs);
    const unsigned minor = laz->head[CLUMP_IO_LAS_VERSION + 1];
    if (minor >= 3) move_place(laz, CLUMP_IO_LAS_WAVEFORMS, tail, tail_size);
    if (minor >= 4 && clump_io_las_u32(laz->head + CLUMP_IO_LAS_EVLR_COUNT))
        move_place(laz, CLUMP_IO_LAS_EVLRS, tail, tail_size);
}

/* Writes the table and the tail, then what is known only now. */
static void put_end(clump_io_laz_sink *laz, const clump_io_laz_bytes *table, const unsigned char *head,
                    const unsigned char *tail, size_t tail_size)
{
    const uint64_t place = laz->head_size + 8 + laz->chunk_bytes;
    finish_head(laz, head, place + table->size, tail_size);
    if (laz->patches) {
        clump_io_put(laz->sink, table->data, table->size);
        clump_io_put(laz->sink, tail, tail_size);
        clump_io_sink_patch(laz->sink, laz->head_size, &place, sizeof place);
        clump_io_sink_patch(laz->sink, 0, laz->head, laz->head_size);
        return;
    }
    memcpy(laz->held.data, &place, sizeof place);
    clump_io_put(laz->sink, laz->head, laz->head_size);
    clump_io_put(laz->sink, laz->held.data, laz->held.size);
    clump_io_put(laz->sink, table->data, table->size);
    clump_io_put(laz->sink, tail, tail_size);
}

clump_status clump_io_laz_sink_close(clump_io_laz_sink *laz, const unsigned char *head, const unsigned char *tail,
                                     size_t tail_size)
{
    const clump_io_where where = laz->where;
    clump_io_laz_bytes table = {0};
    bool sound = clump_io_laz_packing_close(laz->packing, true) && !has_failed(laz);
    laz->packing = NULL;
    sound = sound && clump_io_laz_table_encode(NULL, laz->sizes, laz->chunks, &table) == CLUMP_IO_LAZ_DONE;
    if (sound) put_end(laz, &table, head, tail, tail_size);
    clump_io_laz_bytes_free(&table);
    clump_io_laz_sink_abandon(laz);
    return sound ? CLUMP_OK : clump_io_no_memory(&where, 0);
}

void clump_io_laz_sink_abandon(clump_io_laz_sink *laz)
{
    if (!laz) return;
    clump_io_laz_packing_close(laz->packing, false);
    clump_io_laz_bytes_free(&laz->held);
    free(laz->head);
    free(laz->sizes);
    free(laz);
}
