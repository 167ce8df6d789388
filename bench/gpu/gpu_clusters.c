/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The parts "fast", "dbscan", "erccl" and "crossover" of the bench on a GPU: clouds, figures, tables. Figures are
 * milliseconds on an NVIDIA H200, at most; 0 = none set.
 */
#include "gpu/gpu.h"

#include <clump/info.h>

#include <stdio.h>
#include <string.h>

enum { CLUSTERS_WIDE = -20, CLUSTERS_NARROW = -8 }; /* cells, with and without room for a figure */

void gpu_print_header(const char *sentence, const char *more)
{
    printf("\n%s, median ms; in brackets the most it may take. Host memory: both copies included.\n", sentence);
    printf("%-16s %9s %8s  %-8s  %-20s  %-20s  %-20s  %6s%s\n", "cloud", "points", "clusters", "pageable", "pinned",
           "device", "device, no wait", "B/pt", more);
}

/* Measures `fast` from every kind of memory, and prints the GPU memory per point. */
void gpu_measure_memories(gpu_bench *g, gpu_job *job, double pinned_ms, double device_ms)
{
    double bytes = 0;
    job->backend = CLUMP_BACKEND_CUDA, job->threads = g->host.cores, job->quick = g->quick;
    for (int memory = 0; memory < MEMORIES; memory++) {
        job->memory = (gpu_memory)memory;
        job->target_ms = memory == MEMORY_PINNED ? pinned_ms : memory >= MEMORY_DEVICE ? device_ms : 0;
        const gpu_row row = gpu_take(g, job, memory == MEMORY_PAGEABLE ? CLUSTERS_NARROW : CLUSTERS_WIDE);
        bytes = (double)row.stats.device_bytes / (double)(job->points.count ? job->points.count : 1);
    }
    printf("  %6.1f", bytes);
}

bool gpu_end_line(gpu_bench *g, gpu_job *job)
{
    puts("");
    bench_cloud_free(&job->points);
    return gpu_finish(g);
}

/* --- fast ---------------------------------------------------------------------------------------- */

static const struct fast_figure {
    const char *name;
    double pinned_ms, device_ms;
} fast_figures[] = {
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
    .name = "kitti-34k", .kind = CASE_OBSTACLES, .scan = CASE_FRAME, .n = 34254, .d = 0.5f};

bool gpu_part_fast(gpu_bench *g)
{
    gpu_print_header("fast", "");
    bool done = true;
    for (size_t i = 0; i < sizeof fast_figures / sizeof *fast_figures && done; i++) {
        const bench_case *const known = bench_case_find(fast_figures[i].name);
        const bench_case *const item = known ? known : &kitti_34k;
        if (!contest_selected(item->name) || (g->quick && item->n > 1000000)) continue;
        gpu_job job = {.part = "fast", .kind = GPU_EC};
        if (!gpu_begin(&job, item)) continue;
        gpu_measure_memories(g, &job, fast_figures[i].pinned_ms, fast_figures[i].device_ms);
        done = gpu_end_line(g, &job);
    }
    return done;
}

/* --- dbscan -------------------------------------------------------------------------------------- */

static const struct density_case {
    bench_case cloud;
    size_t min_points;
    double pinned_ms;
    bool dclust; /* also by this method, whose time grows with the number of neighbours */
} density_cases[] = {
    {{"kitti", .kind = CASE_SCAN, .scan = CASE_FRAME, .d = 0.5f}, 10, 0.25, true},
    {{"blob-256k", CASE_OF_FACTORS(BLOB, 262144, 128, 32)}, 5, 0.40, true},
    {{"blob-1m", CASE_OF_FACTORS(BLOB, 1048576, 128, 32)}, 5, 0, true},
    {{"blob-16m", CASE_OF_FACTORS(BLOB, 16777216, 128, 32)}, 5, 20, false},
    {{"blob-4k", CASE_OF_FACTORS(BLOB, 4096, 128, 32)}, 5, 0, true},
    {{"blob-k2", CASE_OF_FACTORS(BLOB, 262144, 128, 2)}, 5, 0, true},
    {{"blob-k2048", CASE_OF_FACTORS(BLOB, 262144, 128, 2048)}, 1000, 0, false},
    {{"all-1m", .kind = CASE_CUBE, .n = 1000000, .d = 1}, 10, 0, false},
    {{"crowd-1m", .kind = CASE_DENSE_CELL, .n = 1000000, .d = 1}, 10, 0, false},
    {{"slabs-1m", CASE_OF_SLABS(1000000)}, 10, 0, false},
};

