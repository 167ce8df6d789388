/* SPDX-License-Identifier: BSD-3-Clause
 *
 * scan_join.c: tests the neighbours of the scan and joins their runs (scan.h). A point is compared with four others at a
 * time, which are side by side.
 *
 *     next in the ring   only where the next point begins another run: lanes 1 ... 4, 5 ... 8, 9 ... 12
 *     next rings         lanes x - 1, x, x + 1, where x has the nearest azimuth. Azimuths ascend in both rings, so x does too
 *
 * Points are tested in batches without branches. What a test has found is read from memory afterwards: a branch that waits
 * for the arithmetic costs more than all of it.
 *
 * Runs within the finest radius are joined at once. Pairs of coarser levels are listed for scan.c, where most of them are in
 * one cluster already. Where a list is full, runs are joined at once too. Points of a run mostly find one other run, so the
 * pair that came last is left out.
 */
#include "common/bits.h"
#include "common/simd.h"
#include "core/context.h"
#include "cpu/objects/scan.h"
#include "rules/union_find.h"

enum {
    JOIN_BATCH = 128, /* points at a time */
    JOIN_LANES = 4,
    JOIN_SEEN = 16,                          /* pairs of runs that are remembered */
    JOIN_BESIDE = 2 * CLUMP_SCAN_BESIDE + 1, /* lanes of the nearest and the points beside it */
    JOIN_BESIDE_MASK = (1 << JOIN_BESIDE) - 1
};

typedef struct joining {
    clump_scan *scan;
    bool alone; /* one thread */
} joining;

/* The joins of one ring. */
typedef struct joiner {
    clump_scan *scan;
    clump_scan_ring *ring;
    bool alone;
    uint64_t seen[JOIN_SEEN]; /* pairs of runs that came lately; 0: none */
    uint8_t seen_level[JOIN_SEEN];
} joiner;

/* A point in all lanes. */
typedef struct lanes_of_point {
    clump_f4 x, y, z;
} lanes_of_point;

static inline lanes_of_point load_point(const clump_scan *scan, uint32_t place)
{
    return (lanes_of_point){clump_f4_set(scan->x[place]), clump_f4_set(scan->y[place]), clump_f4_set(scan->z[place])};
}

static inline clump_f4 squared_distances(const clump_scan *scan, lanes_of_point p, uint32_t others)
{
    return clump_f4_distance_squared(clump_f4_sub(p.x, clump_f4_load(scan->x + others)),
                                     clump_f4_sub(p.y, clump_f4_load(scan->y + others)),
                                     clump_f4_sub(p.z, clump_f4_load(scan->z + others)));
}

/* Returns which of four squared distances from the point at `place` are within the radius of a level. */
static inline unsigned within(const clump_scan *scan, uint32_t place, uint32_t others, clump_f4 d2, int level)
{
    const float *const bound = scan->bound[level];
    return clump_f4_less(d2, clump_f4_min(clump_f4_set(bound[place]), clump_f4_load(bound + others)));
}

/* Joins two runs at a level, at once. */
static void unite_runs(const joiner *j, int level, uint32_t a, uint32_t b)
{
    if (j->alone)
        clump_unite_alone(j->scan->parent[level], a, b);
    else
        clump_unite(j->scan->parent[level], a, b);
}

/* Joins a pair of runs at a level, unless that was done lately. */
static inline void join_pair(joiner *j, uint64_t pair, uint8_t level)
{
    const uint32_t a = (uint32_t)(pair >> 32), b = (uint32_t)pair, slot = (a + b) % JOIN_SEEN;
    if (pair == j->seen[slot] && j->seen_level[slot] <= level) return;
    j->seen[slot] = pair;
    j->seen_level[slot] = level;
    uint32_t *const listed = &j->ring->listed[level];
    if (level > 0 && *listed < j->ring->size)
        j->scan->pairs[level][j->ring->from + (*listed)++] = pair;
    else
        unite_runs(j, level, a, b);
}

/* ----- tests ------------------------------------------------------------------------------------------------------ */

/* Points, and what their tests have found: one bit per lane, those of the finest level first. */
typedef struct batch {
    uint32_t count;
    uint32_t place[JOIN_BATCH];  /* of the points */
    uint32_t others[JOIN_BATCH]; /* places of the first points that they are compared with */
    uint64_t found[JOIN_BATCH];
} batch;

