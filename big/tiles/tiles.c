/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tiles.c: clusters the tiles, one per thread. A finished tile gives its space in the log back where space is
 * short.
 */
#include "job.h"

#include "common/assert.h"
#include "common/atomics.h"
#include "store/results.h"
#include "tiles/tiles.h"

#include <stdlib.h>

enum { TILES_LEAST_HOLE = 4096 }; /* bytes: smaller holes free nothing */

typedef struct tile_queue {
    clump_big_job *job;
    uint32_t next;   /* atomic */
    uint64_t points; /* atomic: own points of tiles that are done */
    int threads;     /* that take tiles */
    bool heavy;      /* only tiles that need the memory of all threads */
} tile_queue;

static clump_status make_context(const clump_big_job *job, int takers, clump_context **out, clump_message *message)
{
    clump_context_options o = clump_context_defaults();
    const int threads = job->budget.threads / takers;
    o.backend = job->options->backend;
    o.device = job->options->device;
    o.device_limit = job->options->device_limit / (size_t)takers;
    o.threads = threads > 1 ? threads : 1;
    o.cancel = job->options->cancel;
    o.message = message;
    return clump_context_create(&o, out);
}

/* Only where space is short: the call waits until the data is on the disk. Descriptions of clusters need the points again. */
static clump_status give_space_back(clump_big_job *job, uint32_t number, clump_message *message)
{
    CLUMP_ASSERT(number < job->tile_count);
    if ((!job->tight && !job->hooks->punch) || job->options->clusters) return CLUMP_OK;
    for (size_t k = job->segments[number]; k < job->segments[number + 1]; k++) {
        const clump_big_segment *const s = &job->log.segments[k];
        const size_t bytes = clump_big_segment_bytes(&job->log, s);
        if (bytes >= TILES_LEAST_HOLE)
            CLUMP_BIG_TRY(clump_big_file_punch(&job->log.file, s->at + CLUMP_BIG_SEGMENT_HEAD,
                                               bytes - CLUMP_BIG_SEGMENT_HEAD, message));
    }
    return CLUMP_OK;
}

/* Makes the piece of a loaded tile, and writes its labels. */
static clump_status make_piece(const clump_big_job *job, clump_context *ctx, clump_big_loaded *l,
                               const clump_big_thinned *thinned, clump_piece **out)
{
    const bool thins = job->frame.thin > 0;
    const clump_points points = {.xyz = l->xyz, .count = thins ? thinned->count : l->count};
    const clump_status status = clump_piece_cluster(ctx, &job->settings, points, thins ? thinned->own : l->own,
                                                    thins ? thinned->indices : l->indices, l->strip, l->labels, out);
    if (status == CLUMP_OK && thins) clump_big_thin_carry(thinned, l, *out);
    return status;
}

static clump_status cluster_tile(clump_big_job *job, clump_context *ctx, uint32_t number, clump_big_loaded *l,
                                 clump_message *message)
{
    CLUMP_ASSERT(number < job->tile_count);
    clump_piece *piece = NULL;
    clump_big_grouped grouped = {0};
    clump_big_thinned thinned = {0};
    CLUMP_BIG_TRY(clump_big_tile_load(job, &job->frame, number, l, message));
    clump_status status = CLUMP_OK;
    if (job->frame.thin > 0) {
        status = clump_big_thin_select(job, l, &thinned, message);
        job->tiles[number].thinned = l->own - thinned.own;
    }
    if (status == CLUMP_OK && job->groups) {
        status = clump_big_groups_cluster(job, ctx, number, l, &grouped, message);
    } else if (status == CLUMP_OK) {
        status = make_piece(job, ctx, l, &thinned, &piece);
        if (status != CLUMP_OK) clump_big_fail(message, status, "tile %u: %s", number, clump_context_error(ctx));
    }
    if (status == CLUMP_OK)
        status = clump_big_results_add(job, number, piece ? piece : &grouped.piece, grouped.groups, l->indices,
                                       l->labels, message);
    clump_piece_destroy(piece);
    free(grouped.memory);
    clump_big_thin_release(&thinned);
    CLUMP_BIG_TRY(status);
    return give_space_back(job, number, message);
}

bool clump_big_tile_is_heavy(const clump_big_job *job, const clump_big_tile *tile)
{
    return !job->hooks->most && tile->own + tile->rim > 2 * job->budget.most;
}

static clump_status take_tiles(void *arg, int worker, clump_message *message)
{
    tile_queue *const queue = arg;
    clump_big_job *const job = queue->job;
    clump_context *ctx = NULL;
    clump_big_loaded loaded = {0};
    if (worker >= queue->threads) return CLUMP_OK;
    clump_status status = make_context(job, queue->threads, &ctx, message);
    while (status == CLUMP_OK && !clump_big_stopped(&job->workers)) {
        const uint32_t number = CLUMP_ADD(&queue->next, 1);
        if (number >= job->tile_count) break;
        clump_big_tile *const tile = &job->tiles[number];
        if (tile->done || tile->own == 0 || clump_big_tile_is_heavy(job, tile) != queue->heavy) continue;
        status = cluster_tile(job, ctx, number, &loaded, message);
        CLUMP_ADD(&queue->points, tile->own);
        if (worker == 0 && status == CLUMP_OK)
            clump_big_tell(job, CLUMP_BIG_TILES, (double)CLUMP_LOAD(&queue->points) / (double)(job->own + 1));
    }
    clump_big_tile_unload(&loaded);
    clump_context_destroy(ctx);
    return status;
}

clump_status clump_big_cluster_tiles(clump_big_job *job, clump_message *message)
{
    tile_queue queue = {.job = job, .threads = job->budget.tilers};
    for (uint32_t t = 0; t < job->tile_count; t++) queue.points += job->tiles[t].done ? job->tiles[t].own : 0;
    CLUMP_BIG_TRY(clump_big_step(job, CLUMP_BIG_TILES, (double)queue.points / (double)(job->own + 1), message));
    CLUMP_BIG_TRY(clump_big_workers_run(&job->workers, take_tiles, &queue, message));
    bool heavy = false;
    for (uint32_t t = 0; t < job->tile_count; t++)
        heavy |= !job->tiles[t].done && clump_big_tile_is_heavy(job, &job->tiles[t]);
    queue = (tile_queue){.job = job, .threads = 1, .heavy = true, .points = queue.points};
    return heavy ? clump_big_workers_run(&job->workers, take_tiles, &queue, message) : CLUMP_OK;
}
