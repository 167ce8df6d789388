/* SPDX-License-Identifier: BSD-3-Clause
 *
 * six.c: see six.h.
 */
#include "cpu/papers/six.h"

#include "core/work.h"
#include "cpu/shared/need.h"
#include "cpu/shared/points.h"
#include "cpu/shared/stages.h"

#include <string.h>

static clump_search_kind search_of(clump_ec_method method)
{
    const bool range = method == CLUMP_EC_VERTEX_RS || method == CLUMP_EC_EDGE_RS || method == CLUMP_EC_MATRIX_RS;
    return range ? CLUMP_SEARCH_RANGE : CLUMP_SEARCH_EXHAUSTIVE;
}

/* Copies the points that take part to P, in order. */
static void admit(const clump_ec_job *job, clump_six *g, clump_stats *stats)
{
    size_t n = 0;
    for (size_t i = 0; i < job->in.count; i++) {
        if (!clump_admit_point(&job->in, i, stats)) continue;
        const clump_point p = clump_point_copy(&job->in, i);
        g->points[n] = (clump_search_point){p.x, p.y, p.z, (uint32_t)n};
        g->index[n] = (uint32_t)i;
        g->label[n] = (uint32_t)n;
        n++;
    }
    g->count = n;
}

clump_status clump_six_begin(clump_work *work, clump_six *g, const clump_ec_job *job, size_t tile_b, clump_stats *stats)
{
    const size_t n = job->in.count;
    const char *const method = g->method = clump_ec_method_name(job->method);
    CLUMP_ASSERT(tile_b >= 2);
    CLUMP_TRY(clump_need(work, method, &g->point_memory, n, sizeof(clump_search_point), "points"));
    CLUMP_TRY(clump_need(work, method, &g->index_memory, n, sizeof(uint32_t), "points"));
    CLUMP_TRY(clump_need(work, method, &g->label_memory, n, sizeof(uint32_t), "points"));
    CLUMP_TRY(clump_need(work, method, &g->other_memory, n, sizeof(uint32_t), "points"));
    CLUMP_TRY(clump_need(work, method, &g->scan_memory, n + 1, sizeof(uint32_t), "points"));
    g->points = g->point_memory.data;
    g->index = g->index_memory.data;
    g->label = g->label_memory.data;
    g->other = g->other_memory.data;
    g->scan = g->scan_memory.data;
    admit(job, g, stats);
    return clump_neighbours_prepare(work, &g->search, method, search_of(job->method), g->points, g->count, job->in.d,
                                    tile_b);
}

/* Steps 1 to 4 of Algorithm 1, with the prefix sum in the loop that counts. The sum of all degrees can exceed 2^32, so
 * offsets have 64 bits. There is one more offset than points: the end of the last list. */
clump_status clump_six_starts(clump_work *work, clump_six *g, bool only_after, size_t each, const char *entries)
{
    const size_t n = g->count;
    CLUMP_TRY(clump_need(work, g->method, &g->starts, n + 1, sizeof(uint64_t), "points"));
    uint64_t *const start = g->starts.data;
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        CLUMP_TRY(clump_poll(work));
        start[i] = sum;
        for (clump_neighbour_walk w = clump_neighbours_of(&g->search, i); clump_next_neighbour(&w);)
            sum += !only_after || w.id > i;
        if (i % 1024 == 0) CLUMP_TRY(clump_need_so_far(work, g->method, &g->list, sum, each, entries));
    }
    start[n] = sum;
    return clump_need(work, g->method, &g->list, sum, each, entries);
}

/* Marks the first point of every label. The number of a cluster is the number of marks before its first point, so
 * clusters are numbered by their smallest point index. */
static void make_labels(clump_six *g, const clump_ec_job *job, clump_stats *stats)
{
    const size_t n = g->count;
    const uint32_t *const label = g->label;
    uint32_t *const first = g->other, *const mark = g->scan;
    for (size_t i = 0; i < n; i++) first[i] = UINT32_MAX;
    for (size_t i = 0; i < n; i++) {
        CLUMP_ASSERT(label[i] < n);
        if (i < first[label[i]]) first[label[i]] = (uint32_t)i; /* atomicMin */
    }
    for (size_t i = 0; i < n; i++) mark[i] = first[label[i]] == i;
    clump_six_scan(mark, n);
    for (size_t i = 0; i < n; i++) job->in.labels[g->index[i]] = (int32_t)mark[first[label[i]]];
    stats->clusters = (int32_t)mark[n];
}

void clump_six_release(clump_work *work, clump_six *g)
{
    clump_buffer *const all[] = {&g->point_memory, &g->index_memory, &g->label_memory, &g->other_memory,
                                 &g->scan_memory,  &g->starts,       &g->list,         &g->matrix[0],
                                 &g->matrix[1],    &g->shared};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) clump_buffer_release(work, all[i]);
    clump_neighbours_release(work, &g->search);
}

clump_six_labels clump_six_begin_round(clump_six *g, bool in_place)
{
    if (in_place) return (clump_six_labels){g->label, g->label};
    if (g->count > 0) memcpy(g->other, g->label, g->count * sizeof *g->label);
    return (clump_six_labels){g->label, g->other};
}

void clump_six_end_round(clump_six *g, bool in_place)
{
    if (in_place) return;
    uint32_t *const swap = g->label;
    g->label = g->other;
    g->other = swap;
}

void clump_six_finish(clump_six *g, const clump_ec_job *job, double begin, double built, clump_stats *stats)
{
    const double clustered = clump_now_ms();
    make_labels(g, job, stats);
    clump_report_stages(stats, 1, stats->passes, (clump_stages){begin, built, clustered, clump_now_ms()});
}
