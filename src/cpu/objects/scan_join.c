/* SPDX-License-Identifier: BSD-3-Clause
 *
 * scan_join.c: tests the neighbours of the scan and joins their runs (scan.h). A point is compared with four others at a
 * time, which are side by side.
 *
 *     next in the ring   only where the next point begins another run: lanes 1 ... 4, 5 ... 8, 9 ... 12
 *     next rings         lanes x - 1, x, x + 1, where x has the nearest azimuth. Azimuths ascend in both rings, so x does too
 *
 * Points of a run mostly find one other run. A pair of runs that was joined last is not joined again.
 */
#include "common/bits.h"
#include "common/simd.h"
#include "core/context.h"
#include "cpu/objects/scan.h"
#include "rules/union_find.h"

#define JOIN_BESIDE ((1u << (2 * CLUMP_SCAN_BESIDE + 1)) - 1) /* lanes of the nearest and the points beside it */

typedef struct joining {
    const clump_scan *scan;
    bool alone; /* one thread */
} joining;

/* Runs of two rings, or of one. */
typedef struct joiner {
    const clump_scan *scan;
    bool alone;
    uint64_t last[CLUMP_OBJECTS_LEVELS]; /* pair of runs that was joined last, per level; 0: none */
} joiner;

/* A point in all lanes. */
typedef struct lanes {
    uint32_t run;
    clump_f4 x, y, z, bound[CLUMP_OBJECTS_LEVELS];
} lanes;

static inline lanes load_point(const clump_scan *scan, uint32_t place)
{
    lanes p = {scan->run[place],
               clump_f4_set(scan->x[place]),
               clump_f4_set(scan->y[place]),
               clump_f4_set(scan->z[place]),
               {clump_f4_set(scan->bound[0][place])}};
    for (int k = 1; k < scan->levels; k++) p.bound[k] = clump_f4_set(scan->bound[k][place]);
    return p;
}

static inline clump_f4 squared_distances(const clump_scan *scan, const lanes *p, uint32_t others)
{
    return clump_f4_distance_squared(clump_f4_sub(p->x, clump_f4_load(scan->x + others)),
                                     clump_f4_sub(p->y, clump_f4_load(scan->y + others)),
                                     clump_f4_sub(p->z, clump_f4_load(scan->z + others)));
}

/* Returns which of the four are within the radius of a level. */
static inline unsigned within(const clump_scan *scan, const lanes *p, uint32_t others, clump_f4 d2, int level)
{
    return clump_f4_less(d2, clump_f4_min(p->bound[level], clump_f4_load(scan->bound[level] + others)));
}

/* Joins two runs at a level. */
static inline void join_runs(joiner *j, int level, uint32_t a, uint32_t b)
{
    const uint64_t pair = (uint64_t)a << 32 | b;
    if (a == b || pair == j->last[level]) return;
    j->last[level] = pair;
    if (j->alone)
        clump_unite_alone(j->scan->parent[level], a, b);
    else
        clump_unite(j->scan->parent[level], a, b);
}

/* Joins a run with those of some of four places, at a level. */
static inline void join_lanes(joiner *j, int level, uint32_t run, uint32_t others, unsigned which)
{
    for (; which; which &= which - 1) join_runs(j, level, run, j->scan->run[others + clump_lowest(which)]);
}

/* Joins a point with those of some of four places that are within a coarser radius: each at the finest level it is within
 * the radius of. */
static inline void join_coarser(joiner *j, const lanes *p, uint32_t others, clump_f4 d2, unsigned which)
{
    const int levels = j->scan->levels;
    if (which == 0 || levels == 1) return;
    which &= within(j->scan, p, others, d2, levels - 1);
    for (int k = 1; which && k < levels; k++) {
        const unsigned here = k + 1 < levels ? which & within(j->scan, p, others, d2, k) : which;
        join_lanes(j, k, p->run, others, here);
        which ^= here;
    }
}

/* ----- the same ring ---------------------------------------------------------------------------------------------- */

