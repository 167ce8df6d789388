/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ground_batch.h: points a block at a time, coordinate by coordinate, so that the compiler makes vectors of the
 * arithmetic of rules/ground.h; and without branches, which nobody could foresee.
 */
#ifndef CLUMP_CPU_OBSTACLES_GROUND_BATCH_H
#define CLUMP_CPU_OBSTACLES_GROUND_BATCH_H

#include "cpu/obstacles/ground.h"

enum { CLUMP_GROUND_BLOCK = 256 };

typedef struct clump_ground_block {
    float u[CLUMP_GROUND_BLOCK], v[CLUMP_GROUND_BLOCK], h[CLUMP_GROUND_BLOCK]; /* 0 for points outside the map */
    int32_t inside[CLUMP_GROUND_BLOCK];                                        /* 0 or 1 */
} clump_ground_block;

/* Points begin to begin + n - 1, at most CLUMP_GROUND_BLOCK. The mask is not looked at. */
static inline void clump_ground_see(const clump_cloud_job *job, const clump_surface *s, size_t begin, int n,
                                    clump_ground_block *b)
{
    const char *p = job->points + begin * job->stride;
    const int across = s->across, up = s->up;
    for (int k = 0; k < n; k++, p += job->stride) {
        const float *const xyz = (const float *)(const void *)p;
        b->u[k] = xyz[0], b->v[k] = xyz[across], b->h[k] = xyz[up];
    }
    const float corner_u = s->corner[0], corner_v = s->corner[1], scale = s->per_tile, sign = s->sign;
    const float sensor = s->sensor;
    for (int k = 0; k < n; k++) {
        const float u = (b->u[k] - corner_u) * scale, v = (b->v[k] - corner_v) * scale;
        const float h = sign * (b->h[k] - sensor);
        const int32_t in = clump_surface_inside(s, u, v, h);
        b->u[k] = in ? u : 0;
        b->v[k] = in ? v : 0;
        b->h[k] = in ? h : 0;
        b->inside[k] = in;
    }
}

/* flag[k] is 1 where the point is ground, else 0: clump_surface_is_ground, of a map. */
static inline void clump_ground_test(const clump_surface *s, const clump_ground_block *b, int n, uint8_t *flag)
{
    const int32_t width = s->tiles + 2;
    const float *const heights = s->heights, sigma = s->sigma;
    int32_t at[CLUMP_GROUND_BLOCK];
    float part_u[CLUMP_GROUND_BLOCK], part_v[CLUMP_GROUND_BLOCK], corner[4][CLUMP_GROUND_BLOCK];
    for (int k = 0; k < n; k++) {
        const float u = b->u[k] + 0.5f, v = b->v[k] + 0.5f;
        const int32_t i = (int32_t)u, j = (int32_t)v;
        part_u[k] = u - (float)i;
        part_v[k] = v - (float)j;
        at[k] = i * width + j;
    }
    for (int k = 0; k < n; k++) {
        const float *const here = heights + at[k];
        corner[0][k] = here[0], corner[1][k] = here[1], corner[2][k] = here[width], corner[3][k] = here[width + 1];
    }
    for (int k = 0; k < n; k++) {
        const float low = clump_surface_mix(corner[0][k], corner[1][k], part_v[k]);
        const float high = clump_surface_mix(corner[2][k], corner[3][k], part_v[k]);
        const float top = clump_surface_mix(low, high, part_u[k]) + sigma;
        at[k] = (b->h[k] < top) & b->inside[k];
    }
    for (int k = 0; k < n; k++) flag[k] = (uint8_t)at[k];
}

#endif
