/* SPDX-License-Identifier: BSD-3-Clause
 *
 * las_grid.c: converts the integers X Y Z of the file to coordinates of the cloud, and back.
 *
 *     file    value = step * scale + offset        float64
 *     cloud   xyz   = (float)(value - origin)      origin: lower corner, rounded down to whole units
 *
 * The error of float32:
 * 1. No point is further than L from the origin, where L is the longest side of the box plus less than 1.
 * 2. A float32 of up to L is off by at most half a float32 step at L: 2^(e-24) for 2^e <= L < 2^(e+1). That
 *    is at most L * 2^-24.
 * 3. float64, in which the rest is computed, adds a few times 2^-53 of the value.
 * At 1 km the error is 0.03 mm, at 10 km 0.5 mm.
 *
 * So rounding origin + xyz recovers steps of a millimetre: always in boxes of up to 4 km, mostly up to
 * 16 km. Where the bound does not suffice, every coordinate is checked; if one fails, all steps are kept.
 * In both cases a cloud is written with exactly the integers it was read with.
 */
#include "las/las.h"
#include "common/assert.h"
#include "las/las_steps.h"

#include <math.h>
#include <stdlib.h>

/* Whether the bound above suffices: half a float32 step at the far side of the box, plus the error of float64, is
 * within a quarter of a grid step. */
static bool always_follows(const clump_cloud *cloud, const clump_io_las_summary *summary)
{
    bool follows = cloud->count > 0;
    for (int a = 0; a < 3; a++) {
        const clump_io_grid *g = &cloud->grid;
        const double one = summary->lower[a] * g->scale[a] + g->offset[a];
        const double other = summary->upper[a] * g->scale[a] + g->offset[a];
        const double reach = fmax(fabs(one - cloud->origin[a]), fabs(other - cloud->origin[a]));
        const double largest = fmax(fmax(fabs(one), fabs(other)), fabs(g->offset[a])) + fabs(cloud->origin[a]);
        follows = follows && reach < 1e30 && reach * 0x1p-24 + largest * 0x1p-48 < 0.25 * fabs(g->scale[a]);
    }
    return follows;
}

/* Converts integers, four points per iteration. Twelve constants let vector instructions take two or four coordinates
 * of any axes. */
static void to_floats_untried(float *restrict xyz, const int32_t *restrict steps, size_t points,
                              const clump_cloud *cloud)
{
    double scale[12], offset[12], origin[12];
    for (size_t k = 0; k < 12; k++) {
        scale[k] = cloud->grid.scale[k % 3];
        offset[k] = cloud->grid.offset[k % 3];
        origin[k] = cloud->origin[k % 3];
    }
    size_t i = 0;
    for (; i + 4 <= points; i += 4)
        for (size_t k = 0; k < 12; k++)
            xyz[3 * i + k] = clump_io_las_offset((double)steps[3 * i + k], scale[k], offset[k], origin[k]);
    for (size_t k = 3 * i; k < 3 * points; k++)
        xyz[k] = clump_io_las_offset((double)steps[k], scale[k % 3], offset[k % 3], origin[k % 3]);
}

/* Converts integers. False: one of them does not follow from its float. Computes as clump_io_coordinate() does, but
 * with a product, which is faster than a quotient and differs by less than 2^-19 of a step. So within 0.49 here is
 * within 0.5 there. */
static bool to_floats(float *restrict xyz, const int32_t *restrict steps, size_t points, const clump_cloud *cloud)
{
    const double *s = cloud->grid.scale, *o = cloud->grid.offset, *from = cloud->origin;
    const double inverse[3] = {1 / s[0], 1 / s[1], 1 / s[2]};
    int astray = 0;
    for (size_t i = 0; i < points; i++) {
        for (size_t a = 0; a < 3; a++) {
            const double step = steps[3 * i + a];
            const float offset = clump_io_las_offset(step, s[a], o[a], from[a]);
            const double again = (from[a] + (double)offset - o[a]) * inverse[a];
            astray |= !(fabs(again - step) < 0.49);
            xyz[3 * i + a] = offset;
        }
    }
    return !astray;
}

