/* SPDX-License-Identifier: BSD-3-Clause
 *
 * buffer.h: scratch memory that grows and stays. Every byte a context holds is in one of these, so
 * that it comes from the caller's allocator, is counted, and a warm call allocates nothing.
 */
#ifndef CLUMP_CORE_BUFFER_H
#define CLUMP_CORE_BUFFER_H

#include <clump/clump.h>

typedef struct clump_buffer {
    void *data; /* aligned to 64 bytes; null while bytes is 0 */
    size_t bytes;
} clump_buffer;

/* At least `bytes`; what the buffer held is lost when it had to grow. Fails with OUT_OF_MEMORY, a
 * sentence in the context and an empty buffer. */
clump_status clump_buffer_reserve(clump_context *ctx, clump_buffer *buffer, size_t bytes);

/* The same, but the first `keep` bytes survive, and on failure the buffer is as it was. */
clump_status clump_buffer_grow(clump_context *ctx, clump_buffer *buffer, size_t bytes, size_t keep);

void clump_buffer_release(clump_context *ctx, clump_buffer *buffer);

#endif
