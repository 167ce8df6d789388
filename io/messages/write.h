/* SPDX-License-Identifier: BSD-3-Clause
 *
 * write.h: messages of ROS that a recorder writes. Each encoder appends one message, in the encoding that
 * clump_io_encoder_begin() has chosen.
 */
#ifndef CLUMP_IO_MESSAGES_WRITE_H
#define CLUMP_IO_MESSAGES_WRITE_H

#include "messages/encode.h"

/* --- sensor_msgs/PointCloud2 (points_write.c) ------------------------------------------------------ */

/* Points of a message: a cloud, and one label per point or null. */
typedef struct clump_io_points {
    const clump_cloud *cloud;
    const int32_t *labels;
} clump_io_points;

/* Returns a bound of the bytes of the message; SIZE_MAX: too many to count. */
size_t clump_io_points_bound(const clump_io_points *points);
void clump_io_points_encode(clump_io_encoder *to, const clump_io_message_head *head, const clump_io_points *points);

/* --- boxes (boxes.c) --------------------------------------------------------------------------------- */

/* The turn of a box around the axis that is up: z (2) as in all of ROS (REP 103), or y (1). */
typedef struct clump_io_turn {
    int axis;
    double sine, cosine; /* of half the angle: component `axis` and w of the quaternion */
} clump_io_turn;

/* The box of one object in the frame of the cloud. The length of a box is its x before the turn. */
typedef struct clump_io_box {
    uint64_t id;
    double center[3], size[3], centroid[3];
    clump_io_turn turn;
    bool moves;     /* the velocity is known, finite and not 0 */
    bool has_speed; /* the velocity is known and finite */
    double velocity[3], speed;
} clump_io_box;

/* Returns box i. Its coordinates are those of the clusters plus the origin of the cloud, which may be null. */
clump_io_box clump_io_box_of(const clump_recorder_boxes *boxes, const clump_cloud *cloud, int32_t i);

/* Appends geometry_msgs/Pose: a place and a turn. */
void clump_io_encode_pose(clump_io_encoder *to, const double place[3], clump_io_turn turn);
void clump_io_encode_vector(clump_io_encoder *to, const double vector[3]);

/* --- visualization_msgs/MarkerArray, vision_msgs/Detection3DArray ------------------------------------- */

/* Bounds of the bytes of a message, per box and for the rest. */
#define CLUMP_IO_MARKERS_PER_BOX    2048
#define CLUMP_IO_DETECTIONS_PER_BOX 1024
#define CLUMP_IO_BOXES_HEAD         1024

void clump_io_markers_encode(clump_io_encoder *to, const clump_io_message_head *head, const clump_recorder_boxes *boxes,
                             const clump_cloud *cloud);
void clump_io_detections_encode(clump_io_encoder *to, const clump_io_message_head *head,
                                const clump_recorder_boxes *boxes, const clump_cloud *cloud);

/* --- tf2_msgs/TFMessage (transforms.c) ----------------------------------------------------------------- */

typedef struct clump_io_transform {
    const char *parent;
    const double *pose; /* 3 x 4: takes points of the frame to those of the parent */
} clump_io_transform;

#define CLUMP_IO_TRANSFORM_BOUND 1024 /* bytes of a message, without the name of the parent */

void clump_io_transform_encode(clump_io_encoder *to, const clump_io_message_head *head,
                               const clump_io_transform *transform);

/* The colour of an identity: red, green, blue in [0, 1]. Equal for all frames and recordings. */
void clump_io_marker_colour(uint64_t id, float rgb[3]);

#endif
