/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_joint_boundary.c: points at exactly the distance d, or a few floats more or less, with the side of a piece between
 * them: along every axis, near the origin and far from it. A rim or a voxel that is too narrow by 2^-12 is seen here;
 * random clouds do not see it.
 */
#include "support/check.h"

#include "support/calls.h"
#include "support/clouds.h"
#include "oracle/oracle.h"
#include "oracle/oracle_dbscan.h"

#include "rules/cell.h"
#include "rules/tiles.h"

#include <clump/joint.h>

#include <math.h>

enum { MOST = 8 };

static clump_context *ctx;

/* A cloud of a few points in two pieces: owner[i] is 0 or 1; rim[i]: point i is in the rim of the other piece. */
typedef struct small_cloud {
    float xyz[3 * MOST];
    size_t count;
    int owner[MOST];
    bool rim[MOST];
} small_cloud;

/* Clusters the cloud in its two pieces. False where the pieces contradict each other. */
static bool label_pieces(const small_cloud *c, const clump_joint_settings *s, int64_t *labels)
{
    clump_joint *joint = NULL;
    bool merged = true;
    size_t places[2][MOST], own[2] = {0, 0};
    CHECK_INT(clump_joint_create(ctx, s, &joint), CLUMP_OK);
    for (int p = 0; p < 2; p++) {
        float points[3 * MOST];
        int64_t indices[MOST];
        size_t count = 0;
        for (size_t i = 0; i < c->count; i++)
            if (c->owner[i] == p) places[p][count++] = i;
        own[p] = count;
        for (size_t i = 0; i < c->count; i++)
            if (c->owner[i] != p && c->rim[i]) places[p][count++] = i;
        for (size_t m = 0; m < count; m++) {
            memcpy(points + 3 * m, c->xyz + 3 * places[p][m], 3 * sizeof *points);
            indices[m] = (int64_t)places[p][m];
        }
        const clump_points piece = {.xyz = points, .count = count};
        CHECK_INT(clump_joint_add(ctx, joint, piece, own[p], indices, NULL), CLUMP_OK);
    }
    merged = clump_joint_finish(ctx, joint, NULL) == CLUMP_OK;
    for (int p = 0; p < 2 && merged; p++) {
        int64_t of_piece[MOST];
        CHECK_INT(clump_joint_labels(ctx, joint, p, of_piece), CLUMP_OK);
        for (size_t m = 0; m < own[p]; m++) labels[places[p][m]] = of_piece[m];
    }
    clump_joint_destroy(joint);
    return merged;
}

/* Returns whether the labels of the pieces are those of the definition. */
static bool is_exact(const small_cloud *c, const clump_joint_settings *s)
{
    int64_t labels[MOST];
    int32_t expected[MOST];
    uint8_t core[MOST];
    const clump_points all = {.xyz = c->xyz, .count = c->count};
    if (s->min_points > 0)
        oracle_dbscan(all, s->d, s->min_points, NULL, expected, core);
    else
        oracle_ec(all, s->d, NULL, expected);
    if (!label_pieces(c, s, labels)) return false;
    for (size_t i = 0; i < c->count; i++)
        if (labels[i] != expected[i]) return false;
    return true;
}

/* ----- sides of boxes ------------------------------------------------------------------------------------------------ */

/* Points in a row along an axis, a distance of about d from one to the next. The side of the pieces is at point 1: point 0
 * is in the one, all others are in the other. Rims are `width` wide. */
static small_cloud row_across_side(size_t count, int axis, float start, float d, double width, uint64_t *random)
{
    small_cloud c = {.count = count};
    float at = start;
    for (size_t i = 0; i < count; i++) {
        c.xyz[3 * i + (size_t)axis] = at;
        at = cloud_step(at + d, (int)(check_random(random) % 5) - 2);
    }
    const double side = (double)c.xyz[3 + axis];
    for (size_t i = 0; i < count; i++) {
        const double x = (double)c.xyz[3 * i + (size_t)axis];
        c.owner[i] = i > 0;
        c.rim[i] = i > 0 ? x - (double)c.xyz[axis] <= width : side - x <= width;
    }
    return c;
}

/* Returns the number of rows whose labels in pieces are wrong, with rims of this part of the reach. */
static long wrong_rows(size_t min_points, double part)
{
    uint64_t random = 31;
    long wrong = 0;
    for (int round = 0; round < 1200; round++) {
        static const float distances[] = {0.5f, 0.3f, 1, 0.1f, 1e-3f, 700, 0x1p-40f, 1e10f};
        clump_joint_settings s = clump_joint_defaults();
        s.d = distances[check_random(&random) % 8] * (check_random(&random) % 2 ? 1 : 1 + check_random_float(&random));
        s.min_points = min_points;
        const float far = (float)((int)(check_random(&random) % 2001) - 1000) * s.d; /* floats are finer than d there */
        const float start = check_random(&random) % 3 ? far : far * 64 * check_random_float(&random);
        const double width = part * clump_joint_settings_reach(&s);
        const small_cloud c = row_across_side(min_points > 0 ? 3 : 2, round % 3, start, s.d, width, &random);
        wrong += !is_exact(&c, &s);
    }
    return wrong;
}

