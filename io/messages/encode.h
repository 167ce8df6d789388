/* SPDX-License-Identifier: BSD-3-Clause
 *
 * encode.h: appends little-endian numbers and strings to memory that grows. Writers of messages and of records use it.
 *
 *     plain  (ROS 1, records of bags and MCAP)  side by side; a string is its size in 4 bytes and its bytes
 *     CDR    (ROS 2)  a number is aligned to its size, counted from behind the 4 bytes of the encapsulation header; a
 *                     string ends with a 0 that its size counts
 *
 * The first failed allocation is kept, and later calls do nothing. Writers do not check; the owner checks once.
 */
#ifndef CLUMP_IO_MESSAGES_ENCODE_H
#define CLUMP_IO_MESSAGES_ENCODE_H

#include "common/assert.h"
#include "format.h"

#include <string.h>

/* A zeroed encoder is empty and plain. */
typedef struct clump_io_encoder {
    unsigned char *data;
    size_t size, capacity;
    size_t origin; /* alignment is counted from here; CDR only */
    bool cdr;
    size_t failed; /* bytes of the first allocation that failed; 0: none did */
} clump_io_encoder;

/* Makes room for `more` bytes behind the end. False: an allocation has failed. */
bool clump_io_encoder_reserve(clump_io_encoder *to, size_t more);
void clump_io_encoder_release(clump_io_encoder *to);

/* Begins a message: with CDR, the encapsulation header. */
void clump_io_encoder_begin(clump_io_encoder *to, bool cdr);
/* Ends the message: what follows is plain again. */
void clump_io_encoder_end(clump_io_encoder *to);

/* Appends `size` bytes without a value and returns their place; null: an allocation has failed. */
static inline unsigned char *clump_io_encode_room(clump_io_encoder *to, size_t size)
{
    if (to->failed || (size > to->capacity - to->size && !clump_io_encoder_reserve(to, size))) return NULL;
    unsigned char *const place = to->data + to->size;
    to->size += size;
    return place;
}

static inline void clump_io_encode_bytes(clump_io_encoder *to, const void *bytes, size_t size)
{
    unsigned char *const place = clump_io_encode_room(to, size);
    if (place && size) memcpy(place, bytes, size);
}

/* Appends zeros up to a multiple of `size`, a power of two; CDR only. */
static inline void clump_io_encode_align(clump_io_encoder *to, size_t size)
{
    CLUMP_ASSERT(size >= 1 && (size & (size - 1)) == 0);
    const size_t padding = to->cdr ? (0 - (to->size - to->origin)) & (size - 1) : 0;
    unsigned char *const place = padding ? clump_io_encode_room(to, padding) : NULL;
    if (place) memset(place, 0, padding);
}

/* clump_io_encode_NAME(to, value): appends one number. */
#define CLUMP_IO_ENCODE(name, kind)                                                                                    \
    static inline void clump_io_encode_##name(clump_io_encoder *to, kind value)                                        \
    {                                                                                                                  \
        clump_io_encode_align(to, sizeof value);                                                                       \
        clump_io_encode_bytes(to, &value, sizeof value);                                                               \
    }
CLUMP_IO_ENCODE(u8, uint8_t)
CLUMP_IO_ENCODE(u16, uint16_t)
CLUMP_IO_ENCODE(u32, uint32_t)
CLUMP_IO_ENCODE(i32, int32_t)
CLUMP_IO_ENCODE(u64, uint64_t)
CLUMP_IO_ENCODE(i64, int64_t)
CLUMP_IO_ENCODE(f32, float)
CLUMP_IO_ENCODE(f64, double)
#undef CLUMP_IO_ENCODE

/* Appends a string of `size` bytes. */
void clump_io_encode_text(clump_io_encoder *to, const char *text, size_t size);
static inline void clump_io_encode_string(clump_io_encoder *to, const char *text)
{
    clump_io_encode_text(to, text, strlen(text));
}

/* Replaces a number that was appended before its value was known. */
static inline void clump_io_encode_patch(clump_io_encoder *to, size_t at, const void *value, size_t size)
{
    CLUMP_ASSERT(to->failed || (at <= to->size && size <= to->size - at));
    if (!to->failed) memcpy(to->data + at, value, size);
}

/* A time of ROS: seconds and nanoseconds. Times that do not fit become the nearest that does: ROS 1 has the years 1970
 * to 2106, ROS 2 has 1901 to 2038. */
void clump_io_encode_time(clump_io_encoder *to, int64_t nanoseconds);

/* The head of a message. */
typedef struct clump_io_message_head {
    uint32_t sequence; /* ROS 1 only */
    int64_t stamp;
    const char *frame_id; /* up to 64 bytes; a final 0 may be missing */
} clump_io_message_head;

/* Appends std_msgs/Header. An empty frame_id becomes "clump": RViz refuses messages without one. */
void clump_io_encode_head(clump_io_encoder *to, const clump_io_message_head *head);

/* --- definitions.c: the types of the messages that a recorder writes, as text for the recording. Readers decode
 * by it. */

/* A type in one version of ROS. */
typedef struct clump_io_definition {
    const char *type;            /* "sensor_msgs/PointCloud2" */
    const char *md5;             /* of ROS 1; null for ROS 2 */
    const char *const *(*parts); /* {name, fields} of the type and of all types in it; null-terminated */
} clump_io_definition;

typedef enum clump_io_written {
    CLUMP_IO_WRITTEN_POINTS = 0,
    CLUMP_IO_WRITTEN_MARKERS,
    CLUMP_IO_WRITTEN_DETECTIONS,
    CLUMP_IO_WRITTEN_TRANSFORM
} clump_io_written;

const clump_io_definition *clump_io_definition_of(clump_io_written message, bool ros2);

/* Appends the text: the fields of the type, then "MSG: name" and the fields of each type in it. */
void clump_io_definition_encode(clump_io_encoder *to, const clump_io_definition *definition);

#endif
