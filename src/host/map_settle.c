/* SPDX-License-Identifier: BSD-3-Clause
 *
 * map_settle.c: when all frames have been added, voxels get their points and windows, and an order.
 *
 * The order is that of blocks of 16 x 16 x 16 voxels: voxels near each other in space are near each other in memory, and the
 * box of some hundred of them is small. Sorted are words of a key and an index, by four keys after each other; the sort is
 * stable. Keys are relative to the lower corner of the map, so that most have few bits.
 */
#include "common/bits.h"
#include "common/sort.h"
#include "host/map.h"

#include <string.h>

enum { SETTLE_SHARE = 1024, SETTLE_POLL = 1 << 14 };

/* Returns key `round` of a voxel: 0 its place in the block, 1 to 3 the block along z, y, x. */
static uint32_t key_of(const int32_t xyz[3], int round, const int32_t lower[3])
{
    if (round == 0) return (uint32_t)((xyz[0] & 15) << 8 | (xyz[1] & 15) << 4 | (xyz[2] & 15));
    const int axis = 3 - round;
    return (uint32_t)(map_block_of(xyz[axis]) - lower[axis]);
}

/* Finds the blocks at the corners of the map. */
static clump_status find_corners(clump_work *work, const clump_map *map, int32_t lower[3], int32_t upper[3])
{
    for (uint32_t i = 0; i < map->count; i++) {
        if (i % SETTLE_POLL == 0) CLUMP_TRY(clump_poll(work));
        const int32_t *const v = map_record_at(map, i)->xyz;
        for (int k = 0; k < 3; k++) {
            const int32_t block = map_block_of(v[k]);
            lower[k] = i == 0 || block < lower[k] ? block : lower[k];
            upper[k] = i == 0 || block > upper[k] ? block : upper[k];
        }
    }
    return CLUMP_OK;
}

/* Sorts the indices of all records. *sorted are words whose lower halves are indices. */
static clump_status sort_records(clump_work *work, clump_map *map, uint64_t **sorted)
{
    const size_t n = map->count;
    const int threads = clump_threads_for(work, n, SETTLE_POLL);
    CLUMP_TRY(clump_map_reserve(work, map, &map->counters, clump_radix_counters(threads) * sizeof(size_t)));
    int32_t lower[3] = {0}, upper[3] = {0};
    CLUMP_TRY(find_corners(work, map, lower, upper));
    uint64_t *words = map->words.data;
    for (size_t i = 0; i < n; i++) words[i] = i;
    for (int round = 0; round < 4; round++) {
        const uint32_t most = round == 0 ? 4095 : (uint32_t)(upper[3 - round] - lower[3 - round]);
        if (most == 0) continue;
        for (size_t i = 0; i < n; i++) {
            if (i % SETTLE_POLL == 0) CLUMP_TRY(clump_poll(work));
            const uint32_t index = (uint32_t)words[i];
            words[i] = (uint64_t)key_of(map_record_at(map, index)->xyz, round, lower) << 32 | index;
        }
        uint64_t *const other = words == map->words.data ? map->spare.data : map->words.data;
        words = clump_radix_sort(work->team, words, other, n, 32, clump_highest(most) + 1, map->counters.data, threads);
        if (!words) return clump_poll(work);
    }
    *sorted = words;
    return CLUMP_OK;
}

static map_voxel voxel_of(const map_record *r)
{
    map_voxel v = {.first = r->first, .last = r->last, .observations = r->observations, .passes = r->moving};
    memcpy(v.xyz, r->xyz, sizeof v.xyz);
    if (r->points == 0) return v;
    for (int k = 0; k < 3; k++) v.place[k] = (float)((double)r->sums[k] / ((double)r->points * 65536.0));
    return v;
}

static void grow_group(map_group *group, const int32_t xyz[3], bool first)
{
    for (int k = 0; k < 3; k++) {
        if (first || xyz[k] < group->lower[k]) group->lower[k] = xyz[k];
        if (first || xyz[k] > group->upper[k]) group->upper[k] = xyz[k];
    }
}

/* Writes the voxels in their order, and lets the table know. `rank` has room for a number per voxel. */
static clump_status write_voxels(clump_work *work, clump_map *map, const uint64_t *sorted, uint32_t *rank)
{
    map_voxel *const voxels = map->voxels.data;
    map_group *const groups = map->groups.data;
    for (uint32_t i = 0; i < map->count; i++) {
        if (i % SETTLE_POLL == 0) CLUMP_TRY(clump_poll(work));
        const uint32_t index = (uint32_t)sorted[i];
        voxels[i] = voxel_of(map_record_at(map, index));
        rank[index] = i;
        grow_group(&groups[i / MAP_GROUP], voxels[i].xyz, i % MAP_GROUP == 0);
    }
    uint32_t *const slots = map->slots.data;
    for (size_t i = 0; i <= map->slot_mask; i++) {
        if (i % SETTLE_POLL == 0) CLUMP_TRY(clump_poll(work));
        if (slots[i] != 0) slots[i] = rank[slots[i] - 1] + 1;
    }
    return CLUMP_OK;
}

/* Finds the windows of voxels. */
static void find_windows(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const clump_map *const map = arg;
    const map_voxel *const voxels = map->voxels.data;
    int32_t(*const windows)[2] = map->words.data;
    for (size_t i = begin; i < end; i++) {
        const int32_t *const at = voxels[i].xyz;
        windows[i][0] = voxels[i].first, windows[i][1] = voxels[i].last;
        for (int k = 0; k < 27; k++) {
            const map_voxel *const v = map_find(map, at[0] + k / 9 - 1, at[1] + k / 3 % 3 - 1, at[2] + k % 3 - 1);
            if (!v || v->observations == 0) continue;
            if (v->first < windows[i][0]) windows[i][0] = v->first;
            if (v->last > windows[i][1]) windows[i][1] = v->last;
        }
    }
}

static void set_windows(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    clump_map *const map = arg;
    map_voxel *const voxels = map->voxels.data;
    const int32_t(*const windows)[2] = map->words.data;
    for (size_t i = begin; i < end; i++) voxels[i].first = windows[i][0], voxels[i].last = windows[i][1];
}

clump_status clump_map_settle(clump_work *work, clump_map *map)
{
    if (map->settled) return CLUMP_OK;
    map->settled = true;
    const size_t n = map->count;
    if (n == 0) return CLUMP_OK;
    CLUMP_TRY(clump_map_reserve(work, map, &map->words, n * sizeof(uint64_t)));
    CLUMP_TRY(clump_map_reserve(work, map, &map->spare, n * sizeof(uint64_t)));
    CLUMP_TRY(clump_map_reserve(work, map, &map->voxels, n * sizeof(map_voxel)));
    CLUMP_TRY(clump_map_reserve(work, map, &map->groups, (n + MAP_GROUP - 1) / MAP_GROUP * sizeof(map_group)));
    uint64_t *sorted = NULL;
    CLUMP_TRY(sort_records(work, map, &sorted));
    CLUMP_TRY(write_voxels(work, map, sorted, sorted == map->words.data ? map->spare.data : map->words.data));
    clump_map_release_records(map);
    const int threads = clump_threads_for(work, n, SETTLE_SHARE);
    CLUMP_TRY(clump_run(work, threads, n, SETTLE_SHARE, find_windows, map));
    CLUMP_TRY(clump_run(work, threads, n, SETTLE_SHARE, set_windows, map));
    clump_buffer_release(&map->home, &map->words);
    clump_buffer_release(&map->home, &map->spare);
    return CLUMP_OK;
}
