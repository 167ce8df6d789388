/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_cuda_failures.c: every call of the CUDA runtime fails once, in turn, in three ways, for clouds of each way that a
 * call can go. Each failure is the right status and one sentence, and the next call gives the right labels; a context
 * that may choose goes on on the CPU and says why. Built with CUDA alone; skipped where there is no GPU.
 */
#include "support/check.h"

#include "support/clouds.h"
#include "support/on_gpu.h"

#include "core/context.h"
#include "cuda/gpu/fault.h"

#include <clump/info.h>
#include <clump/tree.h>

#include <cuda_runtime_api.h>

enum {
    FEW = 600,       /* one kernel, for `fast` */
    MANY = 6000,     /* a CUDA graph */
    PIECES = 524288, /* and from ordinary memory labels in pieces */
    MIN_POINTS = 4,
    LARGE = 100000,
    MOST_CALLS = 5000
};

/* A cloud, and what the CPU says of it. */
typedef struct known {
    size_t count;
    float *xyz;
    float d;
    int32_t *labels, *labels_dbscan, *labels_erccl, clusters, clusters_dbscan, clusters_erccl;
    int32_t *labels_hash, clusters_hash; /* of erccl's `hash`, whose clusters are others */
    uint8_t *core;
} known;

static known few, many;
static int32_t labels[PIECES + 1]; /* that were found */
static uint8_t core[PIECES];

static clump_erccl_options erccl_options(const known *k, clump_erccl_method method)
{
    clump_erccl_options o = clump_erccl_defaults();
    o.method = method;
    o.common.order = CLUMP_ORDER_SIZE;
    o.cell = k->d, o.extent = 60 * k->d, o.tau = 0.3f;
    return o;
}

static known make_known(cloud_shape shape, size_t count, uint64_t random)
{
    known k = {.count = count};
    k.xyz = malloc(3 * count * sizeof *k.xyz);
    k.labels = malloc(count * sizeof *k.labels);
    k.labels_dbscan = malloc(count * sizeof *k.labels_dbscan);
    k.labels_erccl = malloc(count * sizeof *k.labels_erccl);
    k.labels_hash = malloc(count * sizeof *k.labels_hash);
    k.core = malloc(count);
    if (!k.xyz || !k.labels || !k.labels_dbscan || !k.labels_erccl || !k.labels_hash || !k.core) abort();
    k.d = cloud_fill(shape, k.xyz, count, &random);
    const clump_points points = {.xyz = k.xyz, .count = count};
    clump_context *const cpu = gpu_context(CLUMP_BACKEND_CPU, NULL);
    clump_ec_options o = clump_ec_defaults();
    o.common.order = CLUMP_ORDER_SIZE;
    clump_dbscan_options density = clump_dbscan_defaults();
    density.common.order = CLUMP_ORDER_SIZE, density.core = k.core;
    if (clump_ec(cpu, points, k.d, &o, k.labels, &k.clusters) != CLUMP_OK ||
        clump_dbscan(cpu, points, k.d, MIN_POINTS, &density, k.labels_dbscan, &k.clusters_dbscan) != CLUMP_OK)
        abort();
    const clump_erccl_options map = erccl_options(&k, CLUMP_ERCCL_FAST), hash = erccl_options(&k, CLUMP_ERCCL_HASH);
    if (clump_erccl(cpu, points, &map, k.labels_erccl, &k.clusters_erccl) != CLUMP_OK ||
        clump_erccl(cpu, points, &hash, k.labels_hash, &k.clusters_hash) != CLUMP_OK)
        abort();
    clump_context_destroy(cpu);
    return k;
}

static void free_known(known *k)
{
    free(k->xyz), free(k->labels), free(k->labels_dbscan), free(k->labels_erccl), free(k->labels_hash), free(k->core);
}

/* Every method of the three jobs that cluster. */
enum { EC, DBSCAN, ERCCL, JOBS };
typedef struct job_method {
    int job, value; /* value: of the job's enum; 0 is `fast` */
} job_method;
static job_method methods[JOBS * GPU_METHODS_MOST];
static int method_count;

static void list_methods(void)
{
    const clump_method_table *const tables[JOBS] = {&clump_ec_methods, &clump_dbscan_methods, &clump_erccl_methods};
    for (int job = 0; job < JOBS; job++) {
        const gpu_methods of_job = gpu_methods_of(tables[job]);
        for (int m = 0; m < of_job.count; m++) methods[method_count++] = (job_method){job, of_job.values[m]};
    }
}

