/* SPDX-License-Identifier: BSD-3-Clause
 *
 * label_table.c: PCD and PLY with labels, in binary.
 *
 *     input                                          output
 *     records: binary PCD, PLY, KITTI, NumPy ...     x y z, all fields, label; a window of points at a time
 *     LAS, LAZ                                       x y z, label
 *     text, compressed PCD                           as records; one file, which the reader holds in memory anyway
 *
 * A window is a cloud, which the writer of the format writes.
 */
#include "blocks/label_writer.h"
#include "common/assert.h"
#include "format.h"
#include "formats/pcd.h"
#include "formats/ply.h"

#include <stdlib.h>

#define LABEL_TABLE_WINDOW ((size_t)4 << 20) /* bytes of records that are read at a time */

typedef struct label_table {
    clump_io_block_file *input; /* that the cloud is a window of; null: none */
    clump_cloud *cloud;
    clump_io_records records; /* of the input, if it has records */
    size_t most;              /* points of a window */
    clump_field *fields;      /* to write */
    size_t field_count;
    unsigned char *labels; /* of the window; HELD: of all points */
    unsigned char *bytes;  /* records */
    clump_io_block_memory memory;
} label_table;

/* --- the cloud ---------------------------------------------------------------------------------- */

static void drop_input(label_table *t)
{
    clump_cloud_destroy(t->cloud);
    free(t->records.table.columns);
    free(t->bytes);
    free(t->fields);
    free(t->labels);
    free(t->memory.xyz);
    free(t->memory.classes);
    free(t->memory.window);
    free(t->memory.wide);
    free(t->memory.packed);
    free(t->memory.records);
    free(t->memory.codec);
    *t = (label_table){0};
}

static void release(void *state)
{
    if (state) drop_input(state);
    free(state);
}

/* Makes the cloud of a file of records: describe() names the columns, and the table reads into the cloud. */
static clump_status open_records(clump_label_writer *writer, label_table *t)
{
    clump_io_stream stream;
    const clump_io_where where = {t->input->path, &writer->why};
    CLUMP_IO_TRY(clump_io_stream_open_head(&where, t->input->path, &stream));
    const clump_io_source source = {.bytes = stream.data ? stream.data : (const unsigned char *)"",
                                    .size = stream.size,
                                    .stream = &stream,
                                    .where = where,
                                    .columns = writer->reader->columns};
    const clump_io_format *format = clump_io_format_of(t->input->format);
    CLUMP_ASSERT(format && format->describe);
    clump_status status = clump_cloud_create(0, &t->cloud, &writer->why);
    if (status == CLUMP_OK) status = format->describe(&source, t->cloud, &t->records);
    if (status == CLUMP_OK && (!t->records.table.columns || t->records.count != t->input->count))
        status = clump_io_fail(&where, CLUMP_ERR_IO_READ, "another program changed the file while it was read");
    if (status == CLUMP_OK) {
        const clump_cloud_info info = t->cloud->info;
        t->most = LABEL_TABLE_WINDOW / t->records.table.record;
        if (t->most > CLUMP_BLOCK_POINTS) t->most = CLUMP_BLOCK_POINTS;
        if (t->most < 1) t->most = 1;
        status = clump_io_table_prepare(&where, &t->records.table, t->cloud, t->most);
        t->cloud->info.format = format->format;
        t->cloud->info.width = info.width * info.height == t->records.count ? info.width : t->records.count;
        t->cloud->info.height = t->cloud->info.width == info.width ? info.height : 1;
    }
    if (status == CLUMP_OK) status = clump_io_cloud_separate_names(&where, t->cloud);
    t->cloud->exact = t->records.table.xyz64; /* freed with the cloud */
    clump_io_stream_close(&stream);
    if (status != CLUMP_OK) return status;
    t->bytes = malloc(t->most * t->records.table.record);
    return t->bytes ? CLUMP_OK : clump_io_no_memory(&where, t->most * t->records.table.record);
}

/* Makes the cloud of a LAS or LAZ file: coordinates only. */
static clump_status open_las(clump_label_writer *writer, label_table *t)
{
    const clump_io_where where = {t->input->path, &writer->why};
    clump_io_block_memory *m = &t->memory;
    t->most = CLUMP_BLOCK_POINTS;
    CLUMP_IO_TRY(clump_cloud_create(t->most, &t->cloud, &writer->why));
    t->cloud->exact = malloc(3 * t->most * sizeof *t->cloud->exact);
    m->xyz = malloc(3 * t->most * sizeof(double));
    m->classes = malloc(t->most);
    m->window = malloc(CLUMP_IO_BLOCK_WINDOW);
    t->cloud->info.width = (size_t)t->input->count;
    return t->cloud->exact && m->xyz && m->classes && m->window ? CLUMP_OK
                                                                : clump_io_no_memory(&where, CLUMP_IO_BLOCK_WINDOW);
}

static clump_status open_held(clump_label_writer *writer, label_table *t)
{
    clump_load_options load = clump_load_defaults();
    load.format = t->input->format;
    load.columns = writer->reader->columns;
    t->most = (size_t)t->input->count;
    return clump_cloud_load(t->input->path, &load, &t->cloud, &writer->why);
}

