/* SPDX-License-Identifier: BSD-3-Clause
 *
 * made.h: bytes that a test composes. All numbers are little-endian.
 */
#ifndef CLUMP_TESTS_MADE_H
#define CLUMP_TESTS_MADE_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct made {
    unsigned char *bytes;
    size_t size, capacity;
} made;

static inline void made_put(made *to, const void *bytes, size_t size)
{
    if (to->size + size > to->capacity) {
        to->capacity = 2 * (to->size + size);
        to->bytes = realloc(to->bytes, to->capacity);
        if (!to->bytes) abort();
    }
    if (bytes && size) memcpy(to->bytes + to->size, bytes, size); /* null: the caller fills them */
    to->size += size;
}

static inline void made_free(made *of)
{
    free(of->bytes);
    *of = (made){0};
}

static inline void made_u8(made *to, unsigned value)
{
    made_put(to, &(unsigned char){(unsigned char)value}, 1);
}
static inline void made_u16(made *to, unsigned value)
{
    made_u8(to, value & 255), made_u8(to, value >> 8 & 255);
}
static inline void made_u32(made *to, uint32_t value)
{
    made_u16(to, value & 65535), made_u16(to, value >> 16);
}
static inline void made_u64(made *to, uint64_t value)
{
    made_u32(to, (uint32_t)value), made_u32(to, (uint32_t)(value >> 32));
}

#endif
