/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classes_number.c: see classes.h. Clusters of all groups in one order: by their first points, or by size within each scene.
 */
#include "jobs/classes.h"

#include "common/assert.h"
#include "common/sort.h"

#include <string.h>

#define NUMBER_POLL 65536 /* points or clusters between two polls */

/* Heap sort, because qsort() may allocate. */
static clump_status sort_keys(clump_work *work, uint64_t *keys, size_t n)
{
    clump_heap_make(keys, n);
    for (; n > 1; n--) {
        if (n % 4096 == 0) CLUMP_TRY(clump_poll(work));
        keys[n - 1] = clump_heap_pop(keys, n);
    }
    return CLUMP_OK;
}

/* Whether a cluster is kept; counts it where it is too large. */
static bool is_kept(const clump_class_group *group, const clump_class_cluster *c, clump_stats *stats)
{
    const size_t size = (size_t)c->size;
    if (size == 0 || size < group->min_size) return false;
    if (group->max_size == 0 || size <= group->max_size) return true;
    if (group->oversize == CLUMP_OVERSIZE_DROP) {
        stats->oversize_dropped++;
        stats->oversize_points += size;
        return false;
    }
    stats->oversize_kept++;
    return true;
}

/* Lists the clusters that are kept as first point << 32 | cluster, ascending; the others get CLUMP_NOISE. */
static clump_status list_kept(clump_context *ctx, const clump_class_job *job, size_t found, size_t *kept,
                              clump_stats *stats)
{
    clump_class_cluster *const clusters = ctx->classes.clusters.data;
    uint64_t *const keys = ctx->classes.keys.data;
    *kept = 0;
    for (size_t c = 0; c < found; c++) {
        if (c % NUMBER_POLL == 0) CLUMP_TRY(clump_poll(&ctx->work));
        clusters[c].slot = CLUMP_NOISE;
        if (!is_kept(&job->groups[clusters[c].part % job->group_count], &clusters[c], stats)) continue;
        CLUMP_ASSERT(clusters[c].first >= 0);
        keys[(*kept)++] = (uint64_t)(uint32_t)clusters[c].first << 32 | c;
    }
    return sort_keys(&ctx->work, keys, *kept);
}

/* Orders n clusters by size, largest first, then by first point, which is their order so far. `ranked` is scratch. */
static clump_status order_by_size(clump_work *work, const clump_class_cluster *clusters, uint64_t *keys, size_t n,
                                  uint64_t *ranked)
{
    if (n == 0) return CLUMP_OK; /* the list may have no memory then */
    for (size_t k = 0; k < n; k++)
        ranked[k] = (uint64_t)(UINT32_MAX - (uint32_t)clusters[(uint32_t)keys[k]].size) << 32 | k;
    CLUMP_TRY(sort_keys(work, ranked, n));
    for (size_t k = 0; k < n; k++) ranked[k] = keys[(uint32_t)ranked[k]];
    memcpy(keys, ranked, n * sizeof *keys);
    return CLUMP_OK;
}

/* Numbers the clusters that are kept, those of every scene from 0 on. */
static clump_status give_numbers(clump_context *ctx, const clump_class_job *job, size_t kept)
{
    clump_class_cluster *const clusters = ctx->classes.clusters.data;
    uint64_t *const keys = ctx->classes.keys.data;
    size_t k = 0;
    for (size_t scene = 0; scene < job->scenes; scene++) {
        const size_t first = k;
        while (k < kept && (int64_t)(keys[k] >> 32) < job->offsets[scene + 1]) k++;
        if (job->in.order == CLUMP_ORDER_SIZE)
            CLUMP_TRY(order_by_size(&ctx->work, clusters, keys + first, k - first, keys + kept));
        for (size_t i = first; i < k; i++) clusters[(uint32_t)keys[i]].slot = (int32_t)(i - first);
        if (job->counts) job->counts[scene] = (int32_t)(k - first);
        if (scene % NUMBER_POLL == 0) CLUMP_TRY(clump_poll(&ctx->work));
    }
    CLUMP_ASSERT(k == kept);
    return CLUMP_OK;
}

/* Writes the list of objects, as far as the caller has room. */
static void write_objects(const clump_class_buffers *b, const clump_objects_job *job, size_t kept)
{
    const uint64_t *const keys = b->keys.data;
    const clump_object *const objects = b->objects.data;
    const clump_class_cluster *const clusters = b->clusters.data;
    for (size_t k = 0; k < kept; k++) {
        const uint32_t c = (uint32_t)keys[k];
        if (clusters[c].slot >= job->capacity) continue;
        job->found[clusters[c].slot] = objects[c];
        job->found[clusters[c].slot].label = clusters[c].slot;
    }
}

/* Writes the labels of the caller; returns the number of points in clusters. */
static clump_status write_labels(clump_context *ctx, const clump_class_job *job, size_t *labelled)
{
    const clump_class_cluster *const clusters = ctx->classes.clusters.data;
    const int32_t *const order = ctx->classes.order.data, *const labels = ctx->classes.labels.data;
    const uint8_t *const core = ctx->classes.core.data;
    int32_t *const out = job->in.labels;
    *labelled = 0;
    if (job->in.count == 0) return CLUMP_OK;
    memset(out, 0xff, job->in.count * sizeof *out); /* CLUMP_NOISE */
    if (job->core) memset(job->core, 0, job->in.count);
    for (size_t k = 0; k < job->taken; k++) {
        if (k % NUMBER_POLL == 0) CLUMP_TRY(clump_poll(&ctx->work));
        if (job->core) job->core[order[k]] = core[k];
        if (labels[k] < 0) continue;
        const int32_t number = clusters[labels[k]].slot;
        out[order[k]] = number;
        *labelled += number >= 0;
    }
    return CLUMP_OK;
}

clump_status clump_class_number(clump_context *ctx, const clump_class_job *job, size_t found, clump_stats *stats)
{
    size_t kept, labelled;
    CLUMP_TRY(clump_buffer_reserve(&ctx->work, &ctx->classes.keys, 2 * found * sizeof(uint64_t)));
    CLUMP_TRY(list_kept(ctx, job, found, &kept, stats));
    CLUMP_TRY(give_numbers(ctx, job, kept));
    CLUMP_TRY(write_labels(ctx, job, &labelled));
    if (job->by.objects) write_objects(&ctx->classes, job->by.objects, kept);
    stats->clusters = (int32_t)kept;
    stats->masked = job->masked;
    stats->noise = job->in.count - labelled;
    stats->finite += job->in.count - job->taken; /* points that take no part are not looked at */
    return CLUMP_OK;
}
