/* SPDX-License-Identifier: BSD-3-Clause
 *
 * batch.h: many small clouds in one call, on the CPU: a cloud per thread, the largest first.
 *
 *     large    more than one thread pays: one after the other, by all threads, as in a call of its own
 *     medium   the ordinary `fast` with one thread
 *     small    small.h
 *
 * Every thread has scratch memory of its own. The caller reserves it for the largest cloud before the threads begin, so
 * the allocator is called by the calling thread only, and not at all by a second call on such a batch.
 *
 *     batch.c           which clouds are large, medium and small; the threads
 *     small.c           a small cloud, sorted by voxel (small.h)
 *     small_density.c   DBSCAN of a small cloud
 *     small_join.c      sets of a small cloud, and their numbers
 */
#ifndef CLUMP_CPU_BATCH_BATCH_H
#define CLUMP_CPU_BATCH_BATCH_H

#include "cpu/dbscan/dbscan.h"
#include "cpu/ec/ec.h"

/* Memory that stays between calls. Zeroed is valid. */
typedef struct clump_cpu_batch {
    clump_buffer workers; /* a batch_worker per thread */
    int count;            /* of them */
    clump_buffer order;   /* clouds, largest first: uint32_t */
} clump_cpu_batch;

/* `fast` and `dbscan` are those of calls on one cloud, for large clouds. */
clump_status clump_cpu_batch_run(clump_work *work, clump_cpu_batch *b, clump_cpu_fast *fast, clump_cpu_dbscan *dbscan,
                                 const clump_batch_job *job, clump_stats *stats);
void clump_cpu_batch_release(clump_work *work, clump_cpu_batch *b);

#endif
