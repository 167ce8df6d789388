/* SPDX-License-Identifier: BSD-3-Clause
 *
 * common.c: what the files of a reader have in common. Together they are one cloud, so they need one kind of coordinates
 * and, where these are integers, one step. Files without points have no say.
 */
#include "blocks/blocks.h"

#include "common/assert.h"

#include <math.h>
#include <string.h>

/* What the coordinates of a file become. */
static clump_coordinates kind_of(const clump_reader *reader, const clump_io_block_file *file)
{
    if (clump_io_block_is_las(file) || reader->rounding > 0) return CLUMP_COORDINATES_STEPS;
    return file->floats ? CLUMP_COORDINATES_FLOAT : file->coordinates;
}

static const char *name_of(const clump_reader *reader, const clump_io_block_file *file)
{
    if (clump_io_block_is_las(file)) return "integers";
    const clump_coordinates kind = kind_of(reader, file);
    return kind == CLUMP_COORDINATES_STEPS   ? "rounded numbers"
           : kind == CLUMP_COORDINATES_FLOAT ? "float32"
                                             : "float64";
}

static clump_status agree_on_kind(clump_reader *reader, clump_message *message)
{
    const clump_io_block_file *first = NULL;
    bool wide = false;
    for (size_t i = 0; i < reader->file_count; i++) {
        const clump_io_block_file *f = &reader->files[i];
        wide = wide || (f->count && f->coordinates == CLUMP_COORDINATES_DOUBLE && !f->floats);
    }
    for (size_t i = 0; i < reader->file_count; i++) {
        clump_io_block_file *f = &reader->files[i];
        f->floats = f->floats && !wide; /* float64 numbers that are float32 may be either */
        if (!f->count) continue;
        if (!first) first = f;
        if (clump_io_block_is_las(first) == clump_io_block_is_las(f) && kind_of(reader, first) == kind_of(reader, f))
            continue;
        const clump_io_where where = {f->path, message};
        return clump_io_fail(&where, CLUMP_ERR_IO_UNSUPPORTED,
                             "the coordinates are %s, but those of %s are %s; files that are one cloud need one kind",
                             name_of(reader, f), first->path, name_of(reader, first));
    }
    reader->info.coordinates = kind_of(reader, first ? first : &reader->files[0]);
    return CLUMP_OK;
}

/* --- steps ------------------------------------------------------------------------------------ */

static clump_status say_no_step(const clump_io_block_file *f, const clump_io_las_steps_rule *rule,
                                clump_io_las_steps_end end, int axis, clump_message *message)
{
    CLUMP_ASSERT(axis >= 0 && axis < 3);
    const clump_io_where where = {f->path, message};
    if (end == CLUMP_IO_LAS_STEPS_SCALE)
        return clump_io_fail(&where, CLUMP_ERR_IO_UNSUPPORTED,
                             "the scale of %c is %.15g, no whole multiple of the least scale, %.15g", "xyz"[axis],
                             f -> scale[axis], rule -> step);
    if (end == CLUMP_IO_LAS_STEPS_OFFSET)
        return clump_io_fail(&where, CLUMP_ERR_IO_UNSUPPORTED,
                             "the offset of %c is %.15g, not whole steps of %.15g from %.15g, that of the first file",
                             "xyz"[axis], f -> offset[axis], rule -> step, rule -> offset[axis]);
    return clump_io_fail(&where, CLUMP_ERR_IO_UNSUPPORTED,
                         "%c has offset %.15g and scale %.15g: more than 2^52 steps of %.15g from 0", "xyz"[axis],
                         f -> offset[axis], f -> scale[axis], rule -> step);
}

/* Chooses how steps become coordinates: as in the first file. Where other files lie between its integers, in steps. */
static void choose_axis(clump_reader *reader, const clump_io_block_file *first, size_t a)
{
    CLUMP_ASSERT(a < 3);
    bool alike = true;
    for (size_t i = 0; i < reader->file_count; i++) {
        const clump_io_block_file *f = &reader->files[i];
        if (!f->count) continue;
        alike = alike && f->scale[a] == first->scale[a] &&
                (f->place.base[a] - first->place.base[a]) % first->place.multiple[a] == 0;
    }
    reader->axes[a] = (clump_io_block_axis){first->place.base[a], alike ? first->place.multiple[a] : 1,
                                            alike ? first->scale[a] : reader->info.step, first->offset[a]};
}

