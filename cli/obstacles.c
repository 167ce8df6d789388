/* SPDX-License-Identifier: BSD-3-Clause
 *
 * obstacles.c: see obstacles.h. Heights are above the map of the ground that clump_erccl() returns.
 */
#include "obstacles.h"

#include <math.h>
#include <stdlib.h>

static void swap(float *a, float *b)
{
    const float t = *a;
    *a = *b;
    *b = t;
}

/* Describes clusters where y is up. clump_describe() assumes z up, so y and z are swapped before and after. */
static clump_status describe_y_up(clump_context *context, clump_points points, const int32_t *labels, int32_t count,
                                  clump_cluster *clusters)
{
    float *const turned = cli_allocate(points.count, 3 * sizeof *turned);
    if (!turned) return CLUMP_ERR_OUT_OF_MEMORY;
    for (size_t i = 0; i < points.count; i++) {
        const float *const p = cli_point(points, i);
        turned[3 * i] = p[0], turned[3 * i + 1] = p[2], turned[3 * i + 2] = p[1];
    }
    const clump_status status =
        clump_describe(context, (clump_points){.xyz = turned, .count = points.count}, labels, count, NULL, clusters);
    free(turned);
    for (int32_t c = 0; status == CLUMP_OK && c < count; c++) {
        swap(&clusters[c].centroid[1], &clusters[c].centroid[2]);
        swap(&clusters[c].lower[1], &clusters[c].lower[2]);
        swap(&clusters[c].upper[1], &clusters[c].upper[2]);
    }
    return status;
}

static void find_distances(clump_points points, const clump_erccl_options *o, const int32_t *labels,
                           cli_obstacle *obstacles)
{
    const size_t across = o->ground.up == CLUMP_UP_Y ? 2 : 1;
    for (size_t i = 0; i < points.count; i++) {
        if (labels[i] < 0) continue;
        const float *const p = cli_point(points, i);
        const double x = (double)p[0] - (double)o->ground.sensor[0];
        const double y = (double)p[across] - (double)o->ground.sensor[across];
        const float distance = (float)sqrt(x * x + y * y);
        if (distance < obstacles[labels[i]].distance) obstacles[labels[i]].distance = distance;
    }
}

/* Cells per side of the map of the ground, at most. The ground is smooth, so finer cells are not needed. */
enum { OBSTACLES_MOST_SIDE = 1000 };

static void find_heights(clump_points points, const clump_erccl_options *o, const float *ground, const int32_t *labels,
                         cli_obstacle *obstacles)
{
    const size_t up = o->ground.up == CLUMP_UP_Y ? 1 : 2, across = 3 - up, side = clump_erccl_side(o);
    const double half = 0.5 * (double)side * (double)o->cell;
    const float x0 = (float)((double)o->ground.sensor[0] - half), y0 = (float)((double)o->ground.sensor[across] - half);
    for (size_t i = 0; i < points.count; i++) {
        if (labels[i] < 0) continue;
        const float *const p = cli_point(points, i);
        const float row = (p[0] - x0) / o->cell, column = (p[across] - y0) / o->cell;
        if (!(row >= 0 && row < (float)side && column >= 0 && column < (float)side)) continue;
        cli_obstacle *const obstacle = &obstacles[labels[i]];
        const float height = (o->ground.flip ? -p[up] : p[up]) - ground[(size_t)row * side + (size_t)column];
        if (isnan(obstacle->height) || height > obstacle->height) obstacle->height = height;
    }
}

clump_status cli_obstacles(clump_context *context, clump_points points, const clump_erccl_options *options,
                           const int32_t *labels, int32_t count, clump_cluster *clusters, cli_obstacle *obstacles)
{
    for (int32_t c = 0; c < count; c++) obstacles[c] = (cli_obstacle){.height = NAN, .distance = INFINITY};
    if (options->ground.up == CLUMP_UP_Y) {
        const clump_status status = describe_y_up(context, points, labels, count, clusters);
        if (status != CLUMP_OK) return status;
    }
    find_distances(points, options, labels, obstacles);
    if (options->ground.method == CLUMP_GROUND_NONE || count == 0) return CLUMP_OK;

    clump_erccl_options o = *options;
    o.method = CLUMP_ERCCL_FAST;
    if (clump_erccl_side(&o) > OBSTACLES_MOST_SIDE) o.cell = o.extent / OBSTACLES_MOST_SIDE;
    const size_t side = clump_erccl_side(&o);
    o.maps.ground = malloc(side * side * sizeof(float));
    int32_t *const again = malloc(points.count * sizeof *again);
    clump_status status = CLUMP_ERR_OUT_OF_MEMORY;
    if (o.maps.ground && again) status = clump_erccl(context, points, &o, again, NULL);
    if (status == CLUMP_OK) find_heights(points, &o, o.maps.ground, labels, obstacles);
    free(o.maps.ground);
    free(again);
    return status;
}
