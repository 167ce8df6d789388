/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hesai_packets.h: makes packets of Hesai sensors, for tests. The layouts are written down here a second time.
 */
#ifndef CLUMP_TESTS_HESAI_PACKETS_H
#define CLUMP_TESTS_HESAI_PACKETS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct hesai_layout {
    const char *name;
    size_t size, channels, blocks, first, stride, measurement; /* first: azimuth of the first block */
    size_t mode_at, speed_at, date_at, micros_at, sequence_at;
    unsigned char head[12];
    size_t head_size;
} hesai_layout;

#define HESAI_LAYOUTS 7
static const hesai_layout hesai_layouts[HESAI_LAYOUTS] = {
    {"Hesai Pandar40P", 1266, 40, 10, 2, 124, 3, 1254, 1248, 1256, 1250, 1262, {0}, 0},
    {"Hesai Pandar64", 1198, 64, 6, 8, 194, 3, 1186, 1180, 1188, 1182, 1194, {0xee, 0xff, 64, 6, 0, 4}, 8},
    {"Hesai QT64",
     1072,
     64,
     4,
     12,
     258,
     4,
     1060,
     1054,
     1062,
     1056,
     1068,
     {0xee, 0xff, 3, 1, 0, 0, 64, 4, 1, 4, 2, 1},
     12},
    {"Hesai QT128",
     1127,
     128,
     2,
     12,
     514,
     4,
     1073,
     1074,
     1076,
     1082,
     1087,
     {0xee, 0xff, 3, 2, 0, 0, 128, 2, 1, 4, 2, 15},
     12},
    {"Hesai XT16", 568, 16, 8, 12, 66, 4, 550, 551, 553, 559, 564, {0xee, 0xff, 6, 1, 0, 0, 16, 8, 1, 4, 2, 1}, 12},
    {"Hesai XT32",
     1080,
     32,
     8,
     12,
     130,
     4,
     1062,
     1063,
     1065,
     1071,
     1076,
     {0xee, 0xff, 6, 1, 0, 0, 32, 8, 1, 4, 2, 1},
     12},
    {"Hesai XT32M2X", 820, 32, 6, 12, 130, 4, 802, 803, 805, 811, 816, {0xee, 0xff, 6, 1, 0, 0, 32, 6, 1, 4, 2, 1}, 12},
};

static inline void hesai_put16(unsigned char *at, unsigned value)
{
    at[0] = (unsigned char)value, at[1] = (unsigned char)(value >> 8);
}

static inline void hesai_put32(unsigned char *at, uint32_t value)
{
    hesai_put16(at, value & 0xffff), hesai_put16(at + 2, value >> 16);
}

/* Sets a measurement in units of 4 mm. */
static inline void hesai_measure(const hesai_layout *layout, unsigned char *packet, size_t block, size_t channel,
                                 unsigned distance, unsigned reflectivity)
{
    unsigned char *at = packet + layout->first + block * layout->stride + 2 + channel * layout->measurement;
    hesai_put16(at, distance);
    at[2] = (unsigned char)reflectivity;
}

/* Sets the azimuth of a block in hundredths of a degree. */
static inline void hesai_turn(const hesai_layout *layout, unsigned char *packet, size_t block, unsigned azimuth)
{
    hesai_put16(packet + layout->first + block * layout->stride, azimuth);
}

/* Makes a packet of 2023-01-11 02:24:40 UTC (second 1673403880) with strongest returns, 10 turns per second, and no
 * measurement. Its blocks are 0.2 degrees apart. */
static inline void hesai_packet(const hesai_layout *layout, unsigned char *packet, unsigned azimuth, uint32_t sequence,
                                uint32_t micros)
{
    static const unsigned char date[6] = {123, 1, 11, 2, 24, 40};
    memset(packet, 0, layout->size);
    memcpy(packet, layout->head, layout->head_size);
    for (size_t b = 0; b < layout->blocks; b++) {
        unsigned char *block = packet + layout->first + b * layout->stride;
        if (!layout->head_size) block[-2] = 0xff, block[-1] = 0xee;
        hesai_put16(block, (azimuth + 20 * (unsigned)b) % 36000);
    }
    packet[layout->mode_at] = 0x37;
    hesai_put16(packet + layout->speed_at, 600);
    memcpy(packet + layout->date_at, date, sizeof date);
    hesai_put32(packet + layout->micros_at, micros);
    hesai_put32(packet + layout->sequence_at, sequence);
}

#endif
