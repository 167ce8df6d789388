/* SPDX-License-Identifier: BSD-3-Clause
 *
 * index.c: the public clump_index: checks, the choice of backend, and the ownership of memory. An index may outlive the
 * context that built it, and several contexts may query it. Its memory is therefore held by a clump_work of its own, `home`.
 */
#include "core/context.h"

#include "common/assert.h"
#include "core/options.h"
#include "rules/distance.h"

#include <string.h>

struct clump_index {
    clump_work home; /* holds the memory, and the message of a failure that concerns it */
    const clump_backend_table *table;
    void *state; /* the backend's */
    clump_index_options options;
    size_t points, finite;
};

#define INDEX_BYTES ((sizeof(clump_index) + 63) / 64 * 64)

/* ----- building ------------------------------------------------------------------------------- */

/* Keeps the figures of a build, queries = 0, or of a call with queries. */
static void keep_stats(clump_context *ctx, const clump_index *index, const clump_stats *stats, size_t queries)
{
    clump_keep_stats(ctx, index->table->id, clump_nn_method_name(index->options.method), stats);
    ctx->stats.points = index->points;
    ctx->stats.finite = index->finite;
    ctx->stats.queries = queries;
    ctx->stats.clusters = 0; /* also where the result is not known yet */
    clump_load_clear(ctx);
}

/* Fills the index with points, whose stride is in bytes. */
static clump_status build(clump_context *ctx, const clump_opened *on, clump_index *index, clump_points points)
{
    const clump_index_job job = {
        .points = (const char *)points.xyz,
        .count = points.count,
        .stride = points.stride,
        .place = points.place,
        .method = index->options.method,
        .partitions = index->options.partitions,
        .window = index->options.window,
    };
    clump_stats stats = clump_stats_before();
    CLUMP_ASSERT(index->table == on->table && points.stride >= 3 * sizeof(float));
    index->points = index->finite = 0;
    index->home.error[0] = '\0';
    index->home.team = ctx->work.team; /* for polls during this call only: the context may end before the index */
    index->home.call = ctx->work.call;
    const clump_status status =
        on->table->index_build(&ctx->work, on->state, &index->home, &index->state, &job, &stats);
    index->home.team = NULL;
    if (status != CLUMP_OK) {
        if (index->home.error[0]) memcpy(ctx->work.error, index->home.error, sizeof ctx->work.error);
        return status;
    }
    CLUMP_ASSERT(index->state && stats.finite <= points.count);
    index->points = points.count;
    index->finite = stats.finite;
    keep_stats(ctx, index, &stats, 0);
    return CLUMP_OK;
}

clump_status clump_index_make(clump_context *ctx, const clump_opened *on, const clump_index_options *options,
                              clump_points points, clump_index **index)
{
    if (*index && (*index)->table != on->table) {
        clump_index_destroy(*index);
        *index = NULL;
    }
    if (!*index) {
        clump_index *const created = ctx->work.memory.allocate(INDEX_BYTES, 64, ctx->work.memory.user);
        if (!created)
            return clump_fail(&ctx->work, CLUMP_ERR_OUT_OF_MEMORY, "%zu bytes of memory could not be allocated",
                              INDEX_BYTES);
        memset(created, 0, sizeof *created);
        created->home.memory = ctx->work.memory;
        created->table = on->table;
        *index = created;
    }
    (*index)->options = *options;
    return build(ctx, on, *index, points);
}

