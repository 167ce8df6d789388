/* SPDX-License-Identifier: BSD-3-Clause
 *
 * scan_sort.c: the points of a scan by ring and azimuth (scan.h).
 *
 *     1  by ring     a stable counting sort; nothing is moved where the points are in the order of their rings
 *     2  by azimuth  ring by ring: nothing where it ascends, insertion where few points are out of place, else by digits
 *     3  copies      coordinates, azimuths and bounds, side by side; copies at both ends
 *     4  runs
 *
 * Points of equal azimuth stay in the order of their indices in each of the steps.
 */
#include "cpu/objects/scan.h"

#include "common/bits.h"
#include "common/sort.h"
#include "core/work.h"
#include "cpu/shared/points.h"
#include "cpu/shared/numbering.h"
#include "rules/radius.h"

#include <string.h>

#define SORT_MOVES        4 /* moves per point, on average, up to which insertion is tried */
#define SORT_BATCH        256
#define SORT_SECTORS      (CLUMP_SCAN_SECTORS + 1) /* per ring */
#define SORT_AZIMUTH_BITS 30                       /* of floats up to 1 */

typedef struct sorting {
    clump_scan *scan;
    const clump_cpu_rings *rings;
    const clump_objects_job *job;
    const float *sensor;
    float eps[CLUMP_OBJECTS_LEVELS], per_metre[CLUMP_OBJECTS_LEVELS];
} sorting;

/* ----- by ring ---------------------------------------------------------------------------------------------------- */

/* Returns the end of the points from `at` >= 1 on that are in the ring of the point before, four at a time. */
static size_t end_of_ring(const uint16_t *ring, size_t at, size_t count)
{
    const uint16_t here = ring[at - 1];
    for (uint64_t four; at + 4 <= count; at += 4) {
        memcpy(&four, ring + at, sizeof four);
        if (four != here * 0x0001000100010001u) break;
    }
    while (at < count && ring[at] == here) at++;
    return at;
}

/* Counts the points of each ring. Returns whether the points are in the order of their rings. */
static bool count_rings(clump_scan *scan, const uint16_t *ring, size_t count)
{
    bool in_order = true;
    for (int r = 0; r < scan->rings; r++) scan->ring[r] = (clump_scan_ring){0};
    for (size_t i = 0; i < count;) { /* rings of points that follow each other are mostly equal */
        const uint16_t here = ring[i];
        const size_t end = end_of_ring(ring, i + 1, count);
        scan->ring[here].size += (uint32_t)(end - i);
        in_order &= end == count || ring[end] > here;
        i = end;
    }
    return in_order;
}

/* Divides a ring into pieces. */
static void cut_ring(clump_scan *scan, uint32_t r)
{
    const clump_scan_ring *const ring = &scan->ring[r];
    for (uint32_t begin = 0; begin < ring->size; begin += CLUMP_SCAN_PIECE) {
        const uint32_t left = ring->size - begin;
        scan->piece[scan->pieces++] = (clump_scan_piece){.ring = r,
                                                         .base = ring->base + begin,
                                                         .size = left < CLUMP_SCAN_PIECE ? left : CLUMP_SCAN_PIECE,
                                                         .from = ring->from + begin};
    }
}

/* Gives each ring its places and its pieces. */
static void place_rings(clump_scan *scan)
{
    uint32_t from = 0, base = 0;
    scan->pieces = 0;
    for (int r = 0; r < scan->rings; r++) {
        clump_scan_ring *const ring = &scan->ring[r];
        if (ring->size > 0) base += CLUMP_SCAN_BEFORE;
        ring->from = from;
        ring->base = base;
        cut_ring(scan, (uint32_t)r);
        from += ring->size;
        base += ring->size + (ring->size > 0 ? CLUMP_SCAN_AFTER : 0);
    }
    scan->places = base;
}

