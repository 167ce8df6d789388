/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_methods.c: the tables of methods (core/methods.c). Every row has a name of its own that translates both ways. A
 * method runs on the CPU exactly where its row says so: then exact methods give the labels of the oracle, else the call
 * fails and names the method. No other test has to list methods.
 *
 * Likewise the tables of options (clump/options.h): every row has its default in the struct of _defaults(). Numbers outside of the
 * bounds: test_jobs_input.c.
 */
#include "support/check.h"

#include "support/calls.h"
#include "oracle/nn_oracle.h"
#include "oracle/oracle.h"
#include "oracle/oracle_dbscan.h"
#include "oracle/oracle_erccl.h"
#include "oracle/oracle_ground.h"

#include <clump/info.h>
#include <clump/index.h>
#include <clump/map.h>
#include <clump/odometry.h>
#include <clump/options.h>
#include <clump/papers.h>
#include <clump/track.h>
#include <clump/tree.h>

#include <math.h>
#include <string.h>

enum { COUNT = 400 };

static float xyz[3 * COUNT];
static int32_t labels[COUNT], expected[COUNT], marked[COUNT];
static const clump_points points = {.xyz = xyz, .count = COUNT};
static clump_context *ctx;

/* ----- names ------------------------------------------------------------------------------------------------------ */

