/* SPDX-License-Identifier: BSD-3-Clause
 *
 * scan_across.c: compares points with those of a later ring (scan_pairs.h): with x - 1, x and x + 1, where x has the nearest
 * azimuth. Steps for a batch of points:
 *
 *     1  sector   of the azimuth: a point of the later ring that is not behind x
 *     2  count    of the eight points from there on that have a smaller azimuth; a search where all have
 *     3  nearest  the last smaller azimuth, or the next one
 *     4  tests    four points at a time: their x - 1, then their x, then their x + 1
 *     5  pairs    of runs
 *
 * The steps are loops of their own: each is short enough that the processor works on many points at once.
 */
#include "common/lanes.h"
#include "common/simd.h"
#include "cpu/objects/scan_pairs.h"

#include <math.h>

enum {
    ACROSS_LANES = 4,
    ACROSS_BESIDE = 2 * CLUMP_SCAN_BESIDE + 1, /* points of the later ring per point */
    ACROSS_FINEST = (1 << ACROSS_BESIDE) - 1   /* bits of the finest level */
};

/* Points, and what their tests have found. */
typedef struct batch {
    uint32_t count;
    uint32_t place[CLUMP_PAIRS_BATCH];  /* of the points */
    uint32_t others[CLUMP_PAIRS_BATCH]; /* of x - 1 */
    int32_t found[CLUMP_PAIRS_BATCH];   /* one bit per point of the later ring, those of the finest level first */
    float azimuth[CLUMP_PAIRS_BATCH];
    float copied[3 + CLUMP_OBJECTS_LEVELS][CLUMP_PAIRS_BATCH]; /* points that are not side by side */
    const float *x, *y, *z, *bound[CLUMP_OBJECTS_LEVELS];      /* of the points, side by side */
} batch;

/* ----- the nearest azimuth ---------------------------------------------------------------------------------------- */

/* Returns how many of eight azimuths are smaller. */
static inline uint32_t count_smaller(const float *azimuths, float azimuth)
{
    const clump_f4 a = clump_f4_set(azimuth);
    return clump_i4_count(clump_f4_is_less(clump_f4_load(azimuths), a),
                          clump_f4_is_less(clump_f4_load(azimuths + ACROSS_LANES), a));
}

/* Returns how many points of a ring have a smaller azimuth; `from` of them are known. By bisection: a sector can have all
 * points of a ring. */
static uint32_t search_place(const float *ring, uint32_t size, uint32_t from, float azimuth)
{
    while (from < size) {
        const uint32_t middle = from + (size - from) / 2;
        if (ring[middle] < azimuth)
            from = middle + 1;
        else
            size = middle;
    }
    return from;
}

/* As search_place, for sectors of few points. */
static inline uint32_t find_place(const float *ring, uint32_t size, uint32_t from, float azimuth)
{
    const uint32_t smaller = count_smaller(ring + from, azimuth);
    return smaller < 2 * ACROSS_LANES ? from + smaller : search_place(ring, size, from + smaller, azimuth);
}

/* Returns the bits of clump_scan_apart, which compare like it. Compilers choose between integers without a branch. */
static inline uint32_t apart_bits(float a, float b)
{
    const float way = fabsf(a - b);
    const uint32_t one = clump_float_bits(way), other = clump_float_bits(1.0f - way);
    return one < other ? one : other;
}

/* Finds the points of a ring that those of a batch are compared with. */
static void find_others(const clump_scan *scan, const clump_scan_ring *next, batch *b)
{
    const float *const later = scan->azimuth + next->base;
    const uint32_t *const sector = scan->sector + (size_t)(next - scan->ring) * (CLUMP_SCAN_SECTORS + 1);
    for (uint32_t c = 0; c < b->count; c++) {
        b->azimuth[c] = scan->azimuth[b->place[c]];
        b->others[c] = sector[clump_scan_sector(b->azimuth[c])];
    }
    for (uint32_t c = 0; c < b->count; c++) b->others[c] = find_place(later, next->size, b->others[c], b->azimuth[c]);
    for (uint32_t c = 0; c < b->count; c++) {
        const uint32_t at = b->others[c], after = at < next->size ? at : 0; /* before the first is a copy of the last */
        const uint32_t before = apart_bits(*(later + at - 1), b->azimuth[c]) <= apart_bits(later[after], b->azimuth[c]);
        b->others[c] += next->base - before - CLUMP_SCAN_BESIDE;
    }
}

/* ----- tests ------------------------------------------------------------------------------------------------------ */

/* Copies one value of the points of a batch side by side. */
static const float *copy_values(const float *value, const batch *b, float *to)
{
    for (uint32_t c = 0; c < b->count; c++) to[c] = value[b->place[c]];
    return to;
}

/* Finds where the points of a batch are side by side. */
static void find_points(const clump_scan *scan, bool all, batch *b)
{
    const uint32_t first = b->place[0];
    b->x = all ? scan->x + first : copy_values(scan->x, b, b->copied[0]);
    b->y = all ? scan->y + first : copy_values(scan->y, b, b->copied[1]);
    b->z = all ? scan->z + first : copy_values(scan->z, b, b->copied[2]);
    for (int k = 0; k < scan->levels; k++)
        b->bound[k] = all ? scan->bound[k] + first : copy_values(scan->bound[k], b, b->copied[3 + k]);
    for (uint32_t c = b->count; c % ACROSS_LANES != 0; c++) b->others[c] = b->others[c - 1]; /* of lanes not used */
}

