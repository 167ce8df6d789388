/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 10_track.c: which object of this frame is which object of the frame before, and how fast it moves. Labels are numbered
 * anew in each frame; the identities of a tracker stay.
 */
#include <clump/clump.h>
#include <clump/track.h>
#include <stdio.h>

enum { SIDE = 5, CRATE = SIDE * SIDE * SIDE, CRATES = 3, COUNT = CRATES * CRATE, FRAMES = 6 };

/* Simulates a sensor: crates of 0.8 m. Two drive towards each other in lanes 1.5 m apart, one stands. */
static void make_points(float xyz[][3], float seconds)
{
    const float x[CRATES] = {-4 + 15 * seconds, 4 - 15 * seconds, 0}, y[CRATES] = {0, 1.5f, 5};
    for (int i = 0; i < COUNT; i++) {
        const int crate = i / CRATE;
        xyz[i][0] = x[crate] + 0.2f * (float)(i % SIDE);
        xyz[i][1] = y[crate] + 0.2f * (float)(i / SIDE % SIDE);
        xyz[i][2] = 0.2f * (float)(i / SIDE / SIDE % SIDE);
    }
}

static clump_status track_frame(clump_context *ctx, clump_tracker *tracker, int frame)
{
    static float xyz[COUNT][3];
    make_points(xyz, 0.1f * (float)frame);
    const clump_points points = {.xyz = xyz[0], .count = COUNT};
    static int32_t labels[COUNT];
    static clump_cluster objects[COUNT]; /* there are never more clusters than points */
    static clump_track tracks[COUNT];
    int32_t count = 0;
    clump_status status = clump_ec(ctx, points, 0.3f, NULL, labels, &count);
    if (status == CLUMP_OK) status = clump_describe(ctx, points, labels, count, NULL, objects);
    if (status == CLUMP_OK) /* frames are 0.1 s apart */
        status = clump_tracker_update(ctx, tracker, frame * 100000000LL, objects, count, tracks);
    for (int32_t i = 0; i < count && status == CLUMP_OK; i++)
        printf("frame %d: object %d at %4.1f %4.1f, %4.1f m/s\n", frame, (int)tracks[i].id,
               (double)objects[i].centroid[0], (double)objects[i].centroid[1], (double)tracks[i].velocity[0]);
    return status;
}

int main(void)
{
    clump_context *ctx;
    if (clump_context_create(NULL, &ctx) != CLUMP_OK) return 1;
    clump_tracker *tracker;
    clump_status status = clump_tracker_create(ctx, NULL, &tracker);
    for (int frame = 0; frame < FRAMES && status == CLUMP_OK; frame++) status = track_frame(ctx, tracker, frame);
    if (status != CLUMP_OK) puts(clump_context_error(ctx));
    clump_tracker_destroy(tracker);
    clump_context_destroy(ctx);
    return status != CLUMP_OK;
}
