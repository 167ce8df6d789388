/* SPDX-License-Identifier: BSD-3-Clause
 *
 * las_write.c: a cloud as LAS.
 *
 *     from LAS    header, VLRs, gap as they were | records | tail as it was
 *     from LAZ    likewise, without the VLRs of the compression
 *     any other   header of las_new.c            | records |
 *
 * If the cloud has extra dimensions that the file had not, a VLR before the records describes them. The
 * header is updated with offsets that move. Its bounds and counts of returns are kept, right or wrong, if
 * the points still have the box and returns they were read with. So an unchanged cloud gives the bytes of
 * its file.
 *
 * LAZ is the same file with compressed records: laz_sink.h makes it of the bytes that LAS would have.
 */
#include "las.h"
#include "laz_sink.h"

#include <stdlib.h>

typedef struct writer {
    const clump_io_output *output;
    clump_io_sink *sink;
    clump_io_laz_sink *laz;        /* null: the records are not compressed */
    const clump_io_las_rest *rest; /* null: the cloud was no LAS file */
    unsigned char fresh[CLUMP_IO_LAS_SIZE_1_4];
    const unsigned char *old; /* header and VLRs: of `rest`, or the fresh header */
    clump_io_las_header header;
    clump_io_las_layout layout;
    clump_io_las_plan plan;
    clump_io_las_summary summary;
    unsigned char *head; /* all that comes before the records */
    size_t head_size;
} writer;

/* --- records -------------------------------------------------------------------------------- */

/* Writes points [first, first + count) of a part into records whose bytes there are 0. */
static void fill_part(const clump_io_las_part *part, unsigned char *records, size_t record, size_t first, size_t count)
{
    static const clump_io_table plain = {0};
    const clump_io_las_slot *slot = &part->slot;
    const clump_field *field = part->field;
    unsigned char *out = records + slot->offset;
    if (!field) {
        for (size_t i = 0; i < count && part->fill; i++) out[i * record] |= (unsigned char)(part->fill << slot->shift);
        return;
    }
    if (slot->bits) {
        const bool bytes = field->type == CLUMP_TYPE_U8;
        const uint8_t *values = field->data;
        for (size_t i = 0; i < count; i++) {
            const unsigned value = bytes ? values[first + i] : (unsigned)clump_io_value(field->type, values, first + i);
            out[i * record] |= (unsigned char)(value << slot->shift);
        }
        return;
    }
    const size_t size = clump_type_size(field->type), stride = field->count * size;
    const unsigned char *in = (const unsigned char *)field->data + first * stride + part->element * size;
    if (field->type == slot->type) {
        const clump_io_column column = {
            .type = slot->type, .count = slot->count, .axis = -1, .out = out, .stride = record};
        clump_io_column_read(&plain, &column, in, stride, 0, count);
        return;
    }
    for (size_t i = 0; i < count * slot->count; i++) { /* all of the field's elements, or its only one */
        const double value = clump_io_value(field->type, field->data, first * field->count + i);
        const uint32_t k = (uint32_t)(i % slot->count);
        unsigned char *to = out + i / slot->count * record + k * clump_type_size(slot->type);
        if (slot->type == CLUMP_TYPE_F64)
            memcpy(to, &value, sizeof value);
        else
            clump_io_las_unscale(slot, k, value, to);
    }
}

