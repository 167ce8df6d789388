/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_pieces.c: the plan of pieces and their merging (joint/pieces_plan.h), on the CPU: random clouds in
 * tiles against one call and the oracles; pairs at exactly the distance across sides of tiles; the map against a plain
 * union-find.
 */
#include "support/check.h"

#include "support/calls.h"
#include "support/clouds.h"
#include "joint/pieces_plan.h"
#include "oracle/oracle.h"
#include "oracle/oracle_dbscan.h"
#include "cluster/pieces_model.h"

#include <clump/info.h>

#include <math.h>

enum { MOST = 600 };

static clump_context *ctx;
static float xyz[3 * MOST];
static uint8_t mask[MOST];

static pieces_model make_model(uint64_t seed, cloud_shape *shape)
{
    uint64_t random = seed;
    pieces_model m = {.xyz = xyz, .most_cells = 4096};
    *shape = (cloud_shape)(check_random(&random) % CLOUD_SHAPES);
    m.count = 1 + check_random(&random) % (check_random(&random) % 4 ? MOST / 4 : MOST);
    m.d = cloud_fill(*shape, xyz, m.count, &random);
    if (check_random(&random) % 3 == 0) cloud_spoil(xyz, m.count, 1 + check_random(&random) % 60, &random);
    m.options = clump_dbscan_defaults();
    cloud_dbscan_options(&m.options, mask, m.count, &random);
    if (m.options.common.two_d) cloud_spoil_z(xyz, m.count, &random);
    if (check_random(&random) % 5 < 3) m.min_points = cloud_min_points(m.count, &random);
    if (m.min_points == 0) m.options.no_border_points = false;
    m.most = 1 + check_random(&random) % (check_random(&random) % 2 ? m.count : m.count / 4 + 8);
    m.chunk = 1 + check_random(&random) % (m.count + 20);
    if (check_random(&random) % 4 == 0) m.most_cells = 8 + check_random(&random) % 100;
    return m;
}

static int32_t label_whole(const pieces_model *m, bool by_oracle, int32_t *labels, uint8_t *core)
{
    const clump_points all = {.xyz = xyz, .count = m->count};
    clump_dbscan_options o = m->options;
    o.core = core;
    clump_ec_options e = oracle_common(&o);
    e.cookie = clump_ec_defaults().cookie;
    int32_t found = -1;
    if (by_oracle)
        return m->min_points > 0 ? oracle_dbscan(all, m->d, m->min_points, &o, labels, core)
                                 : oracle_ec(all, m->d, &e, labels);
    const clump_status status = m->min_points > 0 ? clump_dbscan(ctx, all, m->d, m->min_points, &o, labels, &found)
                                                  : clump_ec(ctx, all, m->d, &e, labels, &found);
    CHECK_MSG(status == CLUMP_OK, "%s", clump_context_error(ctx));
    return found;
}

static uint32_t most_tiles;
static int several, refused;

static void compare(uint64_t seed)
{
    cloud_shape shape;
    pieces_model m = make_model(seed, &shape);
    int32_t right[MOST], labels[MOST];
    uint8_t right_core[MOST], core[MOST];
    const int32_t clusters = label_whole(&m, seed % 16 == 0, right, right_core);
    pieces_found found;
    for (; (found = pieces_model_run(ctx, &m, labels, core)).too_full; refused++) m.most += m.most / 4 + 1;
    CHECK_MSG(found.clusters == clusters && memcmp(labels, right, m.count * sizeof *labels) == 0,
              "seed %llu: %d clusters in %u tiles, expected %d", (unsigned long long)seed, found.clusters, found.tiles,
              clusters);
    if (m.min_points > 0)
        CHECK_MSG(memcmp(core, right_core, m.count) == 0, "seed %llu: core flags", (unsigned long long)seed);
    most_tiles = found.tiles > most_tiles ? found.tiles : most_tiles;
    several += found.tiles > 1 && found.rim_points > 0;
}

static void random_clouds(void)
{
    const uint64_t clouds = (uint64_t)check_rounds(5000);
    for (uint64_t seed = 1; seed <= clouds && check_failures < 10; seed++) compare(seed);
    CHECK_MSG(several > (int)(clouds / 3) && refused > check_fewer(25, 100) && most_tiles >= 20,
              "%d clouds in several tiles, %d grids refused, up to %u tiles", several, refused, most_tiles);
}

/* ----- at the boundary ------------------------------------------------------------------------------------------------ */

/* Pairs of points at exactly d, or a float less, along every axis, some cross the side of a tile. Cells have points that are in no rim. */
static void pairs_at_the_distance(void)
{
    uint64_t random = 3;
    for (int round = 0; round < check_fewer(150, 600); round++) {
        const int axis = round % 3, density = round / 3 % 2, far = round / 6 % 2;
        const float d = 0.3f + 0.001f * (float)round, origin = far ? 3000.0f : -3.0f;
        float place = origin;
        size_t n = 0;
        for (int k = 0; n + 2 <= MOST; k++, n += 2) {
            place += (2.05f + (float)(check_random(&random) % 1024) * 0x1p-10f) * d;
            float *const a = xyz + 3 * n, *const b = a + 3;
            for (int c = 0; c < 3; c++) a[c] = b[c] = origin;
            a[axis] = place;
            float beyond = a[axis] + d;
            while (beyond - a[axis] > d) beyond = nextafterf(beyond, -INFINITY); /* at most d, as floats subtract */
            b[axis] = k % 2 ? beyond : nextafterf(beyond, -INFINITY);
        }
        const pieces_model m = {.xyz = xyz,
                                .count = n,
                                .d = d,
                                .min_points = density ? 2 : 0,
                                .options = clump_dbscan_defaults(),
                                .most = 160,
                                .most_cells = 4096,
                                .chunk = 50};
        int32_t right[MOST], labels[MOST];
        const int32_t clusters = label_whole(&m, false, right, NULL);
        const pieces_found found = pieces_model_run(ctx, &m, labels, NULL);
        CHECK(!found.too_full && found.tiles > 3);
        CHECK_INT(found.clusters, clusters);
        CHECK_MSG(memcmp(labels, right, n * sizeof *labels) == 0, "round %d", round);
    }
}