bool gpu_part_dbscan(gpu_bench *g)
{
    gpu_print_header("dbscan", "  dclust, pinned");
    bool done = true;
    for (size_t i = 0; i < sizeof density_cases / sizeof *density_cases && done; i++) {
        const struct density_case *const item = &density_cases[i];
        if (!contest_selected(item->cloud.name) || (g->quick && item->cloud.n > 1000000)) continue;
        gpu_job job = {.part = "dbscan", .kind = GPU_DBSCAN, .min_points = item->min_points};
        bench_case_parameters(&item->cloud, job.parameters, sizeof job.parameters);
        const size_t length = strlen(job.parameters);
        snprintf(job.parameters + length, sizeof job.parameters - length, " min_points=%zu", item->min_points);
        if (!gpu_begin(&job, &item->cloud)) continue;
        gpu_measure_memories(g, &job, item->pinned_ms, 0);
        job.method = CLUMP_DBSCAN_DCLUST, job.memory = MEMORY_PINNED, job.target_ms = 0;
        if (item->dclust) gpu_take(g, &job, CLUSTERS_NARROW);
        done = gpu_end_line(g, &job);
    }
    return done;
}

/* --- erccl --------------------------------------------------------------------------------------- */

/* The setting is the paper's: 800 x 800 cells of 5 cm, a reach of five cells. Removing the ground is part of every
 * time. The paper reports 20 to 50 ms per frame; the figure for its own methods is a twentieth of its best. */
static const double erccl_fast_ms = 0.20, erccl_paper_ms = 1.0;

static const struct obstacle_case {
    const char *name, *scan;
    size_t n; /* the number of points that are read; 0 = all */
    int reach;
    clump_ground_method ground;
} obstacle_cases[] = {
    {"kitti", CASE_FRAME, 0, 5, CLUMP_GROUND_GRID},
    {"kitti-96k", CASE_FRAME, 96000, 5, CLUMP_GROUND_GRID},
    {"kitti-2", "kitti/semkitti_00_000002", 0, 5, CLUMP_GROUND_GRID},
    {"kitti-04", "kitti/semkitti_04_000000", 0, 5, CLUMP_GROUND_GRID},
    {"kitti-06", "kitti/semkitti_06_000000", 0, 5, CLUMP_GROUND_GRID},
    {"kitti-peak", CASE_FRAME, 0, 5, CLUMP_GROUND_PEAK},
    {"kitti-r1", CASE_FRAME, 0, 1, CLUMP_GROUND_GRID},
    {"kitti-r8", CASE_FRAME, 0, 8, CLUMP_GROUND_GRID},
};

