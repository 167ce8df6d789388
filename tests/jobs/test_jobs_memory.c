/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_jobs_memory.c: every job (jobs/jobs.h) and the caller's allocator: all memory comes from it and goes back, warm calls
 * take none, and an allocation that fails is a sentence, after which the same call gives the same.
 */
#include "support/check.h"

#include "support/calls.h"
#include "support/clouds.h"
#include "jobs/jobs.h"

#include <math.h>

enum { FEW = 900, MORE = 1300, SOME = 2500, MANY = 9000, TINY = 400 };

/* A case of the first points of another one, which must exist longer. */
static hostile_case first_of(const hostile_case *c, size_t count)
{
    hostile_case few = *c;
    if (few.points.count > count) few.points.count = count;
    return few;
}

/* Describes what failed. */
static const char *text_of(const job *j, const job_run *r)
{
    static char text[400];
    return job_text(j, r, text);
}

static void destroy(clump_context *ctx, const counter *c, const char *what)
{
    clump_context_destroy(ctx);
    CHECK_MSG(c->live == 0 && c->bytes == 0, "%s: %ld pieces are left", what, c->live);
}

/* ----- warm calls -------------------------------------------------------------------------------------------------- */

typedef struct watch {
    counter c;
    int rounds;    /* that the row has begun; 0: it has no object */
    long at, more; /* allocations when the second began, and of later ones */
} watch;

static void watch_round(int round, void *user)
{
    watch *const w = user;
    w->rounds = round + 1;
    if (round == 1) w->at = w->c.calls;
    if (round > 1) w->more += w->c.calls - w->at, w->at = w->c.calls;
}

/* Three times; then with an empty context. */
static void check_warm(const job *j, int method, const hostile_case *c, int threads)
{
    watch w = {.c = {.fail_from = -1}};
    clump_context *ctx;
    job_run r = {.c = c, .method = method, .turn = JOB_PLAIN, .rounds = 3, .round = watch_round, .user = &w};
    CHECK_INT(counted_context(&w.c, threads, &ctx), CLUMP_OK);
    const size_t bare = w.c.bytes;
    CHECK_MSG(job_do(j, ctx, &r) == CLUMP_OK, "%s: %s", text_of(j, &r), clump_context_error(ctx));
    const long taken = w.c.calls;
    uint64_t hash = 0;
    r.rounds = 1;
    for (int again = 0; again < 2; again++) {
        CHECK_INT(job_do(j, ctx, &r), CLUMP_OK);
        CHECK_MSG(again == 0 || r.hash == hash, "%s: another result", text_of(j, &r));
        hash = r.hash;
    }
    const long more = w.rounds ? w.more : w.c.calls - taken;
    CHECK_MSG(more == 0 || j->keeps, "%s, %d threads: %ld allocations by warm calls", text_of(j, &r), threads, more);
    const size_t held = clump_context_stats(ctx).host_bytes, most = (size_t)j->bytes * c->points.count;
    CHECK_MSG(held < w.c.bytes, "%s", text_of(j, &r)); /* and the context itself */
    if (j->bytes && method == 0)
        CHECK_MSG(held <= most + 65536 * ((size_t)threads + 1), "%s: %zu bytes", text_of(j, &r), held);
    clump_context_trim(ctx);
    CHECK_INT(clump_context_stats(ctx).host_bytes, 0);
    CHECK_MSG(w.c.bytes <= bare + 8192, "%s: %zu bytes left", text_of(j, &r),
              w.c.bytes - bare); /* the backend's state */
    CHECK_INT(job_do(j, ctx, &r), CLUMP_OK);
    CHECK(r.hash == hash);
    destroy(ctx, &w.c, text_of(j, &r));
}

static hostile_case of_shape(cloud_shape shape, size_t count, uint64_t *random)
{
    hostile_case c = job_street(count);
    c.d = cloud_fill(shape, c.packed, count, random);
    if (!(c.d > 1e-15f && c.d < 1e15f)) c.d = cloud_fill(CLOUD_SCAN, c.packed, count, random);
    memcpy(c.memory, c.packed, 3 * count * sizeof *c.packed);
    return c;
}

