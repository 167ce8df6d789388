/* SPDX-License-Identifier: BSD-3-Clause
 *
 * integer.c: sets up the models of an integer codec.
 */
#include "laz/integer.h"

void clump_io_laz_integer_context(clump_io_laz_integer *integer, uint32_t context)
{
    clump_io_laz_model_begin(CLUMP_IO_LAZ_PARTS(&integer->contexts[context]), integer->bits + 1);
    integer->ready_contexts |= 1u << context;
}

void clump_io_laz_integer_remainder(clump_io_laz_integer *integer, uint32_t width)
{
    clump_io_laz_model_begin(CLUMP_IO_LAZ_PARTS(&integer->remainder[width]), width < 8 ? 1u << width : 256);
    integer->ready_remainder |= 1u << width;
}
