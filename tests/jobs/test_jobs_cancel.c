/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_jobs_cancel.c: every job (jobs/jobs.h), cancelled at any moment. Fault injection makes poll k report a cancellation, for
 * many k up to the last; then the same call must give the right result with the same context. The longest times between two
 * polls, on clouds in which searches of pairs take long, are printed.
 *
 * Tier 3 prints those of a million points.
 */
#include "support/check.h"

#include "support/calls.h"
#include "support/clouds.h"
#include "jobs/jobs.h"
#include "common/atomics.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>

enum { MANY = 9000, SOME = 3000 };
static hostile_case street;

static const char *text_of(const job *j, const job_run *r)
{
    static char text[400];
    return job_text(j, r, text);
}

static clump_context *create(int threads, const volatile int *cancel)
{
    clump_context_options options = clump_context_defaults();
    options.threads = threads;
    options.backend = CLUMP_BACKEND_CPU;
    options.cancel = cancel;
    clump_context *ctx = NULL;
    CHECK_INT(clump_context_create(&options, &ctx), CLUMP_OK);
    return ctx;
}

static uint64_t hash_of(const job *j, clump_context *ctx, job_run r)
{
    CHECK_MSG(job_do(j, ctx, &r) == CLUMP_OK, "%s: %s", text_of(j, &r), clump_context_error(ctx));
    return r.hash;
}

/* ----- polls ------------------------------------------------------------------------------------------------------- */

static void count_poll(void *polls)
{
    (void)CLUMP_ADD((long *)polls, 1); /* any thread polls */
}

static long polls_of(const job *j, clump_context *ctx, job_run r)
{
    long polls = 0;
    clump_team_hook(ctx->work.team, count_poll, &polls);
    CHECK_INT(job_do(j, ctx, &r), CLUMP_OK);
    clump_team_hook(ctx->work.team, NULL, NULL);
    return polls;
}

typedef struct cancelled {
    const job *of;
    int seen;
} cancelled;

static void on_cancel(clump_context *ctx, clump_status status, void *user)
{
    cancelled *const c = user;
    c->seen++;
    expect_failure(ctx, status, CLUMP_ERR_CANCELLED, ": cancelled by the caller");
    const char *const sentence = clump_context_error(ctx);
    CHECK_MSG(strncmp(sentence, c->of->call, strlen(c->of->call)) == 0, "%s: \"%s\"", c->of->call, sentence);
}

/* The first polls, then about `shares` that are spread over all, and the last. Returns how many calls were cancelled. */
static long sweep(const job *j, clump_context *ctx, job_run r, long polls, uint64_t expected)
{
    const long shares = CLOUD_WATCHED ? 2 : check_rounds(ctx->work.threads > 1 ? 4 : 29);
    long sum = 0;
    cancelled seen = {.of = j};
    r.failed = on_cancel, r.user = &seen;
    for (long k = 1; k <= polls && check_failures <= 10;) {
        seen.seen = 0;
        clump_team_trap(ctx->work.team, k);
        const clump_status status = job_do(j, ctx, &r);
        clump_team_trap(ctx->work.team, 0);
        CHECK_MSG(status == CLUMP_OK && r.hash == expected, "%s, poll %ld of %ld: status %d, %016" PRIx64,
                  text_of(j, &r), k, polls, (int)status, r.hash);
        CHECK_TEXT(clump_context_error(ctx), "");
        CHECK_MSG(seen.seen == 1 || ctx->work.threads > 1, "%s, poll %ld of %ld cancelled nothing", text_of(j, &r), k,
                  polls);
        sum += seen.seen;
        const long step = k < shares ? 1 : 1 + polls / shares;
        k = k < polls && k + step > polls ? polls : k + step;
    }
    return sum;
}

