/* SPDX-License-Identifier: BSD-3-Clause
 *
 * options.c: the rows of all options (clump/options.h), and what follows from them. A new option is a member of a public struct
 * and a row here: its default, its check, its word and help of the program, its argument in Python, and the test of wrong
 * numbers come from the row.
 */
#include "core/options.h"

#include "common/assert.h"
#include "core/work.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

/* --- choices ---------------------------------------------------------------------------------------- */

static const char *order_name(int value)
{
    return value == CLUMP_ORDER_INDEX ? "index" : value == CLUMP_ORDER_SIZE ? "size" : NULL;
}

static const char *up_name(int value)
{
    return value == CLUMP_UP_Z ? "z" : value == CLUMP_UP_Y ? "y" : NULL;
}

static const char *selection_name(int value)
{
    return value == CLUMP_HDBSCAN_EOM ? "eom" : value == CLUMP_HDBSCAN_LEAF ? "leaf" : NULL;
}

static const char *neighbours_name(int value)
{
    return clump_neighbour_kind_name((clump_neighbour_kind)value);
}

/* --- rows ------------------------------------------------------------------------------------------- */

/* Kind, default and bounds of a row. */
#define SWITCH          CLUMP_OPTION_BOOL
#define POINT           CLUMP_OPTION_POINT
#define CHOICE(names)   CLUMP_OPTION_CHOICE, .choice = (names)
#define NUMBER(type, v) CLUMP_OPTION_##type, .usual = (v)
#define WITHIN(a, b)    .bounds = CLUMP_BOUNDS_RANGE, .least = (a), .most = (b)
#define ABOVE_0(b)      .bounds = CLUMP_BOUNDS_ABOVE_0, .most = (b)
#define FROM_0(b)       .bounds = CLUMP_BOUNDS_FROM_0, .most = (b)
#define FINITE          .bounds = CLUMP_BOUNDS_FINITE
#define SAID(w, a, h)   .word = (w), .argument = (a), .help = (h)
#define TABLE(job)                                                                                                     \
    const clump_option_table clump_##job##_table = {#job, job##_rows, sizeof job##_rows / sizeof *job##_rows}

/* clang-format off */
#define ROW(member, ...) {.name = #member, .offset = offsetof(clump_clustering, member), .kind = __VA_ARGS__}
static const clump_option clustering_rows[] = {
    ROW(eps_per_metre, NUMBER(FLOAT, 0), FROM_0(FLT_MAX), .noun = "eps_per_metre",
        SAID("eps-per-metre", "S", "R is at least S x range from the sensor (default {})")),
    ROW(two_d, SWITCH, SAID("2d", NULL, "ignore z")),
    ROW(min_size, NUMBER(SIZE, 1), .least = 1,
        SAID("min-size", "N", "{what} of fewer points become noise (default {})")),
    ROW(max_size, NUMBER(SIZE, 0),
        SAID("max-size", "N", "{what} of more points become noise (default {}, no limit)")),
    ROW(order, CHOICE(order_name), .noun = "order",
        SAID("order", "ORDER", "number {what} by their first point or by size, largest first (default {})")),
    ROW(sensor, POINT, .noun = "sensor"),
};
TABLE(clustering);
#undef ROW

#define ROW(member, ...) {.name = #member, .offset = offsetof(clump_ground_options, member), .kind = __VA_ARGS__}
static const clump_option ground_rows[] = {
    ROW(sigma, NUMBER(FLOAT, 0.2), WITHIN(0, 1000), .noun = "the sigma of the ground",
        SAID("sigma", "H", "what is lower than H above it is ground; peak: within H of it (default {})")),
    ROW(slope, NUMBER(FLOAT, 0.2), WITHIN(0, 10), .noun = "the slope of the ground",
        SAID("slope", "S", "steepest ground, height by distance (default {}); grid")),
    ROW(sensor_height, NUMBER(FLOAT, 0), WITHIN(0, 1000), .noun = "the sensor height",
        SAID("sensor-height", "H", "how high the sensor is above the ground (default {}, found out)")),
    ROW(window, NUMBER(FLOAT, 1), WITHIN(0, 1000), .noun = "the window of the ground",
        SAID("window", "H", "how far from a given sensor height the ground may be (default {})")),
    ROW(bin, NUMBER(FLOAT, 0.1), WITHIN(0.001, 10), .noun = "the bin of the heights",
        SAID("bin", "H", "height of a bin of the histogram of heights (default {}); peak")),
    ROW(up, CHOICE(up_name), .noun = "up axis", SAID("up", "AXIS", "the axis that points up (default {})")),
    ROW(flip, SWITCH, SAID("flip", NULL, "the sensor hangs upside down: that axis points down")),
    ROW(step, SWITCH,
        SAID("step", NULL, "thin ground (0.1) where something stands on it, else thick (0.25), instead of --sigma")),
    ROW(extent, NUMBER(FLOAT, 160), WITHIN(0.01, 1e6), .noun = "the extent of the ground",
        SAID("extent", "L", "side of the square around the sensor that has ground (default {})")),
    ROW(tile, NUMBER(FLOAT, 2), WITHIN(0.01, 100), .noun = "the tile size of the ground",
        SAID("tile", "W", "side of the tiles that the square is cut into (default {}); grid")),
    ROW(sensor, POINT, .noun = "sensor"),
};
TABLE(ground);
#undef ROW

