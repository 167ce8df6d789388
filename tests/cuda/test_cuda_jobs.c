/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_cuda_jobs.c: every job (jobs/jobs.h) by every method that CUDA has, on a GPU: outputs, counts and figures of the CPU, bit for
 * bit, from every kind of memory, on clouds of all shapes and sizes and on hostile ones. No input is written, and nothing behind an
 * output. Warm calls take no memory, cancelled calls and failures of the CUDA runtime are sentences, and the same call then
 * succeeds. What CUDA does not have is refused. The CPU's answers are those of the oracles (test_hostile.c).
 *
 * A kernel that hangs cannot be stopped: the program prints the case and ends. Skipped where there is no GPU. With
 * CLUMP_TEST_SMALL=1, or 2, it is what compute-sanitizer watches.
 *
 *     test_cuda_jobs               2,000 hostile clouds; a few with CLUMP_TEST_SMALL
 *     test_cuda_jobs SEED          the cloud of this seed alone: what a failure names
 *     test_cuda_jobs SEED COUNT    the clouds of COUNT seeds, beginning with this one
 *     test_cuda_jobs WORD          the tests whose names contain the word
 */
#include "support/check.h"

#include "hostile/hostile_arguments.h"
#include "jobs/jobs.h"
#include "support/calls.h"
#include "support/clouds.h"
#include "support/scans.h"
#include "support/time_limit.h"

#include <clump/index.h>

#include <math.h>
#ifdef CLUMP_WITH_CUDA
#include "cuda/gpu/fault.h"
#include <cuda_runtime_api.h>
#endif

enum { CLOUDS = 2000, SOME = 3000, MANY = 6000, FEW = 600, REMAINDER = 4096 };

/* Where a run has its memory: the three places, and ahead on the device. */
enum { AHEAD = GPU_PLACES, MANNERS };

static clump_context *cpu, *gpu, *home;
static hostile_arguments command_line;

static const char *text_of(const job *j, const job_run *r)
{
    static char text[400];
    return job_text(j, r, text);
}

static hostile_case street_of(size_t count)
{
    return job_street(gpu_small() && count > 300 ? 300 : count);
}

/* A case of the first points of another one, which must exist longer. */
static hostile_case first_of(const hostile_case *c, size_t count)
{
    hostile_case few = *c;
    if (few.points.count > count) few.points.count = count;
    return few;
}

/* ----- one run ----------------------------------------------------------------------------------------------------- */

/* The CPU lacks some methods of the index; their answers are those of `fast`. */
static void use_fast(const char *table, void *options, void *user)
{
    (void)user;
    if (strcmp(table, "index") == 0) ((clump_index_options *)options)->method = CLUMP_NN_FAST;
}

static job_run run_of(const job *j, int method, const hostile_case *c, int turn, int manner)
{
    job_run r = {.c = c, .method = method, .turn = turn, .home = home, .ahead = manner == AHEAD};
    r.place = manner == AHEAD ? GPU_DEVICE : (gpu_place)manner;
    CHECK(r.place != GPU_DEVICE || j->device == JOB_TAKES);
    return r;
}

/* What the CPU makes of a run. */
typedef struct answer {
    clump_status status;
    uint64_t hash;
    clump_stats stats;
    char sentence[512];
} answer;

static answer ask_cpu(const job *j, int method, const hostile_case *c, int turn)
{
    job_run r = run_of(j, method, c, turn, GPU_PAGEABLE);
    if (j->methods && !clump_method_at(j->methods, method)->on_cpu) r.change = use_fast;
    cpu->stats = (clump_stats){0};
    answer a = {.status = job_do(j, cpu, &r), .hash = r.hash, .stats = clump_context_stats(cpu)};
    snprintf(a.sentence, sizeof a.sentence, "%s", clump_context_error(cpu));
    CHECK_MSG(a.status == CLUMP_OK || (turn >= 0 && a.status == CLUMP_ERR_UNSUPPORTED), "%s: the CPU: %s",
              text_of(j, &r), a.sentence);
    return a;
}

