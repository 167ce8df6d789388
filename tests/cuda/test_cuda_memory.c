/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_cuda_memory.c: memory and the CUDA backend. Points and labels that stay on the device, calls that
 * return before the GPU is done, nothing allocated by warm calls of any job (jobs/jobs.h) on host or device, everything given
 * back, and lists and matrices that no GPU can hold refused by name. Skipped where there is no GPU.
 */
#include "support/check.h"

#include "cuda/jobs_on_gpu.h"

#include <clump/info.h>

#include <math.h>

enum { MOST = 20000, REMAINDER = 4096 }; /* bytes a context may keep for as long as it lives */

static float xyz[3 * MOST];
static uint8_t mask[MOST];
static int32_t labels[MOST + 1], expected[MOST];

/* What the CPU makes of it, in `expected`. */
static int32_t on_cpu(clump_points points, float d, const clump_ec_options *given)
{
    clump_ec_options o = given ? *given : clump_ec_defaults();
    o.method = CLUMP_EC_FAST;
    int32_t clusters = -1;
    CHECK_INT(clump_ec(cpu, points, d, &o, expected, &clusters), CLUMP_OK);
    return clusters;
}

/* ----- device memory ------------------------------------------------------------------------------- */

/* Consecutive calls without a wait: buffers grow and shrink while earlier calls still run. */
static void calls_without_waiting(void)
{
    enum { CALLS = 12 };
    static const size_t counts[CALLS] = {300, 20000, 1, 0, 7000, 20000, 64, 12000, 12000, 2, 19999, 5000};
    clump_context *const ctx = gpu_context(CLUMP_BACKEND_CUDA, NULL);
    uint64_t random = 121;
    const float d = 0.15f * cloud_fill(CLOUD_SCAN, xyz, MOST, &random);
    for (size_t i = 0; i < MOST; i++) mask[i] = i % 5 != 0;
    gpu_cloud c[CALLS];
    clump_ec_options o[CALLS];
    for (int k = 0; k < CALLS; k++) {
        o[k] = clump_ec_defaults();
        if (k % 3 == 1) o[k].common.order = CLUMP_ORDER_SIZE, o[k].common.min_size = 4;
        if (k % 4 == 2) o[k].common.mask = mask;
        if (k % 4 == 3) o[k].common.max_size = 50;
        const clump_points points = {.xyz = xyz + (k % 2 ? 1 : 0), .count = counts[k] - (k % 2 && counts[k] == MOST)};
        c[k] = gpu_cloud_make(ctx, GPU_DEVICE, points, o[k].common.mask);
    }
    for (int turn = 0; turn < 3; turn++) {
        for (int k = 0; k < CALLS; k++) gpu_cloud_clear(ctx, &c[k]);
        for (int k = 0; k < CALLS; k++) {
            clump_ec_options there = o[k];
            there.common.mask = c[k].mask;
            there.common.clusters_on_device = c[k].clusters;
            CHECK_MSG(clump_ec(ctx, c[k].points, d, &there, c[k].labels, NULL) == CLUMP_OK, "%s",
                      clump_context_error(ctx));
            if (c[k].points.count > 0) CHECK_INT(clump_context_stats(ctx).clusters, -1);
            CHECK_INT(clump_context_stats(ctx).points, c[k].points.count);
        }
        CHECK_INT(clump_cuda_wait(ctx), CLUMP_OK);
        for (int k = 0; k < CALLS; k++) {
            const size_t n = c[k].points.count;
            const clump_points points = {.xyz = xyz + (k % 2 ? 1 : 0), .count = n};
            const int32_t wanted = on_cpu(points, d, &o[k]);
            int32_t clusters = -7;
            CHECK(gpu_cloud_fetch(ctx, &c[k], labels, &clusters));
            CHECK_MSG(clusters == wanted && memcmp(labels, expected, n * sizeof *labels) == 0,
                      "turn %d, call %d, %zu points: %d clusters, expected %d", turn, k, n, clusters, wanted);
        }
    }
    /* the next call that waits knows its counts again */
    int32_t clusters = -1;
    CHECK_INT(clump_ec(ctx, c[4].points, d, NULL, c[4].labels, &clusters), CLUMP_OK);
    CHECK(clusters > 0);
    CHECK_INT(clump_context_stats(ctx).clusters, clusters);
    CHECK_INT(clump_context_stats(ctx).finite, c[4].points.count);
    for (int k = 0; k < CALLS; k++) gpu_cloud_free(ctx, &c[k]);
    clump_context_destroy(ctx);
}

