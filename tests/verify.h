/* SPDX-License-Identifier: BSD-3-Clause
 *
 * verify.h: is this a right answer? Checks the properties that define one instead of comparing with
 * a second answer, and by a sweep along one axis, so that clouds too large for the oracle can be checked.
 */
#ifndef CLUMP_TESTS_VERIFY_H
#define CLUMP_TESTS_VERIFY_H

#include <clump/clump.h>

/* True when `labels` and `clusters` are what clump_ec must return: neighbours have one label, a
 * cluster hangs together, noise is what is left out or outside the size limits, and the numbers
 * are 0, 1, 2 ... in the order asked for. Else false, and *why says what is wrong. options may be
 * null for the defaults. Time n times the points within d along that axis. */
bool verify_ec(clump_points points, float d, const clump_ec_options *options, const int32_t *labels, int32_t clusters,
               clump_message *why);

#endif