static void compare_stats(const job *j, const job_run *r, const clump_stats *w)
{
    const clump_stats s = clump_context_stats(gpu);
    CHECK_MSG(
        s.points == w->points && s.finite == w->finite && s.masked == w->masked && s.ground == w->ground &&
            s.thinned == w->thinned && s.clusters == w->clusters,
        "%s: %zu points, %zu finite, %zu masked, %zu ground, %zu thinned, %d clusters; expected %zu, %zu, %zu, %zu, "
        "%zu, %d",
        text_of(j, r), s.points, s.finite, s.masked, s.ground, s.thinned, s.clusters, w->points, w->finite, w->masked,
        w->ground, w->thinned, w->clusters);
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
static void compare(const job *j, int method, const hostile_case *c, int turn, int manner, const answer *a)
{
    job_run r = run_of(j, method, c, turn, manner);
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
    const bool figures = a->stats.points > 0 && a->stats.queries == 0; /* those of an index are known later */
    if (manner != AHEAD && figures) compare_stats(j, &r, &a->stats);
    const clump_backend wanted = j->host ? CLUMP_BACKEND_CPU : CLUMP_BACKEND_CUDA;
    if (a->stats.points > 0) CHECK_MSG(gpu->stats.backend == wanted, "%s: backend %d", text_of(j, &r), (int)wanted);
}

/* The manners that a job has: 4, or the two of host memory. */
static int manners_of(const job *j)
{
    return j->device == JOB_TAKES ? MANNERS : 2;
}

/* All jobs and methods on a cloud: in all manners, or in one in turn. Returns the number of runs. */
static long compare_all(const hostile_case *c, int turn, bool all, long round)
{
    long runs = 0;
    FOR_CUDA_JOBS(j, method)
    {
        if (j->host && !all) continue;
        const long number = j - jobs + method + round;
        if (gpu_small() == 2 && number % 5 != 0) continue;
        const answer a = ask_cpu(j, method, c, turn);
        for (int manner = 0; manner < manners_of(j) && check_failures <= 20; manner++)
            if (all || manner == number % manners_of(j)) compare(j, method, c, turn, manner, &a), runs++;
    }
    return runs;
}

/* ----- labels, boxes, neighbours: all that a job makes ------------------------------------------------------------- */

static void streets_in_all_memory(void)
{
    long runs = 0;
    hostile_case street = street_of(SOME);
    for (int turn = JOB_PLAIN; turn < (gpu_small() ? 0 : 3); turn++) runs += compare_all(&street, turn, true, 0);
    hostile_case_free(&street);
    printf("%ld runs of %d jobs\n", runs, job_count);
}

/* Strides of all kinds, NaN between the points, and every tenth point masked. */
static hostile_case street_with_stride(size_t count, size_t stride)
{
    hostile_case c = street_of(count);
    const size_t n = c.points.count;
    free(c.memory);
    c.memory = malloc(n * stride), c.mask = malloc(n);
    if (!c.memory || !c.mask) abort();
    c.points = gpu_spread(c.memory, c.packed, n, stride);
    for (size_t i = 0; i < n; i++) c.mask[i] = i % 10 ? (uint8_t)(1 + i % 255) : 0;
    return c;
}

static void any_stride_and_mask(void)
{
    static const size_t strides[] = {12, 16, 20, 24, 28, 32, 48};
    for (size_t k = 0; k < (gpu_small() ? 2 : sizeof strides / sizeof *strides); k++) {
        hostile_case c = street_with_stride(2000, strides[k]);
        compare_all(&c, JOB_PLAIN, k == 1 && !gpu_small(), (long)k);
        for (size_t i = 0; i < c.points.count; i++) c.mask[i] = 0;
        if (k == 0) compare_all(&c, JOB_PLAIN, false, 1);
        hostile_case_free(&c);
    }
}

static hostile_case of_shape(cloud_shape shape, size_t count, uint64_t *random)
{
    hostile_case c = job_street(count);
    c.d = cloud_fill(shape, c.packed, count, random);
    if (!(c.d > 1e-15f && c.d < 1e15f)) c.d = cloud_fill(CLOUD_SCAN, c.packed, count, random);
    if (check_random(random) % 4 == 0) cloud_spoil(c.packed, count, 1 + check_random(random) % 50, random);
    memcpy(c.memory, c.packed, 3 * count * sizeof *c.packed);
    c.seed = check_random(random) % 1000;
    return c;
}

static void clouds_of_all_shapes(void)
{
    uint64_t random = 61;
    for (int shape = 0; shape < CLOUD_SHAPES && check_failures <= 20; shape++)
        for (int turn = JOB_PLAIN; turn < 2; turn++) {
            if (gpu_small() && (shape % 5 || turn != shape / 5 % 3 - 1)) continue;
            hostile_case c =
                of_shape((cloud_shape)shape, gpu_small() ? 200 : 400 + check_random(&random) % 1600, &random);
            compare_all(&c, turn, false, 3 * shape + turn);
            hostile_case_free(&c);
        }
}

/* Nothing, one point, sizes around those of warps and thread blocks and around powers of two, and a graph's. */
static void clouds_of_all_sizes(void)
{
    static const cloud_shape shapes[] = {CLOUD_SCAN, CLOUD_CLUMPED, CLOUD_UNIFORM};
    static const size_t sizes[] = {0,   1,   2,    31,   32,   33,   63,   65,   255,  256,  257,   511,
                                   513, 833, 1023, 1024, 1025, 2048, 2049, 4096, 4097, 8192, 16383, 20000};
    uint64_t random = 62;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes && check_failures <= 20; k++) {
        if (gpu_small() && sizes[k] != 0 && sizes[k] != 33) continue;
        hostile_case c = of_shape(shapes[k % 3], sizes[k], &random);
        compare_all(&c, JOB_PLAIN, sizes[k] < 64, (long)k);
        compare_all(&c, (int)(k % 2), false, (long)k + 1);
        if (sizes[k] <= 257) {
            for (size_t i = 0; i < sizes[k]; i++) ((float *)c.memory)[3 * i + i % 3] = NAN;
            compare_all(&c, JOB_PLAIN, false, (long)k + 2);
        }
        hostile_case_free(&c);
        if (k % 5 == 4) clump_context_trim(gpu);
    }
}

