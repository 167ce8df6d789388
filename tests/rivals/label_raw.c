/* SPDX-License-Identifier: BSD-3-Clause
 *
 * label_raw D METHOD THREADS ORDER: clusters float32 x y z from standard input and writes int32 labels to standard
 * output. Tests in other languages then need no bindings and no file format.
 * label_raw dbscan EPS MIN_POINTS METHOD THREADS: runs clump_dbscan; after the labels it writes one byte per point, the
 * core flag.
 */
#include <clump/info.h>

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

/* The arguments. */
typedef struct job {
    bool dbscan;
    float radius;
    size_t min_points;
    int threads;
    clump_ec_options ec;
    clump_dbscan_options density;
} job;

static bool parse(int argc, char **argv, job *out)
{
    *out = (job){.ec = clump_ec_defaults(), .density = clump_dbscan_defaults()};
    out->dbscan = argc == 6 && strcmp(argv[1], "dbscan") == 0;
    if (out->dbscan) {
        out->radius = strtof(argv[2], NULL), out->min_points = strtoul(argv[3], NULL, 10);
        out->threads = atoi(argv[5]);
        return clump_dbscan_method_from_name(argv[4], &out->density.method);
    }
    if (argc != 5) return false;
    out->radius = strtof(argv[1], NULL), out->threads = atoi(argv[3]);
    out->ec.common.order = strcmp(argv[4], "size") == 0 ? CLUMP_ORDER_SIZE : CLUMP_ORDER_INDEX;
    return clump_ec_method_from_name(argv[2], &out->ec.method);
}

static clump_status run(clump_context *ctx, const job *j, clump_points points, int32_t *labels)
{
    if (j->dbscan) return clump_dbscan(ctx, points, j->radius, j->min_points, &j->density, labels, NULL);
    return clump_ec(ctx, points, j->radius, &j->ec, labels, NULL);
}

int main(int argc, char **argv)
{
    job j;
    if (!parse(argc, argv, &j)) {
        fprintf(stderr, "usage: label_raw D METHOD THREADS index|size < xyz > labels\n"
                        "       label_raw dbscan EPS MIN_POINTS METHOD THREADS < xyz > labels and core flags\n");
        return 2;
    }
    clump_context_options options = clump_context_defaults();
    options.threads = j.threads;

    size_t floats = 0;
    float *xyz = read_all(stdin, &floats);
    const clump_points points = {.xyz = xyz, .count = floats / 3};
    int32_t *labels = malloc(points.count * sizeof *labels + 1);
    uint8_t *core = calloc(points.count + 1, 1);
    j.density.core = core;
    clump_context *ctx = NULL;
    int status = 1;
    if (!xyz || !labels || !core || clump_context_create(&options, &ctx) != CLUMP_OK) {
        fprintf(stderr, "label_raw: no memory\n");
    } else if (run(ctx, &j, points, labels) != CLUMP_OK) {
        fprintf(stderr, "label_raw: %s\n", clump_context_error(ctx));
    } else if (fwrite(labels, sizeof *labels, points.count, stdout) == points.count &&
               (!j.dbscan || fwrite(core, 1, points.count, stdout) == points.count) && fflush(stdout) == 0) {
        status = 0;
    }
    clump_context_destroy(ctx);
    free(xyz), free(labels), free(core);
    return status;
}
