/* SPDX-License-Identifier: BSD-3-Clause
 *
 * checksum.c: joins checksums, so that bytes that are in two checksums are read once.
 *
 * A CRC is a polynomial over GF(2), modulo P. To append n bytes multiplies it by x^(8 n). The powers x^(8), x^(16),
 * x^(32) ... come from squaring, so n costs two products per bit. In a reflected CRC, bit 31 is the coefficient of 1.
 */
#include "recorder/recorder.h"

#define CHECKSUM_POLYNOMIAL 0xedb88320u

/* Returns the product of two polynomials, modulo P. */
static uint32_t multiply(uint32_t a, uint32_t b)
{
    uint32_t product = 0;
    for (uint32_t bit = 0x80000000u; bit; bit >>= 1) {
        if (a & bit) product ^= b;
        b = b >> 1 ^ (b & 1 ? CHECKSUM_POLYNOMIAL : 0); /* times x */
    }
    return product;
}

uint32_t clump_io_crc32_join(uint32_t first, uint32_t second, uint64_t second_size)
{
    uint32_t power = 0x00800000u; /* x^8 */
    for (; second_size; second_size >>= 1) {
        if (second_size & 1) first = multiply(first, power);
        power = multiply(power, power);
    }
    return first ^ second;
}
