/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_bench.c: the parts of the benches that a wrong figure would not show: percentiles, the choice of parts, rows
 * that --resume leaves out, the synthetic street, the steps that clump_detect is compared with, rivals of users
 * (CLUMP_RIVALS), and that busy processes end with the process that started them.
 */
#include "support/check.h"

#include "harness/machine.h"
#include "support/clouds.h"
#include "harness/contest.h"
#include "harness/contestants.h"
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

/* A case is measured only where all of its rows are of the commit. */
static void rows_of_a_commit(void)
{
    char path[] = "/tmp/clump-rows-XXXXXX";
    const int file = mkstemp(path);
    FILE *const to = file < 0 ? NULL : fdopen(file, "w");
    CHECK(to);
    fputs("case,ms,date\na,1,2026-01-02 1a2b\na,2,2026-01-02 1a2b\nb,1,2026-01-02 1a2b\nb,2,2026-01-01 0000\n"
          "c,1,2026-01-02\nab,1,2026-01-02 0000\n",
          to);
    CHECK_INT(fclose(to), 0);
    CHECK(csv_has(path, "a", "1a2b") && csv_has(path, "ab", "0000"));
    CHECK(!csv_has(path, "a", "0000") && !csv_has(path, "b", "1a2b") && !csv_has(path, "c", "1a2b"));
    CHECK(!csv_has(path, "d", "1a2b") && !csv_has("/no/such/file", "a", "1a2b"));
    unlink(path);
}

