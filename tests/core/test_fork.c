/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_fork.c: contexts in a forked child, 10,000 contexts, and contexts on a system that refuses threads. An
 * alarm ends a child that hangs; this counts as a failure.
 */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* unshare */
#endif
#include "support/check.h"

#include "support/calls.h"
#include "support/clouds.h"
#include "core/context.h"
#include "core/task_systems.h"

#include <clump/info.h>
#include <clump/papers.h>

#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { COUNT = 30000 };

static float cloud[3 * COUNT];
static int32_t labels[COUNT];
static const clump_points points = {.xyz = cloud, .count = COUNT};
static uint64_t expected;

static clump_context *create(int threads)
{
    clump_context_options options = clump_context_defaults();
    options.threads = threads;
    options.backend = CLUMP_BACKEND_CPU;
    clump_context *ctx = NULL;
    return clump_context_create(&options, &ctx) == CLUMP_OK ? ctx : NULL;
}

/* Whether a call with this context uses `threads` threads and gives the right labels. */
static bool works(clump_context *ctx, int threads, int32_t *out)
{
    return ctx && clump_ec(ctx, points, 0.5f, NULL, out, NULL) == CLUMP_OK &&
           clump_context_stats(ctx).threads == threads && clump_labels_hash(out, COUNT) == expected;
}

static bool gives_labels(clump_context *ctx, int32_t *out)
{
    return ctx && clump_ec(ctx, points, 0.5f, NULL, out, NULL) == CLUMP_OK && clump_labels_hash(out, COUNT) == expected;
}

static void check_child(pid_t child)
{
    int status = -1;
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    CHECK_MSG(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the child ended with %#x", (unsigned)status);
}

static pid_t fork_child(void)
{
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) alarm(60);
    return child;
}

/* The parent has used several threads. The child does too, with the inherited context and with one of its own. */
static void a_child_works(void)
{
    if (CLOUD_NO_FORK) SKIP("%s: " DO_UNWATCHED, CLOUD_NO_FORK);
    clump_context *const ctx = create(4);
    CHECK(works(ctx, 4, labels));
    pid_t child = fork_child();
    if (child == 0) {
        for (int round = 0; round < 3; round++)
            if (!works(ctx, 4, labels)) _exit(2);
        clump_context *const own = create(3);
        if (!works(own, 3, labels)) _exit(3);
        const pid_t grandchild = fork_child();
        if (grandchild == 0) _exit(works(ctx, 4, labels) && works(own, 3, labels) ? 0 : 4);
        int status = -1;
        if (waitpid(grandchild, &status, 0) != grandchild || status != 0) _exit(5);
        clump_context_destroy(own);
        clump_context_trim(ctx);
        if (!works(ctx, 4, labels)) _exit(6);
        clump_context_destroy(ctx);
        _exit(0);
    }
    check_child(child);
    child = fork_child();
    if (child == 0) { /* not a call, only its end */
        clump_context_destroy(ctx);
        _exit(0);
    }
    check_child(child);
    CHECK(works(ctx, 4, labels)); /* the parent goes on */
    clump_context_destroy(ctx);
}

/* Returns the number of threads of this process; negative where the system does not tell. */
static int count_threads(void)
{
    DIR *const folder = opendir("/proc/self/task");
    if (!folder) return -1;
    int count = 0;
    for (struct dirent *entry; (entry = readdir(folder));) count += entry->d_name[0] != '.';
    closedir(folder);
    return count;
}

/* A thread that was joined may be listed for a moment longer. */
static bool threads_become(int expected_count)
{
    for (int i = 0; i < 2000; i++) {
        if (count_threads() == expected_count) return true;
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    return false;
}

#ifdef __linux__
/* Forks the first process of a new pid namespace: its id is 1. Returns 0 in that process and its id in the caller. */
static pid_t fork_into_namespace(void)
{
    if (unshare(CLONE_NEWPID) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWPID) != 0) return -1;
    return fork_child();
}

/* Waits for a child and returns its exit status; `refused` where there is no child. */
static int result_of(pid_t child, int refused)
{
    int status = -1;
    if (child < 0) return refused;
    return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : 2;
}

/* The process 1 of a namespace uses a context; the process 1 of a namespace inside has inherited it. */
static int use_in_namespaces(void)
{
    enum { REFUSED = 77 };
    clump_context *const ctx = create(3);
    if (!works(ctx, 3, labels)) return 3;
    const pid_t inner = fork_into_namespace();
    if (inner != 0) return result_of(inner, REFUSED);
    if (getpid() != 1) return 4;
    const int before = count_threads();
    if (!works(ctx, 3, labels)) return 5;
    if (before > 0 && count_threads() != before + 2 && !threads_become(before + 2)) return 6;
    clump_context_destroy(ctx);
    return 0;
}

