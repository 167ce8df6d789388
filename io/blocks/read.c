/* SPDX-License-Identifier: BSD-3-Clause
 *
 * read.c: reads points of a file, in whole records or column by column, and converts them to what all files of the reader
 * have in common.
 */
#include "blocks/laz_cache.h"
#include "common/assert.h"
#include "las/las.h"

#include <math.h>
#include <stdlib.h>

/* One call: where the bytes come from, and where the points go. */
typedef struct task {
    clump_reader *reader;
    const clump_io_block_file *file;
    clump_io_source source;
    clump_io_block_memory *memory;
    uint64_t first; /* of the file */
    size_t to;      /* of the block */
} task;

size_t clump_io_block_file_of(const clump_reader *reader, uint64_t point)
{
    CLUMP_ASSERT(point < reader->info.count);
    size_t low = 0, high = reader->file_count;
    while (high - low > 1) { /* files[low].first <= point */
        const size_t middle = low + (high - low) / 2;
        if (reader->files[middle].first <= point)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Where point i of the call begins; i may be as many as the file has. */
static size_t place_of(const task *t, size_t i)
{
    return (size_t)t->file->at + ((size_t)t->first + i) * t->file->record;
}

/* Takes the classes by options.class_fields, where they are asked for. */
static clump_status take_ids(const task *t, const unsigned char *in, size_t stride, size_t to, size_t count)
{
    for (size_t i = 0; i < count && t->memory->ids; i++)
        CLUMP_IO_TRY(clump_io_block_id(&t->source.where, t->file, in + i * stride, t->first + (to - t->to) + i,
                                       &t->memory->ids[to + i]));
    return CLUMP_OK;
}

/* --- LAS -------------------------------------------------------------------------------------- */

static void take_steps(const task *t, const unsigned char *records, size_t record, size_t to, size_t count)
{
    const clump_io_las_steps_place *p = &t->file->place;
    int64_t *out = (int64_t *)t->memory->xyz + 3 * to;
    for (size_t i = 0; i < count; i++, records += record, out += 3) {
        int32_t steps[3];
        memcpy(steps, records, sizeof steps);
        for (size_t a = 0; a < 3; a++) out[a] = p->base[a] + p->multiple[a] * steps[a];
    }
}

static void take_doubles(const task *t, const unsigned char *records, size_t record, size_t to, size_t count)
{
    const clump_io_block_file *f = t->file;
    double *out = (t->reader->rounds ? t->memory->wide : t->memory->xyz);
    out += 3 * to;
    for (size_t i = 0; i < count; i++, records += record, out += 3) {
        int32_t steps[3];
        memcpy(steps, records, sizeof steps);
        for (size_t a = 0; a < 3; a++) out[a] = steps[a] * f->scale[a] + f->offset[a];
    }
}

/* Takes the coordinates of records that begin with three integers. */
static void take_coordinates(const task *t, const void *records, size_t record, size_t to, size_t count)
{
    if (t->reader->info.coordinates == CLUMP_COORDINATES_STEPS && !t->reader->rounds)
        take_steps(t, records, record, to, count);
    else
        take_doubles(t, records, record, to, count);
}

static clump_status read_las(const task *t, size_t count)
{
    const size_t record = t->file->record, at_once = CLUMP_IO_BLOCK_WINDOW / record;
    for (size_t done = 0, now; done < count; done += now) {
        now = count - done < at_once ? count - done : at_once;
        CLUMP_IO_TRY(clump_io_read(&t->source, place_of(t, done), t->memory->window, now * record));
        take_coordinates(t, t->memory->window, record, t->to + done, now);
        for (size_t i = 0; i < now; i++)
            t->memory->classes[t->to + done + i] = clump_io_block_las_class(t->file, t->memory->window + i * record);
        CLUMP_IO_TRY(take_ids(t, t->memory->window + t->file->ids.column.offset, record, t->to + done, now));
    }
    return CLUMP_OK;
}

static clump_status read_laz(const task *t, size_t count)
{
    const clump_io_laz *laz = t->file->laz;
    size_t c = clump_io_laz_chunk_of(laz, t->first);
    for (size_t done = 0, now; done < count; done += now, c++) {
        const clump_io_laz_chunk *chunk = &laz->chunks[c];
        const size_t from = (size_t)(t->first + done - chunk->first), left = chunk->count - from;
        clump_io_laz_slot *slot;
        now = left < count - done ? left : count - done;
        CLUMP_IO_TRY(clump_io_laz_cache_take(t->reader, t->file, c, &t->source, t->memory, &slot));
        const clump_io_laz_point *points = slot->points + from;
        take_coordinates(t, points, sizeof *points, t->to + done, now);
        for (size_t i = 0; i < now; i++) t->memory->classes[t->to + done + i] = points[i].class;
        for (size_t i = 0; i < now && t->memory->ids; i++) t->memory->ids[t->to + done + i] = points[i].id;
        clump_io_laz_cache_give_back(t->reader, slot, now);
    }
    return CLUMP_OK;
}

/* --- records ---------------------------------------------------------------------------------- */

/* Converts a classification of any integer type. */
static clump_status take_classes(const task *t, const unsigned char *in, size_t stride, size_t to, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const double number = clump_io_block_class_value(t->file, &t->file->classes, in + i * stride);
        if (!(number >= 0 && number <= UINT8_MAX))
            return CLUMP_IO_UNSUPPORTED(&t->source, "the classification of point %llu is %g, not 0 to 255",
                                        (unsigned long long)(t->first + (to - t->to) + i), number);
        t->memory->classes[to + i] = (uint8_t)number;
    }
    return CLUMP_OK;
}

/* Prepares the columns of the coordinates, which go to doubles, or where the table has none to floats. */
static void aim(const task *t, clump_io_table *table, clump_io_column columns[3], float *floats, double *doubles)
{
    *table = (clump_io_table){.columns = columns, .record = t->file->record, .swapped = t->file->swapped};
    table->xyz64 = doubles;
    for (size_t a = 0; a < 3; a++) {
        if (!t->file->axes[a].count) continue;
        clump_io_column c = t->file->axes[a];
        c.out_type = doubles ? CLUMP_TYPE_F64 : CLUMP_TYPE_F32;
        c.stride = 3 * clump_type_size(c.out_type);
        c.out = doubles ? (unsigned char *)(doubles + a) : (unsigned char *)(floats + a);
        columns[table->column_count++] = c;
    }
}

typedef clump_status read_values(const task *t, const unsigned char *in, size_t stride, size_t to, size_t count);

/* Reads one column that is not side by side with the others: of the table, or else by a function. */
static clump_status read_column(const task *t, const clump_io_table *table, read_values *read, const clump_io_column *c,
                                size_t count)
{
    const size_t record = t->file->record, size = clump_type_size(c->type);
    const size_t at_once = record < CLUMP_IO_BLOCK_WINDOW ? CLUMP_IO_BLOCK_WINDOW / record : 1;
    for (size_t done = 0, now; done < count; done += now) {
        now = count - done < at_once ? count - done : at_once;
        CLUMP_IO_TRY(
            clump_io_read(&t->source, place_of(t, done) + c->offset, t->memory->window, (now - 1) * record + size));
        if (table)
            clump_io_column_read(table, c, t->memory->window, record, t->to + done, now);
        else
            CLUMP_IO_TRY(read(t, t->memory->window, record, t->to + done, now));
    }
    return CLUMP_OK;
}

static clump_status read_records(const task *t, size_t count, float *floats, double *doubles)
{
    const clump_io_block_file *f = t->file;
    const bool classes = t->reader->info.has_class;
    clump_io_column columns[3];
    clump_io_table table;
    aim(t, &table, columns, floats, doubles);
    if (f->apart || f->record > CLUMP_IO_BLOCK_WINDOW) {
        for (size_t i = 0; i < table.column_count; i++) CLUMP_IO_TRY(read_column(t, &table, NULL, &columns[i], count));
        if (classes) CLUMP_IO_TRY(read_column(t, NULL, take_classes, &f->classes.column, count));
        return t->memory->ids ? read_column(t, NULL, take_ids, &f->ids.column, count) : CLUMP_OK;
    }
    const size_t at_once = CLUMP_IO_BLOCK_WINDOW / f->record;
    for (size_t done = 0, now; done < count; done += now) {
        now = count - done < at_once ? count - done : at_once;
        CLUMP_IO_TRY(clump_io_read(&t->source, place_of(t, done), t->memory->window, now * f->record));
        clump_io_table_read(&table, t->memory->window, t->to + done, now);
        if (classes)
            CLUMP_IO_TRY(take_classes(t, t->memory->window + f->classes.column.offset, f->record, t->to + done, now));
        CLUMP_IO_TRY(take_ids(t, t->memory->window + f->ids.column.offset, f->record, t->to + done, now));
    }
    return CLUMP_OK;
}

/* --- conversion ------------------------------------------------------------------------------- */

/* Whether a coordinate that was rounded is another one now: the rule of clump_cloud_steps(). */
static bool is_moved(const clump_io_block_file *f, double value, double again)
{
    return f->coordinates == CLUMP_COORDINATES_FLOAT ? (float)again != (float)value
                                                     : fabs(again - value) > fabs(value) * 0x1p-50;
}

/* Rounds coordinates to whole steps. */
static void round_points(const task *t, const double *in, int64_t *out, size_t count)
{
    const double step = t->reader->info.step;
    for (size_t i = 0; i < 3 * count; i++) {
        const double whole = rint(in[i] / step);
        out[i] = fabs(whole) <= 0x1p53 ? (int64_t)whole : CLUMP_STEP_NONE;
        t->memory->moved[i % 3] += isfinite(in[i]) && is_moved(t->file, in[i], whole * step);
    }
}

/* Makes memory for doubles that are converted afterwards. */
static clump_status make_wide(const task *t)
{
    clump_io_block_memory *m = t->memory;
    if (!m->wide) m->wide = malloc(3 * CLUMP_BLOCK_POINTS * sizeof *m->wide);
    if (m->wide) return CLUMP_OK;
    return clump_io_no_memory(&t->source.where, 3 * CLUMP_BLOCK_POINTS * sizeof *m->wide);
}

/* Converts doubles, which may be those of the block in memory->wide, to what the reader gives. */
static void convert(const task *t, const double *in, size_t count)
{
    const bool rounds = t->reader->rounds;
    double *const wide = rounds ? t->memory->wide : t->memory->xyz, *const doubles = wide + 3 * t->to;
    if (rounds || t->reader->info.coordinates == CLUMP_COORDINATES_DOUBLE) {
        if (in != doubles) memcpy(doubles, in, 3 * count * sizeof *in);
        if (rounds) round_points(t, in, (int64_t *)t->memory->xyz + 3 * t->to, count);
        return;
    }
    float *out = (float *)t->memory->xyz + 3 * t->to;
    for (size_t i = 0; i < 3 * count; i++) out[i] = (float)in[i];
}

/* Sets an axis that the file does not have to 0. */
static void clear_axes(const task *t, size_t count, float *floats, double *doubles)
{
    for (size_t a = 0; a < 3; a++)
        for (size_t i = t->to; !t->file->axes[a].count && i < t->to + count; i++) {
            if (doubles)
                doubles[3 * i + a] = 0;
            else
                floats[3 * i + a] = 0;
        }
}

static clump_status read_any(const task *t, size_t count)
{
    const clump_io_block_file *f = t->file;
    const bool rounds = t->reader->rounds, wide = t->reader->info.coordinates == CLUMP_COORDINATES_DOUBLE;
    double *const doubles = wide ? t->memory->xyz : t->memory->wide;
    if (clump_io_block_is_las(f)) {
        CLUMP_IO_TRY(f->kind == CLUMP_IO_BLOCK_LAS ? read_las(t, count) : read_laz(t, count));
        if (rounds) convert(t, doubles + 3 * t->to, count);
        return CLUMP_OK;
    }
    if (f->coordinates == CLUMP_COORDINATES_FLOAT && !rounds) {
        clear_axes(t, count, t->memory->xyz, NULL);
        return read_records(t, count, t->memory->xyz, NULL);
    }
    clear_axes(t, count, NULL, doubles);
    CLUMP_IO_TRY(read_records(t, count, NULL, doubles));
    if (!wide) convert(t, doubles + 3 * t->to, count);
    return CLUMP_OK;
}

/* Whether points of a file need memory->wide on their way. */
static bool needs_wide(const clump_reader *reader, const clump_io_block_file *f)
{
    if (reader->rounds) return true;
    return f->kind == CLUMP_IO_BLOCK_RECORDS && f->coordinates == CLUMP_COORDINATES_DOUBLE &&
           reader->info.coordinates != CLUMP_COORDINATES_DOUBLE;
}

clump_status clump_io_block_read(clump_reader *reader, clump_io_block_file *file, uint64_t first, size_t count,
                                 clump_io_block_memory *memory, size_t to, clump_message *message)
{
    clump_io_stream stream = {.file = -1};
    task t = {.reader = reader,
              .file = file,
              .source = {.size = (size_t)file->stamp.size, .stream = &stream, .where = {file->path, message}},
              .memory = memory,
              .first = first,
              .to = to};
    CLUMP_ASSERT(first <= file->count && count <= file->count - first);
    if (needs_wide(reader, file)) CLUMP_IO_TRY(make_wide(&t));
    if (file->kind == CLUMP_IO_BLOCK_HELD) {
        if (reader->info.has_class) memcpy(memory->classes + to, file->held_classes + first, count);
        if (memory->ids) memcpy(memory->ids + to, file->held_ids + first, count * sizeof *memory->ids);
        convert(&t, file->held + 3 * first, count);
        return CLUMP_OK;
    }
    CLUMP_IO_TRY(clump_io_block_take_file(reader, file, &t.source.where, &stream.file));
    const clump_status status = read_any(&t, count);
    clump_io_block_give_back(reader, file);
    return status;
}

/* npy.c has the rule: a single other column may have made an array of float32 numbers float64. */
clump_status clump_io_block_are_floats(clump_reader *reader, clump_io_block_file *file, clump_message *message)
{
    clump_io_block_memory memory = {0};
    clump_io_stream stream = {.file = -1};
    task t = {.reader = reader,
              .file = file,
              .source = {.size = (size_t)file->stamp.size, .stream = &stream, .where = {file->path, message}},
              .memory = &memory};
    memory.window = malloc(CLUMP_IO_BLOCK_WINDOW);
    if (!memory.window) return clump_io_no_memory(&t.source.where, CLUMP_IO_BLOCK_WINDOW);
    clump_status status = make_wide(&t);
    if (status == CLUMP_OK) status = clump_io_block_take_file(reader, file, &t.source.where, &stream.file);
    const bool open = status == CLUMP_OK;
    file->floats = true;
    for (; status == CLUMP_OK && file->floats && t.first < file->count; t.first += CLUMP_BLOCK_POINTS) {
        const uint64_t left = file->count - t.first;
        const size_t now = left < CLUMP_BLOCK_POINTS ? (size_t)left : CLUMP_BLOCK_POINTS;
        status = read_records(&t, now, NULL, memory.wide);
        file->floats = status == CLUMP_OK && clump_io_npy_are_floats(memory.wide, 3 * now);
    }
    if (open) clump_io_block_give_back(reader, file);
    free(memory.wide);
    free(memory.window);
    return status;
}
