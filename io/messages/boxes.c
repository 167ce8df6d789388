/* SPDX-License-Identifier: BSD-3-Clause
 *
 * boxes.c: the box of an object as ROS has it: centre, size and quaternion.
 */
#include "messages/write.h"

#include "common/assert.h"

#include <math.h>

#define BOXES_PI 3.14159265358979323846

/* Seen from above, yaw turns x towards y, or with y up towards z. A turn around y turns x away from z, hence the sign. */
static clump_io_turn turn_of(const clump_cluster *cluster, clump_up up)
{
    const double half = (double)cluster->yaw * (BOXES_PI / 360);
    return (clump_io_turn){up == CLUMP_UP_Y ? 1 : 2, up == CLUMP_UP_Y ? -sin(half) : sin(half), cos(half)};
}

clump_io_box clump_io_box_of(const clump_recorder_boxes *boxes, const clump_cloud *cloud, int32_t i)
{
    CLUMP_ASSERT(i >= 0);
    static const double zero[3];
    const clump_cluster *const cluster = &boxes->clusters[i];
    const double *const origin = cloud ? cloud->origin : zero;
    clump_io_box box = {.id = boxes->ids ? boxes->ids[i] : (uint64_t)(uint32_t)cluster->label,
                        .turn = turn_of(cluster, boxes->up)};
    const int up = box.turn.axis, flat[2] = {0, up == 1 ? 2 : 1};
    for (int a = 0; a < 2; a++) {
        box.center[flat[a]] = origin[flat[a]] + (double)cluster->box_center[a];
        box.size[flat[a]] = (double)cluster->box_size[a];
    }
    box.center[up] = origin[up] + ((double)cluster->lower[up] + (double)cluster->upper[up]) / 2;
    box.size[up] = (double)cluster->upper[up] - (double)cluster->lower[up];
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

void clump_io_encode_pose(clump_io_encoder *to, const double place[3], clump_io_turn turn)
{
    clump_io_encode_vector(to, place);
    for (int a = 0; a < 3; a++) clump_io_encode_f64(to, a == turn.axis ? turn.sine : 0);
    clump_io_encode_f64(to, turn.cosine);
}