clump_status clump_index_create(clump_context *ctx, clump_points points, const clump_index_options *given,
                                clump_index **out)
{
    if (out) *out = NULL;
    if (!ctx) return CLUMP_ERR_ARGUMENT;
    CLUMP_TRY(clump_begin(ctx, "clump_index_create"));
    if (!out) return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "clump_index_create: out is null");
    const clump_index_options options = given ? *given : clump_index_defaults();
    if (options.cookie != CLUMP_INDEX_COOKIE)
        return clump_fail(&ctx->work, CLUMP_ERR_OPTIONS,
                          "clump_index_create: the options were not made by clump_index_defaults()");
    CLUMP_TRY(clump_check_points(&ctx->work, ctx->work.call, points, &points.stride));
    const clump_method *const method = clump_method_at(&clump_nn_methods, (int)options.method);
    if (!method)
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "clump_index_create: there is no method number %d",
                          (int)options.method);
    CLUMP_TRY(clump_option_check(&ctx->work, &clump_index_table, &options));

    clump_opened on;
    CLUMP_TRY(clump_context_open(ctx, points.place, method, points.count, &on));
    clump_index *index = NULL;
    clump_status status = clump_index_make(ctx, &on, &options, points, &index);
    if (status != CLUMP_OK && method->on_cpu && clump_context_fall_back(ctx, points.place, status, &on))
        status = clump_index_make(ctx, &on, &options, points, &index);
    if (status != CLUMP_OK) {
        clump_index_destroy(index);
        return status;
    }
    *out = index;
    return CLUMP_OK;
}

/* Opens the backend of the index. A context of another level lays out its memory in another way. */
static clump_status open_backend_of(clump_context *ctx, const clump_index *index, clump_opened *on)
{
    CLUMP_TRY(clump_context_open_on(ctx, index->table->id, "the index", on));
    if (on->table == index->table) return CLUMP_OK;
    return clump_fail(&ctx->work, CLUMP_ERR_UNSUPPORTED,
                      "%s: " CLUMP_LEVEL_VARIABLE " has changed: the index is of another level of the CPU than this "
                      "context, %s",
                      ctx->work.call, ctx->level->name);
}

clump_status clump_index_rebuild(clump_context *ctx, clump_index *index, clump_points points)
{
    if (!ctx) return CLUMP_ERR_ARGUMENT;
    CLUMP_TRY(clump_begin(ctx, "clump_index_rebuild"));
    if (!index) return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "clump_index_rebuild: index is null");
    CLUMP_TRY(clump_check_points(&ctx->work, ctx->work.call, points, &points.stride));
    if (points.place == CLUMP_PLACE_DEVICE && index->table->id == CLUMP_BACKEND_CPU)
        return clump_fail(&ctx->work, CLUMP_ERR_MEMORY_KIND,
                          "clump_index_rebuild: the index is on the CPU, the points are not");
    clump_opened on;
    CLUMP_TRY(open_backend_of(ctx, index, &on));
    return build(ctx, &on, index, points);
}

void clump_index_destroy(clump_index *index)
{
    if (!index) return;
    index->table->index_release(&index->home, index->state);
    CLUMP_ASSERT(index->home.host_bytes == 0 && index->home.device_bytes == 0);
    const clump_allocator memory = index->home.memory;
    memory.release(index, INDEX_BYTES, memory.user);
}

size_t clump_index_bytes(const clump_index *index)
{
    return index ? index->home.host_bytes + index->home.device_bytes : 0;
}

const void *clump_index_state(const clump_index *index)
{
    return index->state;
}

void clump_index_add_bytes(const clump_index *index, clump_stats *stats)
{
    if (!index) return;
    stats->host_bytes += index->home.host_bytes;
    stats->device_bytes += index->home.device_bytes;
}

/* ----- queries -------------------------------------------------------------------------------- */

/* Checks the arguments that all queries share, fills their part of the job and opens the backend of the index. */
static clump_status begin(clump_context *ctx, const clump_index *index, clump_points queries, float distance,
                          clump_query_job *job, clump_opened *on)
{
    const char *const call = ctx->work.call;
    if (!index) return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: index is null", call);
    CLUMP_TRY(clump_check_points(&ctx->work, call, queries, &job->stride));
    if (!(distance >= 0))
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: a distance of %g, it must be 0 or more", call,
                          (double)distance);
    if (queries.place == CLUMP_PLACE_DEVICE && index->table->id == CLUMP_BACKEND_CPU)
        return clump_fail(&ctx->work, CLUMP_ERR_MEMORY_KIND, "%s: the index is on the CPU, the queries are not", call);
    job->queries = (const char *)queries.xyz;
    job->count = queries.count;
    job->place = queries.place;
    job->bound = clump_distance_bound(distance);
    return open_backend_of(ctx, index, on);
}

