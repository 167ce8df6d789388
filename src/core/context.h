/* SPDX-License-Identifier: BSD-3-Clause
 *
 * context.h: what is behind clump_context, for the library's own files.
 */
#ifndef CLUMP_CORE_CONTEXT_H
#define CLUMP_CORE_CONTEXT_H

#include "common/team.h"
#include "core/backend.h"
#include "core/buffer.h"
#include "core/methods.h"
#include "core/span.h"
#include "rules/hash.h"

#define CLUMP_MAX_BACKENDS 2
#define CLUMP_MAX_THREADS  256 /* more than one call can use well; keeps tables of per-thread counts small */

/* A backend that has been opened. */
typedef struct clump_opened {
    const clump_backend_table *table;
    void *state;
} clump_opened;

struct clump_context {
    clump_context_options options; /* threads already resolved: at least 1 */
    clump_allocator memory;        /* never null inside */
    clump_team *team;              /* worker threads and the cancel flag; null for an index outside of a call */
    const char *call;              /* the public call that runs, "clump_ec", for its sentences */
    size_t host_bytes;             /* held in buffers now */
    size_t device_bytes;           /* the same on the GPU */
    clump_hash_key hash_key;       /* of all hash tables; drawn at creation */
    char error[512];
    clump_stats stats;
    char reason[sizeof((clump_stats *)0)->reason];  /* for the stats, once the call has succeeded */
    char no_cuda[sizeof((clump_stats *)0)->reason]; /* why AUTO has given the GPU up; "" while it has not */
    clump_opened backends[CLUMP_MAX_BACKENDS];      /* table null: not opened */
    clump_buffer load;                              /* a float a thread, of the last call */
    int loads;
    clump_buffer alike;            /* the table of clump_erccl */
    clump_buffer labels_scratch;   /* order and size limits */
    clump_buffer describe_scratch; /* clump_describe, clump_group */
    clump_buffer icp_scratch;      /* clump_icp */
    clump_index *icp_index;        /* the same: of the last target; null before the first */
};

/* A context comes from the caller's allocator, in whole lines like every buffer. */
#define CLUMP_CONTEXT_BYTES ((sizeof(clump_context) + 63) / 64 * 64)

/* Begins the public call of this name: no error yet. CLUMP_ERR_CANCELLED where the cancel flag is set already. */
clump_status clump_begin(clump_context *ctx, const char *call);

/* Polls the cancel flag in long loops on the calling thread: CLUMP_OK, or CLUMP_ERR_CANCELLED with its sentence. A poll
 * takes about a nanosecond. Tasks on other threads poll by clump_team_stopped() and return; then the run fails. */
clump_status clump_poll(clump_context *ctx);

/* Threads for a call on `items` items where each thread should have `least` of them to be worth waking: those that the
 * context may use and the system gives. At least 1. */
int clump_threads_for(clump_context *ctx, size_t items, size_t least);

/* clump_team_run() on the team of the context: CLUMP_OK, or CLUMP_ERR_CANCELLED with its sentence. Then what the tasks
 * were to make is half made: no code may read it. */
clump_status clump_run(clump_context *ctx, int threads, size_t count, size_t chunk, clump_team_task *task, void *arg);

#define CLUMP_CHUNK 8192 /* points per chunk of a loop that does little per point: some tens of microseconds */

/* In a function that returns a status: returns that of a call that failed. */
#define CLUMP_TRY(call)                                                                                                \
    do {                                                                                                               \
        const clump_status clump_try_status = (call);                                                                  \
        if (clump_try_status != CLUMP_OK) return clump_try_status;                                                     \
    } while (0)

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
 * reason in the context. Left to choose, it takes the CPU where the GPU cannot be opened. */
clump_status clump_context_open(clump_context *ctx, clump_place place, const clump_method *method, size_t points,
                                clump_opened *out);

