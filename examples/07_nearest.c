/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 07_nearest.c: two scans of one place by a sensor that has moved. Finds corresponding points, and the motion of the
 * sensor.
 */
#include <clump/index.h>
#include <math.h>
#include <stdio.h>

enum { SIDE = 60, COUNT = 3 * SIDE * SIDE };

/* Simulates a sensor: ground and two walls, seen from (x, y). */
static void make_scan(float xyz[][3], float x, float y)
{
    for (int i = 0; i < COUNT; i++) {
        const float u = 0.17f * (float)(i % SIDE), v = 0.17f * (float)(i / SIDE % SIDE);
        const int side = i / (SIDE * SIDE);
        xyz[i][0] = (side == 1 ? 0 : u) - x;
        xyz[i][1] = (side == 0 ? v : side == 1 ? u : 0) - y;
        xyz[i][2] = side == 0 ? 0 : v;
    }
}

int main(void)
{
    static float before[COUNT][3], after[COUNT][3], squared[COUNT];
    static int32_t nearest[COUNT];
    make_scan(before, 0, 0);
    make_scan(after, 0.3f, -0.1f);
    const clump_points target = {.xyz = before[0], .count = COUNT}, source = {.xyz = after[0], .count = COUNT};

    clump_context *ctx;
    if (clump_context_create(NULL, &ctx) != CLUMP_OK) return 1;
    clump_index *index = NULL;
    clump_status status = clump_index_create(ctx, target, NULL, &index);
    if (status == CLUMP_OK) status = clump_index_nearest(ctx, index, source, INFINITY, nearest, squared);
    if (status == CLUMP_OK) {
        double sum = 0;
        for (int i = 0; i < COUNT; i++) sum += sqrt((double)squared[i]);
        printf("%d points, %.3f from the nearest in the mean\n", COUNT, sum / COUNT);

        clump_icp_options options = clump_icp_defaults();
        options.method = CLUMP_ICP_PLANE;
        clump_icp_result result;
        status = clump_icp(ctx, target, source, &options, &result);
        if (status == CLUMP_OK)
            printf("the sensor moved by %.3f %.3f %.3f\n", result.transform[3], result.transform[7],
                   fabs(result.transform[11]));
    }
    if (status != CLUMP_OK) puts(clump_context_error(ctx));
    clump_index_destroy(index);
    clump_context_destroy(ctx);
    return status != CLUMP_OK;
}
