/* SPDX-License-Identifier: BSD-3-Clause
 *
 * oracle.h: an independent implementation of Euclidean clustering that compares all pairs. It shares only the types of
 * the public header with the library, so an error would have to be made twice to stay hidden.
 */
#ifndef CLUMP_TESTS_ORACLE_H
#define CLUMP_TESTS_ORACLE_H

#include <clump/clump.h>

/* Returns the coordinates of point i: two floats, or three where z is used. */
static inline const float *oracle_point(clump_points points, size_t i)
{
    const size_t stride = points.stride ? points.stride : 12;
    return (const float *)(const void *)((const char *)points.xyz + i * stride);
}

/* Returns whether the used coordinates of point i are finite and the mask includes it. options may be null. */
bool oracle_takes_part(clump_points points, const clump_ec_options *options, size_t i);

/* Returns whether two points are neighbours by definition: each step rounded to float32, strictly less. */
bool oracle_near(const float *a, const float *b, float d, bool two_d);

/* Returns the square of the radius of a point: of d, or of the radius that eps_per_metre gives it. */
float oracle_bound(const float *p, float d, const clump_ec_options *options);

/* Returns whether two points are neighbours by the options, eps_per_metre included: their squared distance is below the
 * smaller of their bounds, or with or_equal at most that. */
bool oracle_neighbours(const float *a, const float *b, float d, const clump_ec_options *options, bool or_equal);

/* Computes the labels of clump_ec in time n^2 and returns the number of clusters. options may be null for the
 * defaults; the method is ignored. */
int32_t oracle_ec(clump_points points, float d, const clump_ec_options *options, int32_t *labels);

#endif
