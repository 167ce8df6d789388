/* SPDX-License-Identifier: BSD-3-Clause
 *
 * columns.h: the columns of an assignment, sorted by place, for the question which of them are near a row.
 *
 *     by x, then in slabs by y     | slab | slab | ...      about as many slabs as a slab has leaves
 *     leaves                       16 columns that follow each other
 *     boxes                        a binary tree above the leaves: node n has the children 2 n and 2 n + 1
 *
 * The tree is balanced whatever the places are. It depends on the places alone, and on the numbers of columns in equal
 * places.
 */
#ifndef CLUMP_HOST_COLUMNS_H
#define CLUMP_HOST_COLUMNS_H

#include "host/assign.h"

#include "common/sort.h"

enum { CLUMP_COLUMNS_LEAF = 16, CLUMP_COLUMNS_MOST = 32 }; /* columns of a leaf; pairs that a row can have */

/* Columns and boxes that a search for `room` more pairs looks at, about. Where places are even, 100 are enough for 4 pairs, and
 * 250 for 32. KITTI frames in 13,000 pieces need up to 1000 for 20. */
#define CLUMP_COLUMNS_LOOKS(room) (256 + 40 * (uint64_t)(room))

typedef struct clump_column_box {
    float lower[2], upper[2];
    uint32_t first; /* the lowest number of its columns */
} clump_column_box;

typedef struct clump_columns {
    size_t count;       /* columns that have a place */
    size_t leaves;      /* of the tree: a power of two */
    float (*places)[2]; /* leaf after leaf */
    uint32_t *numbers;  /* of the columns in that order */
    clump_column_box *boxes;
    uint64_t looks; /* of all searches so far; for tests */
} clump_columns;

/* Returns the bytes of memory that the columns need: a multiple of 8. */
size_t clump_columns_bytes(int32_t columns);

/* Sorts the columns of a job. memory is aligned to 8 bytes; scratch is for two pairs per column. */
void clump_columns_sort(clump_columns *c, const clump_assign_job *job, void *memory, clump_pair *scratch);

/* The pairs of a row so far. */
typedef struct clump_columns_list {
    uint64_t *pairs; /* cost x 2^32 + column */
    size_t count;
    double square;   /* of the distance of the last one; */
    uint32_t number; /* its column */
} clump_columns_list;

/* Continues the list of a row's pairs as assign.h defines them, up to `room` of them. Costs ascend; in the part that is added,
 * pairs of equal cost ascend by column. Returns how many were added. */
size_t clump_columns_near(clump_columns *c, const clump_assign_job *job, int32_t row, size_t room,
                          clump_columns_list *list);

#endif
