/* SPDX-License-Identifier: BSD-3-Clause
 *
 * crc32.c: CRC-32, eight bytes per step; most bytes are folded before, where the processor can (crc32_fold.c).
 *
 * Entry i of table k is the checksum of byte i with k zero bytes behind it. A CRC is linear over GF(2): an entry is the
 * XOR of the entries of its bits. So eight constants per table are enough, and the preprocessor computes the others.
 */
#include "crc32.h"

#include <string.h>

#define CRC32_BIT(i, b, entry) ((i) >> (b)&1 ? (entry) : 0u)
#define CRC32_ENTRY(i, e0, e1, e2, e3, e4, e5, e6, e7)                                                                 \
    CRC32_BIT(i, 0, e0) ^ CRC32_BIT(i, 1, e1) ^ CRC32_BIT(i, 2, e2) ^ CRC32_BIT(i, 3, e3) ^ CRC32_BIT(i, 4, e4) ^      \
        CRC32_BIT(i, 5, e5) ^ CRC32_BIT(i, 6, e6) ^ CRC32_BIT(i, 7, e7)
#define CRC32_4(i, ...)                                                                                                \
    CRC32_ENTRY(i, __VA_ARGS__), CRC32_ENTRY((i) + 1, __VA_ARGS__), CRC32_ENTRY((i) + 2, __VA_ARGS__),                 \
        CRC32_ENTRY((i) + 3, __VA_ARGS__)
#define CRC32_16(i, ...)                                                                                               \
    CRC32_4(i, __VA_ARGS__), CRC32_4((i) + 4, __VA_ARGS__), CRC32_4((i) + 8, __VA_ARGS__),                             \
        CRC32_4((i) + 12, __VA_ARGS__)
#define CRC32_64(i, ...)                                                                                               \
    CRC32_16(i, __VA_ARGS__), CRC32_16((i) + 16, __VA_ARGS__), CRC32_16((i) + 32, __VA_ARGS__),                        \
        CRC32_16((i) + 48, __VA_ARGS__)
#define CRC32_TABLE(...)                                                                                               \
    {                                                                                                                  \
        CRC32_64(0, __VA_ARGS__), CRC32_64(64, __VA_ARGS__), CRC32_64(128, __VA_ARGS__), CRC32_64(192, __VA_ARGS__)    \
    }

/* Per table: the entries of the bytes 1, 2, 4 ... 128. */
static const uint32_t crc32_tables[8][256] = {
    CRC32_TABLE(0x77073096u, 0xee0e612cu, 0x076dc419u, 0x0edb8832u, 0x1db71064u, 0x3b6e20c8u, 0x76dc4190u, 0xedb88320u),
    CRC32_TABLE(0x191b3141u, 0x32366282u, 0x646cc504u, 0xc8d98a08u, 0x4ac21251u, 0x958424a2u, 0xf0794f05u, 0x3b83984bu),
    CRC32_TABLE(0x01c26a37u, 0x0384d46eu, 0x0709a8dcu, 0x0e1351b8u, 0x1c26a370u, 0x384d46e0u, 0x709a8dc0u, 0xe1351b80u),
    CRC32_TABLE(0xb8bc6765u, 0xaa09c88bu, 0x8f629757u, 0xc5b428efu, 0x5019579fu, 0xa032af3eu, 0x9b14583du, 0xed59b63bu),
    CRC32_TABLE(0x3d6029b0u, 0x7ac05360u, 0xf580a6c0u, 0x30704bc1u, 0x60e09782u, 0xc1c12f04u, 0x58f35849u, 0xb1e6b092u),
    CRC32_TABLE(0xcb5cd3a5u, 0x4dc8a10bu, 0x9b914216u, 0xec53826du, 0x03d6029bu, 0x07ac0536u, 0x0f580a6cu, 0x1eb014d8u),
    CRC32_TABLE(0xa6770bb4u, 0x979f1129u, 0xf44f2413u, 0x33ef4e67u, 0x67de9cceu, 0xcfbd399cu, 0x440b7579u, 0x8816eaf2u),
    CRC32_TABLE(0xccaa009eu, 0x4225077du, 0x844a0efau, 0xd3e51bb5u, 0x7cbb312bu, 0xf9766256u, 0x299dc2edu, 0x533b85dau),
};

/* Returns the state of the CRC after the bytes. */
static uint32_t advance(uint32_t crc, const unsigned char *at, size_t size)
{
    for (; size >= 8; size -= 8, at += 8) {
        uint32_t low, high;
        memcpy(&low, at, 4);
        memcpy(&high, at + 4, 4);
        low ^= crc;
        crc = crc32_tables[7][low & 255] ^ crc32_tables[6][low >> 8 & 255] ^ crc32_tables[5][low >> 16 & 255] ^
              crc32_tables[4][low >> 24] ^ crc32_tables[3][high & 255] ^ crc32_tables[2][high >> 8 & 255] ^
              crc32_tables[1][high >> 16 & 255] ^ crc32_tables[0][high >> 24];
    }
    for (; size > 0; size--, at++) crc = crc32_tables[0][(crc ^ *at) & 255] ^ crc >> 8;
    return crc;
}

uint32_t clump_io_crc32(uint32_t before, const void *bytes, size_t size)
{
    const unsigned char *const at = bytes;
    unsigned char folded[16];
    const size_t done = clump_io_crc32_fold(~before, at, size, folded);
    const uint32_t crc = done ? advance(0, folded, sizeof folded) : ~before;
    return ~advance(crc, at + done, size - done);
}