/* Stores all steps: before `first` computed from floats that were checked, from there on as they are. */
static clump_status keep_steps(const clump_io_where *where, clump_cloud *cloud, size_t first)
{
    CLUMP_ASSERT(first <= cloud->count);
    clump_io_grid *g = &cloud->grid;
    g->steps = clump_io_allocate(cloud->count * 3 * sizeof *g->steps);
    if (!g->steps) return clump_io_no_memory(where, cloud->count * 3 * sizeof *g->steps);
    for (size_t i = 0; i < 3 * first; i++) {
        const double coarse = cloud->origin[i % 3] + (double)cloud->xyz[i];
        g->steps[i] = (int32_t)rint((coarse - g->offset[i % 3]) / g->scale[i % 3]);
    }
    memcpy(g->steps + 3 * first, cloud->xyz + 3 * first, (cloud->count - first) * 3 * sizeof *g->steps);
    return CLUMP_OK;
}

static void choose_origin(clump_cloud *cloud, const clump_io_las_summary *summary)
{
    double lower[3], upper[3];
    for (int a = 0; a < 3; a++) {
        const double one = summary->lower[a] * cloud->grid.scale[a] + cloud->grid.offset[a];
        const double other = summary->upper[a] * cloud->grid.scale[a] + cloud->grid.offset[a];
        lower[a] = cloud->count ? fmin(one, other) : INFINITY; /* a scale may be negative */
        upper[a] = cloud->count ? fmax(one, other) : -INFINITY;
    }
    clump_io_cloud_choose_origin(cloud, lower, upper);
}

clump_status clump_io_las_place(const clump_io_where *where, clump_cloud *cloud, const clump_io_las_header *header,
                                const clump_io_las_summary *summary)
{
    cloud->info.xyz_type = CLUMP_TYPE_I32;
    cloud->grid.on = true;
    memcpy(cloud->grid.scale, header->scale, sizeof header->scale);
    memcpy(cloud->grid.offset, header->offset, sizeof header->offset);
    choose_origin(cloud, summary);
    const bool untried = always_follows(cloud, summary);
    int32_t steps[3 * CLUMP_IO_LAS_RECORDS];
    float floats[3 * CLUMP_IO_LAS_RECORDS];
    for (size_t first = 0; first < cloud->count; first += CLUMP_IO_LAS_RECORDS) {
        const size_t left = cloud->count - first, now = left < CLUMP_IO_LAS_RECORDS ? left : CLUMP_IO_LAS_RECORDS;
        memcpy(steps, cloud->xyz + 3 * first, 3 * now * sizeof *steps);
        if (untried) {
            to_floats_untried(floats, steps, now, cloud);
        } else if (!to_floats(floats, steps, now, cloud) && !cloud->grid.steps) {
            CLUMP_IO_TRY(keep_steps(where, cloud, first));
        }
        memcpy(cloud->xyz + 3 * first, floats, 3 * now * sizeof *floats);
    }
    return CLUMP_OK;
}

/* --- back ----------------------------------------------------------------------------------- */

/* A stored step is used as long as it still gives its float. A coordinate that the caller has changed is rounded to
 * the grid. */
bool clump_io_las_steps(const clump_cloud *cloud, const clump_io_las_header *header, size_t first, size_t count,
                        int32_t *steps, size_t *point, int *axis)
{
    CLUMP_ASSERT(first <= cloud->count && count <= cloud->count - first);
    const double *s = header->scale, *o = header->offset, *from = cloud->origin;
    const int32_t *kept = cloud->grid.steps;
    for (size_t i = 0; i < count; i++) {
        for (size_t a = 0; a < 3; a++) {
            const size_t at = 3 * (first + i) + a;
            const double value =
                cloud->exact ? clump_io_coordinate(cloud, first + i, (int)a) : from[a] + (double)cloud->xyz[at];
            double step = rint((value - o[a]) / s[a]);
            if (kept && (float)(kept[at] * s[a] + o[a] - from[a]) == cloud->xyz[at]) step = kept[at];
            if (!(step >= INT32_MIN && step <= INT32_MAX)) {
                *point = first + i;
                *axis = (int)a;
                return false;
            }
            steps[3 * i + a] = (int32_t)step;
        }
    }
    return true;
}
