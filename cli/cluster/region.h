/* SPDX-License-Identifier: BSD-3-Clause
 *
 * region.h: --crop, --min-range, --max-range and --sensor: which points take part.
 */
#ifndef CLUMP_CLI_REGION_H
#define CLUMP_CLI_REGION_H

#include "base/cli.h"

typedef struct cli_region {
    double crop[6]; /* x0 x1 y0 y1 z0 z1 in file coordinates, bounds included */
    double min_range, max_range;
    double sensor[3]; /* file coordinates */
} cli_region;

#define CLI_REGION_ALL                                                                                                 \
    {                                                                                                                  \
        .crop = {-INFINITY, INFINITY, -INFINITY, INFINITY, -INFINITY, INFINITY}, .max_range = INFINITY                 \
    }

/* Whether the region keeps every point. */
bool cli_region_is_all(const cli_region *region);

/* Sets mask[i] to 1 for points to keep, else to 0. Coordinates that are not finite are not tested; such points are
 * noise anyway. With two_d the range is horizontal. */
void cli_region_mask(const cli_region *region, const clump_cloud *cloud, bool two_d, uint8_t *mask);

/* Returns the region for clump_detect, which makes the same mask on its device. */
clump_region cli_region_for_detect(const cli_region *region, const double *origin);

#endif
