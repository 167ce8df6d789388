/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranks_tiles.c: clusters the tiles of a rank, each on one thread. A tile is put together from the records of all senders:
 *
 *     points   | own of rank 0, own of rank 1, ... | rim of rank 0, rim of rank 1, ... |
 *
 * The own points ascend by index, since the shares of the ranks do.
 */
#include "ranks/ranks.h"

#include "common/assert.h"
#include "common/atomics.h"

#include <stdlib.h>
#include <string.h>

/* The memory of one thread. */
typedef struct tile_desk {
    clump_context *context;
    clump_joint_settings settings;
    unsigned char *stored;
    float *xyz;
    int64_t *indices;
    uint8_t *strip; /* per own point: it may be in a rim */
} tile_desk;

typedef struct tile_queue {
    clump_ranks *ranks;
    size_t next;    /* the next tile that no thread has taken */
    size_t largest; /* points of the largest tile, rim included */
    int threads;    /* of one context */
} tile_queue;

/* ----- one tile ------------------------------------------------------------------------------------------------------ */

/* Copies records of all senders: own points, or rim points. Returns the number of points in the tile then. */
static size_t copy_records(const clump_ranks *ranks, size_t tile, const uint64_t *from, const uint32_t *counts,
                           size_t at, tile_desk *desk)
{
    CLUMP_ASSERT(tile < ranks->tiles_here);
    const size_t bytes = clump_big_frame_bytes(&ranks->frame), record = bytes + sizeof(uint32_t);
    for (int r = 0; r < ranks->mail.peers.count; r++) {
        const size_t cell = (size_t)r * ranks->tiles_here + tile;
        const unsigned char *p = ranks->received + from[cell];
        for (uint32_t i = 0; i < counts[cell]; i++, p += record, at++) {
            uint32_t place;
            clump_ranks_copy(desk->stored + at * bytes, p, bytes);
            memcpy(&place, p + bytes, sizeof place);
            desk->indices[at] = (int64_t)(ranks->starts[r] + place);
        }
    }
    return at;
}

static void find_voxel(const clump_ranks *ranks, const tile_desk *desk, size_t point, int64_t voxel[3])
{
    clump_big_voxel(&ranks->frame, desk->stored + point * clump_big_frame_bytes(&ranks->frame), voxel);
}

static bool add_strip(clump_ranks_tile *tile, clump_ranks_strip strip)
{
    if (tile->strip_count == tile->strip_room) {
        const size_t room = 2 * tile->strip_room + 256;
        clump_ranks_strip *const strips = realloc(tile->strips, room * sizeof *strips);
        if (!strips) return false;
        tile->strips = strips;
        tile->strip_room = room;
    }
    CLUMP_ASSERT(tile->strip_count < tile->strip_room);
    tile->strips[tile->strip_count++] = strip;
    return true;
}

/* Lists the own points of a tile that other ranks have in a rim, once per such rank. */
static bool list_strips(const clump_ranks *ranks, size_t number, const tile_desk *desk)
{
    CLUMP_ASSERT(number < ranks->tiles_here);
    clump_ranks_tile *const tile = &ranks->tiles[number];
    const clump_piece *const piece = tile->piece;
    const int here = ranks->mail.peers.rank;
    size_t point = 0; /* both lists ascend by index */
    for (size_t k = 0; k < piece->strip_count; k++) {
        while (desk->indices[point] != piece->strip_indices[k]) point++;
        int64_t voxel[3];
        uint32_t rims[CLUMP_TILE_RIMS];
        int count, known[CLUMP_TILE_RIMS];
        find_voxel(ranks, desk, point, voxel);
        clump_big_map_find(&ranks->map, &ranks->frame, voxel, rims, &count);
        int sent = 0;
        for (int i = 0; i < count; i++) {
            const int rank = clump_ranks_of_tile(ranks, rims[i]);
            bool again = rank == here;
            for (int j = 0; j < sent; j++) again |= known[j] == rank;
            if (again) continue;
            known[sent++] = rank;
            if (!add_strip(tile, (clump_ranks_strip){piece->strip_indices[k], piece->strip_labels[k], rank}))
                return false;
        }
    }
    return true;
}

