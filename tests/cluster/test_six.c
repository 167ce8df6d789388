/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_six.c: the six methods of the paper, vertex-, edge- and matrix-, with es and rs. Blocks of 2
 * threads and more must not change a label, nor labels in place, the two searches must find the same
 * neighbours, passes must be those counted by hand, and no two blocks of a layer may get in each other's
 * way. Options of the methods: test_six_options.c; what all methods have in common, and memory: test_ec.c
 * and test_memory.c.
 */
#include "support/check.h"

#include "support/calls.h"
#include "support/clouds.h"
#include "support/papers.h"
#include "oracle/oracle.h"
#include "oracle/verify.h"

#include "cpu/papers/six.h"
#include "cpu/shared/need.h"
#include "rules/layers.h"

#include <clump/info.h>

#include <math.h>

enum { MOST = 2000, SIX = 6, FORMS = SIX + 4, FIRST = CLUMP_EC_VERTEX_ES }; /* forms: four also in place */

static clump_context *ctx;
static clump_six six; /* one for all: nothing of an earlier cloud may shine through */
static float xyz[3 * MOST];
static int32_t labels[MOST], expected[MOST];
static uint8_t mask[MOST];

static const size_t blocks[] = {2, 3, 4, 32, 1024};
enum { BLOCKS = sizeof blocks / sizeof *blocks };

/* One method with one size of blocks. */
static clump_stats run(clump_points points, float d, const clump_ec_options *o, int method, size_t block)
{
    const clump_ec_job job = {
        .in = {.points = (const char *)points.xyz,
               .count = points.count,
               .stride = points.stride ? points.stride : 12,
               .d = d,
               .two_d = o && o->common.two_d,
               .mask = o ? o->common.mask : NULL,
               .labels = labels},
        .method = (clump_ec_method)(FIRST + method),
        .in_place = o && papers_of(&o->common)->in_place,
    };
    clump_stats result = {.threads = 7, .passes = -7};
    const clump_status status = method < 2   ? clump_cpu_ec_vertex(&ctx->work, &six, &job, block, &result)
                                : method < 4 ? clump_cpu_ec_edge(&ctx->work, &six, &job, block, &result)
                                             : clump_cpu_ec_matrix(&ctx->work, &six, &job, block, &result);
    CHECK_MSG(status == CLUMP_OK, "%s", clump_context_error(ctx));
    CHECK(result.threads == 1 && result.upload_ms == 0 && result.download_ms == 0);
    CHECK(result.build_ms >= 0 && result.cluster_ms >= 0 && result.label_ms >= 0);
    CHECK(method < 4 ? result.initial_ms == 0 : result.initial_ms >= 0);
    return result;
}

/* ----- labels -------------------------------------------------------------------------------------- */

/* Small blocks make many passes of large matrices: they get small clouds. */
static void all_sizes_of_blocks(void)
{
    uint64_t random = 71;
    for (long round = 0; round < check_rounds(300); round++) {
        const cloud_shape shape = (cloud_shape)(round % CLOUD_SHAPES);
        const size_t most = round % 5 ? 120 : 400;
        const size_t count = round < check_fewer(12, 48) ? (size_t)round / check_fewer(4, CLOUD_SHAPES)
                                                         : check_random(&random) % (most + 1);
        const float d = cloud_fill(shape, xyz, count, &random);
        if (round % 6 == 5) cloud_spoil(xyz, count, 20, &random);
        clump_ec_options o = clump_ec_defaults();
        o.common.two_d = round % 7 == 3;
        for (size_t i = 0; i < count; i++) mask[i] = check_random(&random) % 5 != 0;
        if (round % 4 == 2) o.common.mask = mask;
        const clump_points points = {.xyz = xyz, .count = count};
        const int32_t clusters = oracle_ec(points, d, &o, expected);
        size_t left_out = 0;
        for (size_t i = 0; i < count; i++) left_out += expected[i] == CLUMP_NOISE;
        for (int k = 0; k < FORMS * BLOCKS; k++) {
            const int method = k / BLOCKS % SIX, b = k % BLOCKS;
            PAPERS(o)->in_place = k / BLOCKS >= SIX;
            if (papers_of(&o.common)->in_place && b % 4) continue; /* the first and the last size are enough */
            const clump_stats result = run(points, d, &o, method, blocks[b]);
            CHECK_MSG(result.clusters == clusters && result.noise == left_out &&
                          memcmp(labels, expected, count * sizeof *labels) == 0,
                      "round %ld, %s, %zu points, %s%s with blocks of %zu: %d clusters, expected %d", round,
                      cloud_name(shape), count, clump_ec_method_name((clump_ec_method)(FIRST + method)),
                      papers_of(&o.common)->in_place ? " in place" : "", blocks[b], result.clusters, clusters);
            CHECK(result.passes >= (method < 4) && result.passes <= (int64_t)count + 1);
        }
    }
}

