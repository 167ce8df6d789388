/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The parts "describe" and "detect" of the bench on a GPU: boxes of clusters, and the whole way from scans to boxes.
 * Boxes and labels are compared with the CPU's before anything is timed. The timed calls of "detect" give boxes alone,
 * no labels; their boxes are compared too. In the CSV file labels_hash of "describe" is that of the boxes. Figures are
 * milliseconds on an NVIDIA H200, at most; 0 = none set.
 */
#include "gpu/gpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct box_case {
    const char *name; /* of a bench_case */
    double pinned_ms, device_ms;
} box_cases[] = {{"kitti", 0, 0.05}, {"kitti-obstacles", 0, 0.05}};

bool gpu_part_describe(gpu_bench *g)
{
    gpu_print_header("describe, boxes of the clusters of ec", "");
    bool done = true;
    for (size_t i = 0; i < sizeof box_cases / sizeof *box_cases && done; i++) {
        if (!contest_selected(box_cases[i].name)) continue;
        gpu_job job = {.part = "describe", .kind = GPU_DESCRIBE};
        if (gpu_begin(&job, bench_case_find(box_cases[i].name))) {
            gpu_measure_memories(g, &job, box_cases[i].pinned_ms, box_cases[i].device_ms);
            done = gpu_end_line(g, &job);
        }
        free(job.labels);
    }
    return done;
}

static const struct scan_case {
    const char *name, *scan;
    float thin;
    double pinned_ms, device_ms;
} scan_cases[] = {
    {"kitti", CASE_FRAME, 0, 0.30, 0.25},
    {"kitti-thin", CASE_FRAME, 0.1f, 0, 0},
    {"kitti-04", "kitti/semkitti_04_000000", 0, 0, 0},
    {"kitti-06", "kitti/semkitti_06_000000", 0, 0, 0},
};

void gpu_measure_host(gpu_bench *g, gpu_job *job)
{
    const int threads[2] = {1, g->host.cores};
    job->backend = CLUMP_BACKEND_CPU, job->memory = MEMORY_PAGEABLE, job->target_ms = 0;
    for (int i = 0; i < 2; i++) {
        job->threads = threads[i];
        gpu_take(g, job, -9);
    }
}

bool gpu_part_detect(gpu_bench *g)
{
    gpu_print_header("detect: ground, ec and boxes; boxes out, no labels", "  1 thread   all cores");
    bool done = true;
    for (size_t i = 0; i < sizeof scan_cases / sizeof *scan_cases && done; i++) {
        const struct scan_case *const scan = &scan_cases[i];
        if (!contest_selected(scan->name)) continue;
        const bench_case item = {scan->name, .kind = CASE_SCAN, .scan = scan->scan, .d = 0.5f};
        gpu_job job = {.part = "detect", .kind = GPU_DETECT, .thin = scan->thin};
        bench_case_parameters(&item, job.parameters, sizeof job.parameters);
        const size_t length = strlen(job.parameters);
        if (scan->thin > 0)
            snprintf(job.parameters + length, sizeof job.parameters - length, " thin=%g", (double)scan->thin);
        if (!gpu_begin(&job, &item)) continue;
        gpu_measure_memories(g, &job, scan->pinned_ms, scan->device_ms);
        gpu_measure_host(g, &job);
        done = gpu_end_line(g, &job);
    }
    return done;
}
