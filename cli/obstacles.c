/* SPDX-License-Identifier: BSD-3-Clause
 *
 * obstacles.c: see obstacles.h. Heights come from the maps of clump_erccl: of each cell that an obstacle has, its highest
 * point and the ground below.
 */
#include "obstacles.h"

#include <math.h>
#include <stdlib.h>

static const float *point_at(clump_points points, size_t i)
{
    return points.xyz + i * (points.stride ? points.stride / sizeof(float) : 3);
}

static void swap(float *a, float *b)
{
    const float t = *a;
    *a = *b;
    *b = t;
}

/* clump_describe looks at points from above, along z: y and z change places on the way there and back. */
static clump_status describe_y_up(clump_context *context, clump_points points, const int32_t *labels, int32_t count,
                                  clump_cluster *clusters)
{
    float *const turned = malloc(3 * (points.count ? points.count : 1) * sizeof *turned);
    if (!turned) return CLUMP_ERR_OUT_OF_MEMORY;
    for (size_t i = 0; i < points.count; i++) {
        const float *const p = point_at(points, i);
        turned[3 * i] = p[0], turned[3 * i + 1] = p[2], turned[3 * i + 2] = p[1];
    }
    const clump_status status =
        clump_describe(context, (clump_points){.xyz = turned, .count = points.count}, labels, count, clusters);
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
        const float *const p = point_at(points, i);
        const double x = (double)p[0] - (double)o->ground.sensor[0];
        const double y = (double)p[across] - (double)o->ground.sensor[across];
        const float distance = (float)sqrt(x * x + y * y);
        if (distance < obstacles[labels[i]].distance) obstacles[labels[i]].distance = distance;
    }
}

static void find_heights(const clump_erccl_maps *maps, size_t cells, cli_obstacle *obstacles)
{
    for (size_t c = 0; c < cells; c++) {
        if (maps->labels[c] < 0) continue;
        cli_obstacle *const o = &obstacles[maps->labels[c]];
        const float height = maps->highest[c] - maps->ground[c];
        if (isnan(o->height) || height > o->height) o->height = height;
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
    if (options->ground.method == CLUMP_GROUND_NONE || points.count == 0) return CLUMP_OK;

    const size_t side = clump_erccl_side(options), cells = side * side;
    clump_erccl_options with_maps = *options;
    clump_erccl_maps *const maps = &with_maps.maps;
    *maps = (clump_erccl_maps){.highest = malloc(cells * sizeof(float)),
                               .ground = malloc(cells * sizeof(float)),
                               .labels = malloc(cells * sizeof(int32_t))};
    int32_t *const again = malloc(points.count * sizeof *again);
    clump_status status = CLUMP_ERR_OUT_OF_MEMORY;
    if (maps->highest && maps->ground && maps->labels && again)
        status = clump_erccl(context, points, &with_maps, again, NULL);
    if (status == CLUMP_OK) find_heights(maps, cells, obstacles);
    free(maps->highest), free(maps->ground), free(maps->labels), free(again);
    return status;
}
