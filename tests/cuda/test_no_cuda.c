/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_no_cuda.c: a build without CUDA, and a build with CUDA on a machine without a GPU: every call for a GPU fails
 * with a status and a message. And contexts for the CPU, on any machine.
 */
#include "support/check.h"

#include "jobs/jobs.h"
#include "support/calls.h"

#include <clump/info.h>

enum { COUNT = 20000 }; /* enough for AUTO to think of a GPU */
static float xyz[3 * COUNT];
static int32_t labels[COUNT];
static const clump_points points = {.xyz = xyz, .count = COUNT};

/* All of clump/cuda.h. */
static void expect_all(clump_context *ctx, clump_status expected, const char *words)
{
    void *memory = ctx;
    expect_failure(ctx, clump_cuda_set_stream(ctx, NULL), expected, words);
    expect_failure(ctx, clump_cuda_wait(ctx), expected, words);
    expect_failure(ctx, clump_cuda_allocate(ctx, CLUMP_CUDA_DEVICE, 64, &memory), expected, words);
    CHECK(memory == NULL);
    expect_failure(ctx, clump_cuda_allocate(ctx, CLUMP_CUDA_PINNED, 64, &memory), expected, words);
    expect_failure(ctx, clump_cuda_allocate(ctx, CLUMP_CUDA_MANAGED, 64, &memory), expected, words);
    CHECK(memory == NULL);
    expect_failure(ctx, clump_cuda_copy(ctx, labels, xyz, 64), expected, words);
    expect_failure(ctx, clump_cuda_pin(ctx, xyz, sizeof xyz), expected, words);
    expect_failure(ctx, clump_cuda_unpin(ctx, xyz), expected, words);
    clump_cuda_release(ctx, CLUMP_CUDA_DEVICE, NULL);
    clump_cuda_release(ctx, CLUMP_CUDA_DEVICE, xyz); /* cannot be ours: nothing happens */
    const clump_points there = {.xyz = xyz, .count = COUNT, .place = CLUMP_PLACE_DEVICE};
    expect_failure(ctx, clump_ec(ctx, there, 1, NULL, labels, NULL), expected,
                   expected == CLUMP_ERR_NO_DEVICE ? words : "CPU");
}

static void null_contexts(void)
{
    void *memory = xyz;
    CHECK_INT(clump_cuda_set_stream(NULL, NULL), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_cuda_wait(NULL), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_cuda_allocate(NULL, CLUMP_CUDA_DEVICE, 8, &memory), CLUMP_ERR_ARGUMENT);
    CHECK(memory == NULL);
    CHECK_INT(clump_cuda_allocate(NULL, CLUMP_CUDA_DEVICE, 8, NULL), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_cuda_pin(NULL, &memory, sizeof memory), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_cuda_unpin(NULL, &memory), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_cuda_copy(NULL, labels, xyz, 8), CLUMP_ERR_ARGUMENT);
    clump_cuda_release(NULL, CLUMP_CUDA_DEVICE, xyz);
    clump_cuda_release(NULL, CLUMP_CUDA_DEVICE, NULL);
}

static void contexts_for_the_cpu(void)
{
    clump_context *const ctx = gpu_context(CLUMP_BACKEND_CPU, NULL);
    expect_all(ctx, CLUMP_ERR_MEMORY_KIND, "CPU");
    clump_ec_options o = clump_ec_defaults();
    int32_t number = 7, clusters = -1;
    o.common.clusters_on_device = &number;
    expect_failure(ctx, clump_ec(ctx, points, 1, &o, labels, &clusters), CLUMP_ERR_MEMORY_KIND, "clusters_on_device");
    CHECK_INT(number, 7);
    CHECK_INT(clump_ec(ctx, points, 1, NULL, labels, &clusters), CLUMP_OK);
    CHECK(clusters > 0);
    CHECK_TEXT(clump_context_error(ctx), "");
    CHECK_INT(clump_context_stats(ctx).device_bytes, 0);
    clump_context_destroy(ctx);
}

static void cuda_asked_for(void)
{
    if (clump_device_count() > 1) SKIP(DO_NO_GPU);
    clump_context *const ctx = gpu_context(CLUMP_BACKEND_CUDA, NULL);
    expect_all(ctx, CLUMP_ERR_NO_DEVICE, "CUDA cannot be used: ");
    const bool built = !strstr(clump_device_absence(CLUMP_BACKEND_CUDA), "no CUDA backend");
    FOR_CPU_METHODS (method, clump_ec_methods) {
        clump_ec_options o = clump_ec_defaults();
        o.method = (clump_ec_method)method;
        const bool never = built && !clump_method_at(&clump_ec_methods, method)->on_cuda; /* a GPU would not help */
        expect_failure(ctx, clump_ec(ctx, points, 1, &o, labels, NULL),
                       never ? CLUMP_ERR_UNSUPPORTED : CLUMP_ERR_NO_DEVICE, "--device cpu");
    }
    expect_failure(ctx, clump_context_reserve(ctx, 1000), CLUMP_ERR_NO_DEVICE, "CUDA cannot be used: ");
    clump_context_trim(ctx);
    CHECK(clump_context_stats(ctx).points == 0 && clump_context_stats(ctx).host_bytes == 0);
    clump_context_destroy(ctx);
}