/* The two public functions of every job, with an int for the enum. */
#define TRANSLATE(job)                                                                                                 \
    static const char *job##_name(int value)                                                                           \
    {                                                                                                                  \
        return clump_##job##_method_name((clump_##job##_method)value);                                                 \
    }                                                                                                                  \
    static int job##_value(const char *name, int before)                                                               \
    {                                                                                                                  \
        clump_##job##_method method = (clump_##job##_method)before;                                                    \
        const bool known = clump_##job##_method_from_name(name, &method);                                              \
        CHECK(known || (int)method == before);                                                                         \
        CHECK(!clump_##job##_method_from_name(name, NULL));                                                            \
        return known ? (int)method : -1;                                                                               \
    }
TRANSLATE(ec)
TRANSLATE(dbscan)
TRANSLATE(erccl)
TRANSLATE(ground)
TRANSLATE(nn)
TRANSLATE(detect)

static const struct {
    const char *job;
    const clump_method_table *table;
    const char *(*name)(int value);
    int (*value)(const char *name, int before);
    int last; /* the largest value of the public enum */
} jobs[] = {
    {"ec", &clump_ec_methods, ec_name, ec_value, CLUMP_EC_MATRIX_RS},
    {"dbscan", &clump_dbscan_methods, dbscan_name, dbscan_value, CLUMP_DBSCAN_DCLUST},
    {"erccl", &clump_erccl_methods, erccl_name, erccl_value, CLUMP_ERCCL_HASH},
    {"ground", &clump_ground_methods, ground_name, ground_value, CLUMP_GROUND_NONE},
    {"nn", &clump_nn_methods, nn_name, nn_value, CLUMP_NN_BATCH},
    {"detect", &clump_detect_methods, detect_name, detect_value, CLUMP_DETECT_OBJECTS},
};
enum { JOBS = sizeof jobs / sizeof *jobs };

static void names_translate_both_ways(void)
{
    for (int k = 0; k < JOBS; k++) {
        const clump_method_table *const table = jobs[k].table;
        for (int value = 0; value < table->count; value++) {
            const clump_method *const row = clump_method_at(table, value);
            CHECK_MSG(row && row->name && row->name[0], "%s has no row for %d", jobs[k].job, value);
            if (!row) continue;
            CHECK_MSG(row->on_cpu || row->on_cuda, "%s %s runs nowhere", jobs[k].job, row->name);
            CHECK_TEXT(jobs[k].name(value), row->name);
            CHECK_INT(jobs[k].value(row->name, -9), value); /* so no two rows have one name */
            CHECK_INT(clump_method_named(table, row->name), value);
        }
        static const int none[] = {-1, 1000, INT32_MAX, INT32_MIN};
        for (int i = 0; i < 4; i++) CHECK(!clump_method_at(table, none[i]) && !jobs[k].name(none[i]));
        CHECK(!clump_method_at(table, table->count) && !jobs[k].name(table->count));
        static const char *const unknown[] = {"", "FAST", "fas", "fastest", "quick", NULL};
        for (int i = 0; i < 6; i++) CHECK_INT(jobs[k].value(unknown[i], 3), -1);
    }
}

/* Values and names are part of the public interface: programs and scripts contain them. */
static void public_values_are_rows(void)
{
    for (int k = 0; k < JOBS; k++)
        CHECK_MSG(jobs[k].table->count > jobs[k].last, "%s: %d rows", jobs[k].job, jobs[k].table->count);
    CHECK(CLUMP_EC_FAST == 0 && CLUMP_DBSCAN_FAST == 0 && CLUMP_ERCCL_FAST == 0 && CLUMP_NN_FAST == 0);
    static const char *const ec[] = {"fast",    "bfs",     "vertex-es", "vertex-rs",
                                     "edge-es", "edge-rs", "matrix-es", "matrix-rs"};
    for (int value = CLUMP_EC_FAST; value <= CLUMP_EC_MATRIX_RS; value++) CHECK_TEXT(ec_name(value), ec[value]);
    static const char *const dbscan[] = {"fast", "sequential", "disjoint-set", "dclust"};
    for (int value = CLUMP_DBSCAN_FAST; value <= CLUMP_DBSCAN_DCLUST; value++)
        CHECK_TEXT(dbscan_name(value), dbscan[value]);
    static const char *const erccl[] = {"fast", "serial", "racing", "independent", "ccl", "hash"};
    for (int value = CLUMP_ERCCL_FAST; value <= CLUMP_ERCCL_HASH; value++) CHECK_TEXT(erccl_name(value), erccl[value]);
    static const char *const ground[] = {"peak", "grid", "none"};
    for (int value = CLUMP_GROUND_PEAK; value <= CLUMP_GROUND_NONE; value++)
        CHECK_TEXT(ground_name(value), ground[value]);
    static const char *const nn[] = {"fast", "kdtree", "brute", "azimuth", "per-query", "batch"};
    for (int value = CLUMP_NN_FAST; value <= CLUMP_NN_BATCH; value++) CHECK_TEXT(nn_name(value), nn[value]);
}

/* ----- runs ------------------------------------------------------------------------------------------------------- */

/* Whether the call succeeded, as it must where the CPU has the method; else checks how it was refused. */
static bool runs_on_cpu(const clump_method *row, clump_status status)
{
    if (row->on_cpu) {
        CHECK_MSG(status == CLUMP_OK, "%s: %s", row->name, clump_context_error(ctx));
        return status == CLUMP_OK;
    }
    char words[200];
    snprintf(words, sizeof words, "the method %s does not run on the CPU, but on a CUDA device it does", row->name);
    expect_failure(ctx, status, CLUMP_ERR_UNSUPPORTED, words);
    return false;
}

static void check_labels(const char *job, const char *method, int32_t found, int32_t clusters)
{
    CHECK_MSG(found == clusters && memcmp(labels, expected, sizeof labels) == 0, "%s %s: %d clusters, expected %d", job,
              method, found, clusters);
    CHECK_TEXT(clump_context_stats(ctx).method, method);
}

static void ec_rows_run(void)
{
    for (int value = 0; value < clump_ec_methods.count; value++) {
        const clump_method *const row = clump_method_at(&clump_ec_methods, value);
        clump_ec_options o = clump_ec_defaults();
        o.method = (clump_ec_method)value;
        int32_t found = -1;
        if (!runs_on_cpu(row, clump_ec(ctx, points, 1, &o, labels, &found))) continue;
        check_labels("ec", row->name, found, oracle_ec(points, 1, &o, expected));
    }
}

static void dbscan_rows_run(void)
{
    static uint8_t core[COUNT];
    for (int value = 0; value < clump_dbscan_methods.count; value++) {
        const clump_method *const row = clump_method_at(&clump_dbscan_methods, value);
        clump_dbscan_options o = clump_dbscan_defaults();
        o.method = (clump_dbscan_method)value;
        int32_t found = -1;
        if (!runs_on_cpu(row, clump_dbscan(ctx, points, 1, 4, &o, labels, &found))) continue;
        check_labels("dbscan", row->name, found, oracle_dbscan(points, 1, 4, &o, expected, core));
    }
}

static void ground_rows_run(void)
{
    for (int value = 0; value < clump_ground_methods.count; value++) {
        const clump_method *const row = clump_method_at(&clump_ground_methods, value);
        clump_ground_options o = clump_ground_defaults();
        o.method = (clump_ground_method)value;
        o.extent = 60; /* the oracle has at most 32 x 32 tiles */
        size_t found = COUNT + 1, ground = 0;
        if (!runs_on_cpu(row, clump_ground(ctx, points, &o, labels, &found))) continue;
        for (size_t i = 0; i < COUNT; i++) ground += labels[i] == CLUMP_GROUND;
        CHECK_MSG(found == ground && (found > 0) == (value != CLUMP_GROUND_NONE), "%s: %zu", row->name, found);
        if (value != CLUMP_GROUND_GRID) continue; /* the oracle is of this one */
        oracle_ground_grid(xyz, COUNT, &o, expected);
        check_labels("ground", row->name, 0, 0);
    }
}

static void erccl_rows_run(void)
{
    for (int value = 0; value < clump_erccl_methods.count; value++) {
        const clump_method *const row = clump_method_at(&clump_erccl_methods, value);
        clump_erccl_options o = clump_erccl_defaults();
        o.method = (clump_erccl_method)value;
        o.cell = 0.5f;
        int32_t found = -1;
        if (!runs_on_cpu(row, clump_erccl(ctx, points, &o, labels, &found))) continue;
        CHECK_TEXT(clump_context_stats(ctx).method, row->name);
        CHECK_INT(clump_ground(ctx, points, &o.ground, marked, NULL), CLUMP_OK);
        const int32_t clusters = oracle_erccl(points, &o, marked, expected, NULL);
        CHECK_MSG(found == clusters && memcmp(labels, expected, sizeof labels) == 0, "erccl %s: %d clusters, not %d",
                  row->name, found, clusters);
    }
}

static void nn_rows_run(void)
{
    static float moved[3 * COUNT];
    for (size_t i = 0; i < 3 * COUNT; i++) moved[i] = xyz[i] + 0.3f;
    const clump_points queries = {.xyz = moved, .count = COUNT};
    answers a = nn_ask_oracle(points, queries, 1);
    for (int value = 0; value < clump_nn_methods.count; value++) {
        const clump_method *const row = clump_method_at(&clump_nn_methods, value);
        clump_index_options o = clump_index_defaults();
        o.method = (clump_nn_method)value;
        clump_index *index = NULL;
        if (!runs_on_cpu(row, clump_index_create(ctx, points, &o, &index))) continue;
        CHECK_INT(clump_index_nearest(ctx, index, queries, 1, labels, NULL), CLUMP_OK);
        CHECK_TEXT(clump_context_stats(ctx).method, row->name);
        for (size_t i = 0; i < COUNT && value != CLUMP_NN_AZIMUTH; i++) { /* azimuth is approximate */
            const bool any = a.offsets[i] < a.offsets[i + 1];
            const int32_t nearest = any ? (int32_t)(uint32_t)a.keys[a.offsets[i]] : -1;
            CHECK_MSG(labels[i] == nearest, "%s: query %zu: %d, expected %d", row->name, i, labels[i], nearest);
        }
        clump_index_destroy(index);
    }
    nn_forget(&a);
}

/* ----- options ---------------------------------------------------------------------------------------------------- */

static union {
    clump_ec_options ec;
    clump_ground_options ground;
    clump_dbscan_options dbscan;
    clump_erccl_options erccl;
    clump_objects_options objects;
    clump_detect_options detect;
    clump_describe_options describe;
    clump_papers papers;
    clump_index_options index;
    clump_icp_options icp;
    clump_odometry_options odometry;
    clump_tracker_options tracker;
    clump_map_options map;
    clump_tree_options tree;
    clump_hdbscan_options hdbscan;
} given;

/* Sets `given` to the defaults of a table, and returns the struct that the rows are of. */
static void *defaults_of(const char *table)
{
    memset(&given, 0xa5, sizeof given);
#define CASE(name, make)                                                                                               \
    if (strcmp(table, #name) == 0) return given.name = make(), &given.name;
    CASE(ground, clump_ground_defaults)
    CASE(dbscan, clump_dbscan_defaults)
    CASE(erccl, clump_erccl_defaults)
    CASE(objects, clump_objects_defaults)
    CASE(detect, clump_detect_defaults)
    CASE(describe, clump_describe_defaults)
    CASE(papers, clump_papers_defaults)
    CASE(index, clump_index_defaults)
    CASE(icp, clump_icp_defaults)
    CASE(odometry, clump_odometry_defaults)
    CASE(tracker, clump_tracker_defaults)
    CASE(map, clump_map_defaults)
    CASE(tree, clump_tree_defaults)
    CASE(hdbscan, clump_hdbscan_defaults)
#undef CASE
    CHECK(strcmp(table, "clustering") == 0);
    given.ec = clump_ec_defaults();
    return &given.ec.common;
}

static double value_of(const clump_option *row, const void *options)
{
    const void *const place = (const char *)options + row->offset;
    switch (row->kind) {
    case CLUMP_OPTION_BOOL:
        return *(const bool *)place;
    case CLUMP_OPTION_FLOAT: /* fall through */
    case CLUMP_OPTION_POINT:
        return (double)*(const float *)place;
    case CLUMP_OPTION_DOUBLE:
        return *(const double *)place;
    case CLUMP_OPTION_SIZE:
        return (double)*(const size_t *)place;
    case CLUMP_OPTION_INT: /* fall through */
    case CLUMP_OPTION_CHOICE:
        break;
    }
    return *(const int *)place;
}

static void rows_have_defaults(void)
{
    int tables = 0;
    const clump_option_table *table;
    for (; (table = clump_option_table_at(tables)); tables++) {
        CHECK(clump_option_table_named(table->name) == table);
        const void *const options = defaults_of(table->name);
        for (size_t i = 0; i < table->count; i++) {
            const clump_option *const row = &table->rows[i];
            const double usual = row->kind == CLUMP_OPTION_FLOAT ? (double)(float)row->usual : row->usual;
            CHECK_MSG(value_of(row, options) == usual, "%s.%s is %g, not %g", table->name, row->name,
                      value_of(row, options), usual);
            CHECK_MSG(row->bounds == CLUMP_BOUNDS_OTHER || row->noun, "%s.%s has no noun", table->name, row->name);
            CHECK((row->kind == CLUMP_OPTION_CHOICE) == (row->choice != NULL));
            CHECK(!row->word == !row->help);
            CHECK(!row->word || (row->kind == CLUMP_OPTION_BOOL) == !row->argument);
            for (size_t k = 0; k < i; k++) CHECK(strcmp(row->name, table->rows[k].name) != 0);
        }
    }
    CHECK_INT(tables, 15);
    CHECK(!clump_option_table_at(-1) && !clump_option_table_named("none") && !clump_option_table_named(NULL));
}

CHECK_PROGRAM(test_methods)
{
    uint64_t random = 161;
    for (size_t i = 0; i < COUNT; i++) { /* ground, and boxes on it */
        float *const p = xyz + 3 * i;
        const bool box = i % 2;
        const float where = 4 * (float)(i / 2 % 5);
        p[0] = box ? where + check_random_float(&random) : 20 * check_random_float(&random) - 5;
        p[1] = box ? where - check_random_float(&random) : 20 * check_random_float(&random) - 10;
        p[2] = box ? check_random_float(&random) - 1 : -1.7f;
    }
    ctx = cpu_context(2);
    RUN(names_translate_both_ways);
    RUN(public_values_are_rows);
    RUN(ec_rows_run);
    RUN(dbscan_rows_run);
    RUN(ground_rows_run);
    RUN(erccl_rows_run);
    RUN(nn_rows_run);
    RUN(rows_have_defaults);
    clump_context_destroy(ctx);
}
