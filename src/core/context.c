/* SPDX-License-Identifier: BSD-3-Clause
 *
 * context.c: a context from creation to destruction, its error text, its log, and the backends it opens.
 */
#include "core/context.h"

#include "common/assert.h"
#include "common/atomics.h"
#include "common/team.h"
#include "common/timer.h"
#include "core/alike.h"
#include "core/options.h"
#include "core/registry.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *default_allocate(size_t size, size_t alignment, void *user)
{
    (void)user;
    CLUMP_ASSERT(size % alignment == 0); /* C17 asks for it; clump_buffer rounds up */
    return aligned_alloc(alignment, size);
}

static void default_release(void *memory, size_t size, void *user)
{
    (void)size, (void)user;
    free(memory);
}

/* No processor addresses more than 2^57 bytes. */
static const size_t context_extent_most = SIZE_MAX >> (sizeof(size_t) == 8 ? 7 : 0);

clump_status clump_check_points(clump_work *work, const char *call, clump_points points, size_t *stride)
{
    *stride = points.stride ? points.stride : 3 * sizeof(float);
    if (points.count > INT32_MAX)
        return clump_fail(work, CLUMP_ERR_TOO_MANY, "%s: %zu points, at most %d fit into one call", call, points.count,
                          INT32_MAX);
    if (!points.xyz && points.count > 0)
        return clump_fail(work, CLUMP_ERR_ARGUMENT, "%s: points.xyz is null but points.count is %zu", call,
                          points.count);
    if ((uintptr_t)points.xyz % sizeof(float) != 0)
        return clump_fail(work, CLUMP_ERR_ARGUMENT, "%s: points.xyz is not aligned to 4 bytes", call);
    if (*stride < 3 * sizeof(float) || *stride % sizeof(float) != 0)
        return clump_fail(work, CLUMP_ERR_ARGUMENT,
                          "%s: a stride of %zu bytes, it must be a multiple of 4 and at least 12", call, *stride);
    if (points.count > 0 && (points.count - 1 > (context_extent_most - 3 * sizeof(float)) / *stride ||
                             (points.count - 1) * *stride + 3 * sizeof(float) > UINTPTR_MAX - (uintptr_t)points.xyz))
        return clump_fail(work, CLUMP_ERR_ARGUMENT,
                          "%s: %zu points with a stride of %zu bytes reach beyond the memory that can be addressed",
                          call, points.count, *stride);
    if (points.place != CLUMP_PLACE_HOST && points.place != CLUMP_PLACE_DEVICE)
        return clump_fail(work, CLUMP_ERR_ARGUMENT, "%s: points.place is %d, no such place", call, (int)points.place);
    return CLUMP_OK;
}

/* ----- calls, threads, cancellation ------------------------------------------------------------------------------ */

/* Tells the controller how long the last call took. A call that failed has ended early and tells nothing. */
static void report_call(clump_context *ctx, bool failed)
{
    const clump_team_clock clock = clump_team_times(ctx->work.team);
    if (clock.end > 0 && !failed) clump_adapt_report(&ctx->adapt, clock.end - ctx->work.chosen_at, clock.stuck);
    clump_adapt_begin(&ctx->adapt);
}

/* Warns once where the system has refused the workers a nice value or processors. */
static void warn_of_faults(clump_context *ctx)
{
    const clump_thread_faults *const faults = clump_team_faults(ctx->work.team);
    if (!ctx->warned_nice && CLUMP_LOAD(&faults->nice)) {
        ctx->warned_nice = true;
        clump_log_line(&ctx->work, CLUMP_LOG_WARNING,
                       "the system refused to change the nice value of the workers by %d", ctx->options.worker_nice);
    }
    if (!ctx->warned_cores && CLUMP_LOAD(&faults->cores)) {
        ctx->warned_cores = true;
        clump_log_line(&ctx->work, CLUMP_LOG_WARNING,
                       "the system refused to move the workers to worker_cores; does the process have any of them?");
    }
}

clump_status clump_begin(clump_context *ctx, const char *call)
{
    const bool failed = ctx->work.error[0] != '\0';
    ctx->work.error[0] = '\0';
    ctx->work.call = call;
    ctx->work.refused = 0;
    if (ctx->work.adapt) report_call(ctx, failed);
    clump_team_begin(ctx->work.team);
    warn_of_faults(ctx);
    return clump_poll(&ctx->work);
}

