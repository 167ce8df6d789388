/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the benches measure, and the figures to reach: against the best rival, with one thread.
 */
#include "harness/cases.h"

#include <stdio.h>
#include <string.h>

const bench_case bench_cases[] = {
    {"line-256k", CASE_OF_FACTORS(LINE, 262144, 128, 32), .target = 110, .rivals = true},
    {"blob-256k", CASE_OF_FACTORS(BLOB, 262144, 128, 32), .target = 35, .rivals = true},
    {"blob-k2048", CASE_OF_FACTORS(BLOB, 262144, 128, 2048), .target = 1600, .rivals = true, .slow = true},
    {"blob-k256", CASE_OF_FACTORS(BLOB, 262144, 128, 256), .target = 250, .rivals = true, .slow = true},
    {"blob-k2", CASE_OF_FACTORS(BLOB, 262144, 128, 2), .target = 20, .rivals = true},
    {"line-4k", CASE_OF_FACTORS(LINE, 4096, 128, 32), .target = 90, .rivals = true},
    {"blob-4k", CASE_OF_FACTORS(BLOB, 4096, 128, 32), .target = 45, .rivals = true},
    {"joints-256k", CASE_OF_FACTORS(JOINTS, 262144, 128, 32), .rivals = true},
    {"joints-4k", CASE_OF_FACTORS(JOINTS, 4096, 128, 32), .rivals = true},
    {"kitti", .kind = CASE_SCAN, .scan = CASE_FRAME, .d = 0.5f, .target = 120, .rivals = true},
    {"kitti-near", .kind = CASE_SCAN, .scan = CASE_FRAME, .d = 0.1f, .target = 12, .rivals = true},
    {"kitti-obstacles", .kind = CASE_OBSTACLES, .scan = CASE_FRAME, .d = 0.5f, .target = 100, .rivals = true},
    {"blob-1m", CASE_OF_FACTORS(BLOB, 1048576, 512, 32), .base = "blob-256k", .base_limit = 2},
    {"blob-4m", CASE_OF_FACTORS(BLOB, 4194304, 2048, 32), .slow = true, .base = "blob-256k", .base_limit = 2},
    {"blob-16m", CASE_OF_FACTORS(BLOB, 16777216, 8192, 32), .slow = true, .base = "blob-256k", .base_limit = 2},
    {"slabs", CASE_OF_SLABS(400000), .base = "blob-k256", .base_limit = 3},
    {"shells", .kind = CASE_SHELLS, .n = 400000, .k = 20000, .d = 1, .base = "blob-k256", .base_limit = 4},
    {"caps", .kind = CASE_SHELLS, .n = 400000, .k = 20000, .radius = 10, .d = 1, .base = "blob-k256", .base_limit = 3},
    {"askew", .kind = CASE_PLATES, .n = 400000, .k = 20000, .d = 1},
    {"askew-2m", .kind = CASE_PLATES, .n = 2000000, .k = 1000000, .d = 1, .slow = true},
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
        const int length =
            snprintf(out, size, "file=%s.bin%s", item->scan, item->kind == CASE_OBSTACLES ? " ground=left out" : "");
        if (item->n) snprintf(out + length, size - (size_t)length, " first=%zu", item->n);
        break;
    }
    case CASE_SHELLS:
        snprintf(out, size, "shells n=%zu k=%g radius=%g", item->n, item->k, item->radius);
        break;
    case CASE_PLATES:
        snprintf(out, size, "plates n=%zu k=%g", item->n, item->k);
        break;
    case CASE_CUBE:
    case CASE_DENSE_CELL:
        snprintf(out, size, "crowd=%s n=%zu", item->kind == CASE_CUBE ? "all" : "beside", item->n);
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
    case CASE_CUBE:
        return bench_cloud_cube(item->n, out, why);
    case CASE_DENSE_CELL:
        return bench_cloud_dense_cell(item->n, out, why);
    }
    return false;
}

/* --- pairs of clouds ----------------------------------------------------------------------------- */

#define CASES_FRAME(number) "kitti/semkitti_00_00000" number ".bin"

const nn_case nn_cases[] = {
    /* the paper's: consecutive scans of a street */
    {.name = "kitti-0-1", .scans = {CASES_FRAME("0"), CASES_FRAME("1")}, .target = 5.5, .target_two = 9, .paper = true},
    {.name = "kitti-1-2", .scans = {CASES_FRAME("1"), CASES_FRAME("2")}, .target = 5.5, .target_two = 9},
    {.name = "uniform-1m", .count = 1000000, .target = 3},
    {.name = "clump-100k", .count = 100000, .clump = true, .target = 1 / 1.5},
    {.name = "groups-1m", .count = 1000000, .groups = 10, .target = 4},
};
const size_t nn_case_count = sizeof nn_cases / sizeof nn_cases[0];

static float draw(uint64_t *state) /* [0, 1) */
{
    return (float)(bench_random(state) >> 40) * 0x1p-24f;
}

/* Draws a point of one of the groups: cubes of 1 m in a cube of 1 km, at the same places for points and queries. */
static void put_in_group(float *p, int groups, uint64_t *random)
{
    const int group = (int)((float)groups * draw(random));
    uint64_t place = 100 + (uint64_t)group;
    for (int k = 0; k < 3; k++) {
        const float corner = 1000 * draw(&place);
        p[k] = corner + draw(random);
    }
}

bool nn_case_make(const nn_case *item, const char *folder, bench_cloud *points, bench_cloud *queries,
                  clump_message *why)
{
    if (item->scans[0]) {
        bench_cloud *const clouds[2] = {points, queries};
        for (int c = 0; c < 2; c++) {
            char path[1200];
            snprintf(path, sizeof path, "%s/%s", folder, item->scans[c]);
            if (!bench_cloud_scan(path, NULL, clouds[c], why)) return false;
        }
        return true;
    }
    const size_t n = 3 * item->count;
    if (!bench_cloud_allocate(item->count, points, why) || !bench_cloud_allocate(item->count, queries, why))
        return false;
    uint64_t random = 1;
    for (size_t i = 0; i < n; i++) {
        points->xyz[i] = item->clump ? 10 + 1e-3f * draw(&random) : draw(&random);
        queries->xyz[i] = item->clump ? 2000 * (draw(&random) - 0.5f) : draw(&random);
    }
    if (item->clump) points->xyz[0] = 1e5f;
    for (size_t i = 0; item->groups > 0 && i < n; i += 3) {
        put_in_group(points->xyz + i, item->groups, &random);
        put_in_group(queries->xyz + i, item->groups, &random);
    }
    return true;
}
