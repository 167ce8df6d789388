/* SPDX-License-Identifier: BSD-3-Clause
 *
 * yard.h: a cloud to register.
 */
#ifndef CLUMP_TESTS_YARD_H
#define CLUMP_TESTS_YARD_H

#include "support/check.h"

#include <math.h>

/* Ground, two walls and posts, 20 m wide, about `at`: what a sensor sees of a yard. */
static inline void make_yard(float *xyz, size_t count, const double at[3], uint64_t *random)
{
    for (size_t i = 0; i < count; i++) {
        const double u = (double)check_random_float(random), v = (double)check_random_float(random);
        const double w = (double)check_random_float(random);
        double p[3] = {20 * u, 20 * v, 0};
        if (i % 4 == 1) p[0] = 0, p[2] = 4 * w;
        if (i % 4 == 2) p[1] = 20, p[2] = 4 * w;
        if (i % 4 == 3) p[0] = floor(5 * u) * 4 + 0.3 * v, p[1] = 4 * floor(5 * w) + 0.3 * v, p[2] = 3 * v;
        for (size_t k = 0; k < 3; k++) xyz[3 * i + k] = (float)(at[k] + p[k]);
    }
}

#endif