/* Loads the three others of four points. */
static inline void load_others(const float *value, const uint32_t *others, clump_f4 *to)
{
    clump_f4_load_each(value + others[0], value + others[1], value + others[2], value + others[3], &to[0], &to[1],
                       &to[2]);
}

/* Tests the points of a batch. Inlined with a constant number of levels. */
static inline void test_levels(const clump_scan *scan, batch *b, int levels)
{
    for (uint32_t c = 0; c < b->count; c += ACROSS_LANES) {
        clump_f4 x[ACROSS_BESIDE], y[ACROSS_BESIDE], z[ACROSS_BESIDE], bound[ACROSS_BESIDE], d2[ACROSS_BESIDE];
        const clump_f4 own_x = clump_f4_load(b->x + c), own_y = clump_f4_load(b->y + c),
                       own_z = clump_f4_load(b->z + c);
        load_others(scan->x, b->others + c, x);
        load_others(scan->y, b->others + c, y);
        load_others(scan->z, b->others + c, z);
        for (int w = 0; w < ACROSS_BESIDE; w++)
            d2[w] = clump_f4_distance_squared(clump_f4_sub(own_x, x[w]), clump_f4_sub(own_y, y[w]),
                                              clump_f4_sub(own_z, z[w]));
        clump_i4 found = clump_i4_set(0);
        for (int k = 0; k < levels; k++) {
            const clump_f4 own = clump_f4_load(b->bound[k] + c);
            load_others(scan->bound[k], b->others + c, bound);
            for (int w = 0; w < ACROSS_BESIDE; w++) {
                const clump_i4 near = clump_f4_is_less(d2[w], clump_f4_min(own, bound[w]));
                found = clump_i4_or(found, clump_i4_and(near, clump_i4_set(1 << (ACROSS_BESIDE * k + w))));
            }
        }
        clump_i4_store(b->found + c, found);
    }
}

static void test_batch(const clump_scan *scan, batch *b)
{
    _Static_assert(CLUMP_OBJECTS_LEVELS == 4, "all levels");
    if (scan->levels == 1) test_levels(scan, b, 1);
    if (scan->levels == 2) test_levels(scan, b, 2);
    if (scan->levels == 3) test_levels(scan, b, 3);
    if (scan->levels == 4) test_levels(scan, b, 4);
}

/* ----- pairs ------------------------------------------------------------------------------------------------------ */

/* Lists the runs that the points of a batch have found, each at its finest level. Points side by side that are in one run
 * are one pair, and so are points that follow each other and find the same. */
static void list_runs(clump_run_pairs *list, const clump_scan *scan, const batch *b)
{
    _Static_assert(ACROSS_BESIDE == 3, "x - 1, x and x + 1");
    const uint32_t of_one = 1 | 1 << ACROSS_BESIDE | 1 << 2 * ACROSS_BESIDE | 1 << 3 * ACROSS_BESIDE;
    const uint32_t *const runs = scan->run, points = b->count;
    uint64_t *const to = list->found, last = 0;
    uint32_t count = 0, last_own = 0;
    for (uint32_t c = 0; c < points; c++) {
        const uint32_t *const run = runs + b->others[c], a = run[0], x = run[1], z = run[2];
        const uint32_t found = (uint32_t)b->found[c], same = 0 - (uint32_t)(a == x),
                       same_again = 0 - (uint32_t)(x == z);
        const uint32_t first = found & of_one, second = (found >> 1 & of_one) | (first & same);
        const uint32_t third = (found >> 2 & of_one) | (second & same_again);
        to[count] = clump_run_pair(a, c, first);
        count += (first & ~same) != 0;
        to[count] = clump_run_pair(x, c, second);
        count += (second & ~same_again) != 0;
        const uint64_t here = clump_run_pair(z, 0, third);
        const uint32_t own = runs[b->place[c]];
        to[count] = here | c << 8;
        count += (third != 0) & ((own != last_own) | (here >> 32 != last >> 32) | (here < last));
        last = third ? here : last;
        last_own = third ? own : last_own;
    }
    list->count = count;
}

uint32_t clump_scan_join_across(clump_joiner *j, const clump_scan_ring *next, const uint32_t *open, uint32_t count,
                                uint32_t *still)
{
    uint32_t kept = 0;
    batch b;
    for (uint32_t first = 0; first < count; first += CLUMP_PAIRS_BATCH) {
        b.count = count - first < CLUMP_PAIRS_BATCH ? count - first : CLUMP_PAIRS_BATCH;
        for (uint32_t c = 0; c < b.count; c++) b.place[c] = open ? open[first + c] : j->piece->base + first + c;
        find_others(j->scan, next, &b);
        find_points(j->scan, !open, &b);
        test_batch(j->scan, &b);
        for (uint32_t c = 0; c < b.count; c++) {
            still[kept] = b.place[c];
            kept += (b.found[c] & ACROSS_FINEST) == 0;
        }
        list_runs(j->list, j->scan, &b);
        clump_run_pairs_join(j, b.place, ACROSS_BESIDE);
    }
    return kept;
}
