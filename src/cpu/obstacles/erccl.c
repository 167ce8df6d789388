/* SPDX-License-Identifier: BSD-3-Clause
 *
 * erccl.c: obstacles on the elevation map, from points to labels.
 *
 *     1  build    the surface of the ground; the obstacle cells of the points that are not ground  (ground.c, cells.c)
 *     2  cluster  cells into sets: the method
 *     3  label    sets numbered by their smallest point index, points by their cell
 */
#include "cpu/obstacles/erccl.h"

#include "common/atomics.h"
#include "common/timer.h"
#include "core/context.h"
#include "cpu/shared/ranks.h"

#define MIN_SHARE 8192 /* points a thread must have to be worth waking */

/* The other methods are statements in one thread; then all of the call has one thread, and the result says so. */
static bool has_threads(clump_erccl_method method)
{
    return method == CLUMP_ERCCL_FAST || method == CLUMP_ERCCL_CCL;
}

static clump_status find_sets(clump_context *ctx, clump_cpu_erccl *e, const clump_erccl_job *job, int threads,
                              int64_t *passes)
{
    const clump_status status = clump_buffer_reserve(ctx, &e->sets, e->cells.count * sizeof(uint32_t));
    if (status != CLUMP_OK || e->cells.count == 0) return status;
    uint32_t *const sets = e->sets.data;
    switch (job->method) {
    case CLUMP_ERCCL_FAST:
    case CLUMP_ERCCL_CCL: /* its table says that all are alike */
        return clump_erccl_unite(ctx, e, job, sets, threads);
    case CLUMP_ERCCL_SERIAL:
        return clump_erccl_serial(ctx, e, job, sets, passes);
    case CLUMP_ERCCL_RACING:
        return clump_erccl_racing(ctx, e, job, sets, passes);
    case CLUMP_ERCCL_INDEPENDENT:
        return clump_erccl_independent(ctx, e, job, sets, passes);
    case CLUMP_ERCCL_HASH: /* has no sets */
        break;
    }
    return clump_fail(ctx, CLUMP_ERR_INTERNAL, "the CPU has no method number %d", (int)job->method);
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

/* Numbers the sets in the order of their first points and labels the points of their cells. */
static clump_status label_points(clump_context *ctx, clump_cpu_erccl *e, const clump_erccl_job *job, int threads,
                                 int32_t *clusters)
{
    const clump_cells *const cells = &e->cells;
    const clump_status status = clump_buffer_reserve(ctx, &e->ranks, clump_ranks_bytes(job->in.count));
    if (status != CLUMP_OK) return status;
    clump_ranks ranks = clump_ranks_make(e->ranks.data, job->in.count);
    uint32_t *const sets = e->sets.data, *const first = cells->first, count = cells->count;
    for (uint32_t c = 0; c < count; c++)
        if (first[c] < first[sets[c]]) first[sets[c]] = first[c];
    for (uint32_t c = 0; c < count; c++) clump_ranks_set_if(&ranks, first[sets[c]], true);
    *clusters = (int32_t)clump_ranks_count(&ranks);
    for (uint32_t c = 0; c < count;
         c++) /* the smallest cell of a set comes first: its number is there for the others */
        sets[c] = sets[c] == c ? clump_rank(&ranks, first[c]) : sets[sets[c]];
    labelling l = {job->in.labels, sets};
    return clump_run(ctx, threads, job->in.count, CLUMP_CHUNK, label_chunk, &l);
}

clump_status clump_cpu_erccl_run(clump_context *ctx, clump_cpu_erccl *e, clump_cpu_ground *ground,
                                 const clump_erccl_job *job, clump_surface *surface, clump_result *result)
{
    const int threads = has_threads(job->method) ? clump_threads_for(ctx, job->in.count, MIN_SHARE) : 1;
    const bool hash = job->method == CLUMP_ERCCL_HASH;

    const double start = clump_now_ms();
    clump_status status = clump_cpu_ground_find(ctx, ground, &job->in, &job->ground, threads, surface);
    if (status != CLUMP_OK) return status;
    CLUMP_TRY(clump_cells_place(ctx, &e->cells, job, surface, threads));
    if (!hash) status = clump_cells_build(ctx, &e->cells, job, threads);
    if (status != CLUMP_OK) return status;
    const double built = clump_now_ms();
    result->passes = 1;
    status = hash ? clump_erccl_hash(ctx, e, job, &result->clusters) : find_sets(ctx, e, job, threads, &result->passes);
    if (status != CLUMP_OK) return status;
    const double joined = clump_now_ms();
    if (!hash) status = label_points(ctx, e, job, threads, &result->clusters);
    if (status != CLUMP_OK) return status;

    result->finite = e->cells.finite;
    result->masked = e->cells.masked;
    result->ground = e->cells.ground;
    result->ground_level = clump_surface_level(surface);
    result->noise = e->cells.noise;
    result->threads = threads;
    result->build_ms = built - start;
    result->cluster_ms = joined - built;
    result->label_ms = clump_now_ms() - joined;
    return CLUMP_OK;
}

clump_status clump_cpu_erccl_reserve(clump_context *ctx, clump_cpu_erccl *e, size_t max_points)
{
    const clump_erccl_options o = clump_erccl_defaults();
    const uint32_t side = (uint32_t)clump_erccl_side(&o);
    const size_t cells = max_points < (size_t)side * side ? max_points : (size_t)side * side;
    clump_status status = clump_cells_reserve(ctx, &e->cells, max_points, side);
    if (status == CLUMP_OK) status = clump_buffer_reserve(ctx, &e->sets, cells * sizeof(uint32_t));
    if (status == CLUMP_OK) status = clump_erccl_reserve_unite(ctx, e, cells, side);
    if (status == CLUMP_OK) status = clump_buffer_reserve(ctx, &e->ranks, clump_ranks_bytes(max_points));
    return status;
}

void clump_cpu_erccl_release(clump_context *ctx, clump_cpu_erccl *e)
{
    clump_cells_release(ctx, &e->cells);
    clump_buffer_release(ctx, &e->sets);
    clump_buffer_release(ctx, &e->ranks);
    clump_buffer_release(ctx, &e->work);
}
