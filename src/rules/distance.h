/* SPDX-License-Identifier: BSD-3-Clause
 *
 * distance.h: the only definition of the distance of two points, compiled by the C compiler and by nvcc. Every step is
 * rounded to float32 and no two steps are fused: the host is compiled with -ffp-contract=off, the device uses the _rn
 * intrinsics. So all backends agree on every pair.
 */
#ifndef CLUMP_RULES_DISTANCE_H
#define CLUMP_RULES_DISTANCE_H

#if defined(__CUDACC__)
#define CLUMP_RULE static inline __host__ __device__
#else
#define CLUMP_RULE static inline
#endif

/* Returns the squared distance d2 of points a and b. */
CLUMP_RULE float clump_distance_squared(float ax, float ay, float az, float bx, float by, float bz)
{
#if defined(__CUDA_ARCH__)
    const float dx = __fsub_rn(ax, bx), dy = __fsub_rn(ay, by), dz = __fsub_rn(az, bz);
    return __fadd_rn(__fadd_rn(__fmul_rn(dx, dx), __fmul_rn(dy, dy)), __fmul_rn(dz, dz));
#else
    const float dx = ax - bx, dy = ay - by, dz = az - bz;
    return ((dx * dx) + (dy * dy)) + (dz * dz);
#endif
}

/* Returns the bound for squared distances: neighbours have d2 < bound (ec) or d2 <= bound (dbscan, nn). */
CLUMP_RULE float clump_distance_bound(float radius)
{
#if defined(__CUDA_ARCH__)
    return __fmul_rn(radius, radius);
#else
    return radius * radius;
#endif
}

#endif
