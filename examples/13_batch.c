/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 13_batch.c: many small clouds in one call. A fleet of robots sends crops of their scans; each is clustered as if it were
 * alone, and the boxes of all are made in a second call.
 */
#include <clump/batch.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROBOTS = 300, MOST = 400 };

/* Simulates the crop of a robot: 1 to 4 objects, 3 m apart, of 40 to 90 points each. Returns the number of points. */
static size_t make_crop(int robot, float *xyz)
{
    size_t n = 0;
    for (int object = 0; object <= robot % 4; object++)
        for (int i = 0; i < 40 + robot % 51; i++, n++) {
            xyz[3 * n] = 3.0f * (float)object + 0.1f * (float)(i % 6);
            xyz[3 * n + 1] = 0.1f * (float)(i / 6 % 5);
            xyz[3 * n + 2] = 0.1f * (float)(i / 30);
        }
    return n;
}

int main(void)
{
    static float xyz[3 * ROBOTS * MOST];
    static int32_t labels[ROBOTS * MOST], counts[ROBOTS];
    static int64_t offsets[ROBOTS + 1], first[ROBOTS + 1]; /* of points, of clusters */
    for (int r = 0; r < ROBOTS; r++) offsets[r + 1] = offsets[r] + (int64_t)make_crop(r, xyz + 3 * offsets[r]);
    const clump_points points = {.xyz = xyz, .count = (size_t)offsets[ROBOTS]};

    clump_context *ctx;
    if (clump_context_create(NULL, &ctx) != CLUMP_OK) return 1;
    clump_ec_options options = clump_ec_defaults();
    options.common.min_size = 10; /* per cloud */
    clump_status status = clump_ec_batch(ctx, points, offsets, ROBOTS, 0.5f, NULL, &options, labels, counts);

    clump_cluster *clusters = NULL;
    if (status == CLUMP_OK) {
        for (int r = 0; r < ROBOTS; r++) first[r + 1] = first[r] + counts[r];
        clusters = malloc(((size_t)first[ROBOTS] + 1) * sizeof *clusters);
        if (clusters) status = clump_describe_batch(ctx, points, offsets, ROBOTS, labels, first, NULL, clusters);
    }
    if (status == CLUMP_OK && clusters) {
        printf("%d clouds, %zu points, %lld clusters\n", ROBOTS, points.count, (long long)first[ROBOTS]);
        for (int r = 0; r < 3; r++) {
            const clump_cluster *const last = &clusters[first[r + 1] - 1];
            printf("robot %d: %d clusters, the last has %lld points and begins at x = %.1f\n", r, (int)counts[r],
                   (long long)last->count, (double)last->lower[0]);
        }
    } else {
        puts(clump_context_error(ctx));
    }
    free(clusters);
    clump_context_destroy(ctx);
    return status != CLUMP_OK;
}