/* Lists the fields of the cloud, with the label in place of a field "label". */
static clump_status list_fields(clump_label_writer *writer, label_table *t)
{
    const bool wide = writer->options.wide;
    t->fields = malloc((t->cloud->field_count + 1) * sizeof *t->fields);
    t->labels = calloc(t->most + 1, wide ? 8 : 4);
    if (!t->fields || !t->labels) return clump_io_no_memory(&writer->where, (t->most + 1) * 8);
    for (size_t i = 0; i < t->cloud->field_count; i++)
        if (strcmp(t->cloud->fields[i].name, "label") != 0) t->fields[t->field_count++] = t->cloud->fields[i];
    t->fields[t->field_count++] = /* uint32: clump_io_is_label() */
        (clump_field){"label", wide ? CLUMP_TYPE_I64 : CLUMP_TYPE_U32, 1, t->labels};
    CLUMP_ASSERT(t->field_count <= t->cloud->field_count + 1);
    return CLUMP_OK;
}

static clump_status open_input(clump_label_writer *writer, label_table *t, clump_io_block_file *input)
{
    drop_input(t);
    t->input = input;
    CLUMP_IO_TRY(input->kind == CLUMP_IO_BLOCK_RECORDS ? open_records(writer, t)
                 : input->kind == CLUMP_IO_BLOCK_HELD  ? open_held(writer, t)
                                                       : open_las(writer, t));
    return list_fields(writer, t);
}

/* --- begin and start ------------------------------------------------------------------------------ */

/* Fails where a further input file has other fields. */
static clump_status compare_fields(const clump_label_writer *writer, const label_table *a, const label_table *b)
{
    bool equal = a->field_count == b->field_count && clump_io_is_wide(a->cloud) == clump_io_is_wide(b->cloud);
    for (size_t i = 0; i < a->field_count && equal; i++)
        equal = strcmp(a->fields[i].name, b->fields[i].name) == 0 && a->fields[i].type == b->fields[i].type &&
                a->fields[i].count == b->fields[i].count;
    if (equal) return CLUMP_OK;
    const clump_io_where where = {b->input->path, writer->where.message};
    return clump_io_fail(&where, CLUMP_ERR_IO_UNSUPPORTED,
                         "the fields are not those of %s: write to a folder, one file per input", a->input->path);
}

static clump_status compare_inputs(clump_label_writer *writer, const clump_io_label_file *file, const label_table *t)
{
    for (size_t i = 1; i < file->file_count; i++) {
        label_table other = {0};
        clump_io_block_file *input = &writer->reader->files[file->first_file + i];
        if (input->kind == CLUMP_IO_BLOCK_HELD || t->input->kind == CLUMP_IO_BLOCK_HELD)
            return CLUMP_IO_UNSUPPORTED(writer, "text and compressed PCD cannot be written as one file of points; "
                                                "write .labels or .npy, or convert them to binary PCD");
        clump_status status = open_input(writer, &other, input);
        if (status == CLUMP_OK) status = compare_fields(writer, t, &other);
        drop_input(&other);
        CLUMP_IO_TRY(status);
    }
    return CLUMP_OK;
}

static clump_status begin(clump_label_writer *writer, const clump_io_label_file *file, uint64_t *bytes)
{
    label_table *t = calloc(1, sizeof *t);
    if (!t) return clump_io_no_memory(&writer->where, sizeof *t);
    writer->state = t;
    if (writer->options.wide && file->format == CLUMP_FORMAT_PLY)
        return CLUMP_IO_UNSUPPORTED(writer, "labels of 64 bits do not fit PLY; write .pcd, .npy or .labels64");
    CLUMP_IO_TRY(open_input(writer, t, &writer->reader->files[file->first_file]));
    CLUMP_IO_TRY(compare_inputs(writer, file, t));
    uint64_t record = clump_io_is_wide(t->cloud) ? 24 : 12, names = 1024;
    for (size_t i = 0; i < t->field_count; i++) {
        record += t->fields[i].count * clump_type_size(t->fields[i].type);
        names += t->fields[i].count * (strlen(t->fields[i].name) + 32);
    }
    *bytes = names + file->count * record;
    return CLUMP_OK;
}

static clump_io_output output_of(const clump_label_writer *writer, const label_table *t)
{
    return (clump_io_output){.cloud = t->cloud,
                             .fields = t->fields,
                             .field_count = t->field_count,
                             .encoding = CLUMP_ENCODING_BINARY,
                             .extension = "",
                             .where = writer->where};
}

static clump_status put_header(clump_label_writer *writer, const clump_io_label_file *file)
{
    label_table *t = writer->state;
    const clump_io_output output = output_of(writer, t);
    if (file->format == CLUMP_FORMAT_PLY) return clump_io_ply_put_header(&output, &writer->sink);
    clump_io_pcd_put_header(&output, &writer->sink);
    return CLUMP_OK;
}