static void warm_calls_take_nothing(void)
{
    uint64_t random = 61;
    int checked = 0;
    for (int shape = -1; shape < CLOUD_SHAPES; shape++) {
        hostile_case c = shape < 0 ? job_street(MANY) : of_shape((cloud_shape)shape, SOME, &random);
        const bool crowded = shape == CLOUD_EQUAL || shape == CLOUD_COPIES || shape == CLOUD_SLABS;
        FOR_TIER_JOBS(j, method)
        {
            const int every = CLOUD_WATCHED ? 8
                              : j->bytes
                                  ? check_fewer(2, 1)
                                  : check_fewer(8, 4); /* fast methods, whose memory follows the shape, see all */
            if (shape >= 0 && (shape + (int)(j - jobs) + method) % every != 0) continue;
            const hostile_case some = first_of(&c, method > 0 && crowded ? 600 : c.points.count);
            check_warm(j, method, &some, 1 + (checked++ + shape + 1) % 3);
        }
        hostile_case_free(&c);
    }
    printf("%d warm clouds of %d jobs\n", checked, job_count);
}

/* All jobs one after another with one context: once it is warm for all, none allocates but for objects of its own. */
static void shared_contexts_stay_warm(void)
{
    enum { ROUNDS = 3, RUNS = 200 };
    static uint64_t hash[RUNS];
    hostile_case c = job_street(MANY);
    for (int threads = 1; threads <= 3; threads += 2) {
        watch w = {.c = {.fail_from = -1}};
        clump_context *ctx;
        CHECK_INT(counted_context(&w.c, threads, &ctx), CLUMP_OK);
        for (int round = 0; round < ROUNDS; round++) {
            int run = 0;
            FOR_TIER_JOBS(j, method)
            {
                job_run r = {.c = &c, .method = method, .turn = JOB_PLAIN, .round = watch_round, .user = &w};
                const long before = w.c.calls;
                w.rounds = 0;
                CHECK_INT(job_do(j, ctx, &r), CLUMP_OK);
                if (round + threads == 1) hash[run] = r.hash;
                CHECK_MSG(r.hash == hash[run], "%s, round %d: another result", text_of(j, &r), round);
                const long more = w.rounds || j->keeps || round < 2 ? 0 : w.c.calls - before;
                CHECK_MSG(more == 0, "%s: %ld allocations by warm calls", text_of(j, &r), more);
                run++;
            }
        }
        destroy(ctx, &w.c, "all jobs");
    }
    hostile_case_free(&c);
}

/* After clump_context_reserve the usual options allocate nothing, for any cloud up to that size. */
static void reserved_is_enough(void)
{
    uint64_t random = 53;
    for (int threads = 1; threads <= 2; threads++) {
        counter counts = {.fail_from = -1};
        clump_context *const ctx = reserved_context(&counts, threads, MANY);
        const long taken = counts.calls;
        for (int turn = 0; turn < check_rounds(CLOUD_WATCHED ? 8 : 48) && counts.calls == taken; turn++) {
            const size_t count = turn % 2 ? MANY : check_random(&random) % MANY;
            hostile_case c = of_shape((cloud_shape)(turn / 2 % CLOUD_SHAPES), count, &random);
            c.seed = (uint64_t)turn / 3;                            /* min_points */
            if (turn % 7 == 0) c.d = turn % 2 ? 0x1p-60f : 0x1p60f; /* as many cells as can be, and one */
            for (const job *j = jobs; j < jobs + job_count; j++) {
                job_run r = {.c = &c, .turn = JOB_PLAIN};
                if (!j->reserved) continue;
                CHECK_INT(job_do(j, ctx, &r), CLUMP_OK);
                CHECK_MSG(counts.calls == taken, "%s, %d threads: %ld allocations", text_of(j, &r), threads,
                          counts.calls - taken);
            }
            hostile_case_free(&c);
        }
        destroy(ctx, &counts, "reserved");
    }
}

/* ----- allocations that fail --------------------------------------------------------------------------------------- */

typedef struct failure {
    counter c;
    int seen;
    bool trims;
} failure;

/* After the failure there is memory again. */
static void on_failure(clump_context *ctx, clump_status status, void *user)
{
    failure *const f = user;
    f->seen++;
    f->c.fail_from = -1;
    expect_failure(ctx, status, CLUMP_ERR_OUT_OF_MEMORY, "memory");
    if (f->trims) clump_context_trim(ctx); /* a context in any state can be trimmed */
}

