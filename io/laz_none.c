/* SPDX-License-Identifier: BSD-3-Clause
 *
 * laz_none.c: laz.h in a build without a decoder. Only clump_io_laz_available() is ever called.
 */
#include "laz.h"

bool clump_io_laz_available(void)
{
    return false;
}

clump_status clump_io_laz_open(const clump_io_source *source, size_t record, clump_io_laz **out)
{
    (void)record;
    *out = NULL;
    return CLUMP_IO_UNSUPPORTED(source, "clump was built without a LAZ decoder");
}

clump_status clump_io_laz_read(clump_io_laz *laz, unsigned char *records, size_t count)
{
    (void)laz, (void)records, (void)count;
    return CLUMP_ERR_INTERNAL;
}

void clump_io_laz_close(clump_io_laz *laz)
{
    (void)laz;
}
