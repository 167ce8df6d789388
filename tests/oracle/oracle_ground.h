/* SPDX-License-Identifier: BSD-3-Clause
 *
 * oracle_ground.h: an independent implementation of CLUMP_GROUND_GRID after docs/ground.md: sorted lists, all pairs of
 * tiles, no sweeps, no borders; with the step rule.
 */
#ifndef CLUMP_TESTS_ORACLE_GROUND_H
#define CLUMP_TESTS_ORACLE_GROUND_H

#include <clump/clump.h>

/* Sets labels[i] to CLUMP_GROUND or CLUMP_NOISE, and options->heights[i] unless it is null. At most 32 x 32 tiles; no
 * mask. */
void oracle_ground_grid(const float *xyz, size_t count, const clump_ground_options *options, int32_t *labels);

#endif
