/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_cuda_failures.c: calls on a GPU that end early. In every job (jobs/jobs.h) any poll can cancel, and calls of the CUDA
 * runtime fail, one per run, in three ways, from every kind of memory: the right status and one sentence, and the same call
 * then gives the same. Of many calls some fail, in tier 3 all. So do calls that are no jobs. A context that may choose goes on on the CPU and says why. Built with CUDA
 * alone; skipped where there is no GPU.
 */
#include "support/check.h"

#include "cuda/gpu/fault.h"
#include "cuda/jobs_on_gpu.h"
#include "support/calls.h"

#include <clump/info.h>

#include <cuda_runtime_api.h>

enum { PIECES = 524288, LARGE = 100000, ENDLESS = 1 << 30 };

static float xyz[3 * FEW];
static int32_t labels[FEW];

typedef struct failure {
    cudaError_t error;
    clump_status status;
    const char *name;
} failure;

static const failure failures[] = {
    {cudaErrorMemoryAllocation, CLUMP_ERR_OUT_OF_MEMORY, "no memory"},
    {cudaErrorLaunchFailure, CLUMP_ERR_DEVICE, "GPU lost"},
    {cudaErrorDevicesUnavailable, CLUMP_ERR_NO_DEVICE, "GPU busy"},
};
enum { FAILURES = sizeof failures / sizeof *failures };

static void *state_of(clump_context *ctx)
{
    return ctx->backends[CLUMP_BACKEND_CUDA - CLUMP_BACKEND_CPU].state;
}

