/* SPDX-License-Identifier: BSD-3-Clause
 *
 * measure.c: see measure.h. Values that are not finite are ignored: of the coordinate that is up, of heights and of the
 * field.
 */
#include "cpu/describe/measure.h"

#include "cpu/describe/hull.h"

#include <float.h>

/* ----- the first pass ------------------------------------------------------------------------------- */

static bool are_finite(const float *values, size_t count)
{
    uint32_t infinite = 0;
    for (size_t i = 0; i < count; i++) infinite |= !clump_is_finite(values[i]);
    return !infinite;
}

/* Finds the extremes of the finite values, which are not all. */
static clump_axis axis_of_finite(const float *values, size_t count)
{
    clump_axis axis = {.lower = FLT_MAX, .upper = -FLT_MAX};
    for (size_t i = 0; i < count; i++) {
        if (!clump_is_finite(values[i])) continue;
        if (values[i] < axis.lower) axis.lower = values[i];
        if (values[i] > axis.upper) axis.upper = values[i];
        axis.used++;
    }
    return axis;
}

/* Finds the extremes of finite values. */
static clump_axis axis_of(const float *values, size_t count)
{
    clump_axis axis = {.used = (int32_t)count};
    clump_find_extremes(values, count, &axis.lower, &axis.upper);
    return axis;
}

static clump_axis axis_of_any(const float *values, size_t count)
{
    return are_finite(values, count) ? axis_of(values, count) : axis_of_finite(values, count);
}

/* Returns the largest finite value, -INFINITY where there is none. */
static float highest_of(const float *values, size_t count)
{
    const clump_axis axis = axis_of_any(values, count);
    return axis.used > 0 ? axis.upper : -clump_infinity();
}

void clump_shape_extent(const clump_shape *s, clump_part *part)
{
    const size_t n = part->end - part->begin, first = part->begin;
    const int across = clump_across(s->options->up), up = clump_upward(s->options->up);
    const float *const x = s->at[0] + first, *const y = s->at[across] + first, *const sensor = s->options->sensor;
    clump_measures *const m = &part->found;
    m->axis[0] = axis_of(x, n);
    m->axis[across] = axis_of(y, n);
    m->axis[up] = axis_of_any(s->at[up] + first, n);
    m->nearest = clump_nearest_of(x, y, n, sensor[0], sensor[across]);
    m->value = s->values ? axis_of_any(s->values + first, n) : (clump_axis){0};
    m->highest = s->heights ? highest_of(s->heights + first, n) : -clump_infinity();
}

/* ----- between the passes ------------------------------------------------------------------------- */

/* Adds the values of another part, whose extremes mean nothing where it has none. */
static void join_axes(clump_axis *to, const clump_axis *other)
{
    if (other->used == 0) return;
    if (to->used == 0 || other->lower < to->lower) to->lower = other->lower;
    if (to->used == 0 || other->upper > to->upper) to->upper = other->upper;
    to->used += other->used;
}

void clump_shape_combine(clump_shape *s, const clump_part *parts, size_t count)
{
    clump_measures *const m = &s->all;
    *m = (clump_measures){.count = (int32_t)s->count,
                          .nearest = parts[0].found.nearest,
                          .highest = -clump_infinity(),
                          .has_moments = s->options->axes};
    for (size_t i = 0; i < count; i++) {
        const clump_measures *const other = &parts[i].found;
        for (int k = 0; k < 3; k++) join_axes(&m->axis[k], &other->axis[k]);
        join_axes(&m->value, &other->value);
        if (other->nearest < m->nearest) m->nearest = other->nearest;
        if (other->highest > m->highest) m->highest = other->highest;
    }
    const int across = clump_across(s->options->up);
    clump_hull_find_filter(s->at[0], s->at[across], s->count, clump_axis_extent(&m->axis[0]),
                           clump_axis_extent(&m->axis[across]), s->filter);
}

/* ----- the second pass ---------------------------------------------------------------------------- */

void clump_shape_sum(const clump_shape *s, clump_part *part)
{
    const size_t n = part->end - part->begin, first = part->begin;
    const int across = clump_across(s->options->up), up = clump_upward(s->options->up);
    const clump_measures *const all = &s->all;
    for (int k = 0; k < 3; k++)
        part->found.axis[k].sum =
            clump_sum_of(s->at[k] + first, n, &all->axis[k], all->axis[k].used == (int32_t)s->count);
    if (s->values)
        part->found.value.sum = clump_sum_of(s->values + first, n, &all->value, all->value.used == (int32_t)s->count);
    if (s->options->axes) {
        const float *const at[3] = {s->at[0] + first, s->at[1] + first, s->at[2] + first};
        const bool whole = all->axis[up].used == (int32_t)s->count;
        part->found.moments = clump_moments_of(at, n, all->axis, whole ? NULL : at[up]);
    }
    part->keys = clump_hull_keys(s->filter, s->at[0] + first, s->at[across] + first, n, s->keys + first);
}

static void join_moments(clump_moments *to, const clump_moments *other)
{
    to->used += other->used;
    for (int k = 0; k < 3; k++) to->sum[k] += other->sum[k];
    for (int k = 0; k < CLUMP_PAIRS_OF_AXES; k++) to->low[k] += other->low[k], to->high[k] += other->high[k];
}

/* Moves the keys of all parts together and returns their number. */
static size_t join_keys(const clump_shape *s, const clump_part *parts, size_t count)
{
    size_t keys = 0;
    for (size_t i = 0; i < count; i++) {
        if (keys != parts[i].begin) memmove(s->keys + keys, s->keys + parts[i].begin, parts[i].keys * sizeof *s->keys);
        keys += parts[i].keys;
    }
    return keys;
}

clump_cluster clump_shape_finish(clump_shape *s, const clump_part *parts, size_t count, int32_t label)
{
    for (size_t i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) s->all.axis[k].sum += parts[i].found.axis[k].sum;
        s->all.value.sum += parts[i].found.value.sum;
        if (s->options->axes) join_moments(&s->all.moments, &parts[i].found.moments);
    }
    const clump_xy *hull;
    const size_t corners = clump_hull_of_keys(s->keys, join_keys(s, parts, count), s->keys + s->count, s->team, &hull);
    const clump_outline outline = clump_outline_of(hull, corners);
    return clump_cluster_finish(label, s->options->up, &s->all, &outline);
}
