/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fast_node.cuh: a node is two boxes around a run of points of a hot cell. Two nodes that are further apart than d hold
 * no neighbours.
 *
 *     upright    along the axes of space
 *     turned     along axes of its own: one along which the points reach far, and of the directions across it the one
 *                along which they reach least. Around a piece of a wall the box is as thin as the wall, around a piece
 *                of a wire as thin as the wire, in any orientation
 *
 *         +---------+
 *         |      // |    a piece of an oblique wall: the upright box is as thick as the piece is long, and nearly
 *         |    //   |    touches that of a wall d away; the turned box is as thin as the wall
 *         |  //     |
 *         |//       |
 *         +---------+
 *
 * Upright boxes need no margin. They are compared as two points are: the gap on an axis is the difference of two
 * coordinates, no pair of points has a smaller one there, and rounding is monotonic. So no pair is lost.
 *
 * Turned boxes have a margin. The unit is the edge of a cell, and positions count from the first point of the cell: no
 * number is large wherever the cell lies and whatever d is. With e = 2^-24:
 *   1. points   (p - first) / edge is rounded three times and at most 1.01 on each axis: off by less than 6 e
 *   2. axes     have a length of 1 up to 14 e and are square to each other up to 10 e, by the way they are made
 *               (fast_axes), whatever the points are. So r and the sum of (r . axis) axis differ by at most 48 e |r|
 *   3. half     r, from one of the points to another, along each axis: off by 6 e |r|. The middle as a point, and half
 *               the extent: off by 20 e. |r| is at most twice the sum of the halves. Each half is made longer by
 *               2^-17 = 128 e times that sum, and by 2^-19 = 32 e, which is more than all of these together: the turned
 *               box holds the points as they are
 *   4. gaps     are computed only where the upright boxes are closer than d, which is 1.74 edges; so v, from middle to
 *               middle, is shorter than 5.3, and off by less than 40 e. A gap is v . axis (16 e) less what the two
 *               boxes take up of it (30 e), and 75 e too long where the axis is. The root of the squares of the gaps on
 *               three axes is off by less than 75 e + sqrt(3) 86 e + 8 e < 2^-16; the gap along v by less. A point in
 *               place of one of the boxes is off by its 6 e
 *   5. reach    two points with d2 < bound are closer than sqrt(bound) (1 + 2^-22) (rules/cell.h); that is 2^-21 edges
 *               more. So points whose nodes are further apart than sqrt(bound) and 2^-15 edges are not neighbours
 * Numbers that are too large for all this, where a cell is a single float on an axis, make v infinite or not a number:
 * such nodes are never apart.
 */
#ifndef CLUMP_CUDA_FAST_FAST_NODE_CUH
#define CLUMP_CUDA_FAST_FAST_NODE_CUH

#include "cuda/fast/fast_job.cuh"

typedef struct fast_node {
    float lower[3], upper[3];             /* upright */
    float middle[3], axis[3][3], half[3]; /* turned */
} fast_node;

/* ----- axes ---------------------------------------------------------------------------------------- */

