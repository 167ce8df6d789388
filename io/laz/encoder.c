/* SPDX-License-Identifier: BSD-3-Clause
 *
 * encoder.c: carries, and the end of a stream.
 */
#include "laz/encoder.h"

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
