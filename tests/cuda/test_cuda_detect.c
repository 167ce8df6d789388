/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_cuda_detect.c: clump_detect by the CUDA backend: labels, boxes and counts of the CPU, which has oracles of its own,
 * bit for bit. Random clouds and every scan in the folder CLUMP_DATA, all methods of ground and clustering, every kind of
 * memory, any capacity, with and without waiting, in a graph of the caller. Other clouds: test_cuda_jobs.c. Skipped where there is
 * no GPU. With CLUMP_TEST_SMALL=1, or 2, it is what compute-sanitizer watches.
 */
#include "support/check.h"

#include "cuda/jobs_on_gpu.h"
#include "support/scans.h"
#include "support/options.h"

#include <clump/info.h>

#include <cuda_runtime_api.h>

enum { MOST = 9000 };

static float xyz[3 * MOST];
static uint8_t mask[MOST];

static void must(clump_status status)
{
    if (status == CLUMP_OK) return;
    printf("the test cannot go on: %s\n", clump_context_error(gpu));
    exit(1);
}

static size_t pick(uint64_t *random, size_t n)
{
    return check_random(random) % n;
}

/* Gives all options of a row but what is in the memory of the run; hulls where `user` has a capacity for them. */
static void set_options(const char *table, void *options, void *user)
{
    const clump_detect_options *const given = user;
    clump_detect_options *const o = options;
    if (strcmp(table, "detect") != 0) return;
    const clump_detect_options before = *o;
    *o = *given;
    o->common.mask = before.common.mask;
    o->describe.values = before.describe.values, o->describe.values_stride = before.describe.values_stride;
    o->describe.hull = given->describe.hull_capacity > 0 ? before.describe.hull : NULL;
    o->describe.hull_offsets = before.describe.hull_offsets;
}

/* In one manner, in all where `round` is negative. The row "ec, thinned" has values and hulls. `seed` draws the capacity. */
static void compare_detect(clump_points points, const float *packed, const clump_detect_options *given, bool hulls,
                           uint64_t seed, long round)
{
    clump_detect_options o = *given;
    const hostile_case c = {.seed = seed,
                            .d = o.d,
                            .points = points,
                            .packed = (float *)(uintptr_t)packed,
                            .mask = (uint8_t *)(uintptr_t)o.common.mask};
    change = set_options, change_user = &o;
    compare_job("clump_detect", hulls ? "ec, thinned" : "ec", &c, 0, round);
    change = NULL, change_user = NULL;
}

/* ----- clouds --------------------------------------------------------------------------------------- */

/* Sloping ground, boxes on it, some stray points. */
static void fill_street(size_t count, uint64_t *random)
{
    for (size_t i = 0; i < count; i++) {
        float *const p = xyz + 3 * i;
        const uint64_t kind = check_random(random) % 16, object = check_random(random) % 40;
        p[0] = 80 * (check_random_float(random) - 0.5f), p[1] = 80 * (check_random_float(random) - 0.5f);
        if (kind >= 6) {
            p[0] = 9 * (float)(object % 8) - 31 + 2 * check_random_float(random);
            p[1] = 11 * (float)(object / 8) - 22 + check_random_float(random);
        }
        p[2] = -1.7f + 0.03f * p[0] + 0.04f * check_random_float(random);
        if (kind >= 6) p[2] += (0.3f + 0.1f * (float)object) * check_random_float(random);
        if (kind == 15) p[2] += 4 * check_random_float(random) - 2;
        if (kind == 14 && i % 8 == 0) p[0] *= 4, p[1] *= 4;
    }
}

static void random_region(clump_detect_options *o, uint64_t *random)
{
    if (pick(random, 2)) o->region.lower[pick(random, 3)] = -20 * check_random_float(random);
    if (pick(random, 2)) o->region.upper[pick(random, 3)] = 25 * check_random_float(random);
    if (pick(random, 2)) o->region.min_range = 10 * check_random_float(random);
    o->region.max_range = 10 + 30 * check_random_float(random);
}

