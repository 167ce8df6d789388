/* SPDX-License-Identifier: BSD-3-Clause
 *
 * plan.h: the file that says what a work folder is for: inputs, parameters, frame and tiles.
 */
#ifndef CLUMP_BIG_PLAN_H
#define CLUMP_BIG_PLAN_H

#include "job.h"

#define CLUMP_BIG_PLAN_NAME    "clump-plan"
#define CLUMP_BIG_NUMBERS_NAME "clump-numbers"

/* Writes inputs and parameters as lines of text, "d 0.5". *text is for free(). */
clump_status clump_big_plan_text(const char *const *inputs, size_t count, const clump_joint_settings *settings,
                                 const clump_big_options *options, char **text, clump_message *message);

/* Returns the path of the input that has changed since the plan was saved: the first that is newer, or the only one. Null: it
 * cannot be told. */
const char *clump_big_plan_changed(const clump_big_disk *disk, const clump_reader *reader);

/* Writes the plan of a job. */
clump_status clump_big_plan_save(clump_big_job *job, const char *text, uint64_t fingerprint, clump_message *message);

/* What a plan file says. */
typedef struct clump_big_plan {
    bool found; /* false: there is none, or it is damaged; the rest is not set */
    char *text;
    uint64_t fingerprint, count, blocks;
    clump_big_frame frame;
    clump_big_map map;
} clump_big_plan;

clump_status clump_big_plan_load(clump_big_disk *disk, clump_big_plan *out, clump_message *message);
void clump_big_plan_release(clump_big_plan *plan);

/* Says how two texts differ, as "d 0.5 instead of 0.6". */
void clump_big_plan_difference(const char *was, const char *is, char *out, size_t size);

#endif
