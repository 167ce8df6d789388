/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classes_rows.c: see classes.h.
 */
#include "jobs/classes.h"

#include "rules/batch.h"

#include <math.h>
#include <string.h>

/* Whether every level of the tree may have the radius. */
static bool is_allowed_on_levels(const clump_objects_rule *rule, float radius)
{
    for (int k = 0; k < rule->levels; k++)
        if (!clump_radius_is_allowed(radius * rule->factors[k])) return false;
    return true;
}

static clump_status check_row(clump_work *work, const clump_class *row, size_t min_size, size_t max_size,
                              const clump_objects_job *objects)
{
    if (row->radius != 0 && !(row->radius > 0 && clump_radius_is_allowed(row->radius)))
        return clump_fail(work, CLUMP_ERR_ARGUMENT,
                          "%s: the radius of class %d is %g, it must be 0 or a number whose square fits into a float",
                          work->call, row->id, (double)row->radius);
    if (objects && row->radius != 0 && !is_allowed_on_levels(&objects->rule, row->radius))
        return clump_fail(work, CLUMP_ERR_ARGUMENT,
                          "%s: the radius of class %d is %g, its square must fit into a float on every level",
                          work->call, row->id, (double)row->radius);
    if (!clump_oversize_name(row->oversize))
        return clump_fail(work, CLUMP_ERR_ARGUMENT, "%s: class %d has the rule %d for clusters that are too large",
                          work->call, row->id, (int)row->oversize);
    if (max_size != 0 && min_size > max_size)
        return clump_fail(work, CLUMP_ERR_ARGUMENT, "%s: min_size %zu of class %d is larger than its max_size %zu",
                          work->call, min_size, row->id, max_size);
    return CLUMP_OK;
}

/* Whether two rows of a group agree. */
static bool are_alike(const clump_class *a, const clump_class *b)
{
    return a->radius == b->radius && a->min_size == b->min_size && a->max_size == b->max_size && a->two_d == b->two_d &&
           a->stuff == b->stuff && a->oversize == b->oversize;
}

/* Scratch memory of a call, one entry per id or number of a group. */
typedef struct class_marks {
    uint8_t group_of[CLUMP_CLASS_IDS]; /* as in clump_class_job */
    uint8_t seen[CLUMP_CLASS_IDS];     /* the id has a row */
    uint16_t first[CLUMP_CLASS_IDS];   /* first row of the group; 0 also where no row of it was read */
    clump_class_group groups[CLUMP_CLASS_GROUPS];
} class_marks;

/* Returns the first row of the group of row k, which may be k itself. Ids are unique, so k is below 65536. */
static size_t first_of_group(const clump_classes *c, size_t k, class_marks *marks)
{
    const uint16_t group = c->rows[k].group;
    if (group == 0) return k;
    if (c->rows[marks->first[group]].group != group) marks->first[group] = (uint16_t)k;
    return marks->first[group];
}

static clump_class_group group_of_row(const clump_class *row, const clump_cloud_job *in)
{
    return (clump_class_group){.radius = row->radius,
                               .min_size = row->min_size ? row->min_size : in->min_size,
                               .max_size = row->max_size ? row->max_size : in->max_size,
                               .two_d = row->two_d || in->two_d,
                               .oversize = row->oversize};
}

/* Reads row k. A class of a group that is known already gets its number. */
static clump_status read_row(clump_work *work, const clump_classes *c, size_t k, class_marks *marks,
                             clump_class_job *job)
{
    const clump_class *const row = &c->rows[k];
    const clump_class_group group = group_of_row(row, &job->in);
    CLUMP_TRY(check_row(work, row, group.min_size, group.max_size, job->by.objects));
    if (marks->seen[row->id])
        return clump_fail(work, CLUMP_ERR_ARGUMENT, "%s: class %d has two rows", work->call, row->id);
    marks->seen[row->id] = 1;
    const size_t first = first_of_group(c, k, marks);
    if (!are_alike(row, &c->rows[first]))
        return clump_fail(work, CLUMP_ERR_ARGUMENT, "%s: classes %d and %d are one group, but their rows differ",
                          work->call, c->rows[first].id, row->id);
    if (row->stuff) return CLUMP_OK;
    if (first < k) {
        marks->group_of[row->id] = marks->group_of[c->rows[first].id];
        return CLUMP_OK;
    }
    if (job->group_count == CLUMP_CLASS_GROUPS)
        return clump_fail(work, CLUMP_ERR_ARGUMENT, "%s: there are more than %d groups of classes", work->call,
                          CLUMP_CLASS_GROUPS);
    marks->group_of[row->id] = (uint8_t)job->group_count;
    marks->groups[job->group_count++] = group;
    return CLUMP_OK;
}

clump_status clump_class_read_rows(clump_context *ctx, const clump_classes *c, clump_class_job *job)
{
    clump_work *const work = &ctx->work;
    if (!c->rows || c->count == 0) return clump_fail(work, CLUMP_ERR_ARGUMENT, "%s: classes has no rows", work->call);
    if (!c->of && job->in.count > 0) return clump_fail(work, CLUMP_ERR_ARGUMENT, "%s: classes.of is null", work->call);
    CLUMP_TRY(clump_buffer_reserve(work, &ctx->classes.groups, sizeof(class_marks)));
    class_marks *const marks = ctx->classes.groups.data;
    memset(marks->group_of, CLUMP_CLASS_NONE, sizeof marks->group_of);
    memset(marks->seen, 0, sizeof marks->seen);
    memset(marks->first, 0, sizeof marks->first);
    job->group_of = marks->group_of;
    job->groups = marks->groups;
    job->group_count = 0;
    for (size_t k = 0; k < c->count; k++) CLUMP_TRY(read_row(work, c, k, marks, job));
    return CLUMP_OK;
}
