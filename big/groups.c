/* SPDX-License-Identifier: BSD-3-Clause
 *
 * groups.c: see job.h. Rows are checked by the library, as those of one call on the whole cloud.
 */
#include "job.h"

#include <stdlib.h>
#include <string.h>

/* Checks the rows by the sentence of the library, in a call without points. */
static clump_status check_rows(const clump_big_job *job, const clump_class *rows, size_t count, clump_message *message)
{
    const clump_joint_settings *const s = &job->settings;
    const clump_classes classes = {.rows = rows, .count = count};
    clump_ec_options ec = clump_ec_defaults();
    clump_dbscan_options dbscan = clump_dbscan_defaults();
    int32_t found;
    ec.common.min_size = dbscan.common.min_size = s->min_size;
    ec.common.max_size = dbscan.common.max_size = s->max_size;
    ec.common.classes = dbscan.common.classes = &classes;
    const clump_points none = {.count = 0};
    clump_status status = s->min_points > 0
                              ? clump_dbscan(job->checks, none, s->d, s->min_points, &dbscan, NULL, &found)
                              : clump_ec(job->checks, none, s->d, &ec, NULL, &found);
    if (status != CLUMP_OK) clump_big_fail(message, status, "%s", clump_context_error(job->checks));
    for (size_t k = 0; k < count && status == CLUMP_OK; k++)
        if (rows[k].oversize == CLUMP_OVERSIZE_SPLIT && !rows[k].stuff)
            status = clump_big_fail(message, CLUMP_ERR_ARGUMENT,
                                    "oversize=split of class %d needs the whole cloud in memory; use drop or keep",
                                    rows[k].id);
    return status;
}

/* Adds the group of a row. */
static void add_group(clump_big_job *job, const clump_class *row)
{
    clump_big_groups *const groups = job->groups;
    clump_joint_settings *const s = &groups->settings[groups->count];
    *s = job->settings;
    if (row->radius > 0) s->d = row->radius;
    if (row->min_size > 0) s->min_size = row->min_size;
    if (row->max_size > 0) s->max_size = row->max_size;
    s->two_d = s->two_d || row->two_d;
    groups->keeps[groups->count++] = row->oversize == CLUMP_OVERSIZE_KEEP;
    job->frame.flat = job->frame.flat || s->two_d;
    if (groups->count == 1 || s->d > job->frame.d) job->frame.d = s->d;
}

/* Makes the groups of rows whose distances are those of the frame. */
static void make_groups(clump_big_job *job, const clump_class *rows, size_t count)
{
    uint8_t numbered[65536]; /* the group of the rows with this number */
    memset(numbered, CLUMP_BIG_NO_GROUP, sizeof numbered);
    memset(job->groups->of, CLUMP_BIG_NO_GROUP, sizeof job->groups->of);
    for (size_t k = 0; k < count; k++) {
        if (rows[k].stuff) continue;
        uint8_t group = rows[k].group ? numbered[rows[k].group] : CLUMP_BIG_NO_GROUP;
        if (group == CLUMP_BIG_NO_GROUP) {
            group = (uint8_t)job->groups->count;
            add_group(job, &rows[k]);
        }
        numbered[rows[k].group] = job->groups->of[rows[k].id] = group;
    }
    job->frame.ids = true;
    job->filter.groups = job->groups;
}

clump_status clump_big_groups_make(clump_big_job *job, clump_message *message)
{
    const clump_classes *const c = job->options->classes;
    if (!c) return CLUMP_OK;
    const size_t count = c->rows ? c->count : 0;
    clump_class *const rows = malloc((count + 1) * sizeof *rows);
    job->groups = calloc(1, sizeof *job->groups);
    if (!rows || !job->groups) {
        free(rows);
        return clump_big_no_memory(message, (count + 1) * sizeof *rows + sizeof *job->groups);
    }
    if (count > 0) memcpy(rows, c->rows, count * sizeof *rows);
    for (size_t k = 0; k < count && job->frame.kind == CLUMP_FILE_FRAME_STEPS; k++)
        if (rows[k].radius > 0 && job->frame.step > 0)
            rows[k].radius = clump_steps_distance(rows[k].radius, job->frame.step);
    const clump_status status = check_rows(job, rows, count, message);
    if (status == CLUMP_OK) make_groups(job, rows, count);
    free(rows);
    return status;
}
