/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ec_matrix.c: the matrix-based method (Nguyen et al. 2020, 4.3). Labels are not propagated from point to
 * point. Instead, whole labels are merged by independent thread blocks of b threads:
 *
 *     INITIAL_EC    each thread block merges the points of its b places in P              Algorithm 3
 *     BUILD_MATRIX  labels made compact; M has a bit for two labels with a pair of neighbours       4
 *     a layer       labels in groups of b; each thread block merges the labels of a pair of groups  5
 *     UPDATE        labels made compact again, M carried over to the remaining labels               6
 *
 *     M   group  0    1    2    3         numbers are layers (rules/layers.h). Layer 0 merges within
 *           0  | 0 |  1 |  2 |  3 |       groups; the others merge the labels of columns into those
 *           1       | 0 |  3 |  2 |       of rows. No group is twice in a layer, so all tiles of a
 *           2            | 0 |  1 |       layer may be merged at once.
 *           3                 | 0 |
 *
 *     C   label of a point: a place in R      R   current label of each label, R[r] = r if unmerged
 *     L   prefix sum of marks: new places     M   symmetric, one bit per entry, rows in whole words
 *
 * The algorithms are printed with errors. This file states what they must mean:
 *   - After every UPDATE the sweep starts at layer 0 again. The end is a sweep over all layers without
 *     a merge. A column with bits in two rows takes the label of the later row. UPDATE turns the bit of
 *     the earlier row into a bit for the two rows, which may lie in a layer already passed.
 *   - Off the diagonal all b rows are tested, on it only b - 1. Status has 2b entries: labels 0 ... b - 1 are
 *     those of the columns, b ... 2b - 1 those of the rows. A column that is hit takes label j + b of row j.
 *   - In UPDATE, C holds places in R: C = R[C], then C = L[C]. In BUILD_MATRIX, C = L[C].
 * After a sweep without a merge M is empty: any bit would have merged two labels. Every UPDATE leaves
 * fewer labels, so the loop ends. A pass is an UPDATE.
 *
 * The memory is the square of the number of labels after INITIAL_EC, in bits. M and the matrix that UPDATE
 * makes from it exist at the same time.
 */
#include "cpu/papers/six.h"

#include "common/bits.h"
#include "common/timer.h"
#include "core/work.h"
#include "cpu/shared/need.h"
#include "rules/layers.h"

#include <string.h>

typedef struct matrix {
    uint64_t *bits;
    size_t size;  /* rows and columns: |R| */
    size_t words; /* per row */
} matrix;

/* The shared memory of a thread block. */
typedef struct shared {
    size_t b;
    uint32_t *labels; /* b entries; in Algorithm 5 the cl of each thread */
    uint32_t *status; /* 2b entries */
} shared;

/* ----- the matrix ---------------------------------------------------------------------------------- */

/* An empty matrix in g->matrix[which]. */
static clump_status matrix_make(clump_work *work, clump_six *g, size_t which, size_t size, matrix *m)
{
    m->size = size;
    m->words = (size + 63) / 64;
    /* at most 2^31 rows of 2^28 bytes: no overflow */
    CLUMP_TRY(clump_need(work, g->method, &g->matrix[which], size, m->words * sizeof(uint64_t),
                         "labels with a bit for each pair of them"));
    m->bits = g->matrix[which].data;
    if (size > 0) memset(m->bits, 0, size * m->words * sizeof *m->bits);
    return CLUMP_OK;
}

static void matrix_set(matrix *m, size_t row, size_t column)
{
    CLUMP_ASSERT(row < m->size && column < m->size);
    m->bits[row * m->words + column / 64] |= (uint64_t)1 << column % 64;
}

static bool matrix_get(const matrix *m, size_t row, size_t column)
{
    CLUMP_ASSERT(row < m->size && column < m->size);
    return m->bits[row * m->words + column / 64] >> column % 64 & 1;
}

/* Whether a row has no bit in the words of columns first ... last - 1. Most rows have none, and are skipped. */
static bool matrix_empty(const matrix *m, size_t row, size_t first, size_t last)
{
    uint64_t any = 0;
    for (size_t w = first / 64; w < (last + 63) / 64; w++) any |= m->bits[row * m->words + w];
    return any == 0;
}

/* ----- Algorithm 3: INITIAL_EC ---------------------------------------------------------------------- */

/* One thread block of `size` threads, one point each. In round j, thread j's label replaces the label of every thread
 * behind j whose point is a neighbour of point j, and with it that of all threads with this label. */