/* Each shape at full size through the front door, against `fast`, `bfs` and the checker. */
static void large_clouds(void)
{
    uint64_t random = 72;
    for (int shape = 0; shape < CLOUD_SHAPES; shape++) {
        const size_t count = MOST - (size_t)shape;
        const float d = cloud_fill((cloud_shape)shape, xyz, count, &random);
        if (shape % 2) cloud_spoil(xyz, count, 100, &random);
        const clump_points points = {.xyz = xyz, .count = count};
        clump_ec_options o = clump_ec_defaults();
        o.common.order = shape % 3 ? CLUMP_ORDER_INDEX : CLUMP_ORDER_SIZE;
        o.common.min_size = shape % 4 == 1 ? 3 : 1;
        o.common.max_size = shape % 5 == 2 ? 50 : 0;
        uint64_t hash = 0;
        FOR_CPU_METHODS (method, clump_ec_methods) {
            o.method = (clump_ec_method)method;
            int32_t clusters = -1;
            CHECK_INT(clump_ec(ctx, points, d, &o, labels, &clusters), CLUMP_OK);
            clump_message why;
            if (method == 0) {
                hash = clump_labels_hash(labels, count);
                CHECK_MSG(verify_ec(points, d, &o, labels, clusters, &why), "%s", why.text);
            }
            CHECK_MSG(clump_labels_hash(labels, count) == hash, "%s: %s gives %d clusters",
                      cloud_name((cloud_shape)shape), clump_ec_method_name(o.method), clusters);
        }
    }
}

/* A scan in the order of its sensor, too large for es: rs, with all blocks there are in a real one. */
static void a_whole_scan(void)
{
    const size_t count = CLOUD_WATCHED ? 6000 : 40000;
    float *const scan = malloc(3 * count * sizeof *scan);
    int32_t *const found = malloc(count * sizeof *found);
    uint64_t random = 73, hash = 0;
    const float d = cloud_fill(CLOUD_SCAN, scan, count, &random);
    static const clump_ec_method methods[] = {CLUMP_EC_FAST, CLUMP_EC_VERTEX_RS, CLUMP_EC_EDGE_RS, CLUMP_EC_MATRIX_RS};
    for (int k = 0; k < 4; k++) {
        clump_ec_options o = clump_ec_defaults();
        o.method = methods[k];
        CHECK_INT(clump_ec(ctx, (clump_points){.xyz = scan, .count = count}, d, &o, found, NULL), CLUMP_OK);
        if (k == 0) hash = clump_labels_hash(found, count);
        CHECK_MSG(clump_labels_hash(found, count) == hash, "%s", clump_ec_method_name(o.method));
    }
    free(scan), free(found);
}

/* ----- neighbours ---------------------------------------------------------------------------------- */

static void searches_agree(void)
{
    uint64_t random = 74;
    static clump_search_point p[400];
    clump_neighbours all = {0}, range = {0};
    for (long round = 0; round < check_rounds(600); round++) {
        const size_t count = check_random(&random) % 400;
        const float d = cloud_fill((cloud_shape)(round % CLOUD_SHAPES), xyz, count, &random);
        for (size_t i = 0; i < count; i++)
            p[i] = (clump_search_point){xyz[3 * i], xyz[3 * i + 1], xyz[3 * i + 2], (uint32_t)i};
        const size_t tile = 1 + check_random(&random) % 50;
        CHECK_INT(clump_neighbours_prepare(&ctx->work, &all, "edge-es", CLUMP_SEARCH_EXHAUSTIVE, p, count, d, tile), 0);
        CHECK_INT(clump_neighbours_prepare(&ctx->work, &range, "edge-rs", CLUMP_SEARCH_RANGE, p, count, d, tile), 0);
        for (size_t i = 0; i < count; i++) {
            int32_t found[3] = {0};
            uint64_t sum[3] = {0}; /* of random numbers, one a point: equal sums, equal sets */
            for (size_t j = 0; j < count; j++) {
                uint64_t seed = j;
                if (i != j && oracle_near(xyz + 3 * i, xyz + 3 * j, d, false))
                    found[0]++, sum[0] += check_random(&seed);
            }
            for (int k = 1; k < 3; k++) {
                for (clump_neighbour_walk w = clump_neighbours_of(k == 1 ? &all : &range, i);
                     clump_next_neighbour(&w);) {
                    uint64_t seed = w.id;
                    found[k]++, sum[k] += check_random(&seed);
                }
            }
            CHECK_MSG(sum[0] == sum[1] && sum[0] == sum[2], "round %ld, point %zu: %d neighbours, es %d, rs %d", round,
                      i, found[0], found[1], found[2]);
        }
    }
    clump_neighbours_release(&ctx->work, &all);
    clump_neighbours_release(&ctx->work, &range);
}

