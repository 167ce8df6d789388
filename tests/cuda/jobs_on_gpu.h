/* SPDX-License-Identifier: BSD-3-Clause
 *
 * jobs_on_gpu.h: for the programs that run the rows of jobs/jobs.h on a GPU: clouds, in which memory a run has its points and outputs,
 * and the comparison of a run with that of the CPU. Comes after check.h.
 */
#ifndef CLUMP_TESTS_JOBS_ON_GPU_H
#define CLUMP_TESTS_JOBS_ON_GPU_H

#include "jobs/jobs.h"
#include "support/clouds.h"
#include "support/time_limit.h"

#include <clump/index.h>

#include <math.h>

enum { MANY = 6000, FEW = 600 };

/* Where a run has its memory: the three places, and ahead on the device. */
enum { AHEAD = GPU_PLACES, MANNERS };

/* One context for each backend, and that of the memory (job_run.home). */
static clump_context *cpu, *gpu, *home;

static inline void jobs_open(void)
{
    time_limit_start();
    cpu = gpu_context(CLUMP_BACKEND_CPU, NULL);
    gpu = gpu_context(CLUMP_BACKEND_CUDA, NULL);
    home = gpu_context(CLUMP_BACKEND_CUDA, NULL);
}

static inline void jobs_close(void)
{
    job_close(home);
    clump_context_destroy(home);
    clump_context_destroy(gpu);
    clump_context_destroy(cpu);
    time_limit_stop();
}

static inline const char *text_of(const job *j, const job_run *r)
{
    static char text[400];
    return job_text(j, r, text);
}

static inline hostile_case street_of(size_t count)
{
    return job_street(gpu_small() && count > 300 ? 300 : count);
}

/* A case of the first points of another one, which must exist longer. */
static inline hostile_case first_of(const hostile_case *c, size_t count)
{
    hostile_case few = *c;
    if (few.points.count > count) few.points.count = count;
    return few;
}

static inline job_run run_of(const job *j, int method, const hostile_case *c, int turn, int manner)
{
    job_run r = {.c = c, .method = method, .turn = turn, .home = home, .ahead = manner == AHEAD};
    r.place = manner == AHEAD ? GPU_DEVICE : (gpu_place)manner;
    CHECK(r.place != GPU_DEVICE || j->device == JOB_TAKES);
    return r;
}

/* Copies the coordinates of a cloud, three floats per point; for free(). */
static inline float *scan_pack(clump_points points)
{
    float *const packed = malloc(3 * (points.count + 1) * sizeof *packed);
    if (!packed) abort();
    const size_t step = points.stride ? points.stride : 12;
    for (size_t i = 0; i < points.count; i++) memcpy(packed + 3 * i, (const char *)points.xyz + i * step, 12);
    return packed;
}

/* The manners that a job has: 4, or the two of host memory. */
static inline int manners_of(const job *j)
{
    return j->device == JOB_TAKES ? MANNERS : 2;
}

static inline hostile_case of_shape(cloud_shape shape, size_t count, uint64_t *random)
{
    hostile_case c = job_street(count);
    c.d = cloud_fill(shape, c.packed, count, random);
    if (!(c.d > 1e-15f && c.d < 1e15f)) c.d = cloud_fill(CLOUD_SCAN, c.packed, count, random);
    if (check_random(random) % 4 == 0) cloud_spoil(c.packed, count, 1 + check_random(random) % 50, random);
    memcpy(c.memory, c.packed, 3 * count * sizeof *c.packed);
    c.seed = check_random(random) % 1000;
    return c;
}

/* ----- one run ----------------------------------------------------------------------------------------------------- */

/* The CPU lacks some methods of the index; their answers are those of `fast`. */
static inline void use_fast(const char *table, void *options, void *user)
{
    (void)user;
    if (strcmp(table, "index") == 0) ((clump_index_options *)options)->method = CLUMP_NN_FAST;
}

/* What the CPU makes of a run. */
typedef struct answer {
    clump_status status;
    uint64_t hash;
    clump_stats stats;
    char sentence[512];
} answer;

/* Options of single tests, set in both runs; null: those of the turn. */
static void (*change)(const char *table, void *options, void *user);
static void *change_user;

static inline answer ask_cpu(const job *j, int method, const hostile_case *c, int turn)
{
    job_run r = run_of(j, method, c, turn, GPU_PAGEABLE);
    r.change = change, r.user = change_user;
    if (j->methods && !clump_method_at(j->methods, method)->on_cpu) r.change = use_fast;
    cpu->stats = (clump_stats){0};
    answer a = {.status = job_do(j, cpu, &r), .hash = r.hash, .stats = clump_context_stats(cpu)};
    snprintf(a.sentence, sizeof a.sentence, "%s", clump_context_error(cpu));
    CHECK_MSG(a.status == CLUMP_OK || (turn >= 0 && a.status == CLUMP_ERR_UNSUPPORTED), "%s: the CPU: %s",
              text_of(j, &r), a.sentence);
    return a;
}

