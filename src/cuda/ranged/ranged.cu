/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranged.cu: see ranged.h. Only the GPU knows how many points have a larger radius, and how many cells they fill. So memory
 * and launches are sized for all points, and the host reads nothing back.
 *
 *     Euclidean clustering       fast at d ──────────────────────────────┬─► join ─► numbers anew
 *                                points with a larger radius into cells ─┘
 *     DBSCAN                     fast at eps, for core points ─► points with a larger radius, and those beside them, into
 *                                cells ─► their core points ─► fast at eps of the core points ─► all core points into
 *                                cells ─► join ─► numbers anew ─► border points
 */
#include "cuda/ranged/ranged.h"

#include "cuda/gpu/transfer.h"
#include "cuda/gpu/launch.h"
#include "cuda/gpu/scan.h"
#include "cuda/ranged/ranged_kernels.cuh"

#include <math.h>

enum { RANGED_BLOCKS = 64 }; /* per multiprocessor, at most: threads then take several items */

/* ----- memory ---------------------------------------------------------------------------------------------- */

/* Cuts the arrays of a job off the arena; returns the bytes of all. With base null it only adds up. */
static size_t lay_out(char *base, size_t n, ranged_job *job)
{
    clump_cutter c = {base, 0};
    size_t slots = 1024;
    while (slots < n + n / 2) slots *= 2;
    CLUMP_ASSERT(slots > n && slots <= (size_t)UINT32_MAX + 1); /* a search in the hash table ends at a free slot */
    job->slot_mask = (uint32_t)(slots - 1);
    clump_cut(&c, &job->cells, slots); /* cleared for each call, as is all up to the end of the counters */
    clump_cut(&c, &job->owner, slots);
    clump_cut(&c, &job->counters, 1);
    clump_cut(&c, &job->info, slots);
    clump_cut(&c, &job->first, slots);
    clump_cut(&c, &job->slot_of, n);
    clump_cut(&c, &job->keys, n);
    clump_cut(&c, &job->key, n);
    clump_cut(&c, &job->places, n);
    clump_cut(&c, &job->index, n);
    clump_cut(&c, &job->point, n);
    clump_cut(&c, &job->begin, n + 1);
    clump_cut(&c, &job->level, n);
    clump_cut(&c, &job->set, n);
    clump_cut(&c, &job->node, n + n / RANGED_CHUNK + 1);
    clump_cut(&c, &job->starts, n);
    clump_cut(&c, &job->parent, n);
    clump_cut(&c, &job->mark, n + 1);
    return c.used;
}

void clump_cuda_ranged_trim(clump_work *work, clump_cuda *cuda, clump_cuda_ranged *r)
{
    clump_device_release(work, cuda, &r->arena);
    clump_device_release(work, cuda, &r->sort);
    clump_device_release(work, cuda, &r->core);
    clump_device_release(work, cuda, &r->counts);
}

void clump_cuda_ranged_close(clump_cuda_ranged *r)
{
    clump_cuda_lane_close(&r->lane);
}

/* ----- steps ------------------------------------------------------------------------------------------------ */

/* Puts a kernel on the stream, for n items. */
template <class... P, class... A>
static clump_status launch(clump_work *work, clump_cuda *cuda, const char *what, size_t n, void (*kernel)(P...),
                           const A &...arguments)
{
    return clump_launch_items(work, cuda, what, n, RANGED_THREADS, (uint64_t)cuda->units * RANGED_BLOCKS, kernel,
                              arguments...);
}

/* Which points are put into cells: those with a radius above eps, also those beside them, or all. */
typedef enum ranged_choice { RANGED_LARGER, RANGED_LARGER_AND_BESIDE, RANGED_ALL } ranged_choice;

/* Returns the bits of the keys of n points that are sorted by: no point in a cell has them all set. */
static int key_bits(size_t n)
{
    int bits = 0;
    while (n >> bits) bits++;
    return bits + 3 * RANGED_CURVE;
}

