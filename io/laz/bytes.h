/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bytes.h: a buffer that grows, for compressed points.
 */
#ifndef CLUMP_IO_LAZ_BYTES_H
#define CLUMP_IO_LAZ_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Set to zero, and used again after size = 0. */
typedef struct clump_io_laz_bytes {
    unsigned char *data; /* from malloc */
    size_t size, capacity;
    bool failed; /* out of memory: bytes are missing. Writers do not check, the owner checks once */
} clump_io_laz_bytes;

/* Makes room for `more` bytes; false: no memory, and failed is set. */
bool clump_io_laz_bytes_grow(clump_io_laz_bytes *bytes, size_t more);
void clump_io_laz_bytes_add(clump_io_laz_bytes *bytes, const void *data, size_t size);
void clump_io_laz_bytes_free(clump_io_laz_bytes *bytes);

static inline void clump_io_laz_bytes_put(clump_io_laz_bytes *bytes, unsigned char byte)
{
    if (bytes->size == bytes->capacity && !clump_io_laz_bytes_grow(bytes, 1)) return;
    bytes->data[bytes->size++] = byte;
}

#endif
