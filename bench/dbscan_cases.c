/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is measured of dbscan, and the figures it has to reach.
 */
#include "dbscan_cases.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FACTORS(l, points, clusters, degree)                                                                           \
    .kind = CASE_FACTORS, .layout = CLUMP_LAYOUT_##l, .n = (points), .c = (clusters), .D = 4, .k = (degree), .d = 1
#define FRAME      .kind = CASE_SCAN, .scan = "kitti/semkitti_00_000000"
#define TOY(size)  FRAME, .n = (size), .rivals = true
#define MILLION(x) .n = 1000000, .d = (x)

const dbscan_case dbscan_cases[] = {
    {.cloud = {"blob-256k", "blob k=32", FACTORS(BLOB, 262144, 128, 32), .target = 60, .rivals = true},
     .min_points = 5,
     .methods = true,
     .most_bytes = 80},
    {.cloud = {"kitti", "64-beam scan", FRAME, .d = 0.5f, .target = 100, .rivals = true},
     .min_points = 10,
     .methods = true,
     .most_bytes = 80},
    /* The paper's: its first points of a frame, two pairs of parameters. */
    {.cloud = {"toy-1k-1-2", "first 1000", TOY(1000), .d = 1}, .min_points = 2, .methods = true, .paper = true},
    {.cloud = {"toy-1k-5-10", "first 1000", TOY(1000), .d = 5}, .min_points = 10, .methods = true, .paper = true},
    {.cloud = {"toy-5k-1-2", "first 5000", TOY(5000), .d = 1}, .min_points = 2, .methods = true, .paper = true},
    {.cloud = {"toy-5k-5-10", "first 5000", TOY(5000), .d = 5}, .min_points = 10, .methods = true, .paper = true},
    {.cloud = {"toy-10k-1-2", "first 10000", TOY(10000), .d = 1}, .min_points = 2, .methods = true, .paper = true},
    {.cloud = {"toy-10k-5-10", "first 10000", TOY(10000), .d = 5}, .min_points = 10, .methods = true, .paper = true},
    /* A million points that would need a million neighbours each. */
    {.cloud = {"all-1m", "all within eps", MILLION(1)},
     .min_points = 10,
     .crowd = CROWD_ALL,
     .most_ms = 3000,
     .most_bytes = 80},
    {.cloud = {"slabs-1m", "slabs k=20000", .kind = CASE_FACTORS, .layout = CLUMP_LAYOUT_SLABS, .c = 2, .D = 1,
               .k = 20000, MILLION(1)},
     .min_points = 10,
     .most_ms = 3000,
     .most_bytes = 80},
    {.cloud = {"crowd-1m", "one crowded cell", MILLION(1)},
     .min_points = 10,
     .crowd = CROWD_BESIDE,
     .most_ms = 3000,
     .most_bytes = 80},
};
const size_t dbscan_case_count = sizeof dbscan_cases / sizeof dbscan_cases[0];

void dbscan_case_parameters(const dbscan_case *item, char *out, size_t size)
{
    if (item->crowd)
        snprintf(out, size, "crowd=%s n=%zu", item->crowd == CROWD_ALL ? "all" : "beside", item->cloud.n);
    else
        bench_case_parameters(&item->cloud, out, size);
    const size_t length = strlen(out);
    snprintf(out + length, size - length, " min_points=%zu", item->min_points);
}

static double draw(uint64_t *state) /* splitmix64, [0, 1) */
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/* A cube with a diagonal below eps = 1. Beside: half of the points in a small one, near the middle of a box in which
 * the others have about 10 within eps; not at the origin, which is a corner or a centre for whoever makes cells. */
static bool make_crowd(const dbscan_case *item, bench_cloud *out, clump_message *why)
{
    const size_t n = item->cloud.n;
    *out = (bench_cloud){malloc(3 * n * sizeof(float)), n};
    if (!out->xyz) {
        snprintf(why->text, sizeof why->text, "no memory for %zu points", n);
        return false;
    }
    const double box = 60; /* 500,000 points in 60^3 */
    uint64_t state = 1;
    for (size_t i = 0; i < n; i++) {
        const bool around = item->crowd == CROWD_BESIDE && i % 2;
        const double side = item->crowd == CROWD_ALL ? 0.57 : around ? box : 0.2;
        const double middle = item->crowd == CROWD_BESIDE && !around ? 0.58 : 0;
        for (size_t k = 0; k < 3; k++) out->xyz[3 * i + k] = (float)(middle + (draw(&state) - 0.5) * side);
    }
    return true;
}

bool dbscan_case_make(const dbscan_case *item, const char *data, bench_cloud *out, clump_message *why)
{
    return item->crowd ? make_crowd(item, out, why) : bench_case_make(&item->cloud, data, out, why);
}
