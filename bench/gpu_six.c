/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The part "six" of the bench on a GPU: the six methods of Nguyen et al. 2020 on the clouds of their Table 2. These
 * have four factors, of which one is varied at a time, and the layout joints. Then a scan, without edge-es and
 * matrix-es.
 */
#include "gpu.h"

#include <stdio.h>
#include <string.h>

static const clump_ec_method columns[] = {CLUMP_EC_VERTEX_ES, CLUMP_EC_EDGE_ES, CLUMP_EC_MATRIX_ES,
                                          CLUMP_EC_VERTEX_RS, CLUMP_EC_EDGE_RS, CLUMP_EC_MATRIX_RS};
enum { SIX_METHODS = sizeof columns / sizeof *columns };

/* The most ours may take, in milliseconds: the authors' code on an NVIDIA H200; for matrix-rs the paper's report of a
 * GPU of 2015. 0 = none set. */
static const struct figure {
    const char *cloud;
    double ms[SIX_METHODS];
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

/* Prints the cloud and three lines: times from pinned memory, passes, bytes on the GPU. Times from pageable memory go
 * to the CSV file where a run takes at most 20 ms: copies are a small part of longer runs. */
static bool measure_cloud(gpu_bench *g, const bench_case *item)
{
    gpu_job job = {.part = "six", .kind = GPU_EC, .quick = true};
    long long passes[SIX_METHODS] = {0};
    double bytes[SIX_METHODS] = {0};
    if (!gpu_begin(&job, item)) return true;
    job.backend = CLUMP_BACKEND_CUDA, job.threads = 1;
    printf("\n%-15s ms    ", "");
    for (int m = 0; m < SIX_METHODS; m++) {
        const bool exhaustive = m < SIX_METHODS / 2;
        if (item->kind != CASE_FACTORS && exhaustive && columns[m] != CLUMP_EC_VERTEX_ES) {
            printf("  %-19s", "-");
            continue;
        }
        job.method = (int)columns[m], job.memory = MEMORY_PINNED, job.target_ms = figure_of(item->name, m);
        const gpu_row row = gpu_take(g, &job, -19);
        passes[m] = (long long)row.stats.passes, bytes[m] = (double)row.stats.device_bytes;
        if (row.time.runs == 0 || row.time.median_ms > 20) continue;
        job.memory = MEMORY_PAGEABLE, job.target_ms = 0;
        gpu_take(g, &job, 0);
    }
    printf("\n%-15s passes", "");
    for (int m = 0; m < SIX_METHODS; m++) printf("  %-19lld", passes[m]);
    printf("\n%-15s MB    ", "");
    for (int m = 0; m < SIX_METHODS; m++) printf("  %-19.1f", bytes[m] / 1e6);
    puts("");
    bench_cloud_free(&job.points);
    return gpu_finish(g);
}

/* Measures the factor's values from `low` on, each `step` times the last, up to `high`, and `high` itself. */
static bool vary(gpu_bench *g, const char *factor, bench_case item, size_t low, size_t high, size_t step)
{
    bool done = true;
    for (size_t value = low; done; value = value * step < high ? value * step : high) {
        char name[32];
        snprintf(name, sizeof name, "%s-%zu", factor, value);
        item.name = name;
        if (strcmp(factor, "size") == 0) item.n = value;
        if (strcmp(factor, "clusters") == 0) item.c = value;
        if (strcmp(factor, "degree") == 0) item.k = (double)value;
        if (strcmp(factor, "distance") == 0) item.D = value;
        if (contest_selected(name)) done = measure_cloud(g, &item);
        if (value >= high) break;
    }
    return done;
}

bool gpu_part_six(gpu_bench *g)
{
    printf("\nThe six methods, joints, median ms from pinned memory; in brackets the most they may take.\n");
    printf("%-15s       ", "cloud");
    for (int m = 0; m < SIX_METHODS; m++) printf("  %-19s", clump_ec_method_name(columns[m]));
    puts("");
    const size_t step = g->quick ? 8 : 4;
    bench_case item = {CASE_OF_FACTORS(JOINTS, 262144, 128, 32)};
    if (!vary(g, "size", item, 4096, 262144, g->quick ? 4 : 2)) return false;
    if (!vary(g, "clusters", item, 16, 8192, step)) return false;
    if (!vary(g, "degree", item, 1, 2048, step)) return false;
    item.n = 65536, item.c = 1024;
    if (!vary(g, "distance", item, 1, 1024, step)) return false;
    const bench_case *const scan = bench_case_find("kitti");
    return !contest_selected(scan->name) || measure_cloud(g, scan);
}
