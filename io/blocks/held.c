/* SPDX-License-Identifier: BSD-3-Clause
 *
 * held.c: files that have no records at known places: text, compressed PCD, PLY with lists. Their points are loaded as a
 * whole and served from memory, up to a limit of the file's size.
 */
#include "blocks/blocks.h"

#include <stdlib.h>

#define HELD_LARGEST ((size_t)1 << 30) /* bytes of a file */

static clump_status take_classes(const clump_io_where *where, const clump_cloud *cloud, clump_io_block_file *file)
{
    clump_field field;
    const bool there = clump_cloud_find(cloud, "classification", &field) && field.count == 1 &&
                       field.type != CLUMP_TYPE_F32 && field.type != CLUMP_TYPE_F64;
    if (!there) return CLUMP_OK;
    file->held_classes = malloc(cloud->count + 1);
    if (!file->held_classes) return clump_io_no_memory(where, cloud->count);
    for (size_t i = 0; i < cloud->count; i++) {
        const double value = clump_io_value(field.type, field.data, i);
        if (!(value >= 0 && value <= UINT8_MAX))
            return clump_io_fail(where, CLUMP_ERR_IO_UNSUPPORTED, "the classification of point %zu is %g, not 0 to 255",
                                 i, value);
        file->held_classes[i] = (uint8_t)value;
    }
    file->classes.there = true;
    return CLUMP_OK;
}

static clump_status take_ids(const clump_io_where *where, const clump_cloud *cloud, const char *const *fields,
                             clump_io_block_file *file)
{
    clump_field field = {0};
    for (size_t k = 0; fields && fields[k] && !file->ids.there; k++)
        file->ids.there = clump_cloud_find(cloud, fields[k], &field) && field.count == 1;
    if (!file->ids.there) return CLUMP_OK;
    file->held_ids = malloc((cloud->count + 1) * sizeof *file->held_ids);
    if (!file->held_ids) return clump_io_no_memory(where, cloud->count * sizeof *file->held_ids);
    for (size_t i = 0; i < cloud->count; i++)
        CLUMP_IO_TRY(clump_io_block_check_id(where, clump_io_value(field.type, field.data, i), i, &file->held_ids[i]));
    return CLUMP_OK;
}

static clump_status take_points(const clump_io_where *where, const clump_cloud *cloud, const char *const *fields,
                                clump_io_block_file *file)
{
    size_t bytes;
    if (!clump_io_multiply(cloud->count, 3 * sizeof *file->held, &bytes)) return clump_io_no_memory(where, SIZE_MAX);
    file->held = clump_io_allocate(bytes);
    if (!file->held) return clump_io_no_memory(where, bytes);
    const bool wide = clump_io_is_wide(cloud);
    for (size_t i = 0; i < cloud->count; i++)
        for (int a = 0; a < 3; a++)
            file->held[3 * i + (size_t)a] =
                wide ? clump_io_coordinate(cloud, i, a) : (double)cloud->xyz[3 * i + (size_t)a];
    file->kind = CLUMP_IO_BLOCK_HELD;
    file->coordinates = wide ? CLUMP_COORDINATES_DOUBLE : CLUMP_COORDINATES_FLOAT;
    file->count = cloud->count;
    CLUMP_IO_TRY(take_classes(where, cloud, file));
    return take_ids(where, cloud, fields, file);
}

clump_status clump_io_block_hold(const clump_reader *reader, const clump_io_source *source,
                                 const clump_reader_options *options, clump_io_block_file *file)
{
    (void)reader;
    if (source->size > HELD_LARGEST)
        return CLUMP_IO_UNSUPPORTED(source,
                                    "text and compressed PCD are read in blocks up to %zu bytes, the file has %zu; "
                                    "convert it to binary PCD, LAS or KITTI",
                                    HELD_LARGEST, source->size);
    clump_load_options load = clump_load_defaults();
    load.format = options->format;
    load.columns = options->columns;
    clump_cloud *cloud;
    CLUMP_IO_TRY(clump_io_load(file->path, &load, source->all_needed, &cloud, source->where.message));
    const clump_status status = take_points(&source->where, cloud, options->class_fields, file);
    clump_cloud_destroy(cloud);
    return status;
}