/* The caller's own buffers, pinned once for many frames. A misuse is a sentence. */
static void pinned_by_the_caller(void)
{
    clump_context *const ctx = gpu_context(CLUMP_BACKEND_CUDA, NULL);
    uint64_t random = 123;
    const float d = 0.15f * cloud_fill(CLOUD_SCAN, xyz, MOST, &random);
    const clump_points points = {.xyz = xyz, .count = MOST};
    const int32_t wanted = on_cpu(points, d, NULL);
    CHECK_MSG(clump_cuda_pin(ctx, xyz, sizeof xyz) == CLUMP_OK, "%s", clump_context_error(ctx));
    CHECK_MSG(clump_cuda_pin(ctx, labels, sizeof labels) == CLUMP_OK, "%s", clump_context_error(ctx));
    for (int turn = 0; turn < 3; turn++) {
        int32_t clusters = -1;
        memset(labels, 0x77, sizeof labels);
        CHECK_INT(clump_ec(ctx, points, d, NULL, labels, &clusters), CLUMP_OK);
        CHECK(clusters == wanted && memcmp(labels, expected, MOST * sizeof *labels) == 0);
        if (turn == 1) CHECK_INT(clump_cuda_unpin(ctx, xyz), CLUMP_OK);
    }
    if (!gpu_small()) { /* compute-sanitizer would report the refusal */
        CHECK_INT(clump_cuda_pin(ctx, labels, sizeof labels), CLUMP_ERR_MEMORY_KIND);
        CHECK(strstr(clump_context_error(ctx), "pinning memory of the caller"));
    }
    CHECK_INT(clump_cuda_unpin(ctx, labels), CLUMP_OK);
    if (!gpu_small()) CHECK_INT(clump_cuda_unpin(ctx, labels), CLUMP_ERR_MEMORY_KIND);
    CHECK_INT(clump_cuda_unpin(ctx, NULL), CLUMP_OK);
    CHECK_INT(clump_cuda_pin(ctx, NULL, 8), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_cuda_pin(ctx, labels, 0), CLUMP_ERR_ARGUMENT);
    clump_context_destroy(ctx);
}

/* A context may go while its work is still running. */
static void destroyed_while_running(void)
{
    uint64_t random = 122;
    const float d = cloud_fill(CLOUD_SCAN, xyz, MOST, &random);
    clump_context *const keeper = gpu_context(CLUMP_BACKEND_CUDA, NULL);
    gpu_cloud c = gpu_cloud_make(keeper, GPU_DEVICE, (clump_points){.xyz = xyz, .count = MOST}, NULL);
    const int32_t wanted = on_cpu((clump_points){.xyz = xyz, .count = MOST}, d, NULL);
    for (int turn = 0; turn < 5; turn++) {
        gpu_cloud_clear(keeper, &c);
        clump_context *const ctx = gpu_context(CLUMP_BACKEND_CUDA, NULL);
        clump_ec_options o = clump_ec_defaults();
        o.common.clusters_on_device = c.clusters;
        CHECK_INT(clump_ec(ctx, c.points, d, &o, c.labels, NULL), CLUMP_OK);
        if (turn % 2) clump_context_trim(ctx);
        clump_context_destroy(ctx);
        int32_t clusters = -1;
        CHECK(gpu_cloud_fetch(keeper, &c, labels, &clusters));
        CHECK(clusters == wanted && memcmp(labels, expected, MOST * sizeof *labels) == 0);
    }
    gpu_cloud_free(keeper, &c);
    clump_context_destroy(keeper);
}

