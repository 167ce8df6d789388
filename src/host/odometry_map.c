/* SPDX-License-Identifier: BSD-3-Clause
 *
 * odometry_map.c: see odometry.h. The points are one array, in the order in which they came, and a hash table has the number
 * of the point of each voxel. Far points leave when the sensor has moved by a tenth of the range, not in every frame: then the
 * array is packed and the table is made anew. The origin moves with it, by whole voxels, so coordinates stay small. Moving it
 * rounds a point again, which may take it to the next voxel: of two points in one voxel the first stays.
 */
#include "host/odometry.h"

#include "rules/voxel.h"

#include <math.h>
#include <string.h>

#define MAP_FREE UINT32_MAX
#define MAP_STEP 0.1 /* of the range: between two removals */

/* Whether the voxel of point `number` is empty. If so, the point takes it. */
static inline bool take(const clump_work *home, const clump_local_map *map, uint32_t number)
{
    const float *const points = map->points.data;
    uint32_t *const table = map->table.data;
    const uint32_t mask = (uint32_t)(map->slots - 1);
    const clump_voxel mine = clump_voxel_of(points + 3 * (size_t)number, map->side, false);
    uint32_t slot = clump_hash_slot_masked(clump_voxel_hash(home->hash_key, mine), mask);
    while (table[slot] != MAP_FREE) {
        if (clump_voxel_same(clump_voxel_of(points + 3 * (size_t)table[slot], map->side, false), mine)) return false;
        slot = (slot + 1) & mask;
    }
    table[slot] = number;
    return true;
}

/* Makes the table anew, and packs the points that stay. */
static void rebuild(const clump_work *home, clump_local_map *map, size_t count)
{
    float *const points = map->points.data;
    memset(map->table.data, 0xff, map->slots * sizeof(uint32_t)); /* MAP_FREE */
    map->count = 0;
    for (size_t i = 0; i < count; i++) {
        memmove(points + 3 * map->count, points + 3 * i, 3 * sizeof(float));
        map->count += take(home, map, (uint32_t)map->count);
    }
}

clump_status clump_local_map_reserve(clump_work *home, clump_local_map *map, size_t more)
{
    const size_t most = map->count + more, bytes = 3 * most * sizeof(float);
    size_t slots = map->slots > 0 ? map->slots : 2;
    while (slots < 2 * most) slots *= 2;
    if (bytes > map->points.bytes)
        CLUMP_TRY(clump_buffer_grow(home, &map->points, bytes + bytes / 2, 3 * map->count * sizeof(float)));
    if (slots == map->slots) return CLUMP_OK;
    /* on failure the table stays as it is, for its slots */
    CLUMP_TRY(clump_buffer_grow(home, &map->table, slots * sizeof(uint32_t), map->slots * sizeof(uint32_t)));
    map->slots = slots;
    rebuild(home, map, map->count);
    return CLUMP_OK;
}

/* Removes far points and moves the origin to the voxel of the sensor. */
static void clean(const clump_work *home, clump_local_map *map, const double sensor[3])
{
    float *const points = map->points.data;
    const double most2 = (double)map->range * (double)map->range;
    double shift[3];
    for (int k = 0; k < 3; k++) {
        shift[k] = floor((sensor[k] - map->origin[k]) / (double)map->side) * (double)map->side;
        map->origin[k] += shift[k];
        map->cleaned[k] = sensor[k];
    }
    size_t kept = 0;
    for (size_t i = 0; i < map->count; i++) {
        float p[3];
        double square = 0;
        for (int k = 0; k < 3; k++) {
            p[k] = (float)((double)points[3 * i + (size_t)k] - shift[k]);
            const double off = (double)p[k] - (sensor[k] - map->origin[k]);
            square += off * off;
        }
        if (square > most2) continue;
        memcpy(points + 3 * kept++, p, sizeof p);
    }
    rebuild(home, map, kept);
}

void clump_local_map_add(clump_work *home, clump_local_map *map, const clump_rigid *pose, const float *xyz,
                         size_t count)
{
    CLUMP_ASSERT(map->slots >= 2 * (map->count + count));
    CLUMP_ASSERT(map->points.bytes >= 3 * (map->count + count) * sizeof(float));
    double square = 0;
    for (int k = 0; k < 3; k++) square += (pose->move[k] - map->cleaned[k]) * (pose->move[k] - map->cleaned[k]);
    if (square > (MAP_STEP * (double)map->range) * (MAP_STEP * (double)map->range)) clean(home, map, pose->move);
    float *const points = map->points.data;
    for (size_t i = 0; i < count; i++) {
        float *const at = points + 3 * map->count;
        for (int k = 0; k < 3; k++)
            at[k] = clump_moved(pose->turn + 3 * k, pose->move[k] - map->origin[k], xyz + 3 * i);
        map->count += take(home, map, (uint32_t)map->count);
    }
}

void clump_local_map_set_side(clump_work *home, clump_local_map *map, float side)
{
    if (side == map->side) return;
    map->side = side;
    if (map->count > 0) rebuild(home, map, map->count);
}

size_t clump_local_map_pad(const clump_local_map *map)
{
    const size_t room = map->points.bytes / (3 * sizeof(float)), wanted = map->count + map->count / 4;
    const size_t count = wanted < room ? wanted : room;
    float *const points = map->points.data;
    for (size_t i = map->count; i < count; i++)
        memcpy(points + 3 * i, points + 3 * (i - map->count), 3 * sizeof(float));
    return count;
}

void clump_local_map_clear(clump_local_map *map)
{
    map->count = 0;
    for (int k = 0; k < 3; k++) map->origin[k] = map->cleaned[k] = 0;
    if (map->slots > 0) memset(map->table.data, 0xff, map->slots * sizeof(uint32_t));
}