static const char *method_name(job_method m)
{
    static char name[32];
    if (m.job == EC) return clump_ec_method_name((clump_ec_method)m.value);
    if (m.job == DBSCAN)
        snprintf(name, sizeof name, "dbscan %s", clump_dbscan_method_name((clump_dbscan_method)m.value));
    else
        snprintf(name, sizeof name, "erccl %s", clump_erccl_method_name((clump_erccl_method)m.value));
    return name;
}

typedef struct failure {
    cudaError_t error;
    clump_status status;
    const char *name;
} failure;

static const failure failures[] = {
    {cudaErrorMemoryAllocation, CLUMP_ERR_OUT_OF_MEMORY, "no memory"},
    {cudaErrorLaunchFailure, CLUMP_ERR_DEVICE, "GPU lost"},
    {cudaErrorDevicesUnavailable, CLUMP_ERR_NO_DEVICE, "GPU busy"},
};
enum { FAILURES = sizeof failures / sizeof *failures };

static void fail_after(clump_context *ctx, long calls, cudaError_t error)
{
    clump_cuda_fail_after(ctx->backends[CLUMP_BACKEND_CUDA - CLUMP_BACKEND_CPU].state, calls, (int)error);
}

static void expect_sentence(const clump_context *ctx, clump_status status, const failure *f, const char *what, long n)
{
    const char *const said = clump_context_error(ctx);
    CHECK_MSG(status == f->status, "%s, %s at call %ld: status %d, expected %d: %s", what, f->name, n, (int)status,
              (int)f->status, said);
    CHECK_MSG(strlen(said) > 15 && strlen(said) < 400 && !strchr(said, '\n'), "%s, %s at call %ld: \"%s\"", what,
              f->name, n, said);
}

/* ----- clump_ec, clump_dbscan ------------------------------------------------------------------------ */

static clump_status call_dbscan(clump_context *ctx, const known *k, const gpu_cloud *c, clump_dbscan_method method,
                                bool wait)
{
    clump_dbscan_options o = clump_dbscan_defaults();
    o.method = method;
    o.common.order = CLUMP_ORDER_SIZE;
    o.core = c->core;
    o.common.clusters_on_device = c->place == GPU_DEVICE ? c->clusters : NULL;
    int32_t clusters = k->clusters_dbscan;
    const clump_status status = clump_dbscan(ctx, c->points, k->d, MIN_POINTS, &o, c->labels, wait ? &clusters : NULL);
    if (status == CLUMP_OK) CHECK_INT(clusters, k->clusters_dbscan);
    return status;
}

/* With a map, which is copied, too. */
static clump_status call_erccl(clump_context *ctx, const known *k, const gpu_cloud *c, clump_erccl_method method,
                               bool wait)
{
    static uint8_t map[64 * 64];
    clump_erccl_options o = erccl_options(k, method);
    o.maps.obstacle = c->place == GPU_DEVICE ? NULL : map;
    o.common.clusters_on_device = c->place == GPU_DEVICE ? c->clusters : NULL;
    const int32_t wanted = method == CLUMP_ERCCL_HASH ? k->clusters_hash : k->clusters_erccl;
    int32_t clusters = wanted;
    const clump_status status = clump_erccl(ctx, c->points, &o, c->labels, wait ? &clusters : NULL);
    if (status == CLUMP_OK) CHECK_INT(clusters, wanted);
    return status;
}

static clump_status call(clump_context *ctx, const known *k, const gpu_cloud *c, job_method m, bool wait)
{
    if (m.job == ERCCL) return call_erccl(ctx, k, c, (clump_erccl_method)m.value, wait);
    if (m.job == DBSCAN) return call_dbscan(ctx, k, c, (clump_dbscan_method)m.value, wait);
    clump_ec_options o = clump_ec_defaults();
    o.method = (clump_ec_method)m.value;
    o.common.mask = c->mask;
    o.common.order = CLUMP_ORDER_SIZE;
    o.common.clusters_on_device = c->place == GPU_DEVICE ? c->clusters : NULL;
    int32_t clusters = k->clusters;
    const clump_status status = clump_ec(ctx, c->points, k->d, &o, c->labels, wait ? &clusters : NULL);
    if (status == CLUMP_OK) CHECK_INT(clusters, k->clusters);
    return status;
}

