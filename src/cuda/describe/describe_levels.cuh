/* SPDX-License-Identifier: BSD-3-Clause
 *
 * describe_levels.cuh: the phase `levels`: leaves out most candidates of a large cluster before they are sorted, by a thread
 * block. An octagon fits badly around a long thin cluster. Each level adds a corner to every edge, as quickhull does
 * (Barber et al. 1996):
 *
 *              far                  candidates in the triangle from, far, to are interior and left out
 *             / . \                 those outside of from-far belong to that edge in the next level,
 *            / . . \  .             those outside of far-to to the new edge
 *         from ---- to              those too close to the old edge to decide stay where they are
 *
 * Every candidate knows the edge that it is outside of, so a level tests three lines per candidate. Any candidate outside of
 * an edge can become its new corner. The farther out it is, the more others are left out; so the farthest one of each warp
 * is noted, which is cheaper than the farthest one of all. On a scan of KITTI three levels leave about as many candidates as
 * there are corners.
 */
#ifndef CLUMP_CUDA_DESCRIBE_DESCRIBE_LEVELS_CUH
#define CLUMP_CUDA_DESCRIBE_DESCRIBE_LEVELS_CUH

#include "cuda/describe/describe_plan.cuh"
#include "cuda/describe/describe_warp.cuh"

enum {
    DESCRIBE_LEVEL_EDGES = 128, /* at most; no edge is divided beyond */
    DESCRIBE_LEVELS = 12,
    DESCRIBE_LEVEL_THREADS = 1024,
    DESCRIBE_LEVEL_ENOUGH = 32, /* candidates, which a warp sorts in registers */
    DESCRIBE_LEVEL_MANY = 2048, /* candidates; of more, a warp notes one per batch of 32 */
    DESCRIBE_LEVEL_NOTES = 4,   /* else up to so many, of different edges */
    DESCRIBE_LEVEL_EACH = 4     /* candidates per thread and turn */
};

typedef struct describe_edge {
    describe_half_plane inside; /* of the edge from ... to */
    describe_half_plane before; /* of the edge that was divided last */
    clump_xy from, to;
    uint32_t other; /* the edge from the new corner to `to`; CLUMP_GPU_NONE: not divided in this level */
    uint32_t unused;
    unsigned long long far; /* key of the depth, complemented, and place of a candidate outside. 0: none is noted */
} describe_edge;

/* In shared memory. */
typedef struct describe_level {
    describe_edge edge[DESCRIBE_LEVEL_EDGES];
    uint32_t edges, kept, divided;
} describe_level;

/* Divides the edges that have candidates outside. All threads call it. */
__device__ static inline void describe_divide(const clump_xy *candidates, const describe_frame &f,
                                              describe_level *level)
{
    __syncthreads();
    const uint32_t edges = level->edges, t = threadIdx.x;
    __syncthreads();
    if (t < edges) {
        describe_edge *const e = &level->edge[t];
        const unsigned long long far = e->far;
        e->other = CLUMP_GPU_NONE;
        e->far = 0;
        const uint32_t other = far ? atomicAdd(&level->edges, 1) : CLUMP_GPU_NONE;
        if (other < DESCRIBE_LEVEL_EDGES) {
            const clump_xy corner = candidates[(uint32_t)far];
            describe_edge *const second = &level->edge[other];
            *second = describe_edge{describe_left_of(f, corner, e->to), {}, corner, e->to, CLUMP_GPU_NONE, 0, 0};
            e->before = e->inside;
            e->inside = describe_left_of(f, e->from, corner);
            e->to = corner;
            e->other = other;
            atomicOr(&level->divided, 1);
        }
    }
    __syncthreads();
    if (t == 0) level->edges = min(level->edges, (uint32_t)DESCRIBE_LEVEL_EDGES);
    __syncthreads();
}

/* Returns whether a candidate stays, and then its edge in the next level. */
__device__ static inline bool describe_stays(const describe_level *level, const describe_frame &f, clump_xy p,
                                             uint8_t *edge, float *depth)
{
    const describe_edge *const e = &level->edge[*edge];
    const float u = p.x - f.origin.x, v = p.y - f.origin.y;
    *depth = describe_depth(e->inside, u, v);
    if (e->other == CLUMP_GPU_NONE || !describe_outside(describe_depth(e->before, u, v))) return true;
    const float first = *depth, second = describe_depth(level->edge[e->other].inside, u, v);
    if (second < first) *edge = (uint8_t)e->other;
    *depth = second < first ? second : first;
    return !(*depth > 0);
}

/* What a thread holds of a turn. */
typedef struct describe_held {
    clump_xy p[DESCRIBE_LEVEL_EACH];
    float depth[DESCRIBE_LEVEL_EACH];
    uint8_t edge[DESCRIBE_LEVEL_EACH];
    bool stays[DESCRIBE_LEVEL_EACH];
} describe_held;

