/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bytes.c: grows the buffer by half at least, so that appending costs constant time per byte.
 */
#include "laz/bytes.h"

#include <stdlib.h>
#include <string.h>

bool clump_io_laz_bytes_grow(clump_io_laz_bytes *bytes, size_t more)
{
    if (bytes->capacity - bytes->size >= more) return true;
    size_t needed, capacity = bytes->capacity + bytes->capacity / 2 + 4096;
    if (__builtin_add_overflow(bytes->size, more, &needed)) needed = SIZE_MAX;
    if (capacity < needed) capacity = needed;
    unsigned char *data = bytes->failed ? NULL : realloc(bytes->data, capacity);
    bytes->failed = !data;
    if (!data) return false;
    bytes->data = data;
    bytes->capacity = capacity;
    return true;
}

void clump_io_laz_bytes_add(clump_io_laz_bytes *bytes, const void *data, size_t size)
{
    if (!size || !clump_io_laz_bytes_grow(bytes, size)) return;
    memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
}

void clump_io_laz_bytes_free(clump_io_laz_bytes *bytes)
{
    free(bytes->data);
    *bytes = (clump_io_laz_bytes){0};
}