static void a_scan(void)
{
    if (gpu_small()) SKIP("too large where a sanitizer watches");
    clump_cloud *const scan = scan_load("kitti/semkitti_00_000000.bin");
    if (!scan) SKIP("no scans in %s", scans_folder());
    hostile_case c = {.seed = 5, .d = 0.5f, .points = clump_cloud_points(scan), .packed = clump_cloud_xyz(scan)};
    for (long round = 0; round < 2; round++) compare_all(&c, JOB_PLAIN, false, round);
    clump_cloud_destroy(scan);
}

static void cases_of_seeds(void)
{
    const uint64_t usual = gpu_small() == 2 ? 2 : gpu_small() ? 12 : CLOUDS;
    const uint64_t cases = command_line.seeds ? command_line.seeds : usual;
    long runs = 0;
    for (uint64_t k = 0; k < cases && check_failures <= 20; k++) {
        const uint64_t seed = command_line.first_seed + k;
        hostile_case c = hostile_case_make(seed, gpu_small() ? HOSTILE_SMALL / 2 : HOSTILE_MOST);
        runs += compare_all(&c, (int)(seed % 4), command_line.seeds > 0, (long)(seed / 4));
        hostile_case_free(&c);
        if (seed % 64 == 0) clump_context_trim(gpu);
        if (seed % 200 == 0) {
            clump_context_destroy(gpu);
            gpu = gpu_context(CLUMP_BACKEND_CUDA, NULL);
        }
    }
    printf("%ld runs on hostile clouds\n", runs);
}

/* ----- what CUDA does not have ------------------------------------------------------------------------------------- */

static void the_rest_is_refused(void)
{
    hostile_case street = street_of(SOME);
    int methods = 0, places = 0;
    FOR_JOBS(j, method)
    {
        if (!j->methods || clump_method_at(j->methods, method)->on_cuda) continue;
        job_run r = run_of(j, method, &street, JOB_PLAIN, GPU_PAGEABLE);
        expect_failure(gpu, job_do(j, gpu, &r), CLUMP_ERR_UNSUPPORTED, " does not run on cuda, but on the CPU it does");
        CHECK_MSG(!r.spoiled, "%s: %s was written", text_of(j, &r), r.spoiled);
        methods++;
    }
    FOR_CUDA_JOBS(j, method)
    {
        if (j->methods && !clump_method_at(j->methods, method)->on_cpu) {
            job_run r = run_of(j, method, &street, JOB_PLAIN, GPU_PAGEABLE);
            expect_failure(cpu, job_do(j, cpu, &r), CLUMP_ERR_UNSUPPORTED,
                           " does not run on the CPU, but on a CUDA device");
            methods++;
        }
        if (j->device != JOB_REFUSES) continue;
        job_run r = {.c = &street, .method = method, .turn = JOB_PLAIN, .place = GPU_DEVICE, .home = home};
        const clump_status status = job_do(j, gpu, &r);
        expect_failure(gpu, status, status, "host memory");
        CHECK_MSG(status == CLUMP_ERR_MEMORY_KIND || status == CLUMP_ERR_UNSUPPORTED || status == CLUMP_ERR_ARGUMENT,
                  "%s: status %d", text_of(j, &r), (int)status);
        CHECK_MSG(!r.spoiled, "%s: %s was written", text_of(j, &r), r.spoiled);
        places++;
    }
    CHECK_MSG(methods > 5 && places > 8, "%d methods and %d jobs refused", methods, places);
    hostile_case_free(&street);
}

