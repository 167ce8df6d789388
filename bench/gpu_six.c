/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The six methods of Nguyen et al. 2020 on their own clouds, Table 2 of the paper: four factors, one varied
 * at a time, layout joints. And on a scan, those that take one.
 */
#include "gpu_parts.h"

#include <stdio.h>
#include <string.h>

static const clump_ec_method columns[] = {CLUMP_EC_VERTEX_ES, CLUMP_EC_EDGE_ES, CLUMP_EC_MATRIX_ES,
                                          CLUMP_EC_VERTEX_RS, CLUMP_EC_EDGE_RS, CLUMP_EC_MATRIX_RS};
enum { METHODS = sizeof columns / sizeof *columns };

/* What the authors' code takes on an NVIDIA H200, and of matrix-rs what the paper reports of a GPU of 2015:
 * the most ours may. */
static const struct figure {
    const char *cloud;
    double ms[METHODS];
} figures[] = {
    {"size-4096", {2.13, 2.10, 1.10, 0.90, 0.92, 1.35}},
    {"size-65536", {27.9, 0, 10.1, 2.78, 0, 2.60}},
    {"size-262144", {216, 0, 138, 7.70, 0, 5.24}},
    {"distance-1", {0, 0, 0, 0, 0, 4.5}},
    {"distance-1024", {0, 0, 0, 0, 0, 156}},
};

static double figure_of(const char *cloud, int method)
{
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        if (strcmp(figures[i].cloud, cloud) == 0) return figures[i].ms[method];
    return 0;
}

/* Three lines: times from pinned memory, passes, bytes on the GPU. Pageable memory goes to the CSV, where
 * it matters: copies are little beside a run of 20 ms. */
static bool measure_cloud(const gpu_settings *s, const bench_case *item, gpu_results *results)
{
    bench_cloud cloud;
    gpu_reference reference;
    if (!gpu_prepare(s, item, &cloud, &reference)) return true;
    const size_t first = results->count;
    long long passes[METHODS] = {0};
    double bytes[METHODS] = {0};
    bool kept = true;
    printf("%-15s ms    ", item->name);
    for (int m = 0; m < METHODS && kept; m++) {
        const bool exhaustive = m < METHODS / 2;
        if (item->kind != CASE_FACTORS && exhaustive && columns[m] != CLUMP_EC_VERTEX_ES) {
            printf("  %-19s", "-");
            continue;
        }
        gpu_job job = {.part = "six",
                       .item = item,
                       .cloud = &cloud,
                       .backend = CLUMP_BACKEND_CUDA,
                       .threads = 1,
                       .method = columns[m],
                       .memory = MEMORY_PINNED,
                       .target_ms = figure_of(item->name, m),
                       .quick = true};
        gpu_row row;
        kept = gpu_take(&job, &reference, -19, results, &row);
        passes[m] = (long long)row.stats.passes, bytes[m] = (double)row.stats.device_bytes;
        if (!kept || row.time.runs == 0 || row.time.median_ms > 20) continue;
        job.memory = MEMORY_PAGEABLE, job.target_ms = 0;
        gpu_measure(&job, &reference, &row);
        kept = gpu_results_add(results, &row);
    }
    printf("\n%-15s passes", "");
    for (int m = 0; m < METHODS; m++) printf("  %-19lld", passes[m]);
    printf("\n%-15s MB    ", "");
    for (int m = 0; m < METHODS; m++) printf("  %-19.1f", bytes[m] / 1e6);
    puts("");
    bench_cloud_free(&cloud);
    return gpu_finish(results, first) && kept;
}

/* Sizes of a factor from `low` to `high`, each `step` times the last, and always the highest. */
static bool vary(const gpu_settings *s, gpu_results *results, const char *factor, bench_case item, size_t low,
                 size_t high, size_t step)
{
    bool done = true;
    for (size_t value = low; done; value = value * step < high ? value * step : high) {
        char name[32];
        snprintf(name, sizeof name, "%s-%zu", factor, value);
        item.name = name;
        if (factor[0] == 's') item.n = value;
        if (factor[0] == 'c') item.c = value;
        if (strcmp(factor, "degree") == 0) item.k = (double)value;
        if (strcmp(factor, "distance") == 0) item.D = value;
        if (gpu_wanted(s, name)) done = measure_cloud(s, &item, results);
        if (value >= high) break;
    }
    return done;
}

bool gpu_part_six(const gpu_settings *s, gpu_results *results)
{
    printf("\nThe six methods, joints, median ms from pinned memory; in brackets the most they may take.\n");
    printf("%-15s       ", "cloud");
    for (int m = 0; m < METHODS; m++) printf("  %-19s", clump_ec_method_name(columns[m]));
    puts("");
    const size_t step = s->quick ? 8 : 4;
    bench_case item = {
        .kind = CASE_FACTORS, .layout = CLUMP_LAYOUT_JOINTS, .n = 262144, .c = 128, .D = 4, .k = 32, .d = 1};
    if (!vary(s, results, "size", item, 4096, 262144, s->quick ? 4 : 2)) return false;
    if (!vary(s, results, "clusters", item, 16, 8192, step)) return false;
    if (!vary(s, results, "degree", item, 1, 2048, step)) return false;
    item.n = 65536, item.c = 1024;
    if (!vary(s, results, "distance", item, 1, 1024, step)) return false;
    const bench_case *const scan = bench_case_find("kitti");
    return !gpu_wanted(s, scan->name) || measure_cloud(s, scan, results);
}