#define ROW(member, ...) {.name = #member, .offset = offsetof(clump_dbscan_options, member), .kind = __VA_ARGS__}
static const clump_option dbscan_rows[] = {
    ROW(no_border_points, SWITCH, SAID("no-border", NULL, "border points become noise (DBSCAN*)")),
};
TABLE(dbscan);
#undef ROW

#define ROW(member, ...) {.name = #member, .offset = offsetof(clump_erccl_options, member), .kind = __VA_ARGS__}
static const clump_option erccl_rows[] = {
    ROW(cell, NUMBER(FLOAT, 0.05), SAID("cell", "S", "side of a cell of the map (default {})")),
    ROW(extent, NUMBER(FLOAT, 40), ABOVE_0(FLT_MAX), .noun = "the extent"),
    ROW(extent_columns, NUMBER(FLOAT, 0)),
    ROW(reach, NUMBER(INT, 5), WITHIN(1, CLUMP_ERCCL_REACH), .noun = "the reach",
        SAID("reach", "N", "cells up to N rows and columns apart can belong together (default {})")),
    ROW(alpha, NUMBER(FLOAT, 0.7), WITHIN(0, 1), .noun = "alpha",
        SAID("alpha", "A", "weight of the distance of two cells against their heights, 0 to 1 (default {})")),
    ROW(tau, NUMBER(FLOAT, 0.75), FINITE, .noun = "tau",
        SAID("tau", "T", "how alike two cells must be, 0 to 1 (default {})")),
};
TABLE(erccl);
#undef ROW

#define ROW(member, ...) {.name = #member, .offset = offsetof(clump_objects_options, member), .kind = __VA_ARGS__}
static const clump_option objects_rows[] = {
    ROW(d, NUMBER(FLOAT, 0.25)),
    ROW(no_people, SWITCH,
        SAID("no-people", NULL, "do not take what has the size of a person out of the cluster that it is part of")),
    ROW(neighbours, CHOICE(neighbours_name), .noun = "kind of neighbours",
        SAID("neighbours", "KIND", "which points are compared: all (exact), or those beside each other in the scan of a "
                                   "rotating sensor (scan); auto is scan where the rings are known (default {})")),
    ROW(min_score, NUMBER(FLOAT, 0), WITHIN(0, 1), .noun = "min_score",
        SAID("min-score", "S", "objects with a score below S, 0 to 1, become background; their labels stay (default {})")),
    ROW(columns, NUMBER(SIZE, 0)),
    ROW(no_groups, SWITCH,
        SAID("no-groups", NULL, "do not divide what fits where its parts have the sizes of several people or vehicles")),
};
TABLE(objects);
#undef ROW

#define ROW(member, ...) {.name = #member, .offset = offsetof(clump_detect_options, member), .kind = __VA_ARGS__}
static const clump_option detect_rows[] = {
    ROW(d, NUMBER(FLOAT, 0.5)),
    ROW(min_points, NUMBER(SIZE, 10)),
    ROW(thin, NUMBER(FLOAT, 0)),
};
TABLE(detect);
#undef ROW

