/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_determinism.c: the labels of a few fixed clouds, as recorded hashes. They must be equal on every machine, with
 * every compiler, method and number of threads. The clouds are computed with + and * of float32, which round equally
 * everywhere.
 */
#include "check.h"

#include "calls.h"
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

/* The next method that can cluster COUNT points: an exhaustive search (ES) or a matrix of labels cannot. */
static int next_method(int method)
{
    do method = next_cpu_method(&clump_ec_methods, method);
    while (method == CLUMP_EC_VERTEX_ES || method == CLUMP_EC_EDGE_ES || method == CLUMP_EC_MATRIX_ES ||
           method == CLUMP_EC_MATRIX_RS);
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

/* ----- many threads ----------------------------------------------------------------------------------------------- */

enum { LARGE = 61 * 8192 + 100 }; /* enough for 61 threads in every job */

static uint64_t run_large(clump_context *ctx, int job, clump_points points, int32_t *out)
{
    clump_status status = CLUMP_OK;
    if (job == 0) status = clump_ec(ctx, points, 0.6f, NULL, out, NULL);
    if (job == 1) status = clump_ec(ctx, points, 0.2f, NULL, out, NULL); /* sparse */
    if (job == 2) status = clump_dbscan(ctx, points, 0.6f, 4, NULL, out, NULL);
    if (job == 3) status = clump_ground(ctx, points, NULL, out, NULL);
    if (job == 4) status = clump_erccl(ctx, points, NULL, out, NULL);
    if (job == 5) {
        clump_index *index = NULL;
        status = clump_index_create(ctx, points, NULL, &index);
        if (status == CLUMP_OK) status = clump_index_nearest(ctx, index, points, 1, out, NULL);
        clump_index_destroy(index);
    }
    CHECK_INT(status, CLUMP_OK);
    return clump_labels_hash(out, points.count);
}

/* More threads than any machine of ours has cores: each job uses them all, and gives the same labels. */
static void any_number_of_threads(void)
{
    static const int threads[] = {1, 2, 3, 7, 16, 61};
    const size_t count = CLOUD_WATCHED ? LARGE / 8 : LARGE;
    float *const xyz = malloc(3 * LARGE * sizeof *xyz);
    int32_t *const out = malloc(LARGE * sizeof *out);
    const clump_points points = {.xyz = xyz, .count = count};
    uint64_t random = 61;
    for (size_t i = 0; i < LARGE; i++)
        for (size_t k = 0; k < 3; k++) {
            const float u = check_random_float(&random);
            xyz[3 * i + k] = k < 2 ? 50 * u - 25 : i % 3 ? 0.1f * u - 1.8f : 12 * u - 1.8f;
        }
    for (int job = 0; job < 6; job++) {
        uint64_t expected = 0;
        for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
            if (CLOUD_WATCHED && t != 3) continue;
            clump_context *const ctx = cpu_context(threads[t]);
            const uint64_t hash = run_large(ctx, job, points, out);
            CHECK_INT(clump_context_stats(ctx).threads, threads[t]);
            if (t == 0) expected = hash;
            CHECK_MSG(CLOUD_WATCHED || hash == expected, "job %d, %d threads: 0x%016" PRIx64, job, threads[t], hash);
            clump_context_destroy(ctx);
        }
    }
    free(xyz), free(out);
}

int main(int argc, char **argv)
{
    CHECK_BEGIN(argc, argv);
    RUN(golden_hashes);
    RUN(any_number_of_threads);
    return CHECK_END();
}
