/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Pairs of clouds for the benches of nearest neighbours and ICP.
 */
#include "nn_cases.h"

#include <stdio.h>

#define FRAME(number) "kitti/semkitti_00_00000" number ".bin"
/* The paper's plot: 20000 queries against references of growing size. */
#define PLOT(size, count)                                                                                              \
    {                                                                                                                  \
        .name = "plot-" size, .scans = {FRAME("0"), FRAME("1")}, .first = {count, 20000}, .plot = true                 \
    }

const nn_case nn_cases[] = {
    /* the paper's: consecutive scans of a street */
    {.name = "kitti-0-1", .scans = {FRAME("0"), FRAME("1")}, .target = 4, .target_two = 6.5, .paper = true},
    {.name = "kitti-1-2", .scans = {FRAME("1"), FRAME("2")}, .target = 4, .target_two = 6.5},
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
            if (item->first[c] > 0 && item->first[c] < clouds[c]->count) clouds[c]->count = item->first[c];
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
