/* SPDX-License-Identifier: BSD-3-Clause
 *
 * buffer.c: see buffer.h.
 */
#include "core/buffer.h"

#include "common/assert.h"
#include "core/context.h"

#include <string.h>

#define BUFFER_ALIGNMENT 64 /* a cache line; at least the size of any vector register in use */

clump_status clump_buffer_grow(clump_context *ctx, clump_buffer *buffer, size_t bytes, size_t keep)
{
    CLUMP_ASSERT((buffer->data == NULL) == (buffer->bytes == 0));
    CLUMP_ASSERT(keep <= buffer->bytes && keep <= bytes);
    if (bytes <= buffer->bytes) return CLUMP_OK;
    if (bytes > SIZE_MAX - BUFFER_ALIGNMENT)
        return clump_fail(ctx, CLUMP_ERR_OUT_OF_MEMORY, "more memory is needed than can be addressed");
    bytes = (bytes + BUFFER_ALIGNMENT - 1) / BUFFER_ALIGNMENT * BUFFER_ALIGNMENT;
    if (keep == 0) clump_buffer_release(ctx, buffer); /* first, so that old and new are never held together */
    void *data = ctx->memory.allocate(bytes, BUFFER_ALIGNMENT, ctx->memory.user);
    if (!data)
        return clump_fail(ctx, CLUMP_ERR_OUT_OF_MEMORY, "%zu bytes of memory could not be allocated (%zu are held)",
                          bytes, ctx->host_bytes);
    if (keep != 0) {
        memcpy(data, buffer->data, keep);
        clump_buffer_release(ctx, buffer);
    }
    CLUMP_ASSERT((uintptr_t)data % BUFFER_ALIGNMENT == 0);
    buffer->data = data;
    buffer->bytes = bytes;
    ctx->host_bytes += bytes;
    return CLUMP_OK;
}

clump_status clump_buffer_reserve(clump_context *ctx, clump_buffer *buffer, size_t bytes)
{
    return clump_buffer_grow(ctx, buffer, bytes, 0);
}

void clump_buffer_release(clump_context *ctx, clump_buffer *buffer)
{
    if (!buffer->data) return;
    CLUMP_ASSERT(buffer->bytes <= ctx->host_bytes);
    ctx->memory.release(buffer->data, buffer->bytes, ctx->memory.user);
    ctx->host_bytes -= buffer->bytes;
    buffer->data = NULL;
    buffer->bytes = 0;
}
