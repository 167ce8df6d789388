/* SPDX-License-Identifier: BSD-3-Clause
 *
 * need.h: memory for the methods whose need is not linear in the points. What a list of all
 * neighbours or a matrix of all labels takes is known only after counting, and is often more than
 * there is: then the caller is told which method wanted how much, for what.
 */
#ifndef CLUMP_CPU_SHARED_NEED_H
#define CLUMP_CPU_SHARED_NEED_H

#include "core/buffer.h"

/* Room for `count` things of `each` bytes. What the buffer held may be lost. Fails with OUT_OF_MEMORY,
 * "edge-es needs 34.4 GB of memory for 4294967296 edges ...", also where the product has no 64 bits. */
clump_status clump_need(clump_context *ctx, clump_ec_method method, clump_buffer *buffer, uint64_t count, uint64_t each,
                        const char *things);

/* The same for a method of another job, by its name. */
clump_status clump_need_by(clump_context *ctx, const char *method, clump_buffer *buffer, uint64_t count, uint64_t each,
                           const char *things);

/* While it is still being counted: whether so much can be had at all. If not, fails likewise, with "at least". */
clump_status clump_need_so_far(clump_context *ctx, clump_ec_method method, const clump_buffer *buffer, uint64_t count,
                               uint64_t each, const char *things);

#endif
