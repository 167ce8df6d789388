/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is measured, and the figures it has to reach, against the best rival and with one thread.
 */
#include "cases.h"

#include <stdio.h>
#include <string.h>

#define FACTORS(l, points, clusters, degree)                                                                           \
    .kind = CASE_FACTORS, .layout = CLUMP_LAYOUT_##l, .n = (points), .c = (clusters), .D = 4, .k = (degree), .d = 1

const bench_case bench_cases[] = {
    {"line-256k", "line k=32", FACTORS(LINE, 262144, 128, 32), .target = 110, .rivals = true},
    {"blob-256k", "blob k=32", FACTORS(BLOB, 262144, 128, 32), .target = 35, .rivals = true},
    {"blob-k2048", "blob k=2048", FACTORS(BLOB, 262144, 128, 2048), .target = 1600, .rivals = true, .slow = true},
    {"blob-k256", "blob k=256", FACTORS(BLOB, 262144, 128, 256), .target = 250, .rivals = true, .slow = true},
    {"blob-k2", "blob k=2", FACTORS(BLOB, 262144, 128, 2), .target = 15, .rivals = true},
    {"line-4k", "line k=32", FACTORS(LINE, 4096, 128, 32), .target = 90, .rivals = true},
    {"blob-4k", "blob k=32", FACTORS(BLOB, 4096, 128, 32), .target = 25, .rivals = true},
    {"joints-256k", "joints k=32", FACTORS(JOINTS, 262144, 128, 32), .rivals = true},
    {"joints-4k", "joints k=32", FACTORS(JOINTS, 4096, 128, 32), .rivals = true},
    {"kitti", "64-beam scan", .kind = CASE_SCAN, .scan = "kitti/semkitti_00_000000", .d = 0.5f, .target = 120,
     .rivals = true},
    {"kitti-obstacles", "scan, no ground", .kind = CASE_OBSTACLES, .scan = "kitti/semkitti_00_000000", .d = 0.5f,
     .target = 100, .rivals = true},
    {"blob-1m", "blob k=32", FACTORS(BLOB, 1048576, 512, 32), .base = "blob-256k", .base_limit = 2},
    {"blob-4m", "blob k=32", FACTORS(BLOB, 4194304, 2048, 32), .slow = true, .base = "blob-256k", .base_limit = 2},
    {"blob-16m", "blob k=32", FACTORS(BLOB, 16777216, 8192, 32), .slow = true, .base = "blob-256k", .base_limit = 2},
    {"slabs", "slabs k=20000", .kind = CASE_FACTORS, .layout = CLUMP_LAYOUT_SLABS, .n = 400000, .c = 2, .D = 1,
     .k = 20000, .d = 1, .base = "blob-k256", .base_limit = 3},
    {"shells", "shells k=20000", .kind = CASE_SHELLS, .n = 400000, .k = 20000, .d = 1, .base = "blob-k256",
     .base_limit = 3},
    {"caps", "caps k=20000", .kind = CASE_SHELLS, .n = 400000, .k = 20000, .radius = 10, .d = 1, .base = "blob-k256",
     .base_limit = 3},
    {"askew", "askew k=20000", .kind = CASE_PLATES, .n = 400000, .k = 20000, .d = 1},
    {"askew-2m", "askew k=1000000", .kind = CASE_PLATES, .n = 2000000, .k = 1000000, .d = 1, .slow = true},
};
const size_t bench_case_count = sizeof bench_cases / sizeof bench_cases[0];

const bench_case *bench_case_find(const char *name)
{
    for (size_t i = 0; i < bench_case_count; i++)
        if (strcmp(bench_cases[i].name, name) == 0) return &bench_cases[i];
    return NULL;
}

static clump_factors factors_of(const bench_case *item)
{
    clump_factors f = clump_factors_defaults();
    f.layout = item->layout, f.points = item->n, f.clusters = item->c, f.degree = item->k, f.distance = item->D;
    return f;
}

void bench_case_parameters(const bench_case *item, char *out, size_t size)
{
    switch (item->kind) {
    case CASE_FACTORS: {
        const clump_factors f = factors_of(item);
        snprintf(out, size, "layout=%s n=%zu c=%zu k=%g D=%zu seed=%llu", clump_layout_name(f.layout), f.points,
                 f.clusters, f.degree, f.distance, (unsigned long long)f.seed);
        break;
    }
    case CASE_SCAN:
    case CASE_OBSTACLES: {
        const char *const ground = item->kind == CASE_OBSTACLES ? " ground=left out" : "";
        if (item->n)
            snprintf(out, size, "file=%s.bin%s first=%zu", item->scan, ground, item->n);
        else
            snprintf(out, size, "file=%s.bin%s", item->scan, ground);
        break;
    }
    case CASE_SHELLS:
        snprintf(out, size, "shells n=%zu k=%g radius=%g", item->n, item->k, item->radius);
        break;
    case CASE_PLATES:
        snprintf(out, size, "plates n=%zu k=%g", item->n, item->k);
        break;
    }
}

bool bench_case_make(const bench_case *item, const char *data, bench_cloud *out, clump_message *why)
{
    char scan[1024], labels[1024];
    *out = (bench_cloud){NULL, 0};
    switch (item->kind) {
    case CASE_FACTORS: {
        const clump_factors f = factors_of(item);
        return bench_cloud_factors(&f, out, why);
    }
    case CASE_SCAN:
    case CASE_OBSTACLES:
        snprintf(scan, sizeof scan, "%s/%s.bin", data, item->scan);
        snprintf(labels, sizeof labels, "%s/%s.label", data, item->scan);
        if (!bench_cloud_scan(scan, item->kind == CASE_OBSTACLES ? labels : NULL, out, why)) return false;
        if (item->n && out->count > item->n) out->count = item->n;
        return true;
    case CASE_SHELLS:
        return bench_cloud_shells(item->n, item->k, item->radius, out, why);
    case CASE_PLATES:
        return bench_cloud_plates(item->n, item->k, out, why);
    }
    return false;
}
