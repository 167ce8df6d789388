/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tree.cu: see tree.h. The host launches the steps and reads one number per round: how many edges there are. A call is
 *
 *     upload    points and mask                                         gpu/transfer.h
 *     boxes     the box tree                                            nn/tree.h
 *     near      core distances and lists
 *     rounds    offers, searches, joins, until one component is left
 *     merge     one step per bit of the number of different weights
 *     results   to the caller
 */
#include "cuda/tree/tree.h"

#include "cuda/gpu/launch.h"
#include "cuda/gpu/scan.h"
#include "cuda/tree/tree_edges.cuh"
#include "cuda/tree/tree_merge.cuh"
#include "cuda/tree/tree_near.cuh"
#include "cuda/tree/tree_rounds.cuh"

extern "C" {
#include "common/timer.h"
}

enum {
    TREE_ROUNDS_LISTS = 6, /* rounds without searches go on while one component in this many finds an edge */
    TREE_BETWEEN = 1 << 22 /* places between two polls; 40 ms at most with lists of 10 */
};
static const char TREE_WHAT[] = "making a tree";

/* ----- memory -------------------------------------------------------------------------------------- */

static void cut_kept(clump_cutter *c, tree_forest *f, uint64_t **sorted, size_t n)
{
    clump_cut(c, &f->core, n);
    clump_cut(c, &f->edges, n);
    clump_cut(c, &f->keys, n);
    clump_cut(c, sorted, n);
}

static void cut_rounds(clump_cutter *c, tree_forest *f, size_t n)
{
    clump_cut(c, &f->near, n * TREE_LISTED);
    clump_cut(c, &f->lower, n);
    clump_cut(c, &f->fill, n);
    clump_cut(c, &f->target, n);
    clump_cut(c, &f->component, n);
    clump_cut(c, &f->set, n);
    clump_cut(c, &f->best, n);
    clump_cut(c, &f->least, n);
}

static void cut_merge(clump_cutter *c, tree_merge *m, size_t n)
{
    uint32_t **const of_slots[] = {&m->id, &m->low, &m->up, &m->least, &m->claim, &m->root};
    for (uint32_t **slots : of_slots) clump_cut(c, slots, 2 * n);
    clump_cut(c, &m->rank, n + 1);
    clump_cut(c, &m->first, n);
}

static void cut_boxes(clump_cutter *c, tree_forest *f)
{
    for (uint32_t l = 0; l < f->tree.levels; l++) {
        clump_cut(c, &f->box_component[l], f->tree.counts[l]);
        clump_cut(c, &f->box_core[l], f->tree.counts[l]);
        clump_cut(c, &f->box_lower[l], f->tree.counts[l]);
    }
}

/* Makes room for the arrays of a cloud of n points, and places them: a later cloud may have more points that take part. */
static clump_status take_memory(clump_work *work, clump_cuda *cuda, clump_cuda_forest *s, size_t n, tree_forest *f,
                                tree_merge *m)
{
    uint64_t *sorted;
    clump_cutter kept = {}, rounds = {}, merge = {}, boxes = {};
    cut_kept(&kept, f, &sorted, n);
    cut_rounds(&rounds, f, n);
    cut_merge(&merge, m, n);
    cut_boxes(&boxes, f);
    CLUMP_TRY(clump_device_reserve(work, cuda, &s->kept, kept.used));
    CLUMP_TRY(clump_device_reserve(work, cuda, &s->arena, rounds.used > merge.used ? rounds.used : merge.used));
    CLUMP_TRY(clump_device_reserve(work, cuda, &s->per_box, boxes.used));
    CLUMP_TRY(clump_scan_reserve(work, cuda, &s->sort, (uint32_t)n));
    kept = clump_cutter{(char *)s->kept.data, 0};
    rounds = merge = clump_cutter{(char *)s->arena.data, 0};
    boxes = clump_cutter{(char *)s->per_box.data, 0};
    cut_kept(&kept, f, &sorted, n);
    cut_rounds(&rounds, f, n);
    cut_merge(&merge, m, n);
    cut_boxes(&boxes, f);
    m->edges = f->edges;
    m->sorted = sorted;
    m->points = f->tree.points;
    return CLUMP_OK;
}

void clump_cuda_forest_trim(clump_work *work, clump_cuda *cuda, clump_cuda_forest *s)
{
    clump_device_buffer *const all[] = {&s->boxes.points, &s->boxes.boxes,   &s->order.keys, &s->order.sorted,
                                        &s->order.sort,   &s->order.borders, &s->kept,       &s->arena,
                                        &s->per_box,      &s->sort,          &s->results,    &s->counters};
    for (clump_device_buffer *buffer : all) clump_device_release(work, cuda, buffer);
    clump_pinned_release(work, &s->counters_on_host);
}

