/* SPDX-License-Identifier: BSD-3-Clause
 *
 * describe_plan.cuh: the phase `plan`: what is known of a cluster between the two passes over the points. Eight lanes work
 * on a cluster, one per edge of the octagon. Room for candidates is handed out in any order: no result depends on it.
 */
#ifndef CLUMP_CUDA_DESCRIBE_DESCRIBE_PLAN_CUH
#define CLUMP_CUDA_DESCRIBE_DESCRIBE_PLAN_CUH

#include "cuda/describe/describe_job.cuh"

/* Of an edge: distances are relative to the extents of the cluster. Why it suffices: describe_outside(). */
#define DESCRIBE_MARGIN 0x1p-18f

/* ----- what was measured ------------------------------------------------------------------------------ */

__device__ static inline clump_axis describe_axis(uint32_t lowest, uint32_t highest, uint32_t used)
{
    clump_axis axis = {0, 0, (int32_t)used, 0};
    if (used > 0) axis.lower = clump_float_of_key(lowest), axis.upper = clump_float_of_key(highest);
    return axis;
}

/* Returns what the phase `extents` measured; sums are 0. */
__device__ static inline clump_measures describe_measures(const describe_job &job, const describe_extent &e)
{
    clump_measures m;
    memset(&m, 0, sizeof m);
    const uint32_t points = e.tally[DESCRIBE_POINTS], upright = e.tally[DESCRIBE_UPRIGHT];
    const bool y_up = job.in.up == CLUMP_UP_Y;
    m.count = (int32_t)points;
    m.axis[0] = describe_axis(~(uint32_t)(e.wide[4] >> 32), (uint32_t)(e.wide[0] >> 32), points);
    const clump_axis across = describe_axis(~(uint32_t)(e.wide[6] >> 32), (uint32_t)(e.wide[2] >> 32), points);
    const clump_axis upward = describe_axis(~e.peak[DESCRIBE_LOWEST], e.peak[DESCRIBE_HIGHEST], upright);
    m.axis[1] = y_up ? upward : across;
    m.axis[2] = y_up ? across : upward;
    m.value = describe_axis(~e.peak[DESCRIBE_LEAST_VALUE], e.peak[DESCRIBE_MOST_VALUE], e.tally[DESCRIBE_VALUES]);
    m.nearest = __longlong_as_double((long long)~e.wide[DESCRIBE_NEAREST]);
    m.highest = e.peak[DESCRIBE_HEIGHT] ? clump_float_of_key(e.peak[DESCRIBE_HEIGHT]) : -clump_infinity();
    m.has_moments = job.in.shape.axes;
    return m;
}

/* ----- edges ---------------------------------------------------------------------------------------- */

/* Extents of a cluster, seen from above, and a point of it. */
typedef struct describe_frame {
    double width, height;
    clump_xy origin;
} describe_frame;

__device__ static inline describe_frame describe_frame_of(const clump_measures &m, clump_up up, clump_xy origin)
{
    const clump_axis across = up == CLUMP_UP_Y ? m.axis[2] : m.axis[1];
    return describe_frame{clump_axis_extent(&m.axis[0]), clump_axis_extent(&across), origin};
}

/* Returns the half plane left of the edge from p to q, scaled by a power of two such that a u + b v is below 2 in magnitude.
 * Of an edge without length, all points are left. */
__device__ static inline describe_half_plane describe_left_of(const describe_frame &f, clump_xy p, clump_xy q)
{
    const double a = (double)p.y - q.y, b = (double)q.x - p.x, size = fabs(a) * f.width + fabs(b) * f.height;
    if (!(size > 0)) return describe_half_plane{0, 0, -1, 0};
    const double c = a * ((double)p.x - f.origin.x) + b * ((double)p.y - f.origin.y);
    const double scale = clump_double_power(-clump_double_exponent(size)); /* no division */
    return describe_half_plane{(float)(a * scale), (float)(b * scale), (float)(c * scale) + DESCRIBE_MARGIN, 0};
}

/* Returns how far a point is left of an edge, at most -DESCRIBE_MARGIN for points on it. u and v are relative to the
 * origin. */
__device__ static inline float describe_depth(const describe_half_plane &h, float u, float v)
{
    return h.a * u + h.b * v - h.c;
}

/* The rules of the depth:
 *   (1) It takes 10 roundings in float32 at most, fused or not. a u + b v and c are at most 2 in magnitude, since u and v
 *       are relative to a point of the cluster: each rounding is at most 2^-23, the last one 2^-22. The margin is 2^-18.
 *   (2) So a point with a depth above 0 is left of the edge, and one with a depth below -2 margins is right of it.
 *   (3) A point that is left of every edge of a closed chain of points of its cluster is interior (cpu/describe/hull.c).
 *       This holds for the octagon, and for a triangle. */
__device__ static inline bool describe_outside(float depth)
{
    return depth < -2 * DESCRIBE_MARGIN;
}

