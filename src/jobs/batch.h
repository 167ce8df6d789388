/* SPDX-License-Identifier: BSD-3-Clause
 *
 * batch.h: the checks that the public calls on batches share.
 */
#ifndef CLUMP_CORE_BATCH_H
#define CLUMP_CORE_BATCH_H

#include "core/context.h"

#include <clump/batch.h>

/* Checks the number of clouds, and that there are offsets. */
clump_status clump_batch_check_clouds(clump_context *ctx, const int64_t *offsets, size_t clouds, size_t points);

/* Checks clouds + 1 entries in host memory: ascending, from 0 up to at most `last`. The sentence names the first entry
 * that is wrong; `what` introduces `last` in it: "the number of points is". */
clump_status clump_batch_check_offsets(clump_context *ctx, const char *name, const int64_t *offsets, size_t clouds,
                                       int64_t last, const char *what);

#endif
