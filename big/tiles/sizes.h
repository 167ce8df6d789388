/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sizes.h: how many clusters have which size, and the next number of each size where clusters are ordered by size. There
 * are at most sqrt(2 n) different sizes among n points.
 */
#ifndef CLUMP_BIG_SIZES_H
#define CLUMP_BIG_SIZES_H

#include <clump/clump.h>

typedef struct clump_big_size {
    uint64_t size; /* 0: empty slot */
    uint64_t count, next;
} clump_big_size;

typedef struct clump_big_sizes {
    clump_big_size *slots;
    size_t used, capacity; /* capacity: 0 or a power of two */
} clump_big_sizes;

clump_status clump_big_sizes_add(clump_big_sizes *sizes, uint64_t size, clump_message *message);

/* Gives every size its first number: larger sizes first. */
clump_status clump_big_sizes_rank(clump_big_sizes *sizes, clump_message *message);

/* Returns the next number of a size that was added. */
uint64_t clump_big_sizes_take(clump_big_sizes *sizes, uint64_t size);

void clump_big_sizes_release(clump_big_sizes *sizes);

#endif
