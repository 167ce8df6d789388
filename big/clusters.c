/* SPDX-License-Identifier: BSD-3-Clause
 *
 * clusters.c: describes the clusters of a survey: see clusters.h. A run that is ended here does this phase again.
 */
#include "clusters.h"

#include "store/fail.h"

#include <stdlib.h>

enum { CLUSTERS_TO_CALLER = 1 << 14 }; /* clusters that the caller gets at once */

static clump_status make_context(const clump_big_job *job, clump_context **out, clump_message *message)
{
    clump_context_options o = clump_context_defaults();
    o.backend = CLUMP_BACKEND_CPU;
    o.threads = job->budget.threads;
    o.cancel = job->options->cancel;
    o.message = message;
    return clump_context_create(&o, out);
}

static clump_describe_options make_options(const clump_big_describing *d)
{
    clump_describe_options o = clump_describe_defaults();
    for (int a = 0; a < 3; a++) o.sensor[a] = (float)(d->job->options->sensor[a] - d->frame.origin[a]);
    o.axes = d->job->options->axes;
    return o;
}

/* The arrays of one bucket. */
typedef struct bucket_memory {
    float *xyz;
    int32_t *labels;
    uint16_t *ids; /* with classes */
    clump_cluster *clusters;
    uint16_t *classes; /* of the clusters; null: without classes */
} bucket_memory;

static clump_status describe_loaded(const clump_big_describing *d, const clump_big_bucket *b, const bucket_memory *m,
                                    clump_context *ctx, clump_message *message)
{
    const clump_describe_options o = make_options(d);
    const clump_points points = {.xyz = m->xyz, .count = (size_t)b->count};
    const uint64_t begin = d->point * b->before;
    CLUMP_BIG_TRY(clump_big_file_read(&d->file, begin, m->xyz, 12 * (size_t)b->count, message));
    CLUMP_BIG_TRY(clump_big_file_read(&d->file, begin + 12 * b->count, m->labels, 4 * (size_t)b->count, message));
    clump_status status = clump_describe(ctx, points, m->labels, (int32_t)b->clusters, &o, m->clusters);
    if (status == CLUMP_OK && m->classes) {
        CLUMP_BIG_TRY(clump_big_file_read(&d->file, begin + 16 * b->count, m->ids, 2 * (size_t)b->count, message));
        status = clump_classes_of_clusters(ctx, m->labels, m->ids, (size_t)b->count, (int32_t)b->clusters, m->classes);
    }
    if (status == CLUMP_ERR_CANCELLED) CLUMP_BIG_TRY(clump_big_workers_poll(&d->job->workers, message));
    if (status != CLUMP_OK) return clump_big_fail(message, status, "%s", clump_context_error(ctx));
    for (size_t k = 0; k < b->clusters; k++) m->clusters[k].label += (int32_t)b->first;
    return CLUMP_OK;
}

/* *clusters and *classes are for free(). */
static clump_status describe_bucket(const clump_big_describing *d, const clump_big_bucket *b, clump_cluster **clusters,
                                    uint16_t **classes, clump_message *message)
{
    const bool by_class = d->job->groups != NULL;
    bucket_memory m = {.xyz = malloc(12 * (size_t)b->count),
                       .labels = malloc(4 * (size_t)b->count),
                       .ids = by_class ? malloc(2 * (size_t)b->count) : NULL,
                       .clusters = malloc((size_t)b->clusters * sizeof *m.clusters),
                       .classes = by_class ? malloc((size_t)b->clusters * sizeof *m.classes) : NULL};
    clump_context *ctx = NULL; /* of its own: a large bucket's scratch must not stay */
    clump_status status = CLUMP_OK;
    if (!m.xyz || !m.labels || !m.clusters || (by_class && (!m.ids || !m.classes)))
        status = clump_big_no_memory(message, 18 * (size_t)b->count + (size_t)b->clusters * sizeof *m.clusters);
    if (status == CLUMP_OK) status = make_context(d->job, &ctx, message);
    if (status == CLUMP_OK) status = describe_loaded(d, b, &m, ctx, message);
    clump_context_destroy(ctx);
    free(m.xyz);
    free(m.labels);
    free(m.ids);
    *clusters = m.clusters;
    *classes = m.classes;
    return status;
}

