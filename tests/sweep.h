/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sweep.h: points in the order of one axis, for the checkers of answers: whatever is within d of a point
 * lies near it in this order.
 */
#ifndef CLUMP_TESTS_SWEEP_H
#define CLUMP_TESTS_SWEEP_H

#include <clump/clump.h>

typedef struct sweep_entry {
    float at; /* its coordinate along the axis of the sweep */
    size_t index;
} sweep_entry;

/* The points that take part, along the axis on which they are spread most; returns their number.
 * line has room for all. options may be null for the defaults. */
size_t sweep_line_up(clump_points points, const clump_ec_options *options, sweep_entry *line);

#endif
