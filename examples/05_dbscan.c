/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 05_dbscan.c: density clustering where Euclidean clustering fails. Drops of rain between two objects form a bridge
 * that joins them. A drop has few points around it, so clump_dbscan labels it as noise.
 */
#include <clump/clump.h>
#include <stdio.h>

enum { SIDE = 6, OBJECT = SIDE * SIDE * SIDE, DROPS = 9, COUNT = 2 * OBJECT + DROPS };

/* Simulates a sensor: two cubes of points 0.25 apart, 4 m between them, and a drop every 0.4 m. */
static void make_points(float xyz[][3])
{
    for (int i = 0; i < 2 * OBJECT; i++) {
        const int k = i % OBJECT;
        xyz[i][0] = 0.25f * (float)(k % SIDE) + (i < OBJECT ? 0 : 5.25f);
        xyz[i][1] = 0.25f * (float)(k / SIDE % SIDE);
        xyz[i][2] = 0.25f * (float)(k / SIDE / SIDE);
    }
    for (int i = 0; i < DROPS; i++) {
        xyz[2 * OBJECT + i][0] = 1.25f + 0.4f * (float)(i + 1);
        xyz[2 * OBJECT + i][1] = 0.5f;
        xyz[2 * OBJECT + i][2] = 0.5f;
    }
}

int main(void)
{
    static float xyz[COUNT][3];
    static int32_t labels[COUNT];
    static uint8_t core[COUNT];
    make_points(xyz);
    const clump_points points = {.xyz = xyz[0], .count = COUNT};

    clump_context *ctx;
    if (clump_context_create(NULL, &ctx) != CLUMP_OK) return 1;
    int32_t clusters = 0;
    clump_status status = clump_ec(ctx, points, 0.5f, NULL, labels, &clusters);
    if (status == CLUMP_OK) {
        printf("Euclidean clustering: %d cluster\n", (int)clusters);
        clump_dbscan_options options = clump_dbscan_defaults();
        options.core = core; /* optional output */
        status = clump_dbscan(ctx, points, 0.5f, 8, &options, labels, &clusters);
    }
    if (status == CLUMP_OK) {
        int kinds[3] = {0}; /* core, border, noise */
        for (int i = 0; i < COUNT; i++) kinds[core[i] ? 0 : labels[i] != CLUMP_NOISE ? 1 : 2]++;
        printf("DBSCAN: %d clusters, %d core points, %d border points, %d noise\n", (int)clusters, kinds[0], kinds[1],
               kinds[2]);
    } else {
        puts(clump_context_error(ctx));
    }
    clump_context_destroy(ctx);
    return status != CLUMP_OK;
}