/* ----- creation and destruction ----------------------------------------------------------------------------------- */

static clump_status refuse(const clump_context_options *options, clump_status status, const char *format, ...)
{
    if (!options->message) return status;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(options->message->text, sizeof options->message->text, format, arguments);
    va_end(arguments);
    return status;
}

static clump_status check_options(const clump_context_options *o)
{
    if ((o->allocator.allocate == NULL) != (o->allocator.release == NULL))
        return refuse(o, CLUMP_ERR_ARGUMENT, "clump_context_create: the allocator has %s but not %s",
                      o->allocator.allocate ? "allocate" : "release", o->allocator.allocate ? "release" : "allocate");
    if (o->threads < 0)
        return refuse(o, CLUMP_ERR_ARGUMENT, "clump_context_create: threads is %d, it must be 0 or more", o->threads);
    if (o->device < 0)
        return refuse(o, CLUMP_ERR_ARGUMENT, "clump_context_create: device is %d, it must be 0 or more", o->device);
    if ((unsigned)o->backend > CLUMP_BACKEND_CUDA)
        return refuse(o, CLUMP_ERR_ARGUMENT, "clump_context_create: there is no backend number %d", (int)o->backend);
    if (o->worker_nice < -39 || o->worker_nice > 39)
        return refuse(o, CLUMP_ERR_ARGUMENT, "clump_context_create: worker_nice is %d, it must be -39 ... 39",
                      o->worker_nice);
    if (o->worker_core_count < 0 || o->worker_core_count > CLUMP_THREAD_CORES)
        return refuse(o, CLUMP_ERR_ARGUMENT, "clump_context_create: worker_core_count is %d, it must be 0 ... %d",
                      o->worker_core_count, CLUMP_THREAD_CORES);
    if (o->worker_core_count > 0 && !o->worker_cores)
        return refuse(o, CLUMP_ERR_ARGUMENT, "clump_context_create: worker_cores is null, but worker_core_count is %d",
                      o->worker_core_count);
    for (int k = 0; k < o->worker_core_count; k++)
        if (o->worker_cores[k] < 0 || o->worker_cores[k] >= CLUMP_THREAD_CORES)
            return refuse(o, CLUMP_ERR_ARGUMENT, "clump_context_create: worker_cores[%d] is %d, it must be 0 ... %d", k,
                          o->worker_cores[k], CLUMP_THREAD_CORES - 1);
    return CLUMP_OK;
}

/* Returns the most threads for threads = 0: one per processor of the thread that creates the context. Its mask does not
 * bound the threads of a task system, nor workers with processors of their own, one worker per processor. */
static int default_threads(const clump_context_options *o)
{
    if (!o->tasks.run && o->worker_core_count == 0) return clump_cores();
    const int cores = clump_cores_for_others();
    return !o->tasks.run && o->worker_core_count + 1 < cores ? o->worker_core_count + 1 : cores;
}

clump_status clump_context_create(const clump_context_options *given, clump_context **out)
{
    clump_context_options options = given ? *given : clump_context_defaults();
    if (out) *out = NULL;
    if (options.cookie != CLUMP_CONTEXT_COOKIE)
        return CLUMP_ERR_OPTIONS; /* then options.message cannot be trusted either */
    if (!out) return refuse(&options, CLUMP_ERR_ARGUMENT, "clump_context_create: out is null");
    CLUMP_TRY(check_options(&options));
    const clump_level *level;
    clump_message why;
    const clump_status chosen = clump_level_choose(&level, &why);
    if (chosen != CLUMP_OK) return refuse(&options, chosen, "clump_context_create: %s", why.text);
    const bool adapts = options.threads == 0 && !options.tasks.run;
    if (options.threads == 0) options.threads = default_threads(&options);
    if (options.threads > CLUMP_MAX_THREADS) options.threads = CLUMP_MAX_THREADS;

    clump_allocator memory = options.allocator;
    if (!memory.allocate) memory = (clump_allocator){default_allocate, default_release, NULL};
    const size_t bytes = CLUMP_CONTEXT_BYTES + clump_team_bytes();
    clump_context *ctx = memory.allocate(bytes, 64, memory.user);
    if (!ctx)
        return refuse(&options, CLUMP_ERR_OUT_OF_MEMORY,
                      "clump_context_create: %zu bytes of memory could not be allocated", bytes);
    memset(ctx, 0, sizeof *ctx);
    ctx->options = options;
    ctx->options.message = NULL;
    ctx->work.memory = memory;
    ctx->work.threads = options.threads;
    ctx->work.adapt = adapts && options.threads > 1 ? &ctx->adapt : NULL;
    ctx->work.log = options.log;
    ctx->work.log_user = options.log_user;
    ctx->level = level;
    const clump_team_setup setup = {.cancel = options.cancel,
                                    .system = options.tasks.run,
                                    .system_user = options.tasks.user,
                                    .worker = {options.worker_nice, options.worker_cores, options.worker_core_count},
                                    .timed = ctx->work.adapt != NULL};
    ctx->work.team = clump_team_init((char *)ctx + CLUMP_CONTEXT_BYTES, &setup);
    ctx->work.hash_key = clump_hash_key_make(clump_seed_draw(ctx));
    *out = ctx;
    return CLUMP_OK;
}

