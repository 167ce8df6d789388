/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_determinism.c: the labels of a few fixed clouds, as recorded hashes. They must be equal on every machine, with
 * every compiler, method and number of threads. The clouds are computed with + and * of float32, which round equally
 * everywhere.
 */
#include "support/check.h"

#include "support/calls.h"
#include "support/clouds.h"
#include "oracle/verify.h"

#include <clump/info.h>
#include <clump/tree.h>

#include <math.h>

enum { COUNT = 70000 };

/* Uniform in a box; a walk, so that clusters are long; a lattice with ties; heaps. */
static void make(int shape, float *xyz)
{
    uint64_t random = 1000 + (uint64_t)shape;
    float at[3] = {0, 0, 0};
    for (size_t i = 0; i < COUNT; i++) {
        for (size_t k = 0; k < 3; k++) {
            const float u = check_random_float(&random);
            if (shape == 0) xyz[3 * i + k] = u * 47.0f;
            if (shape == 1) xyz[3 * i + k] = at[k] = (i % 500 == 0 ? u * 300.0f : at[k] + (u - 0.5f) * 2.0f);
            if (shape == 2) xyz[3 * i + k] = (float)(int)(u * 55.0f) * 0.25f;
            if (shape == 3) xyz[3 * i + k] = (float)(int)(u * 8.0f) * 9.0f + check_random_float(&random) * 4.0f;
        }
    }
}

/* The next method that can cluster COUNT points: an exhaustive search (ES) or a matrix of labels cannot. */
static int next_method(int method)
{
    do method = next_cpu_method(&clump_ec_methods, method);
    while (method >= 0 && clump_ec_methods.rows[method].cost == CLUMP_COST_SQUARE);
    return method;
}

static void golden_hashes(void)
{
    static const struct {
        const char *name;
        float d;
        int32_t clusters;
        uint64_t hash;
    } golden[] = {
        {"box", 0.98f, 11082, 0x854035e9041fa538u},
        {"walks", 0.9f, 14817, 0xdf12124d68f2efadu},
        {"lattice", 0.25000003f, 7274, 0x7c763e0525e72106u},
        {"heaps", 0.75f, 9556, 0x4ef335f61bff4290u},
    };
    static const int threads[] = {1, 2, 3, 7, 16, 61};
    float *const xyz = malloc(3 * COUNT * sizeof *xyz);
    int32_t *const labels = malloc(COUNT * sizeof *labels);
    const clump_points points = {.xyz = xyz, .count = COUNT};
    for (int shape = 0; shape < 4; shape++) {
        make(shape, xyz);
        for (int run = 0, method = 0; method >= 0; run++, method = run < 6 ? 0 : next_method(method)) {
            if (CLOUD_WATCHED && run != 1 && run != 4) continue; /* threads, and not too many hashes */
            if (check_tier() == 1 && (run == 2 || run == 4 || (run > 6 && method != CLUMP_EC_BFS))) continue;
            const int with = run < 6 ? threads[run] : 1;
            clump_context *const ctx = cpu_context(with);
            clump_ec_options o = clump_ec_defaults();
            o.method = (clump_ec_method)method;
            int32_t clusters = -1;
            CHECK_INT(clump_ec(ctx, points, golden[shape].d, &o, labels, &clusters), CLUMP_OK);
            const uint64_t hash = clump_labels_hash(labels, COUNT);
            CHECK_MSG(clusters == golden[shape].clusters && hash == golden[shape].hash,
                      "%s, %s with %d threads: %d clusters, 0x%016" PRIx64, golden[shape].name,
                      clump_ec_method_name(o.method), with, clusters, hash);
            if (with > 1) CHECK(clump_context_stats(ctx).threads > 1); /* or this shows nothing */
            clump_message why;
            if (run == 0) CHECK_MSG(verify_ec(points, golden[shape].d, &o, labels, clusters, &why), "%s", why.text);
            clump_context_destroy(ctx);
        }
    }
    free(xyz), free(labels);
}

/* The tree and HDBSCAN of the same clouds. */
static void golden_trees(void)
{
    static const struct {
        int32_t clusters;
        uint64_t tree, labels;
    } golden[] = {
        {1143, 0x89568dd1fe4a7af0u, 0xedd3e9540de74faeu},
        {133, 0x1bc998caaa851f4du, 0xfcc20bb367059929u},
        {607, 0xc9091724430de5a6u, 0x5049328dfb2ee746u},
        {512, 0x43df0d152bf09bf6u, 0xed3ce34b8083b9ccu},
    };
    float *const xyz = malloc(3 * COUNT * sizeof *xyz), *const heights = malloc(COUNT * sizeof *heights);
    int32_t *const parents = malloc(COUNT * sizeof *parents);
    const clump_points points = {.xyz = xyz, .count = COUNT};
    for (int shape = 0; shape < 4; shape++) {
        make(shape, xyz);
        for (int threads = 1; threads <= (CLOUD_WATCHED ? 1 : 7); threads += 6) {
            clump_context *const ctx = cpu_context(threads);
            clump_tree_options o = clump_tree_defaults();
            clump_hdbscan_options h = clump_hdbscan_defaults();
            o.min_samples = 4, h.min_cluster_size = 12;
            int32_t clusters = -1;
            CHECK_INT(clump_tree(ctx, points, &o, parents, heights), CLUMP_OK);
            uint64_t tree =
                clump_labels_hash(parents, COUNT) + clump_labels_hash((const int32_t *)(void *)heights, COUNT);
            int32_t *const labels = malloc(COUNT * sizeof *labels);
            CHECK_INT(clump_hdbscan_label(ctx, parents, heights, COUNT, &h, labels, &clusters), CLUMP_OK);
            const uint64_t hash = clump_labels_hash(labels, COUNT);
            free(labels);
            CHECK_MSG(clusters == golden[shape].clusters && tree == golden[shape].tree && hash == golden[shape].labels,
                      "shape %d with %d threads: {%d, 0x%016" PRIx64 "u, 0x%016" PRIx64 "u}", shape, threads, clusters,
                      tree, hash);
            clump_context_destroy(ctx);
        }
    }
    free(xyz), free(heights), free(parents);
}

CHECK_PROGRAM(test_determinism)
{
    RUN(golden_hashes);
    RUN(golden_trees);
}
