/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lidar_cast.h: rays through a stage.
 */
#ifndef CLUMP_SIM_LIDAR_CAST_H
#define CLUMP_SIM_LIDAR_CAST_H

#include "lidar_model.h"
#include "lidar_stage.h"

/* A world: the parameters and what follows from them. */
struct clump_lidar_world {
    clump_lidar lidar;
    const lidar_model *model;
    double reach;
    size_t columns;                  /* directions per turn */
    double cosine[LIDAR_BEAMS_MOST]; /* of the elevation of a beam */
    double rise[LIDAR_BEAMS_MOST];   /* its tangent */
    double gain[LIDAR_BEAMS_MOST];   /* lasers are not equally bright */
};

/* Where the sensor is at a time since frame 0, and the direction in which it looks ahead; world. */
typedef struct lidar_place {
    double x, y, ux, uy;
} lidar_place;

lidar_place lidar_place_at(const clump_lidar *lidar, double time);

/* Casts all rays of a frame. Ray `beam` of direction `column` is written to its slot of `out`; the x of a slot without
 * an echo is NaN. Returns false if memory is short. */
bool lidar_cast(const struct clump_lidar_world *world, const lidar_stage *stage, size_t frame,
                const clump_lidar_scan *out);

#endif