static clump_status start(clump_label_writer *writer, const clump_io_label_file *file)
{
    label_table *t = writer->state;
    t->cloud->count = (size_t)file->count;
    if (file->file_count > 1) t->cloud->info.width = (size_t)file->count, t->cloud->info.height = 1;
    const clump_status status = put_header(writer, file);
    t->cloud->count = t->most;
    return status;
}

/* --- points ------------------------------------------------------------------------------------- */

static clump_status read_columns(const clump_io_source *source, label_table *t, uint64_t first, size_t count)
{
    CLUMP_ASSERT(count <= t->most && first + count <= t->records.count);
    const clump_io_records *r = &t->records;
    const size_t record = r->table.record, at = r->at + (size_t)first * record;
    if (!r->apart) {
        CLUMP_IO_TRY(clump_io_read(source, at, t->bytes, count * record));
        clump_io_table_read(&r->table, t->bytes, 0, count);
        return CLUMP_OK;
    }
    for (size_t i = 0; i < r->table.column_count; i++) {
        const clump_io_column *c = &r->table.columns[i];
        CLUMP_IO_TRY(clump_io_read(source, at + c->offset, t->bytes, count * record));
        clump_io_column_read(&r->table, c, t->bytes, record, 0, count);
    }
    return CLUMP_OK;
}

static clump_status read_records(clump_label_writer *writer, label_table *t, uint64_t first, size_t count)
{
    clump_io_block_file *input = t->input;
    clump_io_stream stream = {.file = -1};
    const clump_io_source source = {
        .size = (size_t)input->stamp.size, .stream = &stream, .where = {input->path, &writer->why}};
    CLUMP_IO_TRY(clump_io_block_take_file(writer->reader, input, &source.where, &stream.file));
    const clump_status status = read_columns(&source, t, first, count);
    clump_io_block_give_back(writer->reader, input);
    for (size_t i = 0; i < 3 * count && t->cloud->exact; i++) t->cloud->xyz[i] = (float)t->cloud->exact[i];
    return status;
}

static clump_status read_las(clump_label_writer *writer, label_table *t, uint64_t first, size_t count)
{
    CLUMP_ASSERT(count <= t->most && first + count <= t->input->count);
    const clump_reader *reader = writer->reader;
    clump_cloud *cloud = t->cloud;
    CLUMP_IO_TRY(clump_io_block_read(writer->reader, t->input, first, count, &t->memory, 0, &writer->why));
    const int64_t *steps = t->memory.xyz;
    const double *doubles = t->memory.xyz;
    for (size_t i = 0; i < 3 * count; i++) {
        const clump_io_block_axis *a = &reader->axes[i % 3];
        cloud->exact[i] = reader->info.coordinates == CLUMP_COORDINATES_STEPS
                              ? (double)((steps[i] - a->base) / a->multiple) * a->scale + a->offset
                              : doubles[i];
        cloud->xyz[i] = (float)cloud->exact[i];
    }
    return CLUMP_OK;
}

static clump_status add(clump_label_writer *writer, const clump_io_label_file *file, uint64_t first,
                        const int64_t *labels, size_t count)
{
    label_table *t = writer->state;
    uint64_t within;
    clump_io_block_file *input = clump_io_label_input(writer, file, first, &within);
    const size_t size = writer->options.wide ? 8 : 4;
    CLUMP_ASSERT(count <= CLUMP_BLOCK_POINTS && within + count <= input->count);
    if (input != t->input) CLUMP_IO_TRY(open_input(writer, t, input));
    if (input->kind == CLUMP_IO_BLOCK_HELD) {
        clump_io_label_store(t->labels + within * size, size, labels, count, writer->options.wide);
        return CLUMP_OK;
    }
    for (size_t done = 0, now; done < count; done += now) {
        now = count - done < t->most ? count - done : t->most;
        CLUMP_IO_TRY(input->kind == CLUMP_IO_BLOCK_RECORDS ? read_records(writer, t, within + done, now)
                                                           : read_las(writer, t, within + done, now));
        clump_io_label_store(t->labels, size, labels + done, now, writer->options.wide);
        const clump_io_output output = output_of(writer, t);
        t->cloud->count = now;
        if (file->format == CLUMP_FORMAT_PLY)
            CLUMP_IO_TRY(clump_io_ply_put_points(&output, &writer->sink));
        else
            clump_io_pcd_put_points(&output, &writer->sink);
    }
    return CLUMP_OK;
}

/* A file that is held in memory is written now. */
static clump_status finish(clump_label_writer *writer, const clump_io_label_file *file)
{
    label_table *t = writer->state;
    if (t->input->kind != CLUMP_IO_BLOCK_HELD) return CLUMP_OK;
    const clump_io_output output = output_of(writer, t);
    if (file->format == CLUMP_FORMAT_PLY) return clump_io_ply_put_points(&output, &writer->sink);
    clump_io_pcd_put_points(&output, &writer->sink);
    return CLUMP_OK;
}

const clump_io_label_form clump_io_label_table = {begin, start, add, finish, release};
