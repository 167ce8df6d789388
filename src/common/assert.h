/* SPDX-License-Identifier: BSD-3-Clause
 *
 * assert.h: CLUMP_ASSERT(condition) states a precondition that the caller guarantees or an invariant of the code.
 *
 * A debug build (no NDEBUG) checks the condition, prints file, line and condition, and stops. A release build evaluates
 * nothing. Wrong input of users is not an assertion: it gets a status and a sentence.
 */
#ifndef CLUMP_COMMON_ASSERT_H
#define CLUMP_COMMON_ASSERT_H

#if defined(NDEBUG) || defined(__CUDA_ARCH__)
#define CLUMP_ASSERT(condition) ((void)sizeof((condition) ? 1 : 0))
#else
#include <stdio.h>
#include <stdlib.h>
#define CLUMP_ASSERT(condition)                                                                                        \
    ((condition) ? (void)0                                                                                             \
                 : (void)(fprintf(stderr, "%s:%d: assertion failed: %s\n", __FILE__, __LINE__, #condition), abort()))
#endif

#endif
