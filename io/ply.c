/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ply.c: PLY files are recognised, and refused.
 */
#include "format.h"

#include <string.h>

static bool sniff(const unsigned char *bytes, size_t size)
{
    return size >= 4 && memcmp(bytes, "ply", 3) == 0 && (bytes[3] == '\n' || bytes[3] == '\r');
}

static clump_status parse(const clump_io_source *source, clump_cloud *cloud)
{
    (void)cloud;
    return clump_io_fail(&source->where, CLUMP_ERR_IO_UNSUPPORTED, "PLY is not supported; convert it to PCD");
}

const clump_io_format clump_io_ply = {.name = "ply", .extensions = {"ply"}, .sniff = sniff, .parse = parse};
