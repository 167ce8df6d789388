/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ros_writer.h: writes messages in the encodings of ROS 1 and ROS 2, for tests of readers.
 */
#ifndef CLUMP_TESTS_ROS_WRITER_H
#define CLUMP_TESTS_ROS_WRITER_H

#include "messages/messages.h"

#include <stdlib.h>
#include <string.h>

typedef enum ros_coding { ROS_1, ROS_CDR_LITTLE, ROS_CDR_BIG, ROS_CODINGS } ros_coding;

typedef struct ros_writer {
    unsigned char *bytes;
    size_t size, capacity;
    ros_coding coding;
} ros_writer;

static inline void ros_put(ros_writer *w, const void *bytes, size_t size)
{
    if (w->size + size > w->capacity) {
        w->capacity = 2 * (w->size + size) + 64;
        w->bytes = realloc(w->bytes, w->capacity);
        if (!w->bytes) abort();
    }
    if (size && bytes) memcpy(w->bytes + w->size, bytes, size);
    if (size && !bytes) memset(w->bytes + w->size, 0, size);
    w->size += size;
}

static inline void ros_open(ros_writer *w, ros_coding coding)
{
    w->size = 0;
    w->coding = coding;
    if (coding != ROS_1) ros_put(w, coding == ROS_CDR_LITTLE ? "\0\1\0\0" : "\0\0\0\0", 4);
}

static inline void ros_u8(ros_writer *w, uint8_t value)
{
    ros_put(w, &value, 1);
}

static inline void ros_u32(ros_writer *w, uint32_t value)
{
    if (w->coding != ROS_1) ros_put(w, NULL, (4 - w->size % 4) % 4); /* the head has four bytes */
    if (w->coding == ROS_CDR_BIG) value = __builtin_bswap32(value);
    ros_put(w, &value, 4);
}

static inline void ros_text(ros_writer *w, const char *text)
{
    const size_t size = strlen(text) + (w->coding != ROS_1);
    ros_u32(w, (uint32_t)size);
    ros_put(w, text, size);
}

static inline void ros_header(ros_writer *w, uint32_t seconds, uint32_t nanoseconds, const char *frame_id)
{
    if (w->coding == ROS_1) ros_u32(w, 7); /* seq */
    ros_u32(w, seconds);
    ros_u32(w, nanoseconds);
    ros_text(w, frame_id);
}

static inline clump_io_encoded ros_message(const ros_writer *w)
{
    return (clump_io_encoded){w->bytes, w->size, w->coding != ROS_1};
}

/* --- sensor_msgs/PointCloud2 ------------------------------------------------------------------------ */

enum { ROS_I8 = 1, ROS_U8, ROS_I16, ROS_U16, ROS_I32, ROS_U32, ROS_F32, ROS_F64 };

typedef struct ros_field {
    const char *name;
    uint32_t offset;
    uint8_t type;
    uint32_t count;
} ros_field;

typedef struct ros_points {
    uint32_t height, width, step, row_step;
    const ros_field *fields;
    uint32_t field_count;
    bool big_endian;
    const unsigned char *data;
    uint32_t size; /* announced */
    size_t bytes;  /* written */
} ros_points;

static inline void ros_write_points(ros_writer *w, ros_coding coding, const ros_points *points)
{
    ros_open(w, coding);
    ros_header(w, 1600000000, 5, "lidar");
    ros_u32(w, points->height);
    ros_u32(w, points->width);
    ros_u32(w, points->field_count);
    for (uint32_t i = 0; i < points->field_count; i++) {
        ros_text(w, points->fields[i].name);
        ros_u32(w, points->fields[i].offset);
        ros_u8(w, points->fields[i].type);
        ros_u32(w, points->fields[i].count);
    }
    ros_u8(w, points->big_endian);
    ros_u32(w, points->step);
    ros_u32(w, points->row_step);
    ros_u32(w, points->size);
    ros_put(w, points->data, points->bytes);
    if (points->bytes == points->size) ros_u8(w, 1);
}

#endif
