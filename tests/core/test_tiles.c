/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_tiles.c: the plan of tiles (common/tile_plan.h), and which rims a point is in (rules/tiles.h).
 */
#include "support/check.h"

#include "common/tile_plan.h"
#include "rules/cell.h"
#include "rules/tiles.h"

#include <math.h>

/* ----- the plan --------------------------------------------------------------------------------------------------- */

enum { CELLS = 4096 };
static uint64_t counts[CELLS], loads[CELLS];
static uint32_t tiles[CELLS];

/* Checks that every tile has the points of its cells, and no more than `most` unless it is one cell. */
static void check_plan(const int64_t size[3], uint64_t most, uint32_t planned)
{
    static uint64_t sum[CELLS];
    static size_t occupied[CELLS];
    const size_t cells = (size_t)(size[0] * size[1] * size[2]);
    CHECK(planned >= 1 && planned <= cells);
    memset(sum, 0, sizeof sum), memset(occupied, 0, sizeof occupied);
    for (size_t c = 0; c < cells; c++) {
        CHECK(tiles[c] < planned);
        if (tiles[c] >= planned) return;
        sum[tiles[c]] += counts[c], occupied[tiles[c]] += counts[c] > 0;
    }
    for (uint32_t t = 0; t < planned; t++) {
        CHECK_INT(loads[t], sum[t]);
        CHECK_MSG(sum[t] <= most || occupied[t] == 1, "tile %u has %llu points in %zu cells", t,
                  (unsigned long long)sum[t], occupied[t]);
        CHECK(sum[t] > 0 || planned == 1);
    }
}

static void plans_of_random_maps(void)
{
    uint64_t random = 5;
    for (int round = 0; round < 2000; round++) {
        int64_t size[3];
        for (int k = 0; k < 3; k++) size[k] = 1 + (int64_t)(check_random(&random) % (k < 2 ? 20 : 4));
        if (round % 5 == 0) size[round % 2] = 1, size[1 - round % 2] = 1 + (int64_t)(check_random(&random) % 900);
        const size_t cells = (size_t)(size[0] * size[1] * size[2]);
        const uint64_t largest = 1 + check_random(&random) % 50;
        for (size_t c = 0; c < cells; c++) counts[c] = check_random(&random) % 3 ? check_random(&random) % largest : 0;
        const uint64_t most = check_random(&random) % 200;
        check_plan(size, most, clump_tile_plan(size, counts, most, tiles, loads));
        static uint32_t again[CELLS];
        clump_tile_plan(size, counts, most, again, NULL);
        CHECK(memcmp(again, tiles, cells * sizeof *tiles) == 0);
    }
}

/* With one point per cell and per tile the tiles number the cells along the curve: each step goes to a cell beside. */
static void the_curve_makes_no_jump(void)
{
    const int64_t size[3] = {64, 64, 1};
    for (size_t c = 0; c < CELLS; c++) counts[c] = 1;
    CHECK_INT(clump_tile_plan(size, counts, 1, tiles, loads), CELLS);
    static int at[CELLS];
    for (int c = 0; c < CELLS; c++) at[tiles[c]] = c;
    CHECK_INT(at[0], 0);
    for (size_t t = 1; t < CELLS; t++)
        CHECK_INT(abs(at[t] % 64 - at[t - 1] % 64) + abs(at[t] / 64 - at[t - 1] / 64), 1);
}

/* Tiles are compact: along the curve a tile of 64 cells is a square of 8 x 8. */
static void tiles_are_compact(void)
{
    const int64_t size[3] = {64, 64, 1};
    for (size_t c = 0; c < CELLS; c++) counts[c] = 1;
    CHECK_INT(clump_tile_plan(size, counts, 64, tiles, loads), 64);
    for (size_t c = 0; c < CELLS; c++) CHECK_INT(tiles[c], tiles[c / 512 * 512 + c % 64 / 8 * 8]);
}

