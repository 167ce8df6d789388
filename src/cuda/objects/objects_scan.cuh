/* SPDX-License-Identifier: BSD-3-Clause
 *
 * objects_scan.cuh: the tree by the neighbours of the scan (rules/scan.h): points sorted by ring and azimuth, one thread per
 * point for its tests, and one union-find forest per level. The forests are made flat between the tests within rings and
 * those between rings: the points of a ring become long chains, which every later search would walk along.
 */
#ifndef CLUMP_CUDA_OBJECTS_OBJECTS_SCAN_CUH
#define CLUMP_CUDA_OBJECTS_OBJECTS_SCAN_CUH

#include "cuda/objects/objects_nodes.cuh"
#include "cuda/objects/objects_rings.cuh"
#include "rules/scan.h"
#include "rules/union_find.h"

enum { OBJECTS_AZIMUTH_BITS = 30 }; /* of a float in 0 ... 1 */
static const uint64_t OBJECTS_NO_KEY = ~(uint64_t)0;

/* Makes the key of a point, and a set of its own per level. */
OBJECTS_BODY void objects_keys(const objects_job &job, size_t i)
{
    const float *const p = objects_point(job, i);
    const bool finite = objects_is_finite(p), in = finite && (!job.view.mask || job.view.mask[i]);
    if (!finite) objects_add(&job.counters->not_finite, 1);
    if (job.source == CLUMP_RINGS_GIVEN) objects_raise(&job.counters->rings, objects_ring(job, i, p, 0) + 1);
    uint64_t key = OBJECTS_NO_KEY;
    if (in) {
        const float azimuth = objects_azimuth(job, p), at = clump_scan_azimuth(azimuth);
        uint32_t bits;
        memcpy(&bits, &at, sizeof bits);
        key = (uint64_t)objects_ring(job, i, p, azimuth) << OBJECTS_AZIMUTH_BITS | bits;
    }
    job.keys[i] = key;
    job.places[i] = (uint32_t)i;
    for (int k = 0; k < job.rule.levels; k++) job.of[k][i] = in ? (uint32_t)i : CLUMP_GPU_NONE;
}

/* Returns the ring of a place; that after the last ring for points that are not clustered, which come last. */
OBJECTS_BODY uint32_t objects_ring_at(const objects_job &job, size_t s)
{
    const uint64_t key = job.sorted[s];
    return key == OBJECTS_NO_KEY ? job.rings : (uint32_t)(key >> OBJECTS_AZIMUTH_BITS);
}

/* Writes the point of a place, and the begins of the rings from the place before. */
OBJECTS_BODY void objects_lay_out(const objects_job &job, size_t s)
{
    const uint32_t ring = objects_ring_at(job, s);
    for (uint32_t r = s == 0 ? 0 : objects_ring_at(job, s - 1) + 1; r <= ring; r++) job.begin[r] = (uint32_t)s;
    if (s + 1 == job.view.count)
        for (uint32_t r = ring + 1; r <= job.rings; r++) job.begin[r] = job.view.count;
    if (ring == job.rings) return;
    const float *const p = objects_point(job, job.index[s]);
    const uint32_t bits = (uint32_t)job.sorted[s] & (((uint32_t)1 << OBJECTS_AZIMUTH_BITS) - 1);
    memcpy(&job.azimuth[s], &bits, sizeof bits);
    float bound[CLUMP_OBJECTS_LEVELS] = {0, 0, 0, 0};
    for (int k = 0; k < job.rule.levels; k++) {
        const clump_radius_rule rule = job.radius[k];
        const float grown = rule.per_metre > 0 ? clump_radius_grown(rule, p[0], p[1], p[2]) : 0;
        bound[k] = clump_distance_bound(clump_radius(rule.eps, grown));
    }
    job.point[s] = make_float4(p[0], p[1], p[2], 0.0f);
    job.bounds[s] = make_float4(bound[0], bound[1], bound[2], bound[3]);
}

/* ----- tests --------------------------------------------------------------------------------------------- */

/* Joins two points at one level and all coarser ones. Where they are joined already, the thread that did it joins them at
 * the coarser levels too. */
