/* SPDX-License-Identifier: BSD-3-Clause
 *
 * backend.c: the table of the CPU backend (core/backend.h) and its state, the scratch memory of all methods. The table
 * calls the method that a job names.
 *
 * device.c knows the processor. Rooms of this backend, from the ground up:
 *
 *     shared      points of a job, kd-tree, numbers of sets         points.h
 *     grid        cells and blocks; dense sets                      blocks.h
 *     rows        sparse clouds                                     rows.h
 *     ec          Euclidean clustering                              ec.h
 *     dbscan      DBSCAN                                            dbscan.h
 *     batch       many clouds in one call                           batch.h
 *     ranged      a radius that grows with the range                ranged.h
 *     obstacles   ground, obstacles on the elevation map            erccl.h
 *     papers      methods of the literature, for comparison         papers.h
 *     describe    boxes, hulls, member lists                        describe.h
 *     detect      from scan to boxes                                detect.h
 *     objects     the tree of clusters, cut by size                 objects.h
 *     nn          nearest neighbours                                nn.h
 *     tree        clusters of every distance: single linkage        tree.h
 *
 * The header at the right is the door of the room: its head comment lists the files in the order in which data passes
 * them.
 */
#include "core/work.h"

#include "common/timer.h"
#include "cpu/batch/batch.h"
#include "cpu/dbscan/dbscan.h"
#include "cpu/describe/describe.h"
#include "cpu/detect/detect.h"
#include "cpu/device.h"
#include "cpu/ec/ec.h"
#include "cpu/nn/nn.h"
#include "cpu/objects/objects.h"
#include "cpu/obstacles/erccl.h"
#include "cpu/obstacles/ground.h"
#include "cpu/ranged/ranged.h"
#include "cpu/papers/papers.h"
#include "cpu/tree/tree.h"

#include <string.h>

typedef struct cpu_state {
    clump_cpu_fast fast;
    clump_cpu_bfs bfs;
    clump_six six;
    clump_cpu_dbscan dbscan;
    clump_cpu_sequential sequential;
    clump_cpu_disjoint disjoint;
    clump_cpu_dclust dclust;
    clump_cpu_ground ground;
    clump_ranged ranged;
    clump_cpu_erccl erccl;
    clump_cpu_nn nn;
    clump_cpu_describe_scratch describe;
    clump_cpu_detect detect;
    clump_cpu_objects objects;
    clump_cpu_batch batch;
    clump_cpu_tree tree;
} cpu_state;

#define CPU_STATE_BYTES ((sizeof(cpu_state) + 63) / 64 * 64) /* whole cache lines, like every buffer */

static clump_status open_state(clump_work *work, const clump_context_options *options, void **state)
{
    (void)options;
    *state = work->memory.allocate(CPU_STATE_BYTES, 64, work->memory.user);
    if (!*state)
        return clump_fail(work, CLUMP_ERR_OUT_OF_MEMORY, "%zu bytes of memory could not be allocated", CPU_STATE_BYTES);
    memset(*state, 0, sizeof(cpu_state));
    cpu_state *const s = *state;
    s->dbscan.density.grid.lent_work = &s->fast.blocks.own_work; /* the two are never built at the same time */
    return CLUMP_OK;
}

static void trim(clump_work *work, void *state)
{
    cpu_state *const s = state;
    clump_cpu_batch_release(work, &s->batch);
    clump_cpu_fast_release(work, &s->fast);
    clump_cpu_bfs_release(work, &s->bfs);
    clump_cpu_describe_release(work, &s->describe);
    clump_cpu_detect_release(work, &s->detect);
    clump_cpu_objects_release(work, &s->objects);
    clump_six_release(work, &s->six);
    clump_cpu_dbscan_release(work, &s->dbscan);
    clump_cpu_sequential_release(work, &s->sequential);
    clump_cpu_disjoint_release(work, &s->disjoint);
    clump_cpu_dclust_release(work, &s->dclust);
    clump_cpu_ground_release(work, &s->ground);
    clump_ranged_release(work, &s->ranged);
    clump_cpu_erccl_release(work, &s->erccl);
    clump_cpu_nn_release(work, &s->nn);
    clump_cpu_tree_release(work, &s->tree);
}

static void close_state(clump_work *work, void *state)
{
    trim(work, state);
    work->memory.release(state, CPU_STATE_BYTES, work->memory.user);
}

static clump_status reserve(clump_work *work, void *state, size_t max_points)
{
    cpu_state *const s = state;
    CLUMP_TRY(clump_cpu_fast_reserve(work, &s->fast, max_points));
    CLUMP_TRY(clump_cpu_dbscan_reserve(work, &s->dbscan, max_points));
    CLUMP_TRY(clump_cpu_ground_reserve(work, &s->ground));
    CLUMP_TRY(clump_cpu_detect_reserve(work, &s->detect, max_points));
    CLUMP_TRY(clump_cpu_describe_reserve(work, &s->describe, max_points));
    return clump_cpu_erccl_reserve(work, &s->erccl, max_points);
}

