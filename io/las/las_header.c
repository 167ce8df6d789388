/* SPDX-License-Identifier: BSD-3-Clause
 *
 * las_header.c: the header of a LAS or LAZ file, and the records before and behind the points.
 *
 *     VLR    u16 reserved, char user[16], u16 id, u16 size, char description[32], then size bytes
 *     EVLR   likewise with u64 size; behind the points, LAS 1.4
 *
 * VLRs lie between header and points. A file with a VLR that reaches further has a wrong size of it or a
 * wrong offset of the points, and is refused. A count of VLRs that is too high does not affect the points, nor
 * does data behind them that is cut or misplaced: each becomes a note.
 */
#include "las/las.h"

#include "common/assert.h"

#include <math.h>

static bool has_signature(const unsigned char *bytes, size_t size)
{
    return size >= 4 && memcmp(bytes, "LASF", 4) == 0;
}

/* LASzip sets bit 7; before its version 2 it set bit 6, or both. */
bool clump_io_las_sniff_compressed(const unsigned char *bytes, size_t size)
{
    return has_signature(bytes, size) && size > CLUMP_IO_LAS_FORMAT && bytes[CLUMP_IO_LAS_FORMAT] & 0xc0;
}

bool clump_io_las_sniff(const unsigned char *bytes, size_t size)
{
    return has_signature(bytes, size) && !clump_io_las_sniff_compressed(bytes, size);
}

bool clump_io_las_is_vlr(const unsigned char *vlr, const char *user, unsigned id)
{
    char name[17] = {0};
    memcpy(name, vlr + 2, 16);
    return strcmp(name, user) == 0 && clump_io_las_u16(vlr + 18) == id;
}

static clump_status read_format(const clump_io_source *source, clump_io_las_header *h)
{
    const unsigned char *b = source->bytes;
    if (b[CLUMP_IO_LAS_VERSION] != 1 || b[CLUMP_IO_LAS_VERSION + 1] > 4)
        return CLUMP_IO_UNSUPPORTED(source, "byte %d: LAS version %u.%u is not 1.0 to 1.4", CLUMP_IO_LAS_VERSION,
                                    b[CLUMP_IO_LAS_VERSION], b[CLUMP_IO_LAS_VERSION + 1]);
    h->minor = b[CLUMP_IO_LAS_VERSION + 1];
    h->format = b[CLUMP_IO_LAS_FORMAT] & 0x3fu;
    h->compressed = b[CLUMP_IO_LAS_FORMAT] & 0x80u;
    if (b[CLUMP_IO_LAS_FORMAT] & 0x40u)
        return CLUMP_IO_UNSUPPORTED(
            source, "byte %d: point format %u: compressed by a LASzip before version 2, which is not supported",
            CLUMP_IO_LAS_FORMAT, b[CLUMP_IO_LAS_FORMAT]);
    if (h->format > 10)
        return CLUMP_IO_UNSUPPORTED(source, "byte %d: point format %u is not 0 to 10", CLUMP_IO_LAS_FORMAT, h->format);
    h->record = clump_io_las_u16(b + CLUMP_IO_LAS_RECORD);
    const size_t least = clump_io_las_base(h->format);
    if (h->record < least)
        return CLUMP_IO_DAMAGED(source, "byte %d: a point has %zu bytes, but point format %u needs %zu",
                                CLUMP_IO_LAS_RECORD, h->record, h->format, least);
    return CLUMP_OK;
}

static clump_status read_places(const clump_io_source *source, clump_io_las_header *h)
{
    const unsigned char *b = source->bytes;
    const size_t least = h->minor < 3    ? CLUMP_IO_LAS_SIZE_1_2
                         : h->minor == 3 ? CLUMP_IO_LAS_SIZE_1_3
                                         : CLUMP_IO_LAS_SIZE_1_4;
    h->size = clump_io_las_u16(b + CLUMP_IO_LAS_HEADER_SIZE);
    h->points = clump_io_las_u32(b + CLUMP_IO_LAS_POINTS);
    if (h->size < least)
        return CLUMP_IO_DAMAGED(source, "byte %d: the header has %zu bytes, but LAS 1.%u needs %zu",
                                CLUMP_IO_LAS_HEADER_SIZE, h->size, h->minor, least);
    if (h->size > source->size)
        return CLUMP_IO_TRUNCATED(source, "byte %d: the header has %zu bytes, but the file has %zu",
                                  CLUMP_IO_LAS_HEADER_SIZE, h->size, source->size);
    if (h->points < h->size)
        return CLUMP_IO_DAMAGED(source, "byte %d: the points begin at byte %zu, inside the header of %zu bytes",
                                CLUMP_IO_LAS_POINTS, h->points, h->size);
    if (h->points > source->size)
        return CLUMP_IO_TRUNCATED(source, "byte %d: the points begin at byte %zu, but the file has %zu bytes",
                                  CLUMP_IO_LAS_POINTS, h->points, source->size);
    return CLUMP_OK;
}

