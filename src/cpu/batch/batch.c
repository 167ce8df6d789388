/* SPDX-License-Identifier: BSD-3-Clause
 *
 * batch.c: see batch.h.
 */
#include "cpu/batch/batch.h"

#include "common/timer.h"
#include "core/work.h"
#include "cpu/batch/small.h"
#include "rules/batch.h"

#include <string.h>

/* A cloud of LARGE points or more is clustered by several threads in any case, one of SHARED points or more where one
 * thread would have more than its share of the batch. */
#define BATCH_LARGE  65536
#define BATCH_SHARED 16384
#define BATCH_LEAST  2048 /* points that are worth waking a thread for: 20 us or more */
#define BATCH_CHUNK  1024 /* points per chunk: a chunk is long beside its claim, and short beside the batch */
#define BATCH_SIZES  33   /* classes of sizes: the number of bits of the count */

/* What a thread works with. `home` holds the memory and the message of a failure. It has one thread: its loops run on
 * this thread alone. */
typedef struct batch_worker {
    clump_work home;
    clump_small small;
    clump_cpu_fast fast;
    clump_cpu_dbscan dbscan;
    clump_stats sum; /* of the clouds of this thread */
    clump_status status;
} batch_worker;

#define BATCH_WORKER_BYTES ((sizeof(batch_worker) + 63) / 64 * 64) /* whole cache lines: no false sharing */

typedef struct batch_run {
    const clump_batch_job *job;
    clump_cpu_batch *batch;
    const uint32_t *order;
    size_t large;  /* the first clouds of the order */
    size_t widest; /* points of the largest other cloud */
} batch_run;

static batch_worker *worker_at(const clump_cpu_batch *b, int k)
{
    return (batch_worker *)(void *)((char *)b->workers.data + (size_t)k * BATCH_WORKER_BYTES);
}

static size_t count_of(const clump_batch_job *job, size_t c)
{
    return (size_t)(job->offsets[c + 1] - job->offsets[c]);
}

/* ----- memory ------------------------------------------------------------------------------------------------- */

/* Makes `home` that of this call. */
static void prepare_home(clump_work *work, clump_work *home)
{
    home->threads = 1;
    home->memory = work->memory;
    home->team = work->team;
    home->call = work->call;
    home->hash_key = work->hash_key;
    home->error[0] = '\0';
}

/* Reserves what the clouds of a thread need. Clouds that small.h finds too wide need the memory of `fast`. */
static clump_status reserve_worker(batch_worker *w, size_t points, bool density)
{
    clump_work *const home = &w->home;
    CLUMP_TRY(clump_small_reserve(home, &w->small, points < CLUMP_SMALL_MOST ? points : CLUMP_SMALL_MOST));
    CLUMP_TRY(clump_cpu_fast_reserve(home, &w->fast, points));
    w->dbscan.density.grid.lent_work = &w->fast.blocks.own_work; /* as in backend.c; the worker may have moved */
    if (density) CLUMP_TRY(clump_cpu_dbscan_reserve(home, &w->dbscan, points));
    return clump_labels_reserve(home, points);
}

/* Makes `threads` workers with memory for the clouds of the run. Their memory counts as that of the context. */
static clump_status reserve_workers(clump_work *work, const batch_run *run, int threads)
{
    clump_cpu_batch *const b = run->batch;
    const size_t old = (size_t)b->count * BATCH_WORKER_BYTES, bytes = (size_t)threads * BATCH_WORKER_BYTES;
    if (bytes > old) {
        CLUMP_TRY(clump_buffer_grow(work, &b->workers, bytes, old));
        memset((char *)b->workers.data + old, 0, bytes - old);
        b->count = threads;
    }
    for (int k = 0; k < threads; k++) {
        batch_worker *const w = worker_at(b, k);
        prepare_home(work, &w->home);
        const size_t before = w->home.host_bytes;
        const clump_status status = reserve_worker(w, run->widest, run->job->min_points > 0);
        work->host_bytes += w->home.host_bytes - before;
        if (status != CLUMP_OK) return clump_fail(work, status, "%s", w->home.error);
        w->sum = (clump_stats){.threads = 1};
        w->status = CLUMP_OK;
        w->small.not_tried = 0;
    }
    return CLUMP_OK;
}

void clump_cpu_batch_release(clump_work *work, clump_cpu_batch *b)
{
    for (int k = 0; k < b->count; k++) {
        batch_worker *const w = worker_at(b, k);
        work->host_bytes -= w->home.host_bytes;
        clump_small_release(&w->home, &w->small);
        clump_cpu_fast_release(&w->home, &w->fast);
        clump_cpu_dbscan_release(&w->home, &w->dbscan);
        clump_buffer_release(&w->home, &w->home.labels_scratch);
    }
    b->count = 0;
    clump_buffer_release(work, &b->workers);
    clump_buffer_release(work, &b->order);
}

/* ----- one cloud ---------------------------------------------------------------------------------------------- */

/* Returns the job of cloud c alone. */
static clump_dbscan_job job_of(const clump_batch_job *batch, size_t c)
{
    const size_t first = (size_t)batch->offsets[c];
    clump_dbscan_job job = {.in = batch->in, .min_points = batch->min_points, .border_points = batch->border_points};
    job.in.count = count_of(batch, c);
    if (job.in.count == 0) return job; /* arrays may be null */
    job.in.points += first * job.in.stride;
    job.in.labels += first;
    if (job.in.mask) job.in.mask += first;
    if (batch->core) job.core = batch->core + first;
    if (!batch->radii) return job;
    job.in.d = batch->radii[c];
    job.in.bound = clump_batch_bound(job.in.d, batch->min_points > 0);
    return job;
}