static void expect_labels(clump_context *ctx, const known *k, const gpu_cloud *c, job_method m, const char *what,
                          long n)
{
    CHECK(gpu_cloud_fetch(ctx, c, labels, NULL));
    if (m.job == DBSCAN) {
        CHECK(gpu_cloud_fetch_core(ctx, c, core));
        CHECK_MSG(memcmp(core, k->core, k->count) == 0, "%s: wrong core flags around call %ld", what, n);
    }
    const int32_t *const right = m.job == EC                   ? k->labels
                                 : m.job == DBSCAN             ? k->labels_dbscan
                                 : m.value == CLUMP_ERCCL_HASH ? k->labels_hash
                                                               : k->labels_erccl;
    CHECK_MSG(memcmp(labels, right, k->count * sizeof *labels) == 0, "%s: wrong labels around call %ld", what, n);
}

/* Failures at call 0, 1, 2 ... until several calls in a row have gone through. A cold context takes all its
 * memory again each time. */
static void fail_everywhere(const known *k, job_method m, gpu_place place, bool wait, bool cold, const failure *f)
{
    char what[120];
    snprintf(what, sizeof what, "%s, %zu points, %s%s%s", method_name(m), k->count, gpu_place_name(place),
             wait ? "" : ", no wait", cold ? ", cold" : "");
    clump_context *const ctx = gpu_context(CLUMP_BACKEND_CUDA, NULL);
    gpu_cloud c = gpu_cloud_make(ctx, place, (clump_points){.xyz = k->xyz, .count = k->count}, NULL);
    CHECK_MSG(call(ctx, k, &c, m, wait) == CLUMP_OK, "%s: %s", what, clump_context_error(ctx));
    expect_labels(ctx, k, &c, m, what, -1);
    long n = 0, failed = 0;
    for (int good = 0; n < MOST_CALLS && good < 4; n++) {
        if (cold) clump_context_trim(ctx);
        gpu_cloud_clear(ctx, &c);
        fail_after(ctx, n, f->error);
        const clump_status status = call(ctx, k, &c, m, wait);
        fail_after(ctx, 0, cudaSuccess);
        if (status != CLUMP_OK) {
            expect_sentence(ctx, status, f, what, n);
            CHECK_MSG(call(ctx, k, &c, m, wait) == CLUMP_OK, "%s after %s at call %ld: %s", what, f->name, n,
                      clump_context_error(ctx));
            CHECK_TEXT(clump_context_error(ctx), "");
        }
        failed += status != CLUMP_OK, good = status == CLUMP_OK ? good + 1 : 0;
        expect_labels(ctx, k, &c, m, what, n);
        if (check_failures > 20) break;
    }
    CHECK_MSG(failed > 1 && n < MOST_CALLS, "%s: %ld of %ld calls failed", what, failed, n);
    gpu_cloud_free(ctx, &c);
    clump_context_destroy(ctx);
}

static void every_runtime_call_fails(void)
{
    for (int i = 0; i < method_count; i++) {
        const job_method m = methods[i];
        if (gpu_small() && i % 3 != 0 && m.job == EC) continue;
        for (int f = 0; f < (gpu_small() ? 1 : FAILURES); f++) {
            if (!gpu_small()) fail_everywhere(&few, m, GPU_PAGEABLE, true, false, &failures[f]);
            fail_everywhere(&few, m, GPU_PAGEABLE, true, true, &failures[f]);
            if ((m.job == EC && m.value != CLUMP_EC_FAST) || gpu_small()) continue;
            fail_everywhere(&few, m, GPU_DEVICE, true, true, &failures[f]);
            fail_everywhere(&few, m, GPU_DEVICE, false, false, &failures[f]);
            fail_everywhere(&few, m, GPU_DEVICE, false, true, &failures[f]);
            fail_everywhere(&few, m, GPU_PINNED, true, true, &failures[f]);
        }
    }
}

/* `fast` of more points than one kernel takes: its graph is made, which a cold context does anew, and launched. */
static void every_call_of_a_graph_fails(void)
{
    for (int job = EC; job <= DBSCAN; job++) {
        const job_method m = {job, 0};
        for (int f = 0; f < (gpu_small() ? 1 : FAILURES); f++) {
            fail_everywhere(&many, m, GPU_PAGEABLE, true, true, &failures[f]);
            if (gpu_small()) continue;
            fail_everywhere(&many, m, GPU_PAGEABLE, true, false, &failures[f]);
            fail_everywhere(&many, m, GPU_PINNED, true, false, &failures[f]);
            fail_everywhere(&many, m, GPU_DEVICE, false, true, &failures[f]);
        }
    }
}