static void copies_and_allocations(void)
{
    clump_context *const ctx = gpu_context(CLUMP_BACKEND_CUDA, NULL);
    void *device = NULL, *pinned = NULL, *managed = NULL, *none = ctx;
    CHECK_INT(clump_cuda_allocate(ctx, CLUMP_CUDA_DEVICE, sizeof xyz, &device), CLUMP_OK);
    CHECK_INT(clump_cuda_allocate(ctx, CLUMP_CUDA_PINNED, sizeof xyz, &pinned), CLUMP_OK);
    CHECK_INT(clump_cuda_allocate(ctx, CLUMP_CUDA_MANAGED, sizeof xyz, &managed), CLUMP_OK);
    uint64_t random = 124;
    (void)cloud_fill(CLOUD_UNIFORM, xyz, MOST, &random);
    static float back[3 * MOST];
    CHECK_INT(clump_cuda_copy(ctx, device, xyz, sizeof xyz), CLUMP_OK);
    CHECK_INT(clump_cuda_copy(ctx, pinned, device, sizeof xyz), CLUMP_OK);
    CHECK(memcmp(pinned, xyz, sizeof xyz) == 0);
    CHECK_INT(clump_cuda_copy(ctx, managed, device, sizeof xyz), CLUMP_OK);
    CHECK(memcmp(managed, xyz, sizeof xyz) == 0); /* the host reads it, too */
    CHECK_INT(clump_cuda_copy(ctx, back, pinned, sizeof xyz), CLUMP_OK);
    CHECK(memcmp(back, xyz, sizeof xyz) == 0);
    CHECK_INT(clump_cuda_copy(ctx, NULL, NULL, 0), CLUMP_OK);
    CHECK_INT(clump_cuda_copy(ctx, NULL, xyz, 4), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_cuda_allocate(ctx, (clump_cuda_memory)7, 4, &none), CLUMP_ERR_ARGUMENT);
    CHECK(none == NULL && strstr(clump_context_error(ctx), "kind 7"));
    CHECK_INT(clump_cuda_allocate(ctx, CLUMP_CUDA_DEVICE, 0, &none), CLUMP_OK);
    clump_cuda_release(ctx, CLUMP_CUDA_DEVICE, none);
    clump_cuda_release(ctx, CLUMP_CUDA_DEVICE, NULL);
    if (!gpu_small()) { /* a petabyte: compute-sanitizer would report the refusal */
        CHECK_INT(clump_cuda_allocate(ctx, CLUMP_CUDA_DEVICE, (size_t)1 << 50, &none), CLUMP_ERR_OUT_OF_MEMORY);
        CHECK(none == NULL && strstr(clump_context_error(ctx), "memory"));
    }
    CHECK_INT(clump_cuda_wait(ctx), CLUMP_OK);
    clump_cuda_release(ctx, CLUMP_CUDA_DEVICE, device);
    clump_cuda_release(ctx, CLUMP_CUDA_MANAGED, managed);
    clump_context_destroy(ctx);
    clump_context *const other = gpu_context(CLUMP_BACKEND_CUDA, NULL); /* what is left: through any context */
    clump_cuda_release(other, CLUMP_CUDA_PINNED, pinned);
    clump_context_destroy(other);
}

/* ----- warm, reserved, trimmed --------------------------------------------------------------------- */

/* Whether all three of these have stayed what they were. */
typedef struct held {
    long calls;
    size_t host, device;
} held;

static held held_now(const clump_context *ctx, long calls)
{
    const clump_stats s = clump_context_stats(ctx);
    return (held){calls, s.host_bytes, s.device_bytes};
}

static void expect_held(held before, held now, const char *what, clump_ec_method method, gpu_place place)
{
    CHECK_MSG(now.calls == before.calls && now.host == before.host && now.device == before.device,
              "%s, %s, %s: %ld allocations, host %zu -> %zu bytes, device %zu -> %zu bytes", what,
              clump_ec_method_name(method), gpu_place_name(place), now.calls - before.calls, before.host, now.host,
              before.device, now.device);
}

