/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranks_sort.c: sorts the points of a share by tile, and divides the tiles among the ranks.
 *
 *     share       | slice 0 | slice 1 | ...        one slice per thread
 *     order       | tile 0: slice 0, slice 1, ... | tile 1: slice 0, ...        places of own points
 *     rim_order   the same of rim points
 *
 * Places ascend within a tile, as slices do. The tiles of a rank follow each other, so what is sent to a rank is one part of
 * each array.
 */
#include "ranks/ranks.h"
#include "common/assert.h"
#include "peers/peers.h"

#include <stdlib.h>

enum { SORT_AT_ONCE = 1 << 16 }; /* points between two looks at whether the caller has cancelled */

/* A rim point: its number among the stored points, and the tile that has it in its rim. */
typedef struct sort_rim {
    uint32_t point, tile;
} sort_rim;

typedef struct sort_slice {
    size_t begin, end;
    uint64_t *own, *rim; /* per tile: points of this slice; then where the next one goes */
    sort_rim *rims;
    size_t rim_count, rim_room;
} sort_slice;

typedef struct sorting {
    clump_ranks *ranks;
    uint32_t *tile_of; /* per stored point */
    sort_slice *slices;
    int slice_count;
    int next; /* the next slice that no thread has taken */
} sorting;

static sort_slice *take_slice(sorting *s)
{
    const int slice = __atomic_fetch_add(&s->next, 1, __ATOMIC_RELAXED);
    return slice < s->slice_count ? &s->slices[slice] : NULL;
}

static bool add_rim(sort_slice *slice, uint32_t point, uint32_t tile)
{
    if (slice->rim_count == slice->rim_room) {
        const size_t room = 2 * slice->rim_room + 1024;
        sort_rim *const rims = realloc(slice->rims, room * sizeof *rims);
        if (!rims) return false;
        slice->rims = rims;
        slice->rim_room = room;
    }
    CLUMP_ASSERT(slice->rim_count < slice->rim_room);
    slice->rims[slice->rim_count++] = (sort_rim){point, tile};
    slice->rim[tile]++;
    return true;
}

static clump_status find_tiles(void *arg, int worker, clump_message *message)
{
    sorting *const s = arg;
    const clump_ranks *const ranks = s->ranks;
    for (sort_slice *slice; (slice = take_slice(s));) {
        for (size_t i = slice->begin; i < slice->end; i++) {
            if (i % SORT_AT_ONCE == 0 && clump_ranks_cancelled(ranks)) return CLUMP_OK;
            if (i % SORT_AT_ONCE == 0 && worker == 0)
                clump_ranks_tell(s->ranks, (double)i / (double)(2 * ranks->taken));
            int64_t voxel[3];
            uint32_t rims[CLUMP_TILE_RIMS];
            int count;
            clump_big_voxel(&ranks->frame, clump_ranks_point(ranks, i), voxel);
            const uint32_t tile = clump_big_map_find(&ranks->map, &ranks->frame, voxel, rims, &count);
            s->tile_of[i] = tile;
            slice->own[tile]++;
            for (int k = 0; k < count; k++)
                if (!add_rim(slice, (uint32_t)i, rims[k]))
                    return clump_big_no_memory(message, 2 * slice->rim_room * sizeof(sort_rim));
        }
    }
    return CLUMP_OK;
}

/* Turns counts into places: where each slice begins within each tile. */
static void find_places(sorting *s)
{
    clump_ranks *const ranks = s->ranks;
    uint64_t own = 0, rim = 0;
    for (uint32_t t = 0; t < ranks->map.tile_count; t++) {
        ranks->own_at[t] = own;
        ranks->rim_at[t] = rim;
        for (int k = 0; k < s->slice_count; k++) {
            const uint64_t own_here = s->slices[k].own[t], rim_here = s->slices[k].rim[t];
            s->slices[k].own[t] = own;
            s->slices[k].rim[t] = rim;
            own += own_here;
            rim += rim_here;
        }
    }
    ranks->own_at[ranks->map.tile_count] = own;
    ranks->rim_at[ranks->map.tile_count] = rim;
}

static clump_status put_points(void *arg, int worker, clump_message *message)
{
    sorting *const s = arg;
    (void)worker, (void)message;
    for (sort_slice *slice; (slice = take_slice(s));) {
        for (size_t i = slice->begin; i < slice->end; i++) {
            if (i % SORT_AT_ONCE == 0 && clump_ranks_cancelled(s->ranks)) return CLUMP_OK;
            s->ranks->order[slice->own[s->tile_of[i]]++] = (uint32_t)i;
        }
        for (size_t k = 0; k < slice->rim_count; k++)
            s->ranks->rim_order[slice->rim[slice->rims[k].tile]++] = slice->rims[k].point;
    }
    return CLUMP_OK;
}

