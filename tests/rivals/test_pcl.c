/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_pcl.c: clusters equal to PCL's, point for point. PCL is compiled without contraction (bench/rivals). Synthetic
 * clouds, clouds with many ties, and every real scan that is available.
 */
#include <clump/info.h>
#include <clump/io.h>
#include <clump/sim.h>
#include "support/check.h"
#include "rivals/load.h"

#include <glob.h>
#include <math.h>

static loaded_rival pcl;
static char pcl_missing[600];

static void load_pcl(void)
{
#ifdef CLUMP_TEST_PCL
    rival_load(CLUMP_TEST_PCL, &pcl, pcl_missing, sizeof pcl_missing);
#else
    snprintf(pcl_missing, sizeof pcl_missing,
             "PCL was not found when this was configured (Debian: libpcl-dev), or the bench is not built");
#endif
}

#define NEED_PCL()                                                                                                     \
    do {                                                                                                               \
        if (!pcl.rival) SKIP("%s: " DO_RIVALS, pcl_missing);                                                           \
    } while (0)

/* Returns the first point whose label differs, or count. */
static size_t first_difference(const int32_t *a, const int32_t *b, size_t count)
{
    size_t i = 0;
    while (i < count && a[i] == b[i]) i++;
    return i;
}

/* Compares the labels for d with PCL's, for all methods that are fast enough for this many points. `name` names the
 * cloud. */
static void compare(const char *name, const float *xyz, size_t count, float d)
{
    int32_t *theirs = malloc(count * sizeof *theirs + 1), *ours = malloc(count * sizeof *ours + 1);
    void *state = pcl.rival->prepare(xyz, count);
    clump_context *ctx = NULL;
    clump_context_options context_options = clump_context_defaults();
    context_options.backend = CLUMP_BACKEND_CPU;
    if (!theirs || !ours || !state || clump_context_create(&context_options, &ctx) != CLUMP_OK) {
        CHECK_FAIL("%s: no memory", name);
    } else {
        CHECK_MSG(pcl.rival->run(state, d), "%s", name);
        pcl.rival->labels(state, theirs);
        const clump_points points = {.xyz = xyz, .count = count};
        for (int method = 0; clump_ec_method_name((clump_ec_method)method); method++) {
            if (method > CLUMP_EC_BFS && count > 4096) break;
            clump_ec_options options = clump_ec_defaults();
            options.method = (clump_ec_method)method;
            const clump_status status = clump_ec(ctx, points, d, &options, ours, NULL);
            CHECK_MSG(status == CLUMP_OK, "%s: %s", name, clump_context_error(ctx));
            const size_t at = first_difference(ours, theirs, count);
            if (status == CLUMP_OK && at < count)
                CHECK_FAIL("%s, d=%g, %s: point %zu is in cluster %d, with PCL in %d", name, (double)d,
                           clump_ec_method_name(options.method), at, ours[at], theirs[at]);
        }
    }
    clump_context_destroy(ctx);
    if (state) pcl.rival->release(state);
    free(theirs), free(ours);
}

static void synthetic_clouds(void)
{
    NEED_PCL();
    const struct {
        clump_layout layout;
        size_t n, c, D;
        double k;
    } clouds[] = {
        {CLUMP_LAYOUT_JOINTS, 4096, 128, 4, 32}, {CLUMP_LAYOUT_JOINTS, 16384, 16, 16, 8},
        {CLUMP_LAYOUT_LINE, 4096, 128, 4, 32},   {CLUMP_LAYOUT_LINE, 16384, 8, 1, 2},
        {CLUMP_LAYOUT_BLOB, 4096, 128, 4, 32},   {CLUMP_LAYOUT_BLOB, 16384, 8, 8, 2},
        {CLUMP_LAYOUT_BLOB, 16384, 8, 1, 1},     {CLUMP_LAYOUT_BLOB, 16384, 128, 4, 100},
        {CLUMP_LAYOUT_SLABS, 4000, 2, 1, 200},   {CLUMP_LAYOUT_SLABS, 4000, 2, 2, 3},
    };
    const float distances[] = {0.25f, 1, 1.02f, 11};
    for (size_t i = 0; i < sizeof clouds / sizeof clouds[0]; i++) {
        clump_factors f = clump_factors_defaults();
        f.layout = clouds[i].layout, f.points = clouds[i].n, f.clusters = clouds[i].c, f.distance = clouds[i].D;
        f.degree = clouds[i].k;
        float *xyz = malloc(3 * f.points * sizeof *xyz);
        CHECK(xyz && clump_sim_factors(&f, xyz, NULL, NULL) == CLUMP_OK);
        for (size_t j = 0; xyz && j < sizeof distances / sizeof distances[0]; j++)
            compare(clump_layout_name(f.layout), xyz, f.points, distances[j]);
        free(xyz);
    }
}

