/* SPDX-License-Identifier: BSD-3-Clause
 *
 * joint.h: what joint*.c share: a cloud in pieces that are all in memory.
 *
 *     joint.c         the public calls
 *     joint_merge.c   which provisional labels of pieces are one cluster; first points and sizes
 *     joint_number.c  the numbers of the clusters
 */
#ifndef CLUMP_CORE_JOINT_H
#define CLUMP_CORE_JOINT_H

#include "joint/piece.h"

#include <pthread.h>

/* A piece that has been added. Its memory is from the context that added it. */
typedef struct clump_joint_part {
    struct clump_joint_part *before; /* the part that was added before */
    clump_allocator memory;
    size_t bytes; /* of this struct, the labels and the indices */
    clump_piece *piece;
    int64_t number;
    size_t base;      /* the place of its provisional labels in `numbers` */
    int64_t *indices; /* Euclidean clustering: of the own points, all of which may be in a rim; else null */
    int32_t *labels;  /* provisional, one per own point */
} clump_joint_part;

struct clump_joint {
    clump_work home; /* holds the memory of the joint, and the message of a failure that concerns it */
    clump_joint_settings settings;
    pthread_mutex_t lock;   /* of everything below */
    clump_joint_part *last; /* the part that was added last */
    int64_t part_count;
    bool finished;
    clump_buffer parts;   /* after the merge: pointers to the parts, by number */
    clump_buffer numbers; /* after the merge: int64, the label of each provisional label, part by part */
    int64_t clusters;
};

/* Merges the pieces: fills numbers and clusters. Memory is the joint's. `parts` is filled. */
clump_status clump_joint_merge(clump_joint *joint);

/* The provisional labels of all pieces as nodes of a union-find. */
typedef struct clump_joint_nodes {
    size_t count;
    size_t *parent;
    const int64_t *first, *size; /* of roots; first INT64_MAX: no core point */
} clump_joint_nodes;

/* Returns the root of a node. */
static inline size_t clump_joint_find(size_t *parent, size_t i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]]; /* halves the path */
        i = parent[i];
    }
    return i;
}

/* Numbers the clusters within the limits of the settings, and writes the number of every node. */
clump_status clump_joint_number(clump_work *work, const clump_joint_settings *settings, const clump_joint_nodes *nodes,
                                int64_t *numbers, int64_t *clusters);

#endif
