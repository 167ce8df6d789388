/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_cuda_icp.c: clump_icp on the GPU gives the motion of the CPU to the last bit: point to point and point to plane, all
 * pairs and trimmed, clouds of all kinds and sizes; where a call of the CUDA runtime fails, a context that may choose goes
 * on on the CPU. Built with CUDA alone; skipped where there is no GPU.
 */
#include "support/check.h"

#include "support/clouds.h"
#include "support/on_gpu.h"
#include "support/scans.h"

#include "core/context.h"
#include "cuda/gpu/fault.h"

#include <clump/info.h>
#include <clump/index.h>
#include <clump/odometry.h>
#include <clump/sim.h>

#include <cuda_runtime_api.h>
#include <math.h>
#include <stdlib.h>

enum { MOST = 10000 };

static clump_context *cpu;
static float target[3 * MOST], source[4 * MOST];

static void same_motion(const clump_icp_result *a, const clump_icp_result *b, const char *what, long turn)
{
    CHECK_MSG(memcmp(a->transform, b->transform, sizeof a->transform) == 0 && a->rmse == b->rmse &&
                  a->fitness == b->fitness && a->iterations == b->iterations && a->converged == b->converged &&
                  a->contested == b->contested,
              "%s, turn %ld: %d iterations, rmse %.17g, fitness %.17g, x %.17g, not %d, %.17g, %.17g, %.17g", what,
              turn, a->iterations, a->rmse, a->fitness, a->transform[3], b->iterations, b->rmse, b->fitness,
              b->transform[3]);
}

/* Runs clump_icp on both backends and compares; returns the result of the CPU. */
static clump_icp_result compare(clump_context *ctx, clump_points a, clump_points b, const clump_icp_options *o,
                                const char *what, long turn)
{
    clump_icp_result wanted = {.iterations = -1}, r = {.iterations = -2};
    CHECK_INT(clump_icp(cpu, a, b, o, &wanted), CLUMP_OK);
    CHECK_MSG(clump_icp(ctx, a, b, o, &r) == CLUMP_OK, "%s: %s", what, clump_context_error(ctx));
    const clump_stats s = clump_context_stats(ctx);
    CHECK(s.backend == CLUMP_BACKEND_CUDA && s.queries == b.count && s.passes == r.iterations);
    same_motion(&r, &wanted, what, turn);
    return wanted;
}

/* ----- equal results ----------------------------------------------------------------------------------- */

/* Sources of all sizes, with points that are not finite or have no pair; a motion to begin with; trimmed. */
static void sources_of_all_sizes(void)
{
    enum { KINDS = 8 };
    static const size_t sizes[] = {0,   1,   2,    3,    15,   16,   17,   31,   32,   33,
                                   255, 511, 1023, 1024, 1025, 2049, 4095, 4096, 4097, MOST};
    const double turn = 0.01, initial[16] = {cos(turn), -sin(turn), 0, 0.05, sin(turn), cos(turn), 0, -0.02,
                                             0,         0,          1, 0.01, 0,         0,         0, 1};
    uint64_t random = 8100;
    const float d = cloud_fill(CLOUD_SCAN, target, MOST, &random);
    for (size_t i = 0; i < MOST; i++) {
        for (size_t k = 0; k < 3; k++) source[4 * i + k] = target[3 * ((i + 7) % MOST) + k] + 0.1f * d * (float)(1 + k);
        source[4 * i + 3] = NAN;                       /* between the points: no coordinate */
        if (i % 3 == 1) source[4 * i + 2] += 1.5f * d; /* most of these without a pair */
        if (i % 11 == 3) source[4 * i + i % 3] = i % 2 ? NAN : INFINITY;
        if (i % 13 == 5) target[3 * i + i % 3] = NAN;
    }
    source[4 * 9000] = 3e38f;
    const size_t count = sizeof sizes / sizeof *sizes;
    clump_context *const ctx = gpu_context(CLUMP_BACKEND_CUDA, NULL);
    long moved = 0, trimmed = 0;
    for (size_t n = 0; n < count * KINDS; n++) {
        const size_t size = sizes[n / KINDS], other = sizes[(n / KINDS * 7 + n) % count];
        const int kind = (int)(n % KINDS);
        if (gpu_small() && n % 17 != 0 && (size != MOST || gpu_small() == 2)) continue;
        const clump_points a = {.xyz = target, .count = kind % 2 ? other : MOST},
                           b = {.xyz = source, .count = size, .stride = 16};
        clump_icp_options o = clump_icp_defaults();
        o.method = kind / 2 % 2 ? CLUMP_ICP_PLANE : CLUMP_ICP_POINT;
        o.max_iterations = 4;
        if (n % 3 != 2) o.max_distance = d;
        if (n % 5 == 2) o.initial = initial;
        if (kind >= 4) o.keep = (double[]){0.8, 0.5, 0.999, 0.01}[n / KINDS % 4];
        char what[80];
        snprintf(what, sizeof what, "kind %d, %zu onto %zu, keep %g", kind, b.count, a.count, o.keep);
        const clump_icp_result r = compare(ctx, a, b, &o, what, (long)n);
        const bool partly = r.iterations > 1 && r.fitness > 0 && r.fitness < 1;
        moved += partly && kind < 4, trimmed += partly && kind >= 4;
        if (check_failures > 20) break;
    }
    CHECK_MSG(moved > 1 && trimmed > 1, "%ld motions, %ld trimmed: the test does not test", moved, trimmed);
    clump_context_destroy(ctx);
}

