/* SPDX-License-Identifier: BSD-3-Clause
 *
 * las_steps.h: the step that the axes of one or several LAS files have in common.
 *
 *     file    coordinate = scale x X + offset             per axis and file
 *     common  coordinate = step x v + rest                v = base + multiple x X, an int64
 *
 * The step is the least scale of all axes and files. Every other scale must be a whole multiple of it, and the offsets
 * of two files must be apart by whole steps, along every axis. base is the offset in steps, rounded; `rest` is what the
 * rounding leaves of it: less than a step, and along one axis the same in all files. So differences of two v are exact.
 *
 *     clump_io_las_steps_rule rule = {0};
 *     for each file: clump_io_las_steps_least(&rule, scale);
 *     for each file: clump_io_las_steps_place_file(&rule, scale, offset, &place, &axis)
 */
#ifndef CLUMP_IO_LAS_STEPS_H
#define CLUMP_IO_LAS_STEPS_H

#include "format.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct clump_io_las_steps_rule {
    double step;      /* the least scale; 0: no file yet */
    double offset[3]; /* of the first file that was placed */
    bool placed;      /* a file was placed */
} clump_io_las_steps_rule;

/* Where the integers of a file lie: v = base + multiple x X. */
typedef struct clump_io_las_steps_place {
    int64_t base[3], multiple[3];
} clump_io_las_steps_place;

typedef enum clump_io_las_steps_end {
    CLUMP_IO_LAS_STEPS_FIT,
    CLUMP_IO_LAS_STEPS_SCALE,  /* a scale is no whole multiple of the step */
    CLUMP_IO_LAS_STEPS_OFFSET, /* an offset is not whole steps from that of the first file */
    CLUMP_IO_LAS_STEPS_FAR     /* coordinates of 2^52 steps and more are possible */
} clump_io_las_steps_end;

/* Takes the scales of a file into account: all files first, then the places. Scales are finite and not 0. */
void clump_io_las_steps_least(clump_io_las_steps_rule *rule, const double scale[3]);

/* Computes the place of a file. *axis is the first that does not fit. */
clump_io_las_steps_end clump_io_las_steps_place_file(clump_io_las_steps_rule *rule, const double scale[3],
                                                     const double offset[3], clump_io_las_steps_place *place,
                                                     int *axis);

/* Returns the float32 offset of a coordinate from the origin, in one place for all who need these very bits. */
static inline float clump_io_las_offset(double step, double scale, double offset, double origin)
{
    return (float)(step * scale + offset - origin);
}

/* steps.c: when axes and files of integer coordinates have a common step. The cloud in memory and the reader of blocks
 * follow the same rule. */

/* Whether a scale is a whole multiple of the step, up to 2^20. Its sign is that of *multiple. Decimal scales such as 0.01
 * and 0.001 are no doubles: their quotient may differ from a whole number by 2^-40 of it. Over the 2^32 integers of a file
 * that is less than 2^-8 of a step. */
bool clump_io_step_multiple(double scale, double step, double *multiple);

/* Finds the least of three scales, if the others are multiples of it. False: they have no common step. */
bool clump_io_common_step(const double scale[3], double *step, double multiple[3]);

#endif
