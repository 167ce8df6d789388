/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The part "pieces" of the bench on a GPU: a cloud that does not fit into the memory that the GPU may use. 2e9 points in
 * 16 GB where the host has 96 GB, else fewer of both. It runs only where it is named.
 *
 * The answer is known from the way the cloud is made: objects of 1000 points each, one after the other. Each is a walk
 * with steps shorter than d in a box of its own; boxes are more than d apart, in an order that looks random. So point i has
 * label i / 1000, by Euclidean clustering and by DBSCAN with min_points 2, where every point is a core point.
 */
#include "gpu/gpu.h"

#include <clump/info.h>
#include <clump/cuda.h>

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum {
    PIECES_WALK = 1000,     /* points of an object */
    PIECES_HOST_BYTES = 48, /* host memory per point: points, groups, labels, and the system */
    PIECES_GPU_BYTES = 8,   /* limit of GPU memory per point: about 20 pieces per lane */
    PIECES_MOST_THREADS = 64,
    PIECES_RUNS = 3
};

static const float pieces_d = 0.5f, pieces_box = 4, pieces_gap = 1;
static const size_t pieces_most = 2000000000;

/* ----- the cloud ------------------------------------------------------------------------------------------ */

typedef struct pieces_cloud {
    float *xyz;
    int32_t *labels;
    size_t count, side; /* points; objects per row of the square */
    int threads;
    size_t wrong[PIECES_MOST_THREADS]; /* labels, per thread */
} pieces_cloud;

typedef struct pieces_share {
    pieces_cloud *cloud;
    int thread;
    void (*work)(pieces_cloud *, size_t object, size_t *wrong);
} pieces_share;

/* Returns the place of an object among side * side: neighbours in the input are far apart. */
static size_t place_of(const pieces_cloud *c, size_t object)
{
    return object * 0x9e3779b1u % (c->side * c->side); /* a prime: no two objects have one place */
}

static void make_object(pieces_cloud *c, size_t object, size_t *wrong)
{
    (void)wrong;
    uint64_t random = object;
    const size_t place = place_of(c, object);
    const float corner[3] = {(float)(place % c->side) * (pieces_box + pieces_gap),
                             (float)(place / c->side) * (pieces_box + pieces_gap), 0};
    float at[3] = {pieces_box / 2, pieces_box / 2, pieces_box / 2};
    for (size_t i = object * PIECES_WALK; i < (object + 1) * PIECES_WALK && i < c->count; i++) {
        const uint64_t bits = bench_random(&random);
        for (int k = 0; k < 3; k++) { /* steps of up to 0.45 per object: 0.26 along each axis */
            at[k] += ((float)(bits >> 21 * k & 0x1fffff) * 0x1p-20f - 1) * 0.26f;
            at[k] = at[k] < 0 ? -at[k] : at[k] > pieces_box ? 2 * pieces_box - at[k] : at[k];
            c->xyz[3 * i + (size_t)k] = corner[k] + at[k];
        }
    }
}

static void check_object(pieces_cloud *c, size_t object, size_t *wrong)
{
    for (size_t i = object * PIECES_WALK; i < (object + 1) * PIECES_WALK && i < c->count; i++)
        *wrong += c->labels[i] != (int32_t)object;
}

static void *run_share(void *given)
{
    pieces_share *const s = given;
    const size_t objects = (s->cloud->count + PIECES_WALK - 1) / PIECES_WALK, threads = (size_t)s->cloud->threads;
    size_t wrong = 0;
    for (size_t o = objects * (size_t)s->thread / threads; o < objects * ((size_t)s->thread + 1) / threads; o++)
        s->work(s->cloud, o, &wrong);
    s->cloud->wrong[s->thread] = wrong;
    return NULL;
}

/* Does the work for all objects, with all cores. Returns the number of wrong labels. */
static size_t for_objects(pieces_cloud *c, void (*work)(pieces_cloud *, size_t, size_t *))
{
    pthread_t threads[PIECES_MOST_THREADS];
    pieces_share shares[PIECES_MOST_THREADS];
    bool started[PIECES_MOST_THREADS];
    for (int t = 0; t < c->threads; t++) {
        shares[t] = (pieces_share){c, t, work};
        started[t] = t > 0 && pthread_create(&threads[t], NULL, run_share, &shares[t]) == 0;
    }
    size_t wrong = 0;
    for (int t = 0; t < c->threads; t++) {
        if (started[t])
            pthread_join(threads[t], NULL);
        else
            run_share(&shares[t]);
        wrong += c->wrong[t];
    }
    return wrong;
}

static double now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

/* ----- measuring -------------------------------------------------------------------------------------------- */

