/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lidar_cast.h: rays through a stage.
 */
#ifndef CLUMP_SIM_LIDAR_CAST_H
#define CLUMP_SIM_LIDAR_CAST_H

#include "lidar_stage.h"

#include <clump/sim.h>

/* --- lidar_model.c: the sensors: angles of their beams, when they fire, how far they see ------------ */

#define LIDAR_BEAMS_MOST 128

typedef struct lidar_model {
    size_t beams;
    double period; /* time between two firings of all beams, s */
    double reach;  /* range of the farthest measurement of a bright surface, m */
    double weak;   /* range up to which a surface that returns a tenth of the light is measured, m */
    bool by_ring;  /* points are written ring by ring, not in the order of measurement */
} lidar_model;

/* Returns the row of a model that exists. */
const lidar_model *lidar_model_of(clump_lidar_model model);

/* Returns the elevation of a beam in degrees; beam 0 is the lowest. */
double lidar_beam_degrees(clump_lidar_model model, size_t beam);

/* Returns the directions per turn. */
size_t lidar_columns(const lidar_model *model, double rate);

/* Returns the place of a beam in the order in which the beams of a direction fire. */
size_t lidar_firing_place(const lidar_model *model, size_t beam);

/* --- lidar_cast.c ----------------------------------------------------------------------------------- */

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
