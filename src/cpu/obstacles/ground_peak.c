/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ground_peak.c: the ground of Tian et al. 2020: one level, the peak of the histogram of heights. Half of the points of
 * a scan on a road are ground, and no other surface is as flat. A slope has no peak; ground_grid.c handles slopes.
 *
 * Bins are `bin` high (option). The score of a bin is its count plus those of both neighbours, so a level on the border
 * of two bins scores as well as one in the middle of a bin. Of equal scores the lowest bin wins.
 */
#include "cpu/obstacles/ground.h"

#include "common/share.h"
#include "core/work.h"
#include "cpu/shared/points.h"

#include <string.h>

/* Counts the heights of a slice of the points. The surface is a copy: the compiler knows that no store changes it. */
static void count_heights(const clump_cloud_job *job, clump_surface surface, clump_peak peak, clump_share slice,
                          uint32_t *bins)
{
    const clump_surface *const s = &surface;
    for (size_t i = slice.begin; i < slice.end; i++) {
        if (clump_point_is_masked(job, i)) continue;
        const float *const p = clump_point_at(job, i);
        const float h = clump_surface_h(s, p);
        if (!clump_surface_inside(s, clump_surface_u(s, p), clump_surface_v(s, p), h)) continue;
        const uint32_t bin = clump_peak_bin(&peak, h);
        if (bin) bins[bin]++;
    }
}

typedef struct counting {
    const clump_cloud_job *job;
    const clump_surface *surface;
    clump_peak peak;
    uint32_t *bins; /* peak.bins per slice */
    int slices;
} counting;

static void count_slices(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const counting *const c = arg;
    for (size_t t = begin; t < end; t++)
        count_heights(c->job, *c->surface, c->peak, clump_share_of(c->job->count, (int)t, c->slices),
                      c->bins + t * c->peak.bins);
}

clump_status clump_cpu_ground_peak(clump_work *work, clump_cpu_ground *ground, const clump_cloud_job *job,
                                   const clump_ground_options *options, int threads, clump_surface *surface)
{
    const clump_peak peak = clump_peak_of(options);
    const size_t count = peak.bins;
    CLUMP_TRY(clump_buffer_reserve(work, &ground->bins, (size_t)threads * count * sizeof(uint32_t)));
    uint32_t *const bins = ground->bins.data;
    memset(bins, 0, (size_t)threads * count * sizeof *bins);
    counting c = {job, surface, peak, bins, threads};
    CLUMP_TRY(clump_run(work, threads, (size_t)threads, 1, count_slices, &c));
    for (size_t b = 0; b < count; b++)
        for (int t = 1; t < threads; t++) bins[b] += bins[(size_t)t * count + b];

    uint32_t most = 0;
    for (uint32_t b = 1; b + 1 < count; b++) {
        const float level = clump_peak_level(&peak, b);
        if (!clump_peak_allows(&peak, level)) continue;
        const uint32_t points = bins[b - 1] + bins[b] + bins[b + 1];
        if (points <= most || bins[b] == 0) continue;
        most = points;
        surface->kind = CLUMP_SURFACE_LEVEL;
        surface->level = level;
    }
    return CLUMP_OK;
}
