/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ground.c: see ground.h: finds the surface, and labels the points that are ground.
 */
#include "cpu/obstacles/ground.h"

#include "common/atomics.h"
#include "common/share.h"
#include "common/timer.h"
#include "core/work.h"
#include "cpu/obstacles/ground_batch.h"

#include <float.h>
#include <math.h>

#define GROUND_MIN_SHARE 8192 /* points per thread that are worth waking it */

clump_status clump_cpu_ground_find(clump_work *work, clump_cpu_ground *ground, const clump_cloud_job *job,
                                   const clump_ground_options *options, int threads, clump_surface *surface,
                                   clump_ground_notes *notes)
{
    *surface = clump_surface_start(options);
    if (options->method == CLUMP_GROUND_NONE || job->count == 0) return CLUMP_OK;
    if (options->method == CLUMP_GROUND_PEAK)
        CLUMP_TRY(clump_cpu_ground_peak(work, ground, job, options, threads, surface));
    else
        CLUMP_TRY(clump_cpu_ground_grid(work, ground, job, options, threads, surface));
    if (!options->step || surface->kind == CLUMP_SURFACE_NONE) return CLUMP_OK;
    return clump_cpu_ground_step(work, ground, job, threads, surface, notes);
}

typedef struct tally {
    size_t ground, masked, finite;
} tally;

/* Labels the points of a slice, and writes their heights unless that is null. The surface is a copy: the compiler then
 * knows that no store changes it. */
static tally label_points(const clump_cloud_job *job, clump_surface s, clump_share slice, float *heights)
{
    int32_t *const labels = job->labels;
    tally found = {0};
    uint8_t flags[CLUMP_GROUND_BATCH];
    for (size_t i = slice.begin; i < slice.end; i += CLUMP_GROUND_BATCH) {
        const int n = clump_ground_batch_size(i, slice.end);
        clump_ground_batch_flag(job, &s, i, n, flags, heights ? heights + i : NULL);
        for (int k = 0; job->mask && k < n; k++) flags[k] &= job->mask[i + (size_t)k] != 0;
        if (heights) clump_ground_batch_hide(job, i, n, heights + i);
        for (int k = 0; k < n; k++) {
            labels[i + (size_t)k] = flags[k] ? CLUMP_GROUND : CLUMP_NOISE;
            found.ground += flags[k];
        }
        for (int k = 0; k < n; k++) {
            const float *const p = clump_point_at(job, i + (size_t)k);
            found.finite += (fabsf(p[0]) <= FLT_MAX) & (fabsf(p[1]) <= FLT_MAX) & (fabsf(p[2]) <= FLT_MAX);
            found.masked += clump_point_is_masked(job, i + (size_t)k);
        }
    }
    return found;
}

typedef struct labelling {
    const clump_cloud_job *job;
    const clump_surface *surface;
    float *heights; /* may be null */
    tally all;      /* atomic additions */
} labelling;

static void label_chunk(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    labelling *const l = arg;
    const tally mine = label_points(l->job, *l->surface, (clump_share){begin, end}, l->heights);
    CLUMP_ADD(&l->all.ground, mine.ground);
    CLUMP_ADD(&l->all.masked, mine.masked);
    CLUMP_ADD(&l->all.finite, mine.finite);
}

clump_status clump_cpu_ground_label(clump_work *work, clump_cpu_ground *ground, const clump_ground_job *given,
                                    clump_stats *stats)
{
    const clump_cloud_job *const job = &given->in;
    const int threads = clump_threads_for(work, job->count, GROUND_MIN_SHARE);
    const double start = clump_now_ms();
    clump_surface surface;
    CLUMP_TRY(clump_cpu_ground_find(work, ground, job, &given->options, threads, &surface, NULL));
    const double known = clump_now_ms();
    labelling l = {.job = job, .surface = &surface, .heights = given->options.heights};
    CLUMP_TRY(clump_run(work, threads, job->count, CLUMP_CHUNK, label_chunk, &l));
    stats->ground = l.all.ground;
    stats->ground_level = clump_surface_level(&surface);
    stats->masked = l.all.masked;
    stats->finite = l.all.finite;
    stats->noise = job->count - l.all.ground;
    stats->threads = threads;
    stats->build_ms = known - start;
    stats->label_ms = clump_now_ms() - known;
    return CLUMP_OK;
}

void clump_cpu_ground_release(clump_work *work, clump_cpu_ground *ground)
{
    clump_buffer_release(work, &ground->map);
    clump_buffer_release(work, &ground->bins);
}