static void every_piece_fails(void)
{
    if (gpu_small()) SKIP("too many points for CLUMP_TEST_SMALL");
    known pieces = make_known(CLOUD_UNIFORM, PIECES, 134);
    fail_everywhere(&pieces, (job_method){EC, CLUMP_EC_FAST}, GPU_PAGEABLE, true, false, &failures[1]);
    fail_everywhere(&pieces, (job_method){DBSCAN, CLUMP_DBSCAN_FAST}, GPU_PAGEABLE, true, false, &failures[1]);
    free_known(&pieces);
}

/* ----- the other calls ----------------------------------------------------------------------------- */

enum { RESERVE, WAIT, ALLOCATE_DEVICE, ALLOCATE_PINNED, COPY, OTHERS };

static clump_status other_call(clump_context *ctx, int which, void *device)
{
    void *taken = NULL;
    clump_status status = CLUMP_OK;
    switch (which) {
    case RESERVE:
        return clump_context_reserve(ctx, MANY); /* with its graphs */
    case WAIT:
        return clump_cuda_wait(ctx);
    case COPY:
        return clump_cuda_copy(ctx, device, few.xyz, 64);
    default:
        status =
            clump_cuda_allocate(ctx, which == ALLOCATE_DEVICE ? CLUMP_CUDA_DEVICE : CLUMP_CUDA_PINNED, 4096, &taken);
        CHECK((taken == NULL) == (status != CLUMP_OK));
        fail_after(ctx, 0, cudaSuccess); /* release reports no failure */
        if (taken) clump_cuda_release(ctx, which == ALLOCATE_DEVICE ? CLUMP_CUDA_DEVICE : CLUMP_CUDA_PINNED, taken);
        return status;
    }
}

static void other_calls_fail(void)
{
    static const char *const names[OTHERS] = {"reserve", "wait", "allocate", "allocate pinned", "copy"};
    for (int which = 0; which < OTHERS; which++) {
        for (int f = 0; f < FAILURES; f++) {
            clump_context *const ctx = gpu_context(CLUMP_BACKEND_CUDA, NULL);
            gpu_cloud c = gpu_cloud_make(ctx, GPU_DEVICE, (clump_points){.xyz = few.xyz, .count = FEW}, NULL);
            long failed = 0, n = 0;
            for (; n < 200; n++) {
                clump_context_trim(ctx);
                fail_after(ctx, n, failures[f].error);
                char said[512];
                const clump_status status = other_call(ctx, which, c.memory);
                snprintf(said, sizeof said, "%s", clump_context_error(ctx));
                fail_after(ctx, 0, cudaSuccess);
                if (status == CLUMP_OK) break;
                failed++;
                CHECK_MSG(status == failures[f].status && strlen(said) > 15, "%s, %s: status %d: \"%s\"", names[which],
                          failures[f].name, (int)status, said);
                CHECK_INT(other_call(ctx, which, c.memory), CLUMP_OK);
            }
            CHECK_MSG(failed > 0 && n < 200, "%s: %ld of %ld", names[which], failed, n);
            gpu_cloud_free(ctx, &c);
            clump_context_destroy(ctx);
        }
    }
}

/* ----- clump_tree ------------------------------------------------------------------------------------ */

static void every_call_of_a_tree_fails(void)
{
    static int32_t right[FEW], parents[FEW];
    static float right_heights[FEW], heights[FEW];
    const clump_points points = {.xyz = few.xyz, .count = FEW};
    clump_context *const cpu = gpu_context(CLUMP_BACKEND_CPU, NULL);
    CHECK_INT(clump_tree(cpu, points, NULL, right, right_heights), CLUMP_OK);
    clump_context_destroy(cpu);
    for (int f = 0; f < FAILURES; f++) {
        clump_context *const ctx = gpu_context(CLUMP_BACKEND_CUDA, NULL);
        CHECK_INT(clump_tree(ctx, points, NULL, parents, heights), CLUMP_OK);
        long n = 0, failed = 0;
        for (int good = 0; n < MOST_CALLS && good < 4 && check_failures < 20; n++) {
            clump_context_trim(ctx);
            fail_after(ctx, n, failures[f].error);
            const clump_status status = clump_tree(ctx, points, NULL, parents, heights);
            fail_after(ctx, 0, cudaSuccess);
            if (status != CLUMP_OK) {
                expect_sentence(ctx, status, &failures[f], "tree", n);
                CHECK_INT(clump_tree(ctx, points, NULL, parents, heights), CLUMP_OK);
            }
            failed += status != CLUMP_OK, good = status == CLUMP_OK ? good + 1 : 0;
            CHECK_MSG(memcmp(parents, right, sizeof right) == 0 &&
                          memcmp(heights, right_heights, sizeof right_heights) == 0,
                      "wrong tree around call %ld", n);
        }
        CHECK_MSG(failed > 1 && n < MOST_CALLS, "tree: %ld of %ld calls failed", failed, n);
        clump_context_destroy(ctx);
    }
}

