/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Judges of the ER-CCL paper's claims on the six scenes, and on what the time of a frame depends on.
 */
#include "claims/claims_erccl.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CLAIMS_SCENES = 6 };

/* --- six scenes ---------------------------------------------------------------------------------- */

papers_judgement erccl_judge_scene_times(const papers_table *rows)
{
    double least = INFINITY, most = 0;
    char ours[200];
    for (int i = 0; i < CLAIMS_SCENES; i++) {
        const double ms = papers_median(rows, "erccl-scenes", "racing", i, "cuda");
        if (!(ms > 0)) return papers_unknown("Racing was not measured on a GPU in all six scenes.");
        least = fmin(least, ms), most = fmax(most, ms);
    }
    snprintf(ours, sizeof ours, "%.2f to %.2f ms", least, most);
    return papers_decide(most <= 52.16, ours,
                         "It holds where no scene takes longer than the paper's slowest; the GPU is a newer one.");
}

papers_judgement erccl_judge_road(const papers_table *rows)
{
    const papers_row *junction = papers_find(rows, "erccl-scenes", "racing", 0, "cuda");
    const papers_row *road = papers_find(rows, "erccl-scenes", "racing", 1, "cuda");
    char ours[200];
    if (!junction || !road) {
        junction = papers_find(rows, "erccl-scenes", "racing", 0, "cpu");
        road = papers_find(rows, "erccl-scenes", "racing", 1, "cpu");
    }
    if (!junction || !road) return papers_unknown("Racing was not measured in both scenes.");
    snprintf(ours, sizeof ours, "%lld and %lld passes; %.3g and %.3g ms (%s)", road->passes, junction->passes,
             road->median_ms, junction->median_ms, road->backend);
    return papers_decide(
        road->passes > junction->passes && road->median_ms > junction->median_ms, ours,
        "It holds where the road has more passes and takes longer; ours is a wide road with few things.");
}

/* --- what the time depends on -------------------------------------------------------------------- */

/* Pearson's correlation of the time with the passes and with the clusters, over the frames of erccl-frames. Returns the
 * number of frames. */
static int correlate(const papers_table *rows, const char *backend, double *passes, double *clusters)
{
    double n = 0, sum[3] = {0}, products[3][3] = {{0}};
    for (size_t i = 0; i < rows->count; i++) {
        const papers_row *const row = &rows->rows[i];
        if (strcmp(row->experiment, "erccl-frames") != 0 || strcmp(row->series, "racing") != 0) continue;
        if (strcmp(row->backend, backend) != 0 || !(row->median_ms > 0)) continue;
        const double v[3] = {row->median_ms, (double)row->passes, (double)row->clusters};
        n++;
        for (int a = 0; a < 3; a++) {
            sum[a] += v[a];
            for (int b = 0; b < 3; b++) products[a][b] += v[a] * v[b];
        }
    }
    double r[3] = {0};
    for (int k = 1; k < 3 && n > 0; k++) {
        const double both = products[0][k] - sum[0] * sum[k] / n;
        const double time = products[0][0] - sum[0] * sum[0] / n, other = products[k][k] - sum[k] * sum[k] / n;
        r[k] = time > 0 && other > 0 ? both / sqrt(time * other) : 0;
    }
    *passes = r[1], *clusters = r[2];
    return (int)n;
}

static int correlate_any(const papers_table *rows, double *passes, double *clusters, const char **backend)
{
    *backend = "cuda";
    int frames = correlate(rows, *backend, passes, clusters);
    if (frames < 6) frames = correlate(rows, *backend = "cpu", passes, clusters);
    return frames;
}

papers_judgement erccl_judge_iterations(const papers_table *rows)
{
    double passes, clusters;
    const char *backend;
    char ours[200];
    const int frames = correlate_any(rows, &passes, &clusters, &backend);
    if (frames < 6) return papers_unknown("Racing was not measured on six frames or more.");
    snprintf(ours, sizeof ours, "correlation of time and passes %.2f, %d frames (%s)", passes, frames, backend);
    return papers_decide(passes >= 0.7, ours,
                         "It holds where time and passes have a correlation of at least 0.7; r = 3.");
}

papers_judgement erccl_judge_cluster_count(const papers_table *rows)
{
    double passes, clusters;
    const char *backend;
    char ours[200];
    const int frames = correlate_any(rows, &passes, &clusters, &backend);
    if (frames < 6) return papers_unknown("Racing was not measured on six frames or more.");
    snprintf(ours, sizeof ours, "correlation of time and clusters %.2f, %d frames (%s)", clusters, frames, backend);
    return papers_decide(fabs(clusters) < 0.5, ours,
                         "It holds where time and number of clusters have a correlation below 0.5 either way; r = 3.");
}