/* ----- memory ------------------------------------------------------------------------------------------------------ */

typedef struct watch {
    long calls; /* allocations of host memory so far */
    int rounds; /* that an object has begun; 0: there is none */
    long at, more;
} watch;

static void watch_round(int round, void *user)
{
    watch *const w = user;
    w->rounds = round + 1;
    if (round == 1) w->at = w->calls;
    if (round > 1) w->more += w->calls - w->at, w->at = w->calls;
}

static clump_context *watched(watch *w)
{
    const clump_allocator counting = gpu_counting(&w->calls);
    return gpu_context(CLUMP_BACKEND_CUDA, &counting);
}

/* Jobs of one call, whose lists do not get longer with fewer points of the same kind. */
static bool shrinks(const job *j, int method)
{
    static const char *const names[] = {"clump_ec",       "clump_dbscan", "clump_ground", "clump_erccl",
                                        "clump_describe", "clump_group",  "clump_tree"};
    bool named = false;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) named = named || strcmp(j->call, names[k]) == 0;
    return named && method == 0 && !strstr(j->what, "classes");
}

static void check_warm(const job *j, int method, const hostile_case *c, int manner)
{
    watch w = {0};
    clump_context *const ctx = watched(&w);
    job_run r = run_of(j, method, c, JOB_PLAIN, manner);
    r.rounds = 3, r.round = watch_round, r.user = &w;
    CHECK_MSG(job_do(j, ctx, &r) == CLUMP_OK, "%s: %s", text_of(j, &r), clump_context_error(ctx));
    r.rounds = 1;
    const uint64_t first = r.hash;
    const bool object = w.rounds > 0;
    if (object) CHECK_INT(job_do(j, ctx, &r), CLUMP_OK);
    const long taken = w.calls;
    const clump_stats warm = clump_context_stats(ctx);
    const hostile_case fewer[] = {*c, *c, first_of(c, c->points.count / 2), first_of(c, c->points.count / 7)};
    for (int again = 0; again < (shrinks(j, method) ? 4 : 2); again++) {
        r.c = &fewer[again];
        CHECK_INT(job_do(j, ctx, &r), CLUMP_OK);
        CHECK_MSG(object || again > 1 || r.hash == first, "%s: another result", text_of(j, &r));
        const clump_stats s = clump_context_stats(ctx);
        CHECK_MSG(j->keeps || (s.host_bytes == warm.host_bytes && s.device_bytes == warm.device_bytes),
                  "%s: host %zu -> %zu bytes, device %zu -> %zu bytes", text_of(j, &r), warm.host_bytes, s.host_bytes,
                  warm.device_bytes, s.device_bytes);
    }
    const long more = object ? w.more : w.calls - taken;
    CHECK_MSG(more == 0 || j->keeps, "%s: %ld allocations by warm calls", text_of(j, &r), more);
    clump_context_trim(ctx);
    clump_context_trim(ctx);
    const clump_stats s = clump_context_stats(ctx);
    CHECK_MSG(s.host_bytes <= REMAINDER && s.device_bytes <= REMAINDER,
              "%s: trimmed, %zu bytes on the host, %zu on the device", text_of(j, &r), s.host_bytes, s.device_bytes);
    r.c = c;
    CHECK_INT(job_do(j, ctx, &r), CLUMP_OK);
    CHECK_MSG(object || r.hash == first, "%s: another result after a trim", text_of(j, &r));
    clump_context_destroy(ctx);
}

