/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 02_boxes.c: objects in a stream of frames. The context is created once and kept: after the first frames a call
 * allocates nothing. Per frame: cluster, compute boxes, and find the point of each object that is nearest to the
 * sensor, in a loop over its members.
 */
#include <clump/clump.h>
#include <math.h>
#include <stdio.h>

enum { FRAMES = 4, PER_CAR = 400, CARS = 3, STRAY = 20, COUNT = CARS * PER_CAR + STRAY };

/* Simulates a sensor: three moving cars, two visible sides each, and some stray points. */
static void make_frame(int frame, float xyz[][3])
{
    static const float start[CARS][4] = {{8, -3, 1.2f, 0}, {15, 4, -0.8f, 0.1f}, {30, 0, 0.3f, -0.4f}}; /* x y vx vy */
    for (int i = 0; i < CARS * PER_CAR; i++) {
        const float *const car = start[i / PER_CAR];
        const int k = i % PER_CAR, along = k % 40, row = k / 40;
        const float x = along < 28 ? (float)along * 0.15f : 0, y = along < 28 ? 0 : (float)(along - 28) * 0.15f;
        xyz[i][0] = car[0] + car[2] * (float)frame + x;
        xyz[i][1] = car[1] + car[3] * (float)frame + y;
        xyz[i][2] = (float)row * 0.15f;
    }
    for (int i = 0; i < STRAY; i++) {
        xyz[CARS * PER_CAR + i][0] = (float)(3 * i);
        xyz[CARS * PER_CAR + i][1] = 20 + (float)(i % 3);
        xyz[CARS * PER_CAR + i][2] = 1;
    }
}

static float nearest_range(float xyz[][3], const int32_t *members, int32_t count)
{
    float best = INFINITY;
    for (int32_t m = 0; m < count; m++) {
        const float *const p = xyz[members[m]];
        best = fminf(best, sqrtf(p[0] * p[0] + p[1] * p[1]));
    }
    return best;
}

int main(void)
{
    static float xyz[COUNT][3];
    static int32_t labels[COUNT], offsets[COUNT + 1], members[COUNT];
    static clump_cluster clusters[COUNT];
    const clump_points points = {.xyz = xyz[0], .count = COUNT};

    clump_context *ctx;
    if (clump_context_create(NULL, &ctx) != CLUMP_OK) return 1;
    clump_ec_options options = clump_ec_defaults();
    options.common.min_size = 10;            /* strays become noise */
    options.common.order = CLUMP_ORDER_SIZE; /* largest first */

    clump_status status = CLUMP_OK;
    for (int frame = 0; frame < FRAMES && status == CLUMP_OK; frame++) {
        make_frame(frame, xyz);
        int32_t found = 0;
        status = clump_ec(ctx, points, 0.5f, &options, labels, &found);
        if (status == CLUMP_OK) status = clump_describe(ctx, points, labels, found, NULL, clusters);
        if (status == CLUMP_OK) status = clump_group(ctx, labels, COUNT, CLUMP_PLACE_HOST, found, offsets, members);
        if (status != CLUMP_OK) break;
        printf("frame %d: %d objects\n", frame, (int)found);
        for (int32_t c = 0; c < found; c++) {
            const clump_cluster *const k = &clusters[c];
            const float range = nearest_range(xyz, members + offsets[c], offsets[c + 1] - offsets[c]);
            printf("  %d: %d points, centre %.1f %.1f, %.1f x %.1f m at %.0f degrees, nearest point %.1f m\n", (int)c,
                   (int)k->count, (double)k->box_center[0], (double)k->box_center[1], (double)k->box_size[0],
                   (double)k->box_size[1], (double)k->yaw, (double)range);
        }
    }
    if (status != CLUMP_OK) puts(clump_context_error(ctx));
    clump_context_destroy(ctx);
    return status != CLUMP_OK;
}
