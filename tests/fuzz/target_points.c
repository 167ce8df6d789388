/* SPDX-License-Identifier: BSD-3-Clause
 *
 * target_points.c: the fuzz target for sensor_msgs/PointCloud2. The first byte is odd for CDR, the rest is the message.
 */
#include "target.h"

#include "messages/messages.h"

FUZZ_TARGET(points)
{
    if (size == 0) return 0;
    const clump_io_encoded message = {data + 1, size - 1, data[0] & 1};
    clump_frame frame = {0};
    for (int round = 0; round < 2; round++) { /* the second uses the memory of the first */
        clump_message why = {.text = ""};
        const clump_io_where where = {NULL, &why};
        const clump_status status = clump_io_points_decode(&where, &message, &frame);
        if ((status != CLUMP_OK) != (why.text[0] != 0)) abort();
        if (status != CLUMP_OK) continue;
        volatile double sum = 0; /* touches every value */
        clump_field field;
        const size_t count = clump_cloud_points(frame.cloud).count;
        if (count > size) abort();
        for (size_t i = 0; i < count; i++)
            for (int a = 0; a < 3; a++) sum = sum + clump_cloud_coordinate(frame.cloud, i, a);
        for (size_t k = 0; clump_cloud_field(frame.cloud, k, &field); k++)
            for (size_t i = 0; i < count; i++) sum = sum + clump_field_value(&field, i, field.count - 1);
    }
    clump_cloud_destroy(frame.cloud);
    return 0;
}
