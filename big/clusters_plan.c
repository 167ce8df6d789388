/* SPDX-License-Identifier: BSD-3-Clause
 *
 * clusters_plan.c: which clusters are described together. Sizes are summed up from the tables of all tiles, for a window
 * of numbers at a time.
 */
#include "clusters.h"

#include "common/assert.h"
#include "common/bytes_text.h"
#include "store/results.h"

#include <stdlib.h>
#include <string.h>

enum { CLUSTERS_AT_ONCE = 4096 }; /* labels that are read at a time */

/* Bytes that points of clusters take. */
static uint64_t bytes_of_points(const clump_big_job *job, uint64_t points)
{
    const size_t each = (size_t)CLUMP_BIG_CLUSTER_POINT + (job->groups ? CLUMP_BIG_CLUSTER_CLASS : 0) +
                        (job->options->hull ? CLUMP_BIG_CLUSTER_HULL : 0);
    return points * each;
}

static clump_status refuse_large(const clump_big_job *job, clump_message *message)
{
    const uint64_t most = job->result.largest;
    if (most > INT32_MAX)
        return clump_big_fail(message, CLUMP_ERR_TOO_MANY,
                              "a cluster has %llu points: one with more than 2^31 - 1 cannot be described",
                              (unsigned long long)most);
    const uint64_t bytes = job->budget.fixed + bytes_of_points(job, most) + CLUMP_BIG_CLUSTER_EACH;
    char text[2][32];
    clump_bytes_text(text[0], sizeof text[0], (double)clump_big_budget_with_store(job, bytes) + 1e6);
    clump_bytes_text(text[1], sizeof text[1], (double)job->budget.ram);
    return clump_big_fail(message, CLUMP_ERR_OUT_OF_MEMORY,
                          "a cluster has %llu points: to describe it takes %s of memory, and %s are allowed",
                          (unsigned long long)most, text[0], text[1]);
}

/* Adds the sizes of a tile's clusters that have a number in [first, first + count). */
static clump_status add_tile(const clump_big_job *job, const clump_big_tile *t, int64_t first, size_t count,
                             uint64_t *sizes, clump_message *message)
{
    const uint64_t labels = (uint64_t)t->clusters + t->choices;
    int64_t numbers[CLUSTERS_AT_ONCE], points[CLUSTERS_AT_ONCE];
    for (uint64_t at = 0, now; at < labels; at += now) {
        now = labels - at < CLUSTERS_AT_ONCE ? labels - at : CLUSTERS_AT_ONCE;
        CLUMP_BIG_TRY(clump_big_file_read(&job->numbers, 8 * (t->base + at), numbers, 8 * (size_t)now, message));
        CLUMP_BIG_TRY(clump_big_results_read(job, t, CLUMP_BIG_PART_SIZES, at, (size_t)now, points, message));
        for (size_t k = 0; k < now; k++)
            if (numbers[k] >= first && (uint64_t)(numbers[k] - first) < count)
                sizes[numbers[k] - first] += (uint64_t)points[k];
    }
    return CLUMP_OK;
}

static clump_status add_bucket(clump_big_describing *d, int64_t first, clump_message *message)
{
    if (d->count == d->capacity) {
        const size_t capacity = d->capacity ? 2 * d->capacity : 16;
        clump_big_bucket *const grown = realloc(d->buckets, capacity * sizeof *grown);
        if (!grown) return clump_big_no_memory(message, capacity * sizeof *grown);
        d->buckets = grown, d->capacity = capacity;
    }
    CLUMP_ASSERT(d->count < d->capacity);
    d->buckets[d->count++] = (clump_big_bucket){.first = first};
    return CLUMP_OK;
}

/* Whether a bucket has room for a cluster. */
static bool has_room(const clump_big_describing *d, const clump_big_bucket *b, uint64_t points)
{
    const uint64_t bytes = bytes_of_points(d->job, b->count + points) + (b->clusters + 1) * CLUMP_BIG_CLUSTER_EACH;
    return bytes <= d->most && b->count + points <= INT32_MAX;
}

/* Appends a cluster to the last bucket, or to a new one. */
static clump_status add_cluster(clump_big_describing *d, int64_t number, uint64_t points, clump_message *message)
{
    CLUMP_ASSERT(number >= 0 && points >= 1);
    if (d->count == 0 || !has_room(d, &d->buckets[d->count - 1], points)) CLUMP_BIG_TRY(add_bucket(d, number, message));
    clump_big_bucket *const b = &d->buckets[d->count - 1];
    b->clusters++;
    b->count += points;
    return CLUMP_OK;
}

static clump_status cut_window(clump_big_describing *d, int64_t first, size_t count, uint64_t *sizes,
                               clump_message *message)
{
    clump_big_job *const job = d->job;
    clump_status status = CLUMP_OK;
    memset(sizes, 0, count * sizeof *sizes);
    for (uint32_t t = 0; t < job->tile_count && status == CLUMP_OK; t++) {
        const double part = ((double)first + (double)count * t / job->tile_count) / (double)job->result.clusters;
        status = clump_big_step(job, CLUMP_BIG_CLUSTERS, CLUMP_BIG_BUCKETS_END * part, message);
        if (status == CLUMP_OK && job->tiles[t].done)
            status = add_tile(job, &job->tiles[t], first, count, sizes, message);
    }
    CLUMP_BIG_TRY(clump_big_agree(job, status, message));
    CLUMP_BIG_TRY(clump_big_sum(job, sizes, count, message));
    for (size_t k = 0; k < count && status == CLUMP_OK; k++)
        status = add_cluster(d, first + (int64_t)k, sizes[k], message);
    return clump_big_agree(job, status, message);
}

clump_status clump_big_clusters_plan(clump_big_describing *d, clump_message *message)
{
    clump_big_job *const job = d->job;
    const uint64_t clusters = (uint64_t)job->result.clusters, ranks = (uint64_t)clump_big_ranks(job);
    d->most = ranks > 1 ? job->budget.describe / (4 * ranks) : job->budget.describe;
    if (job->result.largest > INT32_MAX ||
        bytes_of_points(job, job->result.largest) + CLUMP_BIG_CLUSTER_EACH > job->budget.describe)
        return refuse_large(job, message);
    if (clusters > INT32_MAX)
        return clump_big_fail(message, CLUMP_ERR_TOO_MANY,
                              "there are %llu clusters: more than 2^31 - 1 cannot be described",
                              (unsigned long long)clusters);
    const size_t window = job->budget.entries < clusters ? job->budget.entries : (size_t)clusters;
    uint64_t *const sizes = malloc(window * sizeof *sizes + 8);
    clump_status status = clump_big_agree_made(job, sizes, window * sizeof *sizes, message);
    for (uint64_t at = 0, now; at < clusters && status == CLUMP_OK; at += now) {
        now = clusters - at < window ? clusters - at : window;
        status = cut_window(d, (int64_t)at, (size_t)now, sizes, message);
    }
    free(sizes);
    return status;
}
