/* SPDX-License-Identifier: BSD-3-Clause
 *
 * describe.h: clump_describe and clump_group on the CPU.
 *
 * The room, in the order of a call:
 *
 *     places.c     where the points of each cluster go: a counting sort
 *     group.c      clump_group: the members of each cluster
 *     describe.c   clump_describe: clusters and large parts of them, shared by threads
 *     measure.c    what is measured of one cluster, in two passes
 *     sums.c       the loops over coordinates
 *     hull.c       the exact convex hull
 */
#ifndef CLUMP_CPU_DESCRIBE_DESCRIBE_H
#define CLUMP_CPU_DESCRIBE_DESCRIBE_H

#include "core/backend.h"

/* Memory that stays between calls. Zeroed is valid. */
typedef struct clump_cpu_describe_scratch {
    clump_buffer buffer;
    clump_buffer large; /* clusters that are measured in parts; with several threads */
} clump_cpu_describe_scratch;

clump_status clump_cpu_describe(clump_work *work, clump_cpu_describe_scratch *scratch, const clump_describe_job *job,
                                clump_stats *stats);

/* Takes the memory for any labels of up to max_points points, with heights and without values. */
clump_status clump_cpu_describe_reserve(clump_work *work, clump_cpu_describe_scratch *scratch, size_t max_points);
void clump_cpu_describe_release(clump_work *work, clump_cpu_describe_scratch *scratch);

/* --- group.c: clump_group on the CPU ---------------------------------------------------------------- */

/* `scratch` may be any buffer that no other job needs now. */
clump_status clump_cpu_group(clump_work *work, clump_buffer *scratch, const clump_group_job *job, clump_stats *stats);

#endif
