/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_kdtree.c: the kd-tree and the clustering with it against a search of all pairs. The definition is float32
 * arithmetic, so both must agree on every pair, also at exactly the distance.
 */
#include "support/check.h"

#include "core/context.h"
#include "cpu/papers/papers.h"

#include <float.h>
#include <math.h>

enum { SHAPES = 9, MOST = 700 };

static void make_shape(int shape, float *xyz, size_t count, uint64_t *random)
{
    for (size_t i = 0; i < count; i++) {
        float *const p = xyz + 3 * i;
        const float u = check_random_float(random), v = check_random_float(random), w = check_random_float(random);
        p[0] = u * 10, p[1] = v * 10, p[2] = w;
        if (shape == 1) p[0] = floorf(u * 9), p[1] = floorf(v * 9), p[2] = floorf(w * 3);  /* ties: whole distances */
        if (shape == 2) p[0] = 0.1f * floorf(u * 99), p[1] = p[0], p[2] = p[0];            /* one line */
        if (shape == 3) p[0] = 4, p[1] = -0.0f, p[2] = 2;                                  /* all equal */
        if (shape == 4) p[0] = u < 0.5f ? 1 : 2, p[1] = v < 0.01f ? v * 100 : 0, p[2] = 0; /* two heaps and strays */
        if (shape == 5) p[0] = (u - 0.5f) * 2e30f, p[1] = (v - 0.5f) * 2e30f, p[2] = w * 1e30f;
        if (shape == 6) p[0] = (u - 0.5f) * 1e-38f, p[1] = (v - 0.5f) * 1e-41f, p[2] = w * 1e-44f;
        if (shape == 7) p[0] = 1e6f + u, p[1] = 1e6f + v, p[2] = (float)i * 1e-4f; /* coarse floats */
        if (shape == 8)
            p[0] = ldexpf(u < 0.5f ? -1 : 1, (int)(v * 250) - 125), p[1] = w < 0.5f ? 0 : -FLT_MAX, p[2] = u;
    }
}

/* Distances that some pairs have exactly, so that < and <= differ, and others. */
static float pick_bound(int turn, const float *xyz, size_t count, uint64_t *random)
{
    const float *const a = xyz + 3 * (check_random(random) % count), *const b =
                                                                         xyz + 3 * (check_random(random) % count);
    const float d2 = clump_distance_squared(a[0], a[1], a[2], b[0], b[1], b[2]);
    if (turn == 0) return 0;
    if (turn == 1) return INFINITY;
    if (turn == 2) return 1;
    return turn % 2 ? d2 : d2 * check_random_float(random);
}

static void fill(clump_context *ctx, clump_kdtree *tree, const float *xyz, size_t count)
{
    CHECK_INT(clump_kdtree_reset(&ctx->work, tree, count), CLUMP_OK);
    for (size_t i = 0; i < count; i++) clump_kdtree_add(tree, xyz[3 * i], xyz[3 * i + 1], xyz[3 * i + 2], (int32_t)i);
    CHECK_INT(clump_kdtree_build(&ctx->work, tree), CLUMP_OK);
}

static void radius_finds_all(void)
{
    clump_context *ctx;
    CHECK_INT(clump_context_create(NULL, &ctx), CLUMP_OK);
    clump_kdtree tree = {0};
    static float xyz[3 * MOST];
    static int32_t found[MOST];
    static bool in[MOST];
    uint64_t random = 3;
    for (int shape = 0; shape < SHAPES; shape++) {
        for (size_t count = 0; count <= MOST; count = count * 3 + 1 + count / 7) {
            make_shape(shape, xyz, count, &random);
            fill(ctx, &tree, xyz, count);
            for (int turn = 0; turn < 60 && count > 0; turn++) {
                const float bound = pick_bound(turn % 10, xyz, count, &random);
                const float *const q = xyz + 3 * (check_random(&random) % count);
                const bool inclusive = turn & 1;
                const size_t n = clump_kdtree_radius(&tree, q[0], q[1], q[2], bound, inclusive, found);
                memset(in, 0, sizeof in);
                for (size_t k = 0; k < n; k++) {
                    CHECK(!in[found[k]]);
                    in[found[k]] = true;
                }
                for (size_t i = 0; i < count; i++) {
                    const float d2 =
                        clump_distance_squared(q[0], q[1], q[2], xyz[3 * i], xyz[3 * i + 1], xyz[3 * i + 2]);
                    CHECK_MSG(in[i] == (inclusive ? d2 <= bound : d2 < bound),
                              "shape %d, %zu points, d2 %.9g, bound %.9g", shape, count, (double)d2, (double)bound);
                }
            }
        }
    }
    CHECK_INT(clump_kdtree_radius(&(clump_kdtree){0}, 0, 0, 0, 1, true, found), 0);
    clump_kdtree_release(&ctx->work, &tree);
    CHECK_INT(ctx->work.host_bytes, 0);
    clump_context_destroy(ctx);
}

