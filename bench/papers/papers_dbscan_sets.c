/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The sets of points of the paper on DBSCAN.
 */
#include "papers/papers.h"
#include "papers/papers_dbscan.h"

#include <stdio.h>
#include <string.h>

const dbscan_set dbscan_sets[DBSCAN_SETS] = {
    {"toy1 eps 1", "toy1-1", 1000, 1, 2},  {"toy2 eps 1", "toy2-1", 5000, 1, 2},
    {"toy3 eps 1", "toy3-1", 10000, 1, 2}, {"toy1 eps 5", "toy1-5", 1000, 5, 10},
    {"toy2 eps 5", "toy2-5", 5000, 5, 10}, {"toy3 eps 5", "toy3-5", 10000, 5, 10},
    {"frame eps 1", "frame-1", 0, 1, 2},   {"million eps 0.5", "million-05", 1000000, 0.5f, 10},
};

/* Copies are this far apart along y: no two are within eps. */
static const float copy_distance = 300;

/* Appends copies of the cloud until it has this number of points. */
static bool repeat(bench_cloud *cloud, size_t count, clump_message *why)
{
    bench_cloud more;
    if (!bench_cloud_allocate(count, &more, why)) return false;
    for (size_t i = 0; i < count; i++) {
        memcpy(more.xyz + 3 * i, cloud->xyz + 3 * (i % cloud->count), 3 * sizeof(float));
        more.xyz[3 * i + 1] += copy_distance * (float)(i / cloud->count);
    }
    bench_cloud_free(cloud);
    *cloud = more;
    return true;
}

bool dbscan_set_make(const dbscan_set *set, bench_cloud *out, bool *simulated, clump_message *why)
{
    if (!frames_make(1, out, simulated, why)) return false;
    if (out->count == 0) return snprintf(why->text, sizeof why->text, "the frame has no points"), false;
    if (set->points > out->count) return repeat(out, set->points, why);
    if (set->points) out->count = set->points;
    return true;
}

void dbscan_series(char out[DBSCAN_NAME], const char *method, const dbscan_set *set, bool simulated)
{
    snprintf(out, DBSCAN_NAME, "%s %s%s", method, set->name, simulated ? " simulated" : "");
}

size_t dbscan_threads(int cores, int out[DBSCAN_THREADS])
{
    const int most = cores > 8 ? cores : 8;
    size_t count = 0;
    for (int threads = 1; threads <= most && count + 1 < DBSCAN_THREADS; threads *= 2) {
        if (threads / 2 < cores && cores < threads) out[count++] = cores;
        if (count + 1 < DBSCAN_THREADS) out[count++] = threads;
    }
    if (out[count - 1] < cores) out[count++] = cores;
    return count;
}
