/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lidar_surface.h: what surfaces do to rays: uneven ground, markings, leaves, windows, weak echoes.
 */
#ifndef CLUMP_SIM_LIDAR_SURFACE_H
#define CLUMP_SIM_LIDAR_SURFACE_H

#include "lidar_solid.h"

/* Kinds of ground. The unevenness is added after the ray has found its end. */
typedef enum lidar_ground {
    LIDAR_NO_GROUND,
    LIDAR_CARRIAGEWAY, /* has markings */
    LIDAR_EVEN,
    LIDAR_UNEVEN
} lidar_ground;

/* Where a ray ends. */
typedef struct lidar_hit {
    double t;      /* horizontal distance */
    double facing; /* cosine between ray and surface normal, for a ray of horizontal length 1 */
    double shine;
    double lost;  /* share of such rays that have no echo: glass */
    double level; /* height of the ground */
    lidar_ground ground;
    uint16_t semantic, instance;
} lidar_hit;

/* Moves a hit on the ground to its uneven surface, and gives a hit on the carriageway its class. `lanes_end` is half
 * the width of the carriageway if it has markings, else 0. */
void lidar_finish_ground(lidar_hit *hit, const lidar_gaze *gaze, const lidar_beam *beam, double lanes_end);

/* Returns the horizontal distance of the first leaf on the stretch of a beam inside a plant, or -1. Leaves stay where
 * they are: every ray that passes a place finds the same. */
double lidar_leaf(const lidar_solid *plant, const lidar_gaze *gaze, const lidar_beam *beam, double enter, double leave);

/* Returns whether there is a window at this place of a facade. */
bool lidar_window(const lidar_profile *profile, double t, double high);

/* Returns the share of the light of a ray that comes back, compared with what the sensor needs: below 1 echoes are
 * lost. `weak` is the range at which a surface that returns a tenth is just seen. */
double lidar_echo(double shine, double facing, double range, double weak);

#endif
