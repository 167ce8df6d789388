/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nclt_hits.h: points as the NCLT data set has them, 8 bytes each: uint16 x y z, uint8 intensity, uint8 laser.
 * A coordinate is value x 0.005 - 100 metres. The files hold only points with a return.
 */
#ifndef CLUMP_IO_SENSORS_NCLT_HITS_H
#define CLUMP_IO_SENSORS_NCLT_HITS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define CLUMP_IO_NCLT_HIT 8 /* bytes of a point */
#define CLUMP_IO_NCLT_HEADER                                                                                           \
    24 /* bytes before the points of a packet: four uint16 44444, uint32 points, uint64
                                 * microseconds since 1970, four bytes of padding */
#define CLUMP_IO_NCLT_MAGIC  44444
#define CLUMP_IO_NCLT_LASERS 32    /* of the Velodyne HDL-32E */
#define CLUMP_IO_NCLT_MOST   65536 /* points of a packet that are the most to be accepted; real packets have 384 */

static inline float clump_io_nclt_metres(const unsigned char *bytes)
{
    uint16_t value;
    memcpy(&value, bytes, sizeof value);
    return (float)((double)value * 0.005 - 100.0);
}

#endif
