/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hard_floats.h: random numbers of several kinds that arithmetic goes wrong with.
 */
#ifndef CLUMP_TESTS_HARD_FLOATS_H
#define CLUMP_TESTS_HARD_FLOATS_H

#include "support/random.h"
#include "rules/float_key.h"

#include <math.h>

static inline float check_hard_float(int kind, uint64_t *random)
{
    const float u = check_random_float(random) - 0.3f;
    if (kind == 1) return floorf(u * 8); /* many equal, many on a line */
    if (kind == 2) return u * 1e30f;
    if (kind == 3) return u * 1e-42f; /* denormal */
    if (kind == 4) return check_random(random) % 2 ? 0.0f : -0.0f;
    if (kind == 5) return 1e6f + u; /* far away */
    if (kind == 6) return clump_float_of_key((uint32_t)(check_random(random) % 0xfd000000u) + 0x01000000u);
    return u * 40;
}

#endif