/* After clump_context_reserve no cloud up to that size takes memory, from wherever it comes. */
static void reserved_is_enough(void)
{
    long calls = 0;
    const clump_allocator counting = gpu_counting(&calls);
    clump_context *const ctx = gpu_context(CLUMP_BACKEND_CUDA, &counting);
    CHECK_INT(clump_context_reserve(ctx, MOST), CLUMP_OK);
    const held reserved = held_now(ctx, calls);
    CHECK(reserved.device > MOST);
    uint64_t random = 126;
    for (size_t i = 0; i < MOST; i++) mask[i] = i % 9 != 0;
    for (int turn = 0; turn < (gpu_small() ? 6 : 6 * CLOUD_SHAPES); turn++) {
        const size_t stride = turn % 2 ? 24 : 12;
        const size_t count = turn % 5 ? check_random(&random) % (MOST / 2 + 1) : MOST / 2 * (24 / stride);
        float d = cloud_fill((cloud_shape)(turn % CLOUD_SHAPES), xyz, count, &random);
        if (turn % 7 == 0) d = turn % 2 ? 0x1p-63f : 0x1.fffffep63f; /* the most cells, and one */
        clump_ec_options o = clump_ec_defaults();
        o.common.order = turn % 4 < 2 ? CLUMP_ORDER_SIZE : CLUMP_ORDER_INDEX;
        o.common.min_size = turn % 3 ? 1 : 2;
        o.common.two_d = turn % 5 == 0;
        const gpu_place place = (gpu_place)(turn % GPU_PLACES);
        gpu_cloud c = gpu_cloud_make(ctx, place, (clump_points){.xyz = xyz, .count = count, .stride = stride},
                                     turn % 4 == 3 ? mask : NULL);
        o.common.mask = c.mask;
        CHECK_INT(clump_ec(ctx, c.points, d, &o, c.labels, NULL), CLUMP_OK);
        expect_held(reserved, held_now(ctx, calls), "reserved", CLUMP_EC_FAST, place);
        gpu_cloud_free(ctx, &c);
    }
    CHECK_INT(clump_context_reserve(ctx, 100), CLUMP_OK); /* less: nothing to do */
    CHECK_INT(clump_context_reserve(ctx, 0), CLUMP_OK);
    expect_held(reserved, held_now(ctx, calls), "reserved less", CLUMP_EC_FAST, GPU_PAGEABLE);
    clump_context_destroy(ctx);
}

/* ----- every job ---------------------------------------------------------------------------------- */

typedef struct watch {
    long calls; /* allocations of host memory so far */
    int rounds; /* that an object has begun; 0: there is none */
    long at, more;
} watch;

static void watch_round(int round, void *user)
{
    watch *const w = user;
    w->rounds = round + 1;
    if (round == 1) w->at = w->calls;
    if (round > 1) w->more += w->calls - w->at, w->at = w->calls;
}

static clump_context *watched(watch *w)
{
    const clump_allocator counting = gpu_counting(&w->calls);
    return gpu_context(CLUMP_BACKEND_CUDA, &counting);
}

/* Jobs of one call, whose lists do not get longer with fewer points of the same kind. */
static bool shrinks(const job *j, int method)
{
    static const char *const names[] = {"clump_ec",       "clump_dbscan", "clump_ground", "clump_erccl",
                                        "clump_describe", "clump_group",  "clump_tree"};
    bool named = false;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) named = named || strcmp(j->call, names[k]) == 0;
    return named && method == 0 && !strstr(j->what, "classes");
}

static void check_warm(const job *j, int method, const hostile_case *c, int manner, bool fewer_too)
{
    watch w = {0};
    clump_context *const ctx = watched(&w);
    job_run r = run_of(j, method, c, JOB_PLAIN, manner);
    r.rounds = 3, r.round = watch_round, r.user = &w;
    CHECK_MSG(job_do(j, ctx, &r) == CLUMP_OK, "%s: %s", text_of(j, &r), clump_context_error(ctx));
    r.rounds = 1;
    const bool object = w.rounds > 0;
    if (object) CHECK_INT(job_do(j, ctx, &r), CLUMP_OK); /* outputs of one round, as those below */
    const uint64_t first = r.hash;
    const long taken = w.calls;
    const clump_stats warm = clump_context_stats(ctx);
    const hostile_case fewer[] = {*c, *c, first_of(c, c->points.count / 2), first_of(c, c->points.count / 7)};
    for (int again = 0; again < (fewer_too && shrinks(j, method) ? 4 : 2); again++) {
        r.c = &fewer[again];
        CHECK_INT(job_do(j, ctx, &r), CLUMP_OK);
        CHECK_MSG(again > 1 || r.hash == first, "%s: another result", text_of(j, &r));
        const clump_stats s = clump_context_stats(ctx);
        CHECK_MSG(j->keeps || (s.host_bytes == warm.host_bytes && s.device_bytes == warm.device_bytes),
                  "%s: host %zu -> %zu bytes, device %zu -> %zu bytes", text_of(j, &r), warm.host_bytes, s.host_bytes,
                  warm.device_bytes, s.device_bytes);
    }
    const long more = object ? w.more : w.calls - taken;
    CHECK_MSG(more == 0 || j->keeps, "%s: %ld allocations by warm calls", text_of(j, &r), more);
    clump_context_trim(ctx);
    clump_context_trim(ctx);
    const clump_stats s = clump_context_stats(ctx);
    CHECK_MSG(s.host_bytes <= REMAINDER && s.device_bytes <= REMAINDER,
              "%s: trimmed, %zu bytes on the host, %zu on the device", text_of(j, &r), s.host_bytes, s.device_bytes);
    r.c = c;
    CHECK_INT(job_do(j, ctx, &r), CLUMP_OK);
    CHECK_MSG(r.hash == first, "%s: another result after a trim", text_of(j, &r));
    clump_context_destroy(ctx);
}