static clump_status put_records(writer *w)
{
    const clump_io_output *output = w->output;
    const size_t count = output->cloud->count, record = w->plan.record, at_once = clump_io_las_records_at_once(record);
    unsigned char *records = malloc(at_once * record);
    if (!records) return clump_io_no_memory(&output->where, at_once * record);
    int32_t steps[3 * CLUMP_IO_LAS_RECORDS];
    size_t point, reported = 0;
    int axis;
    clump_status status = CLUMP_OK;
    for (size_t first = 0; first < count && status == CLUMP_OK; first += at_once) {
        const size_t now = count - first < at_once ? count - first : at_once;
        memset(records, 0, now * record);
        clump_io_las_steps(output->cloud, &w->header, first, now, steps, &point, &axis);
        for (size_t i = 0; i < now; i++) memcpy(records + i * record, steps + 3 * i, 12);
        for (size_t i = 0; i < w->plan.count; i++) fill_part(&w->plan.parts[i], records, record, first, now);
        if (w->laz) status = clump_io_laz_sink_add(w->laz, records, now);
        if (!w->laz) clump_io_put(w->sink, records, now * record);
        if (first + now - reported < CLUMP_IO_STRETCH) continue;
        reported = first + now;
        if (reported < count) clump_io_report(&output->progress, reported, count);
    }
    free(records);
    return status;
}

/* --- what the header says of them ----------------------------------------------------------- */

static void count_returns(writer *w, const clump_io_las_part *part)
{
    const size_t count = w->output->cloud->count;
    uint8_t returns[CLUMP_IO_LAS_RECORDS];
    for (size_t first = 0; first < count; first += CLUMP_IO_LAS_RECORDS) {
        const size_t now = count - first < CLUMP_IO_LAS_RECORDS ? count - first : CLUMP_IO_LAS_RECORDS;
        memset(returns, 0, sizeof returns);
        clump_io_las_part bytes = *part; /* records of this byte alone */
        bytes.slot.offset = 0;
        fill_part(&bytes, returns, 1, first, now);
        clump_io_las_summary_returns(&w->summary, returns, now);
    }
}

static clump_status no_step(const writer *w, size_t point, int axis)
{
    CLUMP_IO_TRY(clump_io_las_not_finite(&w->output->where, w->output->cloud));
    return CLUMP_IO_UNSUPPORTED(
        w->output, "%c of point %zu is %.10g, out of reach of the file's scale %g and offset %.10g", "xyz"[axis], point,
        clump_io_coordinate(w->output->cloud, point, axis), w -> header.scale[axis], w->header.offset[axis]);
}

static clump_status summarize(writer *w)
{
    const size_t count = w->output->cloud->count;
    int32_t steps[3 * CLUMP_IO_LAS_RECORDS];
    clump_io_las_summary_begin(&w->summary);
    for (size_t first = 0; first < count; first += CLUMP_IO_LAS_RECORDS) {
        const size_t now = count - first < CLUMP_IO_LAS_RECORDS ? count - first : CLUMP_IO_LAS_RECORDS;
        size_t point;
        int axis;
        if (!clump_io_las_steps(w->output->cloud, &w->header, first, now, steps, &point, &axis))
            return no_step(w, point, axis);
        clump_io_las_summary_steps(&w->summary, steps, now);
    }
    for (size_t i = 0; i < w->plan.count; i++)
        if (!w->plan.parts[i].slot.extra && strcmp(w->plan.parts[i].slot.name, "return_number") == 0)
            count_returns(w, &w->plan.parts[i]);
    return CLUMP_OK;
}

/* Writes the number of points, if some were removed. Call it after clump_io_las_put_returns(), which reads the old number. */
static void patch_count(const writer *w)
{
    if (clump_io_las_u32(w->head + CLUMP_IO_LAS_COUNT))
        clump_io_las_put(w->head, CLUMP_IO_LAS_COUNT, w->header.count, 4);
    if (w->header.minor >= 4) clump_io_las_put(w->head, CLUMP_IO_LAS_COUNT_64, w->header.count, 8);
}

/* --- before and behind them ----------------------------------------------------------------- */

static void append(writer *w, const void *bytes, size_t size)
{
    memcpy(w->head + w->head_size, bytes, size);
    w->head_size += size;
}

