/* SPDX-License-Identifier: BSD-3-Clause
 *
 * options.h: the cookies of the option structs, and what the rows of clump/options.h give: defaults and checks. A cookie
 * proves that _defaults() filled the struct. A struct that changes gets a new cookie; those that contain it follow.
 */
#ifndef CLUMP_CORE_OPTIONS_H
#define CLUMP_CORE_OPTIONS_H

#include "core/work.h"

#include <clump/index.h>
#include <clump/info.h>
#include <clump/map.h>
#include <clump/odometry.h>
#include <clump/options.h>
#include <clump/papers.h>
#include <clump/track.h>
#include <clump/tree.h>

extern const clump_option_table clump_clustering_table, clump_ground_table, clump_dbscan_table, clump_erccl_table,
    clump_objects_table, clump_detect_table, clump_describe_table, clump_papers_table, clump_index_table,
    clump_icp_table, clump_odometry_table, clump_tracker_table, clump_map_table, clump_tree_table, clump_hdbscan_table;

/* A new row gives the struct another cookie; a new member without a row needs another number here. */
#define CLUMP_COOKIE(number, table) ((number) + ((uint32_t)clump_##table##_table.count << 16))

#define CLUMP_CONTEXT_COOKIE  0x636c7834u                                                                  /* "clx4" */
#define CLUMP_EC_COOKIE       CLUMP_COOKIE(0x636c6536u, clustering)                                        /* "cle6" */
#define CLUMP_DBSCAN_COOKIE   (CLUMP_COOKIE(0x636c6434u, dbscan) + CLUMP_EC_COOKIE)                        /* "cld4" */
#define CLUMP_GROUND_COOKIE   CLUMP_COOKIE(0x636c6733u, ground)                                            /* "clg3" */
#define CLUMP_ERCCL_COOKIE    (CLUMP_COOKIE(0x636c7235u, erccl) + CLUMP_EC_COOKIE + CLUMP_GROUND_COOKIE)   /* "clr5" */
#define CLUMP_OBJECTS_COOKIE  (CLUMP_COOKIE(0x636c6f32u, objects) + CLUMP_EC_COOKIE + CLUMP_GROUND_COOKIE) /* "clo2" */
#define CLUMP_INDEX_COOKIE    CLUMP_COOKIE(0x636c6931u, index)                                             /* "cli1" */
#define CLUMP_DESCRIBE_COOKIE CLUMP_COOKIE(0x636c7331u, describe)                                          /* "cls1" */
#define CLUMP_DETECT_COOKIE                                                                                            \
    (CLUMP_COOKIE(0x636c7435u, detect) + CLUMP_EC_COOKIE + CLUMP_DBSCAN_COOKIE + CLUMP_ERCCL_COOKIE +                  \
     CLUMP_OBJECTS_COOKIE + CLUMP_DESCRIBE_COOKIE)                /* "clt5" */
#define CLUMP_PAPERS_COOKIE   CLUMP_COOKIE(0x636c6131u, papers)   /* "cla1" */
#define CLUMP_ICP_COOKIE      CLUMP_COOKIE(0x636c7031u, icp)      /* "clp1" */
#define CLUMP_TRACKER_COOKIE  CLUMP_COOKIE(0x636c6b31u, tracker)  /* "clk1" */
#define CLUMP_ODOMETRY_COOKIE CLUMP_COOKIE(0x636c7631u, odometry) /* "clv1" */
#define CLUMP_MAP_COOKIE      CLUMP_COOKIE(0x636c6d31u, map)      /* "clm1" */
#define CLUMP_TREE_COOKIE     CLUMP_COOKIE(0x636c7231u, tree)     /* "clr1" */
#define CLUMP_HDBSCAN_COOKIE  CLUMP_COOKIE(0x636c6831u, hdbscan)  /* "clh1" */

#define CLUMP_NN_MAX_PARTITIONS 1000000

#define CLUMP_MATRIX_BLOCK_LEAST 64   /* bounds of matrix_block, which is a power of two */
#define CLUMP_MATRIX_BLOCK_MOST  1024 /* the default, and the most threads that a GPU allows per thread block */

/* Sets the members that have a row to their defaults. */
void clump_option_defaults(const clump_option_table *table, void *options);

/* Checks the members that have a row. The sentence of a failure begins with work->call and the noun of the row. */
clump_status clump_option_check(clump_work *work, const clump_option_table *table, const void *options);

/* Whether the value of a row is its default. */
bool clump_option_is_usual(const clump_option *row, const void *options);

/* Fills *papers from the options of a call; defaults where there are none. Fails where an option is set that the job does
 * not have: `job` is "ec", "dbscan" or "erccl". */
clump_status clump_papers_take(clump_work *work, const clump_clustering *common, const char *job, clump_papers *papers);

/* Refuses two_d and sensor, which clump_erccl and clump_objects do not have. */
clump_status clump_clustering_check_scene(clump_work *work, const clump_clustering *common);

#endif