static void any_poll_can_cancel(void)
{
    long sum = 0;
    hostile_case some = street;
    some.points.count = SOME;
    FOR_TIER_JOBS(j, method)
    {
        for (int threads = 1; threads <= (method ? 1 : 3); threads += 2) {
            const job_run r = {.c = threads > 1 ? &street : &some, .method = method, .turn = JOB_PLAIN};
            clump_context *const ctx = create(threads, NULL);
            const uint64_t expected = hash_of(j, ctx, r);
            const long polls = polls_of(j, ctx, r);
            CHECK_MSG(method || threads > 1 || polls >= j->polls, "%s: %ld polls", text_of(j, &r), polls);
            if (threads == 1 || clump_context_stats(ctx).threads > 1) sum += sweep(j, ctx, r, polls, expected);
            clump_context_destroy(ctx);
        }
    }
    printf("%ld calls of %d jobs were cancelled\n", sum, job_count);
    CHECK_MSG(CLOUD_WATCHED || sum >= check_fewer(500, 2700), "%ld calls", sum);
}

static void a_set_flag_returns_at_once(void)
{
    volatile int flag = 0;
    int32_t offsets[1];
    clump_context *const ctx = create(2, &flag);
    FOR_TIER_JOBS(j, method)
    {
        job_run r = {.c = &street, .method = method, .turn = JOB_PLAIN};
        flag = 1;
        CHECK_MSG(job_do(j, ctx, &r) == CLUMP_ERR_CANCELLED, "%s", text_of(j, &r));
        flag = 0;
        const uint64_t hash = hash_of(j, ctx, r);
        flag = 1;
        CHECK_MSG(job_do(j, ctx, &r) == CLUMP_ERR_CANCELLED, "%s", text_of(j, &r));
        flag = 0;
        CHECK_MSG(hash_of(j, ctx, r) == hash, "%s", text_of(j, &r));
    }
    flag = 1;
    CHECK_INT(clump_context_reserve(ctx, 100), CLUMP_ERR_CANCELLED);
    CHECK_TEXT(clump_context_error(ctx), "clump_context_reserve: cancelled by the caller");
    CHECK_INT(clump_group(ctx, NULL, 0, CLUMP_PLACE_HOST, 0, offsets, NULL), CLUMP_ERR_CANCELLED);
    CHECK_TEXT(clump_status_text(CLUMP_ERR_CANCELLED), "cancelled by the caller");
    clump_context_destroy(ctx);
}

/* ----- flags that are set meanwhile -------------------------------------------------------------------------------- */

typedef struct setter {
    int flag;
    long nanoseconds;
} setter;

static void *set_later(void *arg)
{
    setter *const s = arg;
    nanosleep(&(struct timespec){.tv_nsec = s->nanoseconds}, NULL);
    __atomic_store_n(&s->flag, 1, __ATOMIC_RELAXED);
    return NULL;
}

static void another_thread_cancels(void)
{
    for (const job *j = jobs; j < jobs + job_count; j++) {
        setter s = {0};
        clump_context *const ctx = create(2, &s.flag);
        job_run r = {.c = &street, .turn = JOB_PLAIN};
        const uint64_t expected = hash_of(j, ctx, r);
        const int rounds = check_rounds(12), step = rounds < 12 ? 12 / rounds : 1;
        for (int round = (int)(j - jobs) % 3; round < rounds; round += 3) {
            s.nanoseconds = 1000L << round * step % 12;
            pthread_t thread;
            CHECK_INT(pthread_create(&thread, NULL, set_later, &s), 0);
            const clump_status status = job_do(j, ctx, &r);
            CHECK_MSG(status == CLUMP_ERR_CANCELLED || (status == CLUMP_OK && r.hash == expected), "status %d", status);
            pthread_join(thread, NULL);
            __atomic_store_n(&s.flag, 0, __ATOMIC_RELAXED);
            CHECK_MSG(hash_of(j, ctx, r) == expected, "%s after %ld ns", text_of(j, &r), s.nanoseconds);
        }
        clump_context_destroy(ctx);
    }
}

static volatile sig_atomic_t interrupted;

static void on_alarm(int number)
{
    (void)number;
    interrupted = 1;
}

/* A call of several seconds, which a signal ends. */
static void a_signal_cancels(void)
{
    enum { PLACES = 17000 };
    _Static_assert(sizeof(sig_atomic_t) == sizeof(int), "as clump.h says");
    struct sigaction action = {.sa_handler = on_alarm}, before;
    sigaction(SIGALRM, &action, &before);
    interrupted = 0;
    clump_context *const ctx = create(1, (const volatile int *)&interrupted);
    hostile_case large = job_street(PLACES);
    int32_t *const labels = malloc(PLACES * sizeof *labels);
    clump_ec_options o = clump_ec_defaults();
    o.method = CLUMP_EC_MATRIX_ES;
    const struct itimerval soon = {.it_value = {.tv_usec = 20000}};
    setitimer(ITIMER_REAL, &soon, NULL);
    CHECK_INT(clump_ec(ctx, large.points, 0.01f, &o, labels, NULL), CLUMP_ERR_CANCELLED);
    CHECK(interrupted);
    sigaction(SIGALRM, &before, NULL);
    free(labels);
    hostile_case_free(&large);
    clump_context_destroy(ctx);
}

