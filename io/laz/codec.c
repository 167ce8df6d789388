/* SPDX-License-Identifier: BSD-3-Clause
 *
 * codec.c: which codec a point format has.
 */
#include "laz/codec.h"

const clump_io_laz_codec *clump_io_laz_codec_of(unsigned format)
{
    if (format >= 6 && format <= 8) return &clump_io_laz_layered;
    return format <= 3 ? &clump_io_laz_pointwise : NULL;
}
