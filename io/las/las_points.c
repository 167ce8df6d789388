/* SPDX-License-Identifier: BSD-3-Clause
 *
 * las_points.c: converts records to fields.
 *
 *     file   XYZirca..tRGB XYZirca..tRGB ...      records side by side
 *     cloud  XYZ XYZ ...                          the integers, where the coordinates will be
 *            i i i ...  r r r ...  n n n ...      one array per field; bits of a byte are fields too
 *
 * Some records at a time stay in the cache while every slot takes its part, in one loop per slot over
 * numbers of one size. So the file is read from memory once. Bytes of bit fields are first copied side by
 * side; then a vector instruction splits sixteen of them.
 */
#include "las/las.h"
#include "common/assert.h"
#include "las/laz.h"

#include <stdlib.h>

typedef struct reader {
    const clump_io_las_header *header;
    const clump_io_las_layout *layout;
    clump_io_column *columns; /* one per slot */
    clump_io_column steps;    /* the integers */
    clump_io_las_summary *summary;
} reader;

/* --- records -------------------------------------------------------------------------------- */

void clump_io_las_summary_begin(clump_io_las_summary *summary)
{
    *summary = (clump_io_las_summary){0};
    for (int a = 0; a < 3; a++) summary->lower[a] = INT32_MAX, summary->upper[a] = INT32_MIN;
}

void clump_io_las_summary_steps(clump_io_las_summary *summary, const int32_t *steps, size_t points)
{
    int32_t lower[3], upper[3];
    memcpy(lower, summary->lower, sizeof lower);
    memcpy(upper, summary->upper, sizeof upper);
    for (size_t i = 0; i < points; i++) {
        for (size_t a = 0; a < 3; a++) {
            const int32_t step = steps[3 * i + a];
            lower[a] = step < lower[a] ? step : lower[a];
            upper[a] = step > upper[a] ? step : upper[a];
        }
    }
    memcpy(summary->lower, lower, sizeof lower);
    memcpy(summary->upper, upper, sizeof upper);
}

/* Four histograms: consecutive equal values, which are common, do not depend on each other. */
void clump_io_las_summary_returns(clump_io_las_summary *summary, const uint8_t *returns, size_t points)
{
    uint32_t counts[4][16] = {{0}};
    size_t i = 0;
    for (; i + 4 <= points; i += 4)
        for (size_t k = 0; k < 4; k++) counts[k][returns[i + k] & 15]++;
    for (; i < points; i++) counts[0][returns[i] & 15]++;
    for (size_t r = 0; r < 16; r++)
        summary->returns[r] += (uint64_t)counts[0][r] + counts[1][r] + counts[2][r] + counts[3][r];
}

static void pick_bits(uint8_t *restrict out, const uint8_t *restrict bytes, size_t count, unsigned shift, unsigned bits)
{
    CLUMP_ASSERT(bits >= 1 && shift + bits <= 8);
    const uint8_t mask = (uint8_t)((1u << bits) - 1);
    for (size_t i = 0; i < count; i++) out[i] = (uint8_t)(bytes[i] >> shift) & mask;
}

static unsigned bits_used(const uint8_t *bytes, size_t size)
{
    unsigned used = 0;
    for (size_t i = 0; i < size; i++) used |= bytes[i];
    return used;
}

/* Takes apart at most CLUMP_IO_LAS_RECORDS records, slot by slot. */
static void split_records(const reader *r, const unsigned char *records, size_t first, size_t count)
{
    static const clump_io_table plain = {0}; /* little-endian, nothing special */
    CLUMP_ASSERT(count <= CLUMP_IO_LAS_RECORDS);
    const size_t record = r->header->record;
    int32_t steps[3 * CLUMP_IO_LAS_RECORDS];
    clump_io_column_read(&plain, &r->steps, records, record, first, count);
    memcpy(steps, r->steps.out + 12 * first, 12 * count);
    clump_io_las_summary_steps(r->summary, steps, count);

    uint8_t bytes[2 * CLUMP_IO_LAS_RECORDS]; /* values of a slot, side by side */
    size_t held = 0;                         /* their offset in the record; no slot has offset 0 */
    unsigned used = 0;                       /* bitwise or of all values */
    for (size_t i = 0; i < r->layout->count; i++) {
        const clump_io_las_slot *slot = &r->layout->slots[i];
        const size_t size = clump_type_size(slot->type) * slot->count;
        if (size > 2) {
            clump_io_column_read(&plain, &r->columns[i], records + slot->offset, record, first, count);
            continue;
        }
        if (held != slot->offset) {
            const clump_io_column aside = {
                .type = slot->type, .count = slot->count, .axis = -1, .out = bytes, .stride = size};
            clump_io_column_read(&plain, &aside, records + slot->offset, record, 0, count);
            used = bits_used(bytes, size * count);
        }
        held = slot->offset;
        uint8_t *out = r->columns[i].out + first * size;
        /* Fields are zeroed, and most files leave some at 0. Zeros are not written, so their pages are never
         * allocated. */
        if (!slot->bits && used)
            memcpy(out, bytes, size * count);
        else if (slot->bits && (used >> slot->shift & ((1u << slot->bits) - 1)))
            pick_bits(out, bytes, count, slot->shift, slot->bits);
        if (i == 1) clump_io_las_summary_returns(r->summary, out, count); /* "return_number", in all formats */
    }
}

