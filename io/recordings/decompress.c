/* SPDX-License-Identifier: BSD-3-Clause
 *
 * decompress.c: to come.
 */
#include "recordings/decompress.h"

clump_io_packing clump_io_packing_of(const void *name, size_t size)
{
    (void)name, (void)size;
    return CLUMP_IO_PACKING_UNKNOWN;
}

void clump_io_unpacker_release(clump_io_unpacker *unpacker)
{
    (void)unpacker;
}

clump_io_unpacked clump_io_unpack(clump_io_unpacker *unpacker, clump_io_packing packing, const unsigned char *bytes,
                                  size_t size, size_t announced, clump_io_bytes *to)
{
    (void)unpacker, (void)packing, (void)bytes, (void)size, (void)announced, (void)to;
    return CLUMP_IO_UNPACKED_NOT_BUILT;
}
