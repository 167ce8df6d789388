/* SPDX-License-Identifier: BSD-3-Clause
 *
 * assign.h: which of the expected places is which of the places seen. Rows are expected, columns are seen.
 */
#ifndef CLUMP_HOST_ASSIGN_H
#define CLUMP_HOST_ASSIGN_H

#include "core/work.h"

#define CLUMP_ASSIGN_UNIT ((int64_t)1 << 26) /* cost of a pair at the gate; rounding can add 1 */

/* Returns the steps that the search for the least cost may take: pairs that are looked at. 4104 per row up to 4096 rows, then
 * 2^24 in all up to 16,384 rows, fewer of more rows, 12 per row of 100,000. Objects that move less than they are apart take
 * 2 to 7. Measured on one core of a Neoverse V1: 2^24 steps take 0.2 s. */
static inline int64_t clump_assign_steps(int32_t rows)
{
    const int64_t r = rows > 0 ? rows : 1, some = ((int64_t)1 << 24) / r, few = ((int64_t)1 << 52) / r / r / r;
    const int64_t share = some < few ? some : few;
    return r * (8 + (share < 4096 ? share : 4096));
}

enum { CLUMP_ASSIGN_FEW = 12 }; /* pairs per row that count where the steps are not enough: the first ones */

/* What an assignment has done; for tests. */
typedef struct clump_assign_work {
    uint64_t looks; /* at columns and boxes, to find pairs */
    uint64_t steps; /* at pairs, to assign */
    bool over;      /* the steps were not enough */
} clump_assign_work;

/* A row and a column can be a pair where neither |dx|, |dy| nor the distance is above the gate. The cost of a pair is
 * the square of its distance times 2^26 / gate^2, rounded down: an integer, so that sums are exact. A row has at most
 * `most` pairs: those of the nearest columns, of equal distances the lower ones. To find them, about CLUMP_COLUMNS_LOOKS
 * columns and boxes are looked at (columns.h); where that is not enough, they are the nearest of the columns that were.
 * Coordinates are finite; but a row at x = -inf and a column at x = inf have no pairs. The gate is between 1e-150 and 1e150. */
typedef struct clump_assign_job {
    const double (*rows)[2];
    const float (*columns)[2];
    int32_t row_count, column_count;
    double gate;
    int32_t most;            /* 1 ... 32 */
    int32_t *partner;        /* output, per row: its column, or -1 */
    clump_assign_work *work; /* output, or null */
} clump_assign_job;

/* Returns the bytes of scratch memory that clump_assign() needs: a multiple of 8. */
size_t clump_assign_bytes(int32_t rows, int32_t columns, int32_t most);

/* Finds, of all assignments with the most pairs, one of least cost. It depends on the job alone, and only where costs are
 * equal on the order of rows and columns. Up to 32 columns in one place go to their rows in ascending order. Where the search
 * takes more than clump_assign_steps(), pairs of a row and one of its CLUMP_ASSIGN_FEW nearest columns are taken in the order
 * of cost, row and column instead, as long as both are free. scratch is aligned to 8 bytes. Fails only if cancelled. */
clump_status clump_assign(clump_work *work, const clump_assign_job *job, void *scratch);

#endif
