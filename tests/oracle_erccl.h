/* SPDX-License-Identifier: BSD-3-Clause
 *
 * oracle_erccl.h: obstacles on the elevation map once more, by comparing all pairs of cells, as oracle.h does for
 * clump_ec. Which points are ground it is told: that has an oracle of its own.
 */
#ifndef CLUMP_TESTS_ORACLE_ERCCL_H
#define CLUMP_TESTS_ORACLE_ERCCL_H

#include <clump/clump.h>

/* Cells along a side of the map. */
size_t oracle_erccl_side(const clump_erccl_options *options);

/* The largest dh of two cells so many rows and columns apart that are alike; negative: they never are. */
float oracle_erccl_limit(const clump_erccl_options *options, long rows, long columns);

/* Row and column of a point; false where it has none. */
bool oracle_erccl_cell(const clump_erccl_options *options, const float *point, long *row, long *column);

/* Labels as clump_erccl defines them for the method of the options; returns the number of clusters. ground: null, or
 * labels of clump_ground with the same options and mask. maps are filled where they are not null, but for `ground`. */
int32_t oracle_erccl(clump_points points, const clump_erccl_options *options, const int32_t *ground, int32_t *labels,
                     const clump_erccl_maps *maps);

#endif
