/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranged_shells.c: see ranged_shells.h. All levels one after the other, and the numbers of their clusters.
 */
#include "cpu/ranged/shells_work.h"

#include "cpu/grid/batch.h"
#include "cpu/shared/numbering.h"
#include "cpu/shared/stages.h"

#define SHELLS_SLICE 4096 /* points that are worth waking a thread for, as in ec_fast.c */
#define SHELLS_BATCH 256

/* ----- which jobs ------------------------------------------------------------------------------------------- */

/* Radii far from the ends of float32, so that doubled radii have exactly four times the bound. The radii of neighbours
 * differ by less than 1.02 (1 + 0.4) (rules/radius.h), so neighbours are in the same shell or in two that follow each
 * other. Coordinates, and with them the largest radius, are below 2^27 cells: there are fewer than 28 shells. */
#define SHELLS_LEAST_D   0x1p-40f
#define SHELLS_MOST_D    0x1p24f
#define SHELLS_LEAST_PER 0x1p-60f
#define SHELLS_MOST_PER  0.4f

static float limit_of(const clump_cloud_job *job, float d)
{
    return (float)(CLUMP_SHELL_CELLS / clump_cell_rule_make(d, job->two_d).inverse * (1 - 0x1p-20));
}

bool clump_shells_fit(const clump_cloud_job *job, int levels, const float *factor)
{
    if (job->count == 0) return false;
    for (int k = 1; k < levels; k++)
        if (!(factor[k] == 2 * factor[k - 1])) return false;
    const float d = job->d * factor[0], per_metre = job->per_metre * factor[0];
    if (!(d >= SHELLS_LEAST_D && d <= SHELLS_MOST_D)) return false;
    if (per_metre == 0) return true;
    if (!(per_metre >= SHELLS_LEAST_PER && ldexpf(per_metre, levels - 1) <= SHELLS_MOST_PER)) return false;
    const float limit = limit_of(job, d);
    return fabsf(job->sensor[0]) < limit && fabsf(job->sensor[1]) < limit &&
           (job->two_d || fabsf(job->sensor[2]) < limit);
}

typedef struct far_search {
    const clump_cloud_job *job;
    float limit;
    int found;
} far_search;

/* Looks for points that take part and are too far from the origin. */
static void search_far(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    far_search *const t = arg;
    float x[SHELLS_BATCH], y[SHELLS_BATCH], z[SHELLS_BATCH];
    for (size_t base = begin; base < end; base += SHELLS_BATCH) {
        const size_t m = end - base < SHELLS_BATCH ? end - base : SHELLS_BATCH;
        clump_batch_load(t->job, base, m, x, y, z);
        unsigned far = 0;
        for (size_t j = 0; j < m; j++)
            far |= !(fabsf(x[j]) < t->limit) | !(fabsf(y[j]) < t->limit) | !(fabsf(z[j]) < t->limit);
        for (size_t j = 0; far && j < m; j++)
            if (clump_takes_part(t->job, base + j) &&
                !(fabsf(x[j]) < t->limit && fabsf(y[j]) < t->limit && fabsf(z[j]) < t->limit))
                CLUMP_STORE(&t->found, 1);
    }
}

/* ----- numbers of clusters ----------------------------------------------------------------------------------- */

typedef struct numbering {
    clump_shells *s;
    int32_t *labels; /* cells of level 0 before, labels after */
    clump_ranks ranks;
    uint32_t *low;  /* per root: the smallest point of its set, then its number; unused for other points */
    uint32_t *root; /* per cluster of the last level that has numbers */
    bool shared;    /* by several threads */
} numbering;

/* Replaces every parent by its root. In ascending order most parents are roots already. */
static void find_roots(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    uint32_t *const parent = ((const numbering *)arg)->s->parent;
    for (size_t i = begin; i < end; i++) CLUMP_STORE(&parent[i], clump_root(parent, CLUMP_LOAD(&parent[i])));
}

/* The same for the first points of cells alone, which are all that labels need. A root is the first point of a cell, as it is
 * the first of its set. */
static void find_cell_roots(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const clump_shells *const s = ((const numbering *)arg)->s;
    const uint32_t *const first = s->level[0].begin;
    for (size_t c = begin; c < end; c++) CLUMP_STORE(&s->parent[first[c]], clump_root(s->parent, first[c]));
}

static inline uint32_t root_of(const void *arg, size_t c)
{
    const clump_shells *const s = ((const numbering *)arg)->s;
    return s->parent[s->level[0].begin[c]];
}

static inline uint32_t least_of(const void *arg, size_t c)
{
    return ((const numbering *)arg)->s->least[c];
}