/* The nearest by lowering the bound during the walk; ties to the smaller index. */
static void walk_finds_the_nearest(void)
{
    clump_context *ctx;
    CHECK_INT(clump_context_create(NULL, &ctx), CLUMP_OK);
    clump_kdtree tree = {0};
    static float xyz[3 * MOST];
    uint64_t random = 4;
    for (int shape = 0; shape < SHAPES; shape++) {
        make_shape(shape, xyz, MOST, &random);
        fill(ctx, &tree, xyz, MOST);
        for (int turn = 0; turn < 200; turn++) {
            const float x = xyz[3 * turn] + (float)(turn % 3), y = xyz[3 * turn + 4], z = xyz[3 * turn + 2];
            int32_t best = -1, expected = -1;
            float least = INFINITY;
            for (int32_t i = 0; i < MOST; i++) {
                const float d2 = clump_distance_squared(x, y, z, xyz[3 * i], xyz[3 * i + 1], xyz[3 * i + 2]);
                if (expected < 0 || d2 < least) least = d2, expected = i;
            }
            clump_kdtree_walk walk = clump_kdtree_near(&tree, x, y, z, INFINITY, true);
            while (clump_kdtree_next(&walk)) {
                for (size_t i = walk.first; i < walk.last; i++) {
                    const clump_kdtree_point p = tree.points[i];
                    const float d2 = clump_distance_squared(x, y, z, p.x, p.y, p.z);
                    if (d2 < walk.bound || (d2 == walk.bound && (best < 0 || p.index < best)))
                        walk.bound = d2, best = p.index;
                }
            }
            CHECK_MSG(best == expected && walk.bound == least, "shape %d: %d, expected %d", shape, best, expected);
        }
    }
    clump_kdtree_release(&ctx->work, &tree);
    clump_context_destroy(ctx);
}

/* Clouds that are hard for the selection of medians, so large that a quadratic build exceeds the time limit of
 * CTest. */
static void builds_from_anything(void)
{
    clump_context *ctx;
    CHECK_INT(clump_context_create(NULL, &ctx), CLUMP_OK);
    clump_kdtree tree = {0};
    const size_t count = 300000;
    float *const xyz = malloc(3 * count * sizeof *xyz);
    int32_t *const found = malloc(count * sizeof *found);
    for (int shape = 0; shape < 6; shape++) {
        for (size_t i = 0; i < count; i++) {
            const size_t half = i < count / 2 ? i : count - i;
            float x = 7;                                                  /* all equal */
            if (shape == 1) x = (float)i;                                 /* sorted */
            if (shape == 2) x = (float)half;                              /* up and down */
            if (shape == 3) x = i == 0 ? FLT_MAX : i == 1 ? -FLT_MAX : 0; /* equal but for two */
            if (shape == 4) x = ldexpf(1, (int)(i % 250) - 125);          /* few values, all magnitudes */
            if (shape == 5) x = (float)((i * 7919) % 3);
            xyz[3 * i] = x, xyz[3 * i + 1] = 0, xyz[3 * i + 2] = 0;
        }
        fill(ctx, &tree, xyz, count);
        bool ordered = true;
        for (size_t i = 1; i < count; i++)
            if (i % (count / 4) == 0)
                for (size_t k = 0; k < i; k++) ordered = ordered && tree.points[k].x <= tree.points[i].x;
        CHECK_MSG(ordered, "shape %d", shape);
        const size_t n = clump_kdtree_radius(&tree, xyz[0], 0, 0, 0, true, found);
        size_t expected = 0;
        for (size_t i = 0; i < count; i++) expected += clump_distance_squared(xyz[0], 0, 0, xyz[3 * i], 0, 0) <= 0;
        CHECK_INT(n, expected);
    }
    free(xyz), free(found);
    clump_kdtree_release(&ctx->work, &tree);
    clump_context_destroy(ctx);
}

/* ----- clustering ----------------------------------------------------------------------------- */

static bool takes_part(const clump_cloud_job *job, size_t i)
{
    const float *const p = (const float *)(const void *)(job->points + i * job->stride);
    return isfinite(p[0]) && isfinite(p[1]) && (job->two_d || isfinite(p[2])) && (!job->mask || job->mask[i]);
}

/* Computes labels by repeated sweeps over all pairs: slow and simple. */
static int32_t label_all_pairs(const clump_cloud_job *job, int32_t *labels)
{
    int32_t clusters = 0;
    for (size_t i = 0; i < job->count; i++) labels[i] = takes_part(job, i) ? (int32_t)i : CLUMP_NOISE;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < job->count; i++) {
            for (size_t j = 0; j < job->count; j++) {
                if (labels[i] < 0 || labels[j] < 0 || labels[j] >= labels[i]) continue;
                const float *const a = (const float *)(const void *)(job->points + i * job->stride);
                const float *const b = (const float *)(const void *)(job->points + j * job->stride);
                const float az = job->two_d ? 0 : a[2], bz = job->two_d ? 0 : b[2];
                if (clump_distance_squared(a[0], a[1], az, b[0], b[1], bz) < job->d * job->d)
                    labels[i] = labels[j], changed = true;
            }
        }
    }
    for (size_t i = 0; i < job->count; i++) /* smallest index to number; that index has its number already */
        if (labels[i] >= 0) labels[i] = labels[i] == (int32_t)i ? clusters++ : labels[labels[i]];
    return clusters;
}

