/* SPDX-License-Identifier: BSD-3-Clause
 *
 * plain.c: see plain.h.
 *
 * Such a file says nothing of itself, so a file of another layout gives points and no error. It is
 * noticed when the numbers are not what a sensor measures: integers taken for floats come out as
 * numbers near 1e-40, halves of doubles as anything at all.
 */
#include "plain.h"
#include "records.h"

#include <math.h>
#include <stdio.h>

static void list_names(char *text, size_t room, const char *const *names, size_t name_count)
{
    size_t used = (size_t)snprintf(text, room, "float32 x y z");
    for (size_t i = 0; i < name_count && used < room; i++)
        used += (size_t)snprintf(text + used, room - used, " %s", names[i]);
}

/* Another layout whose points this many bytes may be. */
static const char *hint(size_t size, size_t record)
{
    if (record == 16 && size % 20 == 0) return "; as nuscenes it would fit";
    return record == 20 && size % 16 == 0 ? "; as kitti it would fit" : "";
}

/* More than a quarter of the points that no sensor measures, out of a few thousand. */
static void doubt(clump_cloud *cloud, const char *what)
{
    const size_t step = cloud->count / 4096 | 1; /* odd: every other point may be of another kind */
    size_t strange = 0, looked = 0;
    for (size_t i = 0; i < cloud->count; i += step, looked++) {
        bool odd = false;
        for (size_t a = 0; a < 3; a++) {
            const float size = fabsf(cloud->xyz[3 * i + a]);
            odd = odd || size > 1e6f || (size > 0 && size < 1e-20f);
        }
        strange += odd;
    }
    if (strange * 4 > looked)
        clump_io_note(cloud, "%zu of %zu points looked at have coordinates no sensor gives: perhaps this is no %s file",
                      strange, looked, what);
}

clump_status clump_io_plain_read(const clump_io_source *source, clump_cloud *cloud, const char *what,
                                 const char *const *names, size_t name_count)
{
    const size_t record = 4 * (3 + name_count), count = source->size / record;
    if (source->size % record) {
        char list[96];
        list_names(list, sizeof list, names, name_count);
        return clump_io_fail(&source->where, CLUMP_ERR_IO_FORMAT,
                             "%zu bytes is no multiple of %zu, the size of a %s point (%s)%s", source->size, record,
                             what, list, hint(source->size, record));
    }
    clump_io_column columns[3 + CLUMP_IO_PLAIN_MAX];
    for (size_t i = 0; i < 3 + name_count; i++) {
        const char *name = i < 3 ? &"xyz"[i] : names[i - 3];
        columns[i] = (clump_io_column){.name = name,
                                       .name_size = i < 3 ? 1 : strlen(name),
                                       .type = CLUMP_TYPE_F32,
                                       .count = 1,
                                       .offset = 4 * i,
                                       .axis = i < 3 ? (int)i : -1};
    }
    clump_io_table table = {.columns = columns, .column_count = 3 + name_count, .record = record};
    clump_status status = clump_io_cloud_resize(&source->where, cloud, count);
    if (status == CLUMP_OK) status = clump_io_table_prepare(&source->where, &table, cloud);
    if (status != CLUMP_OK) return status;
    clump_io_table_read_all(&table, source, 0, count);
    clump_io_table_finish(&table, cloud);
    cloud->info.encoding = CLUMP_ENCODING_BINARY;
    doubt(cloud, what);
    return CLUMP_OK;
}

/* A field of that name, or with a capital first letter; one element a point. */
static bool find(const clump_cloud *cloud, const char *name, clump_field *field)
{
    char capital[32];
    snprintf(capital, sizeof capital, "%s", name);
    capital[0] = (char)(capital[0] - 32);
    return (clump_cloud_find(cloud, name, field) || clump_cloud_find(cloud, capital, field)) && field->count == 1;
}

clump_status clump_io_plain_write(const clump_io_output *output, clump_io_sink *sink, const char *what,
                                  const char *const *names, size_t name_count)
{
    const clump_cloud *cloud = output->cloud;
    if (output->labels)
        return clump_io_fail(&output->where, CLUMP_ERR_IO_UNSUPPORTED,
                             "a %s file has no place for labels; write .pcd, .ply, .las, .csv, .npy or .labels", what);
    clump_field fields[CLUMP_IO_PLAIN_MAX];
    bool there[CLUMP_IO_PLAIN_MAX];
    for (size_t f = 0; f < name_count; f++) there[f] = find(cloud, names[f], &fields[f]);
    for (size_t i = 0; i < cloud->count && !sink->error; i++) {
        float point[3 + CLUMP_IO_PLAIN_MAX] = {0};
        for (int a = 0; a < 3; a++) point[a] = clump_io_coordinate32(cloud, i, a);
        for (size_t f = 0; f < name_count; f++)
            if (there[f]) point[3 + f] = (float)clump_io_value(fields[f].type, fields[f].data, i);
        clump_io_put(sink, point, sizeof(float) * (3 + name_count));
        if ((i + 1) % CLUMP_IO_STRETCH == 0) clump_io_tell(&output->progress, i + 1, cloud->count);
    }
    return CLUMP_OK;
}