static void find_lows(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const numbering *const t = arg;
    clump_number_lows(t, begin, end, root_of, least_of, t->low, t->shared);
}

static inline bool is_root(const void *t, size_t c)
{
    return root_of(t, c) == ((const numbering *)t)->s->level[0].begin[c];
}

static inline uint32_t low_of(const void *t, size_t c)
{
    return ((const numbering *)t)->low[((const numbering *)t)->s->level[0].begin[c]];
}

static void mark_firsts(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    numbering *const t = arg;
    clump_number_firsts(t, begin, end, is_root, low_of, &t->ranks, t->shared);
}

/* Replaces the smallest point of each set by its number, and lists the roots. */
static void number_roots(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const numbering *const t = arg;
    const uint32_t *const first = t->s->level[0].begin;
    for (size_t c = begin; c < end; c++) {
        if (t->s->parent[first[c]] != first[c]) continue;
        const uint32_t label = clump_rank(&t->ranks, t->low[first[c]]);
        t->low[first[c]] = label;
        t->root[label] = first[c];
    }
}

/* Replaces the smallest point of each cell by its label. */
static void label_cells(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const numbering *const t = arg;
    const uint32_t *const first = t->s->level[0].begin;
    for (size_t c = begin; c < end; c++) t->s->least[c] = t->low[t->s->parent[first[c]]];
}

static void label_points(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const numbering *const t = arg;
    for (size_t i = begin; i < end; i++) {
        const uint32_t cell = (uint32_t)t->labels[i];
        t->labels[i] = cell == CLUMP_NO_BLOCK ? CLUMP_NOISE : (int32_t)t->s->least[cell];
    }
}

/* Numbers the clusters of level 0. */
static clump_status number_finest(clump_work *work, numbering *t, size_t points, int threads, int32_t *count)
{
    clump_shells *const s = t->s;
    const size_t cells = s->level[0].cells;
    CLUMP_TRY(clump_buffer_reserve(work, &s->ranks, clump_ranks_bytes(points)));
    CLUMP_TRY(clump_buffer_reserve(work, &s->lows, (s->count + 1) * sizeof *t->low));
    CLUMP_TRY(clump_buffer_reserve(work, &s->roots, cells * sizeof *t->root));
    t->low = s->lows.data;
    t->root = s->roots.data;
    t->ranks = clump_ranks_make(s->ranks.data, points);
    t->shared = threads > 1;
    memset(t->low, 0xff, s->count * sizeof *t->low);
    if (s->levels > 1) /* the next level looks at all points */
        CLUMP_TRY(clump_run(work, threads, s->count, CLUMP_CHUNK, find_roots, t));
    else
        CLUMP_TRY(clump_run(work, threads, cells, CLUMP_CHUNK, find_cell_roots, t));
    CLUMP_TRY(clump_run(work, threads, cells, CLUMP_CHUNK, find_lows, t));
    CLUMP_TRY(clump_run(work, threads, cells, CLUMP_CHUNK, mark_firsts, t));
    *count = (int32_t)clump_ranks_count(&t->ranks);
    CLUMP_TRY(clump_run(work, threads, cells, CLUMP_CHUNK, number_roots, t));
    CLUMP_TRY(clump_run(work, threads, cells, CLUMP_CHUNK, label_cells, t));
    return clump_run(work, threads, points, CLUMP_CHUNK, label_points, t);
}

/* Numbers the clusters of a level above: that of the first cluster below comes first. Writes the parents of the `below`
 * clusters of the level below, and returns the number of clusters. */
static int32_t number_coarse(const clump_shells *s, int32_t below, int32_t *parent)
{
    uint32_t *const low = s->lows.data, *const roots = s->roots.data;
    int32_t count = 0;
    for (int32_t c = 0; c < below; c++) low[clump_root(s->parent, roots[c])] = UINT32_MAX;
    for (int32_t c = 0; c < below; c++) {
        const uint32_t root = clump_root(s->parent, roots[c]);
        if (low[root] == UINT32_MAX) {
            roots[count] = root; /* count <= c */
            low[root] = (uint32_t)count++;
        }
        parent[c] = (int32_t)low[root];
    }
    return count;
}

/* ----- all of it -------------------------------------------------------------------------------------------- */

static clump_status join_level(clump_work *work, clump_shells *s, int k, int threads)
{
    clump_shell_work w = {
        .team = work->team, .s = s, .at = &s->level[k], .level = k, .point = s->point, .parent = s->parent};
    if (k == 0 && s->levels > 1) {
        CLUMP_TRY(clump_shells_light(work, &w, threads));
    } else {
        CLUMP_TRY(clump_shells_inside(work, &w, threads));
        CLUMP_TRY(clump_shells_join(work, &w, threads));
    }
    return clump_shells_open(work, &w, threads);
}