static void merge_points(const clump_search_point *p, size_t size, float bound, const shared *s)
{
    uint32_t *const labels = s->labels, *const status = s->status;
    for (size_t t = 0; t < size; t++) labels[t] = (uint32_t)t;
    for (size_t j = 0; j + 1 < size; j++) {
        memset(status, 0, size * sizeof *status);
        const uint32_t rc = labels[j]; /* read by all before any writes */
        bool hit = false;
        for (size_t t = j + 1; t < size; t++) {
            if (labels[t] == rc) continue;
            if (!(clump_distance_squared(p[t].x, p[t].y, p[t].z, p[j].x, p[j].y, p[j].z) < bound)) continue;
            status[labels[t]] = 1;
            hit = true;
        }
        for (size_t t = 0; t < size && hit; t++) /* after a barrier; each thread reads and writes its own label */
            if (status[labels[t]]) labels[t] = rc;
    }
}

static clump_status initial_ec(clump_work *work, clump_six *g, const shared *s)
{
    for (size_t first = 0; first < g->count; first += s->b) {
        CLUMP_TRY(clump_poll(work));
        const size_t size = g->count - first < s->b ? g->count - first : s->b;
        merge_points(g->points + first, size, g->search.bound, s);
        for (size_t t = 0; t < size; t++) g->label[first + t] = (uint32_t)first + s->labels[t];
    }
    return CLUMP_OK;
}

/* ----- Algorithm 4: BUILD_MATRIX -------------------------------------------------------------------- */

static clump_status build_matrix(clump_work *work, clump_six *g, matrix *m)
{
    const size_t n = g->count;
    uint32_t *const c = g->label, *const r = g->other, *const l = g->scan;
    memset(l, 0, (n + 1) * sizeof *l);
    for (size_t i = 0; i < n; i++) l[c[i]] = 1;
    clump_six_scan(l, n);
    for (size_t i = 0; i < l[n]; i++) r[i] = (uint32_t)i;
    for (size_t i = 0; i < n; i++) c[i] = l[c[i]];
    CLUMP_TRY(matrix_make(work, g, 0, l[n], m));
    for (size_t i = 0; i < n; i++) { /* symmetric: a neighbour finds this point too */
        CLUMP_TRY(clump_poll(work));
        for (clump_neighbour_walk w = clump_neighbours_of(&g->search, i); clump_next_neighbour(&w);)
            if (c[w.id] != c[i]) matrix_set(m, c[w.id], c[i]);
    }
    return CLUMP_OK;
}

/* ----- Algorithm 5: a layer ------------------------------------------------------------------------- */

/* A tile on the diagonal: merge_points() with a bit of M in place of a distance. Returns whether labels merged. */
static bool merge_group(const matrix *m, size_t group, const shared *s, uint32_t *r)
{
    const size_t size = m->size - group < s->b ? m->size - group : s->b;
    uint32_t *const labels = s->labels, *const status = s->status;
    bool m_b = false;
    for (size_t t = 0; t < size; t++) labels[t] = (uint32_t)t;
    for (size_t j = 0; j + 1 < size; j++) {
        if (matrix_empty(m, group + j, group + j + 1, group + size)) continue;
        memset(status, 0, size * sizeof *status);
        const uint32_t rc = labels[j];
        for (size_t t = j + 1; t < size; t++)
            if (labels[t] != rc && matrix_get(m, group + j, group + t)) status[labels[t]] = 1;
        for (size_t t = 0; t < size; t++) {
            if (!status[labels[t]]) continue;
            labels[t] = rc;
            m_b = true;
        }
    }
    for (size_t t = 0; t < size; t++) r[group + t] = (uint32_t)group + labels[t];
    return m_b;
}

/* A tile off the diagonal: merges labels of columns, from g1 on, into those of rows, from g0 on. */
static bool merge_pair(const matrix *m, size_t g0, size_t g1, const shared *s, uint32_t *r)
{
    const size_t size = m->size - g1 < s->b ? m->size - g1 : s->b; /* of columns; all b rows exist */
    uint32_t *const cl = s->labels, *const status = s->status;
    bool m_b = false;
    for (size_t i = 0; i < size; i++) cl[i] = (uint32_t)i;
    for (size_t j = 0; j < s->b; j++) {
        if (matrix_empty(m, g0 + j, g1, g1 + size)) continue;
        memset(status, 0, 2 * s->b * sizeof *status);
        for (size_t i = 0; i < size; i++)
            if (matrix_get(m, g0 + j, g1 + i)) status[cl[i]] = 1;
        for (size_t i = 0; i < size; i++)
            if (status[cl[i]]) cl[i] = (uint32_t)(j + s->b);
    }
    for (size_t i = 0; i < size; i++) {
        const bool m_t = cl[i] >= s->b; /* a column loses its label only by a bit of its own */
        if (!m_t) continue;
        r[g1 + i] = (uint32_t)(g0 + cl[i] - s->b);
        m_b = true;
    }
    return m_b;
}