OBJECTS_BODY void objects_join(const objects_job &job, int level, uint32_t a, uint32_t b)
{
    for (int k = level; k < job.rule.levels; k++) {
        if (clump_find(job.of[k], a) == clump_find(job.of[k], b)) return;
        clump_unite(job.of[k], a, b);
    }
}

/* A point and its place. */
typedef struct objects_place {
    float4 at;
    float bound[CLUMP_OBJECTS_LEVELS];
    uint32_t index;
} objects_place;

OBJECTS_BODY objects_place objects_place_at(const objects_job &job, size_t s)
{
    const float4 b = job.bounds[s];
    const objects_place place = {job.point[s], {b.x, b.y, b.z, b.w}, job.index[s]};
    return place;
}

/* Tests two points, joins them where they are neighbours; returns whether they are within the finest radius. */
OBJECTS_BODY bool objects_test(const objects_job &job, const objects_place &a, size_t other)
{
    const objects_place b = objects_place_at(job, other);
    const float d2 = clump_distance_squared(a.at.x, a.at.y, a.at.z, b.at.x, b.at.y, b.at.z);
    const int level = clump_scan_level(d2, a.bound, b.bound, job.rule.levels);
    objects_join(job, level, a.index, b.index);
    return level == 0;
}

/* Returns how many of n ascending azimuths are smaller. */
OBJECTS_BODY uint32_t objects_smaller(const float *ring, uint32_t n, float azimuth)
{
    uint32_t low = 0, high = n;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (ring[middle] < azimuth)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Tests the point of a place with one of the next rings; returns whether one there is within the finest radius. */
OBJECTS_BODY bool objects_test_ring(const objects_job &job, const objects_place &a, float azimuth, uint32_t ring)
{
    const uint32_t begin = job.begin[ring], n = job.begin[ring + 1] - begin;
    if (n == 0) return false;
    const float *const azimuths = job.azimuth + begin;
    const uint32_t nearest = clump_scan_nearest(azimuths, n, objects_smaller(azimuths, n, azimuth), azimuth);
    bool joined = objects_test(job, a, begin + (size_t)nearest);
    for (uint32_t by = 1; by <= CLUMP_SCAN_BESIDE; by++) {
        const uint32_t step = by % n;
        joined |= objects_test(job, a, begin + ((size_t)nearest + n - step) % n);
        joined |= objects_test(job, a, begin + ((size_t)nearest + step) % n);
    }
    return joined;
}

/* Tests the point of a place with the next in its ring. */
OBJECTS_BODY void objects_along(const objects_job &job, size_t s)
{
    const uint32_t ring = objects_ring_at(job, s);
    if (ring == job.rings) return;
    const objects_place a = objects_place_at(job, s);
    const uint32_t begin = job.begin[ring], n = job.begin[ring + 1] - begin, mine = (uint32_t)s - begin;
    for (uint32_t t = 1; t <= CLUMP_SCAN_NEXT && t < n; t++)
        if (objects_test(job, a, begin + ((size_t)mine + t) % n)) break;
}

/* Makes the paths of a point short. Others do the same, so the result is a root or near it. */
OBJECTS_BODY void objects_shorten(const objects_job &job, size_t i)
{
    for (int k = 0; k < job.rule.levels; k++) {
        if (job.of[k][i] == CLUMP_GPU_NONE) continue;
        const uint32_t root = clump_find(job.of[k], (uint32_t)i);
        CLUMP_UF_STORE(&job.of[k][i], root);
    }
}

/* Tests the point of a place with the next rings. */
OBJECTS_BODY void objects_across(const objects_job &job, size_t s)
{
    const uint32_t ring = objects_ring_at(job, s);
    if (ring == job.rings) return;
    const objects_place a = objects_place_at(job, s);
    for (uint32_t r = 1; r <= CLUMP_SCAN_RINGS && ring + r < job.rings; r++)
        if (objects_test_ring(job, a, job.azimuth[s], ring + r)) break;
}

/* Replaces the entries of a point by its nodes, and empties the nodes that are named by it. */
OBJECTS_BODY void objects_flatten(const objects_job &job, size_t i)
{
    for (int k = 0; k < job.rule.levels; k++)
        if (job.of[k][i] != CLUMP_GPU_NONE) job.of[k][i] = clump_root(job.of[k], (uint32_t)i);
    objects_begin_nodes(job, i);
}

#endif