static void warm_jobs_take_nothing(void)
{
    hostile_case street = street_of(MANY), few = first_of(&street, FEW);
    FOR_CUDA_JOBS(j, method)
    {
        for (int manner = 0; manner < manners_of(j); manner++) {
            if (gpu_small() && (j - jobs + method + manner) % 6 != 0) continue;
            check_warm(j, method, &street, manner, true);
            if (method == 0 && !gpu_small()) check_warm(j, method, &few, manner, true);
        }
    }
    hostile_case_free(&street);
    uint64_t random = 64;
    for (int shape = 0; shape < (gpu_small() ? 0 : CLOUD_SHAPES); shape++) {
        hostile_case c = of_shape((cloud_shape)shape, 2000, &random);
        FOR_CUDA_JOBS(j, method)
        {
            const int number = shape + (int)(j - jobs) + method; /* what follows the shape sees all */
            const bool follows = j->methods == &clump_ec_methods || j->methods == &clump_dbscan_methods;
            if (follows || number % 4 == 0) check_warm(j, method, &c, number % manners_of(j), false);
        }
        hostile_case_free(&c);
    }
}

/* After clump_context_reserve the usual options allocate nothing on the host, for any cloud up to that size, and on the device after
 * the first call. */
static void jobs_reserve_enough(void)
{
    uint64_t random = 63;
    for (const job *j = jobs; j < jobs + job_count; j++) {
        if (!j->reserved && strcmp(j->call, "clump_erccl") != 0 && strcmp(j->call, "clump_ground") != 0 &&
            strcmp(j->what, "one cluster") != 0)
            continue;
        watch w = {0};
        clump_context *const ctx = watched(&w);
        const size_t most = gpu_small() ? 300 : 2 * MANY;
        CHECK_INT(clump_context_reserve(ctx, most), CLUMP_OK);
        const long taken = w.calls;
        size_t device = 0;
        for (int turn = 0; turn < (gpu_small() ? 4 : 3 * CLOUD_SHAPES) && w.calls == taken; turn++) {
            const size_t count = turn == 0 || turn % 5 == 4 ? most : check_random(&random) % most;
            hostile_case c = of_shape((cloud_shape)(turn % CLOUD_SHAPES), count, &random);
            if (turn % 7 == 6) c.d = turn % 2 ? 0x1p-60f : 0x1p60f; /* as many cells as can be, and one */
            job_run r = run_of(j, 0, &c, JOB_PLAIN, turn % MANNERS);
            CHECK_MSG(job_do(j, ctx, &r) == CLUMP_OK, "%s: %s", text_of(j, &r), clump_context_error(ctx));
            const clump_stats s = clump_context_stats(ctx);
            if (turn == 0) device = s.device_bytes;
            CHECK_MSG(w.calls == taken && s.device_bytes == device, "%s: %ld allocations, device %zu -> %zu bytes",
                      text_of(j, &r), w.calls - taken, device, s.device_bytes);
            hostile_case_free(&c);
        }
        clump_context_destroy(ctx);
    }
}

/* ----- more than there is -------------------------------------------------------------------------- */

/* A sentence such as "matrix-es needs 125.0 GB of GPU memory for 1000000 ..., 80.1 GB are free". */
static void expect_refusal(clump_context *ctx, clump_ec_method method)
{
    const char *const said = clump_context_error(ctx), *const name = clump_ec_method_name(method);
    CHECK_MSG(strncmp(said, name, strlen(name)) == 0 && strstr(said, " needs ") && strstr(said, "B of GPU memory") &&
                  strstr(said, "free"),
              "\"%s\"", said);
}