/* All tiles of a layer. */
static clump_status merge_layer(clump_work *work, const matrix *m, uint32_t layer, uint32_t groups, const shared *s,
                                uint32_t *r, bool *m_d)
{
    *m_d = false;
    const uint32_t pairs = clump_layer_pairs(layer, groups);
    for (uint32_t k = 0; k < pairs; k++) {
        uint32_t row, column;
        if (!clump_layer_pair(layer, k, groups, &row, &column)) continue;
        CLUMP_TRY(clump_poll(work));
        const size_t g0 = row * s->b, g1 = column * s->b;
        const bool m_b = row == column ? merge_group(m, g0, s, r) : merge_pair(m, g0, g1, s, r);
        if (m_b) *m_d = true;
    }
    return CLUMP_OK;
}

/* ----- Algorithm 6: UPDATE -------------------------------------------------------------------------- */

static clump_status update(clump_work *work, clump_six *g, size_t which, matrix *m)
{
    uint32_t *const c = g->label, *const r = g->other, *const l = g->scan;
    const size_t size = m->size;
    for (size_t i = 0; i < g->count; i++) c[i] = r[c[i]];
    memset(l, 0, (size + 1) * sizeof *l);
    for (size_t i = 0; i < size; i++) l[r[i]] = 1;
    clump_six_scan(l, size);
    for (size_t i = 0; i < g->count; i++) c[i] = l[c[i]];

    matrix next;
    CLUMP_TRY(matrix_make(work, g, which, l[size], &next));
    for (size_t row = 0; row < size; row++) {
        CLUMP_TRY(clump_poll(work));
        const size_t nr = l[r[row]];
        for (size_t w = row / 64; w < m->words; w++) { /* columns behind the row, and a few before it */
            for (uint64_t bits = m->bits[row * m->words + w]; bits; bits &= bits - 1) {
                const size_t nc = l[r[w * 64 + clump_lowest(bits)]];
                if (nr == nc) continue; /* merged */
                matrix_set(&next, nr, nc);
                matrix_set(&next, nc, nr);
            }
        }
    }
    for (size_t i = 0; i < next.size; i++) r[i] = (uint32_t)i; /* R' replaces R, which M' needed until here */
    *m = next;
    return CLUMP_OK;
}

/* ----- Algorithm 2 ---------------------------------------------------------------------------------- */

static clump_status merge_all(clump_work *work, clump_six *g, const shared *s, matrix *m, int64_t *passes)
{
    uint32_t layer = 0;
    for (;;) {
        const uint32_t groups = (uint32_t)((m->size + s->b - 1) / s->b);
        if (layer >= clump_layers(groups)) return CLUMP_OK;
        bool merged;
        CLUMP_TRY(merge_layer(work, m, layer, groups, s, g->other, &merged));
        if (!merged) {
            layer++;
            continue;
        }
        ++*passes;
        CLUMP_TRY(update(work, g, (size_t)(*passes % 2), m));
        layer = 0;
    }
}

clump_status clump_cpu_ec_matrix(clump_work *work, clump_six *g, const clump_ec_job *job, size_t tile_b,
                                 clump_stats *stats)
{
    const double begin = clump_now_ms();
    CLUMP_TRY(clump_six_begin(work, g, job, tile_b, stats));
    CLUMP_TRY(clump_need(work, g->method, &g->shared, tile_b, 3 * sizeof(uint32_t), "threads of a block"));
    const shared s = {tile_b, g->shared.data, (uint32_t *)g->shared.data + tile_b};
    const double prepared = clump_now_ms();
    CLUMP_TRY(initial_ec(work, g, &s));
    const double initial_ms = clump_now_ms() - prepared;
    matrix m;
    CLUMP_TRY(build_matrix(work, g, &m));
    const double built = clump_now_ms();

    stats->passes = 0;
    CLUMP_TRY(merge_all(work, g, &s, &m, &stats->passes));
    clump_six_finish(g, job, begin, built, stats);
    stats->initial_ms = initial_ms;
    stats->build_ms -= initial_ms;
    return CLUMP_OK;
}
