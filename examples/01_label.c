/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 01_label.c: five points, two clusters. This is the example in the README.
 */
#include <clump/clump.h>
#include <stdio.h>

int main(void)
{
    const float xyz[] = {0, 0, 0, 0.3f, 0, 0, 0.6f, 0, 0, 5, 0, 0, 5, 0.4f, 0};
    const clump_points points = {.xyz = xyz, .count = 5};
    int32_t labels[5], clusters;
    clump_context *ctx;

    if (clump_context_create(NULL, &ctx) != CLUMP_OK) return 1;
    const clump_status status = clump_ec(ctx, points, 0.5f, NULL, labels, &clusters);
    if (status != CLUMP_OK) puts(clump_context_error(ctx));
    for (int i = 0; i < 5 && status == CLUMP_OK; i++)
        printf("point %d: cluster %d of %d\n", i, (int)labels[i], (int)clusters);
    clump_context_destroy(ctx);
    return status != CLUMP_OK;
}
