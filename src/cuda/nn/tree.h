/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tree.h: a tree of boxes over a cloud on the GPU, for searches around any point. Points lie in the order of a
 * space-filling curve. 32 consecutive points have a box, 32 consecutive boxes have a box, and so on:
 *
 *     points    p p p ... | p p p ... | p p p ... |      32 each
 *     boxes        [ ]         [ ]         [ ]           32 of these ...
 *                  [             ]                       ... in one, up to at most 32 at the top
 *
 * There are no pointers: child c of box b is number 32 b + c of the level below. A warp searches, one child per lane: its
 * lanes do not diverge, and their loads are adjacent. The layout of the boxes changes the time, never the result.
 */
#ifndef CLUMP_CUDA_NN_TREE_H
#define CLUMP_CUDA_NN_TREE_H

#include "cuda/gpu/transfer.h"

enum {
    CLUMP_TREE_FAN = 32,  /* children per box: the lanes of a warp */
    CLUMP_TREE_LEVELS = 6 /* 32^7 is above the largest number of points */
};

/* Two float4, which a thread loads in one instruction each. */
typedef struct clump_tree_box {
    float4 first;  /* lower x y z, upper x */
    float4 second; /* upper y z, the smallest index in it as bits, unused */
} clump_tree_box;

/* The part of a tree that kernels read. */
typedef struct clump_tree_view {
    const float4 *points; /* w: the index, as bits. Points that are not finite are NaN, at the end */
    const clump_tree_box *boxes[CLUMP_TREE_LEVELS]; /* boxes[0] are around points */
    uint32_t counts[CLUMP_TREE_LEVELS];
    uint32_t levels, count; /* levels 0: no points */
    const uint32_t *finite; /* number of finite points, in GPU memory */
} clump_tree_view;

/* A tree. Memory stays between builds; zeroed is valid. */
typedef struct clump_cuda_tree {
    clump_device_buffer points, boxes;
    clump_tree_view view;
} clump_cuda_tree;

/* Scratch memory of builds. */
typedef struct clump_tree_scratch {
    clump_device_buffer keys, sorted, sort, borders;
} clump_tree_scratch;

/* Puts a build on the stream. `home` allocates the tree's memory on `keeper`, `work` the scratch memory on `cuda`. Both have
 * the same stream during a build. The number of finite points goes to *finite in GPU memory, which the tree keeps using. */
clump_status clump_cuda_tree_build(clump_work *work, clump_cuda *cuda, clump_tree_scratch *scratch, clump_work *home,
                                   clump_cuda *keeper, clump_cuda_tree *tree, const clump_cloud_view *cloud,
                                   uint32_t *finite);

#endif