/* Runs the job on a new context of which allocation k fails, counted from its creation; with `grow` from when it has done the job
 * for a few points. Returns whether there was such an allocation. */
static bool fails_at(const job *j, int method, const hostile_case *c, long k, int threads, bool grow, int turn,
                     uint64_t expected)
{
    failure f = {.c = {.fail_from = grow ? -1 : k, .once = k % 2}, .trims = k % 3 == 0};
    clump_context *ctx = (clump_context *)&f;
    const clump_status created = counted_context(&f.c, threads, &ctx);
    if (created != CLUMP_OK) {
        CHECK_INT(created, CLUMP_ERR_OUT_OF_MEMORY);
        CHECK(ctx == NULL && f.c.live == 0);
        return true;
    }
    const hostile_case few = first_of(c, TINY);
    job_run r = {.c = &few, .method = method, .turn = turn};
    if (grow) CHECK_INT(job_do(j, ctx, &r), CLUMP_OK);
    if (grow) f.c.fail_from = f.c.calls + k;
    r.c = c, r.failed = on_failure, r.user = &f;
    const clump_status status = job_do(j, ctx, &r);
    CHECK_MSG(status == CLUMP_OK && f.seen == f.c.failed, "%s, allocation %ld: status %d, %d calls failed",
              text_of(j, &r), k, (int)status, f.seen);
    CHECK_MSG(r.hash == expected, "%s: another result after allocation %ld", text_of(j, &r), k);
    CHECK_TEXT(clump_context_error(ctx), "");
    destroy(ctx, &f.c, text_of(j, &r));
    return f.c.failed;
}

static long all_fail(const job *j, int method, const hostile_case *c, int threads, bool grow, int turn)
{
    clump_context *const ctx = cpu_context(1);
    job_run r = {.c = c, .method = method, .turn = turn};
    const clump_status status = job_do(j, ctx, &r);
    CHECK_MSG(status == CLUMP_OK || (turn > 0 && status == CLUMP_ERR_UNSUPPORTED), "%s: %s", text_of(j, &r),
              clump_context_error(ctx));
    clump_context_destroy(ctx);
    if (status != CLUMP_OK) return 0;
    const long step = check_fewer(5, 1); /* 5 is prime to the 6 kinds of failures */
    long k = 0, failures = 0;
    while (k < 500 && check_failures < 20 && fails_at(j, method, c, k, threads, grow, turn, r.hash)) {
        k += failures++ > 0 ? step : 1 + (j - jobs) % step;
    }
    CHECK_MSG(k < 500 && (grow || k > 0), "%s: %ld allocations", text_of(j, &r), k);
    return failures;
}

static void every_allocation_fails(void)
{
    hostile_case c = job_street(MANY);
    const hostile_case few = first_of(&c, FEW), more = first_of(&c, MORE);
    hostile_case spread = job_street(FEW); /* of all magnitudes: other estimates of memory */
    for (size_t i = 0; i < FEW; i++) ((float *)spread.memory)[3 * i] = ldexpf(spread.packed[3 * i], -(int)(i % 90));
    long failures = 0;
    FOR_TIER_JOBS(j, method)
    {
        failures += all_fail(j, method, &few, 1, false, JOB_PLAIN);
        failures += all_fail(j, method, &more, 2, true, JOB_PLAIN);
        failures += all_fail(j, method, &spread, 2, false, 0);
        if (method == 0) failures += all_fail(j, method, &few, 1, false, 1);
        if (method == 0 && j->wide && !CLOUD_WATCHED) failures += all_fail(j, method, &c, 3, false, JOB_PLAIN);
    }
    printf("%ld allocations of %d jobs failed\n", failures, job_count);
    CHECK_MSG(failures > check_fewer(570, 2850), "%ld allocations", failures);
    hostile_case_free(&c);
    hostile_case_free(&spread);
}

CHECK_PROGRAM(test_jobs_memory)
{
    RUN(warm_calls_take_nothing);
    RUN(shared_contexts_stay_warm);
    RUN(reserved_is_enough);
    RUN(every_allocation_fails);
}