bool gpu_part_erccl(gpu_bench *g)
{
    gpu_print_header("erccl, the ground included", "  racing, pinned       passes  independent, pinned  passes");
    bool done = true;
    for (size_t i = 0; i < sizeof obstacle_cases / sizeof *obstacle_cases && done; i++) {
        const struct obstacle_case *const scan = &obstacle_cases[i];
        if (!contest_selected(scan->name)) continue;
        const bench_case item = {scan->name, .kind = CASE_SCAN, .scan = scan->scan, .n = scan->n, .d = 0.05f};
        gpu_job job = {.part = "erccl", .kind = GPU_ERCCL, .obstacles = clump_erccl_defaults()};
        clump_erccl_options *const o = &job.obstacles;
        o->reach = scan->reach, o->ground.method = scan->ground;
        snprintf(job.parameters, sizeof job.parameters, "scan=%s cells=%zu reach=%d alpha=%g tau=%g ground=%s",
                 scan->scan, clump_erccl_rows(o), o->reach, (double)o->alpha, (double)o->tau,
                 clump_ground_method_name(o->ground.method));
        if (!gpu_begin(&job, &item)) continue;
        gpu_measure_memories(g, &job, scan->reach == 5 ? erccl_fast_ms : 0, 0);
        for (job.method = CLUMP_ERCCL_RACING; job.method <= CLUMP_ERCCL_INDEPENDENT; job.method++) {
            job.memory = MEMORY_PINNED;
            job.target_ms = scan->reach == 5 && scan->ground == CLUMP_GROUND_GRID ? erccl_paper_ms : 0;
            const gpu_row row = gpu_take(g, &job, CLUSTERS_WIDE);
            printf(" %6lld", (long long)row.stats.passes);
        }
        done = gpu_end_line(g, &job);
    }
    return done;
}

/* --- crossover ----------------------------------------------------------------------------------- */

/* Sizes around CLUMP_CROSSOVER of src/core/registry.h, which follows from this part. */
enum { CROSSOVER_SMALLEST = 256, CROSSOVER_LARGEST = 65536, CROSSOVER_PLACES = 3 };

/* One cloud: the CPU with one thread, with all cores, and the GPU, from ordinary memory. ms: the three medians; 0: left
 * out. */
static bool compare_places(gpu_bench *g, const bench_case *item, double ms[CROSSOVER_PLACES])
{
    gpu_job job = {.part = "crossover", .kind = GPU_EC, .memory = MEMORY_PAGEABLE, .quick = g->quick};
    memset(ms, 0, CROSSOVER_PLACES * sizeof *ms);
    if (!gpu_begin(&job, item)) return true;
    for (int k = 0; k < CROSSOVER_PLACES; k++) {
        job.backend = k < 2 ? CLUMP_BACKEND_CPU : CLUMP_BACKEND_CUDA;
        job.threads = k == 1 ? g->host.cores : 1;
        ms[k] = gpu_take(g, &job, 10).time.median_ms;
    }
    return gpu_end_line(g, &job);
}

bool gpu_part_crossover(gpu_bench *g)
{
    static const char *const shapes[] = {"blob", "line", "kitti"};
    printf("\nfast from ordinary memory, median ms: from where on is the GPU faster?\n");
    printf("%-16s %9s %8s  %10s  %10s  %10s\n", "cloud", "points", "clusters", "1 thread", "all cores", "GPU");
    bool done = true;
    for (size_t shape = 0; shape < 3; shape++) {
        size_t from[2] = {0, 0}; /* the smallest size from which on the GPU is always faster; 0: none */
        for (size_t n = CROSSOVER_SMALLEST; n <= CROSSOVER_LARGEST && done; n *= 2) {
            char name[32];
            snprintf(name, sizeof name, "%s-%zu", shapes[shape], n);
            bench_case item = {name, CASE_OF_FACTORS(BLOB, n, n / 32 < 128 ? n / 32 : 128, 32)};
            if (shape == 1) item.layout = CLUMP_LAYOUT_LINE;
            if (shape == 2) item.kind = CASE_OBSTACLES, item.scan = CASE_FRAME, item.d = 0.5f;
            if (!contest_selected(name)) continue;
            double ms[CROSSOVER_PLACES];
            done = compare_places(g, &item, ms);
            for (int c = 0; c < 2; c++) {
                if (ms[2] == 0 || ms[2] >= ms[c])
                    from[c] = 0;
                else if (from[c] == 0)
                    from[c] = n;
            }
        }
        for (int c = 0; c < 2; c++)
            if (from[c])
                printf("    %s: the GPU is faster than %s from %zu points on\n", shapes[shape],
                       c ? "all cores" : "1 thread", from[c]);
    }
    return done;
}
