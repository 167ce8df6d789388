/* SPDX-License-Identifier: BSD-3-Clause
 *
 * objects_rings.cuh: the rings of the points: the counts from which the host decides (rules/rings.h, core/rings.h), and the
 * ring of a point after that.
 */
#ifndef CLUMP_CUDA_OBJECTS_OBJECTS_RINGS_CUH
#define CLUMP_CUDA_OBJECTS_OBJECTS_RINGS_CUH

#include "cuda/objects/objects_job.cuh"

/* Returns the azimuth of a point around the sensor, CLUMP_RINGS_BLANK where it has none. */
OBJECTS_BODY float objects_azimuth(const objects_job &job, const float *p)
{
    const clump_objects_rule *const r = &job.rule;
    return clump_rings_azimuth(p[0], p[r->across], p[r->up], r->sensor[0], r->sensor[r->across]);
}

/* Returns the vertical angle of a point. */
OBJECTS_BODY float objects_elevation(const objects_job &job, const float *p)
{
    const clump_objects_rule *const r = &job.rule;
    return clump_rings_elevation(clump_rn_sub(p[0], r->sensor[0]), clump_rn_sub(p[r->across], r->sensor[r->across]),
                                 clump_rn_mul(r->sign, clump_rn_sub(p[r->up], r->sensor[r->up])));
}

/* Adds the step to a point to the sums, and writes its jump. */
OBJECTS_BODY void objects_step(const objects_job &job, size_t i, clump_ring_steps *sums)
{
    const float *const p = objects_point(job, i);
    const float to = objects_azimuth(job, p);
    job.jumps[i] = 0;
    if (i + 1 == job.view.count) job.jumps[i + 1] = 0; /* becomes the sum */
    if (to == CLUMP_RINGS_BLANK) return;
    float from = CLUMP_RINGS_BLANK;
    size_t back = 0;
    while (from == CLUMP_RINGS_BLANK && back < CLUMP_RINGS_BLANKS && back < i)
        from = objects_azimuth(job, objects_point(job, i - ++back));
    if (from == CLUMP_RINGS_BLANK) {
        sums->lost += back == CLUMP_RINGS_BLANKS;
        return;
    }
    const int32_t jump = clump_rings_jump(from, to);
    job.jumps[i] = (uint32_t)jump;
    sums->jump_down += jump > 0;
    sums->jump_up += jump < 0;
    sums->up += jump == 0 && to > from;
    sums->down += jump == 0 && to < from;
    if (i % CLUMP_RINGS_STEEP_EVERY) return;
    sums->tested++;
    sums->steep +=
        clump_rings_is_steep(objects_elevation(job, objects_point(job, i - back)), objects_elevation(job, p));
}

/* Counts a point in the histogram of vertical angles. */
OBJECTS_BODY void objects_bin(const objects_job &job, size_t i)
{
    const float *const p = objects_point(job, i);
    if (objects_azimuth(job, p) == CLUMP_RINGS_BLANK) return;
    const int32_t bin = clump_rings_bin(objects_elevation(job, p));
    if (bin >= 0) objects_add(&job.bins[bin], 1);
}

/* Returns the ring of point i, which has an azimuth or CLUMP_RINGS_BLANK. */
OBJECTS_BODY uint32_t objects_ring(const objects_job &job, size_t i, const float *p, float azimuth)
{
    switch (job.source) {
    case CLUMP_RINGS_GIVEN:
        return job.given[i] < CLUMP_RINGS_MOST ? job.given[i] : CLUMP_RINGS_MOST - 1;
    case CLUMP_RINGS_ROWS:
        return (uint32_t)(i / job.columns);
    case CLUMP_RINGS_ORDER:
        return (uint32_t)clump_rings_of_jumps(job.order, (int32_t)job.jumps[i + 1]);
    default:
        break;
    }
    const int32_t bin = azimuth == CLUMP_RINGS_BLANK ? -1 : clump_rings_bin(objects_elevation(job, p));
    return bin < 0 ? 0 : job.table[bin];
}

#endif