/* ----- steps --------------------------------------------------------------------------------------- */

/* Puts a kernel with a thread per item on the stream. */
template <class... P, class... A>
static clump_status each(clump_work *work, clump_cuda *cuda, uint64_t items, void (*kernel)(P...),
                         const A &...arguments)
{
    return clump_launch_items(work, cuda, TREE_WHAT, items, TREE_THREADS, CLUMP_GRID_MOST, kernel, arguments...);
}

/* Waits, and reads the counters. */
static clump_status read_counters(clump_work *work, clump_cuda *cuda, clump_cuda_forest *s, tree_counters *out)
{
    CLUMP_CUDA(
        work, cuda, TREE_WHAT,
        cudaMemcpyAsync(s->counters_on_host.data, s->counters.data, sizeof *out, cudaMemcpyDeviceToHost, cuda->stream));
    CLUMP_TRY(clump_cuda_synchronize(work, cuda, TREE_WHAT));
    *out = *(const tree_counters *)s->counters_on_host.data;
    return clump_poll(work);
}

__global__ static void __launch_bounds__(TREE_THREADS)
    tree_count_points(clump_cloud_view cloud, tree_counters *counters)
{
    const uint64_t i = blockIdx.x * (uint64_t)TREE_THREADS + threadIdx.x;
    float x, y, z;
    bool finite = false, masked = false;
    if (i < cloud.count) (void)clump_view_point(cloud, i, &x, &y, &z, &finite, &masked);
    const int finite_count = __syncthreads_count(finite), masked_count = __syncthreads_count(masked);
    if (threadIdx.x > 0) return;
    if (finite_count > 0) atomicAdd(&counters->finite, (uint32_t)finite_count);
    if (masked_count > 0) atomicAdd(&counters->masked, (uint32_t)masked_count);
}

/* Counts the points and makes the box tree of those that take part. */
static clump_status make_boxes(clump_work *work, clump_cuda *cuda, clump_cuda_forest *s, const clump_cloud_view *cloud,
                               tree_counters *counted)
{
    CLUMP_TRY(clump_device_reserve(work, cuda, &s->counters, sizeof(tree_counters)));
    CLUMP_TRY(clump_pinned_reserve(work, cuda, &s->counters_on_host, sizeof(tree_counters)));
    tree_counters *const counters = (tree_counters *)s->counters.data;
    CLUMP_CUDA(work, cuda, TREE_WHAT, cudaMemsetAsync(counters, 0, sizeof *counters, cuda->stream));
    CLUMP_TRY(each(work, cuda, cloud->count, tree_count_points, *cloud, counters));
    CLUMP_TRY(clump_cuda_tree_build(work, cuda, &s->order, work, cuda, &s->boxes, cloud, &counters->places));
    return read_counters(work, cuda, s, counted);
}

/* Finds core distances and lists. */
static clump_status find_near(clump_work *work, clump_cuda *cuda, const tree_forest &f, uint32_t min_samples)
{
    const uint32_t k = min_samples > TREE_FOUND ? min_samples : (uint32_t)TREE_FOUND;
    CLUMP_ASSERT(k <= 128);
    const auto kernel = k <= 32 ? tree_find_near<1> : k <= 64 ? tree_find_near<2> : tree_find_near<4>;
    for (uint64_t from = 0; from < f.count; from += TREE_BETWEEN) {
        if (from > 0) CLUMP_TRY(clump_cuda_synchronize(work, cuda, TREE_WHAT));
        CLUMP_TRY(clump_cuda_poll(work, cuda));
        const uint64_t warps = f.count - from < TREE_BETWEEN ? f.count - from : (uint64_t)TREE_BETWEEN;
        CLUMP_TRY(each(work, cuda, 32 * warps, kernel, f, k, min_samples, (uint32_t)from));
    }
    return CLUMP_OK;
}

/* Finds the component of every box, and the first time its smallest core distance. */
static clump_status renew_boxes(clump_work *work, clump_cuda *cuda, const tree_forest &f, bool cores)
{
    CLUMP_TRY(each(work, cuda, 32 * (uint64_t)f.tree.counts[0], tree_renew_leaves, f, cores));
    for (uint32_t l = 1; l < f.tree.levels; l++)
        CLUMP_TRY(each(work, cuda, 32 * (uint64_t)f.tree.counts[l], tree_renew_level, f, (int)l, cores));
    return CLUMP_OK;
}

