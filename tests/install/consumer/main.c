/* SPDX-License-Identifier: BSD-3-Clause
 *
 * main.c: uses all four libraries, CUDA where it is there, and checks that header and library are of the same version.
 */
#include <clump/info.h>
#include <clump/big.h>
#include <clump/cuda.h>
#include <clump/io.h>
#include <clump/sim.h>
#include <stdio.h>
#include <string.h>

#define TEXT_(x) #x
#define TEXT(x)  TEXT_(x)

int main(void)
{
    static const char compiled[] =
        TEXT(CLUMP_VERSION_MAJOR) "." TEXT(CLUMP_VERSION_MINOR) "." TEXT(CLUMP_VERSION_PATCH);
    if (strcmp(compiled, clump_version()) != 0) return 2;

    static float xyz[3 * 64];
    static int32_t labels[64];
    clump_factors factors = clump_factors_defaults();
    factors.layout = CLUMP_LAYOUT_LINE, factors.points = 64, factors.clusters = 2, factors.distance = 1;
    if (clump_sim_factors(&factors, xyz, NULL, NULL) != CLUMP_OK) return 3;

    clump_cloud *cloud;
    if (clump_cloud_create(64, &cloud, NULL) != CLUMP_OK) return 4;
    memcpy(clump_cloud_xyz(cloud), xyz, sizeof xyz);

    clump_context *ctx;
    int32_t clusters = 0;
    if (clump_context_create(NULL, &ctx) != CLUMP_OK) return 5;
    if (clump_ec(ctx, clump_cloud_points(cloud), 1, NULL, labels, &clusters) != CLUMP_OK) return 6;
    printf("clump %s: %d clusters\n", clump_version(), (int)clusters);
    const bool cuda = !clump_device_absence(CLUMP_BACKEND_CUDA);
    if ((clump_cuda_wait(ctx) == CLUMP_OK) != cuda) return 7;
    const char *const missing = "no such file.las";
    clump_joint_settings settings = clump_joint_defaults();
    settings.d = 1;
    if (clump_big_run(&missing, 1, NULL, &settings, NULL, NULL, NULL) != CLUMP_ERR_IO_OPEN) return 8;
    clump_context_destroy(ctx);
    clump_cloud_destroy(cloud);
    return 0;
}