/* A child in a new pid namespace may have the process id of its parent. */
static void a_child_with_the_same_id(void)
{
    if (CLOUD_NO_FORK) SKIP("%s: " DO_UNWATCHED, CLOUD_NO_FORK);
    const pid_t child = fork_child();
    if (child == 0) {
        const pid_t outer = fork_into_namespace();
        if (outer != 0) _exit(result_of(outer, 77));
        _exit(use_in_namespaces());
    }
    const int result = result_of(child, 2);
    if (result == 77) SKIP("the system allows no pid namespaces: " DO_ELSEWHERE);
    CHECK_INT(result, 0);
}
#endif

/* As before, where the parent has used threads = 0, whose number is the controller's choice. */
static void a_child_adapts(void)
{
    if (CLOUD_NO_FORK) SKIP("%s: " DO_UNWATCHED, CLOUD_NO_FORK);
    clump_context *const ctx = create(0);
    for (int round = 0; round < 3; round++) CHECK(gives_labels(ctx, labels));
    const pid_t child = fork_child();
    if (child == 0) {
        for (int round = 0; round < 40; round++)
            if (!gives_labels(ctx, labels)) _exit(2);
        clump_context_destroy(ctx);
        _exit(0);
    }
    check_child(child);
    CHECK(gives_labels(ctx, labels));
    clump_context_destroy(ctx);
}

/* A context with a task system starts no thread; in the child it needs a system that works there. */
static void a_child_with_a_task_system(void)
{
    if (CLOUD_NO_FORK) SKIP("%s: " DO_UNWATCHED, CLOUD_NO_FORK);
    static const task_manner manners[] = {TASKS_ON_CALLER, TASKS_NEVER};
    for (int k = 0; k < 2; k++) {
        task_pool *const pool = task_pool_start(manners[k]);
        clump_context_options options = clump_context_defaults();
        options.threads = 4, options.backend = CLUMP_BACKEND_CPU, options.tasks = task_pool_system(pool);
        clump_context *ctx = NULL;
        CHECK_INT(clump_context_create(&options, &ctx), CLUMP_OK);
        CHECK(works(ctx, 4, labels));
        const pid_t child = fork_child();
        if (child == 0) {
            for (int round = 0; round < 3; round++)
                if (!works(ctx, 4, labels)) _exit(2);
            clump_context_destroy(ctx);
            _exit(0);
        }
        check_child(child);
        CHECK(works(ctx, 4, labels));
        task_pool_end(pool);
        clump_context_destroy(ctx);
    }
}

static _Atomic bool go_on;
static _Atomic int wrong;

static void *call_all_the_time(void *arg)
{
    clump_context *const ctx = create(3);
    while (go_on)
        if (!works(ctx, 3, arg)) wrong++;
    clump_context_destroy(ctx);
    return NULL;
}

/* Two threads use contexts of their own while a third forks. The children must work with a context that was idle. */
static void forks_beside_calls(void)
{
    if (CLOUD_NO_FORK) SKIP("%s: " DO_UNWATCHED, CLOUD_NO_FORK);
    static int32_t others[2][COUNT];
    clump_context *const idle = create(2);
    CHECK(works(idle, 2, labels));
    pthread_t threads[2];
    go_on = true;
    wrong = 0;
    for (int k = 0; k < 2; k++) CHECK_INT(pthread_create(&threads[k], NULL, call_all_the_time, others[k]), 0);
    for (int round = 0; round < check_rounds(10); round++) {
        const pid_t child = fork_child();
        if (child == 0) {
            if (!works(idle, 2, labels)) _exit(2);
            clump_context *const own = create(3);
            if (!works(own, 3, labels)) _exit(3);
            clump_context_destroy(own);
            clump_context_destroy(idle);
            _exit(0);
        }
        check_child(child);
        CHECK(works(idle, 2, labels));
    }
    go_on = false;
    for (int k = 0; k < 2; k++) pthread_join(threads[k], NULL);
    CHECK_INT(wrong, 0);
    clump_context_destroy(idle);
}

typedef struct meter {
    long pieces;
    size_t bytes;
} meter;

static void *metered_allocate(size_t size, size_t alignment, void *user)
{
    meter *const m = user;
    m->pieces++, m->bytes += size;
    return aligned_alloc(alignment, size);
}

static void metered_release(void *memory, size_t size, void *user)
{
    meter *const m = user;
    m->pieces--, m->bytes -= size;
    free(memory);
}

static clump_context *create_metered(meter *m)
{
    clump_context_options options = clump_context_defaults();
    options.threads = 2, options.backend = CLUMP_BACKEND_CPU;
    options.allocator = (clump_allocator){metered_allocate, metered_release, m};
    clump_context *ctx = NULL;
    CHECK_INT(clump_context_create(&options, &ctx), CLUMP_OK);
    return ctx;
}

