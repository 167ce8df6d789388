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

/* --- crc32_fold.c: shortens bytes to 16 without a change of their CRC-32, by carry-less multiplication */

/* Folds the first bytes, a multiple of 64, into 16 bytes. `state` is the state of the CRC before them; that of the 16
 * bytes begins with 0. Returns how many bytes were folded; 0: too few, or the processor cannot. */
size_t clump_io_crc32_fold(uint32_t state, const unsigned char *bytes, size_t size, unsigned char folded[16]);

#endif