#define ROW(member, ...) {.name = #member, .offset = offsetof(clump_describe_options, member), .kind = __VA_ARGS__}
static const clump_option describe_rows[] = {
    ROW(up, CHOICE(up_name), .noun = "up axis"),
    ROW(axes, SWITCH),
    ROW(sensor, POINT, .noun = "sensor"),
};
TABLE(describe);
#undef ROW

#define ROW(member, ...) {.name = #member, .offset = offsetof(clump_papers, member), .kind = __VA_ARGS__}
static const clump_option papers_rows[] = {
    ROW(matrix_block, NUMBER(INT, 0), .job = "ec"),
    ROW(in_place, SWITCH, .job = "ec"),
    ROW(dclust_chains, NUMBER(INT, 0), .job = "dbscan"),
    ROW(dclust_threads, NUMBER(INT, 0), .job = "dbscan"),
    ROW(dclust_seeds, NUMBER(INT, 0), .job = "dbscan"),
    ROW(dclust_host_merge, SWITCH, .job = "dbscan"),
    ROW(beta, NUMBER(FLOAT, 0), FINITE, .noun = "beta", .job = "erccl",
        SAID("beta", "B", "the same as B * exp(-N), as the paper has it")),
    ROW(all_heights, SWITCH, .job = "erccl",
        SAID("all-heights", NULL, "heights of a cell are of all its points, ground included, as in the paper")),
};
TABLE(papers);
#undef ROW

#define ROW(member, ...) {.name = #member, .offset = offsetof(clump_index_options, member), .kind = __VA_ARGS__}
static const clump_option index_rows[] = {
    ROW(partitions, NUMBER(INT, 300), WITHIN(1, CLUMP_NN_MAX_PARTITIONS), .noun = "partitions",
        SAID("partitions", "N", "azimuth: into how many sectors A is cut (default {})")),
    ROW(window, NUMBER(INT, 0), FROM_0(INT_MAX), .noun = "window",
        SAID("window", "N", "azimuth: sectors searched on either side of a point's own (default {})")),
};
TABLE(index);
#undef ROW

#define ROW(member, ...) {.name = #member, .offset = offsetof(clump_icp_options, member), .kind = __VA_ARGS__}
static const clump_option icp_rows[] = {
    ROW(max_distance, NUMBER(FLOAT, INFINITY), ABOVE_0(INFINITY), .noun = "max_distance",
        SAID("max-distance", "R", "pairs farther apart do not count (default {})")),
    ROW(keep, NUMBER(DOUBLE, 1), ABOVE_0(1), .noun = "keep",
        SAID("keep", "SHARE", "of the pairs only this share counts, nearest first: trimmed ICP (default {})")),
    ROW(max_iterations, NUMBER(INT, 100), FROM_0(INT_MAX), .noun = "max_iterations",
        SAID("iterations", "N", "the most iterations (default {})")),
    ROW(tolerance, NUMBER(DOUBLE, 1e-4), FROM_0(INFINITY), .noun = "tolerance",
        SAID("tolerance", "T",
             "the iteration that moves by less than T, and turns by less than T radians, is the last (default 1e-4)")),
    ROW(normal_neighbours, NUMBER(INT, 10), WITHIN(3, CLUMP_NN_MAX_K), .noun = "normal_neighbours",
        SAID("normals", "K", "plane: points of A that make a surface (default {})")),
    ROW(thin, NUMBER(FLOAT, 0), FROM_0(FLT_MAX), .noun = "thin",
        SAID("thin", "S", "use one point per voxel of side S, of A and of B (default {}, all points)")),
    ROW(robust, NUMBER(FLOAT, 0), FROM_0(FLT_MAX), .noun = "robust",
        SAID("robust", "C", "pairs that are C apart count a quarter, farther ones less (default {}, all alike)")),
};
TABLE(icp);
#undef ROW

