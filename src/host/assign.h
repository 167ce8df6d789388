/* SPDX-License-Identifier: BSD-3-Clause
 *
 * assign.h: which of the expected places is which of the places seen. Rows are expected, columns are seen.
 */
#ifndef CLUMP_HOST_ASSIGN_H
#define CLUMP_HOST_ASSIGN_H

#include <clump/clump.h>

/* A row and a column can be a pair where neither |dx|, |dy| nor the distance is above the gate. The cost of a pair is
 * the square of its distance times 2^26 / gate^2, rounded down: an integer, so that sums are exact. A row has at most
 * `most` pairs: those of least cost, of equal costs those of the lower columns. Coordinates
 * are finite; but a row at x = -inf and a column at x = inf have no pairs. The gate is between 1e-150 and 1e150. */
typedef struct clump_assign_job {
    const double (*rows)[2];
    const float (*columns)[2];
    int32_t row_count, column_count;
    double gate;
    int32_t most;     /* 1 or more */
    int32_t *partner; /* output, per row: its column, or -1 */
} clump_assign_job;

/* Returns the bytes of scratch memory that clump_assign() needs: a multiple of 8. */
size_t clump_assign_bytes(int32_t rows, int32_t columns, int32_t most);

/* Finds, of all assignments with the most pairs, one of least cost. It depends on the job alone: of equal ways, the one
 * with the lower column and the earlier row is taken. scratch is aligned to 8 bytes. Fails only if cancelled. */
clump_status clump_assign(clump_context *ctx, const clump_assign_job *job, void *scratch);

#endif
