/* SPDX-License-Identifier: BSD-3-Clause
 *
 * laz.h: the decoder of LAZ points, where the build has one (cmake/lazperf.cmake); else laz_none.c.
 *
 *     clump_io_laz *laz;
 *     status = clump_io_laz_open(source, record, &laz);
 *     while (status == CLUMP_OK && left) status = clump_io_laz_read(laz, records, n);
 *     clump_io_laz_close(laz);
 *
 * Point formats 0 to 3 and 6 to 8, with or without extra bytes; not the old LASzip 1, not waveforms.
 * Two threads may decode two files at the same time.
 */
#ifndef CLUMP_IO_LAZ_H
#define CLUMP_IO_LAZ_H

#include "format.h"

/* False: the build has no decoder, and open always fails. */
bool clump_io_laz_available(void);

typedef struct clump_io_laz clump_io_laz;

/* source is the whole file; where it says to send messages is kept, its bytes are not. record is the
 * size of a decoded point in bytes, as the LAS header has it. What it costs depends on the bytes
 * there are, not on the counts they claim. *out is null on failure. */
clump_status clump_io_laz_open(const clump_io_source *source, size_t record, clump_io_laz **out);

/* The next count points, as they would stand in a LAS file: count x record bytes. After a failure,
 * whose sentence names the point, nothing more can be read. More points than the header counts are
 * a failure. */
clump_status clump_io_laz_read(clump_io_laz *laz, unsigned char *records, size_t count);

void clump_io_laz_close(clump_io_laz *laz); /* null is fine */

#endif
