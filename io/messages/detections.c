/* SPDX-License-Identifier: BSD-3-Clause
 *
 * detections.c: boxes as vision_msgs/Detection3DArray.
 *
 * The versions differ. ROS 1 (Noetic, vision_msgs 0.0) has a number per hypothesis and the points of the detection. ROS
 * 2 (Humble and later, vision_msgs 4) has a class name per hypothesis and the identity of the detection as text.
 *
 *              ROS 1                    ROS 2
 *     class    -                        "object", score 1: clump does not classify
 *     identity results[0].id            id
 *     pose     centroid and yaw; the covariance is 0: not known
 *     points   source_cloud, empty      -
 */
#include "messages/write.h"

#include <stdio.h>

enum { DETECTIONS_COVARIANCE = 36 };

static void encode_result(clump_io_encoder *to, const clump_io_box *box)
{
    clump_io_encode_u32(to, 1); /* one hypothesis */
    if (to->cdr)
        clump_io_encode_string(to, "object");
    else
        clump_io_encode_i64(to, (int64_t)box->id);
    clump_io_encode_f64(to, 1); /* score */
    clump_io_encode_pose(to, box->centroid, box->turn);
    for (int i = 0; i < DETECTIONS_COVARIANCE; i++) clump_io_encode_f64(to, 0);
}

/* An empty sensor_msgs/PointCloud2. */
static void encode_no_points(clump_io_encoder *to, const clump_io_message_head *head)
{
    clump_io_encode_head(to, head);
    for (int i = 0; i < 3; i++) clump_io_encode_u32(to, 0); /* height, width, fields */
    clump_io_encode_u8(to, 0);                              /* is_bigendian */
    for (int i = 0; i < 3; i++) clump_io_encode_u32(to, 0); /* point_step, row_step, data */
    clump_io_encode_u8(to, 1);                              /* is_dense */
}

void clump_io_detections_encode(clump_io_encoder *to, const clump_io_message_head *head,
                                const clump_recorder_boxes *boxes, const clump_cloud *cloud)
{
    clump_io_encode_head(to, head);
    clump_io_encode_u32(to, (uint32_t)boxes->count);
    for (int32_t i = 0; i < boxes->count; i++) {
        const clump_io_box box = clump_io_box_of(boxes, cloud, i);
        clump_io_encode_head(to, head);
        encode_result(to, &box);
        clump_io_encode_pose(to, box.center, box.turn);
        clump_io_encode_vector(to, box.size);
        if (to->cdr) {
            char id[24];
            snprintf(id, sizeof id, "%llu", (unsigned long long)box.id);
            clump_io_encode_string(to, id);
        } else {
            encode_no_points(to, head);
        }
    }
}
