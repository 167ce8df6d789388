/* SPDX-License-Identifier: BSD-3-Clause
 *
 * endian.h: numbers in the bytes of a file or a packet, at any address. Compilers make one load of each.
 */
#ifndef CLUMP_IO_ENDIAN_H
#define CLUMP_IO_ENDIAN_H

#include <stdint.h>

/* Little-endian. */
static inline uint16_t clump_io_u16(const unsigned char *at)
{
    return (uint16_t)(at[0] | at[1] << 8);
}
static inline uint32_t clump_io_u32(const unsigned char *at)
{
    return (uint32_t)clump_io_u16(at) | (uint32_t)clump_io_u16(at + 2) << 16;
}
static inline uint64_t clump_io_u64(const unsigned char *at)
{
    return clump_io_u32(at) | (uint64_t)clump_io_u32(at + 4) << 32;
}

/* Big-endian. */
static inline uint16_t clump_io_big_u16(const unsigned char *at)
{
    return (uint16_t)(at[0] << 8 | at[1]);
}
static inline uint32_t clump_io_big_u32(const unsigned char *at)
{
    return (uint32_t)clump_io_big_u16(at) << 16 | clump_io_big_u16(at + 2);
}

#endif
