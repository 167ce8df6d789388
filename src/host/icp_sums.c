/* SPDX-License-Identifier: BSD-3-Clause
 *
 * icp_sums.c: see icp.h. Threads take chunks. Within a chunk, pairwise sums that wait for their other half are on
 * a stack. It has one entry per set bit of the number of runs so far: after 6 runs, binary 110, runs 0-3 and 4-5.
 */
#include "host/icp.h"

#include "core/work.h"

#include <string.h>

enum { SUMS_LEVELS = 7 }; /* of the stack: 2^6 runs */
_Static_assert(CLUMP_PAIRS_RUNS == 1 << (SUMS_LEVELS - 1), "one level per size");

/* Returned by value: gcc then keeps more of it in registers. */
typedef struct sums {
    double of[CLUMP_PAIRS_SUMS];
} sums;

/* Adds a pair of GICP: the normal of the source turns with it. */
static void add_gicp(const clump_pairs *w, size_t i, const float *from, const float *to, double *out)
{
    const float *const a = w->from_normals + 3 * i, *const b = w->normals + 3 * (size_t)w->indices[i];
    double turned[3], there[3];
    for (int k = 0; k < 3; k++) {
        const double *const row = w->turn + 3 * k;
        turned[k] = clump_double_dot(row[0], (double)a[0], row[1], (double)a[1], row[2], (double)a[2]);
        there[k] = (double)b[k];
    }
    clump_gicp_add(out, w->center, w->kernel, from, to, w->distances[i], turned, there);
}

static inline sums sum_run(const clump_pairs *w, bool plane, size_t first, size_t last)
{
    sums s = {{0}};
    for (size_t i = first; i < last; i++) {
        const int32_t index = w->indices[i];
        if (index < 0 || w->distances[i] > w->cut) continue;
        const float *const to = clump_points_at(w->target, (size_t)index), *const from = w->moved + 3 * i;
        if (w->from_normals)
            add_gicp(w, i, from, to, s.of);
        else if (plane)
            clump_plane_add(s.of, w->center, w->kernel, from, to, w->distances[i], w->normals + 3 * (size_t)index);
        else
            clump_pair_add(s.of, w->center, w->kernel, from, to, w->distances[i]);
    }
    return s;
}

static inline void sum_chunk(const clump_pairs *w, bool plane, size_t first, double *out)
{
    const int n = plane ? CLUMP_PLANE_SUMS : CLUMP_POINT_SUMS;
    sums waiting[SUMS_LEVELS];
    for (unsigned run = 0; run < CLUMP_PAIRS_RUNS; run++, first += CLUMP_PAIRS_RUN) {
        const size_t end = first + CLUMP_PAIRS_RUN;
        sums s = sum_run(w, plane, first, end < w->count ? end : w->count);
        int level = 0;
        for (; run >> level & 1; level++)
            for (int k = 0; k < n; k++) s.of[k] = clump_double_add(waiting[level].of[k], s.of[k]);
        waiting[level] = s;
    }
    memcpy(out, waiting[SUMS_LEVELS - 1].of, sizeof waiting->of);
}

static size_t chunks_of(size_t count)
{
    return (count + CLUMP_PAIRS_CHUNK - 1) / CLUMP_PAIRS_CHUNK;
}

size_t clump_pairs_scratch(size_t count)
{
    return chunks_of(count) * CLUMP_PAIRS_SUMS;
}

typedef struct summing {
    const clump_pairs *pairs;
    double *sums; /* of each chunk */
} summing;

static void sum_chunks(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const summing *const s = arg;
    for (size_t c = begin; c < end; c++) {
        if (s->pairs->normals)
            sum_chunk(s->pairs, true, c * CLUMP_PAIRS_CHUNK, s->sums + c * CLUMP_PAIRS_SUMS);
        else
            sum_chunk(s->pairs, false, c * CLUMP_PAIRS_CHUNK, s->sums + c * CLUMP_PAIRS_SUMS);
    }
}

clump_status clump_pairs_sum(clump_work *work, const clump_pairs *w, double *scratch, double total[CLUMP_PAIRS_SUMS])
{
    const size_t chunks = chunks_of(w->count);
    summing s = {w, scratch};
    CLUMP_TRY(clump_run(work, clump_threads_for(work, chunks, 2), chunks, 2, sum_chunks, &s));
    memset(total, 0, CLUMP_PAIRS_SUMS * sizeof *total);
    for (size_t c = 0; c < chunks; c++)
        for (size_t k = 0; k < CLUMP_PAIRS_SUMS; k++)
            total[k] = clump_double_add(total[k], scratch[c * CLUMP_PAIRS_SUMS + k]);
    return CLUMP_OK;
}
