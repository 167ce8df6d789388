/* SPDX-License-Identifier: BSD-3-Clause
 *
 * describe.c: what one file is: its format, its records, and where the coordinates are in them. Only the head of the file
 * is read, by the code that reads it for clump_cloud_load().
 */
#include "blocks/laz_cache.h"
#include "common/assert.h"
#include "las/las.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* --- LAS -------------------------------------------------------------------------------------- */

/* The box of the header, unless that is none. */
static void read_box(const unsigned char *bytes, clump_io_block_file *file)
{
    file->has_box = true;
    for (int a = 0; a < 3; a++) {
        file->upper[a] = clump_io_las_f64(bytes + CLUMP_IO_LAS_BOUNDS + 16 * a);
        file->lower[a] = clump_io_las_f64(bytes + CLUMP_IO_LAS_BOUNDS + 16 * a + 8);
        file->has_box =
            file->has_box && isfinite(file->lower[a]) && isfinite(file->upper[a]) && file->lower[a] <= file->upper[a];
    }
}

static clump_io_block_class class_of_slot(const clump_io_las_slot *slot)
{
    return (clump_io_block_class){.there = true,
                                  .shift = slot->shift,
                                  .mask = slot->bits ? (1u << slot->bits) - 1 : 0,
                                  .column = {.offset = slot->offset, .type = slot->type, .count = 1, .axis = -1}};
}

/* Finds the field of options.class_fields. One that the cloud may hide for an extra dimension of its name, which only all
 * values tell, is refused; so is one with a scale. */
static clump_status find_las_ids(const clump_io_where *where, const clump_io_las_layout *layout,
                                 const char *const *fields, clump_io_block_file *file)
{
    const clump_io_las_slot *best = NULL;
    size_t least = SIZE_MAX;
    for (size_t i = 0; i < layout->count; i++) {
        const clump_io_las_slot *slot = &layout->slots[i];
        const size_t rank = clump_io_block_class_rank(fields, slot->name, strlen(slot->name));
        if (slot->count == 1 && rank < least) least = rank, best = slot;
    }
    if (!best) return CLUMP_OK;
    bool twice = false;
    for (size_t i = 0; i < layout->count && !best->extra; i++)
        twice |= layout->slots[i].extra && clump_io_las_same_name(best->name, layout->slots[i].name);
    if (twice || best->scaled)
        return clump_io_fail(where, CLUMP_ERR_IO_UNSUPPORTED, "the classes of field '%s' cannot be read in blocks: %s",
                             best->name, twice ? "two fields have the name" : "the field has a scale");
    file->ids = class_of_slot(best);
    return CLUMP_OK;
}

/* The place of the classification is the same in all formats but for the byte: las_layout.c knows it. */
static clump_status find_las_classes(const clump_io_source *source, const clump_io_las_header *header,
                                     const char *const *fields, clump_io_block_file *file)
{
    clump_io_las_layout layout = {0};
    clump_status status = CLUMP_OK;
    if (!clump_io_las_layout_make(source, header, &layout, NULL))
        status = clump_io_no_memory(&source->where, sizeof *layout.slots);
    for (size_t i = 0; status == CLUMP_OK && i < layout.count; i++)
        if (!layout.slots[i].extra && strcmp(layout.slots[i].name, "classification") == 0)
            file->classes = class_of_slot(&layout.slots[i]);
    if (status == CLUMP_OK && fields) status = find_las_ids(&source->where, &layout, fields, file);
    clump_io_las_layout_free(&layout);
    return status;
}

static clump_status describe_las(const clump_io_source *source, const char *const *fields, clump_cloud *cloud,
                                 clump_io_block_file *file)
{
    clump_io_las_header h;
    CLUMP_IO_TRY(clump_io_las_header_parse(source, &h, cloud));
    file->kind = h.compressed ? CLUMP_IO_BLOCK_LAZ : CLUMP_IO_BLOCK_LAS;
    file->coordinates = CLUMP_COORDINATES_STEPS;
    file->at = h.points;
    file->record = h.record;
    file->count = h.count;
    memcpy(file->scale, h.scale, sizeof h.scale);
    memcpy(file->offset, h.offset, sizeof h.offset);
    read_box(source->bytes, file);
    CLUMP_IO_TRY(find_las_classes(source, &h, fields, file));
    return h.compressed ? clump_io_block_open_laz(&source->where, h.record, file) : CLUMP_OK;
}

/* --- records ---------------------------------------------------------------------------------- */

static bool is_integer(clump_type type)
{
    return type != CLUMP_TYPE_F32 && type != CLUMP_TYPE_F64;
}