static clump_status search_edges(clump_work *work, clump_cuda *cuda, const tree_forest &f, bool first)
{
    CLUMP_TRY(renew_boxes(work, cuda, f, first));
    for (uint32_t l = f.tree.levels - 1; l > 0; l--)
        CLUMP_TRY(each(work, cuda, 32 * (uint64_t)f.tree.counts[l], tree_close_boxes, f, (int)l));
    const uint64_t leaves = (f.count + (uint64_t)CLUMP_TREE_FAN - 1) / CLUMP_TREE_FAN;
    return each(work, cuda, 32 * leaves, tree_search_leaves, f, 0u);
}

/* Finds the edges of a minimum spanning forest: no edge has infinite weight. */
static clump_status find_edges(clump_work *work, clump_cuda *cuda, clump_cuda_forest *s, const tree_forest &f,
                               uint32_t *edges)
{
    bool searched = false, first = true;
    CLUMP_TRY(each(work, cuda, f.count, tree_begin, f));
    *edges = 0;
    while (f.count - *edges > 1) {
        const uint32_t before = f.count - *edges;
        CLUMP_CUDA(work, cuda, TREE_WHAT, cudaMemsetAsync(f.best, 0xff, f.count * sizeof *f.best, cuda->stream));
        CLUMP_CUDA(work, cuda, TREE_WHAT, cudaMemsetAsync(f.least, 0xff, f.count * sizeof *f.least, cuda->stream));
        CLUMP_TRY(each(work, cuda, f.count, tree_offer_edges, f));
        if (searched) {
            CLUMP_TRY(search_edges(work, cuda, f, first));
            first = false;
        }
        CLUMP_TRY(each(work, cuda, f.count, tree_join, f, searched));
        CLUMP_TRY(each(work, cuda, f.count, tree_rename, f));
        tree_counters c;
        CLUMP_TRY(read_counters(work, cuda, s, &c));
        const uint32_t taken = c.edges - *edges;
        *edges = c.edges;
        if (searched && taken == 0) break; /* what is left is infinitely far apart */
        searched = searched || (uint64_t)taken * TREE_ROUNDS_LISTS < before;
    }
    return CLUMP_OK;
}

/* Sorts the edges and finds their ranks; *ranks is the number of different weights. */
static clump_status rank_edges(clump_work *work, clump_cuda *cuda, clump_cuda_forest *s, const tree_forest &f,
                               const tree_merge &m, uint32_t *ranks)
{
    CLUMP_TRY(clump_sort_keys(work, cuda, &s->sort, f.keys, (uint64_t *)m.sorted, m.edge_count, 32, 63));
    CLUMP_TRY(each(work, cuda, m.edge_count, tree_mark_ranks, m));
    CLUMP_TRY(clump_scan(work, cuda, &s->sort, m.rank, m.edge_count));
    CLUMP_CUDA(work, cuda, TREE_WHAT,
               cudaMemcpyAsync(&f.counters->ranks, m.rank + m.edge_count - 1, sizeof(uint32_t),
                               cudaMemcpyDeviceToDevice, cuda->stream));
    tree_counters c;
    CLUMP_TRY(read_counters(work, cuda, s, &c));
    *ranks = c.ranks + 1;
    return CLUMP_OK;
}

/* Makes the hierarchy of the edges. */
static clump_status merge_edges(clump_work *work, clump_cuda *cuda, clump_cuda_forest *s, const tree_forest &f,
                                const tree_merge &m)
{
    const uint64_t slots = 2 * (uint64_t)m.edge_count;
    uint32_t ranks = 1, half = 1;
    CLUMP_TRY(rank_edges(work, cuda, s, f, m, &ranks));
    CLUMP_CUDA(work, cuda, TREE_WHAT, cudaMemsetAsync(m.first, 0xff, f.count * sizeof *m.first, cuda->stream));
    CLUMP_TRY(each(work, cuda, slots, tree_find_first, m));
    CLUMP_TRY(each(work, cuda, slots, tree_begin_slots, m));
    while (half < ranks) half *= 2;
    for (half /= 2; half > 0; half /= 2) {
        CLUMP_TRY(clump_cuda_poll(work, cuda));
        CLUMP_TRY(each(work, cuda, slots, tree_begin_step, m));
        CLUMP_TRY(each(work, cuda, m.edge_count, tree_join_left, m, half));
        CLUMP_TRY(each(work, cuda, slots, tree_find_roots, m, half));
        CLUMP_TRY(each(work, cuda, slots, tree_move_right, m, half));
    }
    CLUMP_TRY(each(work, cuda, slots, tree_begin_step, m));
    CLUMP_TRY(each(work, cuda, m.edge_count, tree_join_left, m, 0u));
    CLUMP_TRY(each(work, cuda, slots, tree_find_roots, m, 0u));
    return each(work, cuda, slots, tree_write_ends, m);
}