/* Walks the VLRs. A count that is too high becomes a note: what is between header and points is known without it. */
static clump_status walk_vlrs(const clump_io_source *source, clump_io_las_header *h, clump_cloud *cloud)
{
    const uint32_t announced = clump_io_las_u32(source->bytes + CLUMP_IO_LAS_VLRS);
    h->vlr_end = h->size;
    for (h->vlr_count = 0; h->vlr_count < announced; h->vlr_count++) {
        CLUMP_ASSERT(h->vlr_end <= h->points);
        const size_t left = h->points - h->vlr_end;
        if (left < CLUMP_IO_LAS_VLR_HEAD) {
            clump_io_note(cloud, "byte %d announces %u variable length records, but %zu are there", CLUMP_IO_LAS_VLRS,
                          announced, h->vlr_count);
            return CLUMP_OK;
        }
        const unsigned char *vlr = source->bytes + h->vlr_end;
        const size_t data = clump_io_las_u16(vlr + 20);
        if (data > left - CLUMP_IO_LAS_VLR_HEAD)
            return CLUMP_IO_DAMAGED(
                source,
                "byte %zu: variable length record %zu has %zu bytes of data, but the points begin %zu "
                "bytes behind its head",
                h->vlr_end + 20, h->vlr_count + 1, data, left - CLUMP_IO_LAS_VLR_HEAD);
        if (!h->extra_at && clump_io_las_is_vlr(vlr, "LASF_Spec", 4)) h->extra_at = h->vlr_end, h->extra_size = data;
        h->vlr_end += CLUMP_IO_LAS_VLR_HEAD + data;
    }
    return CLUMP_OK;
}

static clump_status read_count(const clump_io_source *source, clump_io_las_header *h, clump_cloud *cloud)
{
    const uint32_t old = clump_io_las_u32(source->bytes + CLUMP_IO_LAS_COUNT);
    uint64_t count = old;
    int place = CLUMP_IO_LAS_COUNT;
    if (h->minor >= 4 && clump_io_las_u64(source->bytes + CLUMP_IO_LAS_COUNT_64)) {
        place = CLUMP_IO_LAS_COUNT_64;
        count = clump_io_las_u64(source->bytes + CLUMP_IO_LAS_COUNT_64);
    }
    CLUMP_ASSERT(h->points <= source->size && h->record >= 1);
    const size_t fit = (source->size - h->points) / h->record;
    if (count > SIZE_MAX || (count > fit && !h->compressed)) {
        h->cut = true;
        h->count = fit;
        return clump_io_cut(source, cloud, h->compressed ? 0 : fit, (size_t)count,
                            "byte %d: %llu points of %zu bytes each are announced, but from byte %zu on there are "
                            "bytes for %zu",
                            place, (unsigned long long)count, h->record, h->points, fit);
    }
    if (old && old != count)
        clump_io_note(cloud, "the header counts %u points at byte %d and %llu at byte %d, which are read", old,
                      CLUMP_IO_LAS_COUNT, (unsigned long long)count, place);
    h->count = (size_t)count;
    return CLUMP_OK;
}

static clump_status read_frame(const clump_io_source *source, clump_io_las_header *h)
{
    for (int a = 0; a < 3; a++) {
        const int scale = CLUMP_IO_LAS_SCALE + 8 * a, offset = CLUMP_IO_LAS_OFFSET + 8 * a;
        h->scale[a] = clump_io_las_f64(source->bytes + scale);
        h->offset[a] = clump_io_las_f64(source->bytes + offset);
        if (!isfinite(h->scale[a]) || h->scale[a] == 0)
            return CLUMP_IO_DAMAGED(source, "byte %d: the scale of %c is %g", scale, "xyz"[a], h -> scale[a]);
        if (!isfinite(h->offset[a]))
            return CLUMP_IO_DAMAGED(source, "byte %d: the offset of %c is %g", offset, "xyz"[a], h -> offset[a]);
    }
    return CLUMP_OK;
}

/* --- behind the points ---------------------------------------------------------------------- */