/* ----- memory ------------------------------------------------------------------------------------------------------- */

static clump_status make_slices(sorting *s)
{
    clump_ranks *const ranks = s->ranks;
    const size_t tiles = ranks->map.tile_count, slices = (size_t)ranks->threads;
    s->tile_of = clump_big_room(ranks->taken * sizeof *s->tile_of);
    s->slices = calloc(slices, sizeof *s->slices);
    ranks->own_at = calloc(tiles + 1, sizeof *ranks->own_at);
    ranks->rim_at = calloc(tiles + 1, sizeof *ranks->rim_at);
    ranks->first_tile = calloc((size_t)ranks->mail.peers.count + 1, sizeof *ranks->first_tile);
    bool complete = s->tile_of && s->slices && ranks->own_at && ranks->rim_at && ranks->first_tile;
    for (size_t k = 0; k < slices && complete; k++) {
        sort_slice *const slice = &s->slices[k];
        s->slice_count = (int)k + 1;
        slice->begin = ranks->taken * k / slices;
        slice->end = ranks->taken * (k + 1) / slices;
        slice->own = calloc(tiles, sizeof *slice->own);
        slice->rim = calloc(tiles, sizeof *slice->rim);
        complete = slice->own && slice->rim;
    }
    return complete ? CLUMP_OK : clump_big_no_memory(&ranks->message, ranks->taken * sizeof *s->tile_of);
}

static clump_status make_orders(sorting *s)
{
    clump_ranks *const ranks = s->ranks;
    find_places(s);
    const size_t own = (size_t)ranks->own_at[ranks->map.tile_count], rim = (size_t)ranks->rim_at[ranks->map.tile_count];
    ranks->order = clump_big_room(own * sizeof *ranks->order);
    ranks->rim_order = malloc(rim * sizeof *ranks->rim_order + 1);
    if (ranks->order && ranks->rim_order) return CLUMP_OK;
    return clump_big_no_memory(&ranks->message, (own + rim) * sizeof *ranks->order);
}

static void free_slices(sorting *s)
{
    for (int k = 0; k < s->slice_count; k++) {
        free(s->slices[k].own);
        free(s->slices[k].rim);
        free(s->slices[k].rims);
    }
    free(s->slices);
    free(s->tile_of);
}

/* ----- tiles of ranks ------------------------------------------------------------------------------------------------ */

/* Divides the tiles among the ranks by their points, rims included. */
static clump_status share_tiles(clump_ranks *ranks)
{
    const size_t tiles = ranks->map.tile_count;
    uint64_t *const loads = malloc(2 * tiles * sizeof *loads);
    clump_status status = clump_ranks_agree(ranks, loads ? CLUMP_OK : clump_big_no_memory(&ranks->message, 16 * tiles));
    for (size_t t = 0; t < tiles && status == CLUMP_OK; t++) {
        loads[t] = ranks->own_at[t + 1] - ranks->own_at[t];
        loads[tiles + t] = ranks->rim_at[t + 1] - ranks->rim_at[t];
    }
    if (status == CLUMP_OK) status = clump_ranks_sent(ranks, clump_mail_sum(&ranks->mail, loads, 2 * tiles));
    uint64_t total = 0;
    for (size_t t = 0; t < tiles && status == CLUMP_OK; t++) {
        ranks->rims += loads[tiles + t];
        loads[t] += loads[tiles + t];
        total += loads[t];
    }
    const int count = ranks->mail.peers.count;
    if (status == CLUMP_OK) clump_ranks_share(loads, ranks->map.tile_count, count, ranks->first_tile);
    for (int r = 0; r < count && status == CLUMP_OK; r++) {
        uint64_t load = 0;
        for (uint32_t t = ranks->first_tile[r]; t < ranks->first_tile[r + 1]; t++) load += loads[t];
        ranks->loads_most = load > ranks->loads_most ? load : ranks->loads_most;
    }
    ranks->loads_mean = total / (uint64_t)count;
    free(loads);
    return status;
}

clump_status clump_ranks_sort(clump_ranks *ranks)
{
    sorting s = {.ranks = ranks};
    clump_status status = make_slices(&s);
    if (status == CLUMP_OK) status = clump_ranks_work(ranks, find_tiles, &s);
    if (status == CLUMP_OK) status = make_orders(&s);
    s.next = 0;
    if (status == CLUMP_OK) status = clump_ranks_work(ranks, put_points, &s);
    free_slices(&s);
    CLUMP_BIG_TRY(clump_ranks_agree(ranks, status));
    return share_tiles(ranks);
}
