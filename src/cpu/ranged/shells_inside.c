/* SPDX-License-Identifier: BSD-3-Clause
 *
 * shells_inside.c: the first step of a level (ranged_shells.h): joins the points of each block among themselves.
 */
#include "cpu/ranged/shells_work.h"

#define INSIDE_CHUNK 64 /* blocks: a scan has some thousands, for up to 16 threads */

/* Level 0: makes every cell a set. */
static void begin_sets(const clump_shell_work *w, clump_shell_ref b)
{
    const uint32_t end = b.at->first + clump_popcount(b.at->cells);
    const uint32_t *const begin = w->at->begin;
    for (uint32_t c = b.at->first; c < end; c++)
        for (uint32_t i = begin[c]; i < begin[c + 1]; i++) w->parent[i] = begin[c];
}

/* A level above: doubles the radii of all points. Before any block is joined: tests read past the points of a block. */
static void double_radii(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    float *const bound = ((const clump_shell_work *)arg)->point.bound;
    for (size_t i = begin; i < end; i++) bound[i] *= 4;
}

/* Whether the level below has left all points of a block in one set. May miss that. */
static bool is_one_set(const clump_shell_work *w, clump_shell_ref b)
{
    const uint32_t *const parent = w->parent + b.is->begin, first = CLUMP_LOAD(parent);
    uint32_t differ = 0;
    for (size_t i = 1; i < b.is->count; i++) differ |= CLUMP_LOAD(&parent[i]) ^ first;
    return differ == 0;
}

/* Unites the sets of each cell. */
static void join_cells(const clump_shell_work *w, clump_shell_ref b)
{
    const uint32_t end = b.at->first + clump_popcount(b.at->cells);
    const uint32_t *const begin = w->at->begin;
    for (uint32_t c = b.at->first; c < end; c++)
        for (uint32_t i = begin[c] + 1; i < begin[c + 1]; i++)
            if (CLUMP_LOAD(&w->parent[i]) != CLUMP_LOAD(&w->parent[begin[c]])) clump_unite(w->parent, i, begin[c]);
}

/* Grows the set of point `seed` among the points `left` of the 64 from `first` on, by their distances. Returns its members. */
static inline uint64_t grow_set(clump_shell_points p, size_t first, unsigned seed, uint64_t left)
{
    uint64_t members = (uint64_t)1 << seed, fresh = members;
    left &= ~members;
    while (fresh && left) {
        const clump_shell_query q = clump_shell_query_of(p, first + clump_lowest(fresh));
        const uint64_t hits = clump_shell_row_of(&q, p, first, left);
        fresh = (fresh & (fresh - 1)) | hits;
        left ^= hits;
        members |= hits;
    }
    return members;
}

/* Unites the 1 <= n <= 64 points from `first` on by their distances. at[] are their places in parent[]; null: those of
 * the points. */
static void flood_points(const clump_shell_work *w, clump_shell_points p, uint32_t first, unsigned n,
                         const uint32_t *at)
{
    for (uint64_t left = UINT64_MAX >> (64 - n); left;) {
        const unsigned seed = clump_lowest(left);
        uint64_t members = grow_set(p, first, seed, left);
        left ^= members;
        for (members &= members - 1; members; members &= members - 1) {
            const unsigned k = clump_lowest(members);
            clump_unite(w->parent, at ? at[seed] : first + seed, at ? at[k] : first + k);
        }
    }
}

/* Writes which of up to 16 points are neighbours, one word per point, for 4 * groups points. No test waits for another. */
static inline void test_all(clump_shell_points p, size_t first, unsigned n, unsigned groups, uint32_t *near)
{
    for (unsigned i = 0; i < n; i++) {
        const clump_shell_query q = clump_shell_query_of(p, first + i);
        clump_i4 sum = clump_i4_and(clump_shell_four(&q, p, first), clump_i4_load(clump_shell_lane[0]));
        for (unsigned g = 1; g < groups; g++)
            sum = clump_i4_or(sum,
                              clump_i4_and(clump_shell_four(&q, p, first + 4 * g), clump_i4_load(clump_shell_lane[g])));
        near[i] = (uint32_t)clump_i4_sum(sum);
    }
}

