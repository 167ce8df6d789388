/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tree.c: see tree.h.
 */
#include "cpu/tree/tree.h"

#include "common/timer.h"
#include "core/work.h"
#include "cpu/shared/points.h"
#include "cpu/shared/stages.h"

#include <math.h>

#define TREE_MIN_SHARE 2048  /* points per thread that are worth waking it */
#define TREE_POLLED    65536 /* points between two polls */
#define TREE_POINT     3     /* floats */
#define TREE_PADDING   1024  /* bytes: arrays begin at cache lines */

typedef struct copy_work {
    const clump_cloud_job *job;
    float *to;
} copy_work;

/* Copies points; z is 0 in 2-D mode, and points that are masked out are not finite. */
static void copy_chunk(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const copy_work *const w = arg;
    for (size_t i = begin; i < end; i++) {
        const clump_point p = clump_point_copy(w->job, i);
        float *const to = w->to + TREE_POINT * i;
        to[0] = clump_point_is_masked(w->job, i) ? NAN : p.x, to[1] = p.y, to[2] = p.z;
    }
}

/* Makes the view of the points that take part: the finite ones of the view. */
static clump_status take_points(clump_work *work, clump_cpu_tree *s, const clump_cloud_job *job, int threads,
                                clump_view *view)
{
    *view = (clump_view){job->points, job->count, job->stride};
    if (!job->two_d && !job->mask) return CLUMP_OK;
    CLUMP_TRY(clump_buffer_reserve(work, &s->points, job->count * TREE_POINT * sizeof(float)));
    copy_work w = {job, s->points.data};
    CLUMP_TRY(clump_run(work, threads, job->count, CLUMP_CHUNK, copy_chunk, &w));
    *view = (clump_view){s->points.data, job->count, TREE_POINT * sizeof(float)};
    return CLUMP_OK;
}

/* Cuts an array off the memory at *at. */
static void *cut(char **at, size_t bytes)
{
    void *const array = *at;
    *at += (bytes + 63) / 64 * 64;
    return array;
}

/* Makes room for the arrays of all places and of all indices. */
static clump_status take_memory(clump_work *work, clump_cpu_tree *s, clump_forest *f, size_t indices, int threads)
{
    const size_t n = f->count, slots = s->boxes.node_memory.bytes / sizeof(clump_tree_node) * CLUMP_TREE_WIDTH;
    const size_t place = 8 * sizeof(uint32_t) + 2 * sizeof(uint64_t) + f->listed * sizeof *f->near + 1;
    CLUMP_TRY(clump_buffer_reserve(work, &s->per_point, n * place + indices * sizeof *f->set + TREE_PADDING));
    char *at = s->per_point.data;
    f->core = cut(&at, n * sizeof *f->core);
    f->lower = cut(&at, n * sizeof *f->lower);
    f->near = cut(&at, n * f->listed * sizeof *f->near);
    f->fill = cut(&at, n);
    f->target = cut(&at, n * sizeof *f->target);
    f->component = cut(&at, n * sizeof *f->component);
    f->set = cut(&at, indices * sizeof *f->set);
    f->best = cut(&at, n * sizeof *f->best);
    f->least = cut(&at, n * sizeof *f->least);
    f->active = cut(&at, n * sizeof *f->active);
    f->edges = cut(&at, n * sizeof *f->edges);
    f->weights = cut(&at, n * sizeof *f->weights);
    CLUMP_ASSERT(at <= (char *)s->per_point.data + s->per_point.bytes);
    CLUMP_TRY(clump_buffer_reserve(work, &s->per_slot, slots * 5 * sizeof(uint32_t) + TREE_PADDING));
    at = s->per_slot.data;
    f->slots = cut(&at, slots * sizeof *f->slots);
    f->nodes = cut(&at, slots / CLUMP_TREE_WIDTH * sizeof *f->nodes);
    f->slot_component = cut(&at, slots * sizeof *f->slot_component);
    f->slot_core = cut(&at, slots * sizeof *f->slot_core);
    f->slot_lower = cut(&at, slots * sizeof *f->slot_lower);
    CLUMP_TRY(clump_buffer_reserve(work, &s->counters, clump_radix_counters(threads) * sizeof(size_t)));
    return clump_buffer_reserve(work, &s->words, 2 * n * sizeof(uint64_t));
}

static clump_status count_points(clump_work *work, const clump_cloud_job *job, clump_stats *stats)
{
    for (size_t i = 0; i < job->count; i++) {
        if (i % TREE_POLLED == 0) CLUMP_TRY(clump_poll(work));
        stats->finite += clump_point_is_finite(clump_point_at(job, i), job->two_d);
        stats->masked += clump_point_is_masked(job, i);
    }
    return CLUMP_OK;
}

clump_status clump_cpu_tree_run(clump_work *work, clump_cpu_tree *s, const clump_tree_job *job, clump_stats *stats)
{
    clump_stages at = {.start = clump_now_ms()};
    const int threads = clump_threads_for(work, job->in.count, TREE_MIN_SHARE);
    clump_view view;
    CLUMP_TRY(count_points(work, &job->in, stats));
    CLUMP_TRY(take_points(work, s, &job->in, threads, &view));
    CLUMP_TRY(clump_tree_build(work, &s->order, work, &s->boxes, view, threads));
    clump_forest f = {.boxes = &s->boxes, .count = s->boxes.count, .listed = CLUMP_TREE_LISTED};
    CLUMP_TRY(take_memory(work, s, &f, job->in.count, threads));
    at.built = clump_now_ms();
    if (f.count > 0) {
        CLUMP_TRY(clump_forest_near(work, &f, job->min_samples, threads));
        CLUMP_TRY(clump_forest_span(work, &f, threads));
    }
    at.clustered = clump_now_ms();
    CLUMP_TRY(clump_forest_merge(work, &f, job, s->words.data, s->counters.data, threads));
    at.labelled = clump_now_ms();
    clump_report_stages(stats, threads, 1, at);
    return CLUMP_OK;
}

void clump_cpu_tree_release(clump_work *work, clump_cpu_tree *s)
{
    clump_curve_release(work, &s->order);
    clump_tree_release(work, &s->boxes);
    clump_buffer_release(work, &s->points);
    clump_buffer_release(work, &s->per_point);
    clump_buffer_release(work, &s->per_slot);
    clump_buffer_release(work, &s->words);
    clump_buffer_release(work, &s->counters);
}