static void pairs_across_sides(void)
{
    CHECK_INT(wrong_rows(0, 1), 0);
    CHECK_MSG(wrong_rows(0, 1 - 0x1p-12) > 100, "a rim too narrow by 2^-12 is not seen");
}

/* Point 1 is a core point because of point 2, which is twice eps from point 0. Point 0 is a border point. */
static void rows_of_dbscan_across_sides(void)
{
    CHECK_INT(wrong_rows(3, 1), 0);
    CHECK_MSG(wrong_rows(3, 1 - 0x1p-12) > 100, "a rim too narrow by 2^-12 is not seen");
}

/* ----- sides of voxels ------------------------------------------------------------------------------------------------- */

/* Divides the coarse cells along an axis: piece 0 ends with that of the first point. It has a rim only with both_sides. */
static void deal_voxels(small_cloud *c, clump_cell_rule rule, int axis, int reach, int shift, bool both_sides)
{
    enum { SIDE = 64 };
    uint32_t tiles[SIDE];
    for (uint32_t e = 0; e < SIDE; e++) tiles[e] = e > SIDE / 2;
    clump_tiling t = {.reach = reach, .shift = {shift, shift, shift}, .size = {1, 1, 1}, .tiles = tiles};
    t.size[axis] = SIDE;
    t.first[axis] = ((int64_t)clump_cell(c->xyz[axis], rule) >> shift) - SIDE / 2;
    for (size_t i = 0; i < c->count; i++) {
        int64_t voxel[3];
        uint32_t rims[CLUMP_TILE_RIMS];
        for (int a = 0; a < 3; a++) voxel[a] = clump_cell(c->xyz[3 * i + (size_t)a], rule);
        c->owner[i] = (int)clump_tile_of(&t, voxel);
        c->rim[i] = (both_sides || c->owner[i] == 0) && !clump_tile_is_inside(&t, voxel) &&
                    clump_tile_rims(&t, voxel, (uint32_t)c->owner[i], rims) == 1;
    }
}

/* Returns the number of clouds with wrong labels, with voxels of this part of their edge. */
static long wrong_voxels(size_t min_points, double part)
{
    uint64_t random = 32;
    long wrong = 0;
    for (int round = 0; round < 4000; round++) {
        clump_joint_settings s = clump_joint_defaults();
        s.d = ldexpf(1 + check_random_float(&random), (int)(check_random(&random) % 60) - 30);
        s.min_points = min_points;
        const double edge = (double)s.d * (1 + 0x1p-20) * part;
        const clump_cell_rule rule = clump_cell_rule_of_edge(edge);
        const int bits = (int)(check_random(&random) % (round % 2 ? 10 : 22)), axis = round % 3;
        const int reach = min_points > 1 ? 2 : 1;
        const double k = (double)(check_random(&random) % ((uint64_t)1 << bits)) + 0.5; /* the side of a voxel */
        float start = cloud_step((float)(k * edge), (int)(check_random(&random) % 7) - 3);
        if (round % 16 == 0) start = cloud_step(rule.far, (int)(check_random(&random) % 9) - 4);
        if (check_random(&random) % 2) start = -start;
        small_cloud c = row_across_side(min_points > 0 ? 4 : 2, axis, start, s.d, 0, &random);
        deal_voxels(&c, rule, axis, reach, reach + (int)(check_random(&random) % 2), min_points > 0);
        wrong += !is_exact(&c, &s);
    }
    return wrong;
}

static void rows_across_voxels(void)
{
    CHECK_INT(wrong_voxels(0, 1), 0);
    CHECK_INT(wrong_voxels(1, 1), 0);
    CHECK_INT(wrong_voxels(3, 1), 0);
    CHECK_MSG(wrong_voxels(0, 1 - 0x1p-12) > 20, "a voxel too narrow by 2^-12 is not seen");
    CHECK_MSG(wrong_voxels(3, 1 - 0x1p-12) > 20, "a voxel too narrow by 2^-12 is not seen");
}

CHECK_PROGRAM(test_joint_boundary)
{
    ctx = cpu_context(1);
    RUN(pairs_across_sides);
    RUN(rows_of_dbscan_across_sides);
    RUN(rows_across_voxels);
    clump_context_destroy(ctx);
}