/* Copies of a point differ by index only: they lie in one cell, whatever its size. */
static void too_many_copies_are_refused(void)
{
    for (size_t k = 0; k < 3 * 100; k++) xyz[k] = 0.5f;
    pieces_model m = {.xyz = xyz, .count = 100, .d = 0.1f, .options = clump_dbscan_defaults(), .most_cells = 64};
    int32_t labels[MOST];
    m.chunk = 30, m.most = 99;
    CHECK(pieces_model_run(ctx, &m, labels, NULL).too_full);
    m.most = 100;
    const pieces_found found = pieces_model_run(ctx, &m, labels, NULL);
    CHECK(!found.too_full && found.tiles == 1 && found.clusters == 1 && labels[99] == 0);
}

/* A few points far away must not make the cells too large for the others. */
static void outliers_do_not_spoil_the_grid(void)
{
    uint64_t random = 7;
    for (size_t i = 0; i < MOST; i++)
        for (size_t k = 0; k < 3; k++)
            xyz[3 * i + k] = (float)(check_random(&random) % 1000) * (k < 2 ? 0.01f : 0.001f);
    xyz[0] = 1e9f, xyz[3 * 77 + 1] = -3e8f;
    const pieces_model m = {.xyz = xyz,
                            .count = MOST,
                            .d = 0.1f,
                            .options = clump_dbscan_defaults(),
                            .most = 100,
                            .most_cells = 4096,
                            .chunk = 256};
    int32_t right[MOST], labels[MOST];
    const int32_t clusters = label_whole(&m, false, right, NULL);
    const pieces_found found = pieces_model_run(ctx, &m, labels, NULL);
    CHECK(!found.too_full && found.tiles > 5 && found.tiles < 40);
    CHECK_INT(found.clusters, clusters);
    CHECK(memcmp(labels, right, sizeof labels) == 0);
}

/* ----- the map -------------------------------------------------------------------------------------------------------- */

enum { IDS = 4000 };

static uint32_t plain_root(const uint32_t *parent, uint32_t i)
{
    while (parent[i] != i) i = parent[i];
    return i;
}

static void maps_are_those_of_a_plain_union_find(void)
{
    static uint32_t parent[IDS];
    clump_pieces_links links = {0};
    for (uint64_t random = 1; random <= 40; random++) {
        uint64_t draw = random;
        for (uint32_t i = 0; i < IDS; i++) parent[i] = i;
        clump_pieces_links_begin(&ctx->work, &links);
        const int count = (int)(check_random(&draw) % (random % 2 ? 300 : 6000));
        for (int k = 0; k < count; k++) {
            const uint32_t a = (uint32_t)(check_random(&draw) % IDS), b = (uint32_t)(check_random(&draw) % IDS);
            const uint32_t here[2] = {a, CLUMP_PIECES_NONE}, home[2] = {b | (k % 2 ? CLUMP_PIECES_CORE : 0), 5};
            CHECK_INT(clump_pieces_links_add(&ctx->work, &links, here, home, 2), CLUMP_OK);
            const uint32_t c = plain_root(parent, a), e = plain_root(parent, b);
            parent[c > e ? c : e] = c > e ? e : c;
        }
        clump_pieces_links_end(&links);
        for (uint32_t i = 0; i < IDS; i++) CHECK_INT(clump_pieces_first(&links.map, i), plain_root(parent, i));
    }
    const uint32_t here = 3, home = CLUMP_PIECES_NONE;
    CHECK_INT(clump_pieces_links_add(&ctx->work, &links, &here, &home, 1), CLUMP_ERR_INTERNAL);
    clump_buffer_release(&ctx->work, &links.memory);
}

/* A cloud in one piece counts as one; other jobs have no pieces. The CPU ignores device_limit. */
static void stats_count_pieces(void)
{
    clump_context_options options = clump_context_defaults();
    options.backend = CLUMP_BACKEND_CPU, options.device_limit = 1;
    clump_context *cpu = NULL;
    int32_t labels[4], clusters;
    const clump_points points = {.xyz = (const float[12]){0}, .count = 4};
    CHECK_INT(clump_context_create(&options, &cpu), CLUMP_OK);
    CHECK_INT(clump_ec(cpu, points, 1, NULL, labels, &clusters), CLUMP_OK);
    CHECK_INT(clump_context_stats(cpu).pieces, 1);
    CHECK_INT(clump_erccl(cpu, points, NULL, labels, &clusters), CLUMP_OK);
    CHECK_INT(clump_context_stats(cpu).pieces, 0);
    CHECK_INT(clump_dbscan(cpu, points, 1, 2, NULL, labels, &clusters), CLUMP_OK);
    CHECK_INT(clump_context_stats(cpu).pieces, 1);
    clump_context_destroy(cpu);
}

CHECK_PROGRAM(test_pieces)
{
    clump_context_options options = clump_context_defaults();
    options.backend = CLUMP_BACKEND_CPU, options.threads = 1;
    if (clump_context_create(&options, &ctx) != CLUMP_OK) exit(1);
    RUN(random_clouds);
    RUN(pairs_at_the_distance);
    RUN(too_many_copies_are_refused);
    RUN(outliers_do_not_spoil_the_grid);
    RUN(maps_are_those_of_a_plain_union_find);
    RUN(stats_count_pieces);
    clump_context_destroy(ctx);
}
