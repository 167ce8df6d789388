/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cuda.c: the calls of clump/cuda.h, forwarded to the backend that has memory and streams of its own.
 */
#include "core/context.h"

#include <string.h>

/* Opens the CUDA backend of this context, or fails with the reason why there is none. */
static clump_status open_cuda(clump_context *ctx, const char *call, clump_opened *on)
{
    if (!ctx) return CLUMP_ERR_ARGUMENT;
    ctx->work.error[0] = '\0';
    if (ctx->options.backend == CLUMP_BACKEND_CPU)
        return clump_fail(&ctx->work, CLUMP_ERR_MEMORY_KIND, "%s: the context was made for the CPU", call);
    return clump_context_open(ctx, CLUMP_PLACE_DEVICE, clump_method_at(&clump_ec_methods, CLUMP_EC_FAST), 0, on);
}

clump_status clump_cuda_set_stream(clump_context *ctx, void *stream)
{
    clump_opened on;
    CLUMP_TRY(open_cuda(ctx, "clump_cuda_set_stream", &on));
    return on.table->set_stream(&ctx->work, on.state, stream);
}

clump_status clump_cuda_wait(clump_context *ctx)
{
    clump_opened on;
    CLUMP_TRY(open_cuda(ctx, "clump_cuda_wait", &on));
    return on.table->wait(&ctx->work, on.state);
}

clump_status clump_cuda_allocate(clump_context *ctx, clump_cuda_memory kind, size_t bytes, void **out)
{
    clump_opened on;
    if (!out)
        return ctx ? clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "clump_cuda_allocate: out is null")
                   : CLUMP_ERR_ARGUMENT;
    *out = NULL;
    CLUMP_TRY(open_cuda(ctx, "clump_cuda_allocate", &on));
    if (kind != CLUMP_CUDA_PINNED && kind != CLUMP_CUDA_DEVICE && kind != CLUMP_CUDA_MANAGED)
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "clump_cuda_allocate: there is no memory of kind %d",
                          (int)kind);
    return on.table->allocate(&ctx->work, on.state, kind, bytes, out);
}

void clump_cuda_release(clump_context *ctx, clump_cuda_memory kind, void *memory)
{
    if (!ctx || !memory) return;
    char error[sizeof ctx->work.error]; /* a failure often precedes the release: its message stays */
    memcpy(error, ctx->work.error, sizeof error);
    clump_opened on;
    if (open_cuda(ctx, "clump_cuda_release", &on) == CLUMP_OK) on.table->release(&ctx->work, on.state, kind, memory);
    memcpy(ctx->work.error, error, sizeof error);
}

clump_status clump_cuda_pin(clump_context *ctx, void *memory, size_t bytes)
{
    clump_opened on;
    CLUMP_TRY(open_cuda(ctx, "clump_cuda_pin", &on));
    if (!memory || bytes == 0)
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "clump_cuda_pin: %s",
                          memory ? "bytes is 0" : "memory is null");
    return on.table->pin(&ctx->work, on.state, memory, bytes);
}

clump_status clump_cuda_unpin(clump_context *ctx, void *memory)
{
    clump_opened on;
    CLUMP_TRY(open_cuda(ctx, "clump_cuda_unpin", &on));
    return memory ? on.table->pin(&ctx->work, on.state, memory, 0) : CLUMP_OK;
}

clump_status clump_cuda_copy(clump_context *ctx, void *to, const void *from, size_t bytes)
{
    clump_opened on;
    CLUMP_TRY(open_cuda(ctx, "clump_cuda_copy", &on));
    if (bytes == 0) return CLUMP_OK;
    if (!to || !from) return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "clump_cuda_copy: to or from is null");
    return on.table->copy(&ctx->work, on.state, to, from, bytes);
}
