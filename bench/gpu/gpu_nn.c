/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The part "nn" of the bench on a GPU: nearest neighbours, and ICP. A run builds the index anew and asks for the
 * neighbours of all queries. Indices are compared with the CPU's before anything is timed. In the CSV file labels_hash
 * is that of the indices, and cluster_ms is the time of the queries.
 */
#include "gpu/gpu.h"

#include <clump/index.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NN_SMALLEST = 256, NN_LARGEST = 65536 }; /* the sizes of the part "crossover" */
#define NN_TRIMMED 0.8                          /* the share of pairs that trimmed ICP keeps */

/* What is measured of a pair of clouds, with the most it may take on an NVIDIA H200; 0: none set. */
typedef struct nn_job {
    const char *name;
    clump_nn_method method;
    gpu_memory memory;
    int k;
    double target_ms;
} nn_job;

static const nn_job jobs[] = {
    {"kitti-0-1", CLUMP_NN_FAST, MEMORY_PAGEABLE, 1, 0},    {"kitti-0-1", CLUMP_NN_FAST, MEMORY_PINNED, 1, 0.45},
    {"kitti-0-1", CLUMP_NN_FAST, MEMORY_DEVICE, 1, 0},      {"kitti-0-1", CLUMP_NN_FAST, MEMORY_RUNNING, 1, 0},
    {"kitti-0-1", CLUMP_NN_FAST, MEMORY_PINNED, 8, 0},      {"kitti-0-1", CLUMP_NN_FAST, MEMORY_PINNED, 128, 0},
    {"kitti-0-1", CLUMP_NN_AZIMUTH, MEMORY_PINNED, 1, 3.6}, {"kitti-0-1", CLUMP_NN_BATCH, MEMORY_PINNED, 1, 19.5},
    {"kitti-0-1", CLUMP_NN_PER_QUERY, MEMORY_PINNED, 1, 0}, {"uniform-1m", CLUMP_NN_FAST, MEMORY_PAGEABLE, 1, 0},
    {"uniform-1m", CLUMP_NN_FAST, MEMORY_PINNED, 1, 4},     {"uniform-1m", CLUMP_NN_FAST, MEMORY_DEVICE, 1, 0},
    {"clump-100k", CLUMP_NN_FAST, MEMORY_PINNED, 1, 0},     {"groups-1m", CLUMP_NN_FAST, MEMORY_PINNED, 1, 0},
};

/* threads: of the CPU; 0: on the GPU. */
static void measure(gpu_bench *g, const nn_job *what, int threads, const char *parameters, const bench_cloud *points,
                    const bench_cloud *queries)
{
    gpu_job job = {.part = "nn",
                   .cloud = what->name,
                   .kind = GPU_NN,
                   .method = (int)what->method,
                   .k = what->k,
                   .points = *points,
                   .queries = *queries,
                   .backend = threads ? CLUMP_BACKEND_CPU : CLUMP_BACKEND_CUDA,
                   .threads = threads ? threads : g->host.cores,
                   .memory = what->memory,
                   .target_ms = what->target_ms,
                   .quick = g->quick};
    snprintf(job.parameters, sizeof job.parameters, "%s queries=%zu k=%d", parameters, queries->count, job.k);
    clump_message why;
    if (!gpu_expect(&job, &why)) job.hash = 0; /* the row then says that its indices differ */
    printf("%-16s %8zu %8zu  %-9s %3d  %-14s", job.cloud, points->count, queries->count, gpu_method_name(&job), job.k,
           gpu_memory_names[job.memory]);
    const gpu_row row = gpu_take(g, &job, -22);
    printf(" %8.4f %8.4f %8.4f %8.4f\n", row.stats.upload_ms, row.stats.build_ms, row.stats.query_ms,
           row.stats.download_ms);
}

/* Where is the GPU faster? Points of both clouds, picked evenly: on the CPU with one thread, with all cores, and on the
 * GPU from ordinary memory. */
