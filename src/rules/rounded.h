/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rounded.h: arithmetic that the C compiler and nvcc round alike. Every step is rounded and no two are fused: the host
 * is compiled with -ffp-contract=off, the device uses the _rn intrinsics.
 */
#ifndef CLUMP_RULES_ROUNDED_H
#define CLUMP_RULES_ROUNDED_H

#include "rules/distance.h"

#include <math.h>

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

CLUMP_RULE double clump_double_sqrt(double a)
{
#if defined(__CUDA_ARCH__)
    return __dsqrt_rn(a);
#else
    return sqrt(a);
#endif
}

#endif
