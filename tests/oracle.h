/* SPDX-License-Identifier: BSD-3-Clause
 *
 * oracle.h: Euclidean clustering once more, by comparing all pairs. Shares nothing with the library
 * but the types in its header, so that what both get wrong would have to be got wrong twice.
 */
#ifndef CLUMP_TESTS_ORACLE_H
#define CLUMP_TESTS_ORACLE_H

#include <clump/clump.h>

/* Coordinates of point i: a pointer to two floats, or three where the z is used. */
const float *oracle_point(clump_points points, size_t i);

/* Whether point i is finite in what is used of it, and not masked out. options may be null. */
bool oracle_takes_part(clump_points points, const clump_ec_options *options, size_t i);

/* The definition: each step rounded to float32, strictly less. */
bool oracle_near(const float *a, const float *b, float d, bool two_d);

/* The square that a point's distances are compared with: that of d, or of what d has grown to there. */
float oracle_bound(const float *p, float d, const clump_ec_options *options);

/* Whether two points are neighbours by the options, a radius that grows included: below the smaller of their bounds,
 * or, or_equal, at it. */
bool oracle_neighbours(const float *a, const float *b, float d, const clump_ec_options *options, bool or_equal);

/* Labels as clump_ec defines them, in time n^2; returns the number of clusters. options may be null
 * for the defaults; its method is ignored. */
int32_t oracle_ec(clump_points points, float d, const clump_ec_options *options, int32_t *labels);

#endif
