/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nn_azimuth.h: points in partitions by azimuth, each searched exhaustively. One partition is the method `brute`.
 */
#ifndef CLUMP_CPU_NN_NN_AZIMUTH_H
#define CLUMP_CPU_NN_NN_AZIMUTH_H

#include "cpu/nn/nn_find.h"

typedef struct clump_azimuth_parts {
    int partitions, window;
    size_t count;
    clump_tree_point *points; /* by partition, then by index */
    uint32_t *begin;          /* first point of each partition; partitions + 1 entries */
    clump_buffer point_memory, begin_memory;
} clump_azimuth_parts;

clump_status clump_azimuth_build(clump_context *home, clump_azimuth_parts *parts, clump_view view, int partitions,
                                 int window);
void clump_azimuth_find(const clump_azimuth_parts *parts, clump_find *find);
void clump_azimuth_release(clump_context *home, clump_azimuth_parts *parts);

#endif
