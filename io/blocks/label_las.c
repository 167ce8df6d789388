/* SPDX-License-Identifier: BSD-3-Clause
 *
 * label_las.c: LAS and LAZ with labels.
 *
 *     input    header | VLRs |        records         | tail
 *     output   header | VLRs | record label record label ... | tail
 *
 * Records are copied as they are. Header, VLRs and tail are those of the first input file, as las_write.c writes them. With
 * several input files, the bounds and counts of the header are those of all points. Bounds that points lie outside of are
 * corrected where the output is a file.
 */
#include "blocks/label_las.h"

#include "common/assert.h"

#include <stdlib.h>

/* Behind the points of LAZ there are EVLRs, a few kB as a rule. They are held in memory, since they are written last. */
#define LABEL_LAS_TAIL ((uint64_t)1 << 28) /* bytes */

typedef struct label_las {
    clump_io_las_rest *rest;
    uint64_t tail_at; /* in the first input file */
    clump_io_las_layout layout;
    clump_io_las_head head;
    clump_io_label_span *spans;
    size_t span_count;
    size_t label_at; /* byte of the label in a record */
    clump_io_label_records records;
    unsigned char *out;
    clump_io_laz_sink *laz;
    bool several;
} label_las;

/* --- the head --------------------------------------------------------------------------------- */

/* Reads header and VLRs of an input file. */
static clump_status read_head(clump_label_writer *writer, clump_io_block_file *input, clump_io_las_rest **out)
{
    clump_io_stream stream;
    const clump_io_where where = {input->path, &writer->why};
    *out = NULL;
    CLUMP_IO_TRY(clump_io_stream_open_head(&where, input->path, &stream));
    const clump_io_source source = {.bytes = stream.data, .size = stream.size, .stream = &stream, .where = where};
    clump_cloud *notes = NULL;
    clump_io_las_header h;
    clump_status status = clump_cloud_create(0, &notes, &writer->why);
    if (status == CLUMP_OK) status = clump_io_las_header_parse(&source, &h, notes);
    if (status == CLUMP_OK && h.count != input->count)
        status = clump_io_fail(&where, CLUMP_ERR_IO_READ, "another program changed the file while it was read");
    if (status == CLUMP_OK) {
        /* Room for a header of LAS 1.4 in place of an older one. */
        *out = calloc(1, sizeof **out + h.points + CLUMP_IO_LAS_SIZE_1_4);
        if (!*out) status = clump_io_no_memory(&where, h.points);
    }
    if (status == CLUMP_OK) {
        (*out)->header = h;
        CLUMP_ASSERT(h.tail <= source.size && h.points <= source.size);
        (*out)->tail_size = source.size - h.tail;
        memcpy((*out)->bytes, source.bytes, h.points);
    }
    clump_cloud_destroy(notes);
    clump_io_stream_close(&stream);
    return status;
}

static bool make_layout(const clump_io_las_rest *rest, clump_io_las_layout *layout)
{
    const clump_io_las_header *h = &rest->header;
    const unsigned char *descriptors = rest->bytes + h->extra_at + CLUMP_IO_LAS_VLR_HEAD;
    return clump_io_las_layout_format(layout, h->format) &&
           clump_io_las_layout_extra(layout, descriptors, h->extra_size, h->record, NULL);
}

static bool are_slots_equal(const clump_io_las_layout *a, const clump_io_las_layout *b)
{
    bool equal = a->count == b->count;
    for (size_t i = 0; i < a->count && equal; i++) {
        const clump_io_las_slot *s = &a->slots[i], *t = &b->slots[i];
        equal = strcmp(s->name, t->name) == 0 && s->type == t->type && s->count == t->count && s->offset == t->offset &&
                s->scaled == t->scaled;
        for (size_t k = 0; k < 3 && equal && s->scaled; k++)
            equal = s->scale[k] == t->scale[k] && s->add[k] == t->add[k];
    }
    return equal;
}