/* Lists the points by ring. */
static void list_by_ring(clump_scan *scan, const uint16_t *ring, size_t count, uint32_t *by_ring)
{
    uint32_t next[CLUMP_RINGS_MOST];
    for (int r = 0; r < scan->rings; r++) next[r] = scan->ring[r].from;
    for (size_t i = 0; i < count; i++) by_ring[next[ring[i]]++] = (uint32_t)i;
    scan->by_ring = by_ring;
}

/* ----- by azimuth ------------------------------------------------------------------------------------------------- */

/* Returns whether n azimuths ascend. */
static bool ascend(const float *azimuth, uint32_t n)
{
    int32_t falls = 0;
    for (uint32_t k = 1; k < n; k++) falls |= azimuth[k] < azimuth[k - 1];
    return falls == 0;
}

/* Sorts keys by insertion. Returns false if that takes too many moves; keys are then partly sorted. */
static bool insert_keys(uint64_t *keys, uint32_t n)
{
    uint64_t moves = 0;
    for (uint32_t k = 1; k < n; k++) {
        const uint64_t key = keys[k];
        uint32_t at = k;
        for (; at > 0 && keys[at - 1] > key; at--) keys[at] = keys[at - 1];
        keys[at] = key;
        moves += k - at;
        if (moves > (uint64_t)n * SORT_MOVES) return false;
    }
    return true;
}

/* Writes the azimuths and indices of the points of a ring, in the order of their indices. */
static void make_keys(const sorting *s, const clump_scan_ring *ring, uint64_t *keys)
{
    const uint32_t *const by_ring = s->scan->by_ring;
    for (uint32_t k = 0; k < ring->size; k++) {
        const uint32_t i = by_ring ? by_ring[ring->from + k] : ring->from + k;
        keys[k] = (uint64_t)clump_float_bits(s->rings->azimuth[i]) << 32 | i;
    }
}

/* Writes the indices of the points of a ring by azimuth, then by index. */
static void sort_ring(const sorting *s, const clump_scan_ring *ring, uint32_t *point)
{
    const clump_scan *const scan = s->scan;
    if (!scan->by_ring && ascend(s->rings->azimuth + ring->from, ring->size)) {
        for (uint32_t k = 0; k < ring->size; k++) point[k] = ring->from + k;
        return;
    }
    uint64_t *keys = scan->keys + ring->from;
    make_keys(s, ring, keys);
    if (!insert_keys(keys, ring->size)) {
        make_keys(s, ring, keys); /* in the order of their indices again: the sort by azimuth keeps it */
        keys = clump_radix_sort_alone(keys, scan->spares + ring->from, ring->size, 32, SORT_AZIMUTH_BITS);
    }
    for (uint32_t k = 0; k < ring->size; k++) point[k] = (uint32_t)keys[k];
}

/* ----- copies and runs -------------------------------------------------------------------------------------------- */

/* Copies the points of a ring to their places. */
static void copy_points(const sorting *s, const clump_scan_ring *ring)
{
    clump_scan *const scan = s->scan;
    const clump_cloud_job *const in = &s->job->in;
    const uint32_t *const point = scan->point + ring->base;
    float *const x = scan->x + ring->base, *const y = scan->y + ring->base, *const z = scan->z + ring->base;
    float *const azimuth = scan->azimuth + ring->base;
    for (uint32_t k = 0; k < ring->size; k++) {
        const float *const p = clump_point_at(in, point[k]);
        x[k] = p[0], y[k] = p[1], z[k] = p[2];
        azimuth[k] = s->rings->azimuth[point[k]];
    }
}

