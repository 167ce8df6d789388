/* SPDX-License-Identifier: BSD-3-Clause
 *
 * plain.c: see plain.h.
 *
 * Such a file has no header, so a file of another layout gives points without an error. Implausible
 * numbers show it: integers read as floats are near 1e-40, and halves of doubles have any size.
 */
#include "formats/plain.h"
#include "common/assert.h"
#include "records.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void list_names(char *text, size_t room, const char *const *names, size_t name_count)
{
    size_t used = (size_t)snprintf(text, room, "float32 x y z");
    for (size_t i = 0; i < name_count && used < room; i++)
        used += (size_t)snprintf(text + used, room - used, " %s", names[i]);
}

/* Returns a hint if the size fits another layout, else "". */
static const char *hint(size_t size, size_t record)
{
    if (record == 16 && size % 20 == 0) return "; as nuscenes it would fit";
    if (record == 20 && size % 16 == 0) return "; as kitti it would fit";
    return record == 16 && size % 12 == 0 ? "; points of x y z alone would fit: --columns xyz" : "";
}

static bool is_strange(float value)
{
    const float size = fabsf(value);
    return size > 1e6f || (size > 0 && size < 1e-20f);
}

/* Whether more than a quarter of a few thousand points have implausible coordinates; notes it. */
static bool note_strange_points(clump_cloud *cloud, const char *what)
{
    const size_t step = cloud->count / 4096 | 1; /* odd, in case points alternate between two kinds */
    size_t strange = 0, looked = 0;
    for (size_t i = 0; i < cloud->count; i += step, looked++) {
        const float *p = cloud->xyz + 3 * i;
        strange += is_strange(p[0]) || is_strange(p[1]) || is_strange(p[2]);
    }
    if (strange * 4 > looked)
        clump_io_note(cloud,
                      "%zu of %zu points looked at have coordinates no sensor gives: perhaps this is no %s file; "
                      "--columns says what it is",
                      strange, looked, what);
    return strange * 4 > looked;
}

/* Returns number k of the file. */
static float number(const clump_cloud *cloud, size_t k)
{
    return k % 4 == 3 ? ((const float *)cloud->fields[0].data)[k / 4] : cloud->xyz[k / 4 * 3 + k % 4];
}

/* Returns the mean difference of numbers that are `lag` apart, sampled from all over the file. */
static double mean_step(const clump_cloud *cloud, size_t lag)
{
    enum { STRETCHES = 64, LENGTH = 240 };
    const size_t numbers = 4 * cloud->count, apart = numbers / STRETCHES / 12 * 12;
    double sum = 0;
    size_t count = 0;
    for (size_t s = 0; s < STRETCHES; s++)
        for (size_t i = s * apart; i < s * apart + LENGTH && i + lag < numbers; i++) {
            const double step = fabs((double)number(cloud, i) - (double)number(cloud, i + lag));
            if (!(step < 1e6)) continue;
            sum += step;
            count++;
        }
    return count ? sum / (double)count : 0;
}

/* Notes a file that may hold x y z alone. With a multiple of four points, such a file is as long as one with
 * intensities, and its points are mixed up. Two signs show it. The fourth numbers, really coordinates, are often
 * negative. Or numbers three apart, of one axis and adjacent points, differ less than numbers four apart. */
static void note_strange_intensity(size_t size, clump_cloud *cloud)
{
    const float *intensity = cloud->fields[0].data;
    const size_t step = cloud->count / 4096 | 1;
    size_t negative = 0, strange = 0, looked = 0;
    for (size_t i = 0; i < cloud->count; i += step, looked++) {
        negative += intensity[i] < 0;
        strange += is_strange(intensity[i]);
    }
    const bool fits = size % 12 == 0 && cloud->count >= 12;
    if (fits && negative * 8 > looked)
        clump_io_note(cloud,
                      "%zu of %zu intensities looked at are negative: if the points are x y z alone, read them "
                      "with --columns xyz",
                      negative, looked);
    else if (fits && mean_step(cloud, 3) < 0.5 * mean_step(cloud, 4))
        clump_io_note(cloud, "the points seem to be x y z alone, without intensity: read them with --columns xyz");
    else if (strange * 4 > looked)
        clump_io_note(cloud,
                      "%zu of %zu intensities looked at are such as no sensor gives: --columns says what a point is",
                      strange, looked);
}