/* Bytes [first, last) of the file. */
typedef struct stretch {
    size_t first, last;
} stretch;

/* Walks `count` extended records from byte `at` on, which must be at least `least`. False: they are not all in the
 * file. */
static bool walk_evlrs(const clump_io_source *source, uint64_t at, uint32_t count, size_t least, stretch *found)
{
    *found = (stretch){0};
    if (at < least || at > source->size) return false;
    if (count > (source->size - at) / CLUMP_IO_LAS_EVLR_HEAD) return false;
    size_t p = (size_t)at;
    for (uint32_t i = 0; i < count; i++) {
        const size_t left = source->size - p;
        unsigned char size[8];
        if (left < CLUMP_IO_LAS_EVLR_HEAD || clump_io_peek(source, p + 20, size, sizeof size) != CLUMP_OK) return false;
        const uint64_t data = clump_io_las_u64(size);
        if (data > left - CLUMP_IO_LAS_EVLR_HEAD) return false;
        p += CLUMP_IO_LAS_EVLR_HEAD + (size_t)data;
    }
    *found = (stretch){(size_t)at, p};
    return true;
}

/* Finds out what the bytes behind the points are, and from which byte on they are kept. */
static void read_tail(const clump_io_source *source, clump_io_las_header *h, clump_cloud *cloud)
{
    const unsigned char *b = source->bytes;
    const size_t end = h->compressed ? h->points : h->points + h->count * h->record;
    stretch evlrs = {0}, waveforms = {0};
    bool sound = true;
    h->tail = source->size;
    if (h->cut) return;
    if (h->minor >= 4 && clump_io_las_u32(b + CLUMP_IO_LAS_EVLR_COUNT) &&
        !walk_evlrs(source, clump_io_las_u64(b + CLUMP_IO_LAS_EVLRS), clump_io_las_u32(b + CLUMP_IO_LAS_EVLR_COUNT),
                    end, &evlrs)) {
        clump_io_note(cloud, "the extended records announced at byte %d are not all there", CLUMP_IO_LAS_EVLRS);
        sound = false;
    }
    if (h->minor >= 3 && clump_io_las_u16(b + CLUMP_IO_LAS_ENCODING) & 2 &&
        clump_io_las_u64(b + CLUMP_IO_LAS_WAVEFORMS) &&
        !walk_evlrs(source, clump_io_las_u64(b + CLUMP_IO_LAS_WAVEFORMS), 1, end, &waveforms)) {
        clump_io_note(cloud, "the waveforms announced at byte %d are not all there", CLUMP_IO_LAS_WAVEFORMS);
        sound = false;
    }
    h->tail = end;
    if (h->compressed) {
        h->tail = source->size;
        if (evlrs.last) h->tail = evlrs.first;
        if (waveforms.last && waveforms.first < h->tail) h->tail = waveforms.first;
        return;
    }
    const size_t first = evlrs.first > waveforms.first ? evlrs.first : waveforms.first;
    const size_t last = evlrs.last < waveforms.last ? evlrs.last : waveforms.last;
    const size_t both = first < last ? last - first : 0;
    const size_t known = evlrs.last - evlrs.first + (waveforms.last - waveforms.first) - both;
    CLUMP_ASSERT(end <= source->size && known <= source->size - end);
    const size_t left = source->size - end - known;
    if (left && sound) clump_io_note(cloud, "%zu bytes behind the last point belong to nothing", left);
}

clump_status clump_io_las_header_parse(const clump_io_source *source, clump_io_las_header *header, clump_cloud *cloud)
{
    *header = (clump_io_las_header){0};
    if (source->size >= 4 && !has_signature(source->bytes, source->size))
        return CLUMP_IO_DAMAGED(source, "byte 0: no LAS file: it does not begin with LASF");
    if (source->size < CLUMP_IO_LAS_SIZE_1_2)
        return CLUMP_IO_TRUNCATED(source, "the file has %zu bytes, less than the %d of the smallest LAS header",
                                  source->size, CLUMP_IO_LAS_SIZE_1_2);
    CLUMP_IO_TRY(read_format(source, header));
    CLUMP_IO_TRY(read_places(source, header));
    CLUMP_IO_TRY(clump_io_require(source, 0, header->points));
    CLUMP_IO_TRY(walk_vlrs(source, header, cloud));
    CLUMP_IO_TRY(read_frame(source, header));
    CLUMP_IO_TRY(read_count(source, header, cloud));
    read_tail(source, header, cloud);
    return CLUMP_OK;
}
