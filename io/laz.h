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

/* Opens a decoder. source is the whole file; its `where` is kept, its bytes are not. record is the size of a decoded
 * point in bytes, from the LAS header. The cost depends on the size of the file, not on the counts it claims. *out is
 * null on failure. */
clump_status clump_io_laz_open(const clump_io_source *source, size_t record, clump_io_laz **out);

/* Decodes the next count points to LAS records: count x record bytes. After a failure, whose message names the point,
 * no further points can be read. Reading more points than the header counts fails. */
clump_status clump_io_laz_read(clump_io_laz *laz, unsigned char *records, size_t count);

void clump_io_laz_close(clump_io_laz *laz); /* null is fine */

#endif