/* ----- times between polls ----------------------------------------------------------------------------------------- */

static struct {
    double last, longest;
} gauge;

/* Processor time of this thread: other processes do not count. */
static void measure(void *unused)
{
    (void)unused;
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    const double now = (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
    gauge.longest = fmax(gauge.longest, now - gauge.last);
    gauge.last = now;
}

/* Half of the points are around x, 0, 0, the others on a circle, a sphere or a plane, so far from these that they are not
 * neighbours at this radius; or all points are in one place. */
typedef enum shape { CIRCLE, SHELL, WALLS, ONE_PLACE, SHAPES, PLACES = 4 } shape;
static const char *const shape_names[] = {"circle and axis", "ball and shell", "walls", "one place"};

static hostile_case make_shape(shape s, size_t n, float x, float radius)
{
    uint64_t random = 9;
    hostile_case c = job_street(n);
    const float centre[3] = {x, 0, 0};
    if (s == CIRCLE) hostile_around(HOSTILE_CIRCLE, c.packed, n, centre, 1.00002 * (double)radius, &random);
    if (s == SHELL) hostile_around(HOSTILE_BALL, c.packed, n, centre, 1.001 * (double)radius, &random);
    for (size_t i = 0; s >= WALLS && i < n; i++) {
        const float u = check_random_float(&random), v = check_random_float(&random),
                    wide = s == WALLS ? 0.3f * radius : 0;
        c.packed[3 * i] = s == WALLS && i % 2 ? x + 1.00002f * radius : x;
        c.packed[3 * i + 1] = wide * u, c.packed[3 * i + 2] = wide * v;
    }
    memcpy(c.memory, c.packed, 3 * n * sizeof *c.packed);
    return c;
}

static void prints_the_longest_times(void)
{
    static const struct {
        float x, radius;
    } places[PLACES] = {
        {5, 0.5f}, {5, 0.25f}, {50, 0.875f}, {50, 2.5f}}; /* radius of ec, of objects at 5 and 50, of 0.05 per metre */
    const bool whole = check_tier() == 3;                 /* else few points: only the calls are tested */
    double worst = 0;
    clump_context *const ctx = create(1, NULL);
    clump_team_hook(ctx->work.team, measure, NULL);
    for (int k = 0; k < (whole ? PLACES : 1) * SHAPES; k++) {
        hostile_case c =
            make_shape((shape)(k % SHAPES), whole ? 1000000 : 1500, places[k / SHAPES].x, places[k / SHAPES].radius);
        FOR_TIER_JOBS(j, method)
        {
            hostile_case some = c;
            if (j->methods == &clump_nn_methods) some.points.count = 1500; /* n^2: ties, and rows of n neighbours */
            job_run r = {.c = &some, .method = method, .turn = JOB_PLAIN};
            measure(NULL), gauge.longest = 0;
            const clump_status status = job_do(j, ctx, &r);
            measure(NULL);
            CHECK_MSG(status == CLUMP_OK, "%s: %s", text_of(j, &r), clump_context_error(ctx));
            if (gauge.longest > 5) printf("%8.2f ms  %s, %s\n", gauge.longest, text_of(j, &r), shape_names[k % SHAPES]);
            worst = fmax(worst, gauge.longest);
        }
        hostile_case_free(&c);
    }
    printf("%8.2f ms at most between two polls\n", worst);
    clump_context_destroy(ctx);
}

CHECK_PROGRAM(test_jobs_cancel)
{
    street = job_street(MANY);
    RUN(any_poll_can_cancel);
    RUN(a_set_flag_returns_at_once);
    RUN(another_thread_cancels);
    RUN(a_signal_cancels);
    RUN(prints_the_longest_times);
    hostile_case_free(&street);
}