/* Targets of all kinds: ties, equal points, lines, coordinates of all magnitudes; normals of 3 to 128 neighbours. */
static void targets_of_all_kinds(void)
{
    static const int neighbours[] = {10, 3, 4, 31, 32, 33, 64, 65, 100, CLUMP_NN_MAX_K};
    static const double keeps[] = {1, 0.8, 0.3, 1e-3, 1e-300};
    static const size_t sizes[] = {900, 2000, 40, 33, 128, 5000, 5, 3000};
    clump_context *const ctx = gpu_context(CLUMP_BACKEND_CUDA, NULL);
    const int turns = gpu_small() == 2 ? 3 : gpu_small() ? 16 : 6 * CLOUD_SHAPES;
    long moved = 0;
    for (int turn = 0; turn < turns; turn++) {
        uint64_t random = 8300 + (uint64_t)turn;
        const cloud_shape shape = (cloud_shape)(turn % CLOUD_SHAPES);
        const size_t n = gpu_small() ? 300 : sizes[(turn * 3 + turn / CLOUD_SHAPES) % 8];
        const float d = cloud_fill(shape, target, n, &random);
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < 3; k++)
                source[3 * i + k] = target[3 * i + k] + 0.3f * d * (check_random_float(&random) + (k == 1 ? 0.2f : 0));
        if (turn % 3 == 1) cloud_spoil(target, n, 9, &random), cloud_spoil(source, n, 5, &random);
        clump_icp_options o = clump_icp_defaults();
        o.method = turn % 5 == 4 ? CLUMP_ICP_POINT : CLUMP_ICP_PLANE;
        o.max_iterations = 3;
        o.normal_neighbours = neighbours[turn % 10];
        o.keep = keeps[turn / 2 % 5];
        if (turn % 4 == 3) o.max_distance = 0.5f * d;
        char what[100];
        snprintf(what, sizeof what, "%s, %zu points, k %d, keep %g", cloud_name(shape), n, o.normal_neighbours, o.keep);
        const clump_points a = {.xyz = target, .count = n}, b = {.xyz = source, .count = n};
        moved += compare(ctx, a, b, &o, what, turn).iterations > 0;
        if (check_failures > 20) break;
    }
    CHECK_MSG(moved > turns / 4, "%ld of %d clouds moved: the test does not test", moved, turns);
    clump_context_destroy(ctx);
}

/* Trimming to few pairs, and to none: one, two and three are kept, and all of them at the same distance. */
static void few_pairs(void)
{
    enum { POINTS = 1000 };
    clump_context *const ctx = gpu_context(CLUMP_BACKEND_CUDA, NULL);
    uint64_t random = 8400;
    cloud_fill(CLOUD_UNIFORM, target, POINTS, &random);
    for (int turn = 0; turn < 24; turn++) {
        const bool same = turn % 3 == 2; /* all distances are 0 */
        for (size_t i = 0; i < 3 * (size_t)POINTS; i++)
            source[i] = target[i] + (same ? 0 : 0.01f * check_random_float(&random));
        if (turn % 3 == 1) /* one pair, two, three */
            for (size_t i = (size_t)turn / 3 % 4; i < POINTS; i++) source[3 * i] = turn % 2 ? NAN : 1e20f;
        clump_icp_options o = clump_icp_defaults();
        o.method = turn % 2 ? CLUMP_ICP_PLANE : CLUMP_ICP_POINT;
        o.max_iterations = 3;
        o.max_distance = turn % 4 == 3 ? INFINITY : 0.5f;
        o.keep = turn / 6 * 0.001 + 0.0005;
        const clump_points a = {.xyz = target, .count = POINTS}, b = {.xyz = source, .count = POINTS};
        const clump_icp_result r = compare(ctx, a, b, &o, "few pairs", turn);
        if (turn / 6 < 2) CHECK(same || r.iterations == 0);
    }
    clump_context_destroy(ctx);
}

