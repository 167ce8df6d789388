/* SPDX-License-Identifier: BSD-3-Clause
 *
 * methods.c: the tables of context.h, and the public functions that translate between values and names.
 */
#include "core/context.h"

#include <clump/index.h>

#include <string.h>

enum { YES = 1, NO = 0 };
#define LINEAR  CLUMP_COST_LINEAR
#define CROWDED CLUMP_COST_CROWDED
#define SQUARE  CLUMP_COST_SQUARE

/* clang-format off */
/*                                          name            CPU  CUDA cost */
static const clump_method ec_methods[] = {
    [CLUMP_EC_FAST] =                      {"fast",         YES, YES, LINEAR},
    [CLUMP_EC_BFS] =                       {"bfs",          YES, NO,  LINEAR},
    [CLUMP_EC_VERTEX_ES] =                 {"vertex-es",    YES, YES, SQUARE},
    [CLUMP_EC_VERTEX_RS] =                 {"vertex-rs",    YES, YES, CROWDED},
    [CLUMP_EC_EDGE_ES] =                   {"edge-es",      YES, YES, SQUARE},
    [CLUMP_EC_EDGE_RS] =                   {"edge-rs",      YES, YES, CROWDED},
    [CLUMP_EC_MATRIX_ES] =                 {"matrix-es",    YES, YES, SQUARE},
    [CLUMP_EC_MATRIX_RS] =                 {"matrix-rs",    YES, YES, SQUARE},
};

static const clump_method dbscan_methods[] = {
    [CLUMP_DBSCAN_FAST] =                  {"fast",         YES, YES, LINEAR},
    [CLUMP_DBSCAN_SEQUENTIAL] =            {"sequential",   YES, NO,  LINEAR},
    [CLUMP_DBSCAN_DISJOINT_SET] =          {"disjoint-set", YES, NO,  LINEAR},
    [CLUMP_DBSCAN_DCLUST] =                {"dclust",       YES, YES, SQUARE},
};

static const clump_method erccl_methods[] = {
    [CLUMP_ERCCL_FAST] =                   {"fast",         YES, YES, LINEAR},
    [CLUMP_ERCCL_SERIAL] =                 {"serial",       YES, NO,  LINEAR},
    [CLUMP_ERCCL_RACING] =                 {"racing",       YES, YES, LINEAR},
    [CLUMP_ERCCL_INDEPENDENT] =            {"independent",  YES, YES, LINEAR},
    [CLUMP_ERCCL_CCL] =                    {"ccl",          YES, YES, LINEAR},
    [CLUMP_ERCCL_HASH] =                   {"hash",         YES, YES, LINEAR},
};

static const clump_method ground_methods[] = {
    [CLUMP_GROUND_PEAK] =                  {"peak",         YES, YES, LINEAR},
    [CLUMP_GROUND_GRID] =                  {"grid",         YES, YES, LINEAR},
    [CLUMP_GROUND_NONE] =                  {"none",         YES, YES, LINEAR},
};

static const clump_method nn_methods[] = {
    [CLUMP_NN_FAST] =                      {"fast",         YES, YES, LINEAR},
    [CLUMP_NN_KDTREE] =                    {"kdtree",       YES, NO,  LINEAR},
    [CLUMP_NN_BRUTE] =                     {"brute",        YES, NO,  SQUARE},
    [CLUMP_NN_AZIMUTH] =                   {"azimuth",      YES, YES, LINEAR},
    [CLUMP_NN_PER_QUERY] =                 {"per-query",    NO,  YES, SQUARE},
    [CLUMP_NN_BATCH] =                     {"batch",        NO,  YES, SQUARE},
};

static const clump_method detect_methods[] = {
    [CLUMP_DETECT_EC] =                    {"ec",           YES, YES, LINEAR},
    [CLUMP_DETECT_DBSCAN] =                {"dbscan",       YES, YES, LINEAR},
    [CLUMP_DETECT_ERCCL] =                 {"erccl",        YES, YES, LINEAR},
    [CLUMP_DETECT_OBJECTS] =               {"objects",      YES, YES, LINEAR},
};

static const clump_method objects_methods[] = {
    {"tree", YES, YES, LINEAR}, /* the only one */
};
/* clang-format on */

#define METHODS_TABLE(rows)                                                                                            \
    {                                                                                                                  \
        rows, (int)(sizeof rows / sizeof *rows)                                                                        \
    }
const clump_method_table clump_ec_methods = METHODS_TABLE(ec_methods),
                         clump_dbscan_methods = METHODS_TABLE(dbscan_methods),
                         clump_erccl_methods = METHODS_TABLE(erccl_methods),
                         clump_ground_methods = METHODS_TABLE(ground_methods),
                         clump_nn_methods = METHODS_TABLE(nn_methods),
                         clump_detect_methods = METHODS_TABLE(detect_methods),
                         clump_objects_methods = METHODS_TABLE(objects_methods);

const clump_method *clump_method_at(const clump_method_table *table, int value)
{
    return value >= 0 && value < table->count && table->rows[value].name ? &table->rows[value] : NULL;
}

int clump_method_named(const clump_method_table *table, const char *name)
{
    for (int i = 0; name && i < table->count; i++)
        if (table->rows[i].name && strcmp(name, table->rows[i].name) == 0) return i;
    return -1;
}

/* Defines the two public functions of a job. */
#define METHODS_NAMES(job)                                                                                             \
    const char *clump_##job##_method_name(clump_##job##_method method)                                                 \
    {                                                                                                                  \
        const clump_method *const row = clump_method_at(&clump_##job##_methods, (int)method);                          \
        return row ? row->name : NULL;                                                                                 \
    }                                                                                                                  \
    bool clump_##job##_method_from_name(const char *name, clump_##job##_method *method)                                \
    {                                                                                                                  \
        const int value = clump_method_named(&clump_##job##_methods, name);                                            \
        if (value < 0 || !method) return false;                                                                        \
        *method = (clump_##job##_method)value;                                                                         \
        return true;                                                                                                   \
    }

METHODS_NAMES(ec)
METHODS_NAMES(dbscan)
METHODS_NAMES(erccl)
METHODS_NAMES(ground)
METHODS_NAMES(nn)
METHODS_NAMES(detect)
