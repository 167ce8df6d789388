/* SPDX-License-Identifier: BSD-3-Clause
 *
 * context.c: life and death of a context, its error text and its log.
 */
#include "core/context.h"

#include "core/options.h"
#include "core/registry.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

static void *default_allocate(size_t size, size_t alignment, void *user)
{
    (void)user;
    return aligned_alloc(alignment, size); /* size is a multiple: clump_buffer rounds it up */
}

static void default_release(void *memory, size_t size, void *user)
{
    (void)size, (void)user;
    free(memory);
}

clump_status clump_fail(clump_context *ctx, clump_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(ctx->error, sizeof ctx->error, format, arguments);
    va_end(arguments);
    return status;
}

void clump_log_line(clump_context *ctx, clump_log_level level, const char *format, ...)
{
    if (!ctx->options.log) return;
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    ctx->options.log(level, line, ctx->options.log_user);
}

clump_status clump_check_points(clump_context *ctx, const char *call, clump_points points, size_t *stride)
{
    *stride = points.stride ? points.stride : 3 * sizeof(float);
    if (points.count > INT32_MAX)
        return clump_fail(ctx, CLUMP_ERR_TOO_MANY, "%s: %zu points, at most %d fit into one call", call, points.count,
                          INT32_MAX);
    if (!points.xyz && points.count > 0)
        return clump_fail(ctx, CLUMP_ERR_ARGUMENT, "%s: points.xyz is null but points.count is %zu", call,
                          points.count);
    if ((uintptr_t)points.xyz % sizeof(float) != 0)
        return clump_fail(ctx, CLUMP_ERR_ARGUMENT, "%s: points.xyz is not aligned to 4 bytes", call);
    if (*stride < 3 * sizeof(float) || *stride % sizeof(float) != 0)
        return clump_fail(ctx, CLUMP_ERR_ARGUMENT,
                          "%s: a stride of %zu bytes, it must be a multiple of 4 and at least 12", call, *stride);
    if (points.place != CLUMP_PLACE_HOST && points.place != CLUMP_PLACE_DEVICE)
        return clump_fail(ctx, CLUMP_ERR_ARGUMENT, "%s: points.place is %d, no such place", call, (int)points.place);
    return CLUMP_OK;
}

static int all_cores(void)
{
#ifdef _OPENMP
    return omp_get_num_procs();
#else
    return 1;
#endif
}

clump_status clump_context_create(const clump_context_options *given, clump_context **out)
{
    if (!out) return CLUMP_ERR_ARGUMENT;
    *out = NULL;
    clump_context_options options = given ? *given : clump_context_defaults();
    if (options.cookie != CLUMP_CONTEXT_COOKIE) return CLUMP_ERR_OPTIONS;
    if ((options.allocator.allocate == NULL) != (options.allocator.release == NULL)) return CLUMP_ERR_ARGUMENT;
    if (options.threads < 0 || options.device < 0 || (unsigned)options.backend > CLUMP_BACKEND_CUDA)
        return CLUMP_ERR_ARGUMENT;
    if (options.threads == 0) options.threads = all_cores();
    if (options.threads > CLUMP_MAX_THREADS) options.threads = CLUMP_MAX_THREADS;

    clump_allocator memory = options.allocator;
    if (!memory.allocate) memory = (clump_allocator){default_allocate, default_release, NULL};
    clump_context *ctx = memory.allocate(CLUMP_CONTEXT_BYTES, 64, memory.user);
    if (!ctx) return CLUMP_ERR_OUT_OF_MEMORY;
    memset(ctx, 0, sizeof *ctx);
    ctx->options = options;
    ctx->memory = memory;
    *out = ctx;
    return CLUMP_OK;
}

void clump_context_trim(clump_context *ctx)
{
    if (!ctx) return;
    for (int i = 0; i < CLUMP_MAX_BACKENDS; i++)
        if (ctx->backends[i].table) ctx->backends[i].table->trim(ctx, ctx->backends[i].state);
    clump_buffer_release(ctx, &ctx->labels_scratch);
    clump_buffer_release(ctx, &ctx->describe_scratch);
}

void clump_context_destroy(clump_context *ctx)
{
    if (!ctx) return;
    clump_context_trim(ctx);
    for (int i = 0; i < CLUMP_MAX_BACKENDS; i++)
        if (ctx->backends[i].table) ctx->backends[i].table->close(ctx, ctx->backends[i].state);
    const clump_allocator memory = ctx->memory;
    memory.release(ctx, CLUMP_CONTEXT_BYTES, memory.user);
}

const char *clump_context_error(const clump_context *ctx)
{
    return ctx ? ctx->error : "the context is null";
}

clump_stats clump_context_stats(const clump_context *ctx)
{
    clump_stats stats = {0};
    if (!ctx) return stats;
    stats = ctx->stats;
    stats.host_bytes = ctx->host_bytes;
    return stats;
}

clump_status clump_context_open(clump_context *ctx, clump_place place, size_t points, const clump_backend_table **table,
                                void **state)
{
    const clump_backend_table *const cuda = clump_registry_find(CLUMP_BACKEND_CUDA);
    const clump_decision decision = clump_decide((clump_decide_input){
        .asked = ctx->options.backend,
        .cuda_built = cuda != NULL,
        .cuda_devices = cuda ? cuda->device_count() : 0,
        .place = place,
        .points = points,
    });
    if (decision.backend == CLUMP_BACKEND_AUTO) {
        const bool wrong_place = ctx->options.backend == CLUMP_BACKEND_CPU;
        return clump_fail(ctx, wrong_place ? CLUMP_ERR_MEMORY_KIND : CLUMP_ERR_NO_DEVICE,
                          wrong_place ? "%s" : "CUDA cannot be used: %s; run it on the CPU instead (--device cpu)",
                          decision.reason);
    }
    ctx->reason = decision.reason;
    const int slot = (int)decision.backend - (int)CLUMP_BACKEND_CPU;
    *table = clump_registry_find(decision.backend);
    if (!ctx->backends[slot].table) {
        void *opened = NULL;
        const clump_status status = (*table)->open(ctx, &opened);
        if (status != CLUMP_OK) return status;
        ctx->backends[slot].table = *table;
        ctx->backends[slot].state = opened;
        clump_log_line(ctx, CLUMP_LOG_INFO, "backend %s: %s", (*table)->name, decision.reason);
    }
    *state = ctx->backends[slot].state;
    return CLUMP_OK;
}

clump_status clump_context_reserve(clump_context *ctx, size_t max_points)
{
    if (!ctx) return CLUMP_ERR_ARGUMENT;
    ctx->error[0] = '\0';
    if (max_points > INT32_MAX)
        return clump_fail(ctx, CLUMP_ERR_TOO_MANY, "clump_context_reserve: %zu points, at most %d fit into one call",
                          max_points, INT32_MAX);
    const clump_backend_table *table = NULL;
    void *state = NULL;
    clump_status status = clump_context_open(ctx, CLUMP_PLACE_HOST, max_points, &table, &state);
    if (status == CLUMP_OK) status = table->reserve(ctx, state, max_points);
    if (status == CLUMP_OK) status = clump_labels_reserve(ctx, max_points);
    return status;
}
