/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The part "objects" of the bench on a GPU: clump_objects with scan and with exact neighbours, ground included, beside the
 * CPU; and `ec` without ground, with one distance and with one that grows with the range. Figures are milliseconds on an
 * NVIDIA H200, at most; 0 = none set.
 */
#include "gpu/gpu.h"

#include <stdio.h>
#include <string.h>

static const struct objects_row {
    const char *name;
    gpu_kind kind;
    int method;
    float d, per_metre; /* GPU_EC */
    double pinned_ms;
} rows[] = {
    {"kitti-scan", GPU_OBJECTS, CLUMP_NEIGHBOURS_SCAN, 0.25f, 0.0175f, 0.35},
    {"kitti-exact", GPU_OBJECTS, CLUMP_NEIGHBOURS_EXACT, 0.25f, 0.0175f, 0.8},
    {"kitti-ec", GPU_EC, CLUMP_EC_FAST, 0.5f, 0, 0},
    {"kitti-ec-grows", GPU_EC, CLUMP_EC_FAST, 0.25f, 0.0175f, 0},
};

bool gpu_part_objects(gpu_bench *g)
{
    gpu_print_header("objects, the ground included; ec without ground", "  1 thread   all cores");
    bool done = true;
    for (size_t i = 0; i < sizeof rows / sizeof *rows && done; i++) {
        if (!contest_selected(rows[i].name)) continue;
        const bool objects = rows[i].kind == GPU_OBJECTS;
        const bench_case item = {rows[i].name, .kind = objects ? CASE_SCAN : CASE_OBSTACLES, .scan = CASE_FRAME,
                                 .d = rows[i].d};
        gpu_job job = {
            .part = "objects", .kind = rows[i].kind, .method = rows[i].method, .per_metre = rows[i].per_metre};
        bench_case_parameters(&item, job.parameters, sizeof job.parameters);
        const size_t length = strlen(job.parameters);
        snprintf(job.parameters + length, sizeof job.parameters - length, " eps_per_metre=%g", (double)job.per_metre);
        if (!gpu_begin(&job, &item)) continue;
        gpu_measure_memories(g, &job, rows[i].pinned_ms, 0);
        gpu_measure_host(g, &job);
        done = gpu_end_line(g, &job);
    }
    return done;
}