static clump_detect_options random_options(size_t count, uint64_t *random)
{
    clump_detect_options o = clump_detect_defaults();
    o.method = (clump_detect_method)pick(random, 3);
    o.ground.method = (clump_ground_method)pick(random, 3);
    options_draw("ground", "flip", &o.ground, random);
    if (pick(random, 3) == 0) random_region(&o, random);
    if (pick(random, 3) == 0) o.thin = 0.02f + check_random_float(random);
    for (int k = 0; k < 3; k++) o.common.sensor[k] = 0.25f * (float)pick(random, 4);
    for (size_t i = 0; i < count; i++) mask[i] = (uint8_t)(pick(random, 5) != 0) * 7;
    if (pick(random, 3) == 0) o.common.mask = mask;
    o.common.order = (clump_order)(pick(random, 3) == 0);
    o.common.min_size = pick(random, 3) ? 10 : pick(random, 2);
    o.common.max_size = pick(random, 3) ? 0 : 300;
    const bool flat = pick(random, 4) == 0, grows = pick(random, 5) == 0;
    o.dbscan.no_border_points = pick(random, 4) == 0;
    o.erccl.cell = 0.2f, o.erccl.extent = 60;
    o.min_points = 1 + pick(random, 12);
    if (pick(random, 4) == 0) {
        o.method = CLUMP_DETECT_OBJECTS;
        o.thin = 0;
    }
    const bool two_d = o.method < CLUMP_DETECT_ERCCL && flat;
    o.common.two_d = two_d;
    if (o.method < CLUMP_DETECT_ERCCL && grows) o.common.eps_per_metre = 0.02f;
    if (!two_d && pick(random, 4) == 0) o.ground.up = CLUMP_UP_Y, o.ground.flip = pick(random, 2);
    o.describe.axes = pick(random, 3) == 0;
    return o;
}

static void streets(void)
{
    uint64_t random = 1801;
    const long rounds = gpu_small() ? 12 : check_rounds(100), step = gpu_small() == 2 ? 4 : 1;
    for (long round = 0; round < rounds && check_failures < 20; round += step) {
        const size_t count = gpu_small() ? 100 + pick(&random, 700) : round % 8 == 0 ? MOST : pick(&random, 4500);
        fill_street(count, &random);
        if (round % 3 == 0) cloud_spoil(xyz, count, 20, &random);
        const clump_detect_options o = random_options(count, &random);
        if (o.method < CLUMP_DETECT_ERCCL && o.common.two_d && round % 2) cloud_spoil_z(xyz, count, &random);
        const cloud_view view = cloud_view_make(xyz, count, &random);
        compare_detect(view.points, xyz, &o, pick(&random, 4) == 0, (uint64_t)round, round % 5 == 0 ? -1 : round);
        free(view.memory);
        if (round % 37 == 36) clump_context_trim(gpu);
    }
}

/* Every method that the backend has, with thinning and without. */
static void all_methods(void)
{
    const clump_method_table *const tables[] = {&clump_ec_methods, &clump_dbscan_methods, &clump_erccl_methods};
    uint64_t random = 1804;
    const size_t n = gpu_small() ? 400 : 3000;
    for (int kind = 0; kind < 3; kind++) {
        const gpu_methods methods = gpu_methods_of(tables[kind]);
        for (int turn = 0; turn < 2 * methods.count; turn++) {
            clump_detect_options o = clump_detect_defaults();
            o.method = (clump_detect_method)kind;
            o.ec.method = (clump_ec_method)(kind == 0 ? methods.values[turn / 2] : 0);
            o.dbscan.method = (clump_dbscan_method)(kind == 1 ? methods.values[turn / 2] : 0);
            o.erccl.method = (clump_erccl_method)(kind == 2 ? methods.values[turn / 2] : 0);
            o.erccl.cell = 0.2f;
            o.thin = turn % 2 ? 0.1f : 0;
            fill_street(n, &random);
            compare_detect((clump_points){.xyz = xyz, .count = n}, xyz, &o, false, (uint64_t)turn, turn);
        }
    }
}

/* ----- calls ---------------------------------------------------------------------------------------- */

/* Polygons of the hulls: with room, with little of it and offsets alone, for any number of boxes. */
static void polygons(void)
{
    uint64_t random = 1805;
    for (long round = 0; round < (gpu_small() ? 2 : 20); round++) {
        const size_t n = gpu_small() ? 400 : 3000;
        fill_street(n, &random);
        clump_detect_options o = clump_detect_defaults();
        o.describe.hull_capacity = round % 4 == 3 ? 0 : round % 3 == 2 ? 17 : n;
        compare_detect((clump_points){.xyz = xyz, .count = n}, xyz, &o, true, (uint64_t)round, -1);
    }
}

