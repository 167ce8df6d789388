/* SPDX-License-Identifier: BSD-3-Clause
 *
 * float_key.h: unsigned integers in the order of the floats, for sorting, selecting and atomic minima by bits.
 * Compiled by the C compiler and by nvcc. The key of -0 comes right before that of 0; add 0 to a value to make them equal.
 */
#ifndef CLUMP_RULES_FLOAT_KEY_H
#define CLUMP_RULES_FLOAT_KEY_H

#include "rules/distance.h"

#include <stdint.h>
#include <string.h>

CLUMP_RULE uint32_t clump_key_of_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

CLUMP_RULE float clump_float_of_key(uint32_t key)
{
    const uint32_t bits = key & 0x80000000u ? key & 0x7fffffffu : ~key;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#endif