/* Rows of --quick name it, so they never stand for those of a whole run. */
static void rows_of_a_quick_run(void)
{
    bool quick = false;
    const contest_option options[] = {{"--quick", .flag = &quick}};
    const struct {
        const char *commit, *word, *named;
    } cases[] = {{"1a2b3c4d", "a", "1a2b3c4d"},
                 {"1a2b3c4d", "--quick", "1a2b3c4d-quick"},
                 {"1a2b3c4d+", "--quick", "1a2b3c4d+-quick"},
                 {"", "--quick", ""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *words[] = {(char[]){"bench"}, (char *)(uintptr_t)cases[i].word};
        setenv("CLUMP_COMMIT", cases[i].commit, 1);
        CHECK(contest_parse("test_bench", options, 1, 2, words));
        CHECK_TEXT(getenv("CLUMP_COMMIT"), cases[i].named);
        CHECK(strstr(machine_describe().date, cases[i].named));
        free(settings.filters), settings.filters = NULL, settings.filter_count = 0;
    }
    unsetenv("CLUMP_COMMIT");
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

/* --- rivals of users (tests/rivals/module.c) ------------------------------------------------------ */

enum { RIVAL_POINTS = 300 };

/* Makes a folder with the module, and with a file that is none. */
static void make_folder(char *folder)
{
    char path[256];
    CHECK(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/pairs.so", folder);
    CHECK_INT(symlink(CLUMP_TEST_MODULE, path), 0);
    snprintf(path, sizeof path, "%s/broken.so", folder);
    FILE *const to = fopen(path, "w");
    CHECK(to && fputs("not a module", to) >= 0 && fclose(to) == 0);
}

static void remove_folder(const char *folder)
{
    char path[256];
    snprintf(path, sizeof path, "%s/pairs.so", folder), unlink(path);
    snprintf(path, sizeof path, "%s/broken.so", folder), unlink(path);
    CHECK_INT(rmdir(folder), 0);
}

/* Compares a table's labels with ours. */
static void compare_rivals(const rival_list *ec, const rival_list *dbscan, const float *xyz)
{
    const clump_points points = {.xyz = xyz, .count = RIVAL_POINTS};
    int32_t ours[RIVAL_POINTS], theirs[RIVAL_POINTS];
    clump_context *ctx = NULL;
    CHECK(clump_context_create(NULL, &ctx) == CLUMP_OK);
    const clump_rival *const a = ec->tables[0];
    void *state = a->prepare(xyz, RIVAL_POINTS);
    CHECK(state && a->run(state, 0.9f) && clump_ec(ctx, points, 0.9f, NULL, ours, NULL) == CLUMP_OK);
    a->labels(state, theirs), a->release(state);
    CHECK(memcmp(ours, theirs, sizeof ours) == 0);
    const clump_dbscan_rival *const b = dbscan->tables[0];
    state = b->prepare(xyz, RIVAL_POINTS);
    CHECK(state && b->run(state, 0.9f, 4) && clump_dbscan(ctx, points, 0.9f, 4, NULL, ours, NULL) == CLUMP_OK);
    b->labels(state, theirs), b->release(state);
    CHECK(memcmp(ours, theirs, sizeof ours) == 0);
    clump_context_destroy(ctx);
}

/* The contest of nearest neighbours enters what the folder has, and its answers are ours. */
static void compare_neighbours(const float *xyz)
{
    contest c = {.clouds = {{(float *)(uintptr_t)xyz, RIVAL_POINTS}, {(float *)(uintptr_t)xyz + 300, 100}}};
    int32_t answer[RIVAL_POINTS], ours[RIVAL_POINTS];
    double seconds[CONTEST_CLOCKS] = {0};
    clump_message why;
    const clump_index_options options = clump_index_defaults();
    c.answer = answer;
    CHECK(neighbours_load("/no/such/folder") == NULL && neighbours_begin(&c, &why));
    CHECK(neighbours_ours(&c, &options, 1) != NULL);
    neighbours_others(&c);
    CHECK_INT(c.count, 2);
    CHECK_TEXT(c.list[1].name, "pairs");
    CHECK(neighbours_run(&c, &c.list[0], seconds));
    memcpy(ours, answer, 4 * c.answers);
    CHECK(neighbours_run(&c, &c.list[1], seconds) && memcmp(ours, answer, 4 * c.answers) == 0);
    for (size_t i = 0; i < c.count; i++) neighbours_leave(&c.list[i]), clump_context_destroy(c.list[i].context);
    free(c.scratch);
}

static void rivals_of_users(void)
{
    char folder[] = "/tmp/clump-rivals-XXXXXX";
    float xyz[3 * RIVAL_POINTS];
    uint64_t random = 5;
    for (size_t i = 0; i < 3 * RIVAL_POINTS; i++) xyz[i] = (float)(check_random(&random) % 60000) / 10000;
    make_folder(folder);
    rival_list ec = {.count = 0}, dbscan = {.count = 0}, none = {.count = 0};
    rivals_load("test_bench", folder, CLUMP_EC_RIVALS_ENTRY, CLUMP_RIVAL_INTERFACE, sizeof(clump_rival), &ec);
    rivals_load("test_bench", folder, CLUMP_DBSCAN_RIVALS_ENTRY, CLUMP_DBSCAN_RIVAL_INTERFACE,
                sizeof(clump_dbscan_rival), &dbscan);
    rivals_load("test_bench", folder, CLUMP_EC_RIVALS_ENTRY, CLUMP_RIVAL_INTERFACE + 1, sizeof(clump_rival), &none);
    rivals_load("test_bench", folder, "clump_other_rivals", 1, sizeof(clump_rival), &none);
    rivals_load("test_bench", "/no/such/folder", CLUMP_EC_RIVALS_ENTRY, 1, sizeof(clump_rival), &none);
    rivals_load("test_bench", NULL, CLUMP_EC_RIVALS_ENTRY, 1, sizeof(clump_rival), &none);
    CHECK_INT(ec.count, 1);
    CHECK_INT(dbscan.count, 1);
    CHECK_INT(none.count, 0);
    if (ec.count == 1 && dbscan.count == 1) compare_rivals(&ec, &dbscan, xyz);
    settings.program = "test_bench";
    setenv("CLUMP_RIVALS", folder, 1);
    compare_neighbours(xyz);
    unsetenv("CLUMP_RIVALS");
    remove_folder(folder);
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

CHECK_PROGRAM(test_bench)
{
    RUN(busy_processes_end); /* first: a child of a process with threads may find the allocator locked */
    RUN(percentiles);
    RUN(choice_of_parts);
    RUN(rows_of_a_commit);
    RUN(rows_of_a_quick_run);
    RUN(the_street);
    RUN(steps_by_hand);
    RUN(rivals_of_users);
}