/* ----- layers -------------------------------------------------------------------------------------- */

static void layers_of_figure_2(void)
{
    static const char *const figure[8] = {"01234567", ".0327456", "..016745", "...05674",
                                          "....0123", ".....032", "......01", ".......0"};
    CHECK_INT(clump_layers(8), 8);
    for (uint32_t layer = 0; layer < 8; layer++) {
        for (uint32_t k = 0; k < clump_layer_pairs(layer, 8); k++) {
            uint32_t row = 9, column = 9;
            CHECK(clump_layer_pair(layer, k, 8, &row, &column));
            CHECK_INT(figure[row][column] - '0', layer);
        }
    }
}

static void layers_share_no_group(void)
{
    enum { WIDEST = 300 };
    static uint8_t seen[WIDEST][WIDEST];
    for (uint32_t groups = 1; groups <= WIDEST; groups += groups < 70 ? 1 : 23) {
        memset(seen, 0, sizeof seen);
        const uint32_t layers = clump_layers(groups);
        CHECK(layers >= groups && layers < 2 * groups);
        for (uint32_t layer = 0; layer < layers; layer++) {
            bool taken[WIDEST] = {false};
            for (uint32_t k = 0; k < clump_layer_pairs(layer, groups); k++) {
                uint32_t row, column;
                if (!clump_layer_pair(layer, k, groups, &row, &column)) continue;
                CHECK(row <= column && column < groups && (row == column) == (layer == 0));
                CHECK_MSG(!taken[row] && !taken[column], "layer %u of %u groups", layer, groups);
                taken[row] = taken[column] = true;
                seen[row][column]++;
            }
        }
        for (uint32_t row = 0; row < groups; row++)
            for (uint32_t column = 0; column < groups; column++)
                CHECK_MSG(seen[row][column] == (row <= column), "%u groups: %u, %u", groups, row, column);
    }
    CHECK_INT(clump_layers(((uint32_t)1 << 30) + 1), (uint32_t)1 << 31);
}

/* ----- passes -------------------------------------------------------------------------------------- */

/* Points on a line at these places; passes of vertex-, edge- and matrix-. */
static void expect_passes(const float *at, size_t n, size_t block, int64_t rounds, int64_t updates, int32_t clusters)
{
    for (size_t i = 0; i < n; i++) xyz[3 * i] = at[i], xyz[3 * i + 1] = xyz[3 * i + 2] = 0;
    for (int method = 0; method < SIX; method++) {
        const clump_stats result = run((clump_points){.xyz = xyz, .count = n}, 1, NULL, method, block);
        CHECK_MSG(result.clusters == clusters && result.passes == (method < 4 ? rounds : updates),
                  "%s, %zu points, blocks of %zu: %d clusters in %d passes",
                  clump_ec_method_name((clump_ec_method)(FIRST + method)), n, block, result.clusters,
                  (int)result.passes);
    }
}

static void passes_by_hand(void)
{
    float at[256] = {0};
    expect_passes(at, 0, 2, 1, 0, 0); /* a round, to see that nothing changes */
    at[0] = 5;
    expect_passes(at, 1, 2, 1, 0, 1);
    expect_passes((float[]){0, 3}, 2, 2, 1, 0, 2);
    expect_passes((float[]){0, 0.8f}, 2, 2, 2, 0, 1); /* within a block: INITIAL_EC is enough */

    /* Edges 0-2 and 1-2, blocks of 2: column 2 goes to row 1, the later; then 0 and 1 have an edge, in
     * layer 0, already passed. Rounds: 0 1 2, 0 1 0, 0 0 0, and no change. */
    expect_passes((float[]){0, 1.6f, 0.8f}, 3, 2, 3, 2, 1);
    expect_passes((float[]){0, 1.6f, 0.8f}, 3, 3, 3, 0, 1);

    /* Chains: a step a round. Blocks of b leave one label of b, and every pass again one of b. */
    for (size_t i = 0; i < 256; i++) at[i] = 0.8f * (float)i;
    expect_passes(at, 4, 2, 4, 1, 1);
    expect_passes(at, 8, 2, 8, 2, 1);
    expect_passes(at, 64, 4, 64, 2, 1);
    expect_passes(at, 256, 2, 256, 7, 1);
    expect_passes(at, 256, 256, 256, 0, 1);

    /* Two chains of four, one after the other: layer 0 merges both at once. */
    expect_passes((float[]){0, 0.8f, 1.6f, 2.4f, 10, 10.8f, 11.6f, 12.4f}, 8, 2, 4, 1, 2);
    /* In turns: blocks see strangers only. Layer 1 halves the groups, UPDATE, layer 1 again. */
    expect_passes((float[]){0, 10, 0.8f, 10.8f, 1.6f, 11.6f, 2.4f, 12.4f}, 8, 2, 4, 2, 2);
    /* The first point is in the middle of three, or at its end. */
    expect_passes((float[]){0.8f, 0, 1.6f}, 3, 4, 2, 0, 1);
    expect_passes((float[]){0, 1.6f, 0.8f}, 3, 4, 3, 0, 1);
}