static void clusters_as_all_pairs_do(void)
{
    clump_context *ctx;
    CHECK_INT(clump_context_create(NULL, &ctx), CLUMP_OK);
    clump_cpu_bfs scratch = {0};
    static float xyz[3 * 301];
    static int32_t labels[301], expected[301];
    static uint8_t mask[301];
    uint64_t random = 5;
    for (int shape = 0; shape < SHAPES; shape++) {
        for (int turn = 0; turn < 12; turn++) {
            const size_t count = turn == 0 ? 0 : turn == 1 ? 1 : 301;
            make_shape(shape, xyz, count, &random);
            for (size_t i = 0; i < 301; i++) mask[i] = check_random(&random) % 4 != 0;
            if (turn % 3 == 2)
                for (int k = 0; k < 20; k++) xyz[check_random(&random) % (3 * count)] = k % 2 ? NAN : -INFINITY;
            clump_cloud_job job = {.points = (const char *)xyz, .count = count, .stride = 12, .labels = labels};
            job.d = shape == 5 ? 1e19f : shape == 6 ? 2e-19f : 0.25f * (float)(1 + turn % 5);
            job.bound = job.d * job.d;
            job.two_d = turn & 1;
            job.mask = turn % 4 == 3 ? mask : NULL;
            clump_stats result = {0};
            CHECK_INT(clump_cpu_ec_bfs(&ctx->work, &scratch, &job, &result), CLUMP_OK);
            CHECK_INT(result.clusters, label_all_pairs(&job, expected));
            CHECK_MSG(memcmp(labels, expected, count * sizeof *labels) == 0, "shape %d, turn %d", shape, turn);

            size_t finite = 0, masked = 0, left_out = 0;
            for (size_t i = 0; i < count; i++) {
                const float *const p = xyz + 3 * i;
                finite += isfinite(p[0]) && isfinite(p[1]) && (job.two_d || isfinite(p[2]));
                masked += job.mask && !mask[i];
                left_out += !takes_part(&job, i);
            }
            CHECK(result.finite == finite && result.masked == masked && result.noise == left_out);
            CHECK(result.threads == 1 && result.passes == 1 && result.build_ms >= 0 && result.cluster_ms >= 0);
        }
    }
    clump_cpu_bfs_release(&ctx->work, &scratch);
    CHECK_INT(ctx->work.host_bytes, 0);
    clump_context_destroy(ctx);
}

/* ----- memory ---------------------------------------------------------------------------------- */

static void *allocate_until(size_t size, size_t alignment, void *user)
{
    int *const left = user;
    return (*left)-- > 0 ? aligned_alloc(alignment, size) : NULL;
}

static void release(void *memory, size_t size, void *user)
{
    (void)size, (void)user;
    free(memory);
}

static void survives_without_memory(void)
{
    static float xyz[3 * 301];
    static int32_t labels[301];
    uint64_t random = 6;
    make_shape(0, xyz, 301, &random);
    int left = 1;
    clump_context_options options = clump_context_defaults();
    options.allocator = (clump_allocator){allocate_until, release, &left};
    clump_context *ctx;
    CHECK_INT(clump_context_create(&options, &ctx), CLUMP_OK);
    clump_cpu_bfs scratch = {0};
    const clump_cloud_job job = {
        .points = (const char *)xyz, .count = 301, .stride = 12, .labels = labels, .d = 1, .bound = 1};
    for (int allowed = 0; allowed < 3; allowed++) { /* points, boxes, queue */
        left = allowed;
        clump_stats result = {0};
        CHECK_INT(clump_cpu_ec_bfs(&ctx->work, &scratch, &job, &result), CLUMP_ERR_OUT_OF_MEMORY);
        CHECK(clump_context_error(ctx)[0] != '\0');
        clump_cpu_bfs_release(&ctx->work, &scratch);
    }
    left = 3;
    for (int warm = 0; warm < 2; warm++) {
        clump_stats result = {0};
        CHECK_INT(clump_cpu_ec_bfs(&ctx->work, &scratch, &job, &result), CLUMP_OK);
        CHECK_INT(left, 0); /* the second call takes nothing */
    }
    clump_cpu_bfs_release(&ctx->work, &scratch);
    clump_context_destroy(ctx);
}

CHECK_PROGRAM(test_kdtree)
{
    RUN(radius_finds_all);
    RUN(walk_finds_the_nearest);
    RUN(builds_from_anything);
    RUN(clusters_as_all_pairs_do);
    RUN(survives_without_memory);
}