/* Fails where the records of an input file do not fit those of the first. */
static clump_status compare_records(const clump_label_writer *writer, const label_las *l,
                                    const clump_io_las_rest *other, const char *path)
{
    const clump_io_las_header *a = &l->rest->header, *b = &other->header;
    const char *const first = writer->reader->files[0].path;
    const clump_io_where where = {path, writer->where.message};
    if (a->format != b->format)
        return clump_io_fail(&where, CLUMP_ERR_IO_UNSUPPORTED,
                             "points of format %u, but %s has format %u: write to a folder, one file per input",
                             b->format, first, a->format);
    for (size_t i = 0; i < 3; i++) {
        if (a->scale[i] == b->scale[i] && a->offset[i] == b->offset[i]) continue;
        const bool scale = a->scale[i] != b->scale[i];
        return clump_io_fail(&where, CLUMP_ERR_IO_UNSUPPORTED,
                             "the %s of %c is %.15g, but %.15g in %s: write to a folder, one file per input",
                             scale ? "scale" : "offset", "xyz"[i], scale ? b->scale[i] : b->offset[i],
                             scale ? a->scale[i] : a->offset[i], first);
    }
    clump_io_las_layout layout = {0};
    const bool made = make_layout(other, &layout);
    const bool equal = made && are_slots_equal(&l->layout, &layout);
    clump_io_las_layout_free(&layout);
    if (!made) return clump_io_no_memory(&where, sizeof *layout.slots);
    if (equal) return CLUMP_OK;
    return clump_io_fail(&where, CLUMP_ERR_IO_UNSUPPORTED,
                         "the extra bytes of a point are not those of %s: write to a folder, one file per input",
                         first);
}

static clump_status compare_inputs(clump_label_writer *writer, const clump_io_label_file *file, const label_las *l)
{
    for (size_t i = 1; i < file->file_count; i++) {
        clump_io_block_file *input = &writer->reader->files[file->first_file + i];
        clump_io_las_rest *other;
        clump_status status = read_head(writer, input, &other);
        if (status == CLUMP_OK) status = compare_records(writer, l, other, input->path);
        free(other);
        CLUMP_IO_TRY(status);
    }
    return CLUMP_OK;
}

/* Turns the header into one of LAS 1.4, which counts points with 64 bits. The old counters become 0. */
static void count_with_64_bits(clump_io_las_rest *rest)
{
    CLUMP_ASSERT(rest->header.minor < 4 && rest->header.size <= rest->header.points);
    clump_io_las_header *h = &rest->header;
    const size_t more = h->size < CLUMP_IO_LAS_SIZE_1_4 ? CLUMP_IO_LAS_SIZE_1_4 - h->size : 0;
    const size_t known = h->minor < 3 ? CLUMP_IO_LAS_SIZE_1_2 : CLUMP_IO_LAS_SIZE_1_3;
    memmove(rest->bytes + h->size + more, rest->bytes + h->size, h->points - h->size);
    memset(rest->bytes + known, 0, h->size + more - known);
    if (h->minor < 2) memset(rest->bytes + CLUMP_IO_LAS_ENCODING, 0, 2); /* no meaning before LAS 1.2 */
    memset(rest->bytes + CLUMP_IO_LAS_COUNT, 0, 4 + 20);
    rest->bytes[CLUMP_IO_LAS_VERSION + 1] = 4;
    clump_io_las_put(rest->bytes, CLUMP_IO_LAS_HEADER_SIZE, h->size + more, 2);
    h->minor = 4;
    h->size += more;
    h->points += more;
    h->vlr_end += more;
    if (h->extra_at) h->extra_at += more;
}

static clump_status make_head(clump_label_writer *writer, const clump_io_label_file *file, label_las *l)
{
    clump_io_las_header *h = &l->rest->header;
    l->tail_at = h->tail;
    if (!make_layout(l->rest, &l->layout)) return clump_io_no_memory(&writer->where, sizeof *l->layout.slots);
    CLUMP_IO_TRY(compare_inputs(writer, file, l));
    if (h->minor < 4 && file->count > UINT32_MAX) count_with_64_bits(l->rest);
    const unsigned char *descriptors = l->rest->bytes + h->extra_at + CLUMP_IO_LAS_VLR_HEAD;
    l->head.where = writer->where;
    l->head.rest = l->rest;
    l->head.old = l->rest->bytes;
    l->head.header = *h;
    l->head.header.count = (size_t)file->count;
    CLUMP_IO_TRY(clump_io_las_plan_label(&writer->where, &l->layout, descriptors,
                                         writer->options.wide ? CLUMP_TYPE_I64 : CLUMP_TYPE_I32, &l->head.plan));
    if (file->format == CLUMP_FORMAT_LAZ)
        CLUMP_IO_TRY(clump_io_laz_can_hold(&writer->where, h->format, l->head.plan.record));
    CLUMP_IO_TRY(clump_io_las_head_make(&l->head));
    clump_io_las_summary_begin(&l->head.summary);
    return CLUMP_OK;
}

