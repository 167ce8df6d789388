/* SPDX-License-Identifier: BSD-3-Clause
 *
 * row_keys.h: the place of a point in the order of rows, as a number. For sorted.c.
 *
 *     key     z cell * cells in y + y cell | x cell, eight per edge        the row, and 2^x_bits cells in it
 *     slab    the high bits of the key: key >> shift
 */
#ifndef CLUMP_CPU_ROWS_ROW_KEYS_H
#define CLUMP_CPU_ROWS_ROW_KEYS_H

#include "core/backend.h"

#define CLUMP_KEYS_BATCH 64
#define CLUMP_KEYS_FINE  8 /* cells in x per edge: windows are 2.25 d wide; with 1 per edge they would be 4 d wide */
#define CLUMP_KEYS_LOG   3

/* What a part of the cloud holds, and the box of its points that take part. */
typedef struct clump_row_box {
    size_t unfinite, masked, left_out;
    float lower[3], upper[3];
} clump_row_box;

typedef struct clump_row_keys {
    double inverse; /* cells per unit. An edge is d (1 + 2^-20), so cells of neighbours differ by at most 1: */
                    /* |dx| <= d (1 + 2^-22) as in rules/cell.h, less than an edge */
    int32_t lower[3];
    uint64_t cells_y;
    unsigned x_bits, shift;
    size_t slabs;
} clump_row_keys;

/* The box of the points begin ... end - 1. */
clump_row_box clump_row_box_make(const clump_cloud_job *job, size_t begin, size_t end);

/* Adds what another part holds. */
void clump_row_box_add(clump_row_box *box, const clump_row_box *other);

/* Keys for the points of a box, with at most `slabs` slabs. Returns false if the cloud is too wide. A cube of one edge in
 * x is always in one slab: keys that are equal but for CLUMP_KEYS_LOG bits. */
bool clump_row_keys_make(clump_row_keys *keys, float d, const clump_row_box *box, size_t slabs);

/* Computes the keys of up to CLUMP_KEYS_BATCH points. */
void clump_row_keys_number(const clump_row_keys *keys, const float *x, const float *y, const float *z, size_t m,
                           uint64_t *key);

/* Returns the number of bits of n: 0 for 0. */
static inline unsigned clump_bit_length(uint64_t n)
{
    return n ? 64 - (unsigned)__builtin_clzll(n) : 0;
}

#endif
