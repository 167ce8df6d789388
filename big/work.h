/* SPDX-License-Identifier: BSD-3-Clause
 *
 * work.h: the work folder of a run: its files, its lock, and how a run goes on where an earlier one ended.
 */
#ifndef CLUMP_BIG_WORK_H
#define CLUMP_BIG_WORK_H

#include "job.h"

/* Opens or creates the folder and locks it. Where an earlier run has left a plan for the same inputs and parameters, the job
 * gets its frame, its tiles and how far it is; else the folder is empty. Refuses other parameters, and inputs that have
 * changed. */
clump_status clump_big_work_open(clump_big_job *job, const char *const *inputs, size_t count, const char *output,
                                 const clump_joint_settings *settings, clump_message *message);

/* Writes the plan of the job, whose frame and map are set. Refuses where the disk is too small. */
clump_status clump_big_work_begin(clump_big_job *job, clump_message *message);

/* Forgets the plan and everything that was done. */
clump_status clump_big_work_clear(clump_big_job *job, clump_message *message);

/* After the scatter: makes the list of tiles, and marks those that an earlier run has clustered. */
clump_status clump_big_work_tiles(clump_big_job *job, clump_message *message);

/* Closes the files. Deletes the folder with `remove`, or where the run has ended before it had a plan. */
void clump_big_work_close(clump_big_job *job, bool remove);

#endif
