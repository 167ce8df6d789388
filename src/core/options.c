/* SPDX-License-Identifier: BSD-3-Clause
 *
 * options.c: the defaults of every options struct.
 */
#include "core/options.h"

#include <math.h>

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
