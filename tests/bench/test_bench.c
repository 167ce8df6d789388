/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_bench.c: the parts of the benches that a wrong figure would not show: percentiles, the choice of parts, the
 * synthetic street, the steps that clump_detect is compared with, and that busy processes end with the process that
 * started them.
 */
#include "support/check.h"

#include "harness/machine.h"
#include "support/clouds.h"
#include "harness/contest.h"
#include "harness/clouds.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* The samples 1 ... count milliseconds in an order that is not sorted. 7919 is prime, so each comes once. */
static samples_summary sum_up(size_t count)
{
    samples s = {0};
    for (size_t i = 0; i < count; i++) CHECK(samples_add(&s, 1e-3 * (double)(1 + i * 7919 % count)));
    const samples_summary summary = samples_sum_up(&s);
    samples_free(&s);
    return summary;
}

static bool near(double a, double b)
{
    return fabs(a - b) < 1e-9;
}

static void percentiles(void)
{
    const struct {
        size_t count;
        double median, p99, p999;
    } cases[] = {
        {1, 1, 1, 1}, {10, 5.5, 10, 10}, {100, 50.5, 99, 100}, {101, 51, 100, 101}, {2000, 1000.5, 1980, 1998}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const samples_summary s = sum_up(cases[i].count);
        CHECK_INT(s.runs, cases[i].count);
        CHECK(near(s.median_ms, cases[i].median) && near(s.p99_ms, cases[i].p99) && near(s.p999_ms, cases[i].p999));
        CHECK(near(s.min_ms, 1) && near(s.max_ms, (double)cases[i].count));
        CHECK(near(s.mean_ms, 0.5 * (double)(cases[i].count + 1)));
    }
    CHECK_INT(sum_up(0).runs, 0);
}

static void choice_of_parts(void)
{
    static const char *const names[] = {"ec", "dbscan", "nn"};
    bool chosen[3];
    CHECK(contest_choose(NULL, names, 3, chosen) && chosen[0] && chosen[1] && chosen[2]);
    CHECK(contest_choose("nn,ec", names, 3, chosen) && chosen[0] && !chosen[1] && chosen[2]);
    CHECK(!contest_choose("", names, 3, chosen));
    CHECK(!contest_choose("e", names, 3, chosen));
    CHECK(!contest_choose("ec,dbscans", names, 3, chosen));
}

/* The cloud is part of the figures, so it must not change. */
static void the_street(void)
{
    bench_cloud cloud;
    clump_message why;
    CHECK(bench_cloud_street(&cloud, &why));
    CHECK(cloud.count > 100000 && cloud.count <= 131072);
    clump_context *ctx = NULL;
    CHECK(clump_context_create(NULL, &ctx) == CLUMP_OK);
    int32_t *const labels = malloc(cloud.count * sizeof *labels), clusters = 0;
    const clump_points points = {.xyz = cloud.xyz, .count = cloud.count};
    CHECK(labels && clump_ec(ctx, points, 0.5f, NULL, labels, &clusters) == CLUMP_OK);
    CHECK_MSG(clusters > 100, "%d clusters of %zu points", clusters, cloud.count);
    free(labels);
    clump_context_destroy(ctx);
    bench_cloud_free(&cloud);
}

/* Clusters by comparing all pairs: points with a distance below 0.5. */
static bool cluster_pairs(void *user, const float *xyz, size_t count, int32_t *labels)
{
    (void)user;
    for (size_t i = 0; i < count; i++) labels[i] = (int32_t)i;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < count; i++)
            for (size_t k = 0; k < i; k++) {
                const float x = xyz[3 * i] - xyz[3 * k], y = xyz[3 * i + 1] - xyz[3 * k + 1],
                            z = xyz[3 * i + 2] - xyz[3 * k + 2];
                if (x * x + y * y + z * z >= 0.25f || labels[i] == labels[k]) continue;
                labels[i] = labels[k] = labels[i] < labels[k] ? labels[i] : labels[k];
                changed = true;
            }
    }
    int32_t next = 0;
    for (size_t i = 0; i < count; i++) labels[i] = labels[i] == (int32_t)i ? next++ : labels[labels[i]];
    return true;
}