/* Capturing: the call becomes part of the caller's graph, which is replayed with other points. */
static void in_a_graph(void)
{
    uint64_t random = 1807;
    const size_t n = gpu_small() ? 400 : 6000;
    cudaStream_t stream;
    if (cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess) abort();
    for (int turn = 0; turn < 6; turn++) {
        clump_detect_options o = clump_detect_defaults();
        o.method = (clump_detect_method)(turn % 3);
        o.thin = turn >= 3 ? 0.2f : 0;
        o.common.order = turn == 5 || turn == 3 ? CLUMP_ORDER_SIZE : CLUMP_ORDER_INDEX;
        o.describe.clusters_place = CLUMP_PLACE_DEVICE;
        fill_street(n, &random);
        gpu_cloud c = gpu_cloud_make(gpu, GPU_DEVICE, (clump_points){.xyz = xyz, .count = n}, NULL);
        clump_cluster *const boxes = gpu_take(gpu, GPU_DEVICE, n * sizeof *boxes);
        clump_cluster *const here = malloc(n * sizeof *here);
        clump_cluster *const wanted = malloc(n * sizeof *wanted);
        int32_t *const found = malloc(n * sizeof *found), *const labels = malloc(n * sizeof *labels);
        if (!here || !wanted || !found || !labels) abort();
        o.common.clusters_on_device = c.clusters;
        CHECK_INT(clump_cuda_set_stream(gpu, stream), CLUMP_OK);
        CHECK_INT(clump_detect(gpu, c.points, &o, c.labels, boxes, (int32_t)n, NULL), CLUMP_OK);
        CHECK_INT(clump_cuda_wait(gpu), CLUMP_OK);
        cudaGraph_t graph = NULL;
        cudaGraphExec_t exec = NULL;
        CHECK_INT(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
        CHECK_MSG(clump_detect(gpu, c.points, &o, c.labels, boxes, (int32_t)n, NULL) == CLUMP_OK, "%s",
                  clump_context_error(gpu));
        CHECK_INT(cudaStreamEndCapture(stream, &graph), cudaSuccess);
        CHECK_INT(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
        for (int again = 0; again < 2 && exec; again++) {
            fill_street(n, &random);
            gpu_put(gpu, GPU_DEVICE, c.memory, xyz, 3 * n * sizeof *xyz);
            gpu_cloud_clear(gpu, &c);
            CHECK_INT(cudaGraphLaunch(exec, stream), cudaSuccess);
            CHECK_INT(cudaStreamSynchronize(stream), cudaSuccess);
            clump_detect_options plain = o;
            plain.common.clusters_on_device = NULL, plain.describe.clusters_place = CLUMP_PLACE_HOST;
            int32_t there = -7, count = -8;
            CHECK(gpu_cloud_fetch(gpu, &c, found, &there));
            if (there > 0 && (size_t)there <= n) must(clump_cuda_copy(gpu, here, boxes, (size_t)there * sizeof *here));
            CHECK_INT(
                clump_detect(cpu, (clump_points){.xyz = xyz, .count = n}, &plain, labels, wanted, (int32_t)n, &count),
                CLUMP_OK);
            CHECK_MSG(there == count && memcmp(found, labels, n * sizeof *found) == 0, "turn %d: %d clusters, not %d",
                      turn, there, count);
            CHECK_MSG(there == count && memcmp(here, wanted, (size_t)count * sizeof *here) == 0, "turn %d: boxes",
                      turn);
        }
        if (exec) cudaGraphExecDestroy(exec);
        if (graph) cudaGraphDestroy(graph);
        CHECK_INT(clump_cuda_set_stream(gpu, NULL), CLUMP_OK);
        gpu_give(gpu, GPU_DEVICE, boxes);
        gpu_cloud_free(gpu, &c);
        free(here), free(wanted), free(found), free(labels);
    }
    cudaStreamDestroy(stream);
}

/* ----- scans ---------------------------------------------------------------------------------------- */

static void compare_scan(clump_points points, const char *name)
{
    static long turn;
    float *const packed = scan_pack(points);
    const long before = check_failures;
    for (int k = 0; k < 6 && check_failures < 20; k++, turn++) {
        clump_detect_options o = clump_detect_defaults();
        o.method = (clump_detect_method)(k % 3);
        o.ground.method = k < 3 ? CLUMP_GROUND_GRID : (clump_ground_method)(turn % 3);
        o.ground.step = (turn + k) % 2;
        o.thin = k == 4 ? 0.2f : 0;
        o.common.order = (clump_order)(k == 3);
        if (k > 3) o.region.max_range = 40;
        if (k == 5) o.describe.axes = true;
        compare_detect(points, packed, &o, false, 2 * (uint64_t)turn + 5, k == 0 ? -1 : turn);
    }
    if (check_failures > before) printf("in %s\n", name);
    free(packed);
}

static void real_scans(void)
{
    if (gpu_small()) SKIP(DO_UNWATCHED);
    SCANS_TEST(compare_scan);
}

CHECK_PROGRAM(test_cuda_detect)
{
    if (gpu_skip("test_cuda_detect")) return;
    jobs_open();
    RUN(streets);
    RUN(all_methods);
    RUN(polygons);
    RUN(in_a_graph);
    RUN(real_scans);
    jobs_close();
    CHECK(gpu_reset());
}