#define ROW(member, ...) {.name = #member, .offset = offsetof(clump_odometry_options, member), .kind = __VA_ARGS__}
static const clump_option odometry_rows[] = {
    ROW(voxel, NUMBER(FLOAT, 1), ABOVE_0(FLT_MAX), .noun = "voxel",
        SAID("voxel", "S", "side of the voxels that thin a frame for its registration (default {})")),
    ROW(map_voxel, NUMBER(FLOAT, 0.5), ABOVE_0(FLT_MAX), .noun = "map_voxel",
        SAID("map-voxel", "S", "side of the voxels of the map, which keep one point each (default {})")),
    ROW(min_range, NUMBER(FLOAT, 1), FROM_0(FLT_MAX), .noun = "min_range",
        SAID("min-range", "R", "nearer points are ignored, as those of the vehicle itself (default {})")),
    ROW(max_range, NUMBER(FLOAT, 100), ABOVE_0(FLT_MAX), .noun = "max_range",
        SAID("max-range", "R", "farther points are ignored, and leave the map (default {})")),
    ROW(reach, NUMBER(FLOAT, 2), ABOVE_0(FLT_MAX), .noun = "reach",
        SAID("reach", "R", "how wrong the expectation of a first motion may be (default {})")),
    ROW(normal_neighbours, NUMBER(INT, 15), WITHIN(3, CLUMP_NN_MAX_K), .noun = "normal_neighbours",
        SAID("normals", "K", "plane: points of the map that make a surface (default {})")),
    ROW(max_iterations, NUMBER(INT, 50), ABOVE_0(INT_MAX), .noun = "max_iterations",
        SAID("iterations", "N", "the most iterations per frame (default {})")),
    ROW(tolerance, NUMBER(DOUBLE, 1e-3), FROM_0(INFINITY), .noun = "tolerance",
        SAID("tolerance", "T",
             "the iteration that moves by less than T, and turns by less than T radians, is the last (default 1e-3)")),
    ROW(patience, NUMBER(INT, 5), FROM_0(INT_MAX), .noun = "patience",
        SAID("patience", "N", "after N lost frames in a row the map begins anew; 0: never (default {})")),
};
TABLE(odometry);
#undef ROW

#define ROW(member, ...) {.name = #member, .offset = offsetof(clump_tracker_options, member), .kind = __VA_ARGS__}
static const clump_option tracker_rows[] = {
    ROW(up, CHOICE(up_name), .noun = "axis"),
    ROW(gate, NUMBER(DOUBLE, 2)),
    ROW(max_gap, NUMBER(DOUBLE, 0.5), FROM_0(INFINITY), .noun = "max_gap"),
    ROW(smooth, NUMBER(DOUBLE, 0.5), ABOVE_0(1), .noun = "smooth"),
};
TABLE(tracker);
#undef ROW

#define ROW(member, ...) {.name = #member, .offset = offsetof(clump_map_options, member), .kind = __VA_ARGS__}
static const clump_option map_rows[] = {
    ROW(voxel, NUMBER(FLOAT, 0.2), WITHIN(0.001, 1000), .noun = "the voxel",
        SAID("voxel", "S", "one point per voxel of side S (default {})")),
    ROW(min_range, NUMBER(FLOAT, 1),
        SAID("min-range", "R", "only points at least R from the sensor (default {})")),
    ROW(max_range, NUMBER(FLOAT, 60),
        SAID("max-range", "R", "only points at most R from the sensor (default {})")),
    ROW(passes, NUMBER(FLOAT, 0.3), FROM_0(FLT_MAX), .noun = "passes",
        SAID("passes", "N", "what moves: N passes of beams per observation are too many (default {})")),
};
TABLE(map);
#undef ROW

#define ROW(member, ...) {.name = #member, .offset = offsetof(clump_tree_options, member), .kind = __VA_ARGS__}
static const clump_option tree_rows[] = {
    ROW(min_samples, NUMBER(INT, 1), WITHIN(1, CLUMP_TREE_MOST_SAMPLES), .noun = "min_samples",
        SAID("min-samples", "N", "a dense place has N points, itself included, within a distance (default {})")),
    ROW(two_d, SWITCH, SAID("2d", NULL, "ignore z")),
};
TABLE(tree);
#undef ROW

