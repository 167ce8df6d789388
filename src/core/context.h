/* SPDX-License-Identifier: BSD-3-Clause
 *
 * context.h: what is behind clump_context, for the library's own files.
 */
#ifndef CLUMP_CORE_CONTEXT_H
#define CLUMP_CORE_CONTEXT_H

#include "core/backend.h"
#include "core/buffer.h"

#define CLUMP_MAX_BACKENDS 2
#define CLUMP_MAX_THREADS  256 /* more than one call can use well; keeps tables of per-thread counts small */

struct clump_context {
    clump_context_options options; /* threads already resolved: at least 1 */
    clump_allocator memory;        /* never null inside */
    size_t host_bytes;             /* held in buffers now */
    char error[512];
    clump_stats stats;
    const char *reason; /* for the stats, once the call has succeeded */
    struct {
        const clump_backend_table *table; /* null: not opened */
        void *state;
    } backends[CLUMP_MAX_BACKENDS];
    clump_buffer labels_scratch;   /* order and size limits */
    clump_buffer describe_scratch; /* clump_describe, clump_group */
};

/* A context comes from the caller's allocator, in whole lines like every buffer. */
#define CLUMP_CONTEXT_BYTES ((sizeof(clump_context) + 63) / 64 * 64)

/* Writes the sentence into the context and returns status: `return clump_fail(ctx, ...)`. */
clump_status clump_fail(clump_context *ctx, clump_status status, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

void clump_log_line(clump_context *ctx, clump_log_level level, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* Checks a view of points as every public call must: null, stride, place, count. `call` is the
 * public name for the sentence. On success *stride is the one in bytes, never 0. */
clump_status clump_check_points(clump_context *ctx, const char *call, clump_points points, size_t *stride);

/* Decides where a call on this many points runs, opens that backend on first use, and leaves the
 * reason in the context. */
clump_status clump_context_open(clump_context *ctx, clump_place place, size_t points, const clump_backend_table **table,
                                void **state);

/* Size limits and order, the last step of every clustering call (labels.c). labels are canonical on
 * entry and on return; *clusters and *noise are kept up to date. */
clump_status clump_labels_finish(clump_context *ctx, int32_t *labels, size_t count, clump_order order, size_t min_size,
                                 size_t max_size, int32_t *clusters, size_t *noise);
clump_status clump_labels_reserve(clump_context *ctx, size_t max_points);

#endif