/* ----- the whole ----------------------------------------------------------------------------------- */

/* Where the GPU writes the results: the caller's memory, or the context's. */
typedef struct tree_results {
    int32_t *parents;
    float *heights, *cores;
} tree_results;

static clump_status place_results(clump_work *work, clump_cuda *cuda, clump_cuda_forest *s, const clump_tree_job *job,
                                  tree_results *r)
{
    const size_t n = job->in.count;
    *r = tree_results{job->parents, job->heights, job->cores};
    if (job->in.place != CLUMP_PLACE_HOST) return CLUMP_OK;
    clump_cutter c = {};
    for (int turn = 0; turn < 2; turn++) {
        clump_cut(&c, &r->parents, n);
        clump_cut(&c, &r->heights, n);
        if (job->cores) clump_cut(&c, &r->cores, n);
        if (turn == 0) CLUMP_TRY(clump_device_reserve(work, cuda, &s->results, c.used));
        c = clump_cutter{(char *)s->results.data, 0};
    }
    return CLUMP_OK;
}

/* Brings the results to the caller, and waits. */
static clump_status finish(clump_work *work, clump_cuda *cuda, clump_transfer *t, const clump_tree_job *job,
                           const tree_results &r)
{
    const size_t bytes = job->in.count * sizeof(int32_t);
    const clump_fetched parts[] = {
        {job->parents, r.parents, bytes}, {job->heights, r.heights, bytes}, {job->cores, r.cores, bytes}};
    if (job->in.place == CLUMP_PLACE_HOST) CLUMP_TRY(clump_fetch(work, cuda, t, parts, 3));
    return clump_cuda_synchronize(work, cuda, TREE_WHAT);
}

/* Makes the tree of a cloud on the GPU. */
static clump_status make_tree(clump_work *work, clump_cuda *cuda, clump_cuda_forest *s, const clump_cloud_view *cloud,
                              const clump_tree_job *job, const tree_results &r, clump_stats *stats)
{
    const double start = clump_now_ms();
    tree_counters c;
    CLUMP_TRY(make_boxes(work, cuda, s, cloud, &c));
    stats->finite = c.finite, stats->masked = c.masked;
    tree_forest f = {};
    tree_merge m = {};
    f.tree = s->boxes.view;
    f.count = c.places;
    f.counters = (tree_counters *)s->counters.data;
    m.parents = r.parents, m.heights = r.heights;
    CLUMP_TRY(each(work, cuda, cloud->count, tree_clear_results, cloud->count, r.parents, r.heights, r.cores));
    const double built = clump_now_ms();
    stats->build_ms = built - start;
    if (f.count == 0) return CLUMP_OK;
    CLUMP_TRY(take_memory(work, cuda, s, cloud->count, &f, &m));
    CLUMP_TRY(find_near(work, cuda, f, (uint32_t)job->min_samples));
    CLUMP_TRY(find_edges(work, cuda, s, f, &m.edge_count));
    const double found = clump_now_ms();
    stats->cluster_ms = found - built;
    CLUMP_TRY(each(work, cuda, f.count, tree_begin_results, f, r.parents, r.cores));
    if (m.edge_count > 0) CLUMP_TRY(merge_edges(work, cuda, s, f, m));
    CLUMP_TRY(clump_cuda_synchronize(work, cuda, TREE_WHAT));
    stats->label_ms = clump_now_ms() - found;
    return CLUMP_OK;
}

clump_status clump_cuda_forest_run(clump_work *work, clump_cuda *cuda, clump_cuda_forest *s, clump_transfer *transfer,
                                   const clump_tree_job *job, clump_stats *stats)
{
    if (clump_cuda_capturing(cuda))
        return clump_fail(work, CLUMP_ERR_DEVICE, "a tree cannot be made while the stream is captured");
    CLUMP_ASSERT(job->in.count <= INT32_MAX && job->min_samples >= 1);
    if (job->in.count == 0) return CLUMP_OK;
    clump_cloud_job in = job->in;
    in.labels = NULL;
    clump_cloud_view cloud;
    int32_t *labels;
    tree_results r;
    CLUMP_TRY(clump_upload(work, cuda, transfer, &in, 0, 0, &cloud, &labels));
    CLUMP_TRY(place_results(work, cuda, s, job, &r));
    CLUMP_TRY(make_tree(work, cuda, s, &cloud, job, r, stats));
    const double made = clump_now_ms();
    CLUMP_TRY(finish(work, cuda, transfer, job, r));
    stats->download_ms = clump_now_ms() - made;
    return transfer->sends ? clump_transfer_elapsed(work, cuda, transfer->before, transfer->uploaded, &stats->upload_ms)
                           : CLUMP_OK;
}
