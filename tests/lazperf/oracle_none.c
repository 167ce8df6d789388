/* SPDX-License-Identifier: BSD-3-Clause
 *
 * oracle_none.c: oracle.h in a build without laz-perf.
 */
#include "oracle.h"

bool lazperf_available(void)
{
    return false;
}

clump_status lazperf_decode(const clump_io_source *source, size_t record, unsigned char *records, size_t count,
                            size_t *done)
{
    (void)record, (void)records, (void)count;
    *done = 0;
    return CLUMP_IO_UNSUPPORTED(source, "the tests were built without laz-perf");
}
