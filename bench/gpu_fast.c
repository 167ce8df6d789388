/* SPDX-License-Identifier: BSD-3-Clause
 *
 * `fast` on the GPU: clouds, figures, and the table of part a; and the crossover, part c.
 */
#include "gpu_parts.h"

#include <stdio.h>
#include <string.h>

/* Milliseconds that may be needed at most, on an NVIDIA H200; 0 = none set. */
static const struct figure {
    const char *name;
    double pinned_ms, device_ms;
} figures[] = {
    {"line-4k", 0.06, 0.045},
    {"blob-4k", 0.06, 0.045},
    {"kitti-34k", 0.12, 0.09},
    {"kitti", 0.25, 0.18},
    {"joints-256k", 0.30, 0.18},
    {"blob-256k", 0.35, 0.22},
    {"blob-k2048", 0.30, 0.18},
    {"blob-16m", 15, 10},
    {"line-256k", 0, 0},
    {"blob-k2", 0, 0},
    {"slabs", 0, 0},
    {"shells", 0, 0},
    {"caps", 0, 0},
    {"askew", 0, 0},
    {"askew-2m", 0, 0},
    {"kitti-obstacles", 0, 0},
    {"blob-1m", 0, 0},
    {"blob-4m", 0, 0},
};

/* Not among the cases of the CPU. */
static const bench_case kitti_34k = {
    .name = "kitti-34k", .kind = CASE_OBSTACLES, .scan = "kitti/semkitti_00_000000", .n = 34254, .d = 0.5f};

static bool measure_cloud(const gpu_settings *s, const bench_case *item, const struct figure *f, gpu_results *results)
{
    bench_cloud cloud;
    gpu_reference reference;
    if (!gpu_prepare(s, item, &cloud, &reference)) return true;
    const size_t first = results->count;
    bool kept = true;
    printf("%-16s %9zu %8d", item->name, cloud.count, reference.clusters);
    double bytes = 0;
    for (int memory = 0; memory < MEMORIES && kept; memory++) {
        const double target = memory == MEMORY_PINNED ? f->pinned_ms : memory >= MEMORY_DEVICE ? f->device_ms : 0;
        const gpu_job job = {.part = "fast",
                             .item = item,
                             .cloud = &cloud,
                             .backend = CLUMP_BACKEND_CUDA,
                             .threads = results->host.cores,
                             .method = CLUMP_EC_FAST,
                             .memory = (gpu_memory)memory,
                             .target_ms = target,
                             .quick = s->quick};
        gpu_row row;
        kept = gpu_take(&job, &reference, memory == MEMORY_PAGEABLE ? -8 : -20, results, &row);
        bytes = (double)row.stats.device_bytes / (double)(cloud.count ? cloud.count : 1);
    }
    printf("  %.1f\n", bytes);
    bench_cloud_free(&cloud);
    return gpu_finish(results, first) && kept;
}

bool gpu_part_fast(const gpu_settings *s, gpu_results *results)
{
    printf("\nfast, median ms; in brackets the most it may take. Host memory: both copies included.\n");
    printf("%-16s %9s %8s  %-8s  %-20s  %-20s  %-20s  B/pt\n", "cloud", "points", "clusters", "pageable", "pinned",
           "device", "device, no wait");
    bool done = true;
    for (size_t i = 0; i < sizeof figures / sizeof *figures && done; i++) {
        const bench_case *const known = bench_case_find(figures[i].name);
        const bench_case *const item = known ? known : &kitti_34k;
        if (!gpu_wanted(s, item->name) || (s->quick && item->n > 1000000)) continue;
        done = measure_cloud(s, item, &figures[i], results);
    }
    return done;
}

/* --- crossover ----------------------------------------------------------------------------------- */

enum { smallest = 256, largest = 65536, contestants = 3 };

/* One cloud of one size: the CPU with one thread, with all, and the GPU from ordinary memory. */
static bool compare_size(const gpu_settings *s, const bench_case *item, gpu_results *results, double ms[contestants])
{
    bench_cloud cloud;
    gpu_reference reference;
    memset(ms, 0, contestants * sizeof *ms);
    if (!gpu_prepare(s, item, &cloud, &reference)) return true;
    const size_t first = results->count;
    bool kept = true;
    printf("%-16s %9zu %8d", item->name, cloud.count, reference.clusters);
    for (int k = 0; k < contestants && kept; k++) {
        const gpu_job job = {.part = "crossover",
                             .item = item,
                             .cloud = &cloud,
                             .backend = k < 2 ? CLUMP_BACKEND_CPU : CLUMP_BACKEND_CUDA,
                             .threads = k == 1 ? results->host.cores : 1,
                             .method = CLUMP_EC_FAST,
                             .memory = MEMORY_PAGEABLE,
                             .quick = s->quick};
        gpu_row row;
        kept = gpu_take(&job, &reference, 10, results, &row);
        ms[k] = row.time.median_ms;
    }
    puts("");
    bench_cloud_free(&cloud);
    return gpu_finish(results, first) && kept;
}

bool gpu_part_crossover(const gpu_settings *s, gpu_results *results)
{
    static const char *const shapes[] = {"blob", "line", "kitti"};
    printf("\nfast from ordinary memory, median ms: from where on is the GPU faster?\n");
    printf("%-16s %9s %8s  %10s  %10s  %10s\n", "cloud", "points", "clusters", "1 thread", "all cores", "GPU");
    bool done = true;
    for (size_t k = 0; k < 3; k++) {
        size_t from[2] = {0, 0}; /* the smallest size from which on the GPU always wins; 0: at none */
        for (size_t n = smallest; n <= largest && done; n *= 2) {
            char name[32];
            snprintf(name, sizeof name, "%s-%zu", shapes[k], n);
            bench_case item = {.name = name, .n = n, .d = 1, .kind = CASE_FACTORS, .D = 4, .k = 32};
            item.layout = k == 0 ? CLUMP_LAYOUT_BLOB : CLUMP_LAYOUT_LINE;
            item.c = n / 32 < 128 ? n / 32 : 128;
            if (k == 2) item.kind = CASE_OBSTACLES, item.scan = kitti_34k.scan, item.d = 0.5f;
            if (!gpu_wanted(s, name)) continue;
            double ms[contestants];
            done = compare_size(s, &item, results, ms);
            for (int c = 0; c < 2; c++) {
                if (ms[2] == 0 || ms[2] >= ms[c])
                    from[c] = 0;
                else if (from[c] == 0)
                    from[c] = n;
            }
        }
        for (int c = 0; c < 2; c++)
            if (from[c])
                printf("    %s: the GPU is faster than %s from %zu points on\n", shapes[k],
                       c ? "all cores" : "1 thread", from[c]);
    }
    return done;
}
