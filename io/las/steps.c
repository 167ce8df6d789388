/* SPDX-License-Identifier: BSD-3-Clause
 *
 * steps.c: the coordinates of a cloud as whole steps from the lower corner of its box.
 *
 *     file    X Y Z, integers            step of the file: the least scale
 *     floats  (X - lower) x multiple     float32 holds whole numbers up to 2^24
 *
 * The differences of two points are then exact in float32. A clustering of them does not depend on the place of the box,
 * nor on the offset of the file. Clouds without integers are rounded to a step that the caller chooses.
 */
#include "las/las_steps.h"

#include "common/assert.h"

#include <math.h>
#include <string.h>

#define STEPS_FARTHEST 0x1p53 /* whole numbers up to here are doubles */

/* A cloud, and how its coordinates become whole numbers. */
typedef struct converter {
    const clump_cloud *cloud;
    const uint8_t *mask;
    int axes; /* 2: z takes no part */
    double step;
    double multiple[3]; /* steps per integer of the file; 0: coordinates are rounded */
} converter;

/* --- the common step -------------------------------------------------------------------------- */

bool clump_io_step_multiple(double scale, double step, double *multiple)
{
    CLUMP_ASSERT(step > 0);
    const double quotient = scale / step, whole = rint(quotient);
    *multiple = whole;
    return fabs(whole) >= 1 && fabs(whole) <= 0x1p20 && fabs(quotient - whole) <= 0x1p-40 * fabs(whole);
}

bool clump_io_common_step(const double scale[3], double *step, double multiple[3])
{
    *step = fmin(fabs(scale[0]), fmin(fabs(scale[1]), fabs(scale[2])));
    bool common = isfinite(*step) && *step > 0;
    for (int a = 0; a < 3 && common; a++) common = clump_io_step_multiple(scale[a], *step, &multiple[a]);
    return common;
}

double clump_cloud_step(const clump_cloud *cloud)
{
    double step, multiple[3];
    return cloud && cloud->grid.on && clump_io_common_step(cloud->grid.scale, &step, multiple) ? step : 0;
}

float clump_steps_distance(float d, double step)
{
    const double steps = (double)d / step, whole = rint(steps);
    return (float)(whole * step) == d ? (float)whole : (float)steps;
}

double clump_cloud_loss(const clump_cloud *cloud)
{
    double loss = 0;
    for (size_t a = 0; a < 3 && cloud && cloud->grid.on; a++) {
        float farthest = 0;
        for (size_t i = 0; i < cloud->count; i++) {
            const float offset = fabsf(cloud->xyz[3 * i + a]);
            farthest = offset > farthest && isfinite(offset) ? offset : farthest;
        }
        if ((double)farthest >= 0x1p24 * fabs(cloud->grid.scale[a]))
            loss = fmax(loss, ldexp(1, ilogb((double)farthest) - 24));
    }
    return loss;
}

/* --- coordinates ------------------------------------------------------------------------------ */

enum { STEPS_AT_ONCE = 1024 }; /* points that are converted at a time */

/* Writes the whole numbers of points [first, first + count) and returns how many coordinates are not the cloud's own. */
static size_t convert(const converter *c, size_t first, size_t count, double *steps)
{
    CLUMP_ASSERT(first + count <= c->cloud->count && c->step > 0);
    const clump_cloud *const cloud = c->cloud;
    const clump_io_grid *const g = &cloud->grid;
    const bool wide = clump_io_is_wide(cloud);
    size_t moved = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t a = 0; a < 3; a++) {
            const size_t at = 3 * (first + i) + a;
            double *const to = &steps[3 * i + a];
            if (c->multiple[a] != 0) {
                const double coarse = cloud->origin[a] + (double)cloud->xyz[at];
                double whole = rint((coarse - g->offset[a]) / g->scale[a]);
                if (g->steps && (float)(g->steps[at] * g->scale[a] + g->offset[a] - cloud->origin[a]) == cloud->xyz[at])
                    whole = g->steps[at]; /* the caller has not changed the coordinate */
                *to = whole * c->multiple[a];
                continue;
            }
            const double value = clump_io_coordinate(cloud, first + i, (int)a);
            *to = rint(value / c->step);
            const double again = *to * c->step;
            moved += (int)a < c->axes && isfinite(value) &&
                     (wide ? fabs(again - value) > fabs(value) * 0x1p-50 : (float)again != (float)value);
        }
    }
    return moved;
}

static bool is_finite(const converter *c, size_t i)
{
    const float *const p = c->cloud->xyz + 3 * i;
    return isfinite(p[0]) && isfinite(p[1]) && (c->axes == 2 || isfinite(p[2]));
}