static void read_records(const void *given, const unsigned char *records, size_t first, size_t count)
{
    const reader *r = given;
    const size_t record = r->header->record, at_once = clump_io_las_records_at_once(record);
    for (size_t done = 0; done < count; done += at_once) {
        const size_t left = count - done;
        split_records(r, records + done * record, first + done, left < at_once ? left : at_once);
    }
}

/* --- all of them ---------------------------------------------------------------------------- */

/* Adds the summary of other points. */
static void merge_summary(clump_io_las_summary *summary, const clump_io_las_summary *other)
{
    for (int a = 0; a < 3; a++) {
        if (other->lower[a] < summary->lower[a]) summary->lower[a] = other->lower[a];
        if (other->upper[a] > summary->upper[a]) summary->upper[a] = other->upper[a];
    }
    for (int r = 0; r < 16; r++) summary->returns[r] += other->returns[r];
}

/* A reader per thread: they differ in their summary. */
typedef struct part {
    reader r;
    clump_io_las_summary summary;
} part;

static void take_chunk(void *user, size_t thread, const unsigned char *records, uint64_t first, size_t count)
{
    const part *parts = user;
    if (parts) read_records(&parts[thread].r, records, (size_t)first, count);
}

/* Decodes all records of a LAZ file. r null: discards them. */
static clump_status decode(const clump_io_source *source, const clump_io_las_header *header, const reader *r)
{
    clump_io_laz *laz;
    CLUMP_IO_TRY(clump_io_laz_open(source, header->record, &laz));
    const size_t threads = clump_io_laz_threads(laz, source->threads);
    part *parts = r ? malloc(threads * sizeof *parts) : NULL;
    clump_status status = CLUMP_OK;
    if (r && !parts) status = clump_io_no_memory(&source->where, threads * sizeof *parts);
    for (size_t t = 0; parts && t < threads; t++) {
        parts[t].r = *r;
        parts[t].r.summary = &parts[t].summary;
        clump_io_las_summary_begin(&parts[t].summary);
    }
    if (status == CLUMP_OK) status = clump_io_laz_each_chunk(laz, source, threads, take_chunk, parts);
    for (size_t t = 0; status == CLUMP_OK && parts && t < threads; t++) merge_summary(r->summary, &parts[t].summary);
    free(parts);
    clump_io_laz_close(laz);
    return status;
}

clump_status clump_io_las_check_points(const clump_io_source *source, const clump_io_las_header *header)
{
    return decode(source, header, NULL);
}

/* Converts a scaled dimension to float64, if every number can be recovered from its value. */
static clump_status apply_scale(const clump_io_where *where, const clump_io_las_slot *slot, clump_cloud *cloud,
                                clump_field *field)
{
    const size_t numbers = cloud->count * slot->count;
    size_t bytes;
    if (!clump_io_multiply(numbers, sizeof(double), &bytes)) return clump_io_no_memory(where, SIZE_MAX);
    double *values = clump_io_allocate(bytes);
    if (!values) return clump_io_no_memory(where, bytes);
    if (!clump_io_las_scale_all(slot, field->data, numbers, values)) {
        free(values);
        clump_io_note(cloud, "the scale of %s is not applied", clump_io_quote(slot->name, strlen(slot->name)).text);
        return CLUMP_OK;
    }
    free((void *)(uintptr_t)field->data);
    field->data = values;
    field->type = CLUMP_TYPE_F64;
    return CLUMP_OK;
}

static clump_status prepare(const clump_io_where *where, reader *r, clump_cloud *cloud)
{
    r->steps = (clump_io_column){
        .type = CLUMP_TYPE_I32, .count = 3, .axis = -1, .out = (unsigned char *)cloud->xyz, .stride = 12};
    r->columns = calloc(r->layout->count, sizeof *r->columns);
    if (!r->columns) return clump_io_no_memory(where, r->layout->count * sizeof *r->columns);
    for (size_t i = 0; i < r->layout->count; i++) {
        const clump_io_las_slot *slot = &r->layout->slots[i];
        void *data;
        CLUMP_IO_TRY(
            clump_io_cloud_add_field(where, cloud, slot->name, strlen(slot->name), slot->type, slot->count, &data));
        r->columns[i] = (clump_io_column){.type = slot->type,
                                          .count = slot->count,
                                          .axis = -1,
                                          .out = data,
                                          .stride = slot->count * clump_type_size(slot->type)};
    }
    return CLUMP_OK;
}

clump_status clump_io_las_read_points(const clump_io_source *source, const clump_io_las_header *header,
                                      const clump_io_las_layout *layout, clump_cloud *cloud,
                                      clump_io_las_summary *summary)
{
    reader r = {.header = header, .layout = layout, .summary = summary};
    clump_io_las_summary_begin(summary);
    clump_status status = prepare(&source->where, &r, cloud);
    if (status == CLUMP_OK && header->compressed) status = decode(source, header, &r);
    if (status == CLUMP_OK && !header->compressed)
        status = clump_io_each_piece(source, header->points, header->record, header->count, read_records, &r);
    if (status == CLUMP_OK) status = clump_io_las_place(&source->where, cloud, header, summary);
    for (size_t i = 0; status == CLUMP_OK && i < layout->count; i++)
        if (layout->slots[i].scaled) status = apply_scale(&source->where, &layout->slots[i], cloud, &cloud->fields[i]);
    free(r.columns);
    return status;
}
