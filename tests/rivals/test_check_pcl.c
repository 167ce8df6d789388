/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_check_pcl.c: --check-pcl finds equal clusters equal, and labels that were changed different.
 */
#include "support/check.h"
#include "play/play.h"
#include "base/progress.h"

#include <clump/sim.h>

#include <math.h>
#include <stdarg.h>

/* What check_pcl.c needs of the program. */
static char said[600];
int cli_fail(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(said, sizeof said, format, args);
    va_end(args);
    return CLI_FAILED;
}
int cli_usage(const cli_command *command, const char *format, ...)
{
    (void)command;
    snprintf(said, sizeof said, "%s", format);
    return CLI_USAGE;
}
double cli_seconds(void)
{
    return 0;
}
void *cli_allocate(size_t count, size_t size)
{
    return calloc(count + 1, size);
}

enum { COUNT = 3000 };
static const cli_region everywhere = CLI_REGION_ALL;
static int32_t labels[COUNT];

/* Returns a cloud of blobs and stray points, some of them not finite, and its labels by the options. */
static clump_cloud *make(const clump_detect_options *options)
{
    clump_cloud *cloud = NULL;
    clump_context *ctx = NULL;
    uint64_t random = 11;
    if (clump_cloud_create(COUNT, &cloud, NULL) != CLUMP_OK || clump_context_create(NULL, &ctx) != CLUMP_OK) abort();
    float *const xyz = clump_cloud_xyz(cloud);
    for (size_t i = 0; i < 3 * COUNT; i++) {
        const float blob = (float)(i / 3 % 40) * 4;
        xyz[i] = (i % 3 == 0 ? blob : 0) + 3 * check_random_float(&random);
    }
    xyz[30] = NAN, xyz[301] = INFINITY;
    int32_t count;
    const clump_status status = clump_detect(ctx, clump_cloud_points(cloud), options, labels, NULL, 0, &count);
    CHECK_MSG(status == CLUMP_OK && count > 10, "%s", clump_context_error(ctx));
    clump_context_destroy(ctx);
    return cloud;
}

static clump_detect_options options_of(clump_order order, size_t min_size, size_t max_size)
{
    clump_detect_options options = clump_detect_defaults();
    options.ground.method = CLUMP_GROUND_NONE;
    options.d = 0.4f;
    options.common.order = order;
    options.common.min_size = min_size;
    options.common.max_size = max_size;
    return options;
}

static cli_check_pcl *open_pcl(const clump_detect_options *options)
{
    cli_check_pcl *check = NULL;
#ifdef CLUMP_TEST_PCL
    setenv("CLUMP_PCL", CLUMP_TEST_PCL, 1);
#endif
    return cli_check_pcl_open(NULL, options, &everywhere, &check) == CLI_DONE ? check : NULL;
}

static void equal_clusters_are_equal(void)
{
    for (int turn = 0; turn < 4; turn++) {
        const clump_detect_options options =
            options_of(turn % 2 ? CLUMP_ORDER_SIZE : CLUMP_ORDER_INDEX, turn > 1 ? 5 : 1, turn > 1 ? 60 : 0);
        cli_check_pcl *const check = open_pcl(&options);
        if (!check) SKIP("%s: " DO_RIVALS, said);
        clump_cloud *const cloud = make(&options);
        CHECK_INT(cli_check_pcl_frame(check, cloud, labels), CLI_DONE);
        CHECK_INT(cli_check_pcl_frame(check, cloud, labels), CLI_DONE);
        const cli_check_pcl_result r = cli_check_pcl_sum_up(check);
        CHECK_MSG(r.frames == 2 && r.equal == 2, "turn %d: %s", turn, r.difference);
        clump_cloud_destroy(cloud);
        cli_check_pcl_close(check);
    }
}

static void changed_labels_differ(void)
{
    const clump_detect_options options = options_of(CLUMP_ORDER_INDEX, 1, 0);
    cli_check_pcl *const check = open_pcl(&options);
    if (!check) SKIP("%s: " DO_RIVALS, said);
    clump_cloud *const cloud = make(&options);
    size_t differ = 0;
    for (size_t i = 0; i < COUNT; i += 97) {
        const int32_t right = labels[i];
        labels[i] = right == 0 ? 1 : 0; /* another cluster; a point that is not finite has none */
        CHECK_INT(cli_check_pcl_frame(check, cloud, labels), CLI_DONE);
        labels[i] = right;
        differ += right >= 0;
    }
    const cli_check_pcl_result r = cli_check_pcl_sum_up(check);
    CHECK_INT(r.frames - r.equal, differ);
    CHECK(differ > 10 && strstr(r.difference, "frame 0: point "));
    clump_cloud_destroy(cloud);
    cli_check_pcl_close(check);
}

static void other_jobs_are_refused(void)
{
    cli_check_pcl *check;
    clump_detect_options options = options_of(CLUMP_ORDER_INDEX, 1, 0);
    options.method = CLUMP_DETECT_DBSCAN;
    CHECK_INT(cli_check_pcl_open(NULL, &options, &everywhere, &check), CLI_USAGE);
    options.method = CLUMP_DETECT_EC;
    options.thin = 0.1f;
    CHECK_INT(cli_check_pcl_open(NULL, &options, &everywhere, &check), CLI_USAGE);
    options.thin = 0;
    options.common.two_d = true;
    CHECK_INT(cli_check_pcl_open(NULL, &options, &everywhere, &check), CLI_USAGE);
    setenv("CLUMP_PCL", "/nowhere/pcl.so", 1);
    options.common.two_d = false;
    CHECK_INT(cli_check_pcl_open(NULL, &options, &everywhere, &check), CLI_FAILED);
    CHECK(strstr(said, "libpcl-dev"));
}

CHECK_PROGRAM(test_check_pcl)
{
    RUN(equal_clusters_are_equal);
    RUN(changed_labels_differ);
    RUN(other_jobs_are_refused);
}
