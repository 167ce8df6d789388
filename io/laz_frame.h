/* SPDX-License-Identifier: BSD-3-Clause
 *
 * laz_frame.h: what surrounds the compressed points of a LAZ file.
 */
#ifndef CLUMP_IO_LAZ_FRAME_H
#define CLUMP_IO_LAZ_FRAME_H

#include "format.h"

#define CLUMP_IO_LAZ_MAX_ITEMS   4
#define CLUMP_IO_LAZ_VARIABLE    UINT32_MAX /* for a chunk size: the table has it for each chunk */
#define CLUMP_IO_LAZ_HEADER_SIZE 375u       /* of LAS 1.4 */
#define CLUMP_IO_LAZ_VLR_HEAD    54u
#define CLUMP_IO_LAZ_VLR_SIZE    34u /* and 6 for each item */

/* A part of a point that is compressed by itself. */
typedef struct clump_io_laz_item {
    uint16_t type, size, version;
} clump_io_laz_item;

typedef struct clump_io_laz_frame {
    const clump_io_source *source;
    size_t record, extra; /* bytes of a point, and its extra bytes */
    uint8_t format;       /* of points */
    uint64_t count;       /* of points */
    size_t points;        /* where they begin: 8 bytes, then the chunks */
    size_t table;         /* where the chunk table begins */
    uint32_t chunks;      /* in the table */
    uint32_t chunk_size;  /* points, or CLUMP_IO_LAZ_VARIABLE */
    clump_io_laz_item items[CLUMP_IO_LAZ_MAX_ITEMS];
    size_t item_count;
} clump_io_laz_frame;

/* Reads and checks the frame; source and record are set by the caller. Without points, reads only the header. */
clump_status clump_io_laz_frame_read(clump_io_laz_frame *frame);

#endif