/* Checks the memory of a query. `entries` indices and distances are written; 0 where the number is not known yet. */
static clump_status check_memory(clump_context *ctx, const clump_query_job *job, size_t entries)
{
    const clump_span spans[] = {
        clump_span_out("indices", job->indices, entries, sizeof *job->indices, sizeof *job->indices),
        clump_span_out("distances_squared", job->distances, entries, sizeof *job->distances, sizeof *job->distances),
        clump_span_points("queries.xyz", job->queries, job->count, job->stride),
        clump_span_in("offsets", job->offsets, job->count + 1, sizeof *job->offsets, _Alignof(int64_t)),
        clump_span_out("offsets", job->sums, job->count + 1, sizeof *job->sums, _Alignof(int64_t)),
    };
    return clump_check_spans(&ctx->work, ctx->work.call, spans, sizeof spans / sizeof *spans);
}

/* Runs the query and keeps its figures. */
static clump_status ask(clump_context *ctx, const clump_opened *on, const clump_index *index,
                        const clump_query_job *job)
{
    clump_stats stats = clump_stats_before();
    const clump_status status = on->table->index_query(&ctx->work, on->state, index->state, job, &stats);
    if (status == CLUMP_OK) keep_stats(ctx, index, &stats, job->count);
    return status;
}

clump_status clump_index_k_nearest(clump_context *ctx, const char *call, const clump_index *index, clump_points queries,
                                   int k, float max_distance, int32_t *indices, float *distances_squared)
{
    clump_query_job job = {.kind = CLUMP_QUERY_NEAREST, .indices = indices, .distances = distances_squared};
    clump_opened on;
    CLUMP_TRY(begin(ctx, index, queries, max_distance, &job, &on));
    if (k < 1 || k > CLUMP_NN_MAX_K)
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: k is %d, allowed are 1 to %d", call, k, CLUMP_NN_MAX_K);
    if (!indices && queries.count > 0) return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: indices is null", call);
    job.k = (size_t)k;
    CLUMP_TRY(check_memory(ctx, &job, queries.count * job.k));
    return ask(ctx, &on, index, &job);
}

clump_status clump_index_nearest(clump_context *ctx, const clump_index *index, clump_points queries, float max_distance,
                                 int32_t *indices, float *distances_squared)
{
    if (!ctx) return CLUMP_ERR_ARGUMENT;
    CLUMP_TRY(clump_begin(ctx, "clump_index_nearest"));
    return clump_index_k_nearest(ctx, ctx->work.call, index, queries, 1, max_distance, indices, distances_squared);
}

clump_status clump_index_knn(clump_context *ctx, const clump_index *index, clump_points queries, int k,
                             float max_distance, int32_t *indices, float *distances_squared)
{
    if (!ctx) return CLUMP_ERR_ARGUMENT;
    CLUMP_TRY(clump_begin(ctx, "clump_index_knn"));
    return clump_index_k_nearest(ctx, ctx->work.call, index, queries, k, max_distance, indices, distances_squared);
}

clump_status clump_index_nearest_again(clump_context *ctx, const clump_index *index, clump_points points,
                                       clump_points queries, bool moved, float max_distance, int32_t *indices,
                                       float *distances_squared)
{
    clump_query_job job = {.kind = CLUMP_QUERY_NEAREST, .k = 1, .indices = indices, .distances = distances_squared};
    clump_opened on;
    CLUMP_TRY(begin(ctx, index, queries, max_distance, &job, &on));
    job.guesses = true;
    job.moved = moved;
    job.guessed = (const char *)points.xyz;
    job.guessed_stride = points.stride ? points.stride : 3 * sizeof(float);
    return ask(ctx, &on, index, &job);
}

