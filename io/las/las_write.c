/* SPDX-License-Identifier: BSD-3-Clause
 *
 * las_write.c: a cloud as LAS.
 *
 *     from LAS    header, VLRs, gap as they were | records | tail as it was
 *     from LAZ    likewise, without the VLRs of the compression
 *     any other   header of las_new.c            | records |
 *
 * If the cloud has extra dimensions that the file had not, a VLR before the records describes them. The
 * header is updated with offsets that move. Its bounds and counts of returns are kept if the points still
 * have the box and returns they were read with. So an unchanged cloud gives the bytes of its file. Bounds
 * that points lie outside of are wrong, and are not kept: other programs trust them.
 *
 * LAZ is the same file with compressed records: laz_sink.h makes it of the bytes that LAS would have.
 */
#include "las/las.h"
#include "common/assert.h"
#include "las/laz_sink.h"

#include <stdlib.h>

typedef struct writer {
    const clump_io_output *output;
    clump_io_sink *sink;
    clump_io_laz_sink *laz; /* null: the records are not compressed */
    unsigned char fresh[CLUMP_IO_LAS_SIZE_1_4];
    clump_io_las_layout layout;
    clump_io_las_head head;
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
    const size_t count = output->cloud->count, record = w->head.plan.record,
                 at_once = clump_io_las_records_at_once(record);
    unsigned char *records = malloc(at_once * record);
    if (!records) return clump_io_no_memory(&output->where, at_once * record);
    int32_t steps[3 * CLUMP_IO_LAS_RECORDS];
    size_t point, reported = 0;
    int axis;
    clump_status status = CLUMP_OK;
    for (size_t first = 0; first < count && status == CLUMP_OK; first += at_once) {
        const size_t now = count - first < at_once ? count - first : at_once;
        memset(records, 0, now * record);
        clump_io_las_steps(output->cloud, &w->head.header, first, now, steps, &point, &axis);
        for (size_t i = 0; i < now; i++) memcpy(records + i * record, steps + 3 * i, 12);
        for (size_t i = 0; i < w->head.plan.count; i++) fill_part(&w->head.plan.parts[i], records, record, first, now);
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
        clump_io_las_summary_returns(&w->head.summary, returns, now);
    }
}

static clump_status no_step(const writer *w, size_t point, int axis)
{
    CLUMP_ASSERT(axis >= 0 && axis < 3);
    CLUMP_IO_TRY(clump_io_las_not_finite(&w->output->where, w->output->cloud));
    return CLUMP_IO_UNSUPPORTED(
        w->output, "%c of point %zu is %.10g, out of reach of the file's scale %g and offset %.10g", "xyz"[axis], point,
        clump_io_coordinate(w->output->cloud, point, axis), w -> head.header.scale[axis], w->head.header.offset[axis]);
}

static clump_status summarize(writer *w)
{
    const size_t count = w->output->cloud->count;
    int32_t steps[3 * CLUMP_IO_LAS_RECORDS];
    clump_io_las_summary_begin(&w->head.summary);
    for (size_t first = 0; first < count; first += CLUMP_IO_LAS_RECORDS) {
        const size_t now = count - first < CLUMP_IO_LAS_RECORDS ? count - first : CLUMP_IO_LAS_RECORDS;
        size_t point;
        int axis;
        if (!clump_io_las_steps(w->output->cloud, &w->head.header, first, now, steps, &point, &axis))
            return no_step(w, point, axis);
        clump_io_las_summary_steps(&w->head.summary, steps, now);
    }
    for (size_t i = 0; i < w->head.plan.count; i++)
        if (!w->head.plan.parts[i].slot.extra && strcmp(w->head.plan.parts[i].slot.name, "return_number") == 0)
            count_returns(w, &w->head.plan.parts[i]);
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
    if (w->head.rest)
        w->head.header = w->head.rest->header,
        w->head.header.count = output->cloud->count; /* points may have been removed */
    else
        CLUMP_IO_TRY(clump_io_las_new(output, w->fresh, &w->head.header));
    w->head.old = w->head.rest ? w->head.rest->bytes : w->fresh;
    const unsigned char *descriptors = w->head.old + w->head.header.extra_at + CLUMP_IO_LAS_VLR_HEAD;
    if (!clump_io_las_layout_format(&w->layout, w->head.header.format) ||
        !clump_io_las_layout_extra(&w->layout, descriptors, w->head.header.extra_size, w->head.header.record, NULL))
        return clump_io_no_memory(&output->where, sizeof *w->layout.slots);
    clump_io_las_layout_separate(&w->layout, w->head.header.hidden, NULL);
    CLUMP_IO_TRY(clump_io_las_plan_make(output, &w->layout, descriptors, &w->head.plan));
    if (!w->head.rest) assume_single_returns(&w->head.plan);
    CLUMP_IO_TRY(summarize(w));
    return clump_io_las_head_make(&w->head);
}

/* Writes the file as prepared. */
static clump_status put_file(writer *w)
{
    const unsigned char *tail = w->head.rest ? w->head.rest->bytes + w->head.header.points : NULL;
    const size_t tail_size = w->head.rest ? w->head.rest->tail_size : 0;
    if (w->output->encoding != CLUMP_ENCODING_COMPRESSED) {
        clump_io_put(w->sink, w->head.bytes, w->head.size);
        CLUMP_IO_TRY(put_records(w));
        clump_io_put(w->sink, tail, tail_size);
        return CLUMP_OK;
    }
    CLUMP_IO_TRY(
        clump_io_laz_sink_open(&w->output->where, w->sink, w->head.bytes, w->head.size, w->output->threads, &w->laz));
    const clump_status status = put_records(w);
    if (status == CLUMP_OK) return clump_io_laz_sink_close(w->laz, NULL, tail, tail_size);
    clump_io_laz_sink_abandon(w->laz);
    return status;
}

clump_status clump_io_las_write(const clump_io_output *output, clump_io_sink *sink)
{
    const clump_cloud *cloud = output->cloud;
    const bool ours = cloud->info.format == CLUMP_FORMAT_LAS || cloud->info.format == CLUMP_FORMAT_LAZ;
    writer w = {.output = output, .sink = sink, .head = {.where = output->where, .rest = ours ? cloud->rest : NULL}};
    clump_status status = prepare(&w);
    if (status == CLUMP_OK) status = put_file(&w);
    clump_io_las_layout_free(&w.layout);
    clump_io_las_plan_free(&w.head.plan);
    free(w.head.bytes);
    return status;
}
