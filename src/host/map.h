/* SPDX-License-Identifier: BSD-3-Clause
 *
 * map.h: what the files of clump_map share.
 *
 *     map.c         frames -> voxels with sums, in the order of their first points
 *     map_part.c    parts of maps that are larger than memory
 *     map_settle.c  voxels -> voxels with points and windows, by blocks
 *     map_look.c    beams of a frame -> passes
 *     map_points.c  passes and observations -> the cloud
 *
 * A voxel is found by a hash table with linear probing: a slot holds the index of a voxel + 1, or 0.
 */
#ifndef CLUMP_HOST_MAP_H
#define CLUMP_HOST_MAP_H

#include "core/context.h"

#include <clump/map.h>

/* While frames are added. */
typedef struct map_record {
    int32_t xyz[3];
    int32_t first, last; /* frames */
    uint32_t serial;     /* of the last call that added a point that stands */
    uint32_t observations;
    uint32_t points;
    uint32_t moving, moving_serial; /* calls that added a point that moves; the last of them */
    uint64_t sums[3];               /* of the places inside, in 1/65536 of a side */
} map_record;

/* When all frames have been added. */
typedef struct map_voxel {
    int32_t xyz[3];
    float place[3];                /* of the point inside of the voxel, 0 to 1 */
    int32_t first, last;           /* frames: the window */
    uint32_t observations, passes; /* observations are 0 where all points move; then place and window are unused */
} map_voxel;

/* Consecutive voxels. */
enum { MAP_GROUP = 256 };
typedef struct map_group {
    int32_t lower[3], upper[3]; /* voxels, both included */
} map_group;

/* Whether a voxel stays depends on voxels that are at most this far away: windows 1, passes around 1, surroundings 2. */
enum { MAP_BESIDE = 4 };

/* Returns floor(v / 16); |v| is 2^30 at most. */
static inline int32_t map_block_of(int32_t v)
{
    return (v - (v & 15)) / 16;
}

/* Records lie in chunks, so that they are never copied: a copy of all could not be cancelled. */
enum { MAP_CHUNK_BITS = 14, MAP_CHUNK = 1 << MAP_CHUNK_BITS };

struct clump_map {
    clump_work home; /* holds the memory, as for an index */
    clump_map_options options;
    uint32_t count;       /* voxels */
    uint32_t frames;      /* calls of clump_map_add */
    uint32_t slot_mask;   /* slots - 1 */
    bool settled, broken; /* all frames were added; a call has failed */

    int32_t first, end;             /* the blocks along x that the map has */
    int32_t held_lower, held_upper; /* the voxels along x that are held: those and MAP_BESIDE more, both included */
    uint32_t most;                  /* voxels */
    int32_t lower[3];               /* of all voxels, also those that are not held */
    bool any;                       /* there is one */

    clump_buffer slots;   /* uint32_t */
    clump_buffer chunks;  /* clump_buffer, each of map_records */
    size_t chunk_count;   /* in use */
    clump_buffer scratch; /* clump_map_add: points on their way */

    clump_buffer voxels, groups;
    clump_buffer words, spare, counters; /* sorting */
    clump_buffer beams, cells, reach;    /* clump_map_look */
    clump_buffer dropped;                /* clump_map_points: two bytes per voxel */
    clump_buffer xyz, observations, passes;
};

static inline map_record *map_record_at(const clump_map *map, uint32_t index)
{
    const clump_buffer *const chunks = map->chunks.data;
    return (map_record *)chunks[index >> MAP_CHUNK_BITS].data + (index & (MAP_CHUNK - 1));
}

/* Reserves memory of the map; the message of a failure goes to `work`. Keeps no contents. */
clump_status clump_map_reserve(clump_work *work, clump_map *map, clump_buffer *buffer, size_t bytes);

/* Begins a public call: checks that there is a map and that it is whole. */
clump_status clump_map_begin(clump_context *ctx, clump_map *map, const char *call);

/* Checks that a pose turns and moves only. */
clump_status clump_map_check_pose(clump_work *work, const double pose[12]);

/* Sets the blocks along x that the map has; end INT32_MAX: all from `first` on. */
void clump_map_set_part(clump_map *map, int32_t first, int32_t end);

/* Gives blocks up, so that at most 3/4 of the voxels are left; fails where one block along x has more. */
clump_status clump_map_give_up(clump_work *work, clump_map *map);

/* Makes the table of the records anew, with at least as many slots. */
clump_status clump_map_make_slots(clump_work *work, clump_map *map, size_t slots);

/* Marks the map as broken where a step has failed. Returns the status. */
static inline clump_status map_break(clump_map *map, clump_status status)
{
    if (status != CLUMP_OK) map->broken = true;
    return status;
}

/* Releases what only clump_map_add() needs. */
void clump_map_release_records(clump_map *map);

/* Ends the adding of frames, where that has not been done. */
clump_status clump_map_settle(clump_work *work, clump_map *map);

/* Returns the voxel at these coordinates of a settled map, or null. */
static inline const map_voxel *map_find(const clump_map *map, int32_t x, int32_t y, int32_t z)
{
    const uint32_t *const slots = map->slots.data;
    const map_voxel *const voxels = map->voxels.data;
    const uint32_t hash = clump_hash(map->home.hash_key, x, y, z, 0);
    for (uint32_t at = clump_hash_slot_masked(hash, map->slot_mask); slots[at] != 0; at = (at + 1) & map->slot_mask) {
        const map_voxel *const v = &voxels[slots[at] - 1];
        if (v->xyz[0] == x && v->xyz[1] == y && v->xyz[2] == z) return v;
    }
    return NULL;
}

#endif
