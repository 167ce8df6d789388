/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 06_obstacles.c: from a scan to obstacles with boxes. clump_erccl removes the ground and clusters the other points,
 * clump_describe computes the boxes. Two objects close together are separated by their heights.
 */
#include <clump/info.h>
#include <stdio.h>

enum { FLOOR = 100 * 100, SIDE = 8, BOX = SIDE * SIDE * SIDE, COUNT = FLOOR + 2 * BOX };

/* Simulates a sensor: a floor 1.5 m below it that rises to the right, and two boxes on it, 0.1 m between them, one of
 * them three times as high as the other. */
static void make_points(float xyz[][3])
{
    for (int i = 0; i < FLOOR; i++) {
        xyz[i][0] = 0.2f * (float)(i % 100 - 50);
        xyz[i][1] = 0.2f * (float)(i / 100 - 50);
        xyz[i][2] = -1.5f + 0.05f * xyz[i][0];
    }
    for (int i = 0; i < 2 * BOX; i++) {
        float *const p = xyz[FLOOR + i];
        const int k = i % BOX, tall = i < BOX;
        p[0] = 3 + 0.1f * (float)(k % SIDE) + (tall ? 0 : 0.8f);
        p[1] = 2 + 0.1f * (float)(k / SIDE % SIDE);
        p[2] = -1 + (tall ? 0.3f : 0.1f) * (float)(k / SIDE / SIDE + 1);
    }
}

int main(void)
{
    static float xyz[COUNT][3];
    static int32_t labels[COUNT];
    make_points(xyz);
    const clump_points points = {.xyz = xyz[0], .count = COUNT};

    clump_context *ctx;
    if (clump_context_create(NULL, &ctx) != CLUMP_OK) return 1;
    clump_erccl_options options = clump_erccl_defaults();
    options.cell = 0.1f;         /* the points are 0.1 m apart */
    options.common.min_size = 5; /* fewer points are noise */
    int32_t obstacles = 0;
    clump_cluster boxes[8];
    clump_status status = clump_erccl(ctx, points, &options, labels, &obstacles);
    if (status == CLUMP_OK && obstacles <= 8) status = clump_describe(ctx, points, labels, obstacles, NULL, boxes);
    if (status == CLUMP_OK) {
        for (int i = 0; i < obstacles && i < 8; i++)
            printf("obstacle %d: %d points, x %.1f to %.1f, top at %.1f\n", i, (int)boxes[i].count,
                   (double)boxes[i].lower[0], (double)boxes[i].upper[0], (double)boxes[i].upper[2]);
        printf("%d obstacles on %zu points of ground\n", (int)obstacles, clump_context_stats(ctx).ground);
    } else {
        puts(clump_context_error(ctx));
    }
    clump_context_destroy(ctx);
    return status != CLUMP_OK;
}
