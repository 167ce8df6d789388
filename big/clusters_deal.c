/* SPDX-License-Identifier: BSD-3-Clause
 *
 * clusters_deal.c: puts the points of all tiles into the buckets, one tile per thread.
 */
#include "clusters.h"

#include "common/assert.h"
#include "common/atomics.h"
#include "store/fail.h"
#include "store/results.h"
#include "tiles/tiles.h"

#include <stdlib.h>
#include <string.h>

#define DEAL_NOISE UINT32_MAX /* in place of a bucket */

/* What one thread has of a tile. */
typedef struct dealing {
    clump_big_loaded loaded;
    int64_t *numbers;    /* per provisional label */
    uint32_t *bucket_of; /* per provisional label */
    size_t *ends;        /* per bucket: where its points end in xyz */
    float *xyz;          /* own points with a number, bucket by bucket */
    int32_t *labels;     /* of them */
} dealing;

static void release_tile(dealing *t)
{
    free(t->numbers);
    free(t->bucket_of);
    free(t->xyz);
    free(t->labels);
    t->numbers = NULL, t->bucket_of = NULL, t->xyz = NULL, t->labels = NULL;
}

static clump_status reserve_tile(const clump_big_tile *tile, dealing *t, clump_message *message)
{
    const size_t labels = (size_t)tile->clusters + tile->choices, own = (size_t)tile->own;
    t->numbers = malloc(labels * sizeof *t->numbers + 8);
    t->bucket_of = malloc(labels * sizeof *t->bucket_of + 8);
    t->xyz = malloc(3 * own * sizeof *t->xyz + 8);
    t->labels = malloc(own * sizeof *t->labels + 8);
    return t->numbers && t->bucket_of && t->xyz && t->labels ? CLUMP_OK
                                                             : clump_big_no_memory(message, 12 * labels + 16 * own);
}

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

/* Sorts own points by bucket. */
static void sort_points(const clump_big_describing *d, dealing *t, size_t labels)
{
    const clump_big_loaded *const l = &t->loaded;
    memset(t->ends, 0, (d->count + 1) * sizeof *t->ends);
    for (size_t k = 0; k < labels; k++) t->bucket_of[k] = find_bucket(d, t->numbers[k]);
    for (size_t i = 0; i < l->own; i++) {
        const uint32_t b = (size_t)(int64_t)l->labels[i] < labels ? t->bucket_of[l->labels[i]] : DEAL_NOISE;
        if (b != DEAL_NOISE) t->ends[b + 1]++;
    }
    for (size_t b = 0; b < d->count; b++) t->ends[b + 1] += t->ends[b];
    for (size_t i = 0; i < l->own; i++) {
        const uint32_t b = (size_t)(int64_t)l->labels[i] < labels ? t->bucket_of[l->labels[i]] : DEAL_NOISE;
        if (b == DEAL_NOISE) continue;
        const size_t to = t->ends[b]++;
        memcpy(t->xyz + 3 * to, l->xyz + 3 * i, 3 * sizeof *t->xyz);
        t->labels[to] = (int32_t)(t->numbers[l->labels[i]] - d->buckets[b].first);
    }
}

/* Appends the points of a tile to the buckets. */
static clump_status write_points(clump_big_describing *d, const dealing *t, clump_message *message)
{
    size_t from = 0;
    for (size_t k = 0; k < d->count; from = t->ends[k++]) {
        clump_big_bucket *const b = &d->buckets[k];
        const size_t now = t->ends[k] - from;
        if (now == 0) continue;
        CLUMP_BIG_TRY(clump_big_workers_poll(&d->job->workers, message));
        const uint64_t at = CLUMP_ADD(&b->filled, now), begin = 16 * b->before;
        if (at + now > b->count)
            return clump_big_fail(message, CLUMP_ERR_INTERNAL, "clusters have more points than were counted");
        CLUMP_BIG_TRY(clump_big_file_write(&d->file, begin + 12 * at, t->xyz + 3 * from, 12 * now, message));
        CLUMP_BIG_TRY(
            clump_big_file_write(&d->file, begin + 12 * b->count + 4 * at, t->labels + from, 4 * now, message));
    }
    return CLUMP_OK;
}

static clump_status deal_tile(clump_big_describing *d, uint32_t number, dealing *t, clump_message *message)
{
    CLUMP_ASSERT(number < d->job->tile_count);
    const clump_big_job *const job = d->job;
    const clump_big_tile *const tile = &job->tiles[number];
    const size_t labels = (size_t)tile->clusters + tile->choices;
    CLUMP_BIG_TRY(reserve_tile(tile, t, message));
    CLUMP_BIG_TRY(clump_big_file_read(&job->numbers, 8 * tile->base, t->numbers, 8 * labels, message));
    CLUMP_BIG_TRY(clump_big_tile_load(job, &d->frame, number, &t->loaded, message));
    CLUMP_BIG_TRY(
        clump_big_results_read(job, tile, CLUMP_BIG_PART_LABELS, 0, t->loaded.own, t->loaded.labels, message));
    sort_points(d, t, labels);
    return write_points(d, t, message);
}

static clump_status deal_tiles(void *arg, int worker, clump_message *message)
{
    clump_big_describing *const d = arg;
    clump_big_job *const job = d->job;
    dealing t = {0};
    if (worker >= (d->heavy ? 1 : job->budget.tilers)) return CLUMP_OK;
    t.ends = malloc((d->count + 1) * sizeof *t.ends);
    clump_status status = t.ends ? CLUMP_OK : clump_big_no_memory(message, (d->count + 1) * sizeof *t.ends);
    while (status == CLUMP_OK && !clump_big_stopped(&job->workers)) {
        const uint32_t number = CLUMP_ADD(&d->next, 1);
        if (number >= job->tile_count) break;
        const clump_big_tile *const tile = &job->tiles[number];
        if (!tile->done || tile->clusters == 0 || clump_big_tile_is_heavy(job, tile) != d->heavy) continue;
        if (worker == 0)
            clump_big_tell(job, CLUMP_BIG_CLUSTERS,
                           CLUMP_BIG_BUCKETS_END +
                               (CLUMP_BIG_DEAL_END - CLUMP_BIG_BUCKETS_END) * number / job->tile_count);
        status = deal_tile(d, number, &t, message);
        release_tile(&t);
    }
    clump_big_tile_unload(&t.loaded);
    free(t.ends);
    return status;
}

clump_status clump_big_clusters_deal(clump_big_describing *d, clump_message *message)
{
    clump_big_job *const job = d->job;
    d->next = 0, d->heavy = false;
    CLUMP_BIG_TRY(clump_big_workers_run(&job->workers, deal_tiles, d, message));
    d->next = 0, d->heavy = true;
    CLUMP_BIG_TRY(clump_big_workers_run(&job->workers, deal_tiles, d, message));
    for (size_t k = 0; k < d->count; k++)
        if (d->buckets[k].filled != d->buckets[k].count)
            return clump_big_fail(message, CLUMP_ERR_INTERNAL, "clusters have fewer points than were counted");
    return CLUMP_OK;
}