/* --- begin and start ------------------------------------------------------------------------------ */

static void release(void *state)
{
    label_las *l = state;
    if (!l) return;
    clump_io_laz_sink_abandon(l->laz);
    clump_io_label_records_free(&l->records);
    clump_io_las_plan_free(&l->head.plan);
    clump_io_las_layout_free(&l->layout);
    free(l->head.bytes);
    free(l->spans);
    free(l->rest);
    free(l->out);
    free(l);
}

static clump_status begin(clump_label_writer *writer, const clump_io_label_file *file, uint64_t *bytes)
{
    label_las *l = calloc(1, sizeof *l);
    if (!l) return clump_io_no_memory(&writer->where, sizeof *l);
    writer->state = l;
    l->several = file->file_count > 1;
    for (size_t i = 0; i < file->file_count; i++) {
        const clump_io_block_file *input = &writer->reader->files[file->first_file + i];
        if (!clump_io_block_is_las(input))
            return CLUMP_IO_UNSUPPORTED(writer, "%s is not LAS or LAZ; write .pcd, .ply, .npy or .labels", input->path);
    }
    CLUMP_IO_TRY(read_head(writer, &writer->reader->files[file->first_file], &l->rest));
    CLUMP_IO_TRY(make_head(writer, file, l));
    if (file->format == CLUMP_FORMAT_LAZ && l->rest->tail_size > LABEL_LAS_TAIL)
        return CLUMP_IO_UNSUPPORTED(writer, "%zu bytes follow the points; write .las", l->rest->tail_size);
    CLUMP_IO_TRY(
        clump_io_label_spans(&writer->where, &l->layout, &l->head.plan, &l->spans, &l->span_count, &l->label_at));
    const uint64_t points = file->count * l->head.plan.record;
    *bytes = l->head.size + points + l->rest->tail_size;
    if (file->format == CLUMP_FORMAT_LAZ) *bytes += points / 16 + 4096; /* points that do not compress grow a little */
    return CLUMP_OK;
}

static clump_status start(clump_label_writer *writer, const clump_io_label_file *file)
{
    label_las *l = writer->state;
    l->out = malloc(CLUMP_IO_LABEL_RECORDS * l->head.plan.record);
    if (!l->out) return clump_io_no_memory(&writer->where, CLUMP_IO_LABEL_RECORDS * l->head.plan.record);
    if (l->several && !clump_io_sink_patches(&writer->sink))
        return CLUMP_IO_UNSUPPORTED(writer, "several files as one LAS file need a regular file as output");
    if (file->format == CLUMP_FORMAT_LAZ)
        return clump_io_laz_sink_open(&writer->where, &writer->sink, l->head.bytes, l->head.size,
                                      writer->options.threads, &l->laz);
    clump_io_put(&writer->sink, l->head.bytes, l->head.size);
    return CLUMP_OK;
}

/* --- points ------------------------------------------------------------------------------------- */

/* Notes bounds and returns. */
static void summarize(label_las *l, const unsigned char *records, size_t count)
{
    CLUMP_ASSERT(count <= CLUMP_IO_LABEL_RECORDS && l->rest->header.record > 14);
    const size_t record = l->rest->header.record;
    const uint8_t mask = l->rest->header.format < 6 ? 7 : 15; /* return number: the low bits of byte 14 */
    int32_t steps[3 * CLUMP_IO_LABEL_RECORDS];
    uint8_t returns[CLUMP_IO_LABEL_RECORDS];
    for (size_t i = 0; i < count; i++) {
        memcpy(steps + 3 * i, records + i * record, 12);
        returns[i] = records[i * record + 14] & mask;
    }
    clump_io_las_summary_steps(&l->head.summary, steps, count);
    clump_io_las_summary_returns(&l->head.summary, returns, count);
}

