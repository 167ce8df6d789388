/* SPDX-License-Identifier: BSD-3-Clause
 *
 * float_key.h: unsigned integers in the order of the floats, for sorting and selecting by bits.
 * -0 comes right before 0; who wants them equal adds 0 to the value first.
 */
#ifndef CLUMP_COMMON_FLOAT_KEY_H
#define CLUMP_COMMON_FLOAT_KEY_H

#include <stdint.h>
#include <string.h>

static inline uint32_t clump_key_of_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

static inline float clump_float_of_key(uint32_t key)
{
    const uint32_t bits = key & 0x80000000u ? key & 0x7fffffffu : ~key;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#endif
