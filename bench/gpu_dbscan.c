/* SPDX-License-Identifier: BSD-3-Clause
 *
 * DBSCAN on the GPU: clouds, figures, and the table of part d.
 */
#include "dbscan_cases.h"
#include "gpu_parts.h"

#include <stdio.h>

#define FACTORS(l, points, degree)                                                                                     \
    .kind = CASE_FACTORS, .layout = CLUMP_LAYOUT_##l, .n = (points), .c = 128, .D = 4, .k = (degree), .d = 1

#define FRAME .kind = CASE_SCAN, .scan = "kitti/semkitti_00_000000"

static const struct density_case {
    dbscan_case is;
    double pinned_ms; /* that `fast` may need at most, on an NVIDIA H200; 0 = none set */
    bool slow;        /* not for dclust: its time grows with the number of neighbours */
} cases[] = {
    {{.cloud = {.name = "kitti", FRAME, .d = 0.5f}, .min_points = 10}, 0.25, false},
    {{.cloud = {.name = "blob-256k", FACTORS(BLOB, 262144, 32)}, .min_points = 5}, 0.40, false},
    {{.cloud = {.name = "blob-1m", FACTORS(BLOB, 1048576, 32)}, .min_points = 5}, 0, false},
    {{.cloud = {.name = "blob-16m", FACTORS(BLOB, 16777216, 32)}, .min_points = 5}, 20, true},
    {{.cloud = {.name = "blob-4k", FACTORS(BLOB, 4096, 32)}, .min_points = 5}, 0, false},
    {{.cloud = {.name = "blob-k2", FACTORS(BLOB, 262144, 2)}, .min_points = 5}, 0, false},
    {{.cloud = {.name = "blob-k2048", FACTORS(BLOB, 262144, 2048)}, .min_points = 1000}, 0, true},
    {{.cloud = {.name = "all-1m", .n = 1000000, .d = 1}, .min_points = 10, .crowd = CROWD_ALL}, 0, true},
    {{.cloud = {.name = "crowd-1m", .n = 1000000, .d = 1}, .min_points = 10, .crowd = CROWD_BESIDE}, 0, true},
    {{.cloud = {.name = "slabs-1m",
                .kind = CASE_FACTORS,
                .layout = CLUMP_LAYOUT_SLABS,
                .n = 1000000,
                .c = 2,
                .D = 1,
                .k = 20000,
                .d = 1},
      .min_points = 10},
     0,
     true},
};

static bool prepare(const gpu_settings *s, const dbscan_case *item, bench_cloud *cloud, gpu_reference *reference)
{
    clump_message why = {""};
    if (dbscan_case_make(item, s->data, cloud, &why)) {
        if (gpu_reference_make(cloud, item->cloud.d, item->min_points, reference, &why)) return true;
        bench_cloud_free(cloud);
    }
    printf("%-16s left out: %s\n", item->cloud.name, why.text);
    return false;
}

static bool measure_cloud(const gpu_settings *s, const struct density_case *c, gpu_results *results)
{
    bench_cloud cloud;
    gpu_reference reference;
    const dbscan_case *const item = &c->is;
    if (!prepare(s, item, &cloud, &reference)) return true;
    char parameters[160];
    dbscan_case_parameters(item, parameters, sizeof parameters);
    const size_t first = results->count;
    bool kept = true;
    printf("%-16s %9zu %8d", item->cloud.name, cloud.count, reference.clusters);
    gpu_job job = {.part = "dbscan",
                   .item = &item->cloud,
                   .parameters = parameters,
                   .cloud = &cloud,
                   .backend = CLUMP_BACKEND_CUDA,
                   .threads = results->host.cores,
                   .min_points = item->min_points,
                   .quick = s->quick};
    gpu_row row;
    double bytes = 0;
    for (int memory = 0; memory < MEMORIES && kept; memory++) {
        job.memory = (gpu_memory)memory;
        job.target_ms = memory == MEMORY_PINNED ? c->pinned_ms : 0;
        kept = gpu_take(&job, &reference, memory == MEMORY_PINNED ? -20 : -8, results, &row);
        bytes = (double)row.stats.device_bytes / (double)(cloud.count ? cloud.count : 1);
    }
    printf("  %5.1f", bytes);
    if (!c->slow && kept) {
        job.density = CLUMP_DBSCAN_DCLUST;
        job.memory = MEMORY_PINNED;
        job.target_ms = 0;
        kept = gpu_take(&job, &reference, -8, results, &row);
    }
    puts("");
    bench_cloud_free(&cloud);
    return gpu_finish(results, first) && kept;
}

bool gpu_part_dbscan(const gpu_settings *s, gpu_results *results)
{
    printf("\ndbscan, median ms; in brackets the most it may take. Host memory: both copies included.\n");
    printf("%-16s %9s %8s  %-8s  %-20s  %-8s  %-8s  %5s  %s\n", "cloud", "points", "clusters", "pageable", "pinned",
           "device", "no wait", "B/pt", "dclust, pinned");
    bool done = true;
    for (size_t i = 0; i < sizeof cases / sizeof *cases && done; i++)
        if (gpu_wanted(s, cases[i].is.cloud.name) && !(s->quick && cases[i].is.cloud.n > 1000000))
            done = measure_cloud(s, &cases[i], results);
    return done;
}
