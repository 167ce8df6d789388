/* SPDX-License-Identifier: BSD-3-Clause
 *
 * clusters_deal.c: puts the points of all tiles into the buckets, one tile per thread. Points of buckets of other ranks are
 * sent in rounds of some tiles.
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
    uint16_t *ids;       /* of them, with classes */
} dealing;

static void release_tile(dealing *t)
{
    free(t->numbers);
    free(t->bucket_of);
    free(t->xyz);
    free(t->labels);
    free(t->ids);
    t->numbers = NULL, t->bucket_of = NULL, t->xyz = NULL, t->labels = NULL, t->ids = NULL;
}

static clump_status reserve_tile(const clump_big_tile *tile, dealing *t, clump_message *message)
{
    const size_t labels = (size_t)tile->clusters + tile->choices, own = (size_t)tile->own;
    t->numbers = malloc(labels * sizeof *t->numbers + 8);
    t->bucket_of = malloc(labels * sizeof *t->bucket_of + 8);
    t->xyz = malloc(3 * own * sizeof *t->xyz + 8);
    t->labels = malloc(own * sizeof *t->labels + 8);
    t->ids = malloc(own * sizeof *t->ids + 8);
    return t->numbers && t->bucket_of && t->xyz && t->labels && t->ids
               ? CLUMP_OK
               : clump_big_no_memory(message, 12 * labels + 18 * own);
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
        if (l->ids) t->ids[to] = l->ids[i];
    }
}

/* Appends points to a bucket of this rank. */
static clump_status write_to_bucket(clump_big_describing *d, uint32_t bucket, const void *xyz, const void *labels,
                                    const void *ids, size_t count, clump_message *message)
{
    clump_big_bucket *const b = &d->buckets[bucket];
    const uint64_t at = CLUMP_ADD(&b->filled, count), begin = d->point * b->before;
    if (at + count > b->count)
        return clump_big_fail(message, CLUMP_ERR_INTERNAL, "clusters have more points than were counted");
    CLUMP_BIG_TRY(clump_big_file_write(&d->file, begin + 12 * at, xyz, 12 * count, message));
    CLUMP_BIG_TRY(clump_big_file_write(&d->file, begin + 12 * b->count + 4 * at, labels, 4 * count, message));
    const size_t each = d->point - 16; /* bytes of a class */
    return each ? clump_big_file_write(&d->file, begin + 16 * b->count + each * at, ids, each * count, message)
                : CLUMP_OK;
}

/* What is before the points that go to another rank. */
typedef struct deal_head {
    uint32_t bucket, points;
} deal_head;

/* Appends the points of a tile to the buckets. */
static clump_status write_points(clump_big_describing *d, const dealing *t, clump_message *message)
{
    size_t from = 0;
    for (size_t k = 0; k < d->count; from = t->ends[k++]) {
        const int rank = (int)(k % (size_t)clump_big_ranks(d->job));
        const size_t now = t->ends[k] - from;
        if (now == 0) continue;
        CLUMP_BIG_TRY(clump_big_workers_poll(&d->job->workers, message));
        if (rank == clump_big_rank(d->job)) {
            CLUMP_BIG_TRY(
                write_to_bucket(d, (uint32_t)k, t->xyz + 3 * from, t->labels + from, t->ids + from, now, message));
            continue;
        }
        deal_head head = {(uint32_t)k, (uint32_t)now};
        const struct iovec parts[4] = {{&head, sizeof head},
                                       {t->xyz + 3 * from, 12 * now},
                                       {t->labels + from, 4 * now},
                                       {t->ids + from, (d->point - 16) * now}};
        CLUMP_BIG_TRY(clump_big_outbox_add(&d->outbox, rank, parts, 4, message));
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
        release_tile(&t);
    }
    clump_big_tile_unload(&t.loaded);
    free(t.ends);
    return status;
}

/* Where the points of other ranks go. */
typedef struct deal_received {
    unsigned char *bytes;
    uint64_t *from; /* per rank */
} deal_received;

static void take_points(void *user, int rank, uint64_t at, size_t size, const void *from)
{
    const deal_received *const r = user;
    memcpy(r->bytes + r->from[rank] + at, from, size);
}

static clump_status write_received(clump_big_describing *d, const unsigned char *bytes, size_t size,
                                   clump_message *message)
{
    for (const unsigned char *at = bytes, *const end = bytes + size; at < end;) {
        deal_head head;
        memcpy(&head, at, sizeof head);
        at += sizeof head;
        const size_t points = head.points;
        CLUMP_BIG_TRY(write_to_bucket(d, head.bucket, at, at + 12 * points, at + 16 * points, points, message));
        at += d->point * points;
    }
    return CLUMP_OK;
}

/* Sends what is for other ranks, and writes what came. */
static clump_status exchange(clump_big_describing *d, clump_message *message)
{
    clump_big_job *const job = d->job;
    deal_received r = {.from = job->words};
    size_t size = 0;
    if (clump_big_ranks(job) == 1) return CLUMP_OK;
    CLUMP_BIG_TRY(clump_big_sent(job, clump_big_outbox_counts(&d->outbox, &job->mail), message));
    for (int k = 0; k < clump_big_ranks(job); k++) {
        r.from[k] = size;
        size += (size_t)d->outbox.counts[clump_big_ranks(job) + k];
    }
    r.bytes = malloc(size + 1);
    clump_status status = r.bytes ? CLUMP_OK : clump_big_no_memory(message, size);
    status = clump_big_agree(job, status, message);
    if (status == CLUMP_OK)
        status = clump_big_sent(job, clump_big_outbox_send(&d->outbox, &job->mail, take_points, &r), message);
    if (status == CLUMP_OK) status = clump_big_agree(job, write_received(d, r.bytes, size, message), message);
    free(r.bytes);
    return status;
}

clump_status clump_big_clusters_deal(clump_big_describing *d, clump_message *message)
{
    clump_big_job *const job = d->job;
    clump_status status = CLUMP_OK;
    for (int heavy = 0; heavy < 2; heavy++) {
        d->next = 0, d->heavy = heavy;
        for (bool more = true; more;) {
            status = clump_big_workers_run(&job->workers, deal_tiles, d, message);
            more = d->next < job->tile_count;
            CLUMP_BIG_TRY(clump_big_agree_any(job, status, &more, message));
            CLUMP_BIG_TRY(exchange(d, message));
        }
    }
    for (size_t k = (size_t)clump_big_rank(job); k < d->count; k += (size_t)clump_big_ranks(job))
        if (d->buckets[k].filled != d->buckets[k].count)
            status = clump_big_fail(message, CLUMP_ERR_INTERNAL, "clusters have fewer points than were counted");
    return clump_big_agree(job, status, message);
}
