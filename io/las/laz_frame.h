/* SPDX-License-Identifier: BSD-3-Clause
 *
 * laz_frame.h: what surrounds the compressed points of a LAZ file.
 */
#ifndef CLUMP_IO_LAZ_FRAME_H
#define CLUMP_IO_LAZ_FRAME_H

#include "format.h"
#include "laz/vlr.h"

typedef struct clump_io_laz_frame {
    const clump_io_source *source;
    clump_io_laz_layout layout;
    uint64_t count;      /* of points */
    size_t points;       /* where they begin: 8 bytes, then the chunks */
    size_t table;        /* where the chunk table begins */
    uint32_t chunks;     /* in the table */
    uint32_t chunk_size; /* points, or CLUMP_IO_LAZ_VARIABLE */
} clump_io_laz_frame;

/* Reads and checks the frame; source and layout.record are set by the caller. Without points, reads only the header. */
clump_status clump_io_laz_frame_read(clump_io_laz_frame *frame);

#endif
