/* SPDX-License-Identifier: BSD-3-Clause
 *
 * eval_case.h: labellings made by hand, for the tests of `clump eval`.
 */
#ifndef CLUMP_TESTS_EVAL_CASE_H
#define CLUMP_TESTS_EVAL_CASE_H

#include "support/check.h"

#include "eval/eval.h"

#include <clump/clump.h>

#include <math.h>

/* Writes `value` n times and returns the position behind it. */
static inline int32_t *put(int32_t *to, int n, int32_t value)
{
    for (int i = 0; i < n; i++) *to++ = value;
    return to;
}

static inline cli_eval_result measure(const int32_t *labels, const int32_t *truth, size_t count, size_t min_size)
{
    cli_eval_result result;
    const cli_eval_input in = {.count = count, .labels = labels, .truth = truth, .min_size = min_size, .band = 10};
    CHECK(cli_eval_measure(&in, &result));
    return result;
}

static inline bool near(double value, double expected)
{
    return fabs(value - expected) < 1e-12;
}

#endif