/* Points on a grid whose step divides d: many pairs at a distance of exactly d, which do not count. */
static void exact_ties(void)
{
    NEED_PCL();
    enum { count = 3000 };
    static float xyz[3 * count];
    uint64_t random = 7;
    const float steps[] = {0.25f, 0.1f, 0.3f};
    for (size_t s = 0; s < sizeof steps / sizeof steps[0]; s++)
        for (unsigned extent = 8; extent <= 64; extent *= 2) {
            for (size_t i = 0; i < 3 * count; i++)
                xyz[i] = steps[s] * (float)(int)(check_random(&random) % extent) - 40;
            for (int multiple = 1; multiple <= 5; multiple++) compare("ties", xyz, count, steps[s] * (float)multiple);
        }
}

static void points_that_are_not_finite(void)
{
    NEED_PCL();
    enum { count = 2000 };
    static float xyz[3 * count];
    uint64_t random = 9;
    for (size_t i = 0; i < 3 * count; i++) xyz[i] = 20 * check_random_float(&random);
    for (size_t i = 0; i < count; i += 7) xyz[3 * i + i % 3] = i % 2 ? NAN : INFINITY;
    compare("not finite", xyz, count, 0.8f);
}

/* --- real scans -------------------------------------------------------------------------------- */

/* Returns the longest side of the bounding box of the finite points. */
static float extent_of(const float *xyz, size_t count)
{
    float longest = 0;
    for (size_t axis = 0; axis < 3; axis++) {
        float low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < count; i++) {
            const float *p = xyz + 3 * i;
            if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2])) continue;
            low = fminf(low, p[axis]), high = fmaxf(high, p[axis]);
        }
        if (high - low > longest) longest = high - low;
    }
    return longest;
}

/* Compares one file, or leaves it out as one of many large ones. Returns whether it could be read. */
static bool compare_file(const char *path, int *compared)
{
    static unsigned large;
    clump_cloud *cloud;
    clump_message why;
    if (clump_cloud_load(path, NULL, &cloud, &why) != CLUMP_OK) return false;
    const clump_points points = clump_cloud_points(cloud);
    const float *xyz = clump_cloud_xyz(cloud);
    const float extent = extent_of(xyz, points.count);
    /* A scan of 160 m is clustered at half a metre, a table of 2 m at 2 cm or less. PCL takes seconds for
     * the large ones: one in three is compared, and once, where there is no time (tiers 1 and 2). */
    const float parts[] = {400, 1000, 200};
    const bool all = check_tier() == 3;
    if (points.count <= 40000 || all || large++ % 3 == 0) {
        for (size_t i = 0; i < (points.count > (all ? 130000 : 40000) ? 1 : 3); i++)
            compare(path, xyz, points.count, extent > 0 ? extent / parts[i] : 1);
        ++*compared;
    }
    clump_cloud_destroy(cloud);
    return true;
}

static void compare_folder(const char *folder, const char *pattern, int *compared, int *unread)
{
    char path[1024];
    glob_t found;
    snprintf(path, sizeof path, "%s/%s", folder, pattern);
    if (glob(path, 0, NULL, &found) != 0) return;
    for (size_t i = 0; i < found.gl_pathc; i++) *unread += !compare_file(found.gl_pathv[i], compared);
    globfree(&found);
}

static void real_scans(void)
{
    NEED_PCL();
    const char *data = check_data_folder();
    if (!data) SKIP(DO_DATA);
    int compared = 0, unread = 0;
    compare_folder(data, "kitti/*.bin", &compared, &unread);
    compare_folder(data, "nuscenes/*.bin", &compared, &unread);
    compare_folder(data, "*/*.pcd", &compared, &unread);
    printf("real scans: %d compared with PCL, %d not readable\n", compared, unread);
    CHECK(compared > 0);
}

CHECK_PROGRAM(test_pcl)
{
    load_pcl();
    RUN(synthetic_clouds);
    RUN(exact_ties);
    RUN(points_that_are_not_finite);
    RUN(real_scans);
    rival_unload(&pcl);
}
