/* SPDX-License-Identifier: BSD-3-Clause
 *
 * six.c: see six.h.
 */
#include "cpu/six/six.h"

#include "common/timer.h"
#include "core/context.h"
#include "cpu/shared/need.h"

#include <math.h>
#include <string.h>

static clump_search search_of(clump_ec_method method)
{
    const bool range = method == CLUMP_EC_VERTEX_RS || method == CLUMP_EC_EDGE_RS || method == CLUMP_EC_MATRIX_RS;
    return range ? CLUMP_SEARCH_RANGE : CLUMP_SEARCH_EXHAUSTIVE;
}

/* Points that take part go to P, in order; the others are noise. */
static void admit(const clump_ec_job *job, clump_six *g, clump_result *result)
{
    size_t n = 0;
    for (size_t i = 0; i < job->in.count; i++) {
        const float *const p = (const float *)(const void *)(job->in.points + i * job->in.stride);
        const bool finite = isfinite(p[0]) && isfinite(p[1]) && (job->in.two_d || isfinite(p[2]));
        const bool masked = job->in.mask && !job->in.mask[i];
        result->finite += finite;
        result->masked += masked;
        job->in.labels[i] = CLUMP_NOISE;
        if (!finite || masked) continue;
        g->points[n] = (clump_search_point){p[0], p[1], job->in.two_d ? 0 : p[2], (uint32_t)n};
        g->index[n] = (uint32_t)i;
        n++;
    }
    g->count = n;
    result->noise = job->in.count - n;
}

clump_status clump_six_begin(clump_context *ctx, clump_six *g, const clump_ec_job *job, size_t block,
                             clump_result *result)
{
    const size_t n = job->in.count;
    const clump_ec_method m = job->method;
    clump_status status = clump_need(ctx, m, &g->point_memory, n, sizeof(clump_search_point), "points");
    if (status == CLUMP_OK) status = clump_need(ctx, m, &g->index_memory, n, sizeof(uint32_t), "points");
    if (status == CLUMP_OK) status = clump_need(ctx, m, &g->label_memory, n, sizeof(uint32_t), "points");
    if (status == CLUMP_OK) status = clump_need(ctx, m, &g->other_memory, n, sizeof(uint32_t), "points");
    if (status == CLUMP_OK) status = clump_need(ctx, m, &g->scan_memory, n + 1, sizeof(uint32_t), "points");
    if (status != CLUMP_OK) return status;
    g->points = g->point_memory.data;
    g->index = g->index_memory.data;
    g->label = g->label_memory.data;
    g->other = g->other_memory.data;
    g->scan = g->scan_memory.data;
    admit(job, g, result);
    for (size_t i = 0; i < g->count; i++) g->label[i] = (uint32_t)i;
    return clump_neighbours_prepare(ctx, &g->near, m, search_of(m), g->points, g->count, job->in.d, block);
}

/* Steps 1 to 4 of Algorithm 1. The sum of all degrees can pass 2^32, so offsets have 64 bits, and
 * there is one more than points, for the end of the last list. */
clump_status clump_six_starts(clump_context *ctx, clump_six *g, const clump_ec_job *job, bool only_after, size_t each,
                              const char *entries)
{
    const size_t n = g->count;
    clump_status status = clump_need(ctx, job->method, &g->starts, n + 1, sizeof(uint64_t), "points");
    if (status != CLUMP_OK) return status;
    uint64_t *const start = g->starts.data;
    uint64_t so_far = 0;
    for (size_t i = 0; i < n; i++) {
        CLUMP_TRY(clump_poll(ctx));
        uint64_t degree = 0;
        for (clump_neighbour_walk w = clump_neighbours_of(&g->near, i); clump_next_neighbour(&w);)
            degree += !only_after || w.id > i;
        start[i] = degree;
        so_far += degree;
        if (i % 1024 == 0) status = clump_need_so_far(ctx, job->method, &g->list, so_far, each, entries);
        if (status != CLUMP_OK) return status;
    }
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++) { /* exclusive scan */
        const uint64_t here = start[i];
        start[i] = sum;
        sum += here;
    }
    start[n] = sum;
    return clump_need(ctx, job->method, &g->list, sum, each, entries);
}

void clump_six_scan(uint32_t *x, size_t n)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        const uint32_t here = x[i];
        x[i] = sum;
        sum += here;
    }
    x[n] = sum;
}

/* The first point of every label is marked; the number of a label is the number of marks before its
 * own: clusters numbered by their smallest point index. */
static void make_labels(clump_six *g, const clump_ec_job *job, clump_result *result)
{
    const size_t n = g->count;
    const uint32_t *const label = g->label;
    uint32_t *const first = g->other, *const mark = g->scan;
    for (size_t i = 0; i < n; i++) first[i] = UINT32_MAX;
    for (size_t i = 0; i < n; i++)
        if (i < first[label[i]]) first[label[i]] = (uint32_t)i; /* atomicMin */
    for (size_t i = 0; i < n; i++) mark[i] = first[label[i]] == i;
    clump_six_scan(mark, n);
    for (size_t i = 0; i < n; i++) job->in.labels[g->index[i]] = (int32_t)mark[first[label[i]]];
    result->clusters = (int32_t)mark[n];
}

void clump_six_release(clump_context *ctx, clump_six *g)
{
    clump_buffer *const all[] = {&g->point_memory, &g->index_memory, &g->label_memory, &g->other_memory,
                                 &g->scan_memory,  &g->starts,       &g->list,         &g->matrix[0],
                                 &g->matrix[1],    &g->shared};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) clump_buffer_release(ctx, all[i]);
    clump_neighbours_release(ctx, &g->near);
}

void clump_six_next_round(clump_six *g)
{
    if (g->count > 0) memcpy(g->other, g->label, g->count * sizeof *g->label);
}

void clump_six_end_round(clump_six *g)
{
    uint32_t *const swap = g->label;
    g->label = g->other;
    g->other = swap;
}

void clump_six_finish(clump_six *g, const clump_ec_job *job, double begin, double built, clump_result *result)
{
    const double clustered = clump_now_ms();
    make_labels(g, job, result);
    result->threads = 1;
    result->build_ms = built - begin;
    result->cluster_ms = clustered - built;
    result->label_ms = clump_now_ms() - clustered;
}
