/* SPDX-License-Identifier: BSD-3-Clause
 *
 * batch.h: many small clouds in one call, on a GPU: a thread block per cloud. Offsets, radii and sizes of clouds may be
 * known to the GPU alone.
 *
 *     up to 4,096 points          in shared memory, one launch per class of sizes
 *     more                        in global memory, also a thread block per cloud
 *     more than CLUMP_BATCH_ALONE, or few that are too large for shared memory, where the host knows the sizes: `fast`, a
 *     cloud at a time, all thread blocks
 *
 * Batches in pinned host memory go in parts: the copy of one part up, the kernels of the one before and the copy of the
 * labels before that down run at the same time.
 *
 *     batch.cu               classes, parts, copies and launches
 *     batch_job.cuh          a batch as the kernels see it, and the steps of a cloud
 *     batch_kernels.cuh      the kernels
 *     batch_small.cuh        a cloud in shared memory: its cells; batch_small_visit.cuh: the cells around a cell
 *     batch_small_join.cuh   joins its cells
 *     batch_large.cuh        a cloud in global memory
 *     batch_number.cuh       numbers and labels
 *     batch_describe.cu      the labels of clump_describe_batch
 *
 * Words of the room: a `part` is the clouds of a batch that are copied together. A `class` is the clouds of similar
 * size.
 */
#ifndef CLUMP_CUDA_BATCH_BATCH_H
#define CLUMP_CUDA_BATCH_BATCH_H

#include "cuda/fast/ec_fast.h"
#include "cuda/gpu/labels.h"

#define CLUMP_BATCH_ALONE 16384 /* points of a cloud */

enum {
    CLUMP_BATCH_CLASSES = 4, /* of sizes in shared memory */
    CLUMP_BATCH_PARTS = 8    /* of a batch in pinned memory: copies and kernels overlap */
};

/* Memory that stays between calls. Zeroed is valid. */
typedef struct clump_cuda_batch {
    clump_device_buffer offsets, radii, found, core; /* copies of arrays in host memory */
    clump_device_buffer list;                        /* clouds by class */
    clump_device_buffer large;                       /* arrays of clouds that are not in shared memory */
    clump_device_buffer counts;                      /* sums, and the counters of the lists */
    clump_device_buffer first, labels;               /* clump_describe_batch */
    clump_pinned_buffer report;                      /* clump_counts for the host */
    cudaStream_t up, down;                           /* copies of parts */
    cudaEvent_t passed[2 * CLUMP_BATCH_PARTS + 2];   /* two per part, and two for all */
    uint32_t alone;                                  /* of this call: clouds of more points are left to `fast` */
    bool known;                                      /* the next two are: */
    uint32_t capacity[CLUMP_BATCH_CLASSES];          /* points per class in shared memory; 0: it does not fit */
    uint32_t resident[2][CLUMP_BATCH_CLASSES]; /* thread blocks that run at once; of Euclidean clustering, of DBSCAN */
} clump_cuda_batch;

void clump_cuda_batch_trim(clump_work *work, clump_cuda *cuda, clump_cuda_batch *b);
void clump_cuda_batch_close(clump_work *work, clump_cuda_batch *b);

/* Runs a batch; waits unless its points are on the device. */
clump_status clump_cuda_batch_run(clump_work *work, clump_cuda *cuda, clump_cuda_batch *b, clump_transfer *t,
                                  clump_cuda_fast *fast, clump_labels_scratch *finish, const clump_batch_job *job,
                                  clump_stats *stats);

/* Puts labels that are numbered over all clouds on the stream: *labels, in memory of `b`. A label that its cloud does not
 * have becomes the number of all clusters. */
clump_status clump_cuda_batch_labels(clump_work *work, clump_cuda *cuda, clump_cuda_batch *b,
                                     const clump_describe_batch_job *job, int32_t **labels);

/* Makes the labels of described clusters those of their clouds again. Clusters in host memory are complete. */
clump_status clump_cuda_batch_restore(clump_work *work, clump_cuda *cuda, clump_cuda_batch *b,
                                      const clump_describe_batch_job *job);

#endif
