/* SPDX-License-Identifier: BSD-3-Clause
 *
 * vlr.h: the record "laszip encoded" in front of the points: how they are compressed.
 *
 *     0 u16 compressor | 2 u16 coder | 4 version of LASzip | 8 u32 options | 12 u32 points per chunk
 *     16 i64 -1 | 24 i64 -1 | 32 u16 number of items | 34 items: u16 type, u16 size, u16 version
 */
#ifndef CLUMP_IO_LAZ_VLR_H
#define CLUMP_IO_LAZ_VLR_H

#include "laz/codec.h"

#define CLUMP_IO_LAZ_MAX_ITEMS 3
#define CLUMP_IO_LAZ_MAX_EXTRA 1024u      /* extra bytes of a point: a decoder needs about 5 kB for each */
#define CLUMP_IO_LAZ_VARIABLE  UINT32_MAX /* for a chunk size: the chunk table has it for each chunk */
#define CLUMP_IO_LAZ_VLR_ID    22204u
#define CLUMP_IO_LAZ_VLR_USER  "laszip encoded"
#define CLUMP_IO_LAZ_VLR_SIZE  34u /* bytes of its data, and 6 per item */

/* A part of a point that has a codec of its own. */
typedef struct clump_io_laz_item {
    uint16_t type, size, version;
} clump_io_laz_item;

/* Number of the compressor: 2 pointwise, 3 layered. */
static inline unsigned clump_io_laz_compressor(unsigned format)
{
    return format < 6 ? 2 : 3;
}

/* Lists the items of a point without its extra bytes. Returns their number; 0: this format has no codec. */
size_t clump_io_laz_items_of(unsigned format, clump_io_laz_item items[CLUMP_IO_LAZ_MAX_ITEMS]);

/* Lists all items of a point. */
size_t clump_io_laz_items(const clump_io_laz_layout *layout, clump_io_laz_item items[CLUMP_IO_LAZ_MAX_ITEMS + 1]);

/* Appends the data of the VLR. */
void clump_io_laz_vlr_write(const clump_io_laz_layout *layout, uint32_t chunk_size, clump_io_laz_bytes *out);

#endif