/* Finds the box of the points that take part. False: *point and *axis name a coordinate that is too far away. */
static bool find_box(const converter *c, double lower[3], double upper[3], size_t *moved, size_t *point, int *axis)
{
    double steps[3 * STEPS_AT_ONCE];
    for (int a = 0; a < 3; a++) lower[a] = INFINITY, upper[a] = -INFINITY;
    for (size_t first = 0; first < c->cloud->count; first += STEPS_AT_ONCE) {
        const size_t left = c->cloud->count - first, now = left < STEPS_AT_ONCE ? left : STEPS_AT_ONCE;
        *moved += convert(c, first, now, steps);
        for (size_t i = 0; i < now; i++) {
            if ((c->mask && !c->mask[first + i]) || !is_finite(c, first + i)) continue;
            for (int a = 0; a < c->axes; a++) {
                const double step = steps[3 * i + (size_t)a];
                *point = first + i, *axis = a;
                if (!(fabs(step) <= STEPS_FARTHEST)) return false;
                lower[a] = step < lower[a] ? step : lower[a];
                upper[a] = step > upper[a] ? step : upper[a];
            }
        }
    }
    return true;
}

/* Writes the floats. Points that take no part become 0 0 0, or NaN where the point is not finite. */
static void write_floats(const converter *c, const clump_steps *s, float *xyz)
{
    double steps[3 * STEPS_AT_ONCE];
    for (size_t first = 0; first < c->cloud->count; first += STEPS_AT_ONCE) {
        const size_t left = c->cloud->count - first, now = left < STEPS_AT_ONCE ? left : STEPS_AT_ONCE;
        convert(c, first, now, steps);
        for (size_t i = 0; i < now; i++) {
            float *const to = xyz + 3 * (first + i);
            const bool finite = is_finite(c, first + i), taken = finite && (!c->mask || c->mask[first + i]);
            for (int a = 0; a < 3; a++) {
                const double offset = steps[3 * i + (size_t)a] - (double)s->lower[a];
                to[a] = !finite ? NAN : taken && a < c->axes ? (float)offset : 0;
            }
        }
    }
}

/* Chooses between the integers of the file and rounding. */
static clump_status choose(const clump_io_where *where, double step, converter *c)
{
    const clump_io_grid *const g = &c->cloud->grid;
    double own = 0;
    const bool common = g->on && clump_io_common_step(g->scale, &own, c->multiple);
    if (!common) memset(c->multiple, 0, sizeof c->multiple);
    if (step != 0 && !(step > 0 && isfinite(step)))
        return clump_io_fail(where, CLUMP_ERR_ARGUMENT, "the step is %g; it must be above 0", step);
    if (step != 0 && common && step != own)
        return clump_io_fail(where, CLUMP_ERR_ARGUMENT, "the cloud has steps of %.15g, not of %.15g", own, step);
    if (step == 0 && !common && g->on)
        return clump_io_fail(where, CLUMP_ERR_IO_UNSUPPORTED,
                             "the scales of x, y and z are %.15g, %.15g and %.15g, which have no common step",
                             g->scale[0], g->scale[1], g->scale[2]);
    if (step == 0 && !common)
        return clump_io_fail(where, CLUMP_ERR_IO_UNSUPPORTED, "the coordinates are no integers, and no step is given");
    c->step = common ? own : step;
    CLUMP_ASSERT(c->step > 0);
    return CLUMP_OK;
}

clump_status clump_cloud_steps(const clump_cloud *cloud, double step, bool two_d, const uint8_t *mask, float *xyz,
                               clump_steps *out, clump_message *message)
{
    const clump_io_where where = {NULL, message};
    if (message) message->text[0] = 0;
    if (out) *out = (clump_steps){0};
    if (!cloud || !out) return clump_io_fail(&where, CLUMP_ERR_ARGUMENT, "clump_cloud_steps: cloud or out is null");
    converter c = {.cloud = cloud, .mask = mask, .axes = two_d ? 2 : 3};
    CLUMP_IO_TRY(choose(&where, step, &c));
    out->step = c.step;
    double lower[3], upper[3];
    size_t point;
    int axis;
    if (!find_box(&c, lower, upper, &out->moved, &point, &axis))
        return clump_io_fail(&where, CLUMP_ERR_IO_UNSUPPORTED, "point %zu: %c is %g, more than 2^53 steps of %.15g",
                             point, "xyz"[axis], clump_io_coordinate(cloud, point, axis), c.step);
    for (int a = 0; a < 3; a++) {
        const double from = lower[a] <= upper[a] ? lower[a] : 0;
        const double span = lower[a] <= upper[a] ? upper[a] - lower[a] : 0;
        out->lower[a] = (int64_t)from;
        out->span = (double)out->span < span ? (int64_t)span : out->span;
        out->origin[a] =
            c.multiple[a] != 0 ? from / c.multiple[a] * cloud->grid.scale[a] + cloud->grid.offset[a] : from * c.step;
    }
    if (out->span >= CLUMP_STEPS_SPAN)
        return clump_io_fail(&where, CLUMP_ERR_IO_UNSUPPORTED,
                             "the box is %lld steps of %.15g long; float32 holds whole numbers below %d",
                             (long long)out->span, c.step, CLUMP_STEPS_SPAN);
    if (xyz) write_floats(&c, out, xyz);
    return CLUMP_OK;
}
