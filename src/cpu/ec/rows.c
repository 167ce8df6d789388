/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rows.c: see rows.h.
 */
#include "cpu/ec/rows.h"

#include "common/atomics.h"
#include "common/radix_sort.h"
#include "common/share.h"
#include "common/simd.h"
#include "common/timer.h"
#include "cpu/grid/slices.h"
#include "cpu/shared/points.h"
#include "cpu/shared/ranks.h"
#include "rules/cell.h"
#include "rules/distance.h"
#include "rules/union_find.h"

#include <math.h>

#define ROWS_PIECE 16384 /* points per task of the sweep; no comparison with other values is on record */
#define ROWS_PAD   8     /* entries after the last point that a group of four, or a look ahead, may read */
#define ROWS_DENSE 8     /* mean number of points in a point's own cell above which blocks are faster; see sparse.c */

/* How cells are numbered: row after row, with an empty cell at both ends of every axis. So the last cell of a row and
 * the first of the next row never pass for neighbours. */
typedef struct grid {
    double inverse; /* cells per unit. An edge is d (1 + 2^-20), so cells of neighbours differ by at most 1: */
                    /* |dx| <= d (1 + 2^-22) as in rules/cell.h, less than an edge */
    int32_t lower[3];
    uint64_t size[3];
    uint64_t layer;      /* cells of a layer in z */
    unsigned bits;       /* of a cell number */
    unsigned index_bits; /* of the index of a point: a word is cell << index_bits | index */
} grid;

/* A thread's slice of the points, and what it found there. */
typedef struct slice {
    size_t begin, end, points; /* points: those that take part */
    size_t unfinite, masked, left_out;
    uint64_t squares; /* sum of the squared numbers of points per cell */
    float lower[3], upper[3];
} slice;

/* By sorted place, with ROWS_PAD sentinels that are near no point. */
typedef struct sweep {
    const uint64_t *word;
    float *x, *y, *z;
    uint32_t *parent; /* union-find */
    uint32_t *first;  /* of a root: the smallest index of its set */
    float bound;
    bool alone; /* one thread */
} sweep;

/* Counts the points of a slice and finds their box. */
static void survey(const clump_cloud_job *job, slice *s)
{
    for (int k = 0; k < 3; k++) s->lower[k] = INFINITY, s->upper[k] = -INFINITY;
    for (size_t i = s->begin; i < s->end; i++) {
        const float *const f = clump_point_at(job, i);
        if (!clump_takes_part(job, i)) {
            s->left_out++;
            s->masked += clump_point_is_masked(job, i);
            s->unfinite += !clump_point_is_finite(f, job->two_d);
            continue;
        }
        for (int k = 0; k < 3; k++) {
            const float x = k == 2 && job->two_d ? 0 : f[k];
            s->lower[k] = x < s->lower[k] ? x : s->lower[k];
            s->upper[k] = x > s->upper[k] ? x : s->upper[k];
        }
    }
    s->points = s->end - s->begin - s->left_out;
}

/* Returns the number of bits of n: 0 for 0. */
static unsigned bit_length(uint64_t n)
{
    unsigned bits = 0;
    while (n >> bits) bits++;
    return bits;
}

/* Returns false if a cell number and a point index do not fit into 64 bits together. count >= 1. */
static bool make_grid(grid *g, float d, const float *lower, const float *upper, size_t count)
{
    CLUMP_ASSERT(count >= 1);
    const double edge = (double)d * (1 + 0x1p-20);
    g->inverse = 1 / edge;
    double cells = 1;
    for (int k = 0; k < 3; k++) {
        if (!(fmax(fabs((double)lower[k]), fabs((double)upper[k])) * g->inverse < 0x1p26)) return false;
        g->lower[k] = clump_cell_near(lower[k], g->inverse) - 1;
        g->size[k] = (uint64_t)(clump_cell_near(upper[k], g->inverse) - g->lower[k]) + 2;
        cells *= (double)g->size[k];
    }
    if (!(cells < 0x1p62)) return false;
    g->layer = g->size[0] * g->size[1];
    g->bits = bit_length(g->layer * (g->size[2] + 1) + g->size[0] + 2); /* the sweep looks a layer and a row ahead */
    g->index_bits = bit_length(count - 1);
    return g->bits + g->index_bits <= 64;
}

