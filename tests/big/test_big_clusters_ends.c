/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_big_clusters_ends.c: runs that describe clusters and are refused, fail, or are ended at any change of the work folder.
 */
#include "support/check.h"

#include "big/big_clusters_case.h"
#include "support/clouds.h"

#include <sys/wait.h>

enum { ENDED = 42 };

static void refused(void)
{
    clump_joint_settings s = clump_joint_defaults();
    clump_big_options o = clump_big_defaults();
    clump_big_result r;
    collected c = {0};
    char expected[64];
    big_fill(xyz, POINTS, 50, 11);
    save("refused.las", far_away);
    s.d = 0.5f;
    o.clusters = collect, o.hull = true;
    big_whole whole = big_one_call(alone, path, &s, &o);
    const uint64_t largest = largest_of(&whole);
    snprintf(expected, sizeof expected, "a cluster has %llu points", (unsigned long long)largest);
    clump_big_hooks hooks = {.most = 2000, .no_sync = true, .describe = least_memory(&whole) - 1};
    CHECK_INT(run(&s, o, &hooks, &c, &r), CLUMP_ERR_OUT_OF_MEMORY);
    CHECK_MSG(strstr(big_why.text, expected), "%s", big_why.text);
    CHECK_INT(c.calls, 0);
    hooks.describe++; /* the same folder goes on, with more memory */
    c.fail_at = 2;
    CHECK_INT(run(&s, o, &hooks, &c, &r), CLUMP_ERR_IO_WRITE);
    CHECK_INT(c.calls, 2);
    free(c.clusters);
    free(c.hulls);
    c = (collected){0};
    CHECK_INT(run(&s, o, &hooks, &c, &r), CLUMP_OK);
    CHECK(r.tasks_skipped > 1);
    check_equal(&whole, &c);

    o.step = 0.001;
    CHECK_INT(run(&s, o, &hooks, &c, &r), CLUMP_ERR_ARGUMENT);
    CHECK_TEXT(big_why.text, "clusters cannot be described with a step of 0.001");
    o.step = 0;
    CHECK(access(work, F_OK) != 0);

    o = clump_big_defaults(); /* a folder of a run without clusters may have given its points back */
    o.work = work, o.keep_work = true;
    const char *const input = path;
    CHECK_INT(clump_big_run_with(&input, 1, NULL, &s, &o, &hooks, &r, &big_why), CLUMP_OK);
    CHECK_INT(run(&s, o, &hooks, &c, &r), CLUMP_ERR_ARGUMENT);
    CHECK_MSG(strstr(big_why.text, "clusters 0 instead of 1"), "%s", big_why.text);
    CHECK_INT(clump_big_run_with(&input, 1, NULL, &s, &(clump_big_options){0}, NULL, &r, &big_why), CLUMP_ERR_OPTIONS);
    o.keep_work = false;
    CHECK_INT(clump_big_run_with(&input, 1, NULL, &s, &o, &hooks, &r, &big_why), CLUMP_OK);
    release(&whole, &c);
    unlink(path);
}

/* Ends the process at the change number `left`. */
static int end_at(void *user, clump_big_change change)
{
    long *const left = user;
    (void)change;
    if (__atomic_sub_fetch(left, 1, __ATOMIC_RELAXED) == 0) _exit(ENDED);
    return 0;
}

static bool run_child(const clump_joint_settings *s, clump_big_hooks hooks, long at)
{
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        collected c = {0};
        clump_big_result r;
        clump_big_options o = clump_big_defaults();
        o.threads = 1, o.hull = true;
        hooks.before = end_at;
        hooks.user = &at;
        _exit(run(s, o, &hooks, &c, &r) == CLUMP_OK ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    CHECK_MSG(WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == ENDED), "change %ld", at);
    return WIFEXITED(status) && WEXITSTATUS(status) == ENDED;
}

/* A run that ends anywhere gives all clusters when it is started again. */
static void ended(void)
{
    if (CLOUD_NO_FORK) SKIP("%s: " DO_UNWATCHED, CLOUD_NO_FORK);
    clump_joint_settings s = clump_joint_defaults();
    clump_big_options o = clump_big_defaults();
    int in_phase = 0;
    big_fill(xyz, POINTS, 50, 11);
    save("ended.las", far_away);
    s.d = 0.5f;
    o.clusters = collect, o.hull = true;
    big_whole whole = big_one_call(alone, path, &s, &o);
    const clump_big_hooks hooks = {.most = POINTS / 4,
                                   .describe = (size_t)largest_of(&whole) * POINT * 8,
                                   .punch = true,
                                   .save_every = 1,
                                   .no_sync = true};
    for (long at = 1; at < 2000 && run_child(&s, hooks, at); at++) {
        char name[300];
        snprintf(name, sizeof name, "%s/clump-clusters", work);
        in_phase += access(name, F_OK) == 0;
        collected c = {0};
        clump_big_result r;
        o.threads = 2;
        const clump_status status = run(&s, o, &hooks, &c, &r);
        CHECK_MSG(status == CLUMP_OK, "change %ld: %s", at, big_why.text);
        check_equal(&whole, &c);
        CHECK(access(work, F_OK) != 0);
        free(c.clusters);
        free(c.hulls);
    }
    CHECK_MSG(in_phase > 3, "%d ends in the phase", in_phase);
    release(&whole, &(collected){0});
    unlink(path);
}

CHECK_PROGRAM(test_big_clusters_ends)
{
    alone = cpu_context(1);
    RUN(refused);
    RUN(ended);
    clump_context_destroy(alone);
}