/* Uses threads once: the first one makes a sanitizer start one of its own. */
static int count_threads_after_use(void)
{
    clump_context *const ctx = create(2);
    CHECK(gives_labels(ctx, labels));
    clump_context_destroy(ctx);
    for (int i = 0; i < 20 && count_threads() > 1; i++) nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    return count_threads();
}

/* 10,000 contexts exist, in tier 1 a tenth. They cost some kilobytes each and no thread before they are used. */
static void ten_thousand_contexts_at_once(void)
{
    enum { AT_ONCE = 10000 };
    const int count = CLOUD_WATCHED ? AT_ONCE / 100 : check_fewer(AT_ONCE / 10, AT_ONCE),
              before = count_threads_after_use();
    clump_context **const ctx = malloc(AT_ONCE * sizeof *ctx);
    meter m = {0};
    for (int k = 0; k < count; k++) ctx[k] = create_metered(&m);
    CHECK_INT(count_threads(), before);
    CHECK_INT(m.pieces, count);
    CHECK_MSG(m.bytes / (size_t)count <= 8192, "%zu bytes per context", m.bytes / (size_t)count);
    const clump_points few = {.xyz = cloud, .count = 9000};
    for (int k = 0; k < count; k += count / 10) CHECK_INT(clump_ec(ctx[k], few, 0.5f, NULL, labels, NULL), CLUMP_OK);
    for (int k = 0; k < count; k++) clump_context_destroy(ctx[k]);
    CHECK(m.pieces == 0 && m.bytes == 0);
    CHECK(threads_become(before));
    free(ctx);
}

/* 10,000 contexts, in tier 1 a tenth, are created, used with two threads and destroyed. Nothing is left. */
static void ten_thousand_contexts_in_turn(void)
{
    const int before = count_threads_after_use(), rounds = CLOUD_WATCHED ? 40 : check_fewer(1000, 10000);
    const clump_points few = {.xyz = cloud, .count = 8200};
    meter m = {0};
    for (int k = 0; k < rounds; k++) {
        clump_context *const ctx = create_metered(&m);
        CHECK_INT(clump_ec(ctx, few, 2, NULL, labels, NULL), CLUMP_OK);
        CHECK_INT(clump_context_stats(ctx).threads, 2);
        clump_context_destroy(ctx);
        CHECK(m.pieces == 0 && m.bytes == 0);
    }
    CHECK(threads_become(before));
}

static int warnings;

static void count_warnings(clump_log_level level, const char *message, void *user)
{
    (void)user;
    warnings += level == CLUMP_LOG_WARNING && strstr(message, "threads; calls run on fewer");
}

/* Where the system refuses more threads, calls use the existing ones and report their number. */
static void threads_that_cannot_be_created(void)
{
    for (int allowed = 0; allowed < 4; allowed++) {
        clump_context *const ctx = create(7);
        warnings = 0;
        ctx->work.log = count_warnings;
        clump_team_limit(ctx->work.team, allowed);
        CHECK_MSG(works(ctx, allowed + 1, labels), "%d threads: %s", clump_context_stats(ctx).threads,
                  clump_context_error(ctx));
        clump_dbscan_options d = clump_dbscan_defaults();
        d.method = CLUMP_DBSCAN_DISJOINT_SET;
        CHECK_INT(clump_dbscan(ctx, points, 0.5f, 5, &d, labels, NULL), CLUMP_OK);
        CHECK_INT(clump_context_stats(ctx).threads, allowed + 1);
        CHECK_INT(clump_context_stats(ctx).threads_refused, 6 - allowed);
        CHECK_INT(warnings, 1);
        int loads;
        CHECK(clump_context_load(ctx, &loads) && loads == allowed + 1);
        clump_team_limit(ctx->work.team, -1);
        CHECK(works(ctx, 7, labels));
        CHECK_INT(clump_context_stats(ctx).threads_refused, 0);
        clump_context_destroy(ctx);
    }
}

CHECK_PROGRAM(test_fork)
{
    uint64_t random = 3;
    for (size_t i = 0; i < 3 * COUNT; i++) cloud[i] = 20 * check_random_float(&random);
    clump_context *const ctx = create(1);
    clump_ec(ctx, points, 0.5f, NULL, labels, NULL);
    expected = clump_labels_hash(labels, COUNT);
    clump_context_destroy(ctx);
    RUN(a_child_works);
#ifdef __linux__
    RUN(a_child_with_the_same_id);
#endif
    RUN(a_child_adapts);
    RUN(a_child_with_a_task_system);
    RUN(forks_beside_calls);
    RUN(ten_thousand_contexts_at_once);
    RUN(ten_thousand_contexts_in_turn);
    RUN(threads_that_cannot_be_created);
}
