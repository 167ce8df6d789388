/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lidar_scene.h: which things stand where.
 */
#ifndef CLUMP_SIM_LIDAR_SCENE_H
#define CLUMP_SIM_LIDAR_SCENE_H

#include "lidar_stage.h"

#include <clump/sim.h>

/* Fills a stage, whose sensor, reach and time are set, with the things of the scene. A failure is in stage->failed. */
void lidar_set_stage(const clump_lidar *lidar, lidar_stage *stage);

/* Returns half the width of the carriageway if it has markings, else 0. */
double lidar_lanes_end(clump_lidar_scene scene);

#endif
