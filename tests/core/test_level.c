/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_level.c: the levels of the CPU backend (core/level.c): the choice, its errors, and that all levels of this build
 * which the processor can run give the same bits in every job (jobs/jobs.h) and method.
 *
 * Builds for every processor of a kind have the level "plain", C without vector instructions of our own; the others are compared with it.
 */
#include "support/check.h"

#include "support/calls.h"
#include "support/clouds.h"
#include "core/context.h"
#include "jobs/jobs.h"
#include "support/scans.h"

#include <clump/info.h>
#include <clump/index.h>

enum { LEVELS = 8, LARGE = 17000 };

static long compared;

static void set_level(const char *name)
{
    CHECK_INT(name ? setenv(CLUMP_LEVEL_VARIABLE, name, 1) : unsetenv(CLUMP_LEVEL_VARIABLE), 0);
}

static clump_context *context_at(const char *name, int threads)
{
    set_level(name);
    return cpu_context(threads);
}

/* Writes the levels that run here, best first, and returns their number. */
static int levels_here(const clump_level **found)
{
    int count = 0;
    for (int i = 0; clump_level_at(i); i++)
        if (clump_level_at(i)->runs_here() && count < LEVELS) found[count++] = clump_level_at(i);
    return count;
}

/* Skips the running test where there is nothing to compare. */
#define SKIP_ONE_LEVEL()                                                                                               \
    do {                                                                                                               \
        const clump_level *here_[LEVELS];                                                                              \
        if (levels_here(here_) < 2) SKIP(DO_LEVELS);                                                                   \
    } while (0)

/* ----- the choice ------------------------------------------------------------------------------------------------- */

static void are_listed(void)
{
    int count = 0;
    while (clump_level_at(count)) count++;
    CHECK(count >= 1 && count <= LEVELS && !clump_level_at(-1));
    const int own = strcmp(clump_level_at(count - 1)->name, "plain") == 0 ? count - 2 : count - 1;
    CHECK(own >= 0 && clump_level_at(own)->runs_here() && clump_level_at(own)->table() == clump_backend_cpu());
    for (int i = 0; i < count; i++)
        for (int k = 0; k < i; k++) {
            CHECK(strcmp(clump_level_at(i)->name, clump_level_at(k)->name) != 0);
            CHECK(clump_level_at(i)->table() != clump_level_at(k)->table());
            CHECK(clump_level_at(i)->table()->ec != clump_level_at(k)->table()->ec);
            CHECK(i > own || clump_level_at(i)->table()->vector_bits < clump_level_at(k)->table()->vector_bits);
        }
}

/* Returns whether a line of words contains all the others. */
static bool has_words(const char *line, const char *const *words)
{
    for (; *words; words++) {
        const size_t length = strlen(*words);
        const char *at = line;
        while ((at = strstr(at, *words)) && (at[-1] != ' ' || !strchr(" \n", at[length]))) at++;
        if (!at) return false;
    }
    return true;
}

