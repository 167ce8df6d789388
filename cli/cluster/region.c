/* SPDX-License-Identifier: BSD-3-Clause
 *
 * region.c: see cluster.h. Bounds are rounded to float32 like the points before they are compared,
 * so that a point at the x = 0.1 of its file is inside --crop 0,0.1,...
 */
#include "cluster/cluster.h"

#include <math.h>

bool cli_region_is_all(const cli_region *region)
{
    for (size_t i = 0; i < 6; i++) {
        if (region->crop[i] != (i % 2 ? INFINITY : -INFINITY)) return false;
    }
    return region->min_range <= 0 && isinf(region->max_range);
}

static bool in_crop(const float *p, const float *crop)
{
    for (size_t axis = 0; axis < 3; axis++) {
        if (isfinite(p[axis]) && (p[axis] < crop[2 * axis] || p[axis] > crop[2 * axis + 1])) return false;
    }
    return true;
}

static bool in_range(const float *p, const double *sensor, bool two_d, float nearest, float farthest)
{
    double sum = 0;
    for (size_t axis = 0; axis < (two_d ? 2 : 3); axis++) {
        const double delta = (double)p[axis] - sensor[axis];
        sum += delta * delta;
    }
    const float range = (float)sqrt(sum);
    return !isfinite(sum) || (range >= nearest && range <= farthest);
}

void cli_region_mask(const cli_region *region, const clump_cloud *cloud, bool two_d, uint8_t *mask)
{
    const clump_points points = clump_cloud_points(cloud);
    const double *origin = clump_cloud_origin(cloud);
    float crop[6];
    double sensor[3];
    for (size_t i = 0; i < 6; i++) crop[i] = (float)(region->crop[i] - origin[i / 2]);
    for (size_t axis = 0; axis < 3; axis++) sensor[axis] = region->sensor[axis] - origin[axis];

    for (size_t i = 0; i < points.count; i++) {
        const float *p = cli_point(points, i);
        mask[i] = in_crop(p, crop) && in_range(p, sensor, two_d, (float)region->min_range, (float)region->max_range);
    }
}

clump_region cli_region_for_detect(const cli_region *region, const double *origin)
{
    clump_region out = {.min_range = (float)region->min_range, .max_range = (float)region->max_range};
    for (size_t axis = 0; axis < 3; axis++) {
        out.lower[axis] = (float)(region->crop[2 * axis] - origin[axis]);
        out.upper[axis] = (float)(region->crop[2 * axis + 1] - origin[axis]);
    }
    return out;
}
