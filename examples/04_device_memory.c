/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 04_device_memory.c: points on a GPU, and labels that stay there. A program with the CUDA runtime passes its own
 * pointers and its own stream (clump_cuda_set_stream) and continues with a kernel. This one needs no CUDA toolkit:
 * clump/cuda.h allocates the memory. Without a GPU it prints the reason.
 */
#include <clump/info.h>
#include <clump/cuda.h>
#include <stdio.h>

enum { ROWS = 200, COLUMNS = 100, COUNT = ROWS * COLUMNS };

/* Simulates a sensor: lines of points 0.25 apart, one line per metre. */
static void make_points(float xyz[][3])
{
    for (int i = 0; i < COUNT; i++) {
        xyz[i][0] = 0.25f * (float)(i / COLUMNS);
        xyz[i][1] = (float)(i % COLUMNS);
        xyz[i][2] = 0;
    }
}

/* Memory on the GPU: points, labels, the number of clusters. */
typedef struct buffers {
    void *xyz, *labels, *clusters;
} buffers;

static clump_status allocate(clump_context *ctx, buffers *b)
{
    clump_status status = clump_cuda_allocate(ctx, CLUMP_CUDA_DEVICE, COUNT * 3 * sizeof(float), &b->xyz);
    if (status == CLUMP_OK) status = clump_cuda_allocate(ctx, CLUMP_CUDA_DEVICE, COUNT * sizeof(int32_t), &b->labels);
    if (status == CLUMP_OK) status = clump_cuda_allocate(ctx, CLUMP_CUDA_DEVICE, sizeof(int32_t), &b->clusters);
    return status;
}

static clump_status run(clump_context *ctx, const buffers *b, float xyz[][3], int32_t *labels, int32_t *clusters)
{
    clump_status status = clump_cuda_copy(ctx, b->xyz, xyz, COUNT * 3 * sizeof(float));
    if (status != CLUMP_OK) return status;

    /* Returns before the GPU is done: nothing is copied and the number of clusters stays there. Work on the
     * same stream would see both. */
    const clump_points points = {.xyz = b->xyz, .count = COUNT, .place = CLUMP_PLACE_DEVICE};
    clump_ec_options options = clump_ec_defaults();
    options.common.clusters_on_device = b->clusters;
    status = clump_ec(ctx, points, 0.5f, &options, b->labels, NULL);

    /* Copied only for printing. */
    if (status == CLUMP_OK) status = clump_cuda_copy(ctx, labels, b->labels, COUNT * sizeof *labels);
    if (status == CLUMP_OK) status = clump_cuda_copy(ctx, clusters, b->clusters, sizeof *clusters);
    return status;
}

int main(void)
{
    static float xyz[COUNT][3];
    static int32_t labels[COUNT];
    make_points(xyz);

    const char *const why = clump_device_absence(CLUMP_BACKEND_CUDA);
    if (why) {
        printf("No GPU to show this on: %s. 01_label.c runs anywhere.\n", why);
        return 0;
    }
    clump_context_options options = clump_context_defaults();
    options.backend = CLUMP_BACKEND_CUDA;
    clump_context *ctx;
    if (clump_context_create(&options, &ctx) != CLUMP_OK) return 1;

    buffers b = {0};
    int32_t clusters = 0;
    clump_status status = allocate(ctx, &b);
    if (status == CLUMP_OK) status = run(ctx, &b, xyz, labels, &clusters);
    if (status == CLUMP_OK)
        printf("%d points on the GPU, %d clusters, the last point is in %d\n", COUNT, (int)clusters,
               (int)labels[COUNT - 1]);
    else
        puts(clump_context_error(ctx));

    clump_cuda_release(ctx, CLUMP_CUDA_DEVICE, b.xyz);
    clump_cuda_release(ctx, CLUMP_CUDA_DEVICE, b.labels);
    clump_cuda_release(ctx, CLUMP_CUDA_DEVICE, b.clusters);
    clump_context_destroy(ctx);
    return status != CLUMP_OK;
}
