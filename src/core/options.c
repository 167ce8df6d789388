/* SPDX-License-Identifier: BSD-3-Clause
 *
 * options.c: defaults, and names of methods.
 */
#include "core/options.h"

#include <math.h>
#include <string.h>

clump_context_options clump_context_defaults(void)
{
    return (clump_context_options){.cookie = CLUMP_CONTEXT_COOKIE};
}

clump_ec_options clump_ec_defaults(void)
{
    return (clump_ec_options){.cookie = CLUMP_EC_COOKIE, .min_size = 1};
}

clump_dbscan_options clump_dbscan_defaults(void)
{
    return (clump_dbscan_options){.cookie = CLUMP_DBSCAN_COOKIE, .min_size = 1};
}

clump_erccl_options clump_erccl_defaults(void)
{
    return (clump_erccl_options){.cookie = CLUMP_ERCCL_COOKIE,
                                 .cell = 0.05f,
                                 .extent = 40,
                                 .reach = 5,
                                 .alpha = 0.7f,
                                 .tau = 0.75f,
                                 .min_size = 1,
                                 .ground = clump_ground_defaults()};
}

clump_index_options clump_index_defaults(void)
{
    return (clump_index_options){.cookie = CLUMP_INDEX_COOKIE, .partitions = 300};
}

clump_icp_options clump_icp_defaults(void)
{
    return (clump_icp_options){.cookie = CLUMP_ICP_COOKIE,
                               .max_iterations = 100,
                               .max_distance = INFINITY,
                               .keep = 1,
                               .tolerance = 1e-4,
                               .normal_neighbours = 10};
}

static const char *const ec_methods[] = {
    [CLUMP_EC_FAST] = "fast",           [CLUMP_EC_BFS] = "bfs",
    [CLUMP_EC_VERTEX_ES] = "vertex-es", [CLUMP_EC_VERTEX_RS] = "vertex-rs",
    [CLUMP_EC_EDGE_ES] = "edge-es",     [CLUMP_EC_EDGE_RS] = "edge-rs",
    [CLUMP_EC_MATRIX_ES] = "matrix-es", [CLUMP_EC_MATRIX_RS] = "matrix-rs",
};
enum { EC_METHODS = sizeof ec_methods / sizeof *ec_methods };

static const char *const dbscan_methods[] = {
    [CLUMP_DBSCAN_FAST] = "fast",
    [CLUMP_DBSCAN_SEQUENTIAL] = "sequential",
    [CLUMP_DBSCAN_DISJOINT_SET] = "disjoint-set",
    [CLUMP_DBSCAN_DCLUST] = "dclust",
};
enum { DBSCAN_METHODS = sizeof dbscan_methods / sizeof *dbscan_methods };

static const char *const erccl_methods[] = {
    [CLUMP_ERCCL_FAST] = "fast",     [CLUMP_ERCCL_SERIAL] = "serial",
    [CLUMP_ERCCL_RACING] = "racing", [CLUMP_ERCCL_INDEPENDENT] = "independent",
    [CLUMP_ERCCL_CCL] = "ccl",       [CLUMP_ERCCL_HASH] = "hash",
};
enum { ERCCL_METHODS = sizeof erccl_methods / sizeof *erccl_methods };

static const char *const nn_methods[] = {
    [CLUMP_NN_FAST] = "fast",       [CLUMP_NN_KDTREE] = "kdtree",       [CLUMP_NN_BRUTE] = "brute",
    [CLUMP_NN_AZIMUTH] = "azimuth", [CLUMP_NN_PER_QUERY] = "per-query", [CLUMP_NN_BATCH] = "batch",
};
enum { NN_METHODS = sizeof nn_methods / sizeof *nn_methods };

/* The place of a name in a list; -1 if it is not there. */
static int place_of(const char *name, const char *const *names, int count)
{
    for (int i = 0; name && i < count; i++)
        if (strcmp(name, names[i]) == 0) return i;
    return -1;
}

const char *clump_ec_method_name(clump_ec_method method)
{
    return (unsigned)method < EC_METHODS ? ec_methods[method] : NULL;
}

bool clump_ec_method_from_name(const char *name, clump_ec_method *method)
{
    const int at = place_of(name, ec_methods, EC_METHODS);
    if (at < 0 || !method) return false;
    *method = (clump_ec_method)at;
    return true;
}

const char *clump_dbscan_method_name(clump_dbscan_method method)
{
    return (unsigned)method < DBSCAN_METHODS ? dbscan_methods[method] : NULL;
}

bool clump_dbscan_method_from_name(const char *name, clump_dbscan_method *method)
{
    const int at = place_of(name, dbscan_methods, DBSCAN_METHODS);
    if (at < 0 || !method) return false;
    *method = (clump_dbscan_method)at;
    return true;
}

const char *clump_erccl_method_name(clump_erccl_method method)
{
    return (unsigned)method < ERCCL_METHODS ? erccl_methods[method] : NULL;
}

bool clump_erccl_method_from_name(const char *name, clump_erccl_method *method)
{
    const int at = place_of(name, erccl_methods, ERCCL_METHODS);
    if (at < 0 || !method) return false;
    *method = (clump_erccl_method)at;
    return true;
}

const char *clump_nn_method_name(clump_nn_method method)
{
    return (unsigned)method < NN_METHODS ? nn_methods[method] : NULL;
}

bool clump_nn_method_from_name(const char *name, clump_nn_method *method)
{
    const int at = place_of(name, nn_methods, NN_METHODS);
    if (at < 0 || !method) return false;
    *method = (clump_nn_method)at;
    return true;
}