static inline uint64_t cell_of_word(const grid *g, uint64_t word)
{
    return word >> g->index_bits;
}

static inline uint32_t index_of_word(const grid *g, uint64_t word)
{
    return (uint32_t)(word & (((uint64_t)1 << g->index_bits) - 1));
}

/* Writes the words of the points of a slice, unsorted. Points that take no part become noise. */
static void number_cells(const clump_cloud_job *job, const grid *g, const slice *s, uint64_t *words)
{
    for (size_t i = s->begin; i < s->end; i++) {
        const float *const f = clump_point_at(job, i);
        if (!clump_takes_part(job, i)) {
            job->labels[i] = CLUMP_NOISE;
            continue;
        }
        const uint64_t x = (uint64_t)(clump_cell_near(f[0], g->inverse) - g->lower[0]);
        const uint64_t y = (uint64_t)(clump_cell_near(f[1], g->inverse) - g->lower[1]);
        const uint64_t z = (uint64_t)(clump_cell_near(job->two_d ? 0 : f[2], g->inverse) - g->lower[2]);
        *words++ = (z * g->layer + y * g->size[0] + x) << g->index_bits | i;
    }
}

/* ----- the sweep ----------------------------------------------------------------------------------- */

/* A point, spread over vector registers. */
typedef struct spread {
    clump_f4 x, y, z, bound;
} spread;

/* Returns which of the four points from a place on are neighbours of p, one bit each. */
static inline unsigned near_four(const sweep *w, const spread *p, size_t at)
{
    const clump_f4 x = clump_f4_sub(p->x, clump_f4_load(w->x + at)), y = clump_f4_sub(p->y, clump_f4_load(w->y + at)),
                   z = clump_f4_sub(p->z, clump_f4_load(w->z + at));
    const clump_f4 d2 = clump_f4_distance_squared(x, y, z);
    return clump_f4_less(d2, p->bound);
}

static inline void unite(const sweep *w, size_t a, size_t b)
{
    if (w->alone)
        clump_unite_alone(w->parent, (uint32_t)a, (uint32_t)b);
    else
        clump_unite(w->parent, (uint32_t)a, (uint32_t)b);
}

/* Unites point s with its neighbours from place `at` on, up to the last with a word below `end`. Points are tried in
 * groups of four; the last group may hold points after `end`, which is harmless: neighbours are neighbours. */
static void unite_stretch(const sweep *w, const spread *p, size_t s, size_t at, uint64_t end)
{
    for (; w->word[at] < end; at += 4)
        for (unsigned hits = near_four(w, p, at); hits; hits &= hits - 1) unite(w, s, at + clump_lowest(hits));
}

/* Returns the first place from `at` on with a word of at least `first`. */
static inline size_t advance(const uint64_t *word, size_t at, uint64_t first)
{
    for (;;) { /* four at a time, without a branch on the distance, which is unpredictable */
        const unsigned step =
            (unsigned)(word[at] < first) + (word[at + 1] < first) + (word[at + 2] < first) + (word[at + 3] < first);
        at += step;
        if (step < 4) return at;
    }
}