static void compare_sizes(gpu_bench *g, const bench_cloud whole[2])
{
    for (size_t n = NN_SMALLEST; n <= NN_LARGEST && n <= whole[0].count && n <= whole[1].count; n *= 2) {
        bench_cloud part[2] = {{NULL, 0}, {NULL, 0}};
        clump_message why;
        bool made = true;
        for (int c = 0; c < 2 && made; c++) {
            made = bench_cloud_allocate(n, &part[c], &why);
            for (size_t i = 0; i < n && made; i++)
                memcpy(part[c].xyz + 3 * i, whole[c].xyz + 3 * (i * whole[c].count / n), 3 * sizeof(float));
        }
        const int threads[] = {1, g->host.cores, 0};
        char name[32];
        snprintf(name, sizeof name, "crossover-%zu", n);
        const nn_job job = {name, CLUMP_NN_FAST, MEMORY_PAGEABLE, 1, 0};
        for (int t = 0; t < 3 && made; t++) measure(g, &job, threads[t], "scans", &part[0], &part[1]);
        bench_cloud_free(&part[0]), bench_cloud_free(&part[1]);
    }
}

/* clump_icp on the CPU with one thread, with all cores, and on the GPU: to points, to planes, and trimmed. Pairs within a
 * metre, from ordinary memory, the index built anew in every run. All motions of a method must be equal, bit for bit. */
static void compare_icp(gpu_bench *g, const bench_cloud clouds[2])
{
    static const struct {
        clump_icp_method method;
        double keep;
    } variants[] = {{CLUMP_ICP_POINT, 1}, {CLUMP_ICP_PLANE, 1}, {CLUMP_ICP_POINT, NN_TRIMMED}};
    const int threads[] = {1, g->host.cores, 0};
    gpu_job job = {.part = "icp",
                   .cloud = "kitti-0-1",
                   .kind = GPU_ICP,
                   .points = clouds[0],
                   .queries = clouds[1],
                   .memory = MEMORY_PAGEABLE,
                   .quick = g->quick};
    snprintf(job.parameters, sizeof job.parameters, "scans queries=%zu", clouds[1].count);
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
        clump_icp_result first = {.iterations = 0};
        job.method = (int)variants[v].method, job.keep = variants[v].keep;
        for (int t = 0; t < 3; t++) {
            job.backend = threads[t] ? CLUMP_BACKEND_CPU : CLUMP_BACKEND_CUDA;
            job.threads = threads[t] ? threads[t] : g->host.cores;
            const gpu_row row = gpu_take(g, &job, 0);
            if (t == 0) first = row.icp;
            const bool equal = memcmp(first.transform, row.icp.transform, sizeof first.transform) == 0;
            g->totals.wrong += !equal;
            printf("icp %s, %s, %d threads: %d iterations, %.1f ms, rmse %.9g%s\n", gpu_method_name(&job),
                   threads[t] ? "CPU" : "GPU", job.threads, row.icp.iterations, row.time.median_ms, row.icp.rmse,
                   equal ? "" : " OTHER MOTION");
        }
    }
}

static bool measure_pair(gpu_bench *g, const nn_case *item)
{
    bench_cloud clouds[2] = {{NULL, 0}, {NULL, 0}};
    clump_message why = {""};
    const bool made = nn_case_make(item, settings.data, &clouds[0], &clouds[1], &why);
    if (!made) printf("%-16s left out: %s\n", item->name, why.text);
    const char *const shape = item->scans[0] ? "scans" : item->clump ? "clump" : item->groups > 0 ? "groups" : "cube";
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs && made; i++)
        if (strcmp(jobs[i].name, item->name) == 0) measure(g, &jobs[i], 0, shape, &clouds[0], &clouds[1]);
    if (made && item->paper) {
        compare_sizes(g, clouds);
        compare_icp(g, clouds);
    }
    bench_cloud_free(&clouds[0]), bench_cloud_free(&clouds[1]);
    return gpu_finish(g);
}

bool gpu_part_nn(gpu_bench *g)
{
    printf("\nnn, build and query, median ms; in brackets the most it may take. Stages are those of the last run.\n");
    printf("%-16s %8s %8s  %-9s %3s  %-14s  %-22s %8s %8s %8s %8s\n", "cloud", "points", "queries", "method", "k",
           "memory", "total", "upload", "build", "query", "download");
    bool done = true;
    for (size_t i = 0; i < nn_case_count && done; i++) {
        bool measured = false;
        for (size_t j = 0; j < sizeof jobs / sizeof *jobs; j++)
            measured = measured || strcmp(jobs[j].name, nn_cases[i].name) == 0;
        if (measured && contest_selected(nn_cases[i].name)) done = measure_pair(g, &nn_cases[i]);
    }
    return done;
}
