/* SPDX-License-Identifier: BSD-3-Clause
 *
 * detect_reference.h: clump_detect by the separate calls, as clump.h defines it. The steps that have no call of their own
 * are plain code: the region in double, thinning by comparing with all representatives, limits and order of carried
 * labels. For points in host memory.
 */
#ifndef CLUMP_TESTS_DETECT_REFERENCE_H
#define CLUMP_TESTS_DETECT_REFERENCE_H

#include <clump/clump.h>

typedef struct detect_reference {
    int32_t *labels;
    clump_cluster *clusters; /* as many as there are, and one more */
    int32_t count;
    size_t finite, masked, noise, ground, thinned;
    float ground_level;
} detect_reference;

/* Returns whether clusters ignore z. */
bool reference_two_d(const clump_detect_options *o);

/* Returns whether the used coordinates are finite. */
bool reference_finite(const float *p, bool two_d);

/* Returns whether a point is in the region; one that is not finite is, unless a coordinate is outside. */
bool reference_in_region(const clump_detect_options *o, const float *p);

/* Size limits and order, by counting. */
int32_t reference_finish(int32_t *labels, size_t count, int32_t found, clump_order order, size_t least, size_t most);

/* Runs the separate calls on a CPU context. The caller releases the result. */
detect_reference reference_detect(clump_context *ctx, clump_points points, const clump_detect_options *o);
void reference_release(detect_reference *r);

#endif