#define ROW(member, ...) {.name = #member, .offset = offsetof(clump_hdbscan_options, member), .kind = __VA_ARGS__}
static const clump_option hdbscan_rows[] = {
    ROW(min_cluster_size, NUMBER(INT, 5), WITHIN(2, 1000000000), .noun = "min_cluster_size",
        SAID("min-cluster-size", "N", "clusters have N points or more (default {})")),
    ROW(min_samples, NUMBER(INT, 0), WITHIN(0, CLUMP_TREE_MOST_SAMPLES), .noun = "min_samples",
        SAID("min-samples", "N", "density is that of N points, itself included (default {}: as min-cluster-size)")),
    ROW(selection, CHOICE(selection_name), .noun = "selection",
        SAID("selection", "RULE", "choose the clusters that last longest (eom), or the smallest (leaf) (default {})")),
    ROW(epsilon, NUMBER(FLOAT, 0), FROM_0(1.8e19), .noun = "epsilon",
        SAID("epsilon", "R", "clusters that part at a distance below R stay together (default {}, off)")),
    ROW(max_cluster_size, NUMBER(INT, 0), FROM_0(INT_MAX), .noun = "max_cluster_size",
        SAID("max-cluster-size", "N", "eom: larger clusters are divided where they can be (default {}, no limit)")),
    ROW(allow_single_cluster, SWITCH,
        SAID("allow-single-cluster", NULL, "one cluster of all points is a result, too")),
    ROW(two_d, SWITCH, SAID("2d", NULL, "ignore z")),
};
TABLE(hdbscan);
#undef ROW
/* clang-format on */

const clump_option_table *clump_option_table_at(int i)
{
    static const clump_option_table *const tables[] = {
        &clump_clustering_table, &clump_ground_table,   &clump_dbscan_table, &clump_erccl_table, &clump_objects_table,
        &clump_detect_table,     &clump_describe_table, &clump_papers_table, &clump_index_table, &clump_icp_table,
        &clump_odometry_table,   &clump_tracker_table,  &clump_map_table,    &clump_tree_table,  &clump_hdbscan_table};
    return i >= 0 && (size_t)i < sizeof tables / sizeof *tables ? tables[i] : NULL;
}

const clump_option_table *clump_option_table_named(const char *name)
{
    const clump_option_table *table = NULL;
    for (int i = 0; name && (table = clump_option_table_at(i)); i++)
        if (strcmp(table->name, name) == 0) return table;
    return NULL;
}

/* --- defaults --------------------------------------------------------------------------------------- */

static void set_number(const clump_option *row, void *options, double value)
{
    void *const place = (char *)options + row->offset;
    switch (row->kind) {
    case CLUMP_OPTION_BOOL:
        *(bool *)place = value != 0;
        break;
    case CLUMP_OPTION_FLOAT:
        *(float *)place = (float)value;
        break;
    case CLUMP_OPTION_DOUBLE:
        *(double *)place = value;
        break;
    case CLUMP_OPTION_INT: /* fall through */
    case CLUMP_OPTION_CHOICE:
        *(int *)place = (int)value;
        break;
    case CLUMP_OPTION_SIZE:
        *(size_t *)place = (size_t)value;
        break;
    case CLUMP_OPTION_POINT:
        memset(place, 0, sizeof(float[3]));
        break;
    }
}

void clump_option_defaults(const clump_option_table *table, void *options)
{
    for (size_t i = 0; i < table->count; i++) set_number(&table->rows[i], options, table->rows[i].usual);
}

/* Returns the number of a row; for a point the first coordinate that is not 0. */
static double number_of(const clump_option *row, const void *options)
{
    const void *const place = (const char *)options + row->offset;
    switch (row->kind) {
    case CLUMP_OPTION_BOOL:
        return *(const bool *)place;
    case CLUMP_OPTION_FLOAT:
        return (double)*(const float *)place;
    case CLUMP_OPTION_DOUBLE:
        return *(const double *)place;
    case CLUMP_OPTION_INT: /* fall through */
    case CLUMP_OPTION_CHOICE:
        return *(const int *)place;
    case CLUMP_OPTION_SIZE:
        return (double)*(const size_t *)place;
    case CLUMP_OPTION_POINT:
        break;
    }
    const float *const point = place;
    return (double)(point[0] != 0 ? point[0] : point[1] != 0 ? point[1] : point[2]);
}

bool clump_option_is_usual(const clump_option *row, const void *options)
{
    const double value = number_of(row, options);
    return row->kind == CLUMP_OPTION_FLOAT ? (float)value == (float)row->usual : value == row->usual;
}

clump_context_options clump_context_defaults(void)
{
    return (clump_context_options){.cookie = CLUMP_CONTEXT_COOKIE};
}

clump_ec_options clump_ec_defaults(void)
{
    clump_ec_options o = {.cookie = CLUMP_EC_COOKIE};
    clump_option_defaults(&clump_clustering_table, &o.common);
    return o;
}