static void add_result(clump_stats *sum, const clump_stats *one)
{
    sum->clusters += one->clusters;
    sum->finite += one->finite;
    sum->masked += one->masked;
    sum->noise += one->noise;
    if (one->threads > sum->threads) sum->threads = one->threads;
}

/* Clusters cloud c with the given state. `small` may be null. */
static clump_status cluster_cloud(clump_work *work, clump_small *small, clump_cpu_fast *fast, clump_cpu_dbscan *dbscan,
                                  const clump_batch_job *batch, size_t c, clump_stats *sum)
{
    const clump_dbscan_job job = job_of(batch, c);
    clump_stats one = {.threads = 1, .passes = 1};
    if (job.in.count > 0) {
        const bool density = job.min_points > 0, fits = small && job.in.count <= CLUMP_SMALL_MOST;
        bool done = false;
        if (fits) done = density ? clump_small_dbscan(small, &job, &one) : clump_small_ec(small, &job.in, &one);
        if (!done && density) CLUMP_TRY(clump_cpu_dbscan_fast(work, dbscan, fast, &job, &one));
        if (!done && !density) CLUMP_TRY(clump_cpu_ec_fast(work, fast, &job.in, &one));
        CLUMP_TRY(clump_labels_finish(work, &job.in, &one));
    }
    if (batch->counts) batch->counts[c] = one.clusters;
    add_result(sum, &one);
    return CLUMP_OK;
}

static void cluster_clouds(void *arg, size_t begin, size_t end, int worker)
{
    const batch_run *const run = arg;
    batch_worker *const w = worker_at(run->batch, worker);
    for (size_t k = begin; k < end && w->status == CLUMP_OK; k++)
        w->status =
            cluster_cloud(&w->home, &w->small, &w->fast, &w->dbscan, run->job, run->order[run->large + k], &w->sum);
}

/* ----- all clouds --------------------------------------------------------------------------------------------- */

static unsigned size_class(size_t n)
{
    unsigned bits = 0;
    while (n >> bits) bits++;
    return bits;
}

/* Orders the clouds by the number of bits of their counts, largest first. */
static void order_clouds(const clump_batch_job *job, uint32_t *order)
{
    size_t starts[BATCH_SIZES + 1] = {0};
    for (size_t c = 0; c < job->clouds; c++) starts[BATCH_SIZES - size_class(count_of(job, c))]++;
    for (size_t k = 0, sum = 0; k <= BATCH_SIZES; k++) {
        const size_t here = starts[k];
        starts[k] = sum;
        sum += here;
    }
    for (size_t c = 0; c < job->clouds; c++) order[starts[BATCH_SIZES - size_class(count_of(job, c))]++] = (uint32_t)c;
}

/* Puts the clouds that all threads work on first, and finds the largest of the others. */
static void split_large(batch_run *run, uint32_t *order, int threads)
{
    const clump_batch_job *const job = run->job;
    const size_t share = job->in.count / (size_t)threads;
    for (size_t k = 0; k < job->clouds; k++) {
        const uint32_t c = order[k];
        const size_t n = count_of(job, c);
        if (n > BATCH_LARGE || (threads > 1 && n > BATCH_SHARED && n > share)) {
            order[k] = order[run->large];
            order[run->large++] = c;
        } else if (n > run->widest) {
            run->widest = n;
        }
    }
}

/* Runs the clouds that are not large, a cloud per thread. */
static clump_status run_small_clouds(clump_work *work, batch_run *run, int threads, clump_stats *stats)
{
    const size_t clouds = run->job->clouds - run->large;
    if (clouds == 0) return CLUMP_OK;
    CLUMP_TRY(reserve_workers(work, run, threads));
    const size_t chunk = run->job->in.count > 0 ? BATCH_CHUNK * clouds / run->job->in.count : clouds;
    CLUMP_TRY(clump_run(work, threads, clouds, chunk > 0 ? chunk : 1, cluster_clouds, run));
    for (int k = 0; k < threads; k++) {
        const batch_worker *const w = worker_at(run->batch, k);
        if (w->status != CLUMP_OK) return clump_fail(work, w->status, "%s", w->home.error);
        add_result(stats, &w->sum);
    }
    return CLUMP_OK;
}

clump_status clump_cpu_batch_run(clump_work *work, clump_cpu_batch *b, clump_cpu_fast *fast, clump_cpu_dbscan *dbscan,
                                 const clump_batch_job *job, clump_stats *stats)
{
    const double start = clump_now_ms();
    const int threads = clump_threads_for(work, job->in.count, BATCH_LEAST);
    CLUMP_TRY(clump_buffer_reserve(work, &b->order, job->clouds * sizeof(uint32_t)));
    uint32_t *const order = b->order.data;
    batch_run run = {.job = job, .batch = b, .order = order};
    order_clouds(job, order);
    split_large(&run, order, threads);
    for (size_t k = 0; k < run.large; k++) CLUMP_TRY(cluster_cloud(work, NULL, fast, dbscan, job, order[k], stats));
    CLUMP_TRY(run_small_clouds(work, &run, threads, stats));
    if (threads > stats->threads) stats->threads = threads;
    stats->cluster_ms = clump_now_ms() - start;
    return CLUMP_OK;
}