static void release_piece_buffers(clump_context *ctx)
{
    clump_buffer *const buffers[] = {&ctx->piece.labels,  &ctx->piece.core,   &ctx->piece.kept,   &ctx->piece.rim,
                                     &ctx->piece.borders, &ctx->piece.sorted, &ctx->piece.choices};
    for (size_t k = 0; k < sizeof buffers / sizeof *buffers; k++) clump_buffer_release(&ctx->work, buffers[k]);
}

static void release_class_buffers(clump_context *ctx)
{
    clump_class_buffers *const c = &ctx->classes;
    clump_buffer *const buffers[] = {&c->groups,  &c->taken,   &c->order,   &c->points,  &c->labels,   &c->core,
                                     &c->heights, &c->fresh,   &c->offsets, &c->radii,   &c->counts,   &c->clusters,
                                     &c->keys,    &c->objects, &c->again,   &c->fetched, &c->produced, &c->scene};
    for (size_t k = 0; k < sizeof buffers / sizeof *buffers; k++) clump_buffer_release(&ctx->work, buffers[k]);
}

void clump_context_trim(clump_context *ctx)
{
    if (!ctx) return;
    for (int i = 0; i < CLUMP_MAX_BACKENDS; i++)
        if (ctx->backends[i].table) ctx->backends[i].table->trim(&ctx->work, ctx->backends[i].state);
    clump_buffer_release(&ctx->work, &ctx->load.shares);
    clump_buffer_release(&ctx->work, &ctx->merge_load.shares);
    clump_load_clear(ctx);
    clump_buffer_release(&ctx->work, &ctx->alike);
    clump_buffer_release(&ctx->work, &ctx->work.labels_scratch);
    release_piece_buffers(ctx);
    release_class_buffers(ctx);
    clump_buffer_release(&ctx->work, &ctx->ring_cells);
    clump_buffer_release(&ctx->work, &ctx->batch_labels);
    clump_buffer_release(&ctx->work, &ctx->density);
    clump_buffer_release(&ctx->work, &ctx->density_parents);
    clump_buffer_release(&ctx->work, &ctx->density_heights);
    clump_buffer_release(&ctx->work, &ctx->icp_scratch);
    for (int i = 0; i < 3; i++) clump_buffer_release(&ctx->work, &ctx->icp_thin[i]);
    clump_index_destroy(ctx->icp_index);
    ctx->icp_index = NULL;
    clump_index_destroy(ctx->icp_source);
    ctx->icp_source = NULL;
    clump_team_rest(ctx->work.team);
    warn_of_faults(ctx); /* a program may make one call only */
}

void clump_context_destroy(clump_context *ctx)
{
    if (!ctx) return;
    clump_context_trim(ctx);
    for (int i = 0; i < CLUMP_MAX_BACKENDS; i++)
        if (ctx->backends[i].table) ctx->backends[i].table->close(&ctx->work, ctx->backends[i].state);
    clump_team_destroy(ctx->work.team);
    const clump_allocator memory = ctx->work.memory;
    CLUMP_ASSERT(ctx->work.host_bytes == 0); /* every buffer has been released */
    memory.release(ctx, CLUMP_CONTEXT_BYTES + clump_team_bytes(), memory.user);
}

const char *clump_context_error(const clump_context *ctx)
{
    return ctx ? ctx->work.error : "the context is null";
}

static const float *shares_of(const clump_loads *loads, int *count)
{
    if (count) *count = loads ? loads->count : 0;
    return loads && loads->count > 0 ? loads->shares.data : NULL;
}