/* The kernel lists a feature only where it also saves its registers. */
static void agree_with_the_kernel(void)
{
    static const char *const v3[] = {"avx",   "avx2", "bmi1",   "bmi2",    "f16c",  "fma",    "abm",
                                     "movbe", "cx16", "popcnt", "lahf_lm", "ssse3", "sse4_2", NULL};
    static const char *const v4[] = {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl", NULL};
    static char line[1 << 16];
    FILE *const file = fopen("/proc/cpuinfo", "r");
    bool found = false;
    while (file && !found && fgets(line, sizeof line, file)) found = strncmp(line, "flags", 5) == 0;
    if (file) fclose(file);
    if (!found || !clump_level_at(1)) SKIP(DO_LEVELS);
    for (int i = 0; clump_level_at(i); i++) {
        const clump_level *const level = clump_level_at(i);
        bool expected = true;
        if (strcmp(level->name, "v3") == 0) expected = has_words(line, v3);
        if (strcmp(level->name, "v4") == 0) expected = has_words(line, v3) && has_words(line, v4);
        CHECK_MSG(level->runs_here() == expected, "%s", level->name);
    }
}

/* Checks that a new context is of this level, that calls reach its code, and what is told about it. */
static void check_reached(const clump_level *level)
{
    clump_context *const ctx = cpu_context(1);
    const float xyz[6] = {0, 0, 0, 0.1f, 0, 0};
    int32_t labels[2], clusters;
    CHECK_INT(clump_ec(ctx, (clump_points){.xyz = xyz, .count = 2}, 0.5f, NULL, labels, &clusters), CLUMP_OK);
    CHECK_INT(clusters, 1);
    CHECK(ctx->level == level && ctx->backends[0].table == level->table());
    clump_device_info info;
    CHECK_INT(clump_device_query(0, &info), CLUMP_OK);
    CHECK_TEXT(info.level, level->name);
    clump_context_destroy(ctx);
}

static void are_chosen(void)
{
    const clump_level *found[LEVELS];
    const int count = levels_here(found);
    for (int i = 0; i < count; i++) {
        set_level(found[i]->name);
        check_reached(found[i]);
    }
    set_level("");
    check_reached(found[0]);
    set_level(NULL);
    check_reached(found[0]);
    printf("the best level here is %s, %d bits\n", found[0]->name, found[0]->table()->vector_bits);
}

/* Checks that no context can be created now, and that the message contains the words. */
static void expect_refusal(clump_status expected, const char *words)
{
    clump_message message = {""};
    clump_context_options options = clump_context_defaults();
    options.message = &message;
    clump_context *ctx = NULL;
    CHECK_INT(clump_context_create(&options, &ctx), expected);
    CHECK(!ctx);
    CHECK_MSG(strstr(message.text, words), "\"%s\" does not say \"%s\"", message.text, words);
    CHECK_MSG(strlen(message.text) < 300 && !strchr(message.text, '\n'), "\"%s\"", message.text);
    CHECK_INT(clump_context_create(NULL, &ctx), expected);
    clump_device_info info;
    CHECK_INT(clump_device_query(0, &info), CLUMP_OK);
    CHECK_TEXT(info.level, "");
}

static void are_refused(void)
{
    static const char *const wrong[] = {"v9", "V3", "v3 ", "base", "0", "x86-64-v3"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        set_level(wrong[i]);
        expect_refusal(CLUMP_ERR_ARGUMENT, wrong[i]);
    }
    static char text[4001];
    memset(text, 'v', sizeof text - 1);
    set_level(text);
    for (int i = 0; clump_level_at(i); i++) expect_refusal(CLUMP_ERR_ARGUMENT, clump_level_at(i)->name);
    for (int i = 0; clump_level_at(i); i++)
        if (!clump_level_at(i)->runs_here()) {
            set_level(clump_level_at(i)->name);
            expect_refusal(CLUMP_ERR_UNSUPPORTED, "this processor cannot run that level");
        }
    set_level(NULL);
}

/* Memory that one level has laid out is not read by another. */
static void indices_stay_at_their_level(void)
{
    SKIP_ONE_LEVEL();
    const clump_level *found[LEVELS];
    levels_here(found);
    clump_context *const first = context_at(found[0]->name, 1), *const second = context_at(found[1]->name, 1);
    const float xyz[6] = {0, 0, 0, 1, 0, 0};
    const clump_points points = {.xyz = xyz, .count = 2};
    clump_index *index = NULL;
    int32_t nearest[2], other[2];
    int64_t offsets[3];
    CHECK_INT(clump_index_create(first, points, NULL, &index), CLUMP_OK);
    expect_failure(second, clump_index_nearest(second, index, points, 1, nearest, NULL), CLUMP_ERR_UNSUPPORTED,
                   CLUMP_LEVEL_VARIABLE " has changed");
    expect_failure(second, clump_index_knn(second, index, points, 1, 1, nearest, NULL), CLUMP_ERR_UNSUPPORTED,
                   found[1]->name);
    expect_failure(second, clump_index_radius_count(second, index, points, 1, offsets), CLUMP_ERR_UNSUPPORTED,
                   "clump_index_radius_count");
    expect_failure(second, clump_index_rebuild(second, index, points), CLUMP_ERR_UNSUPPORTED, "clump_index_rebuild");
    CHECK_INT(clump_index_nearest(first, index, points, 1, other, NULL), CLUMP_OK);
    CHECK(other[0] == 0 && other[1] == 1);
    clump_context_destroy(first);
    clump_index_destroy(index);
    clump_context_destroy(second);
    set_level(NULL);
}

/* ----- the same bits ---------------------------------------------------------------------------------------------- */

/* Runs every job and method at every level that runs here and compares. What a level refuses, all refuse. */
static void compare_levels(const hostile_case *c, int threads, int turn, const char *what)
{
    const clump_level *found[LEVELS];
    clump_context *at[LEVELS];
    const int count = levels_here(found);
    for (int i = 0; i < count; i++) at[i] = context_at(found[i]->name, threads);
    FOR_JOBS(j, method)
    {
        uint64_t first = 0;
        for (int i = count - 1; i >= 0; i--) {
            char text[400];
            job_run r = {.c = c, .method = method, .turn = turn};
            const clump_status status = job_do(j, at[i], &r);
            CHECK_MSG(status == CLUMP_OK || status == CLUMP_ERR_UNSUPPORTED, "%s: %s at level %s: %s", what,
                      job_text(j, &r, text), found[i]->name, clump_context_error(at[i]));
            if (i == count - 1) first = r.hash;
            compared += status == CLUMP_OK;
            CHECK_MSG(r.hash == first, "%s: %s: other bits at %s than at %s", what, job_text(j, &r, text),
                      found[i]->name, found[count - 1]->name);
        }
    }
    for (int i = 0; i < count; i++) clump_context_destroy(at[i]);
    set_level(NULL);
}

static void agree_on_small_clouds(void)
{
    SKIP_ONE_LEVEL();
    for (uint64_t seed = 1; seed <= (uint64_t)check_rounds(200); seed++) {
        hostile_case c = hostile_case_make(seed, HOSTILE_MOST);
        char what[64];
        snprintf(what, sizeof what, "seed %" PRIu64, seed);
        compare_levels(&c, 1 + (int)(seed % 3), (int)(seed % 2), what);
        hostile_case_free(&c);
    }
}

static void agree_on_large_clouds(void)
{
    SKIP_ONE_LEVEL();
    hostile_case street = job_street(LARGE);
    for (int threads = 1; threads <= 2; threads++) compare_levels(&street, threads, JOB_PLAIN, "street");
    float *const xyz = street.memory;
    for (int shape = 0; shape < CLOUD_SHAPES; shape++) {
        uint64_t random = street.seed = 70 + (uint64_t)shape;
        street.d = cloud_fill((cloud_shape)shape, xyz, LARGE, &random);
        compare_levels(&street, 1 + shape % 2, 0, cloud_name((cloud_shape)shape));
    }
    hostile_case_free(&street);
}

static void agree_on_a_scan(void)
{
    SKIP_ONE_LEVEL();
    clump_cloud *const scan = scan_load("kitti/semkitti_00_000000.bin");
    if (!scan) SKIP("no scans in %s: " DO_DATA, scans_folder());
    hostile_case c = {.seed = 5, .d = 0.5f, .points = clump_cloud_points(scan), .packed = clump_cloud_xyz(scan)};
    compare_levels(&c, 2, JOB_PLAIN, "a KITTI scan");
    clump_cloud_destroy(scan);
    printf("%ld runs of %d jobs\n", compared, job_count);
}

CHECK_PROGRAM(test_level)
{
    RUN(are_listed);
    RUN(agree_with_the_kernel);
    RUN(are_chosen);
    RUN(are_refused);
    RUN(indices_stay_at_their_level);
    RUN(agree_on_small_clouds);
    RUN(agree_on_large_clouds);
    RUN(agree_on_a_scan);
}
