/* SPDX-License-Identifier: BSD-3-Clause
 *
 * DBSCAN on the GPU: clouds, figures, and the table of part d.
 */
#include "gpu_parts.h"

#include <stdio.h>

#define FACTORS(l, points, degree)                                                                                     \
    .kind = CASE_FACTORS, .layout = CLUMP_LAYOUT_##l, .n = (points), .c = 128, .D = 4, .k = (degree), .d = 1

static const struct density_case {
    bench_case cloud;
    size_t min_points;
    double pinned_ms; /* that `fast` may need at most, on an NVIDIA H200; 0 = none set */
    bool slow;        /* not for dclust: its time grows with the number of neighbours */
} cases[] = {
    {{.name = "kitti", .kind = CASE_SCAN, .scan = "kitti/semkitti_00_000000", .d = 0.5f}, 10, 0.25, false},
    {{.name = "blob-256k", FACTORS(BLOB, 262144, 32)}, 5, 0.40, false},
    {{.name = "blob-1m", FACTORS(BLOB, 1048576, 32)}, 5, 0, false},
    {{.name = "blob-16m", FACTORS(BLOB, 16777216, 32)}, 5, 20, true},
    {{.name = "blob-4k", FACTORS(BLOB, 4096, 32)}, 5, 0, false},
    {{.name = "blob-k2", FACTORS(BLOB, 262144, 2)}, 5, 0, false},
    {{.name = "blob-k2048", FACTORS(BLOB, 262144, 2048)}, 1000, 0, true},
    {{.name = "slabs",
      .kind = CASE_FACTORS,
      .layout = CLUMP_LAYOUT_SLABS,
      .n = 1000000,
      .c = 2,
      .D = 1,
      .k = 20000,
      .d = 1},
     10,
     0,
     true},
};

static bool measure_cloud(const gpu_settings *s, const struct density_case *c, gpu_results *results)
{
    bench_cloud cloud;
    gpu_reference reference;
    if (!gpu_prepare(s, &c->cloud, c->min_points, &cloud, &reference)) return true;
    const size_t first = results->count;
    bool kept = true;
    printf("%-16s %9zu %8d", c->cloud.name, cloud.count, reference.clusters);
    gpu_job job = {.part = "dbscan",
                   .item = &c->cloud,
                   .cloud = &cloud,
                   .backend = CLUMP_BACKEND_CUDA,
                   .threads = results->host.cores,
                   .min_points = c->min_points,
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
        if (gpu_wanted(s, cases[i].cloud.name) && !(s->quick && cases[i].cloud.n > 1000000))
            done = measure_cloud(s, &cases[i], results);
    return done;
}
