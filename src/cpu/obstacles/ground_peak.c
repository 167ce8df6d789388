/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ground_peak.c: the ground as Tian et al. 2020 have it: one level, the peak of the histogram of heights. Of the points
 * of a scan on a road half are ground, and nothing else is as even. On a slope there is no peak: then see ground_grid.c.
 *
 * Bins are `bin` high. A bin is as good as its count and those of both neighbours, so that a level on the border of two
 * bins is no worse than one in the middle of a bin; of equals the lowest is taken.
 */
#include "cpu/obstacles/ground.h"

#include "common/share.h"
#include "core/context.h"

#include <string.h>

#define HIGHEST 64.0f /* heights this far from the sensor, up and down, are looked at */

static void count_heights(const clump_cloud_job *job, clump_surface seen_by, float per_bin, clump_share part,
                          uint32_t *bins)
{
    const clump_surface *const s = &seen_by;
    for (size_t i = part.begin; i < part.end; i++) {
        if (job->mask && !job->mask[i]) continue;
        const float *const p = clump_ground_point(job, i);
        const float h = clump_surface_h(s, p);
        if (!clump_surface_inside(s, clump_surface_u(s, p), clump_surface_v(s, p), h)) continue;
        if ((h >= -HIGHEST) & (h < HIGHEST)) bins[1 + (int32_t)((h + HIGHEST) * per_bin)]++;
    }
}

typedef struct counting {
    const clump_cloud_job *job;
    const clump_surface *surface;
    float per_bin;
    uint32_t *bins; /* `count` of each share */
    size_t count;
    int shares;
} counting;

static void count_shares(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const counting *const c = arg;
    for (size_t t = begin; t < end; t++)
        count_heights(c->job, *c->surface, c->per_bin, clump_share_of(c->job->count, (int)t, c->shares),
                      c->bins + t * c->count);
}

clump_status clump_cpu_ground_peak(clump_context *ctx, clump_cpu_ground *ground, const clump_cloud_job *job,
                                   const clump_ground_options *options, int threads, clump_surface *surface)
{
    const float per_bin = 1.0f / options->bin;
    const size_t count = (size_t)(2 * HIGHEST * per_bin) + 4; /* one empty at either end, one for rounding */
    const clump_status status = clump_buffer_reserve(ctx, &ground->bins, (size_t)threads * count * sizeof(uint32_t));
    if (status != CLUMP_OK) return status;
    uint32_t *const bins = ground->bins.data;
    memset(bins, 0, (size_t)threads * count * sizeof *bins);
    counting c = {job, surface, per_bin, bins, count, threads};
    CLUMP_TRY(clump_run(ctx, threads, (size_t)threads, 1, count_shares, &c));
    for (size_t b = 0; b < count; b++)
        for (int t = 1; t < threads; t++) bins[b] += bins[(size_t)t * count + b];

    uint32_t most = 0;
    for (size_t b = 1; b + 1 < count; b++) {
        const float level = ((float)(b - 1) + 0.5f) * options->bin - HIGHEST;
        if (options->sensor_height > 0) { /* known: the ground is near it */
            const float off = level + options->sensor_height;
            if (off > options->window || off < -options->window) continue;
        }
        const uint32_t points = bins[b - 1] + bins[b] + bins[b + 1];
        if (points <= most || bins[b] == 0) continue;
        most = points;
        surface->kind = CLUMP_SURFACE_LEVEL;
        surface->level = level;
    }
    return CLUMP_OK;
}
