/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_bench.c: the parts of the benches that a wrong figure would not show: percentiles, the choice of parts, the
 * synthetic street, and that busy processes end with the process that started them.
 */
#include "check.h"

#include "busy.h"
#include "clouds.h"
#include "contest.h"
#include "samples.h"

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
    return CHECK_END();
}
