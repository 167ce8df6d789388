/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 03_file.c IN OUT D: reads a cloud, finds its clusters, writes it with a field "label". The formats follow from
 * content and file names. All fields of the input are kept where the format of OUT can hold them.
 */
#include <clump/io.h>
#include <stdio.h>
#include <stdlib.h>

static int fail(const char *text)
{
    fprintf(stderr, "%s\n", text);
    return 1;
}

int main(int argc, char **argv)
{
    if (argc != 4) return fail("usage: 03_file IN OUT D");
    const float d = strtof(argv[3], NULL);

    clump_cloud *cloud;
    clump_message why;
    if (clump_cloud_load(argv[1], NULL, &cloud, &why) != CLUMP_OK) return fail(why.text);
    const clump_points points = clump_cloud_points(cloud);

    int result = 0;
    int32_t clusters = 0;
    int32_t *const labels = malloc((points.count + 1) * sizeof *labels);
    clump_context *ctx = NULL;
    if (!labels || clump_context_create(NULL, &ctx) != CLUMP_OK)
        result = fail("no memory");
    else if (clump_ec(ctx, points, d, NULL, labels, &clusters) != CLUMP_OK)
        result = fail(clump_context_error(ctx));
    else if (clump_cloud_save(argv[2], cloud, labels, NULL, &why) != CLUMP_OK)
        result = fail(why.text);
    else
        printf("%s: %zu points, %d clusters\n", argv[2], points.count, (int)clusters);

    clump_context_destroy(ctx);
    free(labels);
    clump_cloud_destroy(cloud);
    return result;
}