/* Computes the bounds of the points of a ring: clump_radius_grown and clump_radius, with one root for all levels. */
static void find_bounds(const sorting *s, const clump_scan_ring *ring)
{
    const clump_scan *const scan = s->scan;
    float range[SORT_BATCH];
    for (uint32_t begin = 0; begin < ring->size; begin += SORT_BATCH) {
        const uint32_t n = ring->size - begin < SORT_BATCH ? ring->size - begin : SORT_BATCH, at = ring->base + begin;
        const float *const x = scan->x + at, *const y = scan->y + at, *const z = scan->z + at;
        const clump_radius_rule one = {.per_metre = 1, .x = s->sensor[0], .y = s->sensor[1], .z = s->sensor[2]};
        for (uint32_t k = 0; k < n; k++) range[k] = clump_radius_grown(one, x[k], y[k], z[k]);
        for (int level = 0; level < scan->levels; level++) {
            const float eps = s->eps[level], per_metre = s->per_metre[level];
            float *const bound = scan->bound[level] + at;
            for (uint32_t k = 0; k < n; k++) bound[k] = clump_distance_bound(clump_radius(eps, per_metre * range[k]));
        }
    }
}

/* Copies the values at both ends of a ring. */
static void close_ring(float *value, uint32_t size)
{
    value[-1] = value[size - 1];
    value[-2] = value[size > 1 ? size - 2 : 0];
    for (uint32_t k = 0; k < CLUMP_SCAN_AFTER; k++) value[size + k] = value[k]; /* copies of copies in a small ring */
}

/* Puts a copy of the last azimuth before a ring. Behind it none is smaller than any azimuth. */
static void close_azimuths(float *azimuth, uint32_t size)
{
    azimuth[-1] = azimuth[size - 1];
    for (uint32_t k = 0; k < CLUMP_SCAN_AFTER; k++) azimuth[size + k] = CLUMP_SCAN_BEYOND;
}

/* Finds how many points of a ring are in sectors before each one. */
static void find_sectors(const float *azimuth, uint32_t size, uint32_t *sector)
{
    for (uint32_t k = 0; k < SORT_SECTORS; k++) sector[k] = UINT32_MAX;
    for (uint32_t k = size; k > 0; k--) sector[clump_scan_sector(azimuth[k - 1])] = k - 1; /* the first one stays */
    uint32_t before = size;
    for (uint32_t k = SORT_SECTORS; k > 0; k--) {
        before = sector[k - 1] < before ? sector[k - 1] : before;
        sector[k - 1] = before;
    }
}

/* Sets joined[k] to 1 where point k is within the finest radius of the point before it. */
static void test_next(const clump_scan *scan, uint32_t base, int n, int32_t *restrict joined)
{
    const float *const x = scan->x + base, *const y = scan->y + base, *const z = scan->z + base;
    const float *const bound = scan->bound[0] + base;
    for (int k = 0; k < n; k++) {
        const float d2 = clump_distance_squared(x[k - 1], y[k - 1], z[k - 1], x[k], y[k], z[k]);
        joined[k] = (d2 < bound[k - 1]) & (d2 < bound[k]);
    }
}

/* Finds the runs of a ring, and the smallest point of each. The run of the last point may go on with the first. */
static void find_runs(clump_scan *scan, clump_scan_ring *ring)
{
    const uint32_t *const point = scan->point + ring->base;
    uint32_t *const run = scan->run + ring->base;
    uint32_t now = ring->base - 1, first = 0;
    int32_t joined[SORT_BATCH];
    for (uint32_t begin = 0; begin < ring->size; begin += SORT_BATCH) {
        const uint32_t n = ring->size - begin < SORT_BATCH ? ring->size - begin : SORT_BATCH;
        test_next(scan, ring->base + begin, (int)n, joined);
        if (begin == 0) joined[0] = 0;
        for (uint32_t k = 0; k < n; k++) {
            const uint32_t i = point[begin + k];
            now += (uint32_t)joined[k] ^ 1;
            first = joined[k] && first < i ? first : i;
            run[begin + k] = now;
            scan->first[now] = first;
        }
    }
    ring->runs = now + 1 - ring->base;
    run[-1] = run[ring->size - 1];
    run[-2] = run[ring->size > 1 ? ring->size - 2 : 0];
    for (uint32_t k = 0; k < CLUMP_SCAN_AFTER; k++) run[ring->size + k] = run[k];
    for (int level = 0; level < scan->levels; level++)
        for (uint32_t k = ring->base; k <= now; k++) scan->parent[level][k] = k;
}

