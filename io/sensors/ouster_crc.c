/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ouster_crc.c: the checksum at the end of a packet.
 *
 * Eight tables let the sum advance by eight bytes per step. Table k is the sum of a byte that k zero bytes follow.
 */
#include "sensors/ouster.h"

/* The polynomial of ECMA-182 with its bits reversed. */
#define OUSTER_CRC_POLYNOMIAL 0xC96C5795D7870F42u

void clump_io_ouster_crc_prepare(clump_io_ouster_crc *crc)
{
    for (unsigned byte = 0; byte < 256; byte++) {
        uint64_t sum = byte;
        for (int bit = 0; bit < 8; bit++) sum = sum & 1 ? sum >> 1 ^ OUSTER_CRC_POLYNOMIAL : sum >> 1;
        crc->table[0][byte] = sum;
    }
    for (int k = 1; k < 8; k++)
        for (unsigned byte = 0; byte < 256; byte++) {
            const uint64_t before = crc->table[k - 1][byte];
            crc->table[k][byte] = crc->table[0][before & 255] ^ before >> 8;
        }
}

uint64_t clump_io_ouster_crc_of(const clump_io_ouster_crc *crc, const unsigned char *bytes, size_t size)
{
    uint64_t sum = UINT64_MAX;
    for (; size >= 8; bytes += 8, size -= 8) {
        const uint64_t mixed = sum ^ clump_io_u64(bytes);
        sum = 0;
        for (int k = 0; k < 8; k++) sum ^= crc->table[7 - k][mixed >> 8 * k & 255];
    }
    for (; size; bytes++, size--) sum = crc->table[0][(sum ^ *bytes) & 255] ^ sum >> 8;
    return ~sum;
}