static void warm_calls_take_nothing(void)
{
    hostile_case street = street_of(MANY), few = first_of(&street, FEW);
    FOR_CUDA_JOBS(j, method)
    {
        for (int manner = 0; manner < manners_of(j); manner++) {
            if (gpu_small() && (j - jobs + method + manner) % 6 != 0) continue;
            check_warm(j, method, &street, manner);
            if (method == 0 && !gpu_small()) check_warm(j, method, &few, manner);
        }
    }
    hostile_case_free(&street);
}

/* After clump_context_reserve the usual options allocate nothing on the host, for any cloud up to that size, and on the device after
 * the first call. */
static void reserved_is_enough(void)
{
    uint64_t random = 63;
    for (const job *j = jobs; j < jobs + job_count; j++) {
        if (!j->reserved) continue;
        watch w = {0};
        clump_context *const ctx = watched(&w);
        const size_t most = gpu_small() ? 300 : 2 * MANY;
        CHECK_INT(clump_context_reserve(ctx, most), CLUMP_OK);
        const long taken = w.calls;
        size_t device = 0;
        for (int turn = 0; turn < (gpu_small() ? 4 : 3 * CLOUD_SHAPES) && w.calls == taken; turn++) {
            const size_t count = turn == 0 || turn % 5 == 4 ? most : check_random(&random) % most;
            hostile_case c = of_shape((cloud_shape)(turn % CLOUD_SHAPES), count, &random);
            if (turn % 7 == 6) c.d = turn % 2 ? 0x1p-60f : 0x1p60f; /* as many cells as can be, and one */
            job_run r = run_of(j, 0, &c, JOB_PLAIN, turn % MANNERS);
            CHECK_MSG(job_do(j, ctx, &r) == CLUMP_OK, "%s: %s", text_of(j, &r), clump_context_error(ctx));
            const clump_stats s = clump_context_stats(ctx);
            if (turn == 0) device = s.device_bytes;
            CHECK_MSG(w.calls == taken && s.device_bytes == device, "%s: %ld allocations, device %zu -> %zu bytes",
                      text_of(j, &r), w.calls - taken, device, s.device_bytes);
            hostile_case_free(&c);
        }
        clump_context_destroy(ctx);
    }
}

/* ----- cancelled calls --------------------------------------------------------------------------------------------- */

static void count_poll(void *polls)
{
    ++*(long *)polls; /* one thread */
}

typedef struct interruption {
    const job *of;
    int seen;
    clump_status wanted;
} interruption;

static void on_cancel(clump_context *ctx, clump_status status, void *user)
{
    interruption *const c = user;
    c->seen++;
    expect_failure(ctx, status, CLUMP_ERR_CANCELLED, ": cancelled by the caller");
}

/* Poll 1, 2, 3 ... of a run cancels it; of many polls some, and the last. */
static long cancel_everywhere(const job *j, int method, const hostile_case *c, int manner)
{
    clump_context *const ctx = gpu_context(CLUMP_BACKEND_CUDA, NULL);
    job_run r = run_of(j, method, c, JOB_PLAIN, manner);
    CHECK_MSG(job_do(j, ctx, &r) == CLUMP_OK, "%s: %s", text_of(j, &r), clump_context_error(ctx));
    const uint64_t expected = r.hash;
    long polls = 0, sum = 0, tried = 0;
    clump_team_hook(ctx->work.team, count_poll, &polls);
    CHECK_INT(job_do(j, ctx, &r), CLUMP_OK);
    clump_team_hook(ctx->work.team, NULL, NULL);
    CHECK_MSG(polls > 0, "%s: no poll", text_of(j, &r));
    interruption seen = {.of = j};
    r.failed = on_cancel, r.user = &seen;
    const long shares = gpu_small() ? 3 : 24;
    for (long k = 1; k <= polls && check_failures <= 20;) {
        seen.seen = 0;
        clump_team_trap(ctx->work.team, k);
        const clump_status status = job_do(j, ctx, &r);
        clump_team_trap(ctx->work.team, 0);
        CHECK_MSG(status == CLUMP_OK && r.hash == expected, "%s, poll %ld of %ld: status %d, %s", text_of(j, &r), k,
                  polls, (int)status, clump_context_error(ctx));
        CHECK_MSG(seen.seen <= 1, "%s, poll %ld of %ld cancelled %d calls", text_of(j, &r), k, polls, seen.seen);
        sum += seen.seen, tried++;
        const long step = k < shares ? 1 : 1 + polls / shares;
        k = k < polls && k + step > polls ? polls : k + step;
    }
    CHECK_MSG(4 * sum >= 3 * tried, "%s: %ld of %ld polls cancelled", text_of(j, &r), sum,
              tried); /* races: passes differ */
    clump_context_destroy(ctx);
    return sum;
}