static void matrices_without_end(void)
{
    if (gpu_small()) SKIP(DO_UNWATCHED);
    clump_device_info info;
    CHECK_INT(clump_device_query(1, &info), CLUMP_OK);
    static const size_t counts[] = {1500000, 3000000}; /* 281 GB; 1.1 TB */
    for (int k = 0; k < 4; k++) {
        const size_t count = counts[k / 2];
        const clump_ec_method method = k % 2 ? CLUMP_EC_MATRIX_RS : CLUMP_EC_MATRIX_ES;
        const double need = (double)count * (double)count / 8;
        if (need < (double)info.memory_total) SKIP("this GPU has room for %g bytes: " DO_LARGER_GPU, need);
        float *const loners = malloc(3 * count * sizeof *loners);
        int32_t *const found = malloc(count * sizeof *found);
        for (size_t i = 0; i < count; i++)
            for (size_t c = 0, at = i; c < 3; c++, at /= 150) loners[3 * i + c] = 2 * (float)(at % 150);
        clump_context *const ctx = gpu_context(CLUMP_BACKEND_CUDA, NULL);
        clump_ec_options o = clump_ec_defaults();
        o.method = method;
        clump_points points = {.xyz = loners, .count = count};
        CHECK_INT(clump_ec(ctx, points, 1, &o, found, NULL), CLUMP_ERR_OUT_OF_MEMORY);
        expect_refusal(ctx, method);
        int32_t clusters = -1;
        o.method = CLUMP_EC_FAST;
        CHECK_MSG(clump_ec(ctx, points, 1, &o, found, &clusters) == CLUMP_OK, "%s", clump_context_error(ctx));
        CHECK_INT(clusters, count);
        o.method = method, points.count = 5000; /* as much as there is memory for */
        CHECK_MSG(clump_ec(ctx, points, 1, &o, found, &clusters) == CLUMP_OK, "%s", clump_context_error(ctx));
        CHECK_INT(clusters, 5000);
        clump_context_destroy(ctx);
        free(loners), free(found);
    }
}

/* 2.4 thousand million edges and twice as many neighbours: more than 2^31 and 2^32. Either they fit, or the
 * sentence says not. */
static void edges_beyond_32_bits(void)
{
    if (gpu_small()) SKIP(DO_UNWATCHED);
    enum { COUNT = 70000 };
    float *const dense = calloc(3 * COUNT, sizeof *dense);
    int32_t *const found = malloc(COUNT * sizeof *found);
    const clump_points points = {.xyz = dense, .count = COUNT};
    static const clump_ec_method large[] = {CLUMP_EC_EDGE_RS, CLUMP_EC_VERTEX_RS, CLUMP_EC_EDGE_ES, CLUMP_EC_VERTEX_ES};
    for (int k = 0; k < 4; k++) {
        clump_context *const ctx = gpu_context(CLUMP_BACKEND_CUDA, NULL);
        clump_ec_options o = clump_ec_defaults();
        o.method = large[k];
        int32_t clusters = -1;
        const clump_status status = clump_ec(ctx, points, 1, &o, found, &clusters);
        if (status == CLUMP_ERR_OUT_OF_MEMORY)
            expect_refusal(ctx, large[k]);
        else
            CHECK_MSG(status == CLUMP_OK, "%s", clump_context_error(ctx));
        if (status == CLUMP_OK) {
            CHECK_INT(clusters, 1);
            int32_t any = 0;
            for (size_t i = 0; i < COUNT; i++) any |= found[i];
            CHECK_INT(any, 0);
        }
        o.method = CLUMP_EC_FAST;
        CHECK_INT(clump_ec(ctx, points, 1, &o, found, &clusters), CLUMP_OK);
        CHECK_INT(clusters, 1);
        clump_context_destroy(ctx);
    }
    free(dense), free(found);
}

CHECK_PROGRAM(test_cuda_memory)
{
    if (gpu_skip("test_cuda_memory")) return;
    jobs_open();
    RUN(calls_without_waiting);
    RUN(pinned_by_the_caller);
    RUN(destroyed_while_running);
    RUN(copies_and_allocations);
    RUN(reserved_is_enough);
    RUN(warm_jobs_take_nothing);
    RUN(jobs_reserve_enough);
    RUN(matrices_without_end);
    RUN(edges_beyond_32_bits);
    jobs_close();
    CHECK(gpu_reset());
}
