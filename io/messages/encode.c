/* SPDX-License-Identifier: BSD-3-Clause
 *
 * encode.c: memory of an encoder, strings, times, and std_msgs/Header.
 */
#include "messages/encode.h"

#include "common/assert.h"

#include <stdlib.h>

bool clump_io_encoder_reserve(clump_io_encoder *to, size_t more)
{
    CLUMP_ASSERT(to->size <= to->capacity);
    if (to->failed) return false;
    size_t wanted;
    const bool fits = !__builtin_add_overflow(to->size, more, &wanted);
    if (fits && wanted <= to->capacity) return true;
    const size_t half = to->capacity + to->capacity / 2;
    const size_t capacity = fits && wanted < half ? half : wanted;
    unsigned char *const data = fits ? realloc(to->data, capacity) : NULL;
    if (!data) {
        to->failed = fits ? capacity : SIZE_MAX;
        return false;
    }
    to->data = data;
    to->capacity = capacity;
    return true;
}

void clump_io_encoder_release(clump_io_encoder *to)
{
    free(to->data);
    *to = (clump_io_encoder){0};
}

void clump_io_encoder_begin(clump_io_encoder *to, bool cdr)
{
    static const unsigned char little_endian[4] = {0, 1, 0, 0};
    if (cdr) clump_io_encode_bytes(to, little_endian, sizeof little_endian);
    to->cdr = cdr;
    to->origin = to->size;
}

void clump_io_encoder_end(clump_io_encoder *to)
{
    to->cdr = false;
}

void clump_io_encode_text(clump_io_encoder *to, const char *text, size_t size)
{
    clump_io_encode_u32(to, (uint32_t)(size + to->cdr));
    clump_io_encode_bytes(to, text, size);
    if (to->cdr) clump_io_encode_u8(to, 0);
}

void clump_io_encode_time(clump_io_encoder *to, int64_t nanoseconds)
{
    const int64_t second = 1000000000;
    int64_t seconds = nanoseconds / second, rest = nanoseconds % second;
    if (rest < 0) seconds--, rest += second;
    const int64_t first = to->cdr ? INT32_MIN : 0, last = to->cdr ? INT32_MAX : UINT32_MAX;
    if (seconds < first) seconds = first, rest = 0;
    if (seconds > last) seconds = last, rest = second - 1;
    clump_io_encode_u32(to, (uint32_t)seconds);
    clump_io_encode_u32(to, (uint32_t)rest);
}

void clump_io_encode_head(clump_io_encoder *to, const clump_io_message_head *head)
{
    if (!to->cdr) clump_io_encode_u32(to, head->sequence);
    clump_io_encode_time(to, head->stamp);
    const size_t size = head->frame_id ? strnlen(head->frame_id, sizeof((clump_frame *)0)->frame_id) : 0;
    if (size)
        clump_io_encode_text(to, head->frame_id, size);
    else
        clump_io_encode_string(to, "clump");
}
