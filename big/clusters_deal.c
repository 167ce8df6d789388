/* SPDX-License-Identifier: BSD-3-Clause
 *
 * clusters_deal.c: puts the points of all tiles into the buckets, one tile per thread. Points of buckets of other ranks are
 * sent in rounds of some tiles.
 */
#include "clusters.h"

#include "common/assert.h"
#include "common/atomics.h"
#include "store/results.h"
#include "tiles/tiles.h"

#include <stdlib.h>
#include <string.h>

#define DEAL_NOISE UINT32_MAX /* in place of a bucket */

/* Memory of one thread. */
typedef struct dealing {
    clump_big_loaded loaded;
    clump_big_sink sink;
    int64_t *numbers;    /* per provisional label of the tile */
    uint32_t *bucket_of; /* behind them, likewise */
} dealing;

/* Returns the bucket of a number. */
static uint32_t find_bucket(const clump_big_describing *d, int64_t number)
{
    size_t low = 0, high = d->count;
    if (number < 0 || number >= d->job->result.clusters) return DEAL_NOISE;
    while (high - low > 1) {
        const size_t middle = (low + high) / 2;
        *(d->buckets[middle].first <= number ? &low : &high) = middle;
    }
    CLUMP_ASSERT(low < d->count && d->buckets[low].first <= number);
    return (uint32_t)low;
}

/* Puts the own points of a loaded tile into the buckets. */
static clump_status deal_points(const clump_big_describing *d, dealing *t, size_t labels, clump_message *message)
{
    const clump_big_loaded *const l = &t->loaded;
    for (size_t k = 0; k < labels; k++) t->bucket_of[k] = find_bucket(d, t->numbers[k]);
    for (size_t i = 0; i < l->own; i++) {
        if (i % CLUMP_BLOCK_POINTS == 0) CLUMP_BIG_TRY(clump_big_workers_poll(&d->job->workers, message));
        const size_t label = (size_t)(int64_t)l->labels[i];
        if (label >= labels || t->bucket_of[label] == DEAL_NOISE) continue;
        const uint32_t bucket = t->bucket_of[label];
        const int32_t number = (int32_t)(t->numbers[label] - d->buckets[bucket].first);
        unsigned char point[CLUMP_BIG_DEALT + sizeof(uint16_t)];
        memcpy(point, l->xyz + 3 * i, 3 * sizeof *l->xyz);
        memcpy(point + 12, &number, sizeof number);
        if (l->ids) memcpy(point + CLUMP_BIG_DEALT, &l->ids[i], sizeof *l->ids);
        CLUMP_BIG_TRY(clump_big_sink_add(&t->sink, bucket, 0, 0, point, NULL, 1, message));
    }
    return CLUMP_OK;
}

static clump_status deal_tile(const clump_big_describing *d, uint32_t number, dealing *t, clump_message *message)
{
    CLUMP_ASSERT(number < d->job->tile_count);
    const clump_big_job *const job = d->job;
    const clump_big_tile *const tile = &job->tiles[number];
    const size_t labels = (size_t)tile->clusters + tile->choices;
    t->numbers = malloc(labels * (sizeof *t->numbers + sizeof *t->bucket_of) + 8);
    if (!t->numbers) return clump_big_no_memory(message, 12 * labels);
    t->bucket_of = (uint32_t *)(void *)(t->numbers + labels);
    clump_status status =
        clump_big_file_read(&job->numbers, 8 * tile->base, t->numbers, labels * sizeof *t->numbers, message);
    if (status == CLUMP_OK) status = clump_big_tile_load(job, &d->frame, number, &t->loaded, message);
    if (status == CLUMP_OK)
        status = clump_big_results_read(job, tile, CLUMP_BIG_PART_LABELS, 0, t->loaded.own, t->loaded.labels, message);
    if (status == CLUMP_OK) status = deal_points(d, t, labels, message);
    free(t->numbers);
    return status;
}

static clump_status deal_tiles(void *arg, int worker, clump_message *message)
{
    clump_big_describing *const d = arg;
    clump_big_job *const job = d->job;
    dealing t = {0};
    if (worker >= (d->heavy ? 1 : job->budget.tilers)) return CLUMP_OK;
    clump_status status =
        clump_big_sink_open(&d->log, 0, (uint32_t)d->count, job->budget.buffers / 2, &t.sink, message);
    while (status == CLUMP_OK && !clump_big_stopped(&job->workers) && CLUMP_LOAD(&d->outbox.bytes) < job->mail.most) {
        const uint32_t number = CLUMP_ADD(&d->next, 1);
        if (number >= job->tile_count) break;
        const clump_big_tile *const tile = &job->tiles[number];
        if (!tile->done || tile->clusters == 0 || clump_big_tile_is_heavy(job, tile) != d->heavy) continue;
        if (worker == 0)
            clump_big_tell(job, CLUMP_BIG_CLUSTERS,
                           CLUMP_BIG_BUCKETS_END +
                               (CLUMP_BIG_DEAL_END - CLUMP_BIG_BUCKETS_END) * number / job->tile_count);
        status = deal_tile(d, number, &t, message);
    }
    if (status == CLUMP_OK) status = clump_big_sink_flush(&t.sink, message);
    clump_big_tile_unload(&t.loaded);
    clump_big_sink_close(&t.sink);
    return status;
}

static int rank_of_bucket(const clump_big_job *job, uint32_t bucket)
{
    return (int)(bucket % (uint32_t)clump_big_ranks(job));
}

/* Makes the log of the buckets. */
static clump_status open_log(clump_big_describing *d, clump_message *message)
{
    clump_big_job *const job = d->job;
    const size_t bytes = CLUMP_BIG_DEALT + (job->groups ? sizeof(uint16_t) : 0);
    d->begin = malloc((d->count + 1) * sizeof *d->begin);
    if (!d->begin) return clump_big_no_memory(message, (d->count + 1) * sizeof *d->begin);
    CLUMP_BIG_TRY(clump_big_disk_remove(&job->disk, CLUMP_BIG_CLUSTERS_NAME, message));
    CLUMP_BIG_TRY(clump_big_log_open(&job->disk, CLUMP_BIG_CLUSTERS_NAME, bytes, false, &d->log, message));
    return clump_big_outbox_open(job, &d->log, rank_of_bucket, &d->outbox, message);
}

clump_status clump_big_clusters_deal(clump_big_describing *d, clump_message *message)
{
    clump_big_job *const job = d->job;
    CLUMP_BIG_TRY(clump_big_agree(job, open_log(d, message), message));
    for (int heavy = 0; heavy < 2; heavy++) {
        d->next = 0, d->heavy = heavy;
        for (bool more = true; more;) {
            const clump_status status = clump_big_workers_run(&job->workers, deal_tiles, d, message);
            more = d->next < job->tile_count;
            CLUMP_BIG_TRY(clump_big_agree_any(job, status, &more, message));
            CLUMP_BIG_TRY(clump_big_outbox_send(&d->outbox, (uint32_t)d->count, message));
        }
    }
    clump_big_log_sort(&d->log, (uint32_t)d->count, d->begin);
    return CLUMP_OK;
}