/* Fills the job of the kernels. */
static clump_status make_job(clump_work *work, clump_cuda *cuda, clump_cuda_ranged *r, const clump_cloud_job *job,
                             const clump_cloud_view *view, ranged_choice choice, ranged_job *w)
{
    const size_t n = view->count;
    const float eps = job->d;
    CLUMP_ASSERT(n > 0 && job->per_metre > 0);
    *w = ranged_job{};
    CLUMP_TRY(clump_device_reserve(work, cuda, &r->arena, lay_out(NULL, n, w)));
    lay_out((char *)r->arena.data, n, w);
    w->view = *view;
    w->hash_key = work->hash_key;
    w->rule = clump_radius_rule_make(eps, job->per_metre, job->sensor, job->two_d);
    w->bound = job->bound;
    w->strict = job->bound == clump_distance_bound(eps);
    w->from = choice == RANGED_ALL      ? -1
              : choice == RANGED_LARGER ? nextafterf(eps, INFINITY)
                                        : clump_radius_grown_beside(w->rule);
    for (int level = 0; level < RANGED_LEVELS; level++) {
        const float least = ldexpf(eps, level);
        if (least <= CLUMP_RADIUS_MOST) w->cell_rule[level] = clump_cell_rule_make(least, job->two_d);
    }
    return CLUMP_OK;
}

/* Puts the points of the choice into cells. */
static clump_status build(clump_work *work, clump_cuda *cuda, clump_cuda_ranged *r, const clump_cloud_job *job,
                          const clump_cloud_view *view, ranged_choice choice, ranged_job *w)
{
    const size_t n = view->count;
    CLUMP_TRY(make_job(work, cuda, r, job, view, choice, w));
    const size_t cleared = (size_t)((char *)(w->counters + 1) - (char *)w->cells);
    CLUMP_CUDA(work, cuda, "clearing", cudaMemsetAsync(w->cells, 0, cleared, cuda->stream));
    CLUMP_TRY(launch(work, cuda, "making cells", n, ranged_enter, *w));
    CLUMP_TRY(launch(work, cuda, "making cells", (size_t)w->slot_mask + 1, ranged_number, *w));
    CLUMP_TRY(launch(work, cuda, "making cells", n, ranged_keys, *w));
    CLUMP_TRY(clump_sort_pairs(work, cuda, &r->sort, (const uint64_t *)w->keys, (uint64_t *)w->key, w->places, w->index,
                               (uint32_t)n, 0, key_bits(n)));
    CLUMP_TRY(launch(work, cuda, "making cells", n, ranged_lay_out, *w));
    CLUMP_TRY(launch(work, cuda, "making cells", n, ranged_nodes, *w));
    return CLUMP_OK;
}

/* Joins the clusters at eps, and numbers the joined ones. */
static clump_status join(clump_work *work, clump_cuda *cuda, clump_cuda_ranged *r, const ranged_job *w, int32_t *labels,
                         clump_counts *counts)
{
    const size_t n = w->view.count;
    CLUMP_TRY(launch(work, cuda, "joining", n, ranged_inside, *w, labels));
    CLUMP_TRY(launch(work, cuda, "joining", n * 32, ranged_join, *w));
    CLUMP_TRY(launch(work, cuda, "numbering clusters", n + 1, ranged_mark, *w, counts));
    CLUMP_TRY(clump_scan(work, cuda, &r->sort, w->mark, (uint32_t)n));
    CLUMP_TRY(launch(work, cuda, "renumbering labels", n, ranged_relabel, *w, labels, counts));
    return CLUMP_OK;
}

clump_status clump_cuda_ec_ranged_at_eps(clump_work *work, clump_cuda *cuda, clump_cuda_ranged *r, clump_cuda_fast *f,
                                         const clump_cloud_job *job, const clump_cloud_view *view, int32_t *labels,
                                         clump_counts *counts)
{
    CLUMP_TRY(clump_cuda_lane_fork(work, cuda, &r->lane));
    return clump_cuda_run_fast(work, cuda, f, job, NULL, view, false, labels, counts);
}