/* Sets the rule and the limits of all shells: (2) of grid/shells.h, and the least radius of a neighbour of a point of the
 * next shell (rules/radius.h). Both with a margin for rounding. */
static void set_limits(clump_shells *s, const clump_cloud_job *job, int levels)
{
    s->levels = levels;
    s->work = 0;
    s->inclusive = job->bound != clump_distance_bound(job->d);
    s->rule = clump_radius_rule_make(job->d, job->per_metre, job->sensor, job->two_d);
    const float edge = (float)(1 / clump_cell_rule_make(job->d, job->two_d).inverse) * (1 - 0x1p-16f);
    const float least = 0.98f * job->d / (1 + ldexpf(job->per_metre, levels - 1)) * (1 - 0x1p-16f);
    for (int k = 0; k < CLUMP_SHELLS; k++) {
        const float next = ldexpf(least, k + 1);
        s->limits[k].two = ldexpf(4 * edge * edge, 2 * k);
        s->limits[k].three = ldexpf(9 * edge * edge, 2 * k);
        s->limits[k].next = job->per_metre > 0 ? next * next : INFINITY;
        const float most = ldexpf(1.021f * (1 + job->per_metre) * job->d, k);
        s->limits[k].previous = most * most;
    }
}

clump_status clump_shells_begin(clump_work *work, clump_shells *s, clump_blocks *blocks, const clump_cloud_job *job,
                                int levels, bool indexed, int threads, bool *done)
{
    far_search far = {job, limit_of(job, job->d), 0};
    CLUMP_TRY(clump_run(work, threads, job->count, CLUMP_CHUNK, search_far, &far));
    *done = !far.found;
    if (far.found) return CLUMP_OK;
    set_limits(s, job, levels);
    CLUMP_TRY(clump_buffer_reserve(work, &s->indices, indexed ? job->count * sizeof *s->index : 0));
    s->index = indexed ? s->indices.data : NULL;
    return clump_shells_build(work, s, blocks, job, threads);
}

clump_status clump_shells_finest(clump_work *work, clump_shells *s, size_t points, int32_t *labels, int threads,
                                 int32_t *clusters, double *joined)
{
    CLUMP_TRY(clump_buffer_reserve(work, &s->parents, s->count * sizeof *s->parent));
    s->parent = s->parents.data;
    CLUMP_TRY(join_level(work, s, 0, threads));
    *joined = clump_now_ms();
    numbering t = {.s = s, .labels = labels};
    return number_finest(work, &t, points, threads, clusters);
}

clump_status clump_shells_tree(clump_work *work, clump_shells *s, clump_blocks *blocks, const clump_cloud_job *job,
                               int levels, int32_t *const *parent, int32_t *counts, clump_stats *stats, bool *done)
{
    const int threads = clump_threads_for(work, job->count, SHELLS_SLICE);
    clump_stages at = {.start = clump_now_ms()};
    CLUMP_TRY(clump_shells_begin(work, s, blocks, job, levels, false, threads, done));
    if (!*done) return CLUMP_OK;
    at.built = clump_now_ms();
    CLUMP_TRY(clump_shells_finest(work, s, job->count, job->labels, threads, &counts[0], &at.clustered));
    at.labelled = clump_now_ms();
    stats->clusters = counts[0];
    stats->finite = blocks->finite;
    stats->masked = blocks->masked;
    stats->noise = blocks->left_out;
    clump_report_stages(stats, threads, 1, at);
    for (int k = 1; k < levels; k++) {
        CLUMP_TRY(join_level(work, s, k, threads));
        counts[k] = number_coarse(s, counts[k - 1], parent[k - 1]);
    }
    stats->cluster_ms += clump_now_ms() - at.labelled;
    return CLUMP_OK;
}

void clump_shells_release(clump_work *work, clump_shells *s)
{
    for (int k = 0; k < CLUMP_TREE_LEVELS; k++) {
        clump_shell_level *const at = &s->level[k];
        clump_buffer *const all[] = {&at->blocks,   &at->sorted, &at->slots,  &at->infos,
                                     &at->children, &at->begins, &at->filters};
        for (size_t i = 0; i < sizeof all / sizeof *all; i++) clump_buffer_release(work, all[i]);
    }
    clump_buffer *const all[] = {&s->points, &s->indices, &s->parents,  &s->leasts, &s->places, &s->nodes,
                                 &s->trees,  &s->copies,  &s->searches, &s->ranks,  &s->lows,   &s->roots};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) clump_buffer_release(work, all[i]);
}
