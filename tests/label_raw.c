/* SPDX-License-Identifier: BSD-3-Clause
 *
 * label_raw D METHOD THREADS ORDER: clusters float32 x y z from standard input, writes int32 labels
 * to standard output. So that a test in another language needs no bindings and no file format.
 */
#include <clump/clump.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static float *read_all(FILE *file, size_t *floats)
{
    size_t capacity = 1 << 16, count = 0;
    float *data = malloc(capacity * sizeof *data);
    while (data) {
        count += fread(data + count, sizeof *data, capacity - count, file);
        if (count < capacity) break;
        float *larger = realloc(data, 2 * capacity * sizeof *data);
        if (!larger) free(data);
        data = larger, capacity *= 2;
    }
    *floats = count;
    return data;
}

int main(int argc, char **argv)
{
    if (argc != 5) {
        fprintf(stderr, "usage: label_raw D METHOD THREADS index|size < xyz > labels\n");
        return 2;
    }
    clump_ec_options options = clump_ec_defaults();
    if (!clump_ec_method_from_name(argv[2], &options.method)) return 2;
    options.order = strcmp(argv[4], "size") == 0 ? CLUMP_ORDER_SIZE : CLUMP_ORDER_INDEX;
    clump_context_options context_options = clump_context_defaults();
    context_options.threads = atoi(argv[3]);

    size_t floats = 0;
    float *xyz = read_all(stdin, &floats);
    const clump_points points = {.xyz = xyz, .count = floats / 3};
    int32_t *labels = malloc(points.count * sizeof *labels + 1);
    clump_context *ctx = NULL;
    int status = 1;
    if (!xyz || !labels || clump_context_create(&context_options, &ctx) != CLUMP_OK) {
        fprintf(stderr, "label_raw: no memory\n");
    } else if (clump_ec(ctx, points, strtof(argv[1], NULL), &options, labels, NULL) != CLUMP_OK) {
        fprintf(stderr, "label_raw: %s\n", clump_context_error(ctx));
    } else if (fwrite(labels, sizeof *labels, points.count, stdout) == points.count && fflush(stdout) == 0) {
        status = 0;
    }
    clump_context_destroy(ctx);
    free(xyz), free(labels);
    return status;
}
