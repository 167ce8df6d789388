/* SPDX-License-Identifier: BSD-3-Clause
 *
 * definitions.h: the types of the messages that a recorder writes, as text for the recording: readers decode by it.
 */
#ifndef CLUMP_IO_MESSAGES_DEFINITIONS_H
#define CLUMP_IO_MESSAGES_DEFINITIONS_H

#include "messages/encode.h"

/* A type in one version of ROS. */
typedef struct clump_io_definition {
    const char *type;            /* "sensor_msgs/PointCloud2" */
    const char *md5;             /* of ROS 1; null for ROS 2 */
    const char *const *(*parts); /* {name, fields} of the type and of all types in it; null-terminated */
} clump_io_definition;

typedef enum clump_io_written {
    CLUMP_IO_WRITTEN_POINTS = 0,
    CLUMP_IO_WRITTEN_MARKERS,
    CLUMP_IO_WRITTEN_DETECTIONS
} clump_io_written;

const clump_io_definition *clump_io_definition_of(clump_io_written message, bool ros2);

/* Appends the text: the fields of the type, then "MSG: name" and the fields of each type in it. */
void clump_io_definition_encode(clump_io_encoder *to, const clump_io_definition *definition);

#endif
