/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranged.cu: see ranged.h. How many points have a larger radius, and how many cells they fill, is known on the GPU only:
 * memory and launches are for as many as there are points, and nothing is asked on the way.
 *
 *     Euclidean clustering       fast at d ─► points with a larger radius into cells ─► join ─► numbers anew
 *     DBSCAN                     fast at eps, for core points ─► points with a larger radius, and those near them, into
 *                                cells ─► their core points ─► fast at eps of the core points ─► all core points into
 *                                cells ─► join ─► numbers anew ─► border points
 */
#include "cuda/ranged/ranged.h"

#include "cuda/ranged/ranged_kernels.cuh"
#include "cuda/gpu/scan.h"

#include <math.h>

enum { BLOCK = 128 };

/* ----- memory ---------------------------------------------------------------------------------------------- */

/* Cuts pieces off the arena; with base null it only adds up. */
typedef struct cutter {
    char *base;
    size_t used;
} cutter;

template <class T> static void cut(cutter *c, T **out, size_t count)
{
    *out = (T *)(c->base ? c->base + c->used : NULL);
    c->used += (count * sizeof(T) + 255) / 256 * 256;
}

static size_t lay_out(char *base, size_t n, ranged_job *job)
{
    cutter c = {base, 0};
    size_t slots = 1024;
    while (slots < n + n / 2) slots *= 2;
    job->slot_mask = (uint32_t)(slots - 1);
    cut(&c, &job->cells, slots); /* these are cleared, up to the end of the counters */
    cut(&c, &job->owner, slots);
    cut(&c, &job->counters, 1);
    cut(&c, &job->info, slots);
    cut(&c, &job->first, slots);
    cut(&c, &job->slot_of, n);
    cut(&c, &job->keys, n);
    cut(&c, &job->key, n);
    cut(&c, &job->places, n);
    cut(&c, &job->index, n);
    cut(&c, &job->point, n);
    cut(&c, &job->begin, n + 1);
    cut(&c, &job->level, n);
    cut(&c, &job->node, n + n / RANGED_CHUNK + 1);
    cut(&c, &job->parent, n);
    cut(&c, &job->mark, n + 1);
    return c.used;
}

void clump_cuda_ranged_trim(clump_context *ctx, clump_cuda *cuda, clump_cuda_ranged *r)
{
    clump_device_release(ctx, cuda, &r->arena);
    clump_device_release(ctx, cuda, &r->sort);
    clump_device_release(ctx, cuda, &r->core);
    clump_device_release(ctx, cuda, &r->counts);
}

/* ----- steps ------------------------------------------------------------------------------------------------ */

/* Launches for n things: threads take several where there are very many. */
#define RANGED_RUN(what, kernel, n, ...)                                                                               \
    CLUMP_CUDA(ctx, cuda, what,                                                                                        \
               (kernel<<<blocks_for(cuda, n), BLOCK, 0, cuda->stream>>>(__VA_ARGS__), cudaGetLastError()))

static uint32_t blocks_for(const clump_cuda *cuda, size_t n)
{
    const size_t blocks = (n + BLOCK - 1) / BLOCK, most = (size_t)cuda->units * 64;
    return (uint32_t)(blocks == 0 ? 1 : blocks < most ? blocks : most);
}

/* Which points are put into cells. */
typedef enum who { LARGER, LARGER_AND_NEAR, ALL } who;

static clump_status build(clump_context *ctx, clump_cuda *cuda, clump_cuda_ranged *r, const clump_cloud_job *job,
                          const clump_cloud_view *view, who which, ranged_job *w)
{
    const size_t n = view->count;
    const float eps = job->d;
    *w = ranged_job{};
    CLUMP_TRY(clump_device_reserve(ctx, cuda, &r->arena, lay_out(NULL, n, w)));
    lay_out((char *)r->arena.data, n, w);
    w->view = *view;
    w->hash_key = ctx->hash_key;
    w->rule = clump_radius_rule_make(eps, job->per_metre, job->sensor, job->two_d);
    w->bound = job->bound;
    w->strict = job->bound == clump_distance_bound(eps);
    w->from = which == ALL ? -1 : which == LARGER ? nextafterf(eps, INFINITY) : clump_radius_grown_beside(w->rule);
    for (int level = 0; level < RANGED_LEVELS; level++) {
        const float least = ldexpf(eps, level);
        if (least <= CLUMP_RADIUS_MOST) w->cell_rule[level] = clump_cell_rule_make(least, job->two_d);
    }
    const size_t cleared = (size_t)((char *)(w->counters + 1) - (char *)w->cells);
    CLUMP_CUDA(ctx, cuda, "clearing", cudaMemsetAsync(w->cells, 0, cleared, cuda->stream));
    RANGED_RUN("making cells", ranged_enter, n, *w);
    RANGED_RUN("making cells", ranged_number, (size_t)w->slot_mask + 1, *w);
    RANGED_RUN("making cells", ranged_keys, n, *w);
    CLUMP_TRY(clump_sort_pairs(ctx, cuda, &r->sort, (const uint64_t *)w->keys, (uint64_t *)w->key, w->places, w->index,
                               (uint32_t)n, 0, 64));
    RANGED_RUN("making cells", ranged_lay_out, n, *w);
    RANGED_RUN("making cells", ranged_nodes, n, *w);
    return CLUMP_OK;
}