static void fail_after(clump_context *ctx, long calls, cudaError_t error)
{
    clump_cuda_fail_after(state_of(ctx), calls, (int)error);
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

static void on_failure(clump_context *ctx, clump_status status, void *user)
{
    interruption *const f = user;
    f->seen++;
    const char *const said = clump_context_error(ctx);
    CHECK_MSG(status == f->wanted, "%s %s: status %d, expected %d: %s", f->of->call, f->of->what, (int)status,
              (int)f->wanted, said);
    CHECK_MSG(strlen(said) > 15 && strlen(said) < 400 && !strchr(said, '\n'), "%s: \"%s\"", f->of->call, said);
}

/* Of the calls of the runtime that a run makes each fails once; of many the first ones, some, and the last. A cold context, which takes
 * all its memory again each time, loses the GPU at each of up to 150; in tier 3 all fail. `first` is the error of call 0,
 * the next one is that of call 1; `one`: all have the same. */
static long fail_everywhere(const job *j, int method, const hostile_case *c, int manner, bool cold, int first, bool one)
{
    clump_context *const ctx = gpu_context(CLUMP_BACKEND_CUDA, NULL);
    job_run r = run_of(j, method, c, JOB_PLAIN, manner);
    CHECK_MSG(job_do(j, ctx, &r) == CLUMP_OK, "%s: %s", text_of(j, &r), clump_context_error(ctx));
    const uint64_t expected = r.hash;
    if (cold) clump_context_trim(ctx);
    fail_after(ctx, ENDLESS, cudaErrorLaunchFailure);
    CHECK_INT(job_do(j, ctx, &r), CLUMP_OK);
    const long calls = ENDLESS - (long)clump_cuda_calls_left(state_of(ctx));
    const long shares = gpu_small()                 ? 6
                        : check_tier() == 3         ? 5000
                        : calls > 400               ? 20
                        : cold && one && first == 1 ? 150
                                                    : 30;
    fail_after(ctx, 0, cudaSuccess);
    interruption f = {.of = j};
    r.failed = on_failure, r.user = &f;
    long failed = 0;
    for (long n = 0; n < calls && check_failures <= 20;) {
        const int e = (int)((one ? 0 : n) + first) % FAILURES;
        if (cold) clump_context_trim(ctx);
        f.seen = 0, f.wanted = failures[e].status;
        fail_after(ctx, n, failures[e].error);
        const clump_status status = job_do(j, ctx, &r);
        fail_after(ctx, 0, cudaSuccess);
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
    for (int e = 0; e < (gpu_small() ? 1 : FAILURES); e++)
        failed += fail_everywhere(j, method, few, GPU_PAGEABLE, true, e, true);
    if (gpu_small()) return failed;
    failed += fail_everywhere(j, method, few, GPU_PAGEABLE, false, 1, true);
    failed += fail_everywhere(j, method, few, GPU_PINNED, true, 0, false);
    if (j->device == JOB_TAKES) {
        failed += fail_everywhere(j, method, few, GPU_DEVICE, true, 2, false);
        failed += fail_everywhere(j, method, few, AHEAD, true, 1, true);
        failed += fail_everywhere(j, method, few, AHEAD, false, 0, false);
    }
    if (method > 0) return failed;
    failed += fail_everywhere(j, method, many, GPU_PAGEABLE, true, 1, true); /* a CUDA graph, for `fast` */
    failed += fail_everywhere(j, method, many, GPU_PINNED, false, 2, false);
    if (j->methods == &clump_ec_methods || j->methods == &clump_dbscan_methods) { /* labels of so many come in pieces */
        hostile_case pieces = job_street(PIECES);
        failed += fail_everywhere(j, method, &pieces, GPU_PAGEABLE, false, 1, true);
        hostile_case_free(&pieces);
    }
    return failed + (j->device == JOB_TAKES ? fail_everywhere(j, method, many, AHEAD, true, 0, false) : 0);
}

static void every_runtime_call_fails(void)
{
    long failed = 0;
    hostile_case many = street_of(MANY), few = first_of(&many, FEW);
    FOR_CUDA_JOBS(j, method)
    {
        if (j->host || check_failures > 20 || (gpu_small() && (j - jobs + method) % 3 != 0)) continue;
        failed += fail_job(j, method, &few, &many);
    }
    printf("%ld calls of the CUDA runtime failed\n", failed);
    hostile_case_free(&many);
}

/* ----- the other calls ----------------------------------------------------------------------------- */

enum { RESERVE, WAIT, ALLOCATE_DEVICE, ALLOCATE_PINNED, COPY, OTHERS };

static clump_status other_call(clump_context *ctx, int which, void *device)
{
    void *taken = NULL;
    clump_status status = CLUMP_OK;
    switch (which) {
    case RESERVE:
        return clump_context_reserve(ctx, MANY); /* with its graphs */
    case WAIT:
        return clump_cuda_wait(ctx);
    case COPY:
        return clump_cuda_copy(ctx, device, xyz, 64);
    default:
        status =
            clump_cuda_allocate(ctx, which == ALLOCATE_DEVICE ? CLUMP_CUDA_DEVICE : CLUMP_CUDA_PINNED, 4096, &taken);
        CHECK((taken == NULL) == (status != CLUMP_OK));
        fail_after(ctx, 0, cudaSuccess); /* release reports no failure */
        if (taken) clump_cuda_release(ctx, which == ALLOCATE_DEVICE ? CLUMP_CUDA_DEVICE : CLUMP_CUDA_PINNED, taken);
        return status;
    }
}

static void other_calls_fail(void)
{
    static const char *const names[OTHERS] = {"reserve", "wait", "allocate", "allocate pinned", "copy"};
    for (int which = 0; which < OTHERS; which++) {
        for (int f = 0; f < FAILURES; f++) {
            clump_context *const ctx = gpu_context(CLUMP_BACKEND_CUDA, NULL);
            gpu_cloud c = gpu_cloud_make(ctx, GPU_DEVICE, (clump_points){.xyz = xyz, .count = FEW}, NULL);
            long failed = 0, n = 0;
            for (; n < 200; n++) {
                clump_context_trim(ctx);
                fail_after(ctx, n, failures[f].error);
                char said[512];
                const clump_status status = other_call(ctx, which, c.memory);
                snprintf(said, sizeof said, "%s", clump_context_error(ctx));
                fail_after(ctx, 0, cudaSuccess);
                if (status == CLUMP_OK) break;
                failed++;
                CHECK_MSG(status == failures[f].status && strlen(said) > 15, "%s, %s: status %d: \"%s\"", names[which],
                          failures[f].name, (int)status, said);
                CHECK_INT(other_call(ctx, which, c.memory), CLUMP_OK);
            }
            CHECK_MSG(failed > 0 && n < 200, "%s: %ld of %ld", names[which], failed, n);
            gpu_cloud_free(ctx, &c);
            clump_context_destroy(ctx);
        }
    }
}

/* ----- AUTO ---------------------------------------------------------------------------------------- */

static int warnings;
static void count_warnings(clump_log_level level, const char *message, void *user)
{
    (void)message, (void)user;
    warnings += level == CLUMP_LOG_WARNING;
}

static void auto_falls_back(void)
{
    float *const cloud = malloc(3 * LARGE * sizeof *cloud);
    int32_t *const found = malloc(LARGE * sizeof *found);
    uint64_t random = 132;
    const float r = cloud_fill(CLOUD_SCAN, cloud, LARGE, &random);
    const clump_points points = {.xyz = cloud, .count = LARGE};
    for (int f = 0; f < FAILURES; f++) {
        for (long n = 0; n < 12; n += 4) {
            clump_context_options options = clump_context_defaults();
            options.log = count_warnings;
            clump_context *ctx = NULL;
            CHECK_INT(clump_context_create(&options, &ctx), CLUMP_OK);
            int32_t first = -1, then = -2;
            CHECK_INT(clump_ec(ctx, points, r, NULL, found, &first), CLUMP_OK);
            const uint64_t hash = clump_labels_hash(found, LARGE);
            if (clump_context_stats(ctx).backend != CLUMP_BACKEND_CUDA) {
                CHECK_FAIL("%d points run on the CPU: %s", (int)LARGE, clump_context_stats(ctx).reason);
                clump_context_destroy(ctx);
                break;
            }
            warnings = 0;
            clump_context_trim(ctx);
            fail_after(ctx, n, failures[f].error);
            memset(found, 0, LARGE * sizeof *found);
            CHECK_MSG(clump_ec(ctx, points, r, NULL, found, &then) == CLUMP_OK, "%s", clump_context_error(ctx));
            fail_after(ctx, 0, cudaSuccess);
            CHECK_TEXT(clump_context_error(ctx), "");
            CHECK(then == first && clump_labels_hash(found, LARGE) == hash);
            CHECK_INT(clump_context_stats(ctx).backend, CLUMP_BACKEND_CPU);
            CHECK_MSG(strstr(clump_context_stats(ctx).reason, "GPU"), "%s", clump_context_stats(ctx).reason);
            CHECK_INT(warnings, 1);

            /* a lack of memory may pass; a GPU that is gone is not asked again, and the reason stays */
            const bool again = failures[f].status == CLUMP_ERR_OUT_OF_MEMORY;
            CHECK_INT(clump_ec(ctx, points, r, NULL, found, &then), CLUMP_OK);
            CHECK(then == first && clump_labels_hash(found, LARGE) == hash);
            CHECK_INT(clump_context_stats(ctx).backend, again ? CLUMP_BACKEND_CUDA : CLUMP_BACKEND_CPU);
            if (!again)
                CHECK_MSG(strstr(clump_context_stats(ctx).reason, "GPU"), "%s", clump_context_stats(ctx).reason);
            clump_context_destroy(ctx);
        }
    }
    free(cloud), free(found);
}

/* A device that is not there, on a machine that has others. */
static void no_such_device(void)
{
    clump_context_options options = clump_context_defaults();
    options.backend = CLUMP_BACKEND_CUDA, options.device = 999;
    clump_context *ctx = NULL;
    CHECK_INT(clump_context_create(&options, &ctx), CLUMP_OK);
    CHECK_INT(clump_ec(ctx, (clump_points){.xyz = xyz, .count = 5}, 1, NULL, labels, NULL), CLUMP_ERR_NO_DEVICE);
    CHECK(strstr(clump_context_error(ctx), "999"));
    clump_context_destroy(ctx);
}

CHECK_PROGRAM(test_cuda_failures)
{
    if (gpu_skip("test_cuda_failures")) return;
    uint64_t random = 131;
    (void)cloud_fill(CLOUD_CLUMPED, xyz, FEW, &random);
    jobs_open();
    RUN(any_poll_can_cancel);
    RUN(a_set_flag_returns_at_once);
    RUN(every_runtime_call_fails);
    RUN(other_calls_fail);
    RUN(auto_falls_back);
    RUN(no_such_device);
    jobs_close();
    CHECK(gpu_reset());
}