static void plans_at_the_limits(void)
{
    const int64_t one[3] = {1, 1, 1}, row[3] = {4, 1, 1}, column[3] = {1, 1, 3};
    counts[0] = 0;
    CHECK_INT(clump_tile_plan(one, counts, 0, tiles, loads), 1);
    CHECK_INT(loads[0], 0);
    counts[0] = UINT64_MAX, counts[1] = 0, counts[2] = 7, counts[3] = UINT64_MAX - 7;
    CHECK_INT(clump_tile_plan(row, counts, UINT64_MAX, tiles, loads), 2);
    CHECK(tiles[1] == 0 && tiles[2] == 1 && tiles[3] == 1 && loads[1] == UINT64_MAX);
    counts[0] = counts[1] = counts[2] = 5;
    CHECK_INT(clump_tile_plan(column, counts, 10, tiles, loads), 2);
    CHECK(tiles[0] == 0 && tiles[1] == 0 && tiles[2] == 1);
}

/* ----- rims ------------------------------------------------------------------------------------------------------- */

/* Whether a point is in the rim of a tile, by looking at every voxel within reach. */
static bool in_rim(const clump_tiling *t, const int64_t v[3], uint32_t tile)
{
    for (int64_t z = v[2] - t->reach; z <= v[2] + t->reach; z++)
        for (int64_t y = v[1] - t->reach; y <= v[1] + t->reach; y++)
            for (int64_t x = v[0] - t->reach; x <= v[0] + t->reach; x++)
                if (clump_tile_of(t, (int64_t[3]){x, y, z}) == tile) return true;
    return false;
}

static void rims_are_those_of_all_voxels(void)
{
    uint64_t random = 6;
    long in_some = 0;
    for (int round = 0; round < 20000; round++) {
        clump_tiling t = {.reach = 1 + (int)(check_random(&random) % 2), .tiles = tiles};
        int64_t voxel[3];
        size_t cells = 1;
        for (int k = 0; k < 3; k++) {
            t.shift[k] = t.reach + (int)(check_random(&random) % 3);
            t.size[k] = 1 + (int64_t)(check_random(&random) % 4);
            t.first[k] = (int64_t)(check_random(&random) % 9) - 4;
            voxel[k] = (int64_t)(check_random(&random) % 80) - 40;
            cells *= (size_t)t.size[k];
        }
        for (size_t c = 0; c < cells; c++) tiles[c] = (uint32_t)(check_random(&random) % 9);
        const uint32_t own = clump_tile_of(&t, voxel);
        uint32_t rims[CLUMP_TILE_RIMS];
        const int count = clump_tile_rims(&t, voxel, own, rims);
        int expected = 0;
        for (uint32_t tile = 0; tile < 9; tile++) expected += tile != own && in_rim(&t, voxel, tile);
        CHECK_INT(count, expected);
        for (int k = 0; k < count; k++) CHECK(rims[k] != own && in_rim(&t, voxel, rims[k]));
        if (clump_tile_is_inside(&t, voxel)) CHECK_INT(count, 0);
        in_some += count > 0;
    }
    CHECK(in_some > 2000 && in_some < 18000);
}

static void voxels_of_steps(void)
{
    CHECK_INT(clump_tile_voxel(-1, 5), -1);
    CHECK_INT(clump_tile_voxel(-5, 5), -1);
    CHECK_INT(clump_tile_voxel(-6, 5), -2);
    CHECK_INT(clump_tile_voxel(0, 5), 0);
    CHECK_INT(clump_tile_voxel(4, 5), 0);
    CHECK_INT(clump_tile_voxel(5, 5), 1);
    CHECK_INT(clump_tile_step(500, 0), 501);
    CHECK(clump_tile_step(500, 0x1p24) >= 505);
    uint64_t random = 7;
    for (int round = 0; round < 20000; round++) { /* neighbours are at most one voxel apart */
        const int64_t d = 1 + (int64_t)(check_random(&random) % 5000), edge = clump_tile_step((double)d, 0);
        const int64_t x = (int64_t)(check_random(&random) % 100000000) - 50000000;
        CHECK(clump_tile_voxel(x + d, edge) - clump_tile_voxel(x, edge) <= 1);
    }
}

CHECK_PROGRAM(test_tiles)
{
    RUN(plans_of_random_maps);
    RUN(the_curve_makes_no_jump);
    RUN(tiles_are_compact);
    RUN(plans_at_the_limits);
    RUN(rims_are_those_of_all_voxels);
    RUN(voxels_of_steps);
}