/* Returns whether float32 has room for the half planes of a cluster. */
__device__ static inline bool describe_can_filter(const describe_frame &f)
{
    return f.width > 0x1p-60 && f.width < 0x1p60 && f.height > 0x1p-60 && f.height < 0x1p60;
}

/* ----- the phase -------------------------------------------------------------------------------------- */

enum {
    DESCRIBE_PLAN_CLUSTERS = 32, /* per thread block and turn */
    DESCRIBE_PLAN_EDGES = DESCRIBE_PLAN_CLUSTERS * DESCRIBE_OCTAGON,
    DESCRIBE_PLAN_THREADS = DESCRIBE_PLAN_EDGES + 32 /* a thread per edge; one more warp hands out room */
};

/* Hands out room for the candidates of 32 clusters, one per lane, and their places in the lists. Returns the start of the
 * room. One thread block makes three atomic operations: more of them would contend. */
__device__ static inline uint32_t describe_hand_out(const describe_job &job, uint32_t cluster, bool exists,
                                                    uint32_t points)
{
    uint32_t total;
    const uint32_t before = clump_warp_scan(exists ? points : 0, &total), lane = clump_lane();
    const bool small = points <= DESCRIBE_SMALL;
    const uint32_t few = __ballot_sync(~0u, exists && small), others = __ballot_sync(~0u, exists && !small);
    uint32_t base = 0;
    if (lane == 0 && total > 0) base = atomicAdd(&job.report->places, total);
    if (lane == 1 && few) base = atomicAdd(&job.report->few, (uint32_t)__popc(few));
    if (lane == 2 && others) base = atomicAdd(&job.report->others, (uint32_t)__popc(others));
    const uint32_t start = __shfl_sync(~0u, base, 0) + before, few_at = __shfl_sync(~0u, base, 1);
    const uint32_t others_at = __shfl_sync(~0u, base, 2), below = clump_lanes_below();
    const describe_listed listed = {cluster, points, start, 0};
    if (exists && small) job.lists[few_at + (uint32_t)__popc(few & below)] = listed;
    if (exists && !small)
        job.lists[(uint32_t)job.in.capacity - 1 - (others_at + (uint32_t)__popc(others & below))] = listed;
    return start;
}

/* Lane k of eight plans edge k and axis k of a cluster with points. p is corner k of the octagon. */
__device__ static inline void describe_plan_cluster(const describe_job &job, const describe_extent *e, clump_xy p,
                                                    describe_plan *plan)
{
    const uint32_t k = clump_lane() % DESCRIBE_OCTAGON, base = clump_lane() - k;
    const uint32_t lanes = 0xffu << base, next = base + (k + 1) % DESCRIBE_OCTAGON;
    const clump_xy q = {__shfl_sync(lanes, p.x, (int)next), __shfl_sync(lanes, p.y, (int)next)};
    const clump_xy origin = {__shfl_sync(lanes, p.x, (int)base), __shfl_sync(lanes, p.y, (int)base)};
    const clump_measures m = describe_measures(job, *e);
    const describe_frame f = describe_frame_of(m, job.in.up, origin);
    plan->inside[k] = describe_left_of(f, p, q);
    plan->corner[k] = p;
    if (k == 1) plan->width = f.width, plan->height = f.height;
    if (k < DESCRIBE_SUMS) {
        const clump_axis axis = k == 0 ? m.axis[0] : k == 1 ? m.axis[1] : k == 2 ? m.axis[2] : m.value;
        plan->scale[k] = clump_axis_scale(&axis);
        plan->lower[k] = axis.lower;
        if (k < 3) plan->moment_scale[k] = clump_moment_scale(&axis);
    }
    if (k == 0) plan->filtered = m.count > DESCRIBE_SMALL && describe_can_filter(f);
}

__device__ static inline void describe_plan_all(const describe_job &job)
{
    const uint32_t clusters = describe_clusters(job), t = threadIdx.x;
    const uint64_t step = (uint64_t)gridDim.x * DESCRIBE_PLAN_CLUSTERS;
    for (uint64_t first = (uint64_t)blockIdx.x * DESCRIBE_PLAN_CLUSTERS; first < clusters; first += step) {
        if (t >= DESCRIBE_PLAN_EDGES) { /* the last warp, a lane per cluster */
            const uint64_t c = first + clump_lane();
            const bool exists = c < clusters;
            const uint32_t points = exists ? job.extents[c].tally[DESCRIBE_POINTS] : 0;
            const uint32_t start = describe_hand_out(job, (uint32_t)c, exists, points);
            if (exists) job.plans[c].start = start;
            continue;
        }
        const uint64_t c = first + t / DESCRIBE_OCTAGON;
        if (c < clusters && job.extents[c].tally[DESCRIBE_POINTS] > 0) { /* the same for all eight lanes */
            const describe_extent *const e = &job.extents[c];
            const clump_xy p = describe_above(job, (uint32_t)e->wide[t % DESCRIBE_OCTAGON]);
            describe_plan_cluster(job, e, p, &job.plans[c]);
        }
        __syncwarp();
    }
}

#endif
