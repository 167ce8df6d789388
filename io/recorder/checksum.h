/* SPDX-License-Identifier: BSD-3-Clause
 *
 * checksum.h: the CRC-32 of bytes whose parts have been summed already.
 */
#ifndef CLUMP_IO_RECORDER_CHECKSUM_H
#define CLUMP_IO_RECORDER_CHECKSUM_H

#include "crc32.h"

/* Returns the checksum of two parts, one behind the other. `first` and `second` are the checksums of each alone. */
uint32_t clump_io_crc32_join(uint32_t first, uint32_t second, uint64_t second_size);

#endif
