/* SPDX-License-Identifier: BSD-3-Clause
 *
 * verify.h: checks the labels of clump_ec by their defining properties instead of a second answer. It sweeps along one
 * axis, so clouds that are too large for the oracle can be checked.
 */
#ifndef CLUMP_TESTS_VERIFY_H
#define CLUMP_TESTS_VERIFY_H

#include <clump/clump.h>

/* Returns whether `labels` and `clusters` are what clump_ec must return: neighbours have equal labels; a cluster is
 * connected; noise is what is left out or outside the size limits; the numbers are 0, 1, 2 ... in the right order.
 * If not, *why names the error. options may be null for the defaults. Time: n times the number of points within d
 * along the axis. */
bool verify_ec(clump_points points, float d, const clump_ec_options *options, const int32_t *labels, int32_t clusters,
               clump_message *why);

#endif
