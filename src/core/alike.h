/* SPDX-License-Identifier: BSD-3-Clause
 *
 * alike.h: the table that decides which cells of an elevation map belong together. The host computes it once per call,
 * in double, so that all backends compare with equal numbers.
 */
#ifndef CLUMP_CORE_ALIKE_H
#define CLUMP_CORE_ALIKE_H

#include <clump/clump.h>

/* Makes room in ctx->alike for the table of a reach. */
clump_status clump_alike_reserve(clump_context *ctx, int reach);

/* Fills the table, (reach + 1)^2 entries. Cells that are `rows` and `columns` apart belong together when their dh is
 * at most entry [rows * (reach + 1) + columns]. Negative: never; infinite: always. Entries never grow with rows or
 * columns. */
void clump_alike_fill(const clump_erccl_options *options, float beta, float *table);

#endif
