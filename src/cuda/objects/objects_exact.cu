/* SPDX-License-Identifier: BSD-3-Clause
 *
 * objects_exact.cu: see objects.h. The levels do not depend on each other:
 *
 *     stream of the context   ── fork ─ level 0 ──────── join ──
 *     lane 0                        └── level 1 ───────┘
 *     lane 1                        └── level 2 ───────┘
 */
#include "cuda/objects/objects.h"

/* The levels of smaller clouds are clustered at the same time: their kernels leave most of a GPU idle. Each level then has
 * memory of its own. */
enum { OBJECTS_TOGETHER = 1 << 20 };

clump_status clump_objects_record(clump_work *work, clump_cuda *cuda, cudaEvent_t *event)
{
    if (!*event) CLUMP_CUDA(work, cuda, "making an event", cudaEventCreateWithFlags(event, cudaEventDisableTiming));
    CLUMP_CUDA(work, cuda, "marking the stream", cudaEventRecord(*event, cuda->stream));
    return CLUMP_OK;
}

/* Puts the Euclidean clustering of one level on the stream: its labels are the nodes. */
static clump_status cluster_level(clump_work *work, clump_cuda *cuda, clump_cuda_ranged *ranged, clump_cuda_fast *fast,
                                  const clump_objects_call *call, const objects_job *job, int k)
{
    clump_cloud_job at = call->job->in;
    at.d = job->radius[k].eps;
    at.bound = clump_distance_bound(at.d);
    at.per_metre = job->radius[k].per_metre;
    at.wait = false;
    at.count = call->view.count;
    int32_t *const labels = (int32_t *)job->of[k];
    clump_counts *const counts = (clump_counts *)&job->level_counts[k];
    if (at.per_metre > 0) return clump_cuda_ec_ranged(work, cuda, ranged, fast, &at, &call->view, labels, counts);
    return clump_cuda_run_fast(work, cuda, fast, &at, NULL, &call->view, false, labels, counts);
}

/* Puts a level on the stream of its lane, after the fork. `side` is the GPU with that stream. */
static clump_status cluster_aside(clump_work *work, clump_cuda *side, clump_cuda_objects *o,
                                  const clump_objects_call *call, const objects_job *job, int k)
{
    clump_objects_lane *const lane = &o->lane[k - 1];
    CLUMP_CUDA(work, side, "joining", cudaStreamWaitEvent(side->stream, o->fork, 0));
    CLUMP_TRY(cluster_level(work, side, &lane->ranged, &lane->fast, call, job, k));
    return clump_objects_record(work, side, &lane->done);
}

/* Clusters all levels at the same time, on a stream each. */
static clump_status cluster_together(clump_work *work, clump_cuda *cuda, clump_cuda_objects *o,
                                     clump_cuda_ranged *ranged, clump_cuda_fast *fast, const clump_objects_call *call,
                                     const objects_job *job)
{
    const int levels = job->rule.levels;
    CLUMP_TRY(clump_objects_record(work, cuda, &o->fork));
    for (int k = 1; k < levels; k++) {
        cudaStream_t *const stream = &o->lane[k - 1].stream;
        if (!*stream)
            CLUMP_CUDA(work, cuda, "making a stream", cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking));
        clump_cuda side = *cuda;
        side.stream = *stream;
        const clump_status status = cluster_aside(work, &side, o, call, job, k);
        cuda->fail_after = side.fail_after;
        cuda->fail_with = side.fail_with;
        CLUMP_TRY(status);
    }
    CLUMP_TRY(cluster_level(work, cuda, ranged, fast, call, job, 0));
    for (int k = 1; k < levels; k++)
        CLUMP_CUDA(work, cuda, "joining", cudaStreamWaitEvent(cuda->stream, o->lane[k - 1].done, 0));
    return CLUMP_OK;
}

clump_status clump_objects_exact_tree(clump_work *work, clump_cuda *cuda, clump_cuda_objects *o,
                                      clump_cuda_ranged *ranged, clump_cuda_fast *fast, const clump_objects_call *call,
                                      const objects_job *job)
{
    if (call->view.count <= OBJECTS_TOGETHER) {
        const clump_status status = cluster_together(work, cuda, o, ranged, fast, call, job);
        if (status == CLUMP_OK || clump_cuda_capturing(cuda)) return status;
        for (const clump_objects_lane &lane : o->lane) /* what was launched must not write to memory of the next call */
            if (lane.stream) (void)cudaStreamSynchronize(lane.stream);
        return status;
    }
    for (int k = 0; k < job->rule.levels; k++) CLUMP_TRY(cluster_level(work, cuda, ranged, fast, call, job, k));
    return CLUMP_OK;
}