/* In place, threads in order of their index. Chains of 256 points in this order:
 *   0 1 2 ... 255                     one round, and one without a change
 *   0 255 254 ... 1                   round 1 lowers 255 and, after it, 254; then a point per round: 254 rounds
 *   128 129 ... 255 0 1 2 ... 127     round 1 lowers 1 ... 127, 255 and 254; then a point per round: 127 rounds */
static void passes_in_place(void)
{
    enum { CHAIN = 256 };
    static const int64_t passes[] = {2, 255, 128};
    clump_ec_options o = clump_ec_defaults();
    PAPERS(o)->in_place = true;
    for (int chain = 0; chain < 3; chain++) {
        for (size_t i = 0; i < CHAIN; i++) {
            const size_t place = chain == 0 ? i : chain == 1 ? (CHAIN - i) % CHAIN : (i + CHAIN / 2) % CHAIN;
            xyz[3 * i] = 0.8f * (float)place, xyz[3 * i + 1] = xyz[3 * i + 2] = 0;
        }
        for (int method = 0; method < 4; method++) {
            const clump_stats result = run((clump_points){.xyz = xyz, .count = CHAIN}, 1, &o, method, 32);
            CHECK_MSG(result.clusters == 1 && result.passes == passes[chain], "%s, chain %d: %d clusters in %d passes",
                      clump_ec_method_name((clump_ec_method)(FIRST + method)), chain, result.clusters,
                      (int)result.passes);
        }
    }
}

/* ----- need ---------------------------------------------------------------------------------------- */

static void needs_are_said(void)
{
    clump_buffer buffer = {0};
    static const struct {
        uint64_t count, each;
        const char *text;
    } needs[] = {
        {UINT64_MAX, 1, "edge-es needs 18.4 EB of memory for 18446744073709551615 edges"},
        {(uint64_t)1 << 61, 8, "edge-es needs 18.4 EB of memory for 2305843009213693952 edges"},
        {((uint64_t)1 << 61) + 1, 8, "edge-es needs 18.4 EB of memory for 2305843009213693953 edges"},
        {UINT64_MAX, UINT64_MAX, "edge-es needs "},
    };
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
        const clump_status status = clump_need(&ctx->work, "edge-es", &buffer, needs[i].count, needs[i].each, "edges");
        CHECK_INT(status, CLUMP_ERR_OUT_OF_MEMORY);
        CHECK_MSG(strncmp(clump_context_error(ctx), needs[i].text, strlen(needs[i].text)) == 0, "%s",
                  clump_context_error(ctx));
        CHECK(buffer.data == NULL && buffer.bytes == 0);
    }
    CHECK_INT(clump_need(&ctx->work, "edge-es", &buffer, 0, 8, "edges"), CLUMP_OK);
    CHECK(buffer.data == NULL);
    /* More than any machine has, though addresses would do: refused while it is counted. */
    CHECK_INT(clump_need_so_far(&ctx->work, "edge-rs", &buffer, (uint64_t)1 << 50, 8, "edges"),
              CLUMP_ERR_OUT_OF_MEMORY);
    CHECK_TEXT(clump_context_error(ctx),
               "edge-rs needs at least 9.0 PB of memory for 1125899906842624 edges, which cannot be had");
    CHECK_INT(clump_need_so_far(&ctx->work, "edge-rs", &buffer, 1000, 8, "edges"), CLUMP_OK);
}

CHECK_PROGRAM(test_six)
{
    clump_context_options options = clump_context_defaults();
    options.backend = CLUMP_BACKEND_CPU;
    if (clump_context_create(&options, &ctx) != CLUMP_OK) exit(1);
    RUN(all_sizes_of_blocks);
    RUN(large_clouds);
    RUN(a_whole_scan);
    RUN(searches_agree);
    RUN(layers_of_figure_2);
    RUN(layers_share_no_group);
    RUN(passes_by_hand);
    RUN(passes_in_place);
    RUN(needs_are_said);
    clump_six_release(&ctx->work, &six);
    clump_context_destroy(ctx);
}
