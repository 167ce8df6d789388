/* SPDX-License-Identifier: BSD-3-Clause
 *
 * boxes.c: the box of an object as ROS has it: centre, size and quaternion.
 */
#include "messages/write.h"

#include <math.h>

#define BOXES_PI 3.14159265358979323846

clump_io_box clump_io_box_of(const clump_recorder_boxes *boxes, const clump_cloud *cloud, int32_t i)
{
    static const double zero[3];
    const clump_cluster *const cluster = &boxes->clusters[i];
    const double *const origin = cloud ? cloud->origin : zero;
    const double half = (double)cluster->yaw * (BOXES_PI / 360);
    clump_io_box box = {.id = boxes->ids ? boxes->ids[i] : (uint64_t)(uint32_t)cluster->label,
                        .yaw_sine = sin(half),
                        .yaw_cosine = cos(half)};
    for (int a = 0; a < 2; a++) {
        box.center[a] = origin[a] + (double)cluster->box_center[a];
        box.size[a] = (double)cluster->box_size[a];
    }
    box.center[2] = origin[2] + ((double)cluster->lower[2] + (double)cluster->upper[2]) / 2;
    box.size[2] = (double)cluster->upper[2] - (double)cluster->lower[2];
    for (int a = 0; a < 3; a++) {
        box.centroid[a] = origin[a] + (double)cluster->centroid[a];
        if (boxes->velocities) box.velocity[a] = (double)boxes->velocities[i][a];
    }
    const double *const v = box.velocity;
    box.speed = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    box.has_speed = boxes->velocities && isfinite(box.speed);
    box.moves = box.has_speed && box.speed > 0;
    return box;
}

void clump_io_encode_vector(clump_io_encoder *to, const double vector[3])
{
    for (int a = 0; a < 3; a++) clump_io_encode_f64(to, vector[a]);
}

void clump_io_encode_pose(clump_io_encoder *to, const double place[3], double yaw_sine, double yaw_cosine)
{
    clump_io_encode_vector(to, place);
    clump_io_encode_f64(to, 0);
    clump_io_encode_f64(to, 0);
    clump_io_encode_f64(to, yaw_sine);
    clump_io_encode_f64(to, yaw_cosine);
}
