/* SPDX-License-Identifier: BSD-3-Clause
 *
 * map_part.c: maps that are larger than memory are made part by part: slices along x, in the order of the whole map. Every part
 * gets all frames. A part begins where the one before ended, and gives up its far end whenever its voxels become too many.
 */
#include "host/map.h"

#include <string.h>

enum { PART_POLL = 1 << 14 };

void clump_map_set_part(clump_map *map, int32_t first, int32_t end)
{
    map->first = first, map->end = end;
    map->held_lower = first == INT32_MIN ? INT32_MIN : 16 * first - MAP_BESIDE;
    map->held_upper = end == INT32_MAX ? INT32_MAX : 16 * end - 1 + MAP_BESIDE;
}

/* Counts the records below voxel x. */
static clump_status count_below(clump_work *work, const clump_map *map, int64_t x, uint32_t *count)
{
    *count = 0;
    for (uint32_t i = 0; i < map->count; i++) {
        if (i % PART_POLL == 0) CLUMP_TRY(clump_poll(work));
        *count += map_record_at(map, i)->xyz[0] < x;
    }
    return CLUMP_OK;
}

/* Finds the last end that leaves at most `most` records, by halving: the number rises with the end. *end is *begin, the first
 * block, where there is none. */
static clump_status find_end(clump_work *work, const clump_map *map, uint32_t most, int32_t *begin, int32_t *end)
{
    int32_t lowest = INT32_MAX, highest = INT32_MIN;
    for (uint32_t i = 0; i < map->count; i++) {
        if (i % PART_POLL == 0) CLUMP_TRY(clump_poll(work));
        const int32_t block = map_block_of(map_record_at(map, i)->xyz[0]);
        if (block < lowest) lowest = block;
        if (block > highest) highest = block;
    }
    *begin = lowest < map->first ? map->first : lowest;
    int32_t low = *begin, high = highest + 1;
    while (high - low > 1) {
        const int32_t middle = low + (high - low) / 2;
        uint32_t count;
        CLUMP_TRY(count_below(work, map, 16 * (int64_t)middle + MAP_BESIDE, &count));
        if (count <= most)
            low = middle;
        else
            high = middle;
    }
    *end = low;
    return CLUMP_OK;
}

/* Moves the records that are held to the front, and makes the table anew. Chunks are kept. */
static clump_status keep_held(clump_work *work, clump_map *map)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < map->count; i++) {
        if (i % PART_POLL == 0) CLUMP_TRY(clump_poll(work));
        const map_record *const record = map_record_at(map, i);
        if (record->xyz[0] <= map->held_upper) memmove(map_record_at(map, kept++), record, sizeof *record);
    }
    map->count = kept;
    return clump_map_make_slots(work, map, (size_t)map->slot_mask + 1);
}

clump_status clump_map_give_up(clump_work *work, clump_map *map)
{
    int32_t begin, end;
    CLUMP_TRY(find_end(work, map, map->most - map->most / 4, &begin, &end));
    if (end == begin)
        return clump_fail(work, CLUMP_ERR_OUT_OF_MEMORY,
                          "%s: the %u voxels that are allowed are too few for a slice of 16 voxels along x", work->call,
                          map->most);
    clump_map_set_part(map, map->first, end);
    return keep_held(work, map);
}

clump_status clump_map_part(clump_context *ctx, clump_map *map, int32_t first, size_t max_voxels)
{
    if (!ctx) return CLUMP_ERR_ARGUMENT;
    CLUMP_TRY(clump_map_begin(ctx, map, "clump_map_part"));
    clump_work *const work = &ctx->work;
    if (map->frames > 0 || map->settled)
        return clump_fail(work, CLUMP_ERR_ARGUMENT, "%s: frames have been added already", work->call);
    if (max_voxels < 1) return clump_fail(work, CLUMP_ERR_ARGUMENT, "%s: max_voxels is 0", work->call);
    if (first != INT32_MIN && (first < -(1 << 26) || first > 1 << 26))
        return clump_fail(work, CLUMP_ERR_ARGUMENT, "%s: there is no block %d along x", work->call, first);
    map->most = max_voxels < INT32_MAX ? (uint32_t)max_voxels : INT32_MAX;
    clump_map_set_part(map, first, INT32_MAX);
    return CLUMP_OK;
}
