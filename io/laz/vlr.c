/* SPDX-License-Identifier: BSD-3-Clause
 *
 * vlr.c: how LASzip divides points into items, the record that says so, and which codec a point format has.
 */
#include "laz/codec.h"

#include "common/assert.h"

#include <string.h>

enum { VLR_BYTES = 0, VLR_BYTES14 = 14 }; /* items of extra bytes */

/* Size 0 ends a list. */
static const clump_io_laz_item vlr_items[9][CLUMP_IO_LAZ_MAX_ITEMS + 1] = {
    [0] = {{6, 20, 2}},
    [1] = {{6, 20, 2}, {7, 8, 2}},
    [2] = {{6, 20, 2}, {8, 6, 2}},
    [3] = {{6, 20, 2}, {7, 8, 2}, {8, 6, 2}},
    [6] = {{10, 30, 3}},
    [7] = {{10, 30, 3}, {11, 6, 3}},
    [8] = {{10, 30, 3}, {12, 8, 3}},
};

size_t clump_io_laz_items_of(unsigned format, clump_io_laz_item items[CLUMP_IO_LAZ_MAX_ITEMS])
{
    size_t count = 0;
    if (format >= sizeof vlr_items / sizeof *vlr_items) return 0;
    for (; vlr_items[format][count].size; count++) items[count] = vlr_items[format][count];
    return count;
}

size_t clump_io_laz_items(const clump_io_laz_layout *layout, clump_io_laz_item items[CLUMP_IO_LAZ_MAX_ITEMS + 1])
{
    CLUMP_ASSERT(layout->extra <= CLUMP_IO_LAZ_MAX_EXTRA);
    size_t count = clump_io_laz_items_of(layout->format, items);
    if (layout->extra)
        items[count++] =
            (clump_io_laz_item){.type = layout->format < 6 ? VLR_BYTES : VLR_BYTES14, .size = (uint16_t)layout->extra};
    for (size_t i = 0; i < count; i++) items[i].version = (uint16_t)layout->version;
    return count;
}

void clump_io_laz_vlr_write(const clump_io_laz_layout *layout, uint32_t chunk_size, clump_io_laz_bytes *out)
{
    clump_io_laz_item items[CLUMP_IO_LAZ_MAX_ITEMS + 1];
    const uint16_t count = (uint16_t)clump_io_laz_items(layout, items);
    const uint16_t compressor = (uint16_t)clump_io_laz_compressor(layout->format);
    unsigned char data[CLUMP_IO_LAZ_VLR_SIZE] = {[4] = 3, [5] = 4, [6] = 3}; /* the LASzip that wrote this form */
    memcpy(data, &compressor, 2);
    memcpy(data + 12, &chunk_size, 4);
    memset(data + 16, 0xff, 16);
    memcpy(data + 32, &count, 2);
    clump_io_laz_bytes_add(out, data, sizeof data);
    for (size_t i = 0; i < count; i++) {
        clump_io_laz_bytes_add(out, &items[i].type, 2);
        clump_io_laz_bytes_add(out, &items[i].size, 2);
        clump_io_laz_bytes_add(out, &items[i].version, 2);
    }
}

const clump_io_laz_codec *clump_io_laz_codec_of(unsigned format)
{
    if (format >= 6 && format <= 8) return &clump_io_laz_layered;
    return format <= 3 ? &clump_io_laz_pointwise : NULL;
}
