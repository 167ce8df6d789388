/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_big_memory.c: a survey takes no more memory than it may, plus 64 MB. Every run is a process of its own.
 */
#include "support/check.h"

#include "big/big_case.h"
#include "support/clouds.h"

#include <sys/wait.h>

enum { POINTS = 4000000, RAM = 64, MORE = 64 /* MB */ };

static char path[256], work[256], labelled[256];

/* Writes a LAS file of POINTS points without keeping them. `apart`: every point is a cluster; else lines and heaps. */
static void write_survey(bool apart, bool shuffled)
{
    static const double scale[3] = {0.001, 0.001, 0.001};
    const double none[3] = {0, 0, 0};
    unsigned char record[20] = {0};
    big_save_las(path, none, 0, scale, NULL);
    FILE *const file = fopen(path, "r+b");
    const uint32_t count = POINTS;
    const double lower = 0, upper = 2100;
    fseek(file, 107, SEEK_SET);
    fwrite(&count, 4, 1, file);
    fseek(file, 179, SEEK_SET);
    for (int a = 0; a < 3; a++) fwrite(&upper, 8, 1, file), fwrite(&lower, 8, 1, file);
    fseek(file, 0, SEEK_END);
    uint64_t random = 5;
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t place = shuffled ? (uint64_t)i * 2654435761u % count : i;
        int32_t steps[3] = {(int32_t)(place % 2000) * 1000, (int32_t)(place / 2000) * 1000, 0};
        if (!apart)
            for (int a = 0; a < 3; a++) steps[a] = steps[a] / 8 + (int32_t)(check_random(&random) % 400);
        memcpy(record, steps, sizeof steps);
        fwrite(record, 1, sizeof record, file);
    }
    fclose(file);
}

static int64_t described;

static clump_status count_clusters(void *user, const clump_cluster *clusters, const uint16_t *classes,
                                   const float *hulls, int64_t first, size_t count, const double origin[3])
{
    (void)user, (void)clusters, (void)classes, (void)hulls, (void)origin;
    described = first + (int64_t)count;
    return CLUMP_OK;
}

/* What a run has besides. */
typedef enum memory_kind { MEMORY_PLAIN, MEMORY_CLASSES, MEMORY_THIN, MEMORY_KINDS } memory_kind;

/* Runs in a child, and returns the memory that it used in MB; -1: it failed. */
static int run_child(size_t min_points, clump_order order, bool output, bool clusters, memory_kind kind)
{
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        const char *const input = path;
        clump_joint_settings s = clump_joint_defaults();
        clump_big_options o = clump_big_defaults();
        const clump_big_hooks hooks = {.no_sync = true};
        clump_big_result r = {0};
        s.d = 0.5f;
        s.min_points = min_points;
        s.order = order;
        o.ram = (size_t)RAM << 20;
        o.threads = 2;
        o.work = work;
        if (clusters) o.clusters = count_clusters, o.hull = true;
        static const clump_class rows[] = {{.id = 0}}; /* that of all points */
        const clump_classes classes = {.rows = rows, .count = 1};
        if (kind == MEMORY_THIN) o.thin = 0.05f;
        if (kind == MEMORY_CLASSES) o.classes = &classes, o.class_fields = big_class_fields;
        const clump_status status =
            clump_big_run_with(&input, 1, output ? labelled : NULL, &s, &o, &hooks, &r, &big_why);
        if (status != CLUMP_OK) printf("%s\n", big_why.text), fflush(stdout);
        _exit(status == CLUMP_OK && (!clusters || described == r.clusters) ? (int)(r.ram_peak >> 20) : 255);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) != 255 ? WEXITSTATUS(status) : -1;
}

static void check_memory(bool apart, bool shuffled)
{
    if (CLOUD_NO_FORK) SKIP("%s: " DO_UNWATCHED, CLOUD_NO_FORK);
    snprintf(path, sizeof path, "%s", big_path("memory.las"));
    snprintf(work, sizeof work, "%s", big_path("memory"));
    snprintf(labelled, sizeof labelled, "%s", big_path("labelled.las"));
    write_survey(apart, shuffled);
    static const char *const names[] = {"", ", with classes", ", with thinning"};
    for (int kind = 0; kind < check_fewer(1, MEMORY_KINDS); kind++) {
        const int by_distance = run_child(0, CLUMP_ORDER_SIZE, true, apart, (memory_kind)kind),
                  by_density = run_child(3, CLUMP_ORDER_INDEX, false, false, (memory_kind)kind);
        CHECK_MSG(by_distance > 0 && by_distance <= RAM + MORE, "%d MB", by_distance);
        CHECK_MSG(by_density > 0 && by_density <= RAM + MORE, "%d MB", by_density);
        printf("%d and %d MB of %d%s\n", by_distance, by_density, RAM, names[kind]);
    }
    unlink(path);
    unlink(labelled);
}

static void many_clusters(void)
{
    SKIP_TIER_1();
    check_memory(true, false);
}

static void dense(void)
{
    SKIP_TIER_1();
    check_memory(false, false);
}

static void shuffled_blocks(void)
{
    check_memory(false, true);
}

CHECK_PROGRAM(test_big_memory)
{
    RUN(many_clusters);
    RUN(dense);
    RUN(shuffled_blocks);
}
