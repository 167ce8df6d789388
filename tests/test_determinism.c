/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_determinism.c: the labels of a few fixed clouds, as hashes written down once. They must come
 * out on every machine, with every compiler, method and number of threads, today and in ten years.
 * The clouds are made with +, * and one multiplication a step, which are the same everywhere.
 */
#include "check.h"

#include "clouds.h"
#include "verify.h"

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
    static const int threads[] = {1, 2, 3, 4, 7, 16};
    float *const xyz = malloc(3 * COUNT * sizeof *xyz);
    int32_t *const labels = malloc(COUNT * sizeof *labels);
    const clump_points points = {.xyz = xyz, .count = COUNT};
    for (int shape = 0; shape < 4; shape++) {
        make(shape, xyz);
        static const clump_ec_method others[] = {CLUMP_EC_BFS, CLUMP_EC_VERTEX_RS, CLUMP_EC_EDGE_RS};
        for (int run = 0; run < 9; run++) {                      /* fast, then the others that take this many points */
            if (CLOUD_WATCHED && run != 1 && run != 4) continue; /* threads, and not too many hashes */
            clump_context_options options = clump_context_defaults();
            options.threads = run < 6 ? threads[run] : 1;
            options.backend = CLUMP_BACKEND_CPU;
            clump_context *ctx;
            CHECK_INT(clump_context_create(&options, &ctx), CLUMP_OK);
            clump_ec_options o = clump_ec_defaults();
            o.method = run < 6 ? CLUMP_EC_FAST : others[run - 6];
            int32_t clusters = -1;
            CHECK_INT(clump_ec(ctx, points, golden[shape].d, &o, labels, &clusters), CLUMP_OK);
            const uint64_t hash = clump_labels_hash(labels, COUNT);
            CHECK_MSG(clusters == golden[shape].clusters && hash == golden[shape].hash,
                      "%s, %s with %d threads: %d clusters, 0x%016" PRIx64, golden[shape].name,
                      clump_ec_method_name(o.method), options.threads, clusters, hash);
            if (options.threads > 1) CHECK(clump_context_stats(ctx).threads > 1); /* or this shows nothing */
            clump_message why;
            if (run == 0) CHECK_MSG(verify_ec(points, golden[shape].d, &o, labels, clusters, &why), "%s", why.text);
            clump_context_destroy(ctx);
        }
    }
    free(xyz), free(labels);
}

int main(int argc, char **argv)
{
    CHECK_BEGIN(argc, argv);
    RUN(golden_hashes);
    return CHECK_END();
}