/* ----- AUTO ---------------------------------------------------------------------------------------- */

static int warnings;
static void count_warnings(clump_log_level level, const char *message, void *user)
{
    (void)message, (void)user;
    warnings += level == CLUMP_LOG_WARNING;
}

static void auto_falls_back(void)
{
    float *const cloud = malloc(3 * LARGE * sizeof *cloud);
    int32_t *const found = malloc(LARGE * sizeof *found);
    uint64_t random = 132;
    const float r = cloud_fill(CLOUD_SCAN, cloud, LARGE, &random);
    const clump_points points = {.xyz = cloud, .count = LARGE};
    for (int f = 0; f < FAILURES; f++) {
        for (long n = 0; n < 12; n += 4) {
            clump_context_options options = clump_context_defaults();
            options.log = count_warnings;
            clump_context *ctx = NULL;
            CHECK_INT(clump_context_create(&options, &ctx), CLUMP_OK);
            int32_t first = -1, then = -2;
            CHECK_INT(clump_ec(ctx, points, r, NULL, found, &first), CLUMP_OK);
            const uint64_t hash = clump_labels_hash(found, LARGE);
            if (clump_context_stats(ctx).backend != CLUMP_BACKEND_CUDA) {
                CHECK_FAIL("%d points run on the CPU: %s", (int)LARGE, clump_context_stats(ctx).reason);
                clump_context_destroy(ctx);
                break;
            }
            warnings = 0;
            clump_context_trim(ctx);
            fail_after(ctx, n, failures[f].error);
            memset(found, 0, LARGE * sizeof *found);
            CHECK_MSG(clump_ec(ctx, points, r, NULL, found, &then) == CLUMP_OK, "%s", clump_context_error(ctx));
            fail_after(ctx, 0, cudaSuccess);
            CHECK_TEXT(clump_context_error(ctx), "");
            CHECK(then == first && clump_labels_hash(found, LARGE) == hash);
            CHECK_INT(clump_context_stats(ctx).backend, CLUMP_BACKEND_CPU);
            CHECK_MSG(strstr(clump_context_stats(ctx).reason, "GPU"), "%s", clump_context_stats(ctx).reason);
            CHECK_INT(warnings, 1);

            /* a lack of memory may pass; a GPU that is gone is not asked again, and the reason stays */
            const bool again = failures[f].status == CLUMP_ERR_OUT_OF_MEMORY;
            CHECK_INT(clump_ec(ctx, points, r, NULL, found, &then), CLUMP_OK);
            CHECK(then == first && clump_labels_hash(found, LARGE) == hash);
            CHECK_INT(clump_context_stats(ctx).backend, again ? CLUMP_BACKEND_CUDA : CLUMP_BACKEND_CPU);
            if (!again)
                CHECK_MSG(strstr(clump_context_stats(ctx).reason, "GPU"), "%s", clump_context_stats(ctx).reason);
            clump_context_destroy(ctx);
        }
    }
    free(cloud), free(found);
}

/* A device that is not there, on a machine that has others. */
static void no_such_device(void)
{
    clump_context_options options = clump_context_defaults();
    options.backend = CLUMP_BACKEND_CUDA, options.device = 999;
    clump_context *ctx = NULL;
    CHECK_INT(clump_context_create(&options, &ctx), CLUMP_OK);
    CHECK_INT(clump_ec(ctx, (clump_points){.xyz = few.xyz, .count = 5}, 1, NULL, labels, NULL), CLUMP_ERR_NO_DEVICE);
    CHECK(strstr(clump_context_error(ctx), "999"));
    clump_context_destroy(ctx);
}

int main(int argc, char **argv)
{
    CHECK_BEGIN(argc, argv);
    if (gpu_skip("test_cuda_failures")) return 77;
    list_methods();
    few = make_known(CLOUD_CLUMPED, FEW, 131);
    many = make_known(CLOUD_SCAN, MANY, 133);
    RUN(every_runtime_call_fails);
    RUN(every_call_of_a_graph_fails);
    RUN(every_piece_fails);
    RUN(other_calls_fail);
    RUN(every_call_of_a_tree_fails);
    RUN(auto_falls_back);
    RUN(no_such_device);
    free_known(&few), free_known(&many);
    CHECK(gpu_reset());
    return CHECK_END();
}