/* Keeps the columns of the coordinates and of the classes. Their names are in the source, which is closed later. */
static void take_columns(const clump_io_table *table, const char *const *fields, clump_io_block_file *file)
{
    static const char name[] = "classification";
    size_t least = SIZE_MAX; /* rank of the field with the ids */
    file->coordinates = CLUMP_COORDINATES_FLOAT;
    for (size_t i = 0; i < table->column_count; i++) {
        clump_io_column column = table->columns[i];
        const bool class_name = column.name_size == sizeof name - 1 && memcmp(column.name, name, sizeof name - 1) == 0;
        if (column.skip) continue;
        const size_t rank = clump_io_block_class_rank(fields, column.name, column.name_size);
        column.name = "";
        column.name_size = 0;
        if (column.axis >= 0) {
            CLUMP_ASSERT(column.axis < 3);
            file->axes[column.axis] = column;
            if (column.type != CLUMP_TYPE_F32) file->coordinates = CLUMP_COORDINATES_DOUBLE;
            continue;
        }
        if (column.count != 1) continue;
        if (class_name && is_integer(column.type) && !file->classes.there)
            file->classes = (clump_io_block_class){.there = true, .column = column};
        if (rank < least) file->ids = (clump_io_block_class){.there = true, .column = column}, least = rank;
    }
}

static clump_status describe_records(const clump_io_source *source, const clump_io_format *format,
                                     const char *const *fields, clump_cloud *cloud, clump_io_block_file *file,
                                     bool *found)
{
    clump_io_records records = {0};
    const clump_status status = format->describe ? format->describe(source, cloud, &records) : CLUMP_OK;
    *found = status == CLUMP_OK && records.table.columns;
    if (*found) {
        CLUMP_ASSERT(records.table.record >= 1);
        take_columns(&records.table, fields, file);
        file->kind = CLUMP_IO_BLOCK_RECORDS;
        file->at = records.at;
        file->record = records.table.record;
        file->swapped = records.table.swapped;
        file->apart = records.apart;
        file->count = records.count;
    }
    free(records.table.columns);
    return status;
}

/* --- any -------------------------------------------------------------------------------------- */

static clump_status describe_source(const clump_reader *reader, const clump_io_source *source,
                                    const clump_reader_options *options, clump_cloud *cloud, clump_io_block_file *file)
{
    const clump_io_format *format = NULL;
    CLUMP_IO_TRY(clump_io_choose_format(source, options->format, cloud, &format));
    file->format = format->format;
    if (!format->holds_points) return CLUMP_IO_UNSUPPORTED(source, "the file holds labels, not points");
    if (format->format == CLUMP_FORMAT_LAS || format->format == CLUMP_FORMAT_LAZ)
        return describe_las(source, options->class_fields, cloud, file);
    bool found;
    CLUMP_IO_TRY(describe_records(source, format, options->class_fields, cloud, file, &found));
    return found ? CLUMP_OK : clump_io_block_hold(reader, source, options, file);
}

clump_status clump_io_block_describe(const clump_reader *reader, const clump_reader_options *options,
                                     clump_io_block_file *file, clump_message *message)
{
    const clump_io_where where = {file->path, message};
    struct stat about;
    if (clump_io_is_dash(file->path) || (stat(file->path, &about) == 0 && !S_ISREG(about.st_mode)))
        return clump_io_fail(&where, CLUMP_ERR_IO_UNSUPPORTED, "only a regular file can be read in blocks");
    clump_io_stream stream;
    CLUMP_IO_TRY(clump_io_stream_open_head(&where, file->path, &stream));
    clump_io_source source = {.bytes = stream.data ? stream.data : (const unsigned char *)"",
                              .size = stream.size,
                              .stream = &stream,
                              .where = where,
                              .columns = options->columns,
                              .all_needed = true};
    clump_cloud *cloud = NULL;
    clump_io_locale locale;
    clump_status status = clump_cloud_create(0, &cloud, message);
    if (!clump_io_block_look(stream.file, &file->stamp)) file->stamp = (clump_io_block_stamp){0};
    if (status == CLUMP_OK && !clump_io_locale_enter(&locale)) {
        status = clump_io_no_memory(&where, 0);
    } else if (status == CLUMP_OK) {
        status = describe_source(reader, &source, options, cloud, file);
        if (status == CLUMP_OK && options->class_fields && file->count && !file->ids.there)
            status = clump_io_block_refuse_classes(&where, options->class_fields);
        clump_io_locale_leave(&locale);
    }
    clump_cloud_destroy(cloud);
    clump_io_stream_close(&stream);
    return status;
}
