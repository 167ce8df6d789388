/* SPDX-License-Identifier: BSD-3-Clause
 *
 * messages.c: which messages hold clouds or packets.
 */
#include "messages/messages.h"

#include <string.h>

static const struct {
    const char *package, *name;
    clump_io_message_kind kind;
} messages_known[] = {
    {"sensor_msgs", "PointCloud2", CLUMP_IO_MESSAGE_POINTS},
    {"velodyne_msgs", "VelodyneScan", CLUMP_IO_MESSAGE_VELODYNE},
    {"pandar_msgs", "PandarScan", CLUMP_IO_MESSAGE_HESAI},
    {"hesai_msgs", "PandarScan", CLUMP_IO_MESSAGE_HESAI},
    {"nebula_msgs", "NebulaPackets", CLUMP_IO_MESSAGE_PACKETS},
    {"ouster_ros", "PacketMsg", CLUMP_IO_MESSAGE_OUSTER},
    {"ouster_msgs", "PacketMsg", CLUMP_IO_MESSAGE_OUSTER},
    {"ouster_sensor_msgs", "PacketMsg", CLUMP_IO_MESSAGE_OUSTER},
    {"std_msgs", "String", CLUMP_IO_MESSAGE_STRING},
    {"tf2_msgs", "TFMessage", CLUMP_IO_MESSAGE_TRANSFORMS},
    {"tf", "tfMessage", CLUMP_IO_MESSAGE_TRANSFORMS},
};

clump_io_message_kind clump_io_message_kind_of(const char *type)
{
    for (size_t i = 0; i < sizeof messages_known / sizeof *messages_known; i++) {
        const size_t length = strlen(messages_known[i].package);
        if (strncmp(type, messages_known[i].package, length) != 0 || type[length] != '/') continue;
        const char *name = type + length + 1;
        if (strncmp(name, "msg/", 4) == 0) name += 4;
        if (strcmp(name, messages_known[i].name) == 0) return messages_known[i].kind;
    }
    return CLUMP_IO_MESSAGE_OTHER;
}
