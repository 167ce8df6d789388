/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Obstacles on the elevation map on the GPU: scans, figures, and the table of part e. The setting is the paper's: 800 x
 * 800 cells of 5 cm, five cells of reach; the ground as by default, a grid, and it is part of every time.
 */
#include "gpu_parts.h"

#include <stdio.h>

/* The paper needs 20 to 50 ms a frame; a twentieth of its best is to be reached by its own methods. */
static const double fast_ms = 0.20, paper_ms = 1.0;

static const struct scan {
    const char *name, *path;
    size_t n; /* the first so many points; 0 = all */
    int reach;
    clump_ground_method ground;
} scans[] = {
    {"kitti", "kitti/semkitti_00_000000", 0, 5, CLUMP_GROUND_GRID},
    {"kitti-96k", "kitti/semkitti_00_000000", 96000, 5, CLUMP_GROUND_GRID},
    {"kitti-2", "kitti/semkitti_00_000002", 0, 5, CLUMP_GROUND_GRID},
    {"kitti-04", "kitti/semkitti_04_000000", 0, 5, CLUMP_GROUND_GRID},
    {"kitti-06", "kitti/semkitti_06_000000", 0, 5, CLUMP_GROUND_GRID},
    {"kitti-peak", "kitti/semkitti_00_000000", 0, 5, CLUMP_GROUND_PEAK},
    {"kitti-r1", "kitti/semkitti_00_000000", 0, 1, CLUMP_GROUND_GRID},
    {"kitti-r8", "kitti/semkitti_00_000000", 0, 8, CLUMP_GROUND_GRID},
};

static bool prepare(const gpu_settings *s, const bench_case *item, const clump_erccl_options *o, bench_cloud *cloud,
                    gpu_reference *reference)
{
    clump_message why = {""};
    if (bench_case_make(item, s->data, cloud, &why)) {
        if (gpu_reference_erccl(cloud, o, reference, &why)) return true;
        bench_cloud_free(cloud);
    }
    printf("%-16s left out: %s\n", item->name, why.text);
    return false;
}

static bool measure_scan(const gpu_settings *s, const struct scan *scan, gpu_results *results)
{
    bench_cloud cloud;
    gpu_reference reference;
    const bench_case item = {.name = scan->name, .kind = CASE_SCAN, .scan = scan->path, .n = scan->n, .d = 0.05f};
    clump_erccl_options o = clump_erccl_defaults();
    o.reach = scan->reach;
    o.ground.method = scan->ground;
    if (!prepare(s, &item, &o, &cloud, &reference)) return true;
    char parameters[160];
    snprintf(parameters, sizeof parameters, "scan=%s cells=%zu reach=%d alpha=%g tau=%g ground=%s", scan->path,
             clump_erccl_side(&o), o.reach, (double)o.alpha, (double)o.tau, clump_ground_method_name(o.ground.method));
    const size_t first = results->count;
    bool kept = true;
    printf("%-16s %9zu %8d", item.name, cloud.count, reference.clusters);
    gpu_job job = {.part = "erccl",
                   .item = &item,
                   .parameters = parameters,
                   .cloud = &cloud,
                   .backend = CLUMP_BACKEND_CUDA,
                   .threads = results->host.cores,
                   .obstacles = &o,
                   .quick = s->quick};
    gpu_row row;
    double bytes = 0;
    for (int memory = 0; memory < MEMORIES && kept; memory++) {
        job.memory = (gpu_memory)memory;
        job.target_ms = memory == MEMORY_PINNED && scan->reach == 5 ? fast_ms : 0;
        kept = gpu_take(&job, &reference, memory == MEMORY_PINNED ? -20 : -8, results, &row);
        bytes = (double)row.stats.device_bytes / 1e6;
    }
    printf("  %5.1f", bytes);
    for (int m = CLUMP_ERCCL_RACING; m <= CLUMP_ERCCL_INDEPENDENT && kept; m++) {
        o.method = (clump_erccl_method)m;
        job.memory = MEMORY_PINNED;
        job.target_ms = scan->reach == 5 && scan->ground == CLUMP_GROUND_GRID ? paper_ms : 0;
        kept = gpu_take(&job, &reference, -20, results, &row);
        printf(" %6lld", (long long)row.stats.passes);
    }
    puts("");
    bench_cloud_free(&cloud);
    return gpu_finish(results, first) && kept;
}

bool gpu_part_erccl(const gpu_settings *s, gpu_results *results)
{
    printf(
        "\nerccl, median ms; in brackets the most it may take. Ground and, from host memory, both copies included.\n");
    printf("%-16s %9s %8s  %-8s  %-20s  %-8s  %-8s  %5s  %-20s %6s  %-20s %6s\n", "scan", "points", "clusters",
           "pageable", "pinned", "device", "no wait", "MB", "racing, pinned", "passes", "independent, pinned",
           "passes");
    bool done = true;
    for (size_t i = 0; i < sizeof scans / sizeof *scans && done; i++)
        if (gpu_wanted(s, scans[i].name)) done = measure_scan(s, &scans[i], results);
    return done;
}
