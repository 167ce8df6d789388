/* SPDX-License-Identifier: BSD-3-Clause
 *
 * las.c: LAS and LAZ files are recognised, and refused.
 */
#include "format.h"

#include <string.h>

static bool sniff(const unsigned char *bytes, size_t size)
{
    return size >= 4 && memcmp(bytes, "LASF", 4) == 0;
}

static clump_status parse(const clump_io_source *source, clump_cloud *cloud)
{
    (void)cloud;
    return clump_io_fail(&source->where, CLUMP_ERR_IO_UNSUPPORTED, "LAS is not supported; convert it to PCD");
}

const clump_io_format clump_io_las = {.name = "las", .extensions = {"las", "laz"}, .sniff = sniff, .parse = parse};