static void any_poll_can_cancel(void)
{
    long sum = 0;
    hostile_case some = street_of(1500);
    FOR_CUDA_JOBS(j, method)
    {
        if (j->host || (gpu_small() && (j - jobs + method) % 6 != 0)) continue;
        sum += cancel_everywhere(j, method, &some, GPU_PAGEABLE);
        if (j->device == JOB_TAKES) sum += cancel_everywhere(j, method, &some, method % 2 ? GPU_DEVICE : AHEAD);
    }
    printf("%ld calls of %d jobs were cancelled\n", sum, job_count);
    hostile_case_free(&some);
}

static void a_set_flag_returns_at_once(void)
{
    int flag = 0;
    clump_context_options options = clump_context_defaults();
    options.backend = CLUMP_BACKEND_CUDA, options.cancel = &flag;
    clump_context *ctx = NULL;
    CHECK_INT(clump_context_create(&options, &ctx), CLUMP_OK);
    hostile_case some = street_of(1500);
    FOR_CUDA_JOBS(j, method)
    {
        job_run r = run_of(j, method, &some, JOB_PLAIN, (int)((j - jobs + method) % manners_of(j)));
        for (int again = 0; again < 2; again++) {
            flag = 1;
            CHECK_MSG(job_do(j, ctx, &r) == CLUMP_ERR_CANCELLED, "%s", text_of(j, &r));
            flag = 0;
            CHECK_MSG(job_do(j, ctx, &r) == CLUMP_OK, "%s: %s", text_of(j, &r), clump_context_error(ctx));
        }
    }
    hostile_case_free(&some);
    clump_context_destroy(ctx);
}

/* ----- failures of the runtime ------------------------------------------------------------------------------------- */

#ifdef CLUMP_WITH_CUDA
static const struct {
    cudaError_t error;
    clump_status status;
} errors[] = {{cudaErrorMemoryAllocation, CLUMP_ERR_OUT_OF_MEMORY},
              {cudaErrorLaunchFailure, CLUMP_ERR_DEVICE},
              {cudaErrorDevicesUnavailable, CLUMP_ERR_NO_DEVICE}};
enum { ERRORS = sizeof errors / sizeof *errors, ENDLESS = 1 << 30 };

static void on_failure(clump_context *ctx, clump_status status, void *user)
{
    interruption *const f = user;
    f->seen++;
    const char *const said = clump_context_error(ctx);
    CHECK_MSG(status == f->wanted, "%s %s: status %d, expected %d: %s", f->of->call, f->of->what, (int)status,
              (int)f->wanted, said);
    CHECK_MSG(strlen(said) > 15 && strlen(said) < 400 && !strchr(said, '\n'), "%s: \"%s\"", f->of->call, said);
}

static void *state_of(clump_context *ctx)
{
    return ctx->backends[CLUMP_BACKEND_CUDA - CLUMP_BACKEND_CPU].state;
}

/* Of the calls of the runtime that a run makes each fails once; of many all first ones, some, and the last. A cold context takes all
 * its memory again each time. `first` is the error of call 0, the next one is that of call 1; `one`: all have the same. */
