/* SPDX-License-Identifier: BSD-3-Clause
 *
 * coder.c: the buffer of compressed bytes, the end of a stream, the models of an integer codec.
 */
#include "laz/codec.h"
#include "common/assert.h"
#include "laz/integer.h"

#include <stdlib.h>
#include <string.h>

/* ----- bytes: the buffer grows by half at least, so that appending costs constant time per byte --------------------- */

bool clump_io_laz_bytes_grow(clump_io_laz_bytes *bytes, size_t more)
{
    CLUMP_ASSERT(bytes->size <= bytes->capacity);
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
    CLUMP_ASSERT(bytes->size <= bytes->capacity);
    if (!size || !clump_io_laz_bytes_grow(bytes, size)) return;
    memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
}

void clump_io_laz_bytes_free(clump_io_laz_bytes *bytes)
{
    free(bytes->data);
    *bytes = (clump_io_laz_bytes){0};
}

/* ----- the encoder: carries, and the end of a stream ---------------------------------------------------------------- */

/* The number is below 1 by construction: a carry never leaves the first byte of the stream. */
void clump_io_laz_carry(clump_io_laz_bytes *out)
{
    size_t at = out->size;
    while (at && ++out->data[at - 1] == 0) at--;
}

/* Writes a number inside the interval, and zeros up to the last byte that a decoder reads ahead. */
void clump_io_laz_encoder_end(clump_io_laz_encoder *e, clump_io_laz_bytes *bytes)
{
    const bool wide = e->length > 2u << 24;
    if (wide)
        clump_io_laz_narrow(e, 1u << 24, 1u << 23); /* one byte */
    else
        clump_io_laz_narrow(e, 1u << 23, 1u << 15); /* two bytes */
    for (int i = wide ? 3 : 2; i > 0; i--) clump_io_laz_bytes_put(&e->out, 0);
    *bytes = e->out;
}

/* ----- integers: their models --------------------------------------------------------------------------------------- */

void clump_io_laz_integer_context(clump_io_laz_integer *integer, uint32_t context)
{
    CLUMP_ASSERT(context < CLUMP_IO_LAZ_CONTEXTS && integer->bits >= 1 && integer->bits <= 32);
    clump_io_laz_model_begin(CLUMP_IO_LAZ_PARTS(&integer->contexts[context]), integer->bits + 1);
    integer->ready_contexts |= 1u << context;
}

void clump_io_laz_integer_remainder(clump_io_laz_integer *integer, uint32_t width)
{
    CLUMP_ASSERT(width >= 1 && width < 32);
    clump_io_laz_model_begin(CLUMP_IO_LAZ_PARTS(&integer->remainder[width]), width < 8 ? 1u << width : 256);
    integer->ready_remainder |= 1u << width;
}
