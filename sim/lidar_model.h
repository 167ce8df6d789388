/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lidar_model.h: the sensors: angles of their beams, when they fire, how far they see.
 */
#ifndef CLUMP_SIM_LIDAR_MODEL_H
#define CLUMP_SIM_LIDAR_MODEL_H

#include <clump/sim.h>

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

#endif