/* Writes the candidates of a turn that stay, and notes those far outside. */
__device__ static inline void describe_put_back(clump_xy *candidates, uint8_t *edges, const describe_held &h,
                                                int groups, describe_level *level)
{
    uint32_t all[DESCRIBE_LEVEL_EACH], total = 0, base = 0;
#pragma unroll
    for (int k = 0; k < DESCRIBE_LEVEL_EACH; k++) {
        all[k] = __ballot_sync(~0u, h.stays[k]);
        total += (uint32_t)__popc(all[k]);
    }
    if (total == 0) return;
    if (clump_lane() == 0) base = atomicAdd(&level->kept, total);
    base = __shfl_sync(~0u, base, 0);
#pragma unroll
    for (int k = 0; k < DESCRIBE_LEVEL_EACH; k++) {
        const uint32_t at = base + (uint32_t)__popc(all[k] & clump_lanes_below()),
                       key = ~clump_key_of_float(h.depth[k]);
        if (h.stays[k]) candidates[at] = h.p[k], edges[at] = h.edge[k];
        base += (uint32_t)__popc(all[k]);
        describe_each_best(h.stays[k] && describe_outside(h.depth[k]), h.edge[k], key, groups, threadIdx.x / 32,
                           [&]() { atomicMax(&level->edge[h.edge[k]].far, (unsigned long long)key << 32 | at); });
    }
}

/* Leaves out the candidates in the triangles; returns how many stay. They move to the front. */
__device__ static inline uint32_t describe_sift(clump_xy *candidates, uint8_t *edges, uint32_t count,
                                                const describe_frame &f, describe_level *level)
{
    const int groups = count > DESCRIBE_LEVEL_MANY ? 1 : DESCRIBE_LEVEL_NOTES;
    for (uint32_t begin = 0; begin < count; begin += blockDim.x * DESCRIBE_LEVEL_EACH) {
        describe_held h;
#pragma unroll
        for (int k = 0; k < DESCRIBE_LEVEL_EACH; k++) {
            const uint32_t i = begin + k * blockDim.x + threadIdx.x;
            h.stays[k] = i < count;
            h.p[k] = clump_xy{0, 0}, h.edge[k] = 0, h.depth[k] = 0;
            if (h.stays[k]) h.p[k] = candidates[i], h.edge[k] = edges[i];
        }
#pragma unroll
        for (int k = 0; k < DESCRIBE_LEVEL_EACH; k++)
            if (h.stays[k]) h.stays[k] = describe_stays(level, f, h.p[k], &h.edge[k], &h.depth[k]);
        __syncthreads(); /* all of this turn are read: they may be written over */
        describe_put_back(candidates, edges, h, groups, level);
    }
    __syncthreads();
    return level->kept;
}

/* Returns how many of `count` candidates of a cluster are left; they are the first ones then. All threads call it. */
__device__ static inline uint32_t describe_leave_out(const describe_plan &plan, const unsigned long long *far,
                                                     clump_xy *candidates, uint8_t *edges, uint32_t count,
                                                     describe_level *level)
{
    const uint32_t t = threadIdx.x;
    const describe_frame f = {plan.width, plan.height, plan.corner[0]};
    if (t < DESCRIBE_OCTAGON) {
        const clump_xy from = plan.corner[t], to = plan.corner[(t + 1) % DESCRIBE_OCTAGON];
        level->edge[t] = describe_edge{plan.inside[t], {}, from, to, CLUMP_GPU_NONE, 0, far[t]};
    }
    if (t == 0) level->edges = DESCRIBE_OCTAGON;
    for (int k = 0; k < DESCRIBE_LEVELS && count > DESCRIBE_LEVEL_ENOUGH; k++) {
        if (t == 0) level->kept = level->divided = 0;
        describe_divide(candidates, f, level);
        if (!level->divided) break;
        const uint32_t before = count;
        count = describe_sift(candidates, edges, count, f, level);
        if (before - count < before / 16) break; /* all that are left may be corners */
        __syncthreads();
    }
    __syncthreads();
    return count;
}

/* The phase. */
__device__ static inline void describe_levels(const describe_job &job)
{
    __shared__ describe_level level;
    const uint32_t others = __ldcg(&job.report->others), last = (uint32_t)job.in.capacity - 1;
    for (uint32_t i = blockIdx.x; i < others; i += gridDim.x) {
        const uint32_t c = job.lists[last - i].cluster, count = job.totals[c].candidates;
        const describe_plan &plan = job.plans[c];
        if (count <= DESCRIBE_LEVEL_ENOUGH || !plan.filtered) continue;
        const uint32_t left = describe_leave_out(plan, job.totals[c].far, job.candidates + plan.start,
                                                 job.edges + plan.start, count, &level);
        if (threadIdx.x == 0) job.totals[c].candidates = left;
    }
}

#endif
