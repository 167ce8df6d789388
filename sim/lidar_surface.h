/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lidar_surface.h: what surfaces do to rays: uneven ground, leaves, windows, weak echoes.
 */
#ifndef CLUMP_SIM_LIDAR_SURFACE_H
#define CLUMP_SIM_LIDAR_SURFACE_H

#include "lidar_solid.h"

/* Where a ray ends. */
typedef struct lidar_hit {
    double t;      /* horizontal distance */
    double facing; /* cosine between ray and surface normal, for a ray of horizontal length 1 */
    double shine;
    uint16_t semantic, instance;
    double lost; /* share of such rays that have no echo: glass */
} lidar_hit;

/* Returns the height of uneven ground at a place of the world, between -1 and 1, smooth over `scale` m. */
double lidar_bump(double x, double y, double scale);

/* Returns the horizontal distance of the first leaf on the stretch of a beam inside a plant, or -1. Leaves stay where
 * they are: every ray that passes a place finds the same. */
double lidar_leaf(const lidar_solid *plant, const lidar_gaze *gaze, const lidar_beam *beam, double enter, double leave);

/* Returns whether there is a window at this place of a facade. */
bool lidar_window(const lidar_span *span, double t, double high);

/* Returns the share of the light of a ray that comes back, compared with what the sensor needs: below 1 echoes are
 * lost. `weak` is the range at which a surface that returns a tenth is just seen. */
double lidar_echo(double shine, double facing, double range, double weak);

#endif
