/* SPDX-License-Identifier: BSD-3-Clause
 *
 * steps.h: when axes and files of integer coordinates have a common step. The cloud in memory and the reader of blocks
 * follow the same rule.
 */
#ifndef CLUMP_IO_STEPS_H
#define CLUMP_IO_STEPS_H

#include "format.h"

/* Whether a scale is a whole multiple of the step, up to 2^20. Its sign is that of *multiple. Decimal scales such as 0.01
 * and 0.001 are no doubles: their quotient may differ from a whole number by 2^-40 of it. Over the 2^32 integers of a file
 * that is less than 2^-8 of a step. */
bool clump_io_step_multiple(double scale, double step, double *multiple);

/* Finds the least of three scales, if the others are multiples of it. False: they have no common step. */
bool clump_io_common_step(const double scale[3], double *step, double multiple[3]);

#endif
