/* SPDX-License-Identifier: BSD-3-Clause
 *
 * crc32.h: the checksum of MCAP, as zlib, gzip and PNG have it.
 */
#ifndef CLUMP_IO_CRC32_H
#define CLUMP_IO_CRC32_H

#include <stddef.h>
#include <stdint.h>

/* Returns the CRC-32 (polynomial 0xEDB88320, reflected) of the bytes. `before` is the checksum of what precedes them, 0 at the
 * beginning. */
uint32_t clump_io_crc32(uint32_t before, const void *bytes, size_t size);

#endif