/* As clump_shell_begin_points(), for up to 16 points. */
static bool begin_few(const clump_shell_work *w, uint32_t first, unsigned n)
{
    uint32_t near[16], left = (1u << n) - 1;
    if (n <= 4)
        test_all(w->point, first, n, 1, near);
    else if (n <= 8)
        test_all(w->point, first, n, 2, near);
    else
        test_all(w->point, first, n, 4, near);
    for (unsigned sets = 1;; sets++) {
        const unsigned seed = clump_lowest(left);
        uint32_t fresh = 1u << seed;
        left ^= fresh;
        while (fresh) {
            const unsigned k = clump_lowest(fresh);
            const uint32_t hits = near[k] & left;
            w->parent[first + k] = first + seed;
            left ^= hits;
            fresh = (fresh & (fresh - 1)) | hits;
        }
        if (!left) return sets > 1;
    }
}

bool clump_shell_begin_points(const clump_shell_work *w, uint32_t first, unsigned n)
{
    if (n <= 16) return begin_few(w, first, n);
    uint64_t left = UINT64_MAX >> (64 - n);
    for (unsigned sets = 1;; sets++) {
        const unsigned seed = clump_lowest(left);
        uint64_t members = grow_set(w->point, first, seed, left);
        left ^= members;
        for (; members; members &= members - 1) w->parent[first + clump_lowest(members)] = first + seed;
        if (!left) return sets > 1;
    }
}

/* Joins the cells of a block by their first points. */
static void flood_cells(const clump_shell_work *w, clump_shell_ref b)
{
    enum { ROOM = 64 + 3 };
    float x[ROOM] = {0}, y[ROOM] = {0}, z[ROOM] = {0}, bound[ROOM] = {0};
    uint32_t at[64];
    const unsigned n = clump_popcount(b.at->cells);
    for (unsigned c = 0; c < n; c++) {
        const uint32_t i = at[c] = w->at->begin[b.at->first + c];
        x[c] = w->point.x[i], y[c] = w->point.y[i], z[c] = w->point.z[i], bound[c] = w->point.bound[i];
    }
    flood_points(w, (clump_shell_points){x, y, z, bound}, 0, n, at);
}

void clump_shell_join_inside(clump_shell_work *w, uint32_t id)
{
    const clump_shell_ref b = clump_shell_ref_of(w, id);
    const bool small = clump_shell_is_light(b.is); /* else joined by the first points of its cells */
    b.is->note = 0;
    if (w->level == 0 && small) {
        b.is->split = clump_shell_begin_points(w, b.is->begin, b.is->count);
        return;
    }
    if (w->level == 0) {
        begin_sets(w, b);
    } else {
        b.is->box.most *= (float)(1 << 2 * w->level); /* was that of level 0 */
        b.is->split = false;
        if (is_one_set(w, b)) return;
        join_cells(w, b);
    }
    b.is->split = true;
    b.is->split = clump_shell_is_split(w, b);
    if (!b.is->split) return;
    if (small)
        flood_points(w, w->point, b.is->begin, b.is->count, NULL);
    else
        flood_cells(w, b);
    b.is->split = clump_shell_is_split(w, b);
    if (small || !b.is->split) return;
    b.is->note = 1u << SHELL_INSIDE;
    CLUMP_STORE(&w->open, 1);
}

static void join_insides(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    for (size_t id = begin; id < end; id++) clump_shell_join_inside(arg, (uint32_t)id);
}

clump_status clump_shells_inside(clump_work *work, clump_shell_work *w, int threads)
{
    if (w->level > 0) CLUMP_TRY(clump_run(work, threads, w->s->count, CLUMP_CHUNK, double_radii, w));
    return clump_run(work, threads, w->at->table.count, INSIDE_CHUNK, join_insides, w);
}
