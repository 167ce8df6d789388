/* SPDX-License-Identifier: BSD-3-Clause
 *
 * erccl.c: obstacles on the elevation map, from points to labels.
 *
 *     1  build    finds the surface of the ground, and the obstacle cells of the other points (ground.c, cells.c)
 *     2  cluster  joins cells into sets: the method
 *     3  label    numbers the sets by their smallest point index, and labels points by the set of their cell
 */
#include "cpu/obstacles/erccl.h"

#include "core/work.h"
#include "cpu/shared/numbering.h"
#include "cpu/shared/stages.h"

#define ERCCL_MIN_SHARE 8192 /* points per thread that are worth waking it */

/* Returns whether a method has threads. The others state an algorithm of the paper for one thread, which the call then
 * uses for everything, and the result reports. */
static bool has_threads(clump_erccl_method method)
{
    return method == CLUMP_ERCCL_FAST;
}

static clump_status find_sets(clump_work *work, clump_cpu_erccl *e, const clump_erccl_job *job,
                              const clump_erccl_papers *papers, int threads, int64_t *passes)
{
    CLUMP_TRY(clump_buffer_reserve(work, &e->sets, e->cells.count * sizeof(uint32_t)));
    if (e->cells.count == 0) return CLUMP_OK;
    uint32_t *const sets = e->sets.data;
    if (job->method == CLUMP_ERCCL_FAST) return clump_erccl_unite(work, e, job, sets, threads);
    return papers->sets(work, e, job, sets, passes);
}

typedef struct labelling {
    int32_t *labels;
    const uint32_t *sets;
} labelling;

static void label_chunk(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    int32_t *const labels = ((const labelling *)arg)->labels;
    const uint32_t *const sets = ((const labelling *)arg)->sets;
    for (size_t i = begin; i < end; i++)
        if (labels[i] >= 0) labels[i] = (int32_t)sets[labels[i]];
}

static inline uint32_t root_of(const void *e, size_t c)
{
    return ((const uint32_t *)((const clump_cpu_erccl *)e)->sets.data)[c];
}

static inline bool is_root(const void *e, size_t c)
{
    return root_of(e, c) == c;
}

static inline uint32_t first_of(const void *e, size_t c)
{
    return ((const clump_cpu_erccl *)e)->cells.first[c];
}

/* Numbers the sets in the order of their first points, and labels the points of their cells. */
static clump_status label_points(clump_work *work, clump_cpu_erccl *e, const clump_erccl_job *job, int threads,
                                 int32_t *clusters)
{
    const clump_cells *const cells = &e->cells;
    CLUMP_TRY(clump_buffer_reserve(work, &e->ranks, clump_ranks_bytes(job->in.count)));
    clump_ranks ranks = clump_ranks_make(e->ranks.data, job->in.count);
    uint32_t *const sets = e->sets.data, *const first = cells->first, count = cells->count;
    clump_number_lows(e, 0, count, root_of, first_of, first, false);
    clump_number_firsts(e, 0, count, is_root, first_of, &ranks, false);
    *clusters = (int32_t)clump_ranks_count(&ranks);
    for (uint32_t c = 0; c < count; c++) { /* the smallest cell of a set comes first: the others copy its number */
        CLUMP_ASSERT(sets[c] <= c);
        sets[c] = sets[c] == c ? clump_rank(&ranks, first[c]) : sets[sets[c]];
    }
    labelling l = {job->in.labels, sets};
    return clump_run(work, threads, job->in.count, CLUMP_CHUNK, label_chunk, &l);
}

clump_status clump_cpu_erccl_run(clump_work *work, clump_cpu_erccl *e, clump_cpu_ground *ground,
                                 const clump_erccl_job *job, const clump_erccl_papers *papers, clump_surface *surface,
                                 clump_stats *stats)
{
    const int threads = has_threads(job->method) ? clump_threads_for(work, job->in.count, ERCCL_MIN_SHARE) : 1;
    const bool hash = job->method == CLUMP_ERCCL_HASH;

    const double start = clump_now_ms();
    CLUMP_TRY(clump_cpu_ground_find(work, ground, &job->in, &job->ground, threads, surface, NULL));
    CLUMP_TRY(clump_cells_place(work, &e->cells, job, surface, threads));
    if (!hash) CLUMP_TRY(clump_cells_build(work, &e->cells, job, threads));
    const double built = clump_now_ms();
    stats->passes = 1;
    if (hash)
        CLUMP_TRY(papers->hash(work, e, job, &stats->clusters));
    else
        CLUMP_TRY(find_sets(work, e, job, papers, threads, &stats->passes));
    const double joined = clump_now_ms();
    if (!hash) CLUMP_TRY(label_points(work, e, job, threads, &stats->clusters));

    stats->finite = e->cells.finite;
    stats->masked = e->cells.masked;
    stats->ground = e->cells.ground;
    stats->ground_level = clump_surface_level(surface);
    stats->noise = e->cells.noise;
    clump_report_stages(stats, threads, stats->passes, (clump_stages){start, built, joined, clump_now_ms()});
    return CLUMP_OK;
}

clump_status clump_cpu_erccl_reserve(clump_work *work, clump_cpu_erccl *e, size_t max_points)
{
    const clump_erccl_options o = clump_erccl_defaults();
    const size_t rows = clump_erccl_rows(&o), columns = clump_erccl_columns(&o);
    const size_t cells = max_points < rows * columns ? max_points : rows * columns;
    CLUMP_TRY(clump_cells_reserve(work, &e->cells, max_points, (uint32_t)rows, (uint32_t)columns));
    CLUMP_TRY(clump_buffer_reserve(work, &e->sets, cells * sizeof(uint32_t)));
    CLUMP_TRY(clump_erccl_reserve_unite(work, e, cells, rows));
    return clump_buffer_reserve(work, &e->ranks, clump_ranks_bytes(max_points));
}

void clump_cpu_erccl_release(clump_work *work, clump_cpu_erccl *e)
{
    clump_cells_release(work, &e->cells);
    clump_buffer_release(work, &e->sets);
    clump_buffer_release(work, &e->ranks);
    clump_buffer_release(work, &e->scratch);
}