const float *clump_context_load(const clump_context *ctx, int *count)
{
    return shares_of(ctx ? &ctx->load : NULL, count);
}

const float *clump_context_merge_load(const clump_context *ctx, int *count)
{
    return shares_of(ctx ? &ctx->merge_load : NULL, count);
}

clump_stats clump_context_stats(const clump_context *ctx)
{
    clump_stats stats = {0};
    if (!ctx) return stats;
    stats = ctx->stats;
    stats.host_bytes = ctx->work.host_bytes;
    stats.device_bytes = ctx->work.device_bytes;
    clump_index_add_bytes(ctx->icp_index, &stats);
    clump_index_add_bytes(ctx->icp_source, &stats);
    return stats;
}

/* Writes the reason of this call, for clump_stats; `format` has one %s for `text`. */
static void set_reason(clump_context *ctx, const char *format, const char *text)
{
    snprintf(ctx->reason, sizeof ctx->reason, format, text);
}

static clump_status open_backend(clump_context *ctx, clump_backend id, clump_opened *out)
{
    CLUMP_ASSERT(id == CLUMP_BACKEND_CPU || id == CLUMP_BACKEND_CUDA);
    clump_opened *const slot = &ctx->backends[(int)id - (int)CLUMP_BACKEND_CPU];
    if (!slot->table) {
        const bool cpu = id == CLUMP_BACKEND_CPU;
        const clump_backend_table *const table = cpu ? ctx->level->table() : clump_registry_find(id);
        CLUMP_ASSERT(table && table->id == id);
        void *state = NULL;
        CLUMP_TRY(table->open(&ctx->work, &ctx->options, &state));
        *slot = (clump_opened){table, state};
        clump_log_line(&ctx->work, CLUMP_LOG_INFO, "backend %s%s%s: %s", table->name, cpu ? ", level " : "",
                       cpu ? ctx->level->name : "", ctx->reason);
    }
    *out = *slot;
    return CLUMP_OK;
}

clump_status clump_context_open(clump_context *ctx, clump_place place, const clump_method *method, size_t points,
                                clump_opened *out)
{
    CLUMP_ASSERT(method && (method->on_cpu || method->on_cuda));
    const clump_backend_table *const cuda = clump_registry_find(CLUMP_BACKEND_CUDA);
    const bool cuda_only_method = !method->on_cpu;
    clump_decide_input in = {
        .asked = ctx->options.backend,
        .cuda_built = cuda != NULL,
        .cuda_has_method = cuda && method->on_cuda,
        .cuda_only = cuda_only_method,
        .place = place,
        .points = points,
    };
    const bool cuda_only =
        in.asked == CLUMP_BACKEND_CUDA || (in.asked == CLUMP_BACKEND_AUTO && place == CLUMP_PLACE_DEVICE);
    if (cuda && cuda_only && !in.cuda_has_method)
        return clump_fail(
            &ctx->work, CLUMP_ERR_UNSUPPORTED,
            "the method %s does not run on %s, but on the CPU it does (CLUMP_BACKEND_CPU, or --device cpu)",
            method->name, cuda->name);
    if (cuda_only_method && in.asked == CLUMP_BACKEND_CPU)
        return clump_fail(&ctx->work, CLUMP_ERR_UNSUPPORTED,
                          "the method %s does not run on the CPU, but on a CUDA device it does (CLUMP_BACKEND_CUDA, or "
                          "--device cuda)",
                          method->name);
    if (clump_decide_needs_devices(in)) {
        if (in.asked == CLUMP_BACKEND_AUTO && place == CLUMP_PLACE_HOST && ctx->no_cuda[0])
            in.cuda_absent = ctx->no_cuda;
        else
            in.cuda_devices = cuda->device_count(&in.cuda_absent);
    }
    const clump_decision decision = clump_decide(in);
    if (decision.backend == CLUMP_BACKEND_AUTO && cuda_only_method)
        return clump_fail(&ctx->work, CLUMP_ERR_NO_DEVICE, "the method %s needs CUDA, which cannot be used: %s",
                          method->name, decision.reason);
    if (decision.backend == CLUMP_BACKEND_AUTO) {
        const bool wrong_place = ctx->options.backend == CLUMP_BACKEND_CPU;
        return clump_fail(
            &ctx->work, wrong_place ? CLUMP_ERR_MEMORY_KIND : CLUMP_ERR_NO_DEVICE,
            wrong_place ? "%s" : "CUDA cannot be used: %s; run on the CPU instead (CLUMP_BACKEND_CPU, or --device cpu)",
            decision.reason);
    }
    set_reason(ctx, "%s", decision.reason);
    const clump_status status = open_backend(ctx, decision.backend, out);
    if (status == CLUMP_OK || decision.backend == CLUMP_BACKEND_CPU || cuda_only_method) return status;
    out->table = cuda;
    return clump_context_fall_back(ctx, place, status, out) ? CLUMP_OK : status;
}