/* Tests the points of a batch with `lanes` others each. Inlined with constants. */
static inline void test_lanes(const clump_scan *scan, batch *b, unsigned lanes, int levels)
{
    const uint64_t used = ((uint64_t)1 << lanes) - 1;
    for (uint32_t c = 0; c < b->count; c++) {
        const uint32_t place = b->place[c];
        const lanes_of_point p = load_point(scan, place);
        uint64_t found = 0;
        for (unsigned lane = 0; lane < lanes; lane += JOIN_LANES) {
            const uint32_t others = b->others[c] + lane;
            const clump_f4 d2 = squared_distances(scan, p, others);
            for (int k = 0; k < levels; k++)
                found |= (uint64_t)(within(scan, place, others, d2, k) & used) << (lanes * (unsigned)k + lane);
        }
        b->found[c] = found;
    }
}

/* Tests the points of a batch. */
static inline void test_batch(const clump_scan *scan, batch *b, unsigned lanes)
{
    _Static_assert(CLUMP_OBJECTS_LEVELS == 4, "all levels");
    if (scan->levels == 1) test_lanes(scan, b, lanes, 1);
    if (scan->levels == 2) test_lanes(scan, b, lanes, 2);
    if (scan->levels == 3) test_lanes(scan, b, lanes, 3);
    if (scan->levels == 4) test_lanes(scan, b, lanes, 4);
}

/* Pairs of runs that tests have found. */
typedef struct pair_list {
    uint32_t count;
    uint64_t pair[JOIN_BATCH * CLUMP_SCAN_NEXT + 1]; /* one is written behind the last */
    uint8_t level[JOIN_BATCH * CLUMP_SCAN_NEXT + 1];
} pair_list;

/* Lists a run with those of the lanes that were found, each at its finest level, without branches. A lane of the run of the
 * lane before adds nothing unless its level is finer. Inlined with constants. */
static inline void list_pairs(pair_list *list, uint32_t own, const uint32_t *runs, uint64_t found, unsigned lanes)
{
    const uint64_t levels = 1 | (uint64_t)1 << lanes | (uint64_t)1 << 2 * lanes | (uint64_t)1 << 3 * lanes;
    uint32_t last = own, last_level = 0, count = list->count;
    for (unsigned lane = 0; lane < lanes; lane++) {
        const uint64_t bits = found >> lane & levels;
        const uint32_t run = runs[lane], level = clump_lowest(bits | (uint64_t)1 << 63) / lanes;
        const uint32_t fresh = (bits != 0) & (run != own) & ((run != last) | (level < last_level));
        list->pair[count] = (uint64_t)own << 32 | run;
        list->level[count] = (uint8_t)level;
        last = fresh ? run : last;
        last_level = fresh ? level : last_level;
        count += fresh;
    }
    list->count = count;
}

/* Joins all pairs of a list. */
static void join_pairs(joiner *j, pair_list *list)
{
    for (uint32_t k = 0; k < list->count; k++) join_pair(j, list->pair[k], list->level[k]);
    list->count = 0;
}

/* ----- the same ring ---------------------------------------------------------------------------------------------- */

/* Compares the points of a batch with the next in their ring, at most `most`, until one is within the finest radius. */
static void join_next(joiner *j, batch *b, pair_list *list, uint32_t most)
{
    const uint64_t levels =
        1 | (uint64_t)1 << CLUMP_SCAN_NEXT | (uint64_t)1 << 2 * CLUMP_SCAN_NEXT | (uint64_t)1 << 3 * CLUMP_SCAN_NEXT;
    test_batch(j->scan, b, CLUMP_SCAN_NEXT);
    for (uint32_t c = 0; c < b->count; c++) {
        const uint64_t finest = b->found[c] | (uint64_t)1 << (most - 1); /* the last one ends the search anyway */
        const uint64_t until = finest ^ (finest - 1);                    /* up to the first of them */
        list_pairs(list, j->scan->run[b->place[c]], j->scan->run + b->others[c],
                   b->found[c] & levels * (until & ((1u << CLUMP_SCAN_NEXT) - 1)), CLUMP_SCAN_NEXT);
    }
    join_pairs(j, list);
    b->count = 0;
}

/* Compares the last points of runs with the next: within a run, the next point is within the finest radius. */
static void join_in_ring(joiner *j, pair_list *list)
{
    const clump_scan_ring *const ring = j->ring;
    const uint32_t most = ring->size - 1 < CLUMP_SCAN_NEXT ? ring->size - 1 : CLUMP_SCAN_NEXT;
    const uint32_t *const run = j->scan->run;
    if (most == 0) return;
    batch b;
    b.count = 0;
    for (uint32_t place = ring->base; place < ring->base + ring->size; place++) {
        b.place[b.count] = place;
        b.others[b.count] = place + 1;
        b.count += run[place] != run[place + 1] || place + 1 == ring->base + ring->size;
        if (b.count == JOIN_BATCH) join_next(j, &b, list, most);
    }
    join_next(j, &b, list, most);
}

/* ----- the next rings --------------------------------------------------------------------------------------------- */