static clump_status run_ec(clump_work *work, cpu_state *s, const clump_ec_job *job, clump_stats *stats)
{
    switch (job->method) {
    case CLUMP_EC_FAST:
        if (job->in.per_metre > 0) return clump_cpu_ec_ranged(work, &s->ranged, &s->fast, &job->in, stats);
        return clump_cpu_ec_fast(work, &s->fast, &job->in, stats);
    case CLUMP_EC_BFS:
        return clump_cpu_ec_bfs(work, &s->bfs, &job->in, stats);
    case CLUMP_EC_VERTEX_ES:
    case CLUMP_EC_VERTEX_RS:
        return clump_cpu_ec_vertex(work, &s->six, job, CLUMP_SIX_TILE, stats);
    case CLUMP_EC_EDGE_ES:
    case CLUMP_EC_EDGE_RS:
        return clump_cpu_ec_edge(work, &s->six, job, CLUMP_SIX_TILE, stats);
    case CLUMP_EC_MATRIX_ES:
    case CLUMP_EC_MATRIX_RS:
        return clump_cpu_ec_matrix(work, &s->six, job, job->matrix_block, stats);
    }
    return clump_fail(work, CLUMP_ERR_INTERNAL, "the CPU has no method number %d", (int)job->method);
}

/* Applies the size limits and the order of labels, and adds the time to label_ms. */
static clump_status finish(clump_work *work, const clump_cloud_job *job, clump_stats *stats)
{
    const double start = clump_now_ms();
    const clump_status status = clump_labels_finish(work, job, stats);
    stats->label_ms += clump_now_ms() - start;
    return status;
}

static clump_status ec(clump_work *work, void *state, const clump_ec_job *job, clump_stats *stats)
{
    CLUMP_TRY(run_ec(work, state, job, stats));
    return finish(work, &job->in, stats);
}

static clump_status run_dbscan(clump_work *work, cpu_state *s, const clump_dbscan_job *job, clump_stats *stats)
{
    switch (job->method) {
    case CLUMP_DBSCAN_FAST:
        if (job->in.per_metre > 0) return clump_cpu_dbscan_ranged(work, &s->ranged, &s->dbscan, &s->fast, job, stats);
        return clump_cpu_dbscan_fast(work, &s->dbscan, &s->fast, job, stats);
    case CLUMP_DBSCAN_SEQUENTIAL:
        return clump_cpu_dbscan_sequential(work, &s->sequential, job, stats);
    case CLUMP_DBSCAN_DISJOINT_SET:
        return clump_cpu_dbscan_disjoint(work, &s->disjoint, job, CLUMP_DISJOINT_PAIRS, stats);
    case CLUMP_DBSCAN_DCLUST:
        return clump_cpu_dbscan_dclust(work, &s->dclust, job, stats);
    }
    return clump_fail(work, CLUMP_ERR_INTERNAL, "the CPU has no method number %d", (int)job->method);
}

static clump_status dbscan(clump_work *work, void *state, const clump_dbscan_job *job, clump_stats *stats)
{
    CLUMP_TRY(run_dbscan(work, state, job, stats));
    return finish(work, &job->in, stats);
}

static clump_status batch(clump_work *work, void *state, const clump_batch_job *job, clump_stats *stats)
{
    cpu_state *const s = state;
    return clump_cpu_batch_run(work, &s->batch, &s->fast, &s->dbscan, job, stats);
}

static clump_status ground(clump_work *work, void *state, const clump_ground_job *job, clump_stats *stats)
{
    return clump_cpu_ground_label(work, &((cpu_state *)state)->ground, job, stats);
}

static clump_status erccl(clump_work *work, void *state, const clump_erccl_job *job, clump_stats *stats)
{
    cpu_state *const s = state;
    const clump_erccl_papers papers = {clump_erccl_sweeps, clump_erccl_hash};
    clump_surface surface;
    CLUMP_TRY(clump_cpu_erccl_run(work, &s->erccl, &s->ground, job, &papers, &surface, stats));
    CLUMP_TRY(finish(work, &job->in, stats));
    clump_cpu_erccl_maps(job, &surface);
    return CLUMP_OK;
}

static clump_status index_build(clump_work *work, void *state, clump_work *home, void **index,
                                const clump_index_job *job, clump_stats *stats)
{
    return clump_cpu_index_build(work, &((cpu_state *)state)->nn, home, index, job, stats);
}

static clump_status index_query(clump_work *work, void *state, const void *index, const clump_query_job *job,
                                clump_stats *stats)
{
    return clump_cpu_index_query(work, &((cpu_state *)state)->nn, index, job, stats);
}

static clump_status tree(clump_work *work, void *state, const clump_tree_job *job, clump_stats *stats)
{
    return clump_cpu_tree_run(work, &((cpu_state *)state)->tree, job, stats);
}

/* This room is compiled once per level (core/level.c). */
#if defined(__AVX512F__)
#define CPU_VECTOR_BITS 512
#elif defined(__AVX2__)
#define CPU_VECTOR_BITS 256
#else
#define CPU_VECTOR_BITS 128
#endif

