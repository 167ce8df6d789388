/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Pairs of clouds for the bench of nearest neighbours.
 */
#include "nn_cases.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* The paper's plot: 20000 queries against more and more of the reference. */
#define PLOT(size, count)                                                                                              \
    {                                                                                                                  \
        .name = "plot-" size, .scans = {"kitti/semkitti_00_000000.bin", "kitti/semkitti_00_000001.bin"},               \
        .first = {count, 20000}, .plot = true                                                                          \
    }

const nn_case nn_cases[] = {
    /* the paper's: consecutive scans of a street */
    {.name = "kitti-0-1",
     .scans = {"kitti/semkitti_00_000000.bin", "kitti/semkitti_00_000001.bin"},
     .target = 4,
     .target_two = 6.5,
     .paper = true},
    {.name = "kitti-1-2",
     .scans = {"kitti/semkitti_00_000001.bin", "kitti/semkitti_00_000002.bin"},
     .target = 4,
     .target_two = 6.5},
    {.name = "uniform-1m", .count = 1000000, .target = 3},
    {.name = "clump-100k", .count = 100000, .clump = true, .target = 1 / 1.5},
    {.name = "groups-1m", .count = 1000000, .groups = 10, .target = 4},
    PLOT("500", 500),
    PLOT("1000", 1000),
    PLOT("2000", 2000),
    PLOT("4000", 4000),
    PLOT("8000", 8000),
    PLOT("16000", 16000),
    PLOT("32000", 32000),
    PLOT("64000", 64000),
    PLOT("all", 0),
};
const size_t nn_case_count = sizeof nn_cases / sizeof nn_cases[0];

/* [0, 1); splitmix64. */
static float next(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (float)((z ^ (z >> 31)) >> 40) * 0x1p-24f;
}

static bool scan(const char *folder, const char *file, bench_cloud *out, clump_message *why)
{
    char path[1200];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    return bench_cloud_scan(path, NULL, out, why);
}

/* In one of the groups, a metre wide in a kilometre; where they are is the same for points and queries. */
static void put_in_group(float *p, int groups, uint64_t *random)
{
    const int group = (int)((float)groups * next(random));
    uint64_t place = 100 + (uint64_t)group;
    for (int k = 0; k < 3; k++) {
        const float corner = 1000 * next(&place);
        p[k] = corner + next(random);
    }
}

bool nn_case_make(const nn_case *item, const char *folder, bench_cloud *points, bench_cloud *queries,
                  clump_message *why)
{
    if (item->scans[0]) {
        bench_cloud *const clouds[2] = {points, queries};
        for (int c = 0; c < 2; c++) {
            if (!scan(folder, item->scans[c], clouds[c], why)) return false;
            if (item->first[c] > 0 && item->first[c] < clouds[c]->count) clouds[c]->count = item->first[c];
        }
        return true;
    }
    const size_t n = 3 * item->count;
    *points = (bench_cloud){malloc(n * sizeof(float)), item->count};
    *queries = (bench_cloud){malloc(n * sizeof(float)), item->count};
    if (!points->xyz || !queries->xyz) {
        snprintf(why->text, sizeof why->text, "no memory for %zu points", item->count);
        return false;
    }
    uint64_t random = 1;
    for (size_t i = 0; i < n; i++) {
        points->xyz[i] = item->clump ? 10 + 1e-3f * next(&random) : next(&random);
        queries->xyz[i] = item->clump ? 2000 * (next(&random) - 0.5f) : next(&random);
    }
    if (item->clump) points->xyz[0] = 1e5f;
    for (size_t i = 0; item->groups > 0 && i < n; i += 3) {
        put_in_group(points->xyz + i, item->groups, &random);
        put_in_group(queries->xyz + i, item->groups, &random);
    }
    return true;
}
