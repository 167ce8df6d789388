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

/* The Euclidean clustering of one level: its labels are the nodes. */
typedef struct exact_level {
    clump_cloud_job in;
    int32_t *labels;
    clump_counts *counts;
    clump_cuda_fast *fast;
    clump_cuda_ranged *ranged;
    clump_cuda_lane *lane; /* null: it is put on the stream of the context */
} exact_level;

static exact_level level_of(clump_cuda_objects *o, clump_cuda_ranged *ranged, clump_cuda_fast *fast,
                            const clump_objects_call *call, const objects_job *job, int k, bool together)
{
    exact_level l = {call->job->in, (int32_t *)job->of[k], (clump_counts *)&job->level_counts[k], fast, ranged, NULL};
    l.in.d = job->radius[k].eps;
    l.in.bound = clump_distance_bound(l.in.d);
    l.in.per_metre = job->radius[k].per_metre;
    l.in.wait = false;
    l.in.count = call->view.count;
    if (!together || k == 0) return l;
    clump_objects_lane *const beside = &o->lane[k - 1];
    l.fast = &beside->fast;
    l.ranged = &beside->ranged;
    l.lane = &beside->lane;
    return l;
}

/* Puts what f(side) launches on the stream of a level. */
template <class F> static clump_status on_stream(clump_cuda *cuda, const exact_level &l, F f)
{
    return l.lane ? clump_cuda_lane_run(cuda, l.lane, f) : f(cuda);
}

/* Clusters some levels, step by step: the first steps of all begin before the host has launched the others. */
static clump_status cluster_levels(clump_work *work, clump_cuda *cuda, const clump_cloud_view *view,
                                   const exact_level *levels, int count)
{
    for (const exact_level *l = levels; l < levels + count; l++)
        if (l->lane) CLUMP_TRY(clump_cuda_lane_fork(work, cuda, l->lane));
    for (const exact_level *l = levels; l < levels + count; l++)
        CLUMP_TRY(on_stream(cuda, *l, [=](clump_cuda *side) {
            if (l->in.per_metre > 0)
                return clump_cuda_ec_ranged_at_eps(work, side, l->ranged, l->fast, &l->in, view, l->labels, l->counts);
            return clump_cuda_run_fast(work, side, l->fast, &l->in, NULL, view, false, l->labels, l->counts);
        }));
    for (const exact_level *l = levels; l < levels + count; l++)
        if (l->in.per_metre > 0)
            CLUMP_TRY(on_stream(cuda, *l, [=](clump_cuda *side) {
                return clump_cuda_ec_ranged_cells(work, side, l->ranged, &l->in, view);
            }));
    for (const exact_level *l = levels; l < levels + count; l++) {
        if (l->in.per_metre > 0)
            CLUMP_TRY(on_stream(cuda, *l, [=](clump_cuda *side) {
                return clump_cuda_ec_ranged_join(work, side, l->ranged, &l->in, view, l->labels, l->counts);
            }));
        if (l->lane) CLUMP_TRY(clump_cuda_lane_done(work, cuda, l->lane));
    }
    for (const exact_level *l = levels; l < levels + count; l++)
        if (l->lane) CLUMP_TRY(clump_cuda_lane_join(work, cuda, l->lane));
    return CLUMP_OK;
}

clump_status clump_objects_exact_tree(clump_work *work, clump_cuda *cuda, clump_cuda_objects *o,
                                      clump_cuda_ranged *ranged, clump_cuda_fast *fast, const clump_objects_call *call,
                                      const objects_job *job)
{
    const int count = job->rule.levels;
    const bool together = call->view.count <= OBJECTS_TOGETHER;
    exact_level levels[CLUMP_OBJECTS_LEVELS];
    for (int k = 0; k < count; k++) levels[k] = level_of(o, ranged, fast, call, job, k, together);
    clump_status status = CLUMP_OK;
    for (int k = 0; k < count && status == CLUMP_OK; k += together ? count : 1)
        status = cluster_levels(work, cuda, &call->view, levels + k, together ? count : 1);
    if (status == CLUMP_OK || clump_cuda_capturing(cuda)) return status;
    for (int k = 0; k < count; k++) {
        clump_cuda_lane_settle(&levels[k].ranged->lane);
        if (levels[k].lane) clump_cuda_lane_settle(levels[k].lane);
    }
    return status;
}