clump_status clump_cuda_ec_ranged_cells(clump_work *work, clump_cuda *cuda, clump_cuda_ranged *r,
                                        const clump_cloud_job *job, const clump_cloud_view *view)
{
    const auto cells = [=](clump_cuda *side) {
        ranged_job w;
        return build(work, side, r, job, view, RANGED_LARGER, &w);
    };
    CLUMP_TRY(clump_cuda_lane_run(cuda, &r->lane, cells));
    return clump_cuda_lane_done(work, cuda, &r->lane);
}

clump_status clump_cuda_ec_ranged_join(clump_work *work, clump_cuda *cuda, clump_cuda_ranged *r,
                                       const clump_cloud_job *job, const clump_cloud_view *view, int32_t *labels,
                                       clump_counts *counts)
{
    ranged_job w;
    CLUMP_TRY(clump_cuda_lane_join(work, cuda, &r->lane));
    CLUMP_TRY(make_job(work, cuda, r, job, view, RANGED_LARGER, &w));
    return join(work, cuda, r, &w, labels, counts);
}

clump_status clump_cuda_ec_ranged(clump_work *work, clump_cuda *cuda, clump_cuda_ranged *r, clump_cuda_fast *f,
                                  const clump_cloud_job *job, const clump_cloud_view *view, int32_t *labels,
                                  clump_counts *counts)
{
    if (view->count == 0) return clump_cuda_run_fast(work, cuda, f, job, NULL, view, false, labels, counts);
    clump_status status = clump_cuda_ec_ranged_at_eps(work, cuda, r, f, job, view, labels, counts);
    if (status == CLUMP_OK) status = clump_cuda_ec_ranged_cells(work, cuda, r, job, view);
    if (status == CLUMP_OK) status = clump_cuda_ec_ranged_join(work, cuda, r, job, view, labels, counts);
    if (status != CLUMP_OK && !clump_cuda_capturing(cuda)) clump_cuda_lane_settle(&r->lane);
    return status;
}

clump_status clump_cuda_dbscan_ranged(clump_work *work, clump_cuda *cuda, clump_cuda_ranged *r, clump_cuda_fast *f,
                                      const clump_dbscan_job *job, const clump_cloud_view *view, int32_t *labels,
                                      uint8_t *core, clump_counts *counts)
{
    const size_t n = view->count;
    if (!core) CLUMP_TRY(clump_device_reserve(work, cuda, &r->core, n > 0 ? n : 1));
    uint8_t *const flags = core ? core : (uint8_t *)r->core.data;
    const clump_cuda_density density = {job->min_points, false, flags};
    CLUMP_TRY(clump_cuda_run_fast(work, cuda, f, &job->in, &density, view, false, labels, counts));
    if (n == 0) return CLUMP_OK;
    CLUMP_TRY(clump_device_reserve(work, cuda, &r->counts, sizeof(clump_counts)));
    clump_counts *const at_eps = (clump_counts *)r->counts.data;
    CLUMP_CUDA(work, cuda, "counting",
               cudaMemcpyAsync(at_eps, counts, sizeof *counts, cudaMemcpyDeviceToDevice, cuda->stream));
    ranged_job w;
    CLUMP_TRY(build(work, cuda, r, &job->in, view, RANGED_LARGER_AND_BESIDE, &w));
    CLUMP_TRY(launch(work, cuda, "counting neighbours", n, ranged_core, w, job->min_points, flags));

    clump_cloud_view cores = *view;
    cores.mask = flags;
    CLUMP_TRY(clump_cuda_run_fast(work, cuda, f, &job->in, NULL, &cores, false, labels, counts));
    CLUMP_TRY(build(work, cuda, r, &job->in, &cores, RANGED_ALL, &w));
    CLUMP_TRY(join(work, cuda, r, &w, labels, counts));
    if (job->border_points)
        CLUMP_TRY(launch(work, cuda, "labelling border points", n, ranged_border, w, *view, flags, labels));
    CLUMP_CUDA(work, cuda, "counting noise", cudaMemsetAsync(&counts->noise, 0, sizeof counts->noise, cuda->stream));
    CLUMP_TRY(launch(work, cuda, "counting noise", n, ranged_count_noise, w, labels, at_eps, counts));
    return CLUMP_OK;
}
