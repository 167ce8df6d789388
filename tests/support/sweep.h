/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sweep.h: what the checkers of answers share. Points are sorted along one axis: all neighbours of a point lie near it
 * in this order.
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

/* Calls f for every pair of neighbours, until f returns false; returns whether it never did. or_equal as in
 * oracle_neighbours(). Along the axis float32 differences and their squares only grow, and a sum is no smaller than its
 * parts: behind the largest bound there are no neighbours. */
bool sweep_pairs(clump_points points, float d, const clump_ec_options *options, bool or_equal, const sweep_entry *line,
                 size_t n, bool (*f)(void *user, size_t i, size_t j), void *user);

/* Returns the root of i in a union-find array, and shortens the path to it. */
size_t sweep_root(size_t *parent, size_t i);

/* Writes why an answer is wrong, and returns false. */
bool sweep_wrong(clump_message *why, const char *format, ...);

/* Checks that every number below `clusters` is used, and that they are in the order asked for. root[c] is the
 * component of number c, SIZE_MAX: unused; size[root] its points; first[c] the index that orders clusters of one
 * size. */
bool sweep_check_numbers(clump_order order, int32_t clusters, const size_t *root, const size_t *size,
                         const size_t *first, clump_message *why);

#endif