clump_status clump_io_plain_count(const clump_io_source *source, clump_cloud *cloud, const char *what, const char *list,
                                  const clump_io_table *table, size_t *counted)
{
    const size_t count = *counted = source->size / table->record, rest = source->size % table->record;
    if (rest && !source->partial) {
        const char *other = hint(source->size, table->record);
        return CLUMP_IO_DAMAGED(source, "%zu bytes is no multiple of %zu, the size of a %s point (%s)%s%s",
                                source->size, table->record, what, list, other,
                                count && !source->all_needed ? "; --partial reads the points before the last bytes"
                                                             : "");
    }
    if (rest)
        clump_io_note(cloud, "the last %zu bytes are no whole point and were left out: %zu points were read", rest,
                      count);
    cloud->info.encoding = CLUMP_ENCODING_BINARY;
    return CLUMP_OK;
}

clump_status clump_io_plain_read_table(const clump_io_source *source, clump_cloud *cloud, const char *what,
                                       const char *list, clump_io_table *table)
{
    size_t count;
    CLUMP_IO_TRY(clump_io_plain_count(source, cloud, what, list, table, &count));
    clump_status status = clump_io_table_prepare(&source->where, table, cloud, count);
    if (status == CLUMP_OK) status = clump_io_table_read_all(table, source, 0, count);
    clump_io_table_finish(table, cloud);
    return status;
}

/* Makes the table of x y z and the names. columns has 3 + name_count entries. */
static clump_io_table make_table(clump_io_column *columns, const char *const *names, size_t name_count)
{
    CLUMP_ASSERT(name_count <= CLUMP_IO_PLAIN_MAX);
    for (size_t i = 0; i < 3 + name_count; i++) {
        const char *name = i < 3 ? &"xyz"[i] : names[i - 3];
        columns[i] = (clump_io_column){.name = name,
                                       .name_size = i < 3 ? 1 : strlen(name),
                                       .type = CLUMP_TYPE_F32,
                                       .count = 1,
                                       .offset = 4 * i,
                                       .axis = i < 3 ? (int)i : -1};
    }
    return (clump_io_table){.columns = columns, .column_count = 3 + name_count, .record = 4 * (3 + name_count)};
}

clump_status clump_io_plain_describe(const clump_io_source *source, clump_cloud *cloud, const char *what,
                                     const char *const *names, size_t name_count, clump_io_records *records)
{
    *records = (clump_io_records){0};
    clump_io_column *columns = calloc(3 + name_count, sizeof *columns);
    if (!columns) return clump_io_no_memory(&source->where, (3 + name_count) * sizeof *columns);
    records->table = make_table(columns, names, name_count);
    char list[96];
    list_names(list, sizeof list, names, name_count);
    return clump_io_plain_count(source, cloud, what, list, &records->table, &records->count);
}

clump_status clump_io_plain_read(const clump_io_source *source, clump_cloud *cloud, const char *what,
                                 const char *const *names, size_t name_count)
{
    clump_io_column columns[3 + CLUMP_IO_PLAIN_MAX];
    clump_io_table table = make_table(columns, names, name_count);
    char list[96];
    list_names(list, sizeof list, names, name_count);
    CLUMP_IO_TRY(clump_io_plain_read_table(source, cloud, what, list, &table));
    if (!note_strange_points(cloud, what) && name_count == 1) note_strange_intensity(source->size, cloud);
    return CLUMP_OK;
}

/* Finds a field of that name, or with a capital first letter, that has one element per point. */
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
        return CLUMP_IO_UNSUPPORTED(
            output, "a %s file has no place for labels; write .pcd, .ply, .las, .csv, .npy or .labels", what);
    clump_field fields[CLUMP_IO_PLAIN_MAX];
    bool there[CLUMP_IO_PLAIN_MAX];
    for (size_t f = 0; f < name_count; f++) there[f] = find(cloud, names[f], &fields[f]);
    for (size_t i = 0; i < cloud->count && !sink->error; i++) {
        float point[3 + CLUMP_IO_PLAIN_MAX] = {0};
        for (int a = 0; a < 3; a++) point[a] = clump_io_coordinate32(cloud, i, a);
        for (size_t f = 0; f < name_count; f++)
            if (there[f]) point[3 + f] = (float)clump_io_value(fields[f].type, fields[f].data, i);
        clump_io_put(sink, point, sizeof(float) * (3 + name_count));
        if ((i + 1) % CLUMP_IO_STRETCH == 0) clump_io_report(&output->progress, i + 1, cloud->count);
    }
    return CLUMP_OK;
}