clump_status clump_context_open_on(clump_context *ctx, clump_backend id, const char *what, clump_opened *out)
{
    const clump_backend_table *const table = clump_registry_find(id);
    if (ctx->options.backend != CLUMP_BACKEND_AUTO && ctx->options.backend != id)
        return clump_fail(&ctx->work, CLUMP_ERR_UNSUPPORTED,
                          "%s is on %s, and this context was made for another backend", what, table->name);
    set_reason(ctx, "%s is there", what);
    return open_backend(ctx, id, out);
}

clump_status clump_context_open_cpu(clump_context *ctx, clump_opened *out)
{
    return open_backend(ctx, CLUMP_BACKEND_CPU, out);
}

bool clump_context_fall_back(clump_context *ctx, clump_place place, clump_status failure, clump_opened *out)
{
    const bool device_trouble =
        failure == CLUMP_ERR_OUT_OF_MEMORY || failure == CLUMP_ERR_NO_DEVICE || failure == CLUMP_ERR_DEVICE;
    if (!device_trouble || !out->table || out->table->id != CLUMP_BACKEND_CUDA || place != CLUMP_PLACE_HOST ||
        ctx->options.backend != CLUMP_BACKEND_AUTO)
        return false;
    clump_log_line(&ctx->work, CLUMP_LOG_WARNING, "on the CPU instead: %s", ctx->work.error);
    set_reason(ctx, "%.100s", ctx->work.error);
    /* Another cloud may need less memory, so OUT_OF_MEMORY is tried again. The other failures are not. */
    if (failure != CLUMP_ERR_OUT_OF_MEMORY) memcpy(ctx->no_cuda, ctx->reason, sizeof ctx->no_cuda);
    char error[sizeof ctx->work.error];
    memcpy(error, ctx->work.error, sizeof error);
    const bool opened = open_backend(ctx, CLUMP_BACKEND_CPU, out) == CLUMP_OK;
    memcpy(ctx->work.error, error, sizeof error); /* where both fail, the message is the GPU's, as the status is */
    if (opened) ctx->work.error[0] = '\0';
    return opened;
}

clump_status clump_context_reserve(clump_context *ctx, size_t max_points)
{
    if (!ctx) return CLUMP_ERR_ARGUMENT;
    CLUMP_TRY(clump_begin(ctx, "clump_context_reserve"));
    if (max_points > INT32_MAX)
        return clump_fail(&ctx->work, CLUMP_ERR_TOO_MANY,
                          "clump_context_reserve: %zu points, at most %d fit into one call", max_points, INT32_MAX);
    clump_opened on = {NULL, NULL};
    const clump_method *const fast = clump_method_at(&clump_ec_methods, CLUMP_EC_FAST);
    clump_status status = clump_context_open(ctx, CLUMP_PLACE_HOST, fast, max_points, &on);
    if (status == CLUMP_OK) status = on.table->reserve(&ctx->work, on.state, max_points);
    if (status != CLUMP_OK && clump_context_fall_back(ctx, CLUMP_PLACE_HOST, status, &on))
        status = on.table->reserve(&ctx->work, on.state, max_points);
    if (status != CLUMP_OK) return status;
    if (ctx->options.backend == CLUMP_BACKEND_AUTO && on.table->id == CLUMP_BACKEND_CUDA) {
        /* AUTO sends clouds below CLUMP_CROSSOVER to the CPU, which has `fast` of every job. */
        CLUMP_TRY(clump_context_open(ctx, CLUMP_PLACE_HOST, fast, 0, &on));
        CLUMP_TRY(on.table->reserve(&ctx->work, on.state, CLUMP_CROSSOVER));
    }
    CLUMP_TRY(clump_alike_reserve(ctx, CLUMP_ERCCL_REACH));
    return clump_labels_reserve(&ctx->work, max_points);
}

void clump_load_clear(clump_context *ctx)
{
    ctx->load.count = ctx->merge_load.count = 0;
}
