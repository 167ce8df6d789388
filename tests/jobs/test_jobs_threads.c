/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_jobs_threads.c: every job (jobs.h) gives the same bits with any number of threads, under any task system of the caller,
 * and in a child of the process.
 */
#include "support/check.h"

#include "core/task_systems.h"
#include "jobs/jobs.h"
#include "support/calls.h"
#include "support/clouds.h"

#include <sys/wait.h>
#include <unistd.h>

enum { MEDIUM = CLOUD_WATCHED ? 9000 : 17000, SOME = 3000, LARGE = 61 * 8192 + 100, RUNS = 200, TURNS = 3 };

/* What is known of a row and method: hashes of all turns, and whether it has one thread alone. */
typedef struct known {
    uint64_t hash[TURNS];
    bool made, alone;
} known;

static known seen[RUNS];
static long compared;

static const char *text_of(const job *j, const job_run *r)
{
    static char text[400];
    return job_text(j, r, text);
}

/* Runs all turns: what suits the street on all of its points, random options on some. Returns whether all is as before. */
static bool is_same(const job *j, int method, clump_context *ctx, const hostile_case *street, known *k,
                    const char *name)
{
    bool same = true;
    hostile_case some = *street;
    some.points.count = SOME;
    for (int turn = JOB_PLAIN; turn < TURNS - 1; turn++) {
        job_run r = {.c = turn == JOB_PLAIN ? street : &some, .method = method, .turn = turn};
        const clump_status status = job_do(j, ctx, &r);
        CHECK_MSG(status == CLUMP_OK || (turn > 0 && status == CLUMP_ERR_UNSUPPORTED), "%s: %s", text_of(j, &r),
                  clump_context_error(ctx));
        if (!k->made) k->hash[turn + 1] = r.hash;
        same = same && r.hash == k->hash[turn + 1];
        CHECK_MSG(r.hash == k->hash[turn + 1], "%s: %s: other bits", name, text_of(j, &r));
        compared++;
    }
    k->made = true;
    return same;
}

/* Task systems first: they tell which methods have several threads. Each of these must use every system. */
static void under_any_task_system(void)
{
    hostile_case street = job_street(MEDIUM);
    for (int manner = 0; manner < TASKS_MANNERS; manner++) {
        if (check_tier() == 1 && manner != TASKS_ON_CALLER && manner != TASKS_POOLED && manner != TASKS_LATE) continue;
        task_pool *const pool = task_pool_start((task_manner)manner);
        clump_context_options options = clump_context_defaults();
        options.threads = 4, options.backend = CLUMP_BACKEND_CPU, options.tasks = task_pool_system(pool);
        clump_context *ctx = NULL;
        CHECK_INT(clump_context_create(&options, &ctx), CLUMP_OK);
        known *k = seen;
        FOR_TIER_JOBS(j, method)
        {
            const long before = task_pool_runs(pool);
            if (manner == 0 || !k->alone) is_same(j, method, ctx, &street, k, task_pool_name(pool));
            const bool used = task_pool_runs(pool) > before;
            if (manner == 0) k->alone = !used;
            CHECK_MSG(used == !k->alone, "%s: %s %s, method %d: no run of the pool", task_pool_name(pool), j->call,
                      j->what, method);
            k++;
        }
        CHECK(k <= seen + RUNS);
        task_pool_end(pool);
        clump_context_destroy(ctx);
    }
    hostile_case_free(&street);
}

static void with_any_number_of_threads(void)
{
    static const int threads[] = {7, 1, 2, 3, 16, 61, 0};
    hostile_case street = job_street(MEDIUM);
    for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
        if (CLOUD_WATCHED && t > 1) continue;
        if (check_tier() == 1 && threads[t] != 7 && threads[t] != 1 && threads[t] != 61) continue;
        char name[32];
        snprintf(name, sizeof name, "%d threads", threads[t]);
        clump_context *const ctx = cpu_context(threads[t]);
        known *k = seen;
        FOR_TIER_JOBS(j, method)
        {
            if (t < 2 || !k->alone) is_same(j, method, ctx, &street, k, name);
            k++;
        }
        clump_context_destroy(ctx);
    }
    hostile_case_free(&street);
    printf("%ld runs of %d jobs\n", compared, job_count);
}

/* More threads than any machine of ours has cores: a large cloud gives work to all. */
static void more_threads_than_cores(void)
{
    static const int threads[] = {1, 7, 61};
    const size_t teams = check_fewer(2, 3);
    hostile_case c = job_street(CLOUD_WATCHED || teams == 2 ? LARGE / 8 : LARGE);
    uint64_t random = 61;
    float *const xyz = c.memory;
    for (size_t i = 0; i < 3 * c.points.count; i++) {
        const float u = check_random_float(&random);
        xyz[i] = i % 3 < 2 ? 50 * u - 25 : i / 3 % 3 ? 0.1f * u - 1.8f : 12 * u - 1.8f;
    }
    c.d = 0.6f;
    for (const job *j = jobs; j < jobs + job_count; j++) {
        uint64_t expected = 0;
        for (size_t t = 0; t < teams && j->wide; t++) {
            if (CLOUD_WATCHED && t != 1) continue;
            clump_context *const ctx = cpu_context(threads[t]);
            job_run r = {.c = &c, .turn = JOB_PLAIN};
            CHECK_INT(job_do(j, ctx, &r), CLUMP_OK);
            CHECK_MSG(clump_context_stats(ctx).threads == threads[t], "%s: %d of %d threads", text_of(j, &r),
                      clump_context_stats(ctx).threads, threads[t]);
            if (t == 0) expected = r.hash;
            CHECK_MSG(CLOUD_WATCHED || r.hash == expected, "%s, %d threads: other bits", text_of(j, &r), threads[t]);
            clump_context_destroy(ctx);
        }
    }
    hostile_case_free(&c);
}

/* The parent has used several threads for every job. So does the child, with the inherited context. */
static void in_a_child(void)
{
    if (CLOUD_NO_FORK) SKIP("%s: " DO_UNWATCHED, CLOUD_NO_FORK);
    hostile_case street = job_street(MEDIUM);
    clump_context *const ctx = cpu_context(3);
    job_run r = {.c = &street, .turn = JOB_PLAIN};
    uint64_t *const hash = calloc((size_t)job_count, sizeof *hash);
    for (int k = 0; k < job_count; k++) {
        CHECK_INT(job_do(&jobs[k], ctx, &r), CLUMP_OK);
        hash[k] = r.hash;
    }
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        alarm(60);
        for (int k = 0; k < job_count; k++)
            if (job_do(&jobs[k], ctx, &r) != CLUMP_OK || r.hash != hash[k]) _exit(1 + k);
        clump_context_destroy(ctx);
        _exit(0);
    }
    int status = -1;
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    CHECK_MSG(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the child ended with %#x: 1 + the number of the job",
              (unsigned)status);
    clump_context_destroy(ctx);
    hostile_case_free(&street);
    free(hash);
}

CHECK_PROGRAM(test_jobs_threads)
{
    RUN(under_any_task_system);
    RUN(with_any_number_of_threads);
    RUN(more_threads_than_cores);
    RUN(in_a_child);
}
