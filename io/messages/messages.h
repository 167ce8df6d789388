/* SPDX-License-Identifier: BSD-3-Clause
 *
 * messages.h: messages of ROS that hold clouds or packets of a sensor, in the encodings of ROS 1 and ROS 2 (CDR).
 *
 *     cursor.h          reads the members of a message
 *     messages.c        which messages hold clouds or packets
 *     points.c          PointCloud2 to a cloud
 *     packets.c         packets of a sensor
 *     encode.c          writes numbers and strings
 *     points_write.c    a cloud as PointCloud2
 *     transforms.c      where a sensor is, read and written
 *     boxes.c           boxes of objects; detections.c, markers.c: as the two types of messages that have them
 *     definitions.c     the types of these messages as text
 */
#ifndef CLUMP_IO_MESSAGES_MESSAGES_H
#define CLUMP_IO_MESSAGES_MESSAGES_H

#include "format.h"
#include "sensors/sensor.h"

typedef enum clump_io_message_kind {
    CLUMP_IO_MESSAGE_OTHER = 0,
    CLUMP_IO_MESSAGE_POINTS,    /* sensor_msgs/PointCloud2 */
    CLUMP_IO_MESSAGE_VELODYNE,  /* velodyne_msgs/VelodyneScan */
    CLUMP_IO_MESSAGE_HESAI,     /* pandar_msgs/PandarScan */
    CLUMP_IO_MESSAGE_PACKETS,   /* nebula_msgs/NebulaPackets */
    CLUMP_IO_MESSAGE_OUSTER,    /* ouster_ros/PacketMsg, ouster_sensor_msgs/PacketMsg: one packet */
    CLUMP_IO_MESSAGE_STRING,    /* std_msgs/String: the metadata of an Ouster sensor */
    CLUMP_IO_MESSAGE_TRANSFORMS /* tf2_msgs/TFMessage: where a sensor is */
} clump_io_message_kind;

/* By the type of the topic: "sensor_msgs/PointCloud2", "sensor_msgs/msg/PointCloud2". */
clump_io_message_kind clump_io_message_kind_of(const char *type);

/* Bytes of a message and their encoding. */
typedef struct clump_io_encoded {
    const unsigned char *bytes;
    size_t size;
    bool cdr; /* else ROS 1 */
} clump_io_encoded;

/* Decodes sensor_msgs/PointCloud2 into the frame: cloud, stamp, frame_id. Allocates nothing once warm. Fails with a sentence
 * without a file name where the message is damaged. */
clump_status clump_io_points_decode(const clump_io_where *where, const clump_io_encoded *message, clump_frame *frame);

/* Packets of a VelodyneScan, PandarScan, NebulaPackets or PacketMsg message, one by one. */
typedef struct clump_io_packet_list {
    clump_io_encoded message;
    clump_io_message_kind kind;
    size_t at;     /* next packet in the message */
    uint32_t left; /* packets to come */
    int64_t received;
    char frame_id[64];
} clump_io_packet_list;

/* False: the message is damaged. */
bool clump_io_packets_begin(clump_io_packet_list *list, clump_io_message_kind kind, const clump_io_encoded *message,
                            int64_t received);
/* *damaged: the message ends before the packets it announces. packet.received is the packet's own stamp where it has one. */
bool clump_io_packets_next(clump_io_packet_list *list, clump_io_packet *packet, bool *damaged);

/* A transform of a TFMessage: takes points of the child to those of the parent. */
typedef struct clump_io_stamped {
    int64_t stamp;
    char parent[64], child[64];
    double place[3], quaternion[4]; /* x y z w */
} clump_io_stamped;

/* Transforms of a TFMessage message, one by one. */
typedef struct clump_io_transform_list {
    clump_io_encoded message;
    size_t at;
    uint32_t left;
} clump_io_transform_list;

/* False: the message is damaged. */
bool clump_io_transforms_begin(clump_io_transform_list *list, const clump_io_encoded *message);
/* *damaged: the message ends before the transforms it announces. */
bool clump_io_transforms_next(clump_io_transform_list *list, clump_io_stamped *out, bool *damaged);

/* The text of a std_msgs/String. False: damaged. */
bool clump_io_string_decode(const clump_io_encoded *message, const char **text, size_t *size);

#endif
