/* SPDX-License-Identifier: BSD-3-Clause
 *
 * alike.h: the table that decides which cells of an elevation map are alike. Made on the host, in double, once for a
 * call, so that no two backends can disagree on an exponential.
 */
#ifndef CLUMP_CORE_ALIKE_H
#define CLUMP_CORE_ALIKE_H

#include <clump/clump.h>

/* Room for the table of a reach, in ctx->alike. */
clump_status clump_alike_reserve(clump_context *ctx, int reach);

/* Entry [rows * (reach + 1) + columns]: cells so many rows and columns apart belong together when their dh is at most
 * this; negative: never, infinite: always. It does not grow with either. table has (reach + 1)^2 entries. */
void clump_alike_fill(const clump_erccl_options *options, float *table);

#endif
