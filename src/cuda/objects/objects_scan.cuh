/* SPDX-License-Identifier: BSD-3-Clause
 *
 * objects_scan.cuh: the tree by the neighbours of the scan (rules/scan.h): points sorted by ring and azimuth, one thread per
 * point for its tests, and one union-find forest per level.
 *
 *     meet      every point and the next in its ring: the level at which they are joined
 *     link      runs of joined points, without a search: most have ascending or descending indices
 *     ahead     what is left within rings: ends of rings, points whose next one is not within the finest radius
 *     along     joins these
 *     shorten   makes the forests flat, so that later searches are short
 *     rings     every point and three of each of the next rings
 *     across    joins these, where no other test does
 */
#ifndef CLUMP_CUDA_OBJECTS_OBJECTS_SCAN_CUH
#define CLUMP_CUDA_OBJECTS_OBJECTS_SCAN_CUH

#include "cuda/objects/objects_nodes.cuh"
#include "cuda/objects/objects_rings.cuh"
#include "rules/scan.h"
#include "rules/union_find.h"

enum { OBJECTS_AZIMUTH_BITS = 30 }; /* of a float in 0 ... 1 */
enum { OBJECTS_WALK = 32 };         /* places that a link spans at most */
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

/* Returns the level at which a point is joined with that of another place; the number of levels where it is not. */
OBJECTS_BODY int objects_level(const objects_job &job, const objects_place &a, size_t other)
{
    const objects_place b = objects_place_at(job, other);
    const float d2 = clump_distance_squared(a.at.x, a.at.y, a.at.z, b.at.x, b.at.y, b.at.z);
    return clump_scan_level(d2, a.bound, b.bound, job.rule.levels);
}