static long fail_everywhere(const job *j, int method, const hostile_case *c, int manner, bool cold, int first, bool one)
{
    clump_context *const ctx = gpu_context(CLUMP_BACKEND_CUDA, NULL);
    job_run r = run_of(j, method, c, JOB_PLAIN, manner);
    CHECK_MSG(job_do(j, ctx, &r) == CLUMP_OK, "%s: %s", text_of(j, &r), clump_context_error(ctx));
    const uint64_t expected = r.hash;
    if (cold) clump_context_trim(ctx);
    clump_cuda_fail_after(state_of(ctx), ENDLESS, (int)cudaErrorLaunchFailure);
    CHECK_INT(job_do(j, ctx, &r), CLUMP_OK);
    const long calls = ENDLESS - (long)clump_cuda_calls_left(state_of(ctx));
    const long shares = gpu_small() ? 6 : calls > 400 ? 20 : 60;
    clump_cuda_fail_after(state_of(ctx), 0, (int)cudaSuccess);
    interruption f = {.of = j};
    r.failed = on_failure, r.user = &f;
    long failed = 0;
    for (long n = 0; n < calls && check_failures <= 20;) {
        const int e = (int)((one ? 0 : n) + first) % ERRORS;
        if (cold) clump_context_trim(ctx);
        f.seen = 0, f.wanted = errors[e].status;
        clump_cuda_fail_after(state_of(ctx), n, (int)errors[e].error);
        const clump_status status = job_do(j, ctx, &r);
        clump_cuda_fail_after(state_of(ctx), 0, (int)cudaSuccess);
        CHECK_MSG(status == CLUMP_OK && f.seen <= 1, "%s, call %ld of %ld, error %d: status %d, %d calls failed: %s",
                  text_of(j, &r), n, calls, e, (int)status, f.seen, clump_context_error(ctx));
        CHECK_MSG(r.hash == expected, "%s: another result after call %ld of %ld, error %d", text_of(j, &r), n, calls,
                  e);
        CHECK_TEXT(clump_context_error(ctx), "");
        failed += f.seen;
        const long step = n < shares ? 1 : 1 + calls / shares;
        n = n < calls - 1 && n + step >= calls ? calls - 1 : n + step;
    }
    CHECK_MSG(failed > 1, "%s: %ld of %ld calls failed", text_of(j, &r), failed, calls);
    clump_context_destroy(ctx);
    return failed;
}

static long fail_job(const job *j, int method, const hostile_case *few, const hostile_case *many)
{
    long failed = 0;
    for (int e = 0; e < (gpu_small() ? 1 : ERRORS); e++)
        failed += fail_everywhere(j, method, few, GPU_PAGEABLE, true, e, true);
    if (gpu_small()) return failed;
    failed += fail_everywhere(j, method, few, GPU_PAGEABLE, false, 1, true);
    failed += fail_everywhere(j, method, few, GPU_PINNED, true, 0, false);
    if (j->device == JOB_TAKES) {
        failed += fail_everywhere(j, method, few, GPU_DEVICE, true, 1, false);
        for (int e = 0; e < ERRORS; e++) failed += fail_everywhere(j, method, few, AHEAD, e % 2, e, true);
    }
    if (method > 0) return failed;
    failed += fail_everywhere(j, method, many, GPU_PAGEABLE, true, 2, false); /* a CUDA graph, for `fast` */
    failed += fail_everywhere(j, method, many, GPU_PINNED, false, 1, true);
    return failed + (j->device == JOB_TAKES ? fail_everywhere(j, method, many, AHEAD, true, 0, false) : 0);
}
#endif

static void every_runtime_call_fails(void)
{
#ifdef CLUMP_WITH_CUDA
    long failed = 0;
    hostile_case many = street_of(MANY), few = first_of(&many, FEW);
    FOR_CUDA_JOBS(j, method)
    {
        if (j->host || check_failures > 20 || (gpu_small() && (j - jobs + method) % 3 != 0)) continue;
        failed += fail_job(j, method, &few, &many);
    }
    printf("%ld calls of the CUDA runtime failed\n", failed);
    hostile_case_free(&many);
#else
    SKIP("a build without CUDA");
#endif
}

int main(int argc, char **argv)
{
    command_line = hostile_read_arguments(argc, argv);
    if (gpu_skip("test_cuda_jobs")) return 77;
    time_limit_start();
    cpu = gpu_context(CLUMP_BACKEND_CPU, NULL);
    gpu = gpu_context(CLUMP_BACKEND_CUDA, NULL);
    home = gpu_context(CLUMP_BACKEND_CUDA, NULL);
    RUN(streets_in_all_memory);
    RUN(any_stride_and_mask);
    RUN(clouds_of_all_shapes);
    RUN(clouds_of_all_sizes);
    RUN(a_scan);
    RUN(cases_of_seeds);
    RUN(the_rest_is_refused);
    RUN(warm_calls_take_nothing);
    RUN(reserved_is_enough);
    RUN(any_poll_can_cancel);
    RUN(a_set_flag_returns_at_once);
    RUN(every_runtime_call_fails);
    job_close(home);
    clump_context_destroy(home);
    clump_context_destroy(gpu);
    clump_context_destroy(cpu);
    time_limit_stop();
    CHECK(gpu_reset());
    return CHECK_END();
}
