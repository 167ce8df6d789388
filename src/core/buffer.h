/* SPDX-License-Identifier: BSD-3-Clause
 *
 * buffer.h: scratch memory that grows and is kept between calls. All memory of a context is in buffers. It comes from
 * the caller's allocator and is counted; a call on a cloud no larger than the last allocates nothing.
 */
#ifndef CLUMP_CORE_BUFFER_H
#define CLUMP_CORE_BUFFER_H

#include <clump/clump.h>

typedef struct clump_buffer {
    void *data; /* aligned to 64 bytes; null while bytes is 0 */
    size_t bytes;
} clump_buffer;

/* Makes room for at least `bytes` bytes. The contents are lost where the buffer has to grow. On failure:
 * OUT_OF_MEMORY, a message in the context, an empty buffer. */
clump_status clump_buffer_reserve(clump_context *ctx, clump_buffer *buffer, size_t bytes);

/* Makes room as clump_buffer_reserve() but keeps the first `keep` bytes; keep > 0 leaves the buffer unchanged on
 * failure. */
clump_status clump_buffer_grow(clump_context *ctx, clump_buffer *buffer, size_t bytes, size_t keep);

/* Returns the memory to the allocator; the buffer is then empty. */
void clump_buffer_release(clump_context *ctx, clump_buffer *buffer);

#endif