/* Returns how many of eight azimuths, which ascend, are smaller. */
static inline uint32_t count_smaller(const float *azimuths, float azimuth)
{
    const clump_f4 a = clump_f4_set(azimuth);
    const unsigned smaller = clump_f4_less(clump_f4_load(azimuths), a) |
                             clump_f4_less(clump_f4_load(azimuths + JOIN_LANES), a) << JOIN_LANES;
    return clump_lowest(~(uint64_t)smaller);
}

/* Returns how many points of a ring have a smaller azimuth. */
static inline uint32_t find_place(const float *ring, uint32_t size, uint32_t from, float azimuth)
{
    uint32_t smaller = count_smaller(ring + from, azimuth);
    for (from += smaller; smaller == 2 * JOIN_LANES && from < size; from += smaller)
        smaller = count_smaller(ring + from, azimuth);
    return from < size ? from : size; /* behind the last point is a copy of the first one */
}

/* Returns the bits of clump_scan_apart, which compare like it. Compilers choose between integers without a branch. */
static inline uint32_t apart_bits(float a, float b)
{
    const float way = fabsf(a - b);
    const uint32_t one = clump_float_bits(way), other = clump_float_bits(1.0f - way);
    return one < other ? one : other;
}

/* Finds the points that those of a batch are compared with: the nearest azimuth and those beside it. */
static void find_others(const clump_scan *scan, const clump_scan_ring *next, const uint32_t *sector, batch *b)
{
    const float *const later = scan->azimuth + next->base;
    for (uint32_t c = 0; c < b->count; c++) {
        const float azimuth = scan->azimuth[b->place[c]];
        const uint32_t from = find_place(later, next->size, sector[clump_scan_sector(azimuth)], azimuth);
        const float *const at = later + from; /* a copy of the last point is before the first one */
        const uint32_t before = apart_bits(at[-1], azimuth) <= apart_bits(at[0], azimuth);
        b->others[c] = next->base + from - before - CLUMP_SCAN_BESIDE;
    }
}

/* Joins what the tests of a batch have found. */
static void join_found(joiner *j, const batch *b, pair_list *list)
{
    const uint32_t *const run = j->scan->run;
    for (uint32_t c = 0; c < b->count; c++)
        list_pairs(list, run[b->place[c]], run + b->others[c], b->found[c], JOIN_BESIDE);
    join_pairs(j, list);
}

/* Compares points of the ring with a later ring. `open` lists those that are within the finest radius of no point in a ring
 * between; null: all. Writes those that still are to `still`, which may be `open`. Returns their number. */
static uint32_t join_across(joiner *j, const clump_scan_ring *next, pair_list *list, const uint32_t *open,
                            uint32_t count, uint32_t *still)
{
    const uint32_t *const sector = j->scan->sector + (size_t)(next - j->scan->ring) * (CLUMP_SCAN_SECTORS + 1);
    uint32_t kept = 0;
    batch b;
    for (uint32_t first = 0; first < count; first += JOIN_BATCH) {
        b.count = count - first < JOIN_BATCH ? count - first : JOIN_BATCH;
        for (uint32_t c = 0; c < b.count; c++) b.place[c] = open ? open[first + c] : j->ring->base + first + c;
        find_others(j->scan, next, sector, &b);
        test_batch(j->scan, &b, JOIN_BESIDE);
        for (uint32_t c = 0; c < b.count; c++) {
            still[kept] = b.place[c];
            kept += (b.found[c] & JOIN_BESIDE_MASK) == 0;
        }
        join_found(j, &b, list);
    }
    return kept;
}

static void join_rings(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const joining *const all = arg;
    clump_scan *const scan = all->scan;
    pair_list list;
    list.count = 0;
    for (size_t r = begin; r < end; r++) {
        joiner j = {.scan = scan, .ring = &scan->ring[r], .alone = all->alone};
        if (j.ring->size == 0) continue;
        join_in_ring(&j, &list);
        uint32_t *const open = (uint32_t *)(scan->keys + j.ring->from); /* keys are sorted, and not needed any more */
        uint32_t count = j.ring->size;
        bool listed = false;
        for (size_t s = 1; s <= CLUMP_SCAN_RINGS && r + s < (size_t)scan->rings && count > 0; s++) {
            if (scan->ring[r + s].size == 0) continue;
            count = join_across(&j, &scan->ring[r + s], &list, listed ? open : NULL, count, open);
            listed = true;
        }
    }
}

clump_status clump_scan_join(clump_context *ctx, clump_scan *scan, int threads)
{
    joining all = {scan, threads == 1};
    return clump_run(ctx, threads, (size_t)scan->rings, 1, join_rings, &all);
}