static void place_on_a_device(clump_points *p, void *user)
{
    (void)user;
    p->place = CLUMP_PLACE_DEVICE;
}

/* Every row of the table: where a GPU is asked for it is refused, or it is known to run on the CPU, whatever the context is for; so
 * it is with points that lie on a device. Left to choose, the context takes the CPU. */
static void jobs_that_need_no_gpu(void)
{
    if (clump_device_count() > 1) SKIP(DO_NO_GPU);
    clump_context *const ctx = gpu_context(CLUMP_BACKEND_CUDA, NULL), *const cpu = gpu_context(CLUMP_BACKEND_CPU, NULL),
                         *const any = gpu_context(CLUMP_BACKEND_AUTO, NULL);
    const bool built = !strstr(clump_device_absence(CLUMP_BACKEND_CUDA), "no CUDA backend");
    hostile_case street = job_street(2000);
    FOR_JOBS(j, method)
    {
        job_run r = {.c = &street, .method = method, .turn = JOB_PLAIN};
        CHECK_INT(job_do(j, cpu, &r), CLUMP_OK);
        const uint64_t hash = r.hash;
        const clump_status status = job_do(j, ctx, &r);
        const bool never = built && j->methods && !clump_method_at(j->methods, method)->on_cuda;
        if (j->host)
            CHECK_MSG(status == CLUMP_OK && r.hash == hash, "%s %s: %s", j->call, j->what, clump_context_error(ctx));
        else
            expect_failure(ctx, status, never ? CLUMP_ERR_UNSUPPORTED : CLUMP_ERR_NO_DEVICE, "--device cpu");
        CHECK_MSG(!r.spoiled, "%s %s: %s was written", j->call, j->what, r.spoiled);
        any->stats = (clump_stats){0};
        CHECK_MSG(job_do(j, any, &r) == CLUMP_OK && r.hash == hash, "%s %s: %s", j->call, j->what,
                  clump_context_error(any));
        CHECK(any->stats.points == 0 || (any->stats.backend == CLUMP_BACKEND_CPU && any->stats.reason[0]));
        if (j->device != JOB_TAKES || strcmp(j->call, "clump_group") == 0) continue;
        r.points = place_on_a_device;
        const clump_status there = job_do(j, ctx, &r);
        expect_failure(ctx, there, status, "--device cpu");
    }
    hostile_case_free(&street);
    clump_context_destroy(any);
    clump_context_destroy(cpu);
    clump_context_destroy(ctx);
}

static void auto_takes_the_cpu(void)
{
    if (clump_device_count() > 1) SKIP(DO_NO_GPU);
    clump_context *const ctx = gpu_context(CLUMP_BACKEND_AUTO, NULL);
    CHECK_INT(clump_context_reserve(ctx, COUNT), CLUMP_OK);
    for (int method = 0; method <= CLUMP_EC_BFS; method++) {
        clump_ec_options o = clump_ec_defaults();
        o.method = (clump_ec_method)method;
        int32_t clusters = -1;
        CHECK_INT(clump_ec(ctx, points, 1, &o, labels, &clusters), CLUMP_OK);
        CHECK(clusters > 0);
        const clump_stats s = clump_context_stats(ctx);
        CHECK_INT(s.backend, CLUMP_BACKEND_CPU);
        CHECK_MSG(strstr(s.reason, "CUDA") || strstr(s.reason, "NVIDIA") || strstr(s.reason, "only the CPU"), "%s",
                  s.reason);
    }
    expect_all(ctx, CLUMP_ERR_NO_DEVICE, "CUDA cannot be used: ");
    clump_context_destroy(ctx);
}

CHECK_PROGRAM(test_no_cuda)
{
    uint64_t random = 141;
    for (size_t i = 0; i < 3 * COUNT; i++) xyz[i] = 40 * check_random_float(&random);
    RUN(null_contexts);
    RUN(contexts_for_the_cpu);
    RUN(cuda_asked_for);
    RUN(jobs_that_need_no_gpu);
    RUN(auto_takes_the_cpu);
}