static clump_status describe(clump_work *work, void *state, const clump_describe_job *job, clump_stats *stats)
{
    return clump_cpu_describe(work, &((cpu_state *)state)->describe, job, stats);
}

static clump_status group(clump_work *work, void *state, const clump_group_job *job, clump_stats *stats)
{
    return clump_cpu_group(work, &((cpu_state *)state)->describe.buffer, job, stats);
}

/* Clusters the points that clump_cpu_detect_begin has chosen, and counts those of each cluster where `fast` labels them. */
static clump_status ec_taken(clump_work *work, cpu_state *s, const clump_detect_job *job, clump_detect_steps *steps,
                             clump_stats *stats)
{
    clump_ec_job taken = job->ec;
    taken.in = steps->cluster;
    s->fast.sizes = NULL;
    s->fast.counts = steps->unlimited && job->thin == 0 && taken.in.per_metre == 0;
    const clump_status status = ec(work, s, &taken, stats);
    s->fast.counts = false;
    steps->sizes = s->fast.sizes;
    return status;
}

/* Clusters the points that clump_cpu_detect_begin has chosen. */
static clump_status cluster_taken(clump_work *work, void *state, const clump_detect_job *job, clump_detect_steps *steps,
                                  clump_stats *stats)
{
    const clump_cloud_job *const in = &steps->cluster;
    if (job->method == CLUMP_DETECT_EC) return ec_taken(work, state, job, steps, stats);
    if (job->method == CLUMP_DETECT_DBSCAN) {
        clump_dbscan_job taken = job->dbscan;
        taken.in = *in;
        return dbscan(work, state, &taken, stats);
    }
    if (job->method == CLUMP_DETECT_OBJECTS) {
        cpu_state *const s = state;
        clump_objects_job taken = job->objects;
        taken.in = *in;
        const clump_ring_cloud cloud = {&taken, &job->in, &s->detect.gather, steps->threads};
        return clump_cpu_objects_run(work, &s->objects, &s->ranged, &s->fast, &cloud, steps->boxes.options.heights,
                                     stats);
    }
    clump_erccl_job taken = job->erccl;
    taken.in = *in;
    return erccl(work, state, &taken, stats);
}

static clump_status objects(clump_work *work, void *state, const clump_objects_job *job, const float *above,
                            clump_stats *stats)
{
    cpu_state *const s = state;
    const clump_ring_cloud cloud = {.job = job, .whole = &job->in, .threads = 1}; /* neighbours are exact: no rings */
    return clump_cpu_objects_run(work, &s->objects, &s->ranged, &s->fast, &cloud, above, stats);
}

/* Describes the first clusters, as many as the caller has room for. */
static clump_status describe_taken(clump_work *work, cpu_state *s, const clump_detect_job *job,
                                   const clump_describe_job *boxes, clump_stats *stats)
{
    const int32_t capacity = job->describe.described;
    if (capacity == 0 && !boxes->options.hull_offsets) return CLUMP_OK;
    const double start = clump_now_ms();
    clump_describe_job taken = *boxes;
    taken.cluster_count = stats->clusters;
    taken.described = stats->clusters < capacity ? stats->clusters : capacity;
    clump_stats described = {.threads = 1};
    CLUMP_TRY(clump_cpu_describe(work, &s->describe, &taken, &described));
    if (described.threads > stats->threads) stats->threads = described.threads;
    stats->describe_ms = clump_now_ms() - start;
    return CLUMP_OK;
}

static clump_status detect(clump_work *work, void *state, const clump_detect_job *job, clump_stats *stats)
{
    cpu_state *const s = state;
    clump_detect_steps steps;
    CLUMP_TRY(clump_cpu_detect_begin(work, &s->detect, &s->ground, job, &steps, stats));
    clump_stats clustered = {.threads = 1, .passes = 1};
    CLUMP_TRY(cluster_taken(work, s, job, &steps, &clustered));
    CLUMP_TRY(clump_cpu_detect_end(work, &s->detect, job, &steps, &clustered, stats));
    return describe_taken(work, s, job, &steps.boxes, stats);
}

const clump_backend_table *clump_backend_cpu(void)
{
    static const clump_backend_table table = {
        .id = CLUMP_BACKEND_CPU,
        .name = "cpu",
        .device_count = clump_cpu_device_count,
        .device_query = clump_cpu_device_query,
        .open = open_state,
        .close = close_state,
        .reserve = reserve,
        .trim = trim,
        .ec = ec,
        .dbscan = dbscan,
        .ground = ground,
        .erccl = erccl,
        .index_build = index_build,
        .index_query = index_query,
        .index_release = clump_cpu_index_release,
        .describe = describe,
        .group = group,
        .detect = detect,
        .batch = batch,
        .vector_bits = CPU_VECTOR_BITS,
        .index_one = clump_cpu_index_one,
        .tree = tree,
        .objects = objects,
    };
    return &table;
}