static clump_status add(clump_label_writer *writer, const clump_io_label_file *file, uint64_t first,
                        const int64_t *labels, size_t count)
{
    label_las *l = writer->state;
    const size_t in = l->rest->header.record, out = l->head.plan.record;
    CLUMP_ASSERT(l->out && l->label_at + (writer->options.wide ? 8u : 4u) <= out);
    for (size_t done = 0, now; done < count; done += now) {
        uint64_t within;
        clump_io_block_file *input = clump_io_label_input(writer, file, first + done, &within);
        const unsigned char *records;
        now = count - done < CLUMP_IO_LABEL_RECORDS ? count - done : CLUMP_IO_LABEL_RECORDS;
        CLUMP_IO_TRY(clump_io_label_read(writer, input, &l->records, within, &now, &records));
        CLUMP_ASSERT(now >= 1 && now <= CLUMP_IO_LABEL_RECORDS);
        summarize(l, records, now);
        for (size_t s = 0; s < l->span_count; s++)
            for (size_t i = 0; i < now; i++)
                memcpy(l->out + i * out + l->spans[s].out, records + i * in + l->spans[s].in, l->spans[s].size);
        clump_io_label_store(l->out + l->label_at, out, labels + done, now, writer->options.wide);
        if (l->laz)
            CLUMP_IO_TRY(clump_io_laz_sink_add(l->laz, l->out, now));
        else
            clump_io_put(&writer->sink, l->out, now * out);
    }
    return CLUMP_OK;
}

/* --- the end -------------------------------------------------------------------------------------- */

/* Passes what follows the points of the first input file on: to the sink, or where `whole` is not null, to memory. */
static clump_status copy_tail(clump_label_writer *writer, const clump_io_label_file *file, unsigned char *whole)
{
    const label_las *l = writer->state;
    clump_io_block_file *input = &writer->reader->files[file->first_file];
    clump_io_stream stream = {.file = -1};
    const clump_io_source source = {
        .size = (size_t)input->stamp.size, .stream = &stream, .where = {input->path, &writer->why}};
    CLUMP_IO_TRY(clump_io_block_take_file(writer->reader, input, &source.where, &stream.file));
    clump_status status = CLUMP_OK;
    unsigned char window[4096];
    for (size_t done = 0, now; done < l->rest->tail_size && status == CLUMP_OK; done += now) {
        now = l->rest->tail_size - done < sizeof window ? l->rest->tail_size - done : sizeof window;
        status = clump_io_read(&source, (size_t)l->tail_at + done, whole ? whole + done : window, now);
        if (status == CLUMP_OK && !whole) clump_io_put(&writer->sink, window, now);
    }
    clump_io_block_give_back(writer->reader, input);
    return status;
}

/* Corrects the head where it is not that of the points: there are several files, or points lie outside of the bounds.
 * Returns whether the head is to be written again. */
static bool patches_head(clump_label_writer *writer, label_las *l)
{
    const bool wrong = clump_io_las_axis_outside(l->head.bytes, &l->head.header, &l->head.summary) >= 0;
    if (l->several)
        clump_io_las_head_patch(&l->head);
    else if (wrong)
        clump_io_las_put_bounds(&l->head.header, &l->head.summary, l->head.bytes);
    return l->several || (wrong && clump_io_sink_patches(&writer->sink));
}

static clump_status finish_laz(clump_label_writer *writer, const clump_io_label_file *file, label_las *l, bool patch)
{
    unsigned char *tail = malloc(l->rest->tail_size + 1);
    if (!tail) return clump_io_no_memory(&writer->where, l->rest->tail_size);
    clump_status status = copy_tail(writer, file, tail);
    if (status == CLUMP_OK) {
        status = clump_io_laz_sink_close(l->laz, patch ? l->head.bytes : NULL, tail, l->rest->tail_size);
        l->laz = NULL;
    }
    free(tail);
    return status;
}

static clump_status finish(clump_label_writer *writer, const clump_io_label_file *file)
{
    label_las *l = writer->state;
    const bool patch = patches_head(writer, l);
    if (l->laz) return finish_laz(writer, file, l, patch);
    CLUMP_IO_TRY(copy_tail(writer, file, NULL));
    if (patch) clump_io_sink_patch(&writer->sink, 0, l->head.bytes, l->head.size);
    return CLUMP_OK;
}

const clump_io_label_form clump_io_label_las = {begin, start, add, finish, release};
