/* SPDX-License-Identifier: BSD-3-Clause
 *
 * oracle_erccl.h: an independent implementation of clump_erccl that compares all pairs of cells, as oracle.h for
 * clump_ec. The ground is an input: it has an oracle of its own.
 */
#ifndef CLUMP_TESTS_ORACLE_ERCCL_H
#define CLUMP_TESTS_ORACLE_ERCCL_H

#include <clump/clump.h>

/* Return the number of rows and of columns of the map. */
size_t oracle_erccl_rows(const clump_erccl_options *options);
size_t oracle_erccl_columns(const clump_erccl_options *options);

/* Returns the largest dh of two linked cells that are `rows` and `columns` apart; negative: they are never linked. */
float oracle_erccl_limit(const clump_erccl_options *options, long rows, long columns);

/* Computes row and column of a point; returns false where it is not on the map. */
bool oracle_erccl_cell(const clump_erccl_options *options, const float *point, long *row, long *column);

/* Computes the labels of clump_erccl for the method of the options; returns the number of clusters. ground: null, or
 * the labels of clump_ground with these options and mask. Fills the maps that are not null, except maps->ground. */
int32_t oracle_erccl(clump_points points, const clump_erccl_options *options, const int32_t *ground, int32_t *labels,
                     const clump_erccl_maps *maps);

#endif
