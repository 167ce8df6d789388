/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rounded.h: arithmetic that the C compiler and nvcc round alike. Every step is rounded and no two are fused: the host
 * is compiled with -ffp-contract=off, the device uses the _rn intrinsics.
 */
#ifndef CLUMP_RULES_ROUNDED_H
#define CLUMP_RULES_ROUNDED_H

#include "rules/distance.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#if defined(__CUDA_ARCH__)
#define CLUMP_ROUNDED(type, name, sign, intrinsic)                                                                     \
    CLUMP_RULE type name(type a, type b)                                                                               \
    {                                                                                                                  \
        return intrinsic(a, b);                                                                                        \
    }
#else
#define CLUMP_ROUNDED(type, name, sign, intrinsic)                                                                     \
    CLUMP_RULE type name(type a, type b)                                                                               \
    {                                                                                                                  \
        return a sign b;                                                                                               \
    }
#endif

CLUMP_ROUNDED(float, clump_rn_add, +, __fadd_rn)
CLUMP_ROUNDED(float, clump_rn_sub, -, __fsub_rn)
CLUMP_ROUNDED(float, clump_rn_mul, *, __fmul_rn)
CLUMP_ROUNDED(float, clump_rn_div, /, __fdiv_rn)
CLUMP_ROUNDED(double, clump_double_add, +, __dadd_rn)
CLUMP_ROUNDED(double, clump_double_sub, -, __dsub_rn)
CLUMP_ROUNDED(double, clump_double_mul, *, __dmul_rn)
CLUMP_ROUNDED(double, clump_double_div, /, __ddiv_rn)

#undef CLUMP_ROUNDED

CLUMP_RULE double clump_double_sqrt(double value)
{
#if defined(__CUDA_ARCH__)
    return __dsqrt_rn(value);
#else
    return sqrt(value);
#endif
}

/* Returns the nearest integer, ties to even; |value| is below 2^63. */
CLUMP_RULE int64_t clump_double_round(double value)
{
#if defined(__CUDA_ARCH__)
    return __double2ll_rn(value);
#else
    return llrint(value);
#endif
}

/* Returns 2^exponent; exponent is -1022 ... 1023. */
CLUMP_RULE double clump_double_power(int exponent)
{
    const uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Returns the exponent e of a normal value: 2^e <= |value| < 2^(e + 1). */
CLUMP_RULE int clump_double_exponent(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (int)(bits >> 52 & 2047) - 1023;
}

/* Returns the NaN of all results: the NAN of C, while that of CUDA has other bits. */
CLUMP_RULE float clump_unknown(void)
{
    const uint32_t bits = 0x7fc00000u;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Rounds to float32. What does not fit becomes FLT_MAX or -FLT_MAX. Adding 0 turns -0 into 0. */
CLUMP_RULE float clump_double_to_float(double value)
{
    const double most = 0x1.fffffep127;
    return clump_rn_add((float)(value > most ? most : value < -most ? -most : value), 0.0f);
}

#endif
