/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lidar_make.h: makes the frames of `clump gen lidar` and hands them to the writer.
 */
#ifndef CLUMP_CLI_LIDAR_MAKE_H
#define CLUMP_CLI_LIDAR_MAKE_H

#include "gen/lidar_write.h"

#include <clump/sim.h>

typedef struct cli_lidar_tally {
    uint64_t points; /* of all frames */
    size_t things;   /* different instances of the truth that have points */
    double seconds;  /* until the last frame was written */
} cli_lidar_tally;

/* Makes the frames that w names, several at a time (threads 0: one per core), and writes them in their order; the files
 * do not depend on the threads. Returns CLI_DONE, or prints what is wrong and returns CLI_FAILED. */
int cli_lidar_make(const clump_lidar_world *world, size_t rays, size_t threads, cli_lidar_writing *w,
                   cli_lidar_tally *tally);

#endif