static void sort_rings(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const sorting *const s = arg;
    clump_scan *const scan = s->scan;
    for (size_t r = begin; r < end; r++) {
        clump_scan_ring *const ring = &scan->ring[r];
        if (ring->size == 0) continue;
        sort_ring(s, ring, scan->point + ring->base);
        copy_points(s, ring);
        find_bounds(s, ring);
        close_ring(scan->x + ring->base, ring->size);
        close_ring(scan->y + ring->base, ring->size);
        close_ring(scan->z + ring->base, ring->size);
        close_azimuths(scan->azimuth + ring->base, ring->size);
        find_sectors(scan->azimuth + ring->base, ring->size, scan->sector + r * SORT_SECTORS);
        for (int level = 0; level < scan->levels; level++) close_ring(scan->bound[level] + ring->base, ring->size);
        find_runs(scan, ring);
    }
}

/* ----- memory ----------------------------------------------------------------------------------------------------- */

/* Reserves and divides the memory by place and by run. */
static clump_status reserve_places(clump_work *work, clump_scan *scan)
{
    const size_t each = scan->places;
    const size_t sectors = (size_t)scan->rings * SORT_SECTORS;
    CLUMP_TRY(
        clump_buffer_reserve(work, &scan->memory, ((7 + 2 * (size_t)scan->levels) * each + sectors) * sizeof(float)));
    float *floats = scan->memory.data;
    scan->x = floats, floats += each;
    scan->y = floats, floats += each;
    scan->z = floats, floats += each;
    scan->azimuth = floats, floats += each;
    for (int k = 0; k < scan->levels; k++) scan->bound[k] = floats, floats += each;
    uint32_t *words = (uint32_t *)floats;
    scan->run = words, words += each;
    scan->point = words, words += each;
    scan->first = words, words += each;
    for (int k = 0; k < scan->levels; k++) scan->parent[k] = words, words += each;
    scan->sector = words;
    return CLUMP_OK;
}

clump_status clump_scan_sort(clump_work *work, clump_scan *scan, const clump_cpu_rings *rings,
                             const clump_objects_job *job, int threads)
{
    const size_t count = job->in.count;
    sorting s = {.scan = scan, .rings = rings, .job = job, .sensor = job->in.sensor};
    for (int k = 0; k < job->rule.levels; k++)
        s.eps[k] = job->in.d * job->rule.factors[k], s.per_metre[k] = job->in.per_metre * job->rule.factors[k];
    scan->rings = rings->count;
    scan->levels = job->rule.levels;
    const size_t pieces = (size_t)scan->rings + count / CLUMP_SCAN_PIECE; /* at most */
    CLUMP_TRY(clump_buffer_reserve(work, &scan->table,
                                   (size_t)scan->rings * sizeof *scan->ring + pieces * sizeof *scan->piece));
    scan->ring = scan->table.data;
    scan->piece = (clump_scan_piece *)(scan->ring + scan->rings);
    const bool in_order = count_rings(scan, rings->ring, count);
    place_rings(scan);
    CLUMP_TRY(reserve_places(work, scan));
    const size_t words = (size_t)scan->levels + 1; /* keys, spares, and pairs of the levels above the finest */
    CLUMP_TRY(clump_buffer_reserve(work, &scan->lists,
                                   count * (words * sizeof(uint64_t) + sizeof(uint32_t)) + clump_ranks_bytes(count)));
    scan->keys = scan->lists.data;
    scan->spares = scan->keys + count;
    for (int k = 1; k < scan->levels; k++) scan->pairs[k] = scan->spares + (size_t)k * count;
    scan->ranks = scan->keys + words * count;
    scan->by_ring = NULL;
    if (!in_order) list_by_ring(scan, rings->ring, count, (uint32_t *)((char *)scan->ranks + clump_ranks_bytes(count)));
    return clump_run(work, threads, (size_t)scan->rings, 1, sort_rings, &s);
}