__device__ static inline float fast_dot(const float *a, const float *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

__device__ static inline void fast_cross(const float *a, const float *b, float *out)
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* Scales v to length 1; its length is not far from 1 before. */
__device__ static inline void fast_normalise(float *v)
{
    const float by = 1 / sqrtf(fast_dot(v, v));
    for (int k = 0; k < 3; k++) v[k] *= by;
}

/* Finds axes for points with these sums of products xx, xy, xz, yy, yz, zz about their mean. */
__device__ static inline void fast_axes(const float *sums, float axis[3][3])
{
    float *const u = axis[0], *const v = axis[1], *const w = axis[2];
    u[0] = 1;
    u[1] = u[2] = v[0] = v[2] = w[0] = w[1] = 0;
    v[1] = w[2] = 1;
    const float all = sums[0] + sums[3] + sums[5];
    if (!(all > 0x1p-100f)) return; /* all points are equal */
    /* Squared repeatedly, a column of the matrix becomes the direction in which the points reach far: some direction
     * within a wall, the direction of a wire. */
    float m[6];
    for (int k = 0; k < 6; k++) m[k] = sums[k] / all;
    for (int round = 0; round < 4; round++) {
        const float xx = m[0], xy = m[1], xz = m[2], yy = m[3], yz = m[4], zz = m[5];
        m[0] = xx * xx + xy * xy + xz * xz;
        m[1] = xx * xy + xy * yy + xz * yz;
        m[2] = xx * xz + xy * yz + xz * zz;
        m[3] = xy * xy + yy * yy + yz * yz;
        m[4] = xy * xz + yy * yz + yz * zz;
        m[5] = xz * xz + yz * yz + zz * zz;
        const float inverse = 1 / (m[0] + m[3] + m[5]); /* the trace was 1: of its square a third is left */
        for (int k = 0; k < 6; k++) m[k] *= inverse;
    }
    const int column = m[0] >= m[3] && m[0] >= m[5] ? 0 : m[3] >= m[5] ? 1 : 2; /* on the diagonal >= a third */
    u[0] = column == 0 ? m[0] : column == 1 ? m[1] : m[2];
    u[1] = column == 0 ? m[1] : column == 1 ? m[3] : m[4];
    u[2] = column == 0 ? m[2] : column == 1 ? m[4] : m[5];
    fast_normalise(u);
    /* Two axes across u. v is square to u before it is scaled; u has at most 0.58 on the axis that v leaves out. */
    const float ax = fabsf(u[0]), ay = fabsf(u[1]), az = fabsf(u[2]);
    if (ax <= ay && ax <= az)
        v[0] = 0, v[1] = -u[2], v[2] = u[1];
    else if (ay <= az)
        v[0] = u[2], v[1] = 0, v[2] = -u[0];
    else
        v[0] = -u[1], v[1] = u[0], v[2] = 0;
    fast_normalise(v);
    fast_cross(u, v, w);
    /* v and w turned around u until the products vw vanish */
    const float on_v[3] = {sums[0] * v[0] + sums[1] * v[1] + sums[2] * v[2],
                           sums[1] * v[0] + sums[3] * v[1] + sums[4] * v[2],
                           sums[2] * v[0] + sums[4] * v[1] + sums[5] * v[2]};
    const float on_w[3] = {sums[0] * w[0] + sums[1] * w[1] + sums[2] * w[2],
                           sums[1] * w[0] + sums[3] * w[1] + sums[4] * w[2],
                           sums[2] * w[0] + sums[4] * w[1] + sums[5] * w[2]};
    const float x = (fast_dot(v, on_v) - fast_dot(w, on_w)) / all, y = 2 * fast_dot(v, on_w) / all;
    const float length = sqrtf(x * x + y * y);
    if (!(length > 0x1p-40f)) return; /* equal extent in all directions */
    const float c = sqrtf(0.5f + 0.5f * fabsf(x) / length), s = 0.5f * y / length / c;
    const float on = x >= 0 ? c : fabsf(s), to = x >= 0 ? s : copysignf(c, y);
    for (int k = 0; k < 3; k++) v[k] = on * v[k] + to * w[k];
    fast_normalise(v);
    fast_cross(u, v, w);
}

/* ----- making a node ----------------------------------------------------------------------- */

/* Finds the position of p relative to `first`, in edges. */
__device__ static inline void fast_relative(const fast_job &job, const float4 &first, const float4 &p, float *out)
{
    const float inverse = (float)job.rule.inverse;
    out[0] = (p.x - first.x) * inverse;
    out[1] = (p.y - first.y) * inverse;
    out[2] = (p.z - first.z) * inverse;
}

__device__ static inline float fast_warp_sum(float value)
{
    for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(~0u, value, step);
    return value;
}

/* Finds the smallest and the largest value of all lanes, in all lanes. */
__device__ static inline void fast_warp_bounds(float *low, float *high)
{
    for (int step = 16; step > 0; step /= 2) {
        *low = fminf(*low, __shfl_xor_sync(~0u, *low, step));
        *high = fmaxf(*high, __shfl_xor_sync(~0u, *high, step));
    }
}

/* Finds axes for the points, from one point in `step`. All lanes get equal values: addition commutes. */
__device__ static inline void fast_fit_axes(const fast_job &job, const float4 *points, uint32_t count,
                                            const float4 &base, uint32_t step, float axis[3][3])
{
    float sum[3] = {0, 0, 0}, products[6] = {0, 0, 0, 0, 0, 0}, n = 0;
    for (uint32_t i = clump_lane() * step; i < count; i += 32 * step) {
        float r[3];
        fast_relative(job, base, points[i], r);
        n += 1;
        for (int k = 0, at = 0; k < 3; k++) {
            sum[k] += r[k];
            for (int l = k; l < 3; l++) products[at++] += r[k] * r[l];
        }
    }
    n = fast_warp_sum(n);
    for (int k = 0; k < 3; k++) sum[k] = fast_warp_sum(sum[k]);
    for (int k = 0, at = 0; k < 3; k++)
        for (int l = k; l < 3; l++, at++) products[at] = fast_warp_sum(products[at]) - sum[k] * sum[l] / n;
    fast_axes(products, axis);
}

/* Makes the node of `count` points of the cell that begins with `first`, by a warp. */
__device__ static inline void fast_fit(const fast_job &job, const float4 *points, uint32_t count, const float4 &first,
                                       uint32_t step, fast_node *out)
{
    const float4 base = points[0];
    fast_node node;
    fast_fit_axes(job, points, count, base, step, node.axis);
    float low[6], high[6]; /* upright, turned */
    for (int k = 0; k < 6; k++) low[k] = INFINITY, high[k] = -INFINITY;
    for (uint32_t i = clump_lane(); i < count; i += 32) {
        const float4 p = points[i];
        float r[3];
        fast_relative(job, base, p, r);
        const float at[6] = {
            p.x, p.y, p.z, fast_dot(r, node.axis[0]), fast_dot(r, node.axis[1]), fast_dot(r, node.axis[2])};
        for (int k = 0; k < 6; k++) low[k] = fminf(low[k], at[k]), high[k] = fmaxf(high[k], at[k]);
    }
    for (int k = 0; k < 6; k++) fast_warp_bounds(&low[k], &high[k]);
    float sum = 0;
    fast_relative(job, first, base, node.middle);
    for (int k = 0; k < 3; k++) {
        node.lower[k] = low[k];
        node.upper[k] = high[k];
        node.half[k] = 0.5f * (high[k + 3] - low[k + 3]);
        sum += node.half[k];
        const float by = 0.5f * (high[k + 3] + low[k + 3]);
        for (int l = 0; l < 3; l++) node.middle[l] += by * node.axis[k][l];
    }
    for (int k = 0; k < 3; k++) node.half[k] += 0x1p-17f * sum + 0x1p-19f;
    if (clump_lane() == 0) *out = node;
}

/* ----- two nodes ----------------------------------------------------------------------------------- */

/* The relation of two cells, the same for all their nodes. */
typedef struct fast_pair_frame {
    float shift[3]; /* from the first point of a to that of b, in edges */
    float reach;    /* the largest distance of neighbours, and the margin */
} fast_pair_frame;

__device__ static inline fast_pair_frame fast_make_frame(const fast_job &job, const float4 &first_a,
                                                         const float4 &first_b)
{
    fast_pair_frame frame;
    fast_relative(job, first_a, first_b, frame.shift);
    frame.reach = sqrtf(job.bound) * (float)job.rule.inverse + 0x1p-15f;
    return frame;
}

__device__ static inline bool fast_upright_may_reach(const fast_node &a, const fast_node &b, float bound)
{
    float gap[3];
    for (int k = 0; k < 3; k++) gap[k] = fmaxf(0.0f, fmaxf(b.lower[k] - a.upper[k], a.lower[k] - b.upper[k]));
    return clump_distance_squared(gap[0], gap[1], gap[2], 0.0f, 0.0f, 0.0f) < bound;
}

__device__ static inline bool fast_turned_may_reach(const fast_node &a, const fast_node &b,
                                                    const fast_pair_frame &frame)
{
    float v[3], takes_a[3] = {0, 0, 0}, takes_b[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++) v[k] = frame.shift[k] + b.middle[k] - a.middle[k];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const float both = fabsf(fast_dot(a.axis[i], b.axis[j]));
            takes_b[i] += b.half[j] * both; /* of b along axis i of a */
            takes_a[j] += a.half[i] * both;
        }
    float square_a = 0, square_b = 0, takes = 0;
    for (int k = 0; k < 3; k++) {
        const float on_a = fabsf(fast_dot(v, a.axis[k])), on_b = fabsf(fast_dot(v, b.axis[k]));
        const float gap_a = fmaxf(0.0f, on_a - a.half[k] - takes_b[k]);
        const float gap_b = fmaxf(0.0f, on_b - b.half[k] - takes_a[k]);
        square_a += gap_a * gap_a;
        square_b += gap_b * gap_b;
        takes += a.half[k] * on_a + b.half[k] * on_b;
    }
    if (fmaxf(square_a, square_b) > frame.reach * frame.reach) return false;
    const float length = sqrtf(fast_dot(v, v));
    return !(length * length - takes > frame.reach * length); /* along v */
}

__device__ static inline bool fast_nodes_may_reach(const fast_node &a, const fast_node &b, const fast_pair_frame &frame,
                                                   float bound)
{
    return fast_upright_may_reach(a, b, bound) && fast_turned_may_reach(a, b, frame);
}

/* Returns whether neighbours of a point may be in the turned box; v is from the middle of the box to the point. */
__device__ static inline bool fast_point_may_reach(const float *v, const fast_node &node, float reach)
{
    float square = 0;
    for (int k = 0; k < 3; k++) {
        const float gap = fmaxf(0.0f, fabsf(fast_dot(v, node.axis[k])) - node.half[k]);
        square += gap * gap;
    }
    return !(square > reach * reach);
}

#endif