static clump_status give_clusters(const clump_big_describing *d, const clump_cluster *clusters, const uint16_t *classes,
                                  int64_t first, size_t count, clump_message *message)
{
    const clump_big_options *const options = d->job->options;
    for (size_t at = 0, now; at < count; at += now) {
        now = count - at < CLUSTERS_TO_CALLER ? count - at : CLUSTERS_TO_CALLER;
        const double part = (double)(first + (int64_t)at) / (double)d->job->result.clusters;
        CLUMP_BIG_TRY(
            clump_big_step(d->job, CLUMP_BIG_CLUSTERS, CLUMP_BIG_DEAL_END + (1 - CLUMP_BIG_DEAL_END) * part, message));
        const clump_status status =
            options->clusters(options->clusters_user, clusters + at, classes ? classes + at : NULL, first + (int64_t)at,
                              now, d->frame.origin);
        if (status != CLUMP_OK)
            return clump_big_fail(message, status, "the function that takes the clusters has failed");
    }
    return CLUMP_OK;
}

/* Describes one bucket per rank, from bucket `at` on. Rank 0 gives all of them to the caller. */
static clump_status describe_buckets(const clump_big_describing *d, size_t at, clump_message *message)
{
    clump_big_job *const job = d->job;
    const size_t mine = at + (size_t)clump_big_rank(job);
    const clump_big_bucket *const b = mine < d->count ? &d->buckets[mine] : NULL;
    clump_cluster *clusters = NULL;
    uint16_t *classes = NULL;
    void *all = NULL, *all_classes = NULL;
    const size_t own = b ? (size_t)b->clusters : 0;
    size_t count = own;
    clump_status status = clump_big_workers_poll(&job->workers, message);
    if (status == CLUMP_OK && b) status = describe_bucket(d, b, &clusters, &classes, message);
    status = clump_big_agree(job, status, message);
    if (status == CLUMP_OK && clump_big_ranks(job) > 1)
        status = clump_big_to_first(job, sizeof *clusters, clusters, own, &all, &count, message);
    if (status == CLUMP_OK && clump_big_ranks(job) > 1 && job->groups)
        status = clump_big_to_first(job, sizeof *classes, classes, own, &all_classes, &count, message);
    if (status == CLUMP_OK && clump_big_rank(job) == 0)
        status = give_clusters(d, all ? all : clusters, all_classes ? all_classes : classes, d->buckets[at].first,
                               count, message);
    free(clusters);
    free(classes);
    free(all);
    free(all_classes);
    return clump_big_agree(job, status, message);
}

static clump_status open_buckets(clump_big_describing *d, clump_message *message)
{
    clump_big_job *const job = d->job;
    if (clump_big_ranks(job) > 1) CLUMP_BIG_TRY(clump_big_outbox_open(clump_big_ranks(job), &d->outbox, message));
    CLUMP_BIG_TRY(clump_big_disk_remove(&job->disk, CLUMP_BIG_CLUSTERS_NAME, message));
    return clump_big_file_open(&job->disk, CLUMP_BIG_CLUSTERS_NAME, &d->file, message);
}

static clump_status run_steps(clump_big_describing *d, clump_message *message)
{
    clump_big_job *const job = d->job;
    CLUMP_BIG_TRY(clump_big_clusters_plan(d, message));
    if (d->count == 0) return CLUMP_OK;
    CLUMP_BIG_TRY(clump_big_agree(job, open_buckets(d, message), message));
    CLUMP_BIG_TRY(clump_big_clusters_deal(d, message));
    for (size_t k = 0; k < d->count; k += (size_t)clump_big_ranks(job)) CLUMP_BIG_TRY(describe_buckets(d, k, message));
    clump_big_file_close(&d->file);
    return clump_big_agree(job, clump_big_disk_remove(&job->disk, CLUMP_BIG_CLUSTERS_NAME, message), message);
}

clump_status clump_big_clusters_describe(clump_big_job *job, clump_message *message)
{
    if (!job->options->clusters) return CLUMP_OK;
    clump_big_describing d = {
        .job = job, .frame = job->frame, .file = {.descriptor = -1}, .point = job->groups ? 18 : 16};
    d.frame.kind = CLUMP_FILE_FRAME_WHOLE;
    if (d.frame.coordinates == CLUMP_COORDINATES_STEPS) clump_big_frame_set_origin(&d.frame, job->reader, &job->box);
    const clump_status status = run_steps(&d, message);
    clump_big_file_close(&d.file);
    clump_big_outbox_close(&d.outbox);
    free(d.buckets);
    return status;
}