OBJECTS_BODY int objects_max(int a, int b)
{
    return a > b ? a : b;
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

/* The ring of a place. */
typedef struct objects_span {
    size_t begin, end;
} objects_span;

OBJECTS_BODY objects_span objects_span_of(const objects_job &job, uint32_t ring)
{
    const objects_span span = {job.begin[ring], job.begin[ring + 1]};
    return span;
}

/* Writes the level at which the point of a place is joined with the next in its ring. */
OBJECTS_BODY void objects_meet(const objects_job &job, size_t s)
{
    const uint32_t ring = objects_ring_at(job, s);
    if (ring == job.rings) return;
    const objects_span span = objects_span_of(job, ring);
    const size_t next = s + 1 < span.end ? s + 1 : span.begin;
    job.link[s] = (uint8_t)(next == s ? job.rule.levels : objects_level(job, objects_place_at(job, s), next));
}

/* Return whether a place is joined at this level with the one before or after it in its ring, which has a smaller index. */
OBJECTS_BODY bool objects_links_back(const objects_job &job, objects_span span, size_t s, int level)
{
    return s > span.begin && job.link[s - 1] <= level && job.index[s - 1] < job.index[s];
}

OBJECTS_BODY bool objects_links_on(const objects_job &job, objects_span span, size_t s, int level)
{
    return s + 1 < span.end && job.link[s] <= level && job.index[s + 1] < job.index[s];
}

/* Links the point of a place to one of its run that is up to OBJECTS_WALK places away, by descending indices: backwards where
 * that is possible, else forwards. So all places of such a path have one root, the last of them. Where two paths begin at a
 * place, only the first is linked: objects_along() joins the other. */
OBJECTS_BODY void objects_link(const objects_job &job, size_t s)
{
    const uint32_t ring = objects_ring_at(job, s);
    if (ring == job.rings) return;
    const objects_span span = objects_span_of(job, ring);
    for (int k = 0; k < job.rule.levels; k++) {
        size_t at = s;
        while (s - at < OBJECTS_WALK && objects_links_back(job, span, at, k)) at--;
        if (at == s)
            while (at - s < OBJECTS_WALK && objects_links_on(job, span, at, k)) at++;
        job.of[k][job.index[s]] = job.index[at];
    }
}

/* Packs the levels from `level` to `end` at which two points have to be joined. */
OBJECTS_BODY uint8_t objects_pack(int level, int end)
{
    return (uint8_t)(level | end << 4);
}

/* Joins two points at levels that objects_pack() has packed, if there are any. */
OBJECTS_BODY void objects_join(const objects_job &job, uint8_t levels, uint32_t a, uint32_t b)
{
    for (int k = levels & 15; k < levels >> 4; k++) clump_unite(job.of[k], a, b);
}

/* Tests the point of a place with those after it in its ring, from the second on, and finds the levels at which each has to be
 * joined with it: not those at which the points between join them. For the next one, these are all levels where no link
 * joins them. */
OBJECTS_BODY void objects_test_ahead(const objects_job &job, size_t s)
{
    const uint32_t ring = objects_ring_at(job, s);
    if (ring == job.rings) return;
    const objects_span span = objects_span_of(job, ring);
    const size_t n = span.end - span.begin, mine = s - span.begin;
    const int levels = job.rule.levels;
    const bool peak = objects_links_back(job, span, s, levels - 1) && objects_links_on(job, span, s, levels - 1);
    int found = job.link[s], linked = found;
    job.ahead[0][s] = peak || s + 1 == span.end ? objects_pack(found, levels) : 0;
    const objects_place a = objects_place_at(job, s);
    for (size_t t = 2; t <= CLUMP_SCAN_NEXT; t++) {
        uint8_t levels_to_join = 0;
        if (found > 0 && t < n) {
            linked = objects_max(linked, job.link[span.begin + (mine + t - 1) % n]);
            found = objects_level(job, a, span.begin + (mine + t) % n);
            levels_to_join = objects_pack(found, linked);
        }
        job.ahead[t - 1][s] = levels_to_join;
    }
}

/* Joins the point of a place with one after it in its ring. Item: the place, and for each, how far. One thread for all of them
 * would search for roots one after the other. */
OBJECTS_BODY void objects_along(const objects_job &job, size_t item)
{
    const size_t s = item % job.view.count, t = item / job.view.count + 1;
    const uint32_t ring = objects_ring_at(job, s);
    if (ring == job.rings) return;
    const uint8_t levels = job.ahead[t - 1][s];
    if (levels == 0) return;
    const objects_span span = objects_span_of(job, ring);
    const size_t other = span.begin + (s - span.begin + t) % (span.end - span.begin);
    objects_join(job, levels, job.index[s], job.index[other]);
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

/* Returns the place of test c with a ring, of the place with the nearest azimuth: that place, the one before it, or after. */
OBJECTS_BODY size_t objects_beside(objects_span ring, size_t nearest, int c)
{
    if (c == 1) return nearest > ring.begin ? nearest - 1 : ring.end - 1;
    return c == 0 ? nearest : nearest + 1 < ring.end ? nearest + 1 : ring.begin;
}

/* Tests the point of a place with one of the next rings; returns whether one there is within the finest radius. */
OBJECTS_BODY bool objects_test_ring(const objects_job &job, const objects_place &a, size_t s, uint32_t ring,
                                    objects_tests *tests)
{
    const objects_span span = objects_span_of(job, ring);
    const uint32_t n = (uint32_t)(span.end - span.begin);
    if (n == 0) return false;
    const float *const azimuths = job.azimuth + span.begin;
    const float azimuth = job.azimuth[s];
    const uint32_t nearest = clump_scan_nearest(azimuths, n, objects_smaller(azimuths, n, azimuth), azimuth);
    tests->nearest = (uint32_t)span.begin + nearest;
    bool joined = false;
    for (int c = 0; c < OBJECTS_TESTS; c++) {
        tests->level[c] = (uint8_t)objects_level(job, a, objects_beside(span, tests->nearest, c));
        joined |= tests->level[c] == 0;
    }
    return joined;
}

/* Tests the point of a place with the next rings. */
OBJECTS_BODY void objects_test_rings(const objects_job &job, size_t s)
{
    const uint32_t ring = objects_ring_at(job, s);
    if (ring == job.rings) return;
    const objects_place a = objects_place_at(job, s);
    bool joined = false;
    for (uint32_t r = 1; r <= CLUMP_SCAN_RINGS; r++) {
        const uint8_t none = (uint8_t)job.rule.levels;
        objects_tests tests = {0, {none, none, none}};
        if (!joined && ring + r < job.rings) joined = objects_test_ring(job, a, s, ring + r, &tests);
        job.tests[r - 1][s] = tests;
    }
}

/* Returns the level at which places of a ring that are equal or next to each other are joined, else the number of levels. */
OBJECTS_BODY int objects_linked(const objects_job &job, size_t a, size_t b)
{
    if (a == b) return 0;
    return a + 1 == b ? job.link[a] : b + 1 == a ? job.link[b] : job.rule.levels;
}

/* Returns the level from which on other tests join a place and another of ring r: by way of the nearest, `before` tests of
 * the place, and by way of the place before in its ring. */
OBJECTS_BODY int objects_known(const objects_job &job, objects_span own, size_t s, int r, int before, size_t other)
{
    const objects_tests mine = job.tests[r][s];
    int known = job.rule.levels;
    if (before > 0) known = objects_max(mine.level[0], objects_linked(job, mine.nearest, other));
    if (s == own.begin) return known;
    const objects_tests theirs = job.tests[r][s - 1];
    const objects_span span = objects_span_of(job, objects_ring_at(job, other));
    for (int c = 0; c < OBJECTS_TESTS; c++) {
        const int by = objects_max(theirs.level[c], job.link[s - 1]);
        if (by >= known) continue;
        const int all = objects_max(by, objects_linked(job, objects_beside(span, theirs.nearest, c), other));
        if (all < known) known = all;
    }
    return known;
}

/* Joins the point of a place with one of the next rings. Item: the place, and for each, which test. Neighbours in a ring
 * mostly have neighbours in the next one: of such pairs, the first is joined. */
OBJECTS_BODY void objects_across(const objects_job &job, size_t item)
{
    const size_t s = item % job.view.count;
    const int test = (int)(item / job.view.count), r = test / OBJECTS_TESTS, c = test % OBJECTS_TESTS;
    const uint32_t ring = objects_ring_at(job, s);
    if (ring == job.rings) return;
    const objects_tests tests = job.tests[r][s];
    if (tests.level[c] >= job.rule.levels) return;
    const size_t other = objects_beside(objects_span_of(job, ring + 1 + (uint32_t)r), tests.nearest, c);
    const int known = objects_known(job, objects_span_of(job, ring), s, r, c, other);
    objects_join(job, objects_pack(tests.level[c], known), job.index[s], job.index[other]);
}

/* Replaces the entries of a point by its nodes, and empties the nodes that are named by it. */
OBJECTS_BODY void objects_flatten(const objects_job &job, size_t i)
{
    for (int k = 0; k < job.rule.levels; k++)
        if (job.of[k][i] != CLUMP_GPU_NONE) job.of[k][i] = clump_root(job.of[k], (uint32_t)i);
    objects_begin_nodes(job, i);
}

#endif
