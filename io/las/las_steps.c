/* SPDX-License-Identifier: BSD-3-Clause
 *
 * las_steps.c: see las_steps.h.
 *
 * Scales and offsets are decimal numbers that float64 rounds: 0.01 / 0.001 is 10.000000000000002. So a ratio counts as
 * whole where it is whole but for such rounding:
 *
 *     scales    within 2^-40 of the multiple: X is below 2^31, so a coordinate is off by less than 2^-9 of a step
 *     offsets   within 2^-10 of a step, or the rounding of their quotient where that is more
 */
#include "las/las_steps.h"

#include "common/assert.h"

#include <math.h>

#define STEPS_SCALE_SLACK  0x1p-40
#define STEPS_OFFSET_SLACK 0x1p-10
#define STEPS_FAR          0x1p52

void clump_io_las_steps_least(clump_io_las_steps_rule *rule, const double scale[3])
{
    CLUMP_ASSERT(isfinite(scale[0]) && isfinite(scale[1]) && isfinite(scale[2]));
    CLUMP_ASSERT(scale[0] != 0 && scale[1] != 0 && scale[2] != 0);
    for (int a = 0; a < 3; a++)
        if (rule->step == 0 || fabs(scale[a]) < rule->step) rule->step = fabs(scale[a]);
}

/* Whether the offset is whole steps from that of the first file; *steps is how many. */
static bool is_whole_apart(double offset, double first, double step, double *steps)
{
    const double apart = (offset - first) / step;
    const double rounding = (fabs(offset) + fabs(first)) / step * 0x1p-51;
    const double slack = rounding > STEPS_OFFSET_SLACK ? rounding : STEPS_OFFSET_SLACK;
    *steps = rint(apart);
    return slack <= 0.25 && fabs(apart - *steps) <= slack;
}

clump_io_las_steps_end clump_io_las_steps_place_file(clump_io_las_steps_rule *rule, const double scale[3],
                                                     const double offset[3], clump_io_las_steps_place *place, int *axis)
{
    for (int a = 0; a < 3 && !rule->placed; a++) rule->offset[a] = offset[a];
    rule->placed = true;
    for (int a = 0; a < 3; a++) {
        const double multiple = rint(scale[a] / rule->step), first = rint(rule->offset[a] / rule->step);
        double apart = 0;
        *axis = a;
        if (!(fabs(scale[a] / rule->step - multiple) <= fabs(multiple) * STEPS_SCALE_SLACK))
            return CLUMP_IO_LAS_STEPS_SCALE;
        if (!(fabs(offset[a] / rule->step) + fabs(multiple) * 0x1p31 < STEPS_FAR)) return CLUMP_IO_LAS_STEPS_FAR;
        if (offset[a] != rule->offset[a] && !is_whole_apart(offset[a], rule->offset[a], rule->step, &apart))
            return CLUMP_IO_LAS_STEPS_OFFSET;
        place->base[a] = (int64_t)first + (int64_t)apart;
        place->multiple[a] = (int64_t)multiple;
    }
    return CLUMP_IO_LAS_STEPS_FIT;
}