/* Measures one job. The first call, which takes the memory, is not counted. */
static bool measure(gpu_bench *g, clump_context *ctx, pieces_cloud *c, size_t limit, size_t min_points)
{
    const clump_points points = {.xyz = c->xyz, .count = c->count};
    const int32_t expected = (int32_t)((c->count + PIECES_WALK - 1) / PIECES_WALK);
    gpu_job job = {.part = "pieces", .cloud = "walks", .kind = min_points > 0 ? GPU_DBSCAN : GPU_EC};
    job.d = pieces_d, job.min_points = min_points, job.backend = CLUMP_BACKEND_CUDA, job.memory = MEMORY_PINNED;
    job.points.count = c->count;
    if (c->count == pieces_most && min_points == 0) job.target_ms = 1500;
    snprintf(job.parameters, sizeof job.parameters, "limit=%zu min_points=%zu", limit, min_points);
    gpu_row row = {.time = {.min_ms = INFINITY}};
    for (int run = 0; run <= PIECES_RUNS; run++) {
        const double begin = now_ms();
        const clump_status status =
            min_points > 0 ? clump_dbscan(ctx, points, pieces_d, min_points, NULL, c->labels, &row.clusters)
                           : clump_ec(ctx, points, pieces_d, NULL, c->labels, &row.clusters);
        const double ms = now_ms() - begin;
        if (status != CLUMP_OK) {
            printf("%s: %s\n", min_points > 0 ? "dbscan" : "ec", clump_context_error(ctx));
            g->totals.wrong++;
            return false;
        }
        row.stats = clump_context_stats(ctx);
        const size_t wrong = for_objects(c, check_object);
        row.differs = row.differs || wrong > 0 || row.clusters != expected;
        if (run > 0 && ms < row.time.min_ms) row.time.min_ms = row.time.median_ms = row.time.p99_ms = ms;
        row.time.runs = (size_t)run;
        printf("%-7s %11zu %8.1f %7zu %9.1f %9.2f  %8.1f %8.1f %8.1f  %s%s\n", min_points > 0 ? "dbscan" : "ec",
               c->count, (double)limit / 1e9, row.stats.pieces, ms, (double)c->count / ms * 1e-6, row.stats.build_ms,
               row.stats.cluster_ms, row.stats.label_ms, wrong > 0 || row.clusters != expected ? "WRONG" : "right",
               run == 0 ? ", first call" : "");
        fflush(stdout);
    }
    g->totals.wrong += row.differs;
    if (job.target_ms > 0) {
        const bool reached = row.time.min_ms <= job.target_ms;
        g->totals.reached += reached, g->totals.missed += !reached;
    }
    gpu_keep(g, &job, &row);
    return true;
}

bool gpu_part_pieces(gpu_bench *g)
{
    const double pages = (double)sysconf(_SC_PHYS_PAGES), page = (double)sysconf(_SC_PAGESIZE);
    pieces_cloud c = {.count = g->quick ? pieces_most / 20 : pieces_most, .threads = g->host.cores};
    if ((double)c.count * PIECES_HOST_BYTES > pages * page) c.count = (size_t)(pages * page / PIECES_HOST_BYTES);
    if (c.threads > PIECES_MOST_THREADS) c.threads = PIECES_MOST_THREADS;
    const size_t limit = c.count * PIECES_GPU_BYTES;
    for (c.side = 1; c.side * c.side * PIECES_WALK < c.count;) c.side++;
    printf("\npieces: pinned memory, --gpu-ram as given; ms of each call, and of its steps\n");
    printf("%-7s %11s %8s %7s %9s %9s  %8s %8s %8s\n", "job", "points", "GB", "pieces", "ms", "G pts/s", "group",
           "tiles", "label");
    clump_context_options options = clump_context_defaults();
    options.backend = CLUMP_BACKEND_CUDA, options.threads = c.threads, options.device_limit = limit;
    clump_context *ctx = NULL;
    if (clump_context_create(&options, &ctx) != CLUMP_OK) return false;
    const double begin = now_ms();
    bool done = clump_cuda_allocate(ctx, CLUMP_CUDA_PINNED, c.count * 3 * sizeof *c.xyz, (void **)&c.xyz) == CLUMP_OK &&
                clump_cuda_allocate(ctx, CLUMP_CUDA_PINNED, c.count * sizeof *c.labels, (void **)&c.labels) == CLUMP_OK;
    const double allocated = now_ms();
    if (done) {
        (void)for_objects(&c, make_object);
        printf("memory taken in %.1f s, points made in %.1f s\n", (allocated - begin) * 1e-3,
               (now_ms() - allocated) * 1e-3);
        fflush(stdout);
        done = measure(g, ctx, &c, limit, 0) && measure(g, ctx, &c, limit, 2);
    } else {
        printf("left out: %s\n", clump_context_error(ctx));
    }
    clump_cuda_release(ctx, CLUMP_CUDA_PINNED, c.xyz);
    clump_cuda_release(ctx, CLUMP_CUDA_PINNED, c.labels);
    clump_context_destroy(ctx);
    return gpu_finish(g) && done;
}