static inline void compare_stats(const job *j, const job_run *r, const clump_stats *w)
{
    const clump_stats s = clump_context_stats(gpu);
    CHECK_MSG(
        s.points == w->points && s.finite == w->finite && s.masked == w->masked && s.ground == w->ground &&
            s.thinned == w->thinned && s.clusters == w->clusters,
        "%s: %zu points, %zu finite, %zu masked, %zu ground, %zu thinned, %d clusters; expected %zu, %zu, %zu, %zu, "
        "%zu, %d",
        text_of(j, r), s.points, s.finite, s.masked, s.ground, s.thinned, s.clusters, w->points, w->finite, w->masked,
        w->ground, w->thinned, w->clusters);
    if (j->methods == &clump_erccl_methods || j->methods == &clump_ground_methods)
        CHECK_TEXT(s.method, clump_method_at(j->methods, r->method)->name);
    const bool counted = j->methods == &clump_erccl_methods ? r->method == CLUMP_ERCCL_INDEPENDENT
                                                            : j->methods == &clump_ec_methods && r->turn == JOB_PLAIN;
    if (counted) /* random options of ec have labels in place, where passes differ */
        CHECK_MSG(s.passes == w->passes, "%s: %ld passes, expected %ld", text_of(j, r), (long)s.passes,
                  (long)w->passes);
    CHECK_MSG(s.noise == w->noise, "%s: %zu noise, expected %zu", text_of(j, r), s.noise, w->noise);
    CHECK_MSG(s.ground_level == w->ground_level || (isnan(s.ground_level) && isnan(w->ground_level)),
              "%s: ground at %g, expected %g", text_of(j, r), (double)s.ground_level, (double)w->ground_level);
    CHECK_MSG(s.neighbours == w->neighbours && s.ring_source == w->ring_source && s.rings == w->rings,
              "%s: neighbours %d, rings from %d, %d rings", text_of(j, r), (int)s.neighbours, (int)s.ring_source,
              s.rings);
    CHECK_MSG(s.oversize_dropped == w->oversize_dropped && s.oversize_points == w->oversize_points &&
                  s.oversize_kept == w->oversize_kept && s.oversize_split == w->oversize_split,
              "%s: clusters that are too large", text_of(j, r));
    CHECK_MSG(s.upload_ms >= 0 && s.ground_ms >= 0 && s.build_ms >= 0 && s.cluster_ms >= 0 && s.label_ms >= 0 &&
                  s.describe_ms >= 0 && s.download_ms >= 0 && s.initial_ms >= 0,
              "%s: a time below 0", text_of(j, r));
}

/* One run on the GPU, in a manner. Waits for the GPU within a limit. */
static inline void compare(const job *j, int method, const hostile_case *c, int turn, int manner, const answer *a)
{
    job_run r = run_of(j, method, c, turn, manner);
    r.change = change, r.user = change_user;
    const double limit = gpu_small() ? 200 : 20; /* compute-sanitizer is slow; the first call loads the kernels */
    gpu->stats = (clump_stats){0};
    time_limit_begin(limit, limit, text_of(j, &r));
    const clump_status status = job_do(j, gpu, &r);
    time_limit_end();
    CHECK_MSG(status == a->status, "%s: status %d, expected %d: %s", text_of(j, &r), (int)status, (int)a->status,
              clump_context_error(gpu));
    CHECK_MSG(!r.spoiled, "%s: %s was written", text_of(j, &r), r.spoiled);
    if (status != CLUMP_OK) CHECK_TEXT(clump_context_error(gpu), a->sentence);
    if (status != CLUMP_OK || a->status != CLUMP_OK) return;
    CHECK_MSG(r.hash == a->hash, "%s: other bits", text_of(j, &r));
    bool figures = a->stats.points > 0 && a->stats.queries == 0; /* those of an index are known later */
    figures = figures && manner != AHEAD && !(j->later && r.place == GPU_DEVICE);
    if (figures) compare_stats(j, &r, &a->stats);
    const clump_backend wanted = j->host ? CLUMP_BACKEND_CPU : CLUMP_BACKEND_CUDA;
    if (a->stats.points > 0 && !j->mixed)
        CHECK_MSG(gpu->stats.backend == wanted, "%s: backend %d, expected %d", text_of(j, &r), (int)gpu->stats.backend,
                  (int)wanted);
}

/* A row by each method that CUDA has: in all manners, or in one in turn. */
static inline void compare_job(const char *call, const char *what, const hostile_case *c, int turn, long round)
{
    const job *j = jobs;
    while (j < jobs + job_count && (strcmp(j->call, call) != 0 || strcmp(j->what, what) != 0)) j++;
    CHECK_MSG(j < jobs + job_count, "there is no row %s %s", call, what);
    for (int method = -1; j < jobs + job_count && (method = job_next_cuda(j, method)) >= 0;) {
        const answer a = ask_cpu(j, method, c, turn);
        for (int manner = 0; manner < manners_of(j) && check_failures <= 20; manner++)
            if (round < 0 || manner == (method + round) % manners_of(j)) compare(j, method, c, turn, manner, &a);
    }
}

#endif