static bool refuse(void *user, const float *xyz, size_t count, int32_t *labels)
{
    (void)user, (void)xyz, (void)count, (void)labels;
    return false;
}

/* Seven points outside the map of the ground, by hand. Point 1 links 0 and 2. Thinned to 0.5, points 0 and 1 are in one
 * voxel, and its first point is too far from 2. Thinned to 1, points 5 and 6 are in one voxel: -0 and 0 are equal. */
static void steps_by_hand(void)
{
    float xyz[] = {10.1f, 1000, 0,   10.45f, 1000,  0,    10.9f, 1000,  0,    20, 1000,
                   0,     30,   NAN, 0,      40.1f, 1000, -0.0f, 40.9f, 1000, 0};
    const bench_cloud cloud = {xyz, 7};
    const struct {
        float thin;
        size_t min_size;
        int32_t labels[7];
    } cases[] = {
        {0, 1, {0, 0, 0, 1, -1, 2, 3}},        {0, 2, {0, 0, 0, -1, -1, -1, -1}}, {0.5f, 1, {0, 0, 1, 2, -1, 3, 4}},
        {0.5f, 2, {0, 0, -1, -1, -1, -1, -1}}, {1, 2, {0, 0, 0, -1, -1, 1, 1}},   {1, 4, {-1, -1, -1, -1, -1, -1, -1}},
    };
    clump_context *ctx = NULL;
    CHECK(clump_context_create(NULL, &ctx) == CLUMP_OK);
    clump_message why = {""};
    int32_t labels[7];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const steps_job job = {&cloud, cases[i].thin, cases[i].min_size, cluster_pairs, NULL};
        CHECK(steps_run(ctx, &job, labels, NULL, &why));
        for (int k = 0; k < 7; k++)
            CHECK_MSG(labels[k] == cases[i].labels[k], "case %zu, point %d: %d", i, k, labels[k]);
    }
    const steps_job refused = {&cloud, 0, 1, refuse, NULL};
    CHECK(!steps_run(ctx, &refused, labels, NULL, &why) && why.text[0]);
    clump_context_destroy(ctx);
}

/* Returns whether all copies of the writing end of a pipe are closed within 10 seconds. */
static bool is_closed(int reading)
{
    struct pollfd end = {.fd = reading, .events = POLLIN};
    return poll(&end, 1, 10000) == 1 && (end.revents & POLLHUP);
}

/* A process starts busy children and is killed, or ends them itself. The children inherit a pipe, so its end shows that
 * all of them are gone. */
static void busy_processes_end(void)
{
    for (int killed = 0; killed < 2; killed++) {
        int ends[2], ready[2], status = -1;
        char byte = 0;
        CHECK(pipe(ends) == 0 && pipe(ready) == 0);
        fflush(stdout);
        const pid_t bench = fork();
        if (bench == 0) {
            alarm(60);
            const bool started = busy_set(3) && busy_set(2);
            if (write(ready[1], started ? "y" : "n", 1) != 1) _exit(2);
            while (killed) pause();
            busy_set(0);
            _exit(waitpid(-1, NULL, 0) < 0 && errno == ECHILD ? 0 : 3);
        }
        close(ends[1]), close(ready[1]);
        CHECK(bench > 0 && read(ready[0], &byte, 1) == 1 && byte == 'y');
        if (killed) kill(bench, SIGKILL);
        CHECK(waitpid(bench, &status, 0) == bench);
        CHECK(killed ? WIFSIGNALED(status) : WIFEXITED(status) && WEXITSTATUS(status) == 0);
        CHECK(is_closed(ends[0]));
        close(ends[0]), close(ready[0]);
    }
}

int main(int argc, char **argv)
{
    CHECK_BEGIN(argc, argv);
    RUN(busy_processes_end); /* first: a child of a process with threads may find the allocator locked */
    RUN(percentiles);
    RUN(choice_of_parts);
    RUN(the_street);
    RUN(steps_by_hand);
    return CHECK_END();
}