clump_dbscan_options clump_dbscan_defaults(void)
{
    clump_dbscan_options o = {.cookie = CLUMP_DBSCAN_COOKIE};
    clump_option_defaults(&clump_clustering_table, &o.common);
    clump_option_defaults(&clump_dbscan_table, &o);
    return o;
}

clump_ground_options clump_ground_defaults(void)
{
    clump_ground_options o = {.cookie = CLUMP_GROUND_COOKIE, .method = CLUMP_GROUND_GRID};
    clump_option_defaults(&clump_ground_table, &o);
    return o;
}

clump_erccl_options clump_erccl_defaults(void)
{
    clump_erccl_options o = {.cookie = CLUMP_ERCCL_COOKIE, .ground = clump_ground_defaults()};
    clump_option_defaults(&clump_clustering_table, &o.common);
    clump_option_defaults(&clump_erccl_table, &o);
    return o;
}

clump_objects_options clump_objects_defaults(void)
{
    clump_objects_options o = {
        .cookie = CLUMP_OBJECTS_COOKIE,
        .levels = 3,
        .factors = {0.5f, 1, 2},
        .boxes = 2,
        .box = {{6, 3, -INFINITY, 2.6f, INFINITY, CLUMP_FIT_CAR}, {19, 3.5f, 2.2f, 4.5f, 1, CLUMP_FIT_TRUCK}},
        .ground = clump_ground_defaults()};
    clump_option_defaults(&clump_clustering_table, &o.common);
    clump_option_defaults(&clump_objects_table, &o);
    o.common.min_size = 10;
    o.common.eps_per_metre = 0.0175f;
    o.ground.step = true;
    return o;
}

clump_describe_options clump_describe_defaults(void)
{
    clump_describe_options o = {.cookie = CLUMP_DESCRIBE_COOKIE};
    clump_option_defaults(&clump_describe_table, &o);
    return o;
}

clump_detect_options clump_detect_defaults(void)
{
    clump_detect_options o = {.cookie = CLUMP_DETECT_COOKIE,
                              .region = {.lower = {-INFINITY, -INFINITY, -INFINITY},
                                         .upper = {INFINITY, INFINITY, INFINITY},
                                         .max_range = INFINITY},
                              .ground = clump_ground_defaults(),
                              .ec = clump_ec_defaults(),
                              .dbscan = clump_dbscan_defaults(),
                              .erccl = clump_erccl_defaults(),
                              .objects = clump_objects_defaults(),
                              .describe = clump_describe_defaults()};
    clump_option_defaults(&clump_clustering_table, &o.common);
    clump_option_defaults(&clump_detect_table, &o);
    o.common.min_size = 10;
    return o;
}

clump_papers clump_papers_defaults(void)
{
    clump_papers o = {.cookie = CLUMP_PAPERS_COOKIE};
    clump_option_defaults(&clump_papers_table, &o);
    return o;
}

clump_index_options clump_index_defaults(void)
{
    clump_index_options o = {.cookie = CLUMP_INDEX_COOKIE};
    clump_option_defaults(&clump_index_table, &o);
    return o;
}

clump_icp_options clump_icp_defaults(void)
{
    clump_icp_options o = {.cookie = CLUMP_ICP_COOKIE};
    clump_option_defaults(&clump_icp_table, &o);
    return o;
}

clump_odometry_options clump_odometry_defaults(void)
{
    clump_odometry_options o = {.cookie = CLUMP_ODOMETRY_COOKIE, .method = CLUMP_ICP_PLANE};
    clump_option_defaults(&clump_odometry_table, &o);
    return o;
}

clump_tracker_options clump_tracker_defaults(void)
{
    clump_tracker_options o = {.cookie = CLUMP_TRACKER_COOKIE};
    clump_option_defaults(&clump_tracker_table, &o);
    return o;
}

clump_map_options clump_map_defaults(void)
{
    clump_map_options o = {.cookie = CLUMP_MAP_COOKIE};
    clump_option_defaults(&clump_map_table, &o);
    return o;
}

clump_tree_options clump_tree_defaults(void)
{
    clump_tree_options o = {.cookie = CLUMP_TREE_COOKIE};
    clump_option_defaults(&clump_tree_table, &o);
    return o;
}