/* Compares a point with the next in its ring, at most `most`, until one is within the finest radius. */
static void join_next(joiner *j, uint32_t place, uint32_t most)
{
    const lanes p = load_point(j->scan, place);
    for (uint32_t t = 1; t <= most; t += 4) {
        const uint32_t others = place + t;
        const clump_f4 d2 = squared_distances(j->scan, &p, others);
        unsigned which = most - t >= 3 ? 15 : (2u << (most - t)) - 1;
        const unsigned finest = which & within(j->scan, &p, others, d2, 0);
        const unsigned found = finest & (0 - finest); /* the first of them */
        if (found) which = found - 1;
        join_coarser(j, &p, others, d2, which);
        if (found) {
            join_lanes(j, 0, p.run, others, found);
            return;
        }
    }
}

static void join_in_ring(joiner *j, const clump_scan_ring *ring)
{
    const uint32_t most = ring->size - 1 < CLUMP_SCAN_NEXT ? ring->size - 1 : CLUMP_SCAN_NEXT;
    const uint32_t *const run = j->scan->run + ring->base;
    for (uint32_t k = 0; k + 1 < ring->size; k++)
        if (run[k] != run[k + 1]) join_next(j, ring->base + k, most);
    join_next(j, ring->base + ring->size - 1, most);
}

/* ----- the next rings --------------------------------------------------------------------------------------------- */

/* Returns the place of the nearest azimuth of a ring, or its copy. `from` points of the ring are smaller. */
static inline uint32_t nearest_place(const clump_scan *scan, const clump_scan_ring *ring, uint32_t from, float azimuth)
{
    const float *const at = scan->azimuth + ring->base + from;
    return ring->base + from - (clump_scan_apart(at[-1], azimuth) <= clump_scan_apart(at[0], azimuth));
}

/* Compares points of a ring with a later ring. `open` lists those that are within the finest radius of no point in a ring
 * between; null: all. Writes those that still are to `still`, which may be `open`. Returns their number. */
static uint32_t join_across(joiner *j, const clump_scan_ring *ring, const clump_scan_ring *next, const uint32_t *open,
                            uint32_t count, uint32_t *still)
{
    const clump_scan *const scan = j->scan;
    const float *const azimuth = scan->azimuth + ring->base, *const later = scan->azimuth + next->base;
    uint32_t from = 0, kept = 0;
    for (uint32_t c = 0; c < count; c++) {
        const uint32_t k = open ? open[c] : c;
        const float a = azimuth[k];
        while (from < next->size && later[from] < a) from++;
        const uint32_t others = nearest_place(scan, next, from, a) - CLUMP_SCAN_BESIDE;
        const lanes p = load_point(scan, ring->base + k);
        const clump_f4 d2 = squared_distances(scan, &p, others);
        const unsigned finest = JOIN_BESIDE & within(scan, &p, others, d2, 0);
        join_lanes(j, 0, p.run, others, finest);
        join_coarser(j, &p, others, d2, JOIN_BESIDE & ~finest);
        still[kept] = k;
        kept += finest == 0;
    }
    return kept;
}

static void join_rings(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const joining *const all = arg;
    const clump_scan *const scan = all->scan;
    for (size_t r = begin; r < end; r++) {
        const clump_scan_ring *const ring = &scan->ring[r];
        if (ring->size == 0) continue;
        joiner j = {.scan = scan, .alone = all->alone};
        join_in_ring(&j, ring);
        uint32_t *const open = (uint32_t *)(scan->keys + ring->from); /* keys are sorted, and not needed any more */
        uint32_t count = ring->size;
        bool listed = false;
        for (size_t s = 1; s <= CLUMP_SCAN_RINGS && r + s < (size_t)scan->rings && count > 0; s++) {
            if (scan->ring[r + s].size == 0) continue;
            count = join_across(&j, ring, &scan->ring[r + s], listed ? open : NULL, count, open);
            listed = true;
        }
    }
}

clump_status clump_scan_join(clump_context *ctx, clump_scan *scan, int threads)
{
    joining all = {scan, threads == 1};
    return clump_run(ctx, threads, (size_t)scan->rings, 1, join_rings, &all);
}
