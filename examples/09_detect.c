/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 09_detect.c: from a scan to the boxes of its objects, in one call. The ground is found and left out, the other points
 * are clustered, and each cluster is measured.
 */
#include <clump/info.h>
#include <stdio.h>

enum { FLOOR = 100 * 100, SIDE = 6, CRATE = SIDE * SIDE * SIDE, CRATES = 20, COUNT = FLOOR + CRATES * CRATE };

/* Simulates a sensor: a floor 1.5 m below it, and crates of 0.5 m on it, in a row away from the sensor. */
static void make_points(float xyz[][3])
{
    for (int i = 0; i < FLOOR; i++) {
        xyz[i][0] = 0.5f * (float)(i % 100 - 50);
        xyz[i][1] = 0.5f * (float)(i / 100 - 50);
        xyz[i][2] = -1.5f;
    }
    for (int i = 0; i < CRATES * CRATE; i++) {
        float *const p = xyz[FLOOR + i];
        p[0] = 2 + (float)(i / CRATE) + 0.1f * (float)(i % SIDE);
        p[1] = 1 + 0.1f * (float)(i / SIDE % SIDE);
        p[2] = -1.2f + 0.1f * (float)(i / SIDE / SIDE % SIDE);
    }
}

static void print_object(const clump_cluster *c)
{
    printf("%5.1f m away: %.1f x %.1f m at %.1f, %.1f, top %.1f above the ground, %d points\n", (double)c->distance,
           (double)c->box_size[0], (double)c->box_size[1], (double)c->box_center[0], (double)c->box_center[1],
           (double)c->height, (int)c->count);
}

int main(void)
{
    static float xyz[COUNT][3];
    make_points(xyz);
    const clump_points points = {.xyz = xyz[0], .count = COUNT};

    clump_context *ctx;
    if (clump_context_create(NULL, &ctx) != CLUMP_OK) return 1;
    clump_detect_options options = clump_detect_defaults();
    options.d = 0.3f;             /* points closer than this belong together */
    options.common.min_size = 20; /* fewer points are noise */
    options.region.max_range = 30;

    /* There is room for 8 boxes, in the order of options.ec.order. The count is true also where it is larger. Labels
     * per point can be had, too; here they are not wanted. */
    enum { ROOM = 8 };
    clump_cluster objects[ROOM];
    int32_t count = 0;
    const clump_status status = clump_detect(ctx, points, &options, NULL, objects, ROOM, &count);
    if (status == CLUMP_OK) {
        for (int32_t i = 0; i < count && i < ROOM; i++) print_object(&objects[i]);
        if (count > ROOM) printf("room for %d objects only\n", ROOM);
        printf("%d objects on %zu points of ground\n", (int)count, clump_context_stats(ctx).ground);
    } else {
        puts(clump_context_error(ctx));
    }
    clump_context_destroy(ctx);
    return status != CLUMP_OK;
}
