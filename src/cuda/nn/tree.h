/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tree.h: a tree of boxes over a cloud on the GPU, for searches around points anywhere. Points lie in the order
 * of a curve that fills space; every 32 that follow each other have a box, every 32 boxes have one, and so on:
 *
 *     points    p p p ... | p p p ... | p p p ... |      32 each
 *     boxes        [ ]         [ ]         [ ]           32 of these ...
 *                  [             ]                       ... in one, up to at most 32 at the top
 *
 * No pointers: child c of box b is number 32 b + c of the level below. A warp searches, a lane a child; nothing
 * diverges, and what it loads lies side by side. Where the boxes lie well or badly changes the time, never the result.
 */
#ifndef CLUMP_CUDA_NN_TREE_H
#define CLUMP_CUDA_NN_TREE_H

#include "cuda/gpu/transfer.h"

enum { CLUMP_TREE_FAN = 32, CLUMP_TREE_LEVELS = 6 }; /* 32^7 is more than there can be */

/* As two float4 for whoever loads it. */
typedef struct clump_tree_box {
    float4 first;  /* lower x y z, upper x */
    float4 second; /* upper y z, the least index in it as bits, - */
} clump_tree_box;

/* What kernels need. */
typedef struct clump_tree_view {
    const float4 *points; /* w: the index, as bits. Those that are not finite are NaN, at the end */
    const clump_tree_box *boxes[CLUMP_TREE_LEVELS]; /* the first of them around points */
    uint32_t counts[CLUMP_TREE_LEVELS];
    uint32_t levels, count; /* levels 0: no points at all */
    const uint32_t *finite; /* of the points, where the GPU has it */
} clump_tree_view;

/* What a tree keeps, and what its build needs besides. Memory stays between builds; zeroed is valid. */
typedef struct clump_cuda_tree {
    clump_device_buffer points, boxes;
    clump_tree_view view;
} clump_cuda_tree;

typedef struct clump_tree_scratch {
    clump_device_buffer keys, sorted, sort, borders;
} clump_tree_scratch;

/* Puts the build on the stream. The tree's memory is taken by `home` from `keeper`, scratch by ctx from cuda; both have
 * the same stream now. The number of finite points goes to *finite on the GPU, which stays there. */
clump_status clump_cuda_tree_build(clump_context *ctx, clump_cuda *cuda, clump_tree_scratch *scratch,
                                   clump_context *home, clump_cuda *keeper, clump_cuda_tree *tree,
                                   const clump_cloud_view *cloud, uint32_t *finite);
void clump_cuda_tree_release(clump_context *home, clump_cuda *keeper, clump_cuda_tree *tree);
void clump_tree_scratch_release(clump_context *ctx, clump_cuda *cuda, clump_tree_scratch *scratch);

/* Puts a search on the stream: for every query the nearest point within `bound` (d2 <= bound), of several the one with
 * the smallest index; -1 and infinity where there is none. d2 may be null. */
clump_status clump_cuda_tree_nearest(clump_context *ctx, clump_cuda *cuda, const clump_tree_view *tree,
                                     const clump_cloud_view *queries, float bound, int32_t *indices, float *d2);

#endif