/* Clusters the points of a tile that are on the desk. */
static clump_status cluster_points(clump_ranks *ranks, size_t number, size_t count, tile_desk *desk,
                                   clump_message *message)
{
    CLUMP_ASSERT(number < ranks->tiles_here);
    clump_ranks_tile *const tile = &ranks->tiles[number];
    const size_t own = (size_t)tile->own;
    for (size_t i = 0; i < own; i++) {
        int64_t voxel[3];
        uint32_t rims[CLUMP_TILE_RIMS];
        int rim_count;
        find_voxel(ranks, desk, i, voxel);
        clump_big_map_find(&ranks->map, &ranks->frame, voxel, rims, &rim_count);
        desk->strip[i] = rim_count > 0;
    }
    if (!clump_big_frame_floats(&ranks->frame, ranks->reader, desk->stored, count, desk->xyz))
        return clump_big_fail(message, CLUMP_ERR_INTERNAL, "a tile is too long for exact steps");
    const clump_points points = {.xyz = desk->xyz, .count = count};
    const clump_status status = clump_piece_cluster(desk->context, &desk->settings, points, own, desk->indices,
                                                    desk->strip, tile->labels, &tile->piece);
    if (status != CLUMP_OK) return clump_big_fail(message, status, "%s", clump_context_error(desk->context));
    return ranks->work ? clump_ranks_work_save(ranks, number, message) : CLUMP_OK;
}

static clump_status cluster_tile(clump_ranks *ranks, size_t number, tile_desk *desk, clump_message *message)
{
    CLUMP_ASSERT(number < ranks->tiles_here);
    clump_ranks_tile *const tile = &ranks->tiles[number];
    const size_t own = (size_t)tile->own;
    tile->labels = malloc(own * sizeof *tile->labels + 1);
    if (!tile->labels) return clump_big_no_memory(message, own * sizeof *tile->labels);
    size_t count = copy_records(ranks, number, ranks->own_from, ranks->own_counts, 0, desk);
    count = copy_records(ranks, number, ranks->rim_from, ranks->rim_counts, count, desk);
    if (ranks->work && clump_ranks_work_load(ranks, number))
        CLUMP_ADD(&ranks->skipped, 1);
    else
        CLUMP_BIG_TRY(cluster_points(ranks, number, count, desk, message));
    if (!list_strips(ranks, number, desk)) return clump_big_no_memory(message, tile->strip_room * 32);
    return CLUMP_OK;
}

/* ----- all tiles ----------------------------------------------------------------------------------------------------- */

static clump_status set_up_desk(const tile_queue *queue, tile_desk *desk, clump_message *message)
{
    const clump_ranks *const ranks = queue->ranks;
    const size_t most = queue->largest + 1, bytes = clump_big_frame_bytes(&ranks->frame);
    clump_context_options options = clump_context_defaults();
    options.backend = ranks->backend;
    options.device = ranks->device;
    options.device_limit = ranks->device_limit;
    options.threads = queue->threads;
    options.cancel = ranks->cancel;
    options.message = message;
    CLUMP_BIG_TRY(clump_context_create(&options, &desk->context));
    desk->settings = ranks->settings;
    desk->settings.min_size = 1; /* limits are those of whole clusters */
    desk->settings.max_size = 0;
    desk->stored = malloc(most * bytes);
    desk->xyz = malloc(most * 3 * sizeof *desk->xyz);
    desk->indices = malloc(most * sizeof *desk->indices);
    desk->strip = malloc(most);
    if (desk->stored && desk->xyz && desk->indices && desk->strip) return CLUMP_OK;
    return clump_big_no_memory(message, most * (bytes + 21));
}

static clump_status cluster_tiles(void *arg, int worker, clump_message *message)
{
    tile_queue *const queue = arg;
    tile_desk desk = {0};
    size_t tile = CLUMP_ADD(&queue->next, 1);
    clump_status status = tile < queue->ranks->tiles_here ? set_up_desk(queue, &desk, message) : CLUMP_OK;
    while (status == CLUMP_OK && tile < queue->ranks->tiles_here) {
        status = cluster_tile(queue->ranks, tile, &desk, message);
        if (worker == 0 && status == CLUMP_OK)
            clump_ranks_tell(queue->ranks, (double)tile / (double)queue->ranks->tiles_here);
        tile = CLUMP_ADD(&queue->next, 1);
    }
    clump_context_destroy(desk.context);
    free(desk.stored);
    free(desk.xyz);
    free(desk.indices);
    free(desk.strip);
    return status;
}

clump_status clump_ranks_cluster_tiles(clump_ranks *ranks)
{
    tile_queue queue = {.ranks = ranks, .threads = 1};
    for (size_t k = 0; k < ranks->tiles_here; k++) {
        const size_t points = (size_t)(ranks->tiles[k].own + ranks->tiles[k].rim);
        queue.largest = points > queue.largest ? points : queue.largest;
    }
    const int tiles = ranks->tiles_here < 256 ? (int)ranks->tiles_here : 256;
    if (tiles > 0 && tiles < ranks->threads) queue.threads = ranks->threads / tiles;
    clump_big_workers workers = {.count = ranks->backend == CLUMP_BACKEND_CUDA ? 1 : ranks->threads,
                                 .cancel = ranks->cancel};
    const clump_status status = clump_big_workers_run(&workers, cluster_tiles, &queue, &ranks->message);
    free(ranks->received);
    ranks->received = NULL;
    return clump_ranks_agree(ranks, status);
}