static clump_status join(clump_context *ctx, clump_cuda *cuda, clump_cuda_ranged *r, const ranged_job *w,
                         int32_t *labels, clump_counts *counts)
{
    const size_t n = w->view.count;
    RANGED_RUN("joining", ranged_alone, n, *w);
    RANGED_RUN("joining", ranged_inside, n, *w, labels);
    RANGED_RUN("joining", ranged_join, n, *w, labels);
    RANGED_RUN("numbering clusters", ranged_mark, n + 1, *w, counts);
    CLUMP_TRY(clump_scan(ctx, cuda, &r->sort, w->mark, (uint32_t)n));
    RANGED_RUN("renumbering labels", ranged_relabel, n, *w, labels, counts);
    return CLUMP_OK;
}

clump_status clump_cuda_ec_ranged(clump_context *ctx, clump_cuda *cuda, clump_cuda_ranged *r, clump_cuda_fast *f,
                                  const clump_cloud_job *job, const clump_cloud_view *view, int32_t *labels,
                                  clump_counts *counts)
{
    ranged_job w;
    CLUMP_TRY(clump_cuda_run_fast(ctx, cuda, f, job, NULL, view, false, labels, counts));
    if (view->count == 0) return CLUMP_OK;
    CLUMP_TRY(build(ctx, cuda, r, job, view, LARGER, &w));
    return join(ctx, cuda, r, &w, labels, counts);
}

clump_status clump_cuda_dbscan_ranged(clump_context *ctx, clump_cuda *cuda, clump_cuda_ranged *r, clump_cuda_fast *f,
                                      const clump_dbscan_job *job, const clump_cloud_view *view, int32_t *labels,
                                      uint8_t *core, clump_counts *counts)
{
    const size_t n = view->count;
    if (!core) CLUMP_TRY(clump_device_reserve(ctx, cuda, &r->core, n > 0 ? n : 1));
    uint8_t *const flags = core ? core : (uint8_t *)r->core.data;
    const clump_cuda_density density = {job->min_points, false, flags};
    CLUMP_TRY(clump_cuda_run_fast(ctx, cuda, f, &job->in, &density, view, false, labels, counts));
    if (n == 0) return CLUMP_OK;
    CLUMP_TRY(clump_device_reserve(ctx, cuda, &r->counts, sizeof(clump_counts)));
    clump_counts *const at_eps = (clump_counts *)r->counts.data;
    CLUMP_CUDA(ctx, cuda, "counting",
               cudaMemcpyAsync(at_eps, counts, sizeof *counts, cudaMemcpyDeviceToDevice, cuda->stream));
    ranged_job w;
    CLUMP_TRY(build(ctx, cuda, r, &job->in, view, LARGER_AND_NEAR, &w));
    RANGED_RUN("counting neighbours", ranged_core, n, w, job->min_points, flags);

    clump_cloud_view cores = *view;
    cores.mask = flags;
    CLUMP_TRY(clump_cuda_run_fast(ctx, cuda, f, &job->in, NULL, &cores, false, labels, counts));
    CLUMP_TRY(build(ctx, cuda, r, &job->in, &cores, ALL, &w));
    CLUMP_TRY(join(ctx, cuda, r, &w, labels, counts));
    if (job->border_points) RANGED_RUN("labelling border points", ranged_border, n, w, *view, flags, labels);
    CLUMP_CUDA(ctx, cuda, "counting noise", cudaMemsetAsync(&counts->noise, 0, sizeof counts->noise, cuda->stream));
    RANGED_RUN("counting noise", ranged_tell, n, w, labels, at_eps, counts);
    return CLUMP_OK;
}