/* More source points than the threads of a kernel, and more neighbours than lists hold at a time. */
static void large_clouds(void)
{
    enum { SOURCE = 700000, TARGET = 40000 };
    if (gpu_small()) SKIP(DO_UNWATCHED);
    float *const a = malloc(3 * TARGET * sizeof *a), *const b = malloc(3 * SOURCE * sizeof *b);
    if (!a || !b) abort();
    uint64_t random = 8500;
    cloud_fill(CLOUD_SCAN, a, TARGET, &random);
    for (size_t i = 0; i < 3 * (size_t)SOURCE; i++) b[i] = a[i % (3 * TARGET)] + 0.2f * check_random_float(&random);
    clump_context *const ctx = gpu_context(CLUMP_BACKEND_CUDA, NULL);
    clump_icp_options o = clump_icp_defaults();
    o.max_iterations = 1;
    o.keep = 0.7;
    const clump_points all = {.xyz = b, .count = SOURCE}, some = {.xyz = b, .count = 5000},
                       to = {.xyz = a, .count = TARGET};
    CHECK_INT(compare(ctx, to, all, &o, "large source", 0).iterations, 1);
    o.method = CLUMP_ICP_PLANE;
    o.normal_neighbours = CLUMP_NN_MAX_K;
    CHECK_INT(compare(ctx, to, some, &o, "many neighbours", 0).iterations, 1);
    clump_context_destroy(ctx);
    free(a), free(b);
}

/* Two scans of a street. */
static void real_scans(void)
{
    if (gpu_small()) SKIP(DO_UNWATCHED);
    clump_cloud *const a = scan_load("kitti/semkitti_00_000000.bin"), *const b =
                                                                          scan_load("kitti/semkitti_00_000002.bin");
    if (!a || !b) SKIP("no KITTI scans in %s: " DO_DATA, scans_folder());
    clump_context *const ctx = gpu_context(CLUMP_BACKEND_CUDA, NULL);
    for (int turn = 0; turn < 4; turn++) {
        clump_icp_options o = clump_icp_defaults();
        o.method = turn % 2 ? CLUMP_ICP_PLANE : CLUMP_ICP_POINT;
        o.max_iterations = 6;
        o.keep = turn < 2 ? 1 : 0.8;
        o.max_distance = turn == 3 ? INFINITY : 1;
        CHECK_INT(compare(ctx, clump_cloud_points(a), clump_cloud_points(b), &o, "KITTI", turn).iterations, 6);
    }
    clump_context_destroy(ctx);
    clump_cloud_destroy(a), clump_cloud_destroy(b);
}

/* ----- failures ---------------------------------------------------------------------------------------- */

static void fail_after(clump_context *ctx, long calls, cudaError_t error)
{
    clump_cuda_fail_after(ctx->backends[CLUMP_BACKEND_CUDA - CLUMP_BACKEND_CPU].state, calls, (int)error);
}

/* Where the GPU fails, at any call, a context that may choose finds the motion on the CPU, and a later call on the GPU
 * again if it can. A cold context takes all its memory again. */
static void fail_everywhere(clump_points a, clump_points b, const clump_icp_options *o, bool cold)
{
    clump_icp_result wanted, r;
    CHECK_INT(clump_icp(cpu, a, b, o, &wanted), CLUMP_OK);
    CHECK(wanted.iterations > 1 && wanted.fitness == 1);
    clump_context *const ctx = gpu_context(CLUMP_BACKEND_AUTO, NULL);
    for (long turn = 0; turn < 3; turn++) {
        CHECK_INT(clump_icp(ctx, a, b, o, &r), CLUMP_OK);
        CHECK_INT(clump_context_stats(ctx).backend, CLUMP_BACKEND_CUDA);
        same_motion(&r, &wanted, "on the GPU", turn);
    }
    const clump_points few = {.xyz = a.xyz, .count = 100}; /* for these it goes to the CPU, and back again */
    CHECK_INT(clump_icp(ctx, few, b, o, &r), CLUMP_OK);
    CHECK_INT(clump_context_stats(ctx).backend, CLUMP_BACKEND_CPU);
    long there = 0, here = 0;
    for (long n = 0, good = 0; n < 2000 && good < 3; n += gpu_small() ? 7 : 1) {
        if (cold) clump_context_trim(ctx);
        fail_after(ctx, n, cudaErrorMemoryAllocation);
        const clump_status status = clump_icp(ctx, a, b, o, &r);
        fail_after(ctx, 0, cudaSuccess);
        CHECK_MSG(status == CLUMP_OK, "call %ld: %s", n, clump_context_error(ctx));
        same_motion(&r, &wanted, "failing", n);
        const bool on_gpu = clump_context_stats(ctx).backend == CLUMP_BACKEND_CUDA;
        there += on_gpu, here += !on_gpu, good = on_gpu && n > 0 ? good + 1 : 0;
        if (check_failures > 20) break;
    }
    CHECK_MSG(here > 3 && there >= 3, "%ld on the CPU, %ld on the GPU: the test does not test", here, there);
    clump_context_destroy(ctx);
}

