/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nclt_hits.h: points as the NCLT data set has them, 8 bytes each: uint16 x y z, uint8 intensity, uint8 laser.
 * A coordinate is value x 0.005 - 100 metres. The files hold only points with a return.
 */
#ifndef CLUMP_IO_SENSORS_NCLT_HITS_H
#define CLUMP_IO_SENSORS_NCLT_HITS_H

#include "endian.h"

#include <stdbool.h>
#include <string.h>

/* Before the points, a packet has four uint16 44444, uint32 points, uint64 microseconds since 1970, four bytes of
 * padding. */
#define CLUMP_IO_NCLT_HEADER 24    /* bytes */
#define CLUMP_IO_NCLT_HIT    8     /* bytes of a point */
#define CLUMP_IO_NCLT_LASERS 32    /* of the Velodyne HDL-32E */
#define CLUMP_IO_NCLT_MOST   65536 /* points of a packet that are the most to be accepted; real packets have 384 */

static inline float clump_io_nclt_metres(const unsigned char *bytes)
{
    return (float)(clump_io_u16(bytes) * 0.005 - 100.0);
}

/* The members of a packet. */
static inline uint32_t clump_io_nclt_count(const unsigned char *packet)
{
    return clump_io_u32(packet + 8);
}

/* Returns nanoseconds since 1970; `otherwise` for a time that does not fit. */
static inline int64_t clump_io_nclt_time(const unsigned char *packet, int64_t otherwise)
{
    const uint64_t microseconds = clump_io_u64(packet + 12);
    return microseconds <= INT64_MAX / 1000 ? (int64_t)microseconds * 1000 : otherwise;
}

/* Whether a packet can begin here. There must be CLUMP_IO_NCLT_HEADER bytes. */
static inline bool clump_io_nclt_begins(const unsigned char *bytes)
{
    static const unsigned char magic[8] = {0x9c, 0xad, 0x9c, 0xad, 0x9c, 0xad, 0x9c, 0xad};
    return memcmp(bytes, magic, sizeof magic) == 0 && clump_io_nclt_count(bytes) <= CLUMP_IO_NCLT_MOST;
}

#endif
