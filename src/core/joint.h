/* SPDX-License-Identifier: BSD-3-Clause
 *
 * joint.h: what joint.c and joint_merge.c share: a cloud in pieces that are all in memory.
 */
#ifndef CLUMP_CORE_JOINT_H
#define CLUMP_CORE_JOINT_H

#include "core/piece.h"

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
    clump_context home; /* holds the memory of the joint, and the message of a failure that concerns it */
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

#endif