static void every_runtime_call_fails(void)
{
    enum { POINTS = 5000 };
    uint64_t random = 8000;
    cloud_fill(CLOUD_SCAN, target, POINTS, &random);
    for (size_t i = 0; i < 3 * (size_t)POINTS; i++) source[i] = target[i] + 0.02f * (float)(1 + i % 3);
    const clump_points a = {.xyz = target, .count = POINTS}, b = {.xyz = source, .count = POINTS};
    for (int turn = 0; turn < 4; turn++) {
        clump_icp_options o = clump_icp_defaults();
        o.method = turn % 2 ? CLUMP_ICP_PLANE : CLUMP_ICP_POINT;
        o.keep = turn / 2 ? 0.9 : 1;
        o.max_iterations = gpu_small() ? 2 : 4;
        fail_everywhere(a, b, &o, false);
        if (turn == 3) fail_everywhere(a, b, &o, true);
    }
}

/* ----- drives ------------------------------------------------------------------------------------------ */

/* clump_odometry: the poses of a drive, by each method, have the bits of the CPU. */
static void drives(void)
{
    enum { RAYS = 200000, FRAMES = 5 };
    static float xyz[3 * RAYS], times[RAYS];
    const long methods = gpu_small() ? 1 : CLUMP_ICP_PLANE + 1; /* those that an odometry has */
    clump_lidar lidar = clump_lidar_defaults();
    clump_lidar_world *world;
    lidar.distortion = true;
    if (gpu_small()) lidar.model = CLUMP_LIDAR_VLP16;
    CHECK(clump_lidar_rays(&lidar) <= RAYS);
    CHECK_INT(clump_sim_lidar_create(&lidar, &world, NULL), CLUMP_OK);
    clump_context *const ctx = gpu_context(CLUMP_BACKEND_CUDA, NULL);
    for (long m = 0; m < methods; m++) {
        clump_odometry_options o = clump_odometry_defaults();
        clump_odometry *here, *there;
        o.method = gpu_small() ? CLUMP_ICP_PLANE : (clump_icp_method)m;
        CHECK_INT(clump_odometry_create(cpu, &o, &here), CLUMP_OK);
        CHECK_INT(clump_odometry_create(ctx, &o, &there), CLUMP_OK);
        for (size_t frame = 0; frame < FRAMES; frame++) {
            const clump_lidar_scan out = {.xyz = xyz, .time = times};
            clump_odometry_pose a, b;
            size_t count = 0;
            CHECK_INT(clump_sim_lidar_scan(world, frame, &out, &count, NULL, NULL), CLUMP_OK);
            const clump_points points = {.xyz = xyz, .count = count};
            const int64_t time = (int64_t)frame * 100000000;
            CHECK_INT(clump_odometry_push(cpu, here, time, points, times, &a), CLUMP_OK);
            CHECK_MSG(clump_odometry_push(ctx, there, time, points, times, &b) == CLUMP_OK, "%s",
                      clump_context_error(ctx));
            CHECK_MSG(memcmp(a.transform, b.transform, sizeof a.transform) == 0 && a.state == b.state &&
                          memcmp(a.information, b.information, sizeof a.information) == 0 && a.rmse == b.rmse &&
                          a.iterations == b.iterations && a.map_points == b.map_points,
                      "method %ld, frame %zu: %d iterations, x %.17g, not %d, %.17g", m, frame, b.iterations,
                      b.transform[3], a.iterations, a.transform[3]);
            CHECK(frame == 0 || a.state == CLUMP_ODOMETRY_OK);
        }
        clump_odometry_destroy(here);
        clump_odometry_destroy(there);
    }
    clump_context_destroy(ctx);
    clump_sim_lidar_destroy(world);
}

CHECK_PROGRAM(test_cuda_icp)
{
    if (gpu_skip("test_cuda_icp")) return;
    cpu = gpu_context(CLUMP_BACKEND_CPU, NULL);
    RUN(sources_of_all_sizes);
    RUN(targets_of_all_kinds);
    RUN(few_pairs);
    RUN(large_clouds);
    RUN(real_scans);
    RUN(drives);
    RUN(every_runtime_call_fails);
    clump_context_destroy(cpu);
    CHECK(gpu_reset());
}
