/* SPDX-License-Identifier: BSD-3-Clause
 *
 * scan_shape.c: see scan_shape.h.
 */
#include "harness/scan_shape.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define SCAN_NEAREST    3.0
#define SCAN_FARTHEST   80.0
#define SCAN_LOWEST     (-32.0) /* degrees */
#define SCAN_PER_DEGREE 2.0     /* bins */
#define SCAN_PER_OCTAVE 4.0     /* bins */
#define SCAN_DEGREES    (180 / 3.14159265358979323846)

const char *scan_measure_name(scan_measure measure)
{
    static const char *const names[SCAN_MEASURES] = {"range", "elevation", "density"};
    return (unsigned)measure < SCAN_MEASURES ? names[measure] : NULL;
}

static size_t bin_of(double value)
{
    if (!(value > 0)) return 0;
    return value < SCAN_BINS - 1 ? (size_t)value : SCAN_BINS - 1;
}

/* Returns the cube of 1 m that has the point, as one number: 10 bits per axis hold 80 m either way. */
static uint32_t cube_of(const float *p)
{
    uint32_t key = 0;
    for (int axis = 0; axis < 3; axis++) key = key << 10 | ((uint32_t)(floor((double)p[axis]) + 512) & 1023);
    return key;
}

static int compare_keys(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Adds the cubes, sorted, to the histogram of densities: each point counts as dense as its cube. */
static void count_densities(uint32_t *cubes, size_t count, double *histogram)
{
    qsort(cubes, count, sizeof *cubes, compare_keys);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && cubes[end] == cubes[i];) end++;
        histogram[bin_of(SCAN_PER_OCTAVE * log2((double)(end - i)) + 1e-9)] += (double)(end - i);
    }
}

bool scan_shape_of(clump_points points, scan_shape *out)
{
    memset(out, 0, sizeof *out);
    uint32_t *const cubes = malloc((points.count ? points.count : 1) * sizeof *cubes);
    if (!cubes) return false;
    const size_t step = points.stride ? points.stride / sizeof(float) : 3;
    for (size_t i = 0; i < points.count; i++) {
        const float *p = points.xyz + i * step;
        const double x = (double)p[0], y = (double)p[1], z = (double)p[2], flat = sqrt(x * x + y * y);
        const double range = sqrt(flat * flat + z * z);
        if (!(range >= SCAN_NEAREST && range <= SCAN_FARTHEST)) continue;
        cubes[out->points++] = cube_of(p);
        out->share[SCAN_RANGE][bin_of(flat)]++;
        out->share[SCAN_ELEVATION][bin_of((atan2(z, flat) * SCAN_DEGREES - SCAN_LOWEST) * SCAN_PER_DEGREE)]++;
    }
    count_densities(cubes, out->points, out->share[SCAN_DENSITY]);
    free(cubes);
    for (int m = 0; m < SCAN_MEASURES && out->points; m++)
        for (int i = 0; i < SCAN_BINS; i++) out->share[m][i] /= (double)out->points;
    return true;
}

double scan_distance(const scan_shape *a, const scan_shape *b, scan_measure measure)
{
    double sum = 0, most = 0;
    for (int i = 0; i < SCAN_BINS; i++) {
        sum += a->share[measure][i] - b->share[measure][i];
        most = fmax(most, fabs(sum));
    }
    return most;
}

double scan_quantile(const scan_shape *shape, scan_measure measure, double share)
{
    double sum = 0, place = SCAN_BINS;
    for (int i = 0; i < SCAN_BINS; i++) {
        const double here = shape->share[measure][i];
        if (sum + here >= share && here > 0) {
            place = i + (share - sum) / here;
            break;
        }
        sum += here;
    }
    if (measure == SCAN_ELEVATION) return place / SCAN_PER_DEGREE + SCAN_LOWEST;
    return measure == SCAN_DENSITY ? exp2(place / SCAN_PER_OCTAVE) : place;
}
