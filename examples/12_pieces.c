/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 12_pieces.c: a cloud in pieces. Each piece could come from another file or another machine; only one has to be in memory at
 * a time. The labels are those of one call on the whole cloud.
 */
#include <clump/joint.h>
#include <stdio.h>

enum { POINTS = 4000, PIECES = 5 };

/* Four walls, 3 m apart, each 50 m long: they cross all pieces. */
static float xyz[3 * POINTS];

static void make_points(void)
{
    for (int i = 0; i < POINTS; i++) {
        xyz[3 * i] = 0.05f * (float)(i / 4);
        xyz[3 * i + 1] = 3 * (float)(i % 4);
        xyz[3 * i + 2] = 0.1f * (float)(i * 7 % 20);
    }
}

/* Clusters the points with x from `low` up to `high`: these are the piece's own. Points of the pieces before it that are
 * within reach of it are its rim. */
static clump_status add_piece(clump_context *ctx, clump_joint *joint, double low, double high)
{
    static float points[3 * POINTS];
    static int64_t indices[POINTS];
    size_t count = 0, own = 0;
    for (int rim = 0; rim < 2; rim++) { /* own points first */
        for (int i = 0; i < POINTS; i++) {
            const double x = (double)xyz[3 * i], from = rim ? low - clump_joint_reach(joint) : low,
                         to = rim ? low : high;
            if (!(x >= from && x < to)) continue;
            for (int a = 0; a < 3; a++) points[3 * count + (size_t)a] = xyz[3 * i + a];
            indices[count++] = i;
        }
        if (!rim) own = count;
    }
    return clump_joint_add(ctx, joint, (clump_points){.xyz = points, .count = count}, own, indices, NULL);
}

int main(void)
{
    clump_context *ctx = NULL;
    clump_joint *joint = NULL;
    clump_joint_settings settings = clump_joint_defaults();
    settings.d = 0.5f;
    int64_t clusters = 0, labels[POINTS];
    make_points();
    clump_status status = clump_context_create(NULL, &ctx);
    if (status == CLUMP_OK) status = clump_joint_create(ctx, &settings, &joint);
    for (int p = 0; p < PIECES && status == CLUMP_OK; p++) status = add_piece(ctx, joint, 10.0 * p, 10.0 * (p + 1));
    if (status == CLUMP_OK) status = clump_joint_finish(ctx, joint, &clusters);
    for (int p = 0; p < PIECES && status == CLUMP_OK; p++) {
        status = clump_joint_labels(ctx, joint, p, labels); /* of its own points, in their order */
        printf("piece %d: its first points have the labels %d %d %d %d\n", p, (int)labels[0], (int)labels[1],
               (int)labels[2], (int)labels[3]);
    }
    if (status == CLUMP_OK)
        printf("%d clusters\n", (int)clusters);
    else
        printf("%s\n", ctx ? clump_context_error(ctx) : clump_status_text(status));
    clump_joint_destroy(joint);
    clump_context_destroy(ctx);
    return status == CLUMP_OK && clusters == 4 ? 0 : 1;
}
