/* SPDX-License-Identifier: BSD-3-Clause
 *
 * las_head.c: what a LAS file has before its records, made from the head of another file.
 */
#include "las/las.h"

#include <math.h>
#include <stdlib.h>

/* --- what the header says of the points ------------------------------------------------------- */

/* Writes the number of points, if some were removed. Call it after clump_io_las_put_returns(), which reads the old number. */
static void patch_count(const clump_io_las_head *h)
{
    if (clump_io_las_u32(h->bytes + CLUMP_IO_LAS_COUNT))
        clump_io_las_put(h->bytes, CLUMP_IO_LAS_COUNT, h->header.count, 4);
    if (h->header.minor >= 4) clump_io_las_put(h->bytes, CLUMP_IO_LAS_COUNT_64, h->header.count, 8);
}

int clump_io_las_axis_outside(const unsigned char *bytes, const clump_io_las_header *h,
                              const clump_io_las_summary *summary)
{
    for (int a = 0; a < 3 && h->count; a++) {
        const double upper = clump_io_las_f64(bytes + CLUMP_IO_LAS_BOUNDS + 16 * a);
        const double lower = clump_io_las_f64(bytes + CLUMP_IO_LAS_BOUNDS + 16 * a + 8);
        const double one = summary->lower[a] * h->scale[a] + h->offset[a], step = fabs(h->scale[a]);
        const double other = summary->upper[a] * h->scale[a] + h->offset[a];
        if (!(fmin(one, other) >= lower - step && fmax(one, other) <= upper + step)) return a;
    }
    return -1;
}

void clump_io_las_head_patch(clump_io_las_head *h)
{
    clump_io_las_put_bounds(&h->header, &h->summary, h->bytes);
    clump_io_las_put_returns(&h->header, &h->summary, h->bytes);
    patch_count(h);
}

/* --- VLRs, and what lies behind the points --------------------------------------------------- */

static void append(clump_io_las_head *h, const void *bytes, size_t size)
{
    memcpy(h->bytes + h->size, bytes, size);
    h->size += size;
}

static void append_descriptors(clump_io_las_head *h, size_t *vlrs)
{
    const size_t data = h->plan.descriptor_count * CLUMP_IO_LAS_DESCRIPTOR;
    unsigned char vlr[CLUMP_IO_LAS_VLR_HEAD] = {0};
    if (!data) return;
    if (h->header.extra_at)
        memcpy(vlr, h->old + h->header.extra_at, sizeof vlr);
    else
        memcpy(vlr + 2, "LASF_Spec", 9), memcpy(vlr + 22, "extra dimensions of the points", 30);
    if (h->header.minor == 0) clump_io_las_put(vlr, 0, 0xaabb, 2); /* a signature, in LAS 1.0 */
    clump_io_las_put(vlr, 18, 4, 2);
    clump_io_las_put(vlr, 20, data, 2);
    append(h, vlr, sizeof vlr);
    append(h, h->plan.descriptors, data);
    ++*vlrs;
}

static size_t append_vlrs(clump_io_las_head *h)
{
    size_t vlrs = 0;
    for (size_t at = h->header.size, i = 0; i < h->header.vlr_count; i++) {
        const unsigned char *vlr = h->old + at;
        const size_t size = CLUMP_IO_LAS_VLR_HEAD + clump_io_las_u16(vlr + 20);
        const bool packing = clump_io_las_is_vlr(vlr, "laszip encoded", 22204) || clump_io_las_is_vlr(vlr, "copc", 1);
        if (at == h->header.extra_at && h->plan.described_anew)
            append_descriptors(h, &vlrs);
        else if (!h->header.compressed || !packing)
            append(h, vlr, size), vlrs++;
        at += size;
    }
    if (!h->header.extra_at && h->plan.described_anew) append_descriptors(h, &vlrs);
    append(h, h->old + h->header.vlr_end, h->header.points - h->header.vlr_end);
    return vlrs;
}

/* Moves an offset behind the points by `moved` bytes. */
static void patch_place(const clump_io_las_head *h, size_t at, size_t moved)
{
    const uint64_t place = clump_io_las_u64(h->bytes + at);
    if (!h->rest || place < h->header.tail || place - h->header.tail > h->rest->tail_size) return;
    clump_io_las_put(h->bytes, at, place + moved, 8);
}

clump_status clump_io_las_head_make(clump_io_las_head *h)
{
    const size_t most = h->header.points + CLUMP_IO_LAS_VLR_HEAD + h->plan.descriptor_count * CLUMP_IO_LAS_DESCRIPTOR;
    h->bytes = malloc(most);
    if (!h->bytes) return clump_io_no_memory(&h->where, most);
    append(h, h->old, h->header.size);
    const size_t vlrs = append_vlrs(h);
    if (h->size > UINT32_MAX)
        return CLUMP_IO_UNSUPPORTED(h, "the points would begin at byte %zu, behind the 4 GB that LAS can tell",
                                    h->size);
    clump_io_las_put(h->bytes, CLUMP_IO_LAS_POINTS, h->size, 4);
    clump_io_las_put(h->bytes, CLUMP_IO_LAS_VLRS, vlrs, 4);
    clump_io_las_put(h->bytes, CLUMP_IO_LAS_FORMAT, h->header.format, 1);
    clump_io_las_put(h->bytes, CLUMP_IO_LAS_RECORD, h->plan.record, 2);
    const size_t moved = h->size + h->header.count * h->plan.record - h->header.tail; /* modulo 2^64 */
    if (h->header.minor >= 3) patch_place(h, CLUMP_IO_LAS_WAVEFORMS, moved);
    if (h->header.minor >= 4 && clump_io_las_u32(h->bytes + CLUMP_IO_LAS_EVLR_COUNT))
        patch_place(h, CLUMP_IO_LAS_EVLRS, moved);
    const clump_io_las_summary *was = h->rest ? &h->rest->summary : NULL, *is = &h->summary;
    if (!was || memcmp(was->lower, is->lower, sizeof was->lower) || memcmp(was->upper, is->upper, sizeof was->upper) ||
        (h->rest->summarized && clump_io_las_axis_outside(h->old, &h->header, is) >= 0))
        clump_io_las_put_bounds(&h->header, &h->summary, h->bytes);
    if (!was || memcmp(was->returns, is->returns, sizeof was->returns))
        clump_io_las_put_returns(&h->header, &h->summary, h->bytes);
    if (h->rest && h->rest->header.count != h->header.count) patch_count(h);
    return CLUMP_OK;
}
