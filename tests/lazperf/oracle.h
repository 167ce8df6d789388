/* SPDX-License-Identifier: BSD-3-Clause
 *
 * oracle.h: laz-perf, another decoder of LAZ, as the judge of clump's.
 *
 * It runs in a sandbox (sandbox.h) and reads the chunks one after the other, without the chunk table.
 */
#ifndef LAZPERF_ORACLE_H
#define LAZPERF_ORACLE_H

#include "../../io/format.h"

/* False: the build has no laz-perf, and lazperf_decode() must not be called. */
bool lazperf_available(void);

/* Decodes the first `count` points of a LAZ file to records of `record` bytes. *done is how many were decoded. */
clump_status lazperf_decode(const clump_io_source *source, size_t record, unsigned char *records, size_t count,
                            size_t *done);

#endif