static void append_descriptors(writer *w, size_t *vlrs)
{
    const size_t data = w->plan.descriptor_count * CLUMP_IO_LAS_DESCRIPTOR;
    unsigned char vlr[CLUMP_IO_LAS_VLR_HEAD] = {0};
    if (!data) return;
    if (w->header.extra_at)
        memcpy(vlr, w->old + w->header.extra_at, sizeof vlr);
    else
        memcpy(vlr + 2, "LASF_Spec", 9), memcpy(vlr + 22, "extra dimensions of the points", 30);
    if (w->header.minor == 0) clump_io_las_put(vlr, 0, 0xaabb, 2); /* a signature, in LAS 1.0 */
    clump_io_las_put(vlr, 18, 4, 2);
    clump_io_las_put(vlr, 20, data, 2);
    append(w, vlr, sizeof vlr);
    append(w, w->plan.descriptors, data);
    ++*vlrs;
}

static size_t append_vlrs(writer *w)
{
    size_t vlrs = 0;
    for (size_t at = w->header.size, i = 0; i < w->header.vlr_count; i++) {
        const unsigned char *vlr = w->old + at;
        const size_t size = CLUMP_IO_LAS_VLR_HEAD + clump_io_las_u16(vlr + 20);
        const bool packing = clump_io_las_is_vlr(vlr, "laszip encoded", 22204) || clump_io_las_is_vlr(vlr, "copc", 1);
        if (at == w->header.extra_at && w->plan.described_anew)
            append_descriptors(w, &vlrs);
        else if (!w->header.compressed || !packing)
            append(w, vlr, size), vlrs++;
        at += size;
    }
    if (!w->header.extra_at && w->plan.described_anew) append_descriptors(w, &vlrs);
    append(w, w->old + w->header.vlr_end, w->header.points - w->header.vlr_end);
    return vlrs;
}

/* Moves an offset behind the points by `moved` bytes. */
static void patch_place(const writer *w, size_t at, size_t moved)
{
    const uint64_t place = clump_io_las_u64(w->head + at);
    if (!w->rest || place < w->header.tail || place - w->header.tail > w->rest->tail_size) return;
    clump_io_las_put(w->head, at, place + moved, 8);
}

static clump_status make_head(writer *w)
{
    const size_t most = w->header.points + CLUMP_IO_LAS_VLR_HEAD + w->plan.descriptor_count * CLUMP_IO_LAS_DESCRIPTOR;
    w->head = malloc(most);
    if (!w->head) return clump_io_no_memory(&w->output->where, most);
    append(w, w->old, w->header.size);
    const size_t vlrs = append_vlrs(w);
    if (w->head_size > UINT32_MAX)
        return CLUMP_IO_UNSUPPORTED(w->output, "the points would begin at byte %zu, behind the 4 GB that LAS can tell",
                                    w->head_size);
    clump_io_las_put(w->head, CLUMP_IO_LAS_POINTS, w->head_size, 4);
    clump_io_las_put(w->head, CLUMP_IO_LAS_VLRS, vlrs, 4);
    clump_io_las_put(w->head, CLUMP_IO_LAS_FORMAT, w->header.format, 1);
    clump_io_las_put(w->head, CLUMP_IO_LAS_RECORD, w->plan.record, 2);
    const size_t moved = w->head_size + w->header.count * w->plan.record - w->header.tail; /* modulo 2^64 */
    if (w->header.minor >= 3) patch_place(w, CLUMP_IO_LAS_WAVEFORMS, moved);
    if (w->header.minor >= 4 && clump_io_las_u32(w->head + CLUMP_IO_LAS_EVLR_COUNT))
        patch_place(w, CLUMP_IO_LAS_EVLRS, moved);
    const clump_io_las_summary *was = w->rest ? &w->rest->summary : NULL, *is = &w->summary;
    if (!was || memcmp(was->lower, is->lower, sizeof was->lower) || memcmp(was->upper, is->upper, sizeof was->upper))
        clump_io_las_put_bounds(&w->header, is, w->head);
    if (!was || memcmp(was->returns, is->returns, sizeof was->returns))
        clump_io_las_put_returns(&w->header, is, w->head);
    if (w->rest && w->rest->header.count != w->header.count) patch_count(w);
    return CLUMP_OK;
}