static clump_status agree_on_step(clump_reader *reader, bool whole, clump_message *message)
{
    clump_io_las_steps_rule rule = {0};
    const clump_io_block_file *first = NULL;
    for (size_t i = 0; i < reader->file_count; i++)
        if (reader->files[i].count) clump_io_las_steps_least(&rule, reader->files[i].scale);
    for (size_t i = 0; i < reader->file_count; i++) {
        clump_io_block_file *f = &reader->files[i];
        int axis;
        if (!f->count) continue;
        const clump_io_las_steps_end end = clump_io_las_steps_place_file(&rule, f->scale, f->offset, &f->place, &axis);
        if (end != CLUMP_IO_LAS_STEPS_FIT && !whole) return say_no_step(f, &rule, end, axis, message);
        if (end != CLUMP_IO_LAS_STEPS_FIT) {
            reader->info.no_step = true;
            reader->info.coordinates = reader->info.own = CLUMP_COORDINATES_DOUBLE;
            return CLUMP_OK;
        }
        if (!first) first = f;
    }
    const clump_io_where where = {first ? first->path : NULL, message};
    if (first && reader->rounding > 0 && reader->rounding != rule.step)
        return clump_io_fail(&where, CLUMP_ERR_ARGUMENT, "the cloud has steps of %.15g, not of %.15g", rule.step,
                             reader->rounding);
    reader->info.step = rule.step;
    for (size_t a = 0; a < 3 && first; a++) choose_axis(reader, first, a);
    return CLUMP_OK;
}

/* --- box -------------------------------------------------------------------------------------- */

static bool to_step(const clump_io_block_file *f, size_t a, double value, int64_t *step)
{
    CLUMP_ASSERT(a < 3);
    const double whole = rint((value - f->offset[a]) / f->scale[a]) * (double)f->place.multiple[a];
    if (!(fabs(whole) < 0x1p62)) return false;
    *step = f->place.base[a] + (int64_t)whole;
    return true;
}

static void unite_boxes(clump_reader *reader)
{
    clump_reader_info *info = &reader->info;
    info->has_box = info->count > 0 && !reader->rounds;
    bool none = true;
    for (size_t i = 0; i < reader->file_count && info->has_box; i++) {
        const clump_io_block_file *f = &reader->files[i];
        if (!f->count) continue;
        info->has_box = f->has_box;
        for (size_t a = 0; a < 3 && info->has_box; a++) {
            int64_t lower = 0, upper = 0;
            if (info->step > 0)
                info->has_box = to_step(f, a, f->lower[a], &lower) && to_step(f, a, f->upper[a], &upper);
            if (none || f->lower[a] < info->lower[a]) info->lower[a] = f->lower[a];
            if (none || f->upper[a] > info->upper[a]) info->upper[a] = f->upper[a];
            if (none || lower < info->lower_step[a]) info->lower_step[a] = lower;
            if (none || upper > info->upper_step[a]) info->upper_step[a] = upper;
        }
        none = false;
    }
}

/* Whether the files, which agree, are LAS. */
static bool are_las(const clump_reader *reader)
{
    for (size_t i = 0; i < reader->file_count; i++)
        if (reader->files[i].count) return clump_io_block_is_las(&reader->files[i]);
    return clump_io_block_is_las(&reader->files[0]);
}

/* Returns the kind that files without integers have before they are rounded. */
static clump_coordinates own_kind(const clump_reader *reader)
{
    for (size_t i = 0; i < reader->file_count; i++) {
        const clump_io_block_file *f = &reader->files[i];
        if (f->count && f->coordinates == CLUMP_COORDINATES_DOUBLE && !f->floats) return CLUMP_COORDINATES_DOUBLE;
    }
    return CLUMP_COORDINATES_FLOAT;
}

clump_status clump_io_block_agree(clump_reader *reader, bool whole, clump_message *message)
{
    clump_reader_info *info = &reader->info;
    info->files = reader->file_count;
    info->has_class = reader->file_count > 0;
    for (size_t i = 0; i < reader->file_count; i++) {
        clump_io_block_file *f = &reader->files[i];
        f->first = info->count;
        info->count += f->count;
        info->bytes += f->stamp.size;
        info->has_class = info->has_class && f->classes.there;
        if (f->format == CLUMP_FORMAT_NPY && f->coordinates == CLUMP_COORDINATES_DOUBLE)
            CLUMP_IO_TRY(clump_io_block_are_floats(reader, f, message));
    }
    info->blocks = info->count / CLUMP_BLOCK_POINTS + (info->count % CLUMP_BLOCK_POINTS != 0);
    CLUMP_IO_TRY(agree_on_kind(reader, message));
    info->own = CLUMP_COORDINATES_STEPS;
    if (are_las(reader))
        CLUMP_IO_TRY(agree_on_step(reader, whole || reader->rounding > 0, message));
    else
        info->own = own_kind(reader);
    reader->rounds = reader->rounding > 0 && info->own != CLUMP_COORDINATES_STEPS;
    if (reader->rounds) {
        info->coordinates = CLUMP_COORDINATES_STEPS;
        info->step = reader->rounding;
        for (size_t a = 0; a < 3; a++) reader->axes[a] = (clump_io_block_axis){0, 1, reader->rounding, 0};
    }
    unite_boxes(reader);
    return CLUMP_OK;
}
