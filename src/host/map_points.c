/* SPDX-License-Identifier: BSD-3-Clause
 *
 * map_points.c: which voxels stay, and the cloud of their points.
 */
#include "host/map.h"

#include <math.h>

enum { POINTS_SHARE = 1024, POINTS_POLL = 1 << 14 };

/* Rule 5 of clump/map.h. */
static bool is_dropped(const clump_map *map, const map_voxel *v)
{
    const double ratio = (double)map->options.passes;
    if (v->observations == 0) return true;
    if (v->observations > CLUMP_MAP_FEW && !((double)v->passes > ratio * (double)v->observations)) return false;
    uint64_t passes = 0, observations = 0;
    for (int k = 0; k < 27; k++) {
        const map_voxel *const other =
            map_find(map, v->xyz[0] + k / 9 - 1, v->xyz[1] + k / 3 % 3 - 1, v->xyz[2] + k % 3 - 1);
        if (!other) continue;
        passes += other->passes;
        observations += other->observations;
    }
    return (double)passes > ratio * (double)observations;
}

static void judge(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const clump_map *const map = arg;
    const map_voxel *const voxels = map->voxels.data;
    uint8_t *const dropped = map->dropped.data;
    for (size_t i = begin; i < end; i++) dropped[i] = is_dropped(map, &voxels[i]);
}

/* Rule 6; the first half of `dropped` is what rule 5 said. */
static bool is_surrounded(const clump_map *map, const map_voxel *v)
{
    if (v->observations > 1) return false;
    const map_voxel *const voxels = map->voxels.data;
    const uint8_t *const dropped = map->dropped.data;
    int all = 0, gone = 0;
    for (int k = 0; k < 125; k++) {
        const map_voxel *const other =
            map_find(map, v->xyz[0] + k / 25 - 2, v->xyz[1] + k / 5 % 5 - 2, v->xyz[2] + k % 5 - 2);
        if (!other) continue;
        all++;
        gone += dropped[other - voxels];
    }
    return (double)gone > CLUMP_MAP_SHARE * (double)all;
}

/* Writes the second half of `dropped`. */
static void judge_again(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const clump_map *const map = arg;
    const map_voxel *const voxels = map->voxels.data;
    uint8_t *const dropped = map->dropped.data;
    for (size_t i = begin; i < end; i++) dropped[map->count + i] = dropped[i] || is_surrounded(map, &voxels[i]);
}

/* The voxels of the part, without those beside it. They lie after each other: blocks along x are what is sorted first. */
static void find_part(const clump_map *map, size_t *begin, size_t *end)
{
    const map_voxel *const voxels = map->voxels.data;
    *begin = 0, *end = map->count;
    while (*begin < *end && map_block_of(voxels[*begin].xyz[0]) < map->first) ++*begin;
    while (*begin < *end && map_block_of(voxels[*end - 1].xyz[0]) >= map->end) --*end;
}

static clump_status write_points(clump_work *work, const clump_map *map, const double origin[3], size_t begin,
                                 size_t end)
{
    const map_voxel *const voxels = map->voxels.data;
    const uint8_t *const dropped = (const uint8_t *)map->dropped.data + map->count;
    float *xyz = map->xyz.data;
    uint32_t *observations = map->observations.data, *passes = map->passes.data;
    for (size_t i = begin; i < end; i++) {
        if (i % POINTS_POLL == 0) CLUMP_TRY(clump_poll(work));
        if (dropped[i]) continue;
        const map_voxel *const v = &voxels[i];
        for (int k = 0; k < 3; k++)
            *xyz++ = (float)(((double)v->xyz[k] + (double)v->place[k]) * (double)map->options.voxel - origin[k]);
        *observations++ = v->observations;
        *passes++ = v->passes;
    }
    return CLUMP_OK;
}

static clump_status make_cloud(clump_work *work, clump_map *map, clump_map_cloud *out)
{
    CLUMP_TRY(clump_map_settle(work, map));
    const size_t n = map->count;
    out->end = map->end;
    for (int k = 0; k < 3; k++) out->origin[k] = floor((double)map->lower[k] * (double)map->options.voxel);
    if (n == 0) return CLUMP_OK;
    CLUMP_TRY(clump_map_reserve(work, map, &map->dropped, 2 * n));
    const int threads = clump_threads_for(work, n, POINTS_SHARE);
    CLUMP_TRY(clump_run(work, threads, n, POINTS_SHARE, judge, map));
    CLUMP_TRY(clump_run(work, threads, n, POINTS_SHARE, judge_again, map));
    const uint8_t *const dropped = (const uint8_t *)map->dropped.data + n;
    size_t begin, end;
    find_part(map, &begin, &end);
    for (size_t i = begin; i < end; i++) out->dropped += dropped[i];
    out->voxels = end - begin;
    out->points.count = out->voxels - out->dropped;
    CLUMP_TRY(clump_map_reserve(work, map, &map->xyz, out->points.count * 3 * sizeof(float)));
    CLUMP_TRY(clump_map_reserve(work, map, &map->observations, out->points.count * sizeof(uint32_t)));
    CLUMP_TRY(clump_map_reserve(work, map, &map->passes, out->points.count * sizeof(uint32_t)));
    CLUMP_TRY(write_points(work, map, out->origin, begin, end));
    out->points.xyz = map->xyz.data;
    out->observations = map->observations.data;
    out->passes = map->passes.data;
    return CLUMP_OK;
}

clump_status clump_map_points(clump_context *ctx, clump_map *map, clump_map_cloud *out)
{
    if (out) *out = (clump_map_cloud){.voxels = 0};
    if (!ctx) return CLUMP_ERR_ARGUMENT;
    CLUMP_TRY(clump_map_begin(ctx, map, "clump_map_points"));
    if (!out) return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "clump_map_points: out is null");
    clump_map_cloud cloud = {.voxels = 0};
    CLUMP_TRY(map_break(map, make_cloud(&ctx->work, map, &cloud)));
    *out = cloud;
    return CLUMP_OK;
}
