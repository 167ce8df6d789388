/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cursor.h: reads the members of a message one after the other, in the encodings of ROS 1 and ROS 2 (CDR).
 *
 *     ROS 1   little-endian, no padding; a string is a count and its bytes
 *     CDR     four bytes say which byte order; a number is aligned to its size, counted from byte 4; the count of a
 *             string includes a final 0
 *
 * A read beyond the end sets `failed` and returns 0. The caller checks once, after the last read.
 */
#ifndef CLUMP_IO_MESSAGES_CURSOR_H
#define CLUMP_IO_MESSAGES_CURSOR_H

#include "endian.h"
#include "messages/messages.h"

#include <string.h>

#define CURSOR_CDR_HEAD 4

typedef struct clump_io_cursor {
    const unsigned char *bytes;
    size_t at, size;
    bool cdr, swapped, failed;
} clump_io_cursor;

/* Places the cursor on the first member. False: the bytes are CDR of an unknown kind, or have no head. */
static inline bool clump_io_cursor_open(clump_io_cursor *cursor, const clump_io_encoded *message)
{
    *cursor = (clump_io_cursor){.bytes = message->bytes, .size = message->size, .cdr = message->cdr};
    if (!message->cdr) return true;
    if (message->size < CURSOR_CDR_HEAD || message->bytes[0] != 0 || message->bytes[1] > 1) return false;
    cursor->swapped = message->bytes[1] == 0;
    cursor->at = CURSOR_CDR_HEAD;
    return true;
}

/* Returns the next `size` bytes; null beyond the end. */
static inline const unsigned char *clump_io_cursor_take(clump_io_cursor *cursor, size_t size)
{
    if (cursor->failed || cursor->size - cursor->at < size) {
        cursor->failed = true;
        return NULL;
    }
    const unsigned char *const taken = cursor->bytes + cursor->at;
    cursor->at += size;
    return taken;
}

static inline uint8_t clump_io_cursor_u8(clump_io_cursor *cursor)
{
    const unsigned char *const at = clump_io_cursor_take(cursor, 1);
    return at ? *at : 0;
}

static inline uint32_t clump_io_cursor_u32(clump_io_cursor *cursor)
{
    if (cursor->cdr) clump_io_cursor_take(cursor, -(cursor->at - CURSOR_CDR_HEAD) & 3);
    const unsigned char *const at = clump_io_cursor_take(cursor, 4);
    if (!at) return 0;
    return cursor->swapped ? clump_io_big_u32(at) : clump_io_u32(at);
}

/* Returns a string without its final 0. It stays in the message. */
static inline const char *clump_io_cursor_text(clump_io_cursor *cursor, size_t *size)
{
    *size = clump_io_cursor_u32(cursor);
    const char *const text = (const char *)clump_io_cursor_take(cursor, *size);
    if (!text) *size = 0;
    if (text && cursor->cdr && *size > 0 && text[*size - 1] == 0) --*size;
    return text;
}

/* Returns a time as nanoseconds. ROS 1 counts seconds unsigned, ROS 2 signed. */
static inline int64_t clump_io_cursor_time(clump_io_cursor *cursor)
{
    const uint32_t seconds = clump_io_cursor_u32(cursor), nanoseconds = clump_io_cursor_u32(cursor);
    return (cursor->cdr ? (int64_t)(int32_t)seconds : (int64_t)seconds) * 1000000000 + nanoseconds;
}

/* Reads std_msgs/Header. Bytes of the frame that cannot be printed become '?'. */
static inline int64_t clump_io_cursor_header(clump_io_cursor *cursor, char frame_id[64])
{
    if (!cursor->cdr) clump_io_cursor_u32(cursor); /* seq */
    const int64_t stamp = clump_io_cursor_time(cursor);
    size_t size;
    const char *const text = clump_io_cursor_text(cursor, &size);
    if (size > 63) size = 63;
    for (size_t i = 0; i < size; i++) frame_id[i] = (unsigned char)text[i] < 0x20 || text[i] == 0x7f ? '?' : text[i];
    frame_id[size] = 0;
    return stamp;
}

#endif