/* --- all ------------------------------------------------------------------------------------ */

/* Whether an extra dimension has the name of this slot, which must then stay 0. */
static bool has_namesake(const clump_io_las_plan *plan, const clump_io_las_slot *slot)
{
    for (size_t i = 0; i < plan->count; i++)
        if (plan->parts[i].slot.extra && clump_io_las_same_name(plan->parts[i].slot.name, slot->name)) return true;
    return false;
}

/* A point without return numbers is the only return of its pulse. */
static void assume_single_returns(clump_io_las_plan *plan)
{
    bool known = false;
    for (size_t i = 0; i < plan->count; i++) {
        clump_io_las_part *part = &plan->parts[i];
        if (part->slot.extra || part->field) {
            known = known || (!part->slot.extra && strcmp(part->slot.name, "return_number") == 0);
            continue;
        }
        if (has_namesake(plan, &part->slot)) continue;
        if (strcmp(part->slot.name, "return_number") == 0) part->fill = 1;
        if (strcmp(part->slot.name, "number_of_returns") == 0) part->fill = !known;
    }
}

static clump_status prepare(writer *w)
{
    const clump_io_output *output = w->output;
    if (w->rest)
        w->header = w->rest->header, w->header.count = output->cloud->count; /* points may have been removed */
    else
        CLUMP_IO_TRY(clump_io_las_new(output, w->fresh, &w->header));
    w->old = w->rest ? w->rest->bytes : w->fresh;
    const unsigned char *descriptors = w->old + w->header.extra_at + CLUMP_IO_LAS_VLR_HEAD;
    if (!clump_io_las_layout_format(&w->layout, w->header.format) ||
        !clump_io_las_layout_extra(&w->layout, descriptors, w->header.extra_size, w->header.record, NULL))
        return clump_io_no_memory(&output->where, sizeof *w->layout.slots);
    clump_io_las_layout_separate(&w->layout, w->header.hidden, NULL);
    CLUMP_IO_TRY(clump_io_las_plan_make(output, &w->layout, descriptors, &w->plan));
    if (!w->rest) assume_single_returns(&w->plan);
    CLUMP_IO_TRY(summarize(w));
    return make_head(w);
}

/* Writes the file as prepared. */
static clump_status put_file(writer *w)
{
    const unsigned char *tail = w->rest ? w->rest->bytes + w->header.points : NULL;
    const size_t tail_size = w->rest ? w->rest->tail_size : 0;
    if (w->output->encoding != CLUMP_ENCODING_COMPRESSED) {
        clump_io_put(w->sink, w->head, w->head_size);
        CLUMP_IO_TRY(put_records(w));
        clump_io_put(w->sink, tail, tail_size);
        return CLUMP_OK;
    }
    CLUMP_IO_TRY(
        clump_io_laz_sink_open(&w->output->where, w->sink, w->head, w->head_size, w->output->threads, &w->laz));
    const clump_status status = put_records(w);
    if (status == CLUMP_OK) return clump_io_laz_sink_close(w->laz, NULL, tail, tail_size);
    clump_io_laz_sink_abandon(w->laz);
    return status;
}

clump_status clump_io_las_write(const clump_io_output *output, clump_io_sink *sink)
{
    const clump_cloud *cloud = output->cloud;
    const bool ours = cloud->info.format == CLUMP_FORMAT_LAS || cloud->info.format == CLUMP_FORMAT_LAZ;
    writer w = {.output = output, .sink = sink, .rest = ours ? cloud->rest : NULL};
    clump_status status = prepare(&w);
    if (status == CLUMP_OK) status = put_file(&w);
    clump_io_las_layout_free(&w.layout);
    clump_io_las_plan_free(&w.plan);
    free(w.head);
    return status;
}
