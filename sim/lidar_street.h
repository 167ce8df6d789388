/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lidar_street.h: one side of a street, furnished from the road outwards. A plot is its frame: X along the road, Y
 * outwards.
 *
 *     Y  depth   ============================= end of the world, or a forest
 *        front   [ house ]  garden  [ house  ]
 *        garden  --- hedge ---   --- fence ---
 *        walk    people   tree   lamp   people      pavement, as high as the kerb
 *        park    [car]  [car]         [car]
 *        lanes   ----------------------------  X    the sensor drives here
 */
#ifndef CLUMP_SIM_LIDAR_STREET_H
#define CLUMP_SIM_LIDAR_STREET_H

#include "lidar_stage.h"

#define LIDAR_SECTION 48.0 /* length of a section of the world along the road, m */

/* A kind of scene. Widths in m, from the middle of the road outwards. Shares are chances per slot. */
typedef struct lidar_layout {
    double lanes, park, walk, garden, depth;
    double houses, parked, trees, lamps, signs, hedges;
    double people;                         /* per section and side, on the pavement */
    double crowd, bushes, woods, standing; /* per section and side: people, bushes, trees, cars anywhere */
    double pairs;                          /* per section and side: two people who walk together */
    double yard;                           /* chance per slot of a large vehicle, or of cars close together */
    double forest;                         /* chance of the edge of a forest at the end of the plot */
    double traffic, pace;                  /* share of moving cars; their speed, m/s */
    int lane_pairs, junction_sides;
    bool rail;
} lidar_layout;

/* One side of a street between two places along it. */
typedef struct lidar_plot {
    lidar_stage *stage;
    const lidar_layout *layout;
    lidar_dice dice;
    double x, y, ux, uy; /* origin and direction of X, world; Y is 90 degrees to the left */
    double from, to;     /* along X */
    double first, last;  /* along X: where houses may stand */
    double kerb;
    uint16_t *instances; /* the last instance number of the section */
} lidar_plot;

/* Adds everything that stands on a plot. */
void lidar_furnish(lidar_plot *plot);

#endif