clump_status clump_index_radius_count(clump_context *ctx, const clump_index *index, clump_points queries, float radius,
                                      int64_t *offsets)
{
    if (!ctx) return CLUMP_ERR_ARGUMENT;
    CLUMP_TRY(clump_begin(ctx, "clump_index_radius_count"));
    clump_query_job job = {.kind = CLUMP_QUERY_COUNT};
    clump_opened on;
    CLUMP_TRY(begin(ctx, index, queries, radius, &job, &on));
    if (!offsets) return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "clump_index_radius_count: offsets is null");
    job.sums = offsets;
    CLUMP_TRY(check_memory(ctx, &job, 0));
    return ask(ctx, &on, index, &job);
}

/* Checks offsets in host memory. The backend checks offsets in device memory. */
static clump_status check_offsets(clump_context *ctx, const clump_query_job *job)
{
    static const char call[] = "clump_index_radius_fill";
    if (job->offsets[0] != 0)
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: the offsets do not begin with 0", call);
    for (size_t i = 0; i < job->count; i++)
        if (job->offsets[i + 1] < job->offsets[i])
            return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: offset %zu is less than the one before", call,
                              i + 1);
    if (!job->indices && job->offsets[job->count] > 0)
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: indices is null", call);
    return CLUMP_OK;
}

clump_status clump_index_radius_fill(clump_context *ctx, const clump_index *index, clump_points queries, float radius,
                                     const int64_t *offsets, int32_t *indices, float *distances_squared)
{
    if (!ctx) return CLUMP_ERR_ARGUMENT;
    CLUMP_TRY(clump_begin(ctx, "clump_index_radius_fill"));
    clump_query_job job = {
        .kind = CLUMP_QUERY_FILL, .offsets = offsets, .indices = indices, .distances = distances_squared};
    clump_opened on;
    CLUMP_TRY(begin(ctx, index, queries, radius, &job, &on));
    if (!offsets) return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "clump_index_radius_fill: offsets is null");
    CLUMP_TRY(check_memory(ctx, &job, 0));
    if (queries.place == CLUMP_PLACE_HOST) {
        CLUMP_TRY(check_offsets(ctx, &job));
        CLUMP_TRY(check_memory(ctx, &job, (size_t)offsets[queries.count]));
    }
    return ask(ctx, &on, index, &job);
}

/* ----- one query ------------------------------------------------------------------------------ */

static clump_status ask_one(const clump_index *index, const clump_one_job *job, size_t *found)
{
    if (!index || !job->query || !found || !(job->bound >= 0)) return CLUMP_ERR_ARGUMENT;
    if ((uintptr_t)found < (uintptr_t)(job->keys + job->room) && (uintptr_t)(found + 1) > (uintptr_t)job->keys)
        return CLUMP_ERR_ARGUMENT; /* they overlap */
    *found = 0;
    if (!index->table->index_one || index->points == 0)
        return index->table->index_one ? CLUMP_OK : CLUMP_ERR_UNSUPPORTED;
    return index->table->index_one(index->state, job, found) ? CLUMP_OK : CLUMP_ERR_UNSUPPORTED;
}

clump_status clump_index_knn_one(const clump_index *index, const float query[3], int k, float bound,
                                 uint64_t *neighbours, size_t *found)
{
    if (k < 1 || k > CLUMP_NN_MAX_K || !neighbours) return CLUMP_ERR_ARGUMENT;
    const clump_one_job job = {.query = query, .bound = bound, .k = (size_t)k, .keys = neighbours, .room = (size_t)k};
    return ask_one(index, &job, found);
}

clump_status clump_index_radius_one(const clump_index *index, const float query[3], float bound, bool sorted,
                                    uint64_t *neighbours, size_t capacity, size_t *found)
{
    if (!neighbours && capacity > 0) return CLUMP_ERR_ARGUMENT;
    const clump_one_job job = {.query = query, .bound = bound, .sorted = sorted, .keys = neighbours, .room = capacity};
    return ask_one(index, &job, found);
}