/* The same from 0 on, by bisection. */
static size_t search(const uint64_t *word, size_t n, uint64_t first)
{
    size_t low = 0, high = n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (word[middle] < first)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Unites the points begin ... end - 1 of n with their neighbours after them. Cells are compared as words with index 0. */
static void sweep_piece(const sweep *w, const grid *g, size_t begin, size_t end, size_t n)
{
    if (begin == end) return;
    const uint64_t one = (uint64_t)1 << g->index_bits, row = g->size[0] * one, layer = g->layer * one;
    const uint64_t ahead[4] = {row, layer - row, layer, layer + row}; /* y+1; z+1 with y-1, y, y+1 */
    size_t at[4];
    for (int r = 0; r < 4; r++) at[r] = search(w->word, n, (w->word[begin] & -one) + ahead[r] - one);
    for (size_t s = begin; s < end; s++) {
        const uint64_t cell = w->word[s] & -one;
        const spread p = {clump_f4_set(w->x[s]), clump_f4_set(w->y[s]), clump_f4_set(w->z[s]), clump_f4_set(w->bound)};
        for (int r = 0; r < 4; r++) at[r] = advance(w->word, at[r], cell + ahead[r] - one);
        /* The first four of all stretches at once: nearly all stretches are not longer. */
        unsigned hits = near_four(w, &p, s + 1), more = w->word[s + 5] < cell + 2 * one;
        for (int r = 0; r < 4; r++) {
            hits |= near_four(w, &p, at[r]) << (4 * r + 4);
            more |= (unsigned)(w->word[at[r] + 4] < cell + ahead[r] + 2 * one) << (r + 1);
        }
        for (; hits; hits &= hits - 1) {
            const unsigned bit = clump_lowest(hits);
            unite(w, s, (bit < 4 ? s + 1 : at[bit / 4 - 1]) + bit % 4);
        }
        for (; more; more &= more - 1) {
            const unsigned r = clump_lowest(more);
            if (r == 0)
                unite_stretch(w, &p, s, s + 5, cell + 2 * one);
            else
                unite_stretch(w, &p, s, at[r - 1] + 4, cell + ahead[r - 1] + 2 * one);
        }
    }
}

/* ----- all of it ------------------------------------------------------------------------------------- */

static clump_status reserve_slices(clump_context *ctx, clump_rows *rows, int threads)
{
    return clump_buffer_reserve(ctx, &rows->counters,
                                clump_radix_counters(threads) * sizeof(size_t) + (size_t)threads * sizeof(slice));
}

/* For n points that take part, of `all`. `wide` is two halves: after the sort one holds the words, the other parent and
 * first. */
static clump_status reserve_points(clump_context *ctx, clump_rows *rows, size_t n, size_t all)
{
    CLUMP_TRY(clump_buffer_reserve(ctx, rows->wide, 2 * (n + ROWS_PAD) * sizeof(uint64_t)));
    CLUMP_TRY(clump_buffer_reserve(ctx, rows->points, (n + ROWS_PAD) * 3 * sizeof(float)));
    return clump_buffer_reserve(ctx, &rows->ranks, clump_ranks_bytes(all));
}

/* Returns the sum of the squared numbers of points of the cells that begin in a slice. The k-th point of a cell adds
 * 2 k - 1, which makes the square of their number without a branch on where a cell ends. */
static uint64_t squares_of(const grid *g, const uint64_t *words, size_t n, clump_share s)
{
    uint64_t squares = 0, k = 0, before = UINT64_MAX;
    size_t i = s.begin;
    if (i > 0) /* skips the cell that began before */
        while (i < s.end && cell_of_word(g, words[i]) == cell_of_word(g, words[i - 1])) i++;
    if (i == s.end) return 0;
    for (; i < s.end; i++) {
        const uint64_t cell = cell_of_word(g, words[i]);
        k = cell == before ? k + 1 : 1;
        squares += 2 * k - 1;
        before = cell;
    }
    for (; i < n && cell_of_word(g, words[i]) == before; i++) squares += 2 * ++k - 1; /* the cell that ends after */
    return squares;
}

/* What the tasks share. */
typedef struct rows_job {
    const clump_cloud_job *job;
    slice *slices;
    int threads; /* and slices */
    const grid *g;
    uint64_t *words; /* n of them */
    size_t n, pieces;
    const sweep *w;
    clump_ranks *ranks;
} rows_job;

static void square_slice(void *arg, size_t t)
{
    const rows_job *const r = arg;
    r->slices[t].squares = squares_of(r->g, r->words, r->n, clump_share_of(r->n, (int)t, r->threads));
}

/* *mean becomes the mean number of points in a point's own cell, itself included. */
static clump_status find_density(clump_context *ctx, rows_job *r, double *mean)
{
    CLUMP_TRY(clump_each_slice(ctx, r->threads, square_slice, r));
    uint64_t squares = 0;
    for (int t = 0; t < r->threads; t++) squares += r->slices[t].squares;
    *mean = r->n ? (double)squares / (double)r->n : 0;
    return CLUMP_OK;
}

static void survey_slice(void *arg, size_t t)
{
    const rows_job *const r = arg;
    const clump_share mine = clump_share_of(r->job->count, (int)t, r->threads);
    r->slices[t] = (slice){.begin = mine.begin, .end = mine.end};
    survey(r->job, &r->slices[t]);
}

static void number_slice(void *arg, size_t t)
{
    const rows_job *const r = arg;
    size_t before = 0;
    for (size_t u = 0; u < t; u++) before += r->slices[u].points;
    number_cells(r->job, r->g, &r->slices[t], r->words + before);
}

static void sweep_pieces(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const rows_job *const r = arg;
    for (size_t k = begin; k < end; k++)
        sweep_piece(r->w, r->g, r->n * k / r->pieces, r->n * (k + 1) / r->pieces, r->n);
}

/* Copies the coordinates of the points into the order of the words. */
static void copy_points(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const rows_job *const r = arg;
    const clump_cloud_job *const job = r->job;
    const sweep *const w = r->w;
    for (size_t s = begin; s < end; s++) {
        CLUMP_ASSERT(s == 0 || r->words[s - 1] < r->words[s]);
        const uint32_t i = index_of_word(r->g, r->words[s]);
        const float *const f = clump_point_at(job, i);
        w->x[s] = f[0], w->y[s] = f[1], w->z[s] = job->two_d ? 0 : f[2];
        w->first[s] = i;
        w->parent[s] = (uint32_t)s;
    }
}

/* Copies the points, and sentinels after them that are near no point. */
static clump_status arrange_points(clump_context *ctx, rows_job *r)
{
    const sweep *const w = r->w;
    CLUMP_TRY(clump_run(ctx, r->threads, r->n, CLUMP_CHUNK, copy_points, r));
    for (size_t s = r->n; s < r->n + ROWS_PAD; s++) {
        w->x[s] = w->y[s] = w->z[s] = NAN;
        r->words[s] = UINT64_MAX;
    }
    return CLUMP_OK;
}

/* Replaces every parent by its root, and writes the first point of each set into `first` of its root. */
static void find_roots(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const rows_job *const r = arg;
    const sweep *const w = r->w;
    uint32_t *const parent = w->parent, *const first = w->first;
    const uint64_t *const words = r->words;
    for (size_t s = begin; s < end; s++) {
        const uint32_t root = clump_root(parent, (uint32_t)s), index = index_of_word(r->g, words[s]);
        CLUMP_STORE(&parent[s], root);
        if (w->alone) {
            first[root] = index < first[root] ? index : first[root];
            continue;
        }
        clump_atomic_min(&first[root], index);
    }
}

static void label_points(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const rows_job *const r = arg;
    const uint32_t *const parent = r->w->parent, *const first = r->w->first;
    int32_t *const labels = r->job->labels;
    for (size_t s = begin; s < end; s++)
        labels[index_of_word(r->g, r->words[s])] = (int32_t)clump_rank(r->ranks, first[parent[s]]);
}

/* Sets the bit of the first point of every set. */
static void mark_firsts(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const rows_job *const r = arg;
    const uint32_t *const parent = r->w->parent, *const first = r->w->first;
    if (r->w->alone) {
        for (size_t s = begin; s < end; s++) clump_ranks_set_if(r->ranks, first[s], parent[s] == s);
        return;
    }
    for (size_t s = begin; s < end; s++)
        if (parent[s] == s) clump_ranks_set_shared(r->ranks, first[s]);
}

/* Numbers the sets in the order of their first points, and labels all points. */
static clump_status label_sets(clump_context *ctx, rows_job *r, clump_ranks *ranks, int32_t *clusters)
{
    r->ranks = ranks;
    CLUMP_TRY(clump_run(ctx, r->threads, r->n, CLUMP_CHUNK, find_roots, r));
    CLUMP_TRY(clump_run(ctx, r->threads, r->n, CLUMP_CHUNK, mark_firsts, r));
    *clusters = (int32_t)clump_ranks_count(ranks);
    return clump_run(ctx, r->threads, r->n, CLUMP_CHUNK, label_points, r);
}

/* Adds up what all slices found. */
static slice sum_slices(const slice *slices, int threads)
{
    slice all = slices[0];
    for (int t = 1; t < threads; t++) {
        for (int k = 0; k < 3; k++) {
            all.lower[k] = fminf(all.lower[k], slices[t].lower[k]);
            all.upper[k] = fmaxf(all.upper[k], slices[t].upper[k]);
        }
        all.points += slices[t].points;
        all.unfinite += slices[t].unfinite, all.masked += slices[t].masked, all.left_out += slices[t].left_out;
    }
    return all;
}

/* Sorts the words of r->n points. r->words becomes null, with CLUMP_OK, if the cloud is too dense for rows. *other
 * becomes the half of the memory that is free afterwards. */
static clump_status sort_words(clump_context *ctx, clump_rows *rows, rows_job *r, uint64_t **other)
{
    uint64_t *const half[2] = {rows->wide->data, (uint64_t *)rows->wide->data + r->n + ROWS_PAD};
    r->words = half[0];
    CLUMP_TRY(clump_each_slice(ctx, r->threads, number_slice, r));
    r->words = clump_radix_sort(ctx->team, half[0], half[1], r->n, r->g->index_bits, r->g->bits, rows->counters.data,
                                r->threads);
    if (!r->words) return clump_poll(ctx);
    *other = r->words == half[0] ? half[1] : half[0];
    double density;
    CLUMP_TRY(find_density(ctx, r, &density));
    if (density > ROWS_DENSE) r->words = NULL;
    return CLUMP_OK;
}

clump_status clump_rows_ec(clump_context *ctx, clump_rows *rows, const clump_cloud_job *job, int threads,
                           clump_result *result, bool *done)
{
    *done = false;
    const double start = clump_now_ms();
    CLUMP_TRY(reserve_slices(ctx, rows, threads));
    slice *const slices = (slice *)((size_t *)rows->counters.data + clump_radix_counters(threads));
    rows_job r = {.job = job, .slices = slices, .threads = threads};
    CLUMP_TRY(clump_each_slice(ctx, threads, survey_slice, &r));
    const slice all = sum_slices(slices, threads);
    const size_t n = all.points, padded = n + ROWS_PAD;
    grid g;
    if (n == 0 || !make_grid(&g, job->d, all.lower, all.upper, job->count)) return CLUMP_OK;
    CLUMP_TRY(reserve_points(ctx, rows, n, job->count));
    r.g = &g, r.n = n;
    uint64_t *other = NULL;
    CLUMP_TRY(sort_words(ctx, rows, &r, &other));
    if (!r.words) return CLUMP_OK;
    float *const floats = rows->points->data;
    const sweep w = {.word = r.words,
                     .parent = (uint32_t *)other,
                     .first = (uint32_t *)other + padded,
                     .x = floats,
                     .y = floats + padded,
                     .z = floats + 2 * padded,
                     .bound = job->bound,
                     .alone = threads == 1};
    r.w = &w;
    CLUMP_TRY(arrange_points(ctx, &r));
    const double built = clump_now_ms();

    r.pieces = n / ROWS_PIECE + 1;
    CLUMP_TRY(clump_run(ctx, threads, r.pieces, 1, sweep_pieces, &r));
    const double joined = clump_now_ms();

    clump_ranks ranks = clump_ranks_make(rows->ranks.data, job->count);
    CLUMP_TRY(label_sets(ctx, &r, &ranks, &result->clusters));
    result->finite = job->count - all.unfinite;
    result->masked = all.masked;
    result->noise = all.left_out;
    result->threads = threads;
    result->build_ms = built - start;
    result->cluster_ms = joined - built;
    result->label_ms = clump_now_ms() - joined;
    *done = true;
    return CLUMP_OK;
}

clump_status clump_rows_reserve(clump_context *ctx, clump_rows *rows, size_t max_points, int threads)
{
    CLUMP_TRY(reserve_slices(ctx, rows, threads));
    return reserve_points(ctx, rows, max_points, max_points);
}

void clump_rows_release(clump_context *ctx, clump_rows *rows)
{
    clump_buffer_release(ctx, &rows->counters);
    clump_buffer_release(ctx, &rows->ranks);
}