clump_hdbscan_options clump_hdbscan_defaults(void)
{
    clump_hdbscan_options o = {.cookie = CLUMP_HDBSCAN_COOKIE};
    clump_option_defaults(&clump_hdbscan_table, &o);
    return o;
}

/* --- checks ----------------------------------------------------------------------------------------- */

static clump_status check_point(clump_work *work, const clump_option *row, const void *options)
{
    const float *const point = (const float *)(const void *)((const char *)options + row->offset);
    for (int k = 0; k < 3; k++)
        if (!isfinite(point[k]))
            return clump_fail(work, CLUMP_ERR_ARGUMENT, "%s: the %c of the %s is %g, it must be finite", work->call,
                              "xyz"[k], row -> noun, (double)point[k]);
    return CLUMP_OK;
}

static clump_status refuse(clump_work *work, const clump_option *row, double value, const char *wanted)
{
    return clump_fail(work, CLUMP_ERR_ARGUMENT, "%s: %s is %g, it must be %s", work->call, row->noun, value, wanted);
}

static clump_status check_row(clump_work *work, const clump_option *row, const void *options)
{
    if (row->kind == CLUMP_OPTION_POINT) return check_point(work, row, options);
    const double value = number_of(row, options);
    if (row->kind == CLUMP_OPTION_CHOICE && !row->choice((int)value))
        return clump_fail(work, CLUMP_ERR_ARGUMENT, "%s: there is no %s number %d", work->call, row->noun, (int)value);
    switch (row->bounds) {
    case CLUMP_BOUNDS_OTHER:
        break;
    case CLUMP_BOUNDS_RANGE: /* a float is compared with the bounds as floats */
        if (value >= (row->kind == CLUMP_OPTION_FLOAT ? (double)(float)row->least : row->least) && value <= row->most)
            break;
        return clump_fail(work, CLUMP_ERR_ARGUMENT,
                          row->kind == CLUMP_OPTION_INT ? "%s: %s is %.0f, it must be %.0f to %.0f"
                                                        : "%s: %s is %g, it must be %g to %g",
                          work->call, row->noun, value, row->least, row->most);
    case CLUMP_BOUNDS_FINITE:
        return isfinite(value) ? CLUMP_OK : refuse(work, row, value, "a number");
    case CLUMP_BOUNDS_ABOVE_0:
        if (value > 0 && value <= row->most) break;
        if (row->most == 1) return refuse(work, row, value, "above 0 and at most 1");
        return refuse(work, row, value, isinf(row->most) ? "above 0" : "a number above 0");
    case CLUMP_BOUNDS_FROM_0:
        if (value >= 0 && value <= row->most) break;
        return refuse(work, row, value, row->most == FLT_MAX ? "a number and not below 0" : "0 or more");
    }
    return CLUMP_OK;
}

clump_status clump_option_check(clump_work *work, const clump_option_table *table, const void *options)
{
    for (size_t i = 0; i < table->count; i++) CLUMP_TRY(check_row(work, &table->rows[i], options));
    return CLUMP_OK;
}

clump_status clump_papers_take(clump_work *work, const clump_clustering *common, const char *job, clump_papers *papers)
{
    *papers = common->papers ? *common->papers : clump_papers_defaults();
    if (papers->cookie != CLUMP_PAPERS_COOKIE)
        return clump_fail(work, CLUMP_ERR_OPTIONS,
                          "%s: the options of the papers were not made by clump_papers_defaults()", work->call);
    for (size_t i = 0; i < clump_papers_table.count; i++) {
        const clump_option *const row = &clump_papers_table.rows[i];
        if (strcmp(row->job, job) != 0 && !clump_option_is_usual(row, papers))
            return clump_fail(work, CLUMP_ERR_UNSUPPORTED, "%s: %s is for clump_%s", work->call, row->name, row->job);
    }
    return CLUMP_OK;
}

clump_status clump_clustering_check_scene(clump_work *work, const clump_clustering *common)
{
    if (common->two_d) return clump_fail(work, CLUMP_ERR_ARGUMENT, "%s: two_d is for ec and dbscan", work->call);
    if (common->sensor[0] != 0 || common->sensor[1] != 0 || common->sensor[2] != 0)
        return clump_fail(work, CLUMP_ERR_ARGUMENT, "%s: the sensor belongs in ground.sensor, not in common.sensor",
                          work->call);
    return CLUMP_OK;
}