/* Opens one backend, for what already lies there; refuses where the context was made for another. */
clump_status clump_context_open_on(clump_context *ctx, clump_backend id, const char *what, clump_opened *out);

/* A run on the GPU failed: whether the call may be tried again on the CPU, which it may when the backend
 * was left to choose and its memory can be used there. Then the reason in the context says so. */
bool clump_context_fall_back(clump_context *ctx, clump_place place, clump_status failure, clump_opened *out);

/* Builds *index on this backend, in place where there is one already and it is there. `points` as checked, with a
 * stride in bytes. A failure may leave an index without points in *index. */
clump_status clump_index_make(clump_context *ctx, const clump_opened *on, const clump_index_options *options,
                              clump_points points, clump_index **index);

/* What the backend knows of an index. */
const void *clump_index_state(const clump_index *index);

/* Adds what an index holds, or nothing where it is null. */
void clump_index_add_bytes(const clump_index *index, clump_stats *stats);

/* clump_index_knn for the call of this name, which has begun (index.c). */
clump_status clump_index_k_nearest(clump_context *ctx, const char *call, const clump_index *index, clump_points queries,
                                   int k, float max_distance, int32_t *indices, float *distances_squared);

/* clump_index_nearest with guesses in `indices`, as in clump_query_job (index.c). `points` are those of the index. */
clump_status clump_index_nearest_again(clump_context *ctx, const clump_index *index, clump_points points,
                                       clump_points queries, bool moved, float max_distance, int32_t *indices,
                                       float *distances_squared);

/* What clustering calls have in common, for the public one named `call` (call.c). First the checks of what both
 * take; on success *stride is in bytes, never 0. */
clump_status clump_call_check(clump_context *ctx, const char *call, const clump_cloud_job *job, clump_points points,
                              const char *radius, size_t *stride);

/* Then the memory of the points, the mask, the labels and up to 8 other pieces: alignment and overlap. */
clump_status clump_call_check_memory(clump_context *ctx, const char *call, const clump_cloud_job *job,
                                     const clump_span *others, size_t count);

/* Checks the options of the ground, for the public call named `call`; and how many tiles its map has along a side, 0:
 * too many (ground.c). */
clump_status clump_ground_check(clump_context *ctx, const char *call, const clump_ground_options *options);
size_t clump_ground_tiles(const clump_ground_options *options);

/* Checks eps_per_metre and the sensor, which are for the method `fast`. */
clump_status clump_call_check_growth(clump_context *ctx, const char *call, const clump_cloud_job *job, bool is_fast,
                                     const char *method);

/* Runs f on the backend that was opened, once more on the CPU where clump_context_fall_back says so, and keeps the
 * figures of a success. */
typedef clump_status clump_call_run(clump_context *ctx, const clump_opened *on, const void *job, clump_result *result);
clump_status clump_call(clump_context *ctx, clump_opened on, clump_call_run *run, const void *job,
                        const clump_cloud_job *common, const char *method, int32_t *cluster_count);

/* Size limits and order, the last step of every clustering call, for labels in host memory (labels.c).
 * They are canonical on entry; the result's clusters and noise are kept up to date. */
clump_status clump_labels_finish(clump_context *ctx, const clump_cloud_job *job, clump_result *result);

/* Whether there is anything to do. */
static inline bool clump_labels_unfinished(const clump_cloud_job *job)
{
    return job->order != CLUMP_ORDER_INDEX || job->min_size > 1 || job->max_size != 0;
}

clump_status clump_labels_reserve(clump_context *ctx, size_t max_points);

/* For clump_context_load: reserves memory for `workers` entries, then adds one per worker, the part of `span` that it was
 * busy. */
clump_status clump_load_begin(clump_context *ctx, size_t workers);
void clump_load_add(clump_context *ctx, double busy, double span);

/* The most threads that a call of this context may use, for what is reserved in advance. At least 1. */
int clump_thread_limit(const clump_context *ctx);

#endif
