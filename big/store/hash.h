/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hash.h: XXH64 with seed 0 of bytes that come part by part: the hash of all labels, and the checksum of files.
 */
#ifndef CLUMP_BIG_HASH_H
#define CLUMP_BIG_HASH_H

#include <stddef.h>
#include <stdint.h>

typedef struct clump_big_hash {
    uint64_t lanes[4];
    uint64_t bytes;         /* so far */
    unsigned char part[32]; /* the last bytes % 32 of them */
} clump_big_hash;

void clump_big_hash_begin(clump_big_hash *hash);
void clump_big_hash_add(clump_big_hash *hash, const void *data, size_t size);

/* Adds labels as int32, which they fit into. */
void clump_big_hash_labels(clump_big_hash *hash, const int64_t *labels, size_t count);

/* Returns the hash of all bytes so far. More can be added afterwards. */
uint64_t clump_big_hash_end(const clump_big_hash *hash);

/* Returns the hash of one array. */
uint64_t clump_big_checksum(const void *data, size_t size);

#endif
