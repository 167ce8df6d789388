/* SPDX-License-Identifier: BSD-3-Clause
 *
 * clusters.c: describes the clusters of a survey: see clusters.h. A run that is ended here does this phase again.
 */
#include "clusters.h"

#include <stdlib.h>
#include <string.h>

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

/* What is found of the clusters of one bucket, or of one bucket per rank. */
typedef struct described {
    clump_cluster *clusters;
    uint16_t *classes; /* null: without classes */
    float *hulls;      /* null: without hulls */
    size_t count;
} described;

static void release(described *found)
{
    free(found->clusters);
    free(found->classes);
    free(found->hulls);
    *found = (described){0};
}

/* The arrays of the points of one bucket. */
typedef struct bucket_memory {
    size_t count, room;
    float *xyz;
    int32_t *labels;
    uint16_t *ids;    /* with classes */
    int32_t *offsets; /* with hulls */
} bucket_memory;

/* Takes the points of a segment of the log. */
static clump_status take_points(void *user, const clump_big_segment *segment, const clump_big_points_run *runs,
                                const unsigned char *stored, const unsigned char *places, clump_message *message)
{
    bucket_memory *const m = user;
    const size_t record = CLUMP_BIG_DEALT + (m->ids ? sizeof *m->ids : 0);
    (void)runs, (void)places;
    if (segment->points > m->room - m->count)
        return clump_big_fail(message, CLUMP_ERR_INTERNAL, "clusters have more points than were counted");
    for (size_t i = 0; i < segment->points; i++, m->count++, stored += record) {
        memcpy(m->xyz + 3 * m->count, stored, 3 * sizeof *m->xyz);
        memcpy(&m->labels[m->count], stored + 12, sizeof *m->labels);
        if (m->ids) memcpy(&m->ids[m->count], stored + CLUMP_BIG_DEALT, sizeof *m->ids);
    }
    return CLUMP_OK;
}

static clump_status describe_loaded(const clump_big_describing *d, const clump_big_bucket *b, const bucket_memory *m,
                                    described *out, clump_message *message)
{
    clump_context *ctx = NULL; /* of its own: a large bucket's scratch must not stay */
    clump_describe_options o = make_options(d);
    const clump_points points = {.xyz = m->xyz, .count = (size_t)b->count};
    const int32_t clusters = (int32_t)b->clusters;
    o.hull = out->hulls, o.hull_capacity = out->hulls ? (size_t)b->count : 0, o.hull_offsets = m->offsets;
    CLUMP_BIG_TRY(make_context(d->job, &ctx, message));
    clump_status status = clump_describe(ctx, points, m->labels, clusters, &o, out->clusters);
    if (status == CLUMP_OK && out->classes)
        status = clump_classes_of_clusters(ctx, m->labels, m->ids, points.count, clusters, out->classes);
    if (status == CLUMP_ERR_CANCELLED)
        clump_big_workers_poll(&d->job->workers, message);
    else if (status != CLUMP_OK)
        clump_big_fail(message, status, "%s", clump_context_error(ctx));
    clump_context_destroy(ctx);
    for (size_t k = 0; k < b->clusters && status == CLUMP_OK; k++) out->clusters[k].label += (int32_t)b->first;
    return status;
}

static clump_status describe_bucket(const clump_big_describing *d, size_t number, described *out,
                                    clump_message *message)
{
    const clump_big_bucket *const b = &d->buckets[number];
    const bool by_class = d->job->groups != NULL, hulls = d->job->options->hull;
    const size_t points = (size_t)b->count, clusters = (size_t)b->clusters;
    bucket_memory m = {.room = points,
                       .xyz = malloc(12 * points),
                       .labels = malloc(4 * points),
                       .ids = by_class ? malloc(2 * points) : NULL,
                       .offsets = hulls ? malloc(4 * (clusters + 1)) : NULL};
    *out = (described){.clusters = malloc(clusters * sizeof *out->clusters),
                       .classes = by_class ? malloc(clusters * sizeof *out->classes) : NULL,
                       .hulls = hulls ? malloc(8 * points) : NULL,
                       .count = clusters};
    clump_status status = CLUMP_OK;
    if (!m.xyz || !m.labels || !out->clusters || (by_class && (!m.ids || !out->classes)) ||
        (hulls && (!m.offsets || !out->hulls)))
        status = clump_big_no_memory(message, 26 * points + clusters * sizeof *out->clusters);
    if (status == CLUMP_OK)
        status = clump_big_log_read(&d->log, d->begin[number], d->begin[number + 1], take_points, &m, message);
    if (status == CLUMP_OK && m.count != points)
        status = clump_big_fail(message, CLUMP_ERR_INTERNAL, "clusters have fewer points than were counted");
    if (status == CLUMP_OK) status = describe_loaded(d, b, &m, out, message);
    free(m.xyz);
    free(m.labels);
    free(m.ids);
    free(m.offsets);
    return status;
}

static size_t count_corners(const clump_cluster *clusters, size_t count)
{
    size_t corners = 0;
    for (size_t k = 0; k < count; k++) corners += (size_t)clusters[k].hull_corners;
    return corners;
}

/* Moves what all ranks have found to rank 0. */
static clump_status gather(clump_big_job *job, described *found, clump_message *message)
{
    enum { CORNER = 2 * sizeof(float) };
    const size_t corners = found->hulls ? count_corners(found->clusters, found->count) : 0;
    described all = {0};
    void *clusters = NULL, *classes = NULL, *hulls = NULL;
    size_t unused;
    clump_status status =
        clump_big_to_first(job, sizeof *found->clusters, found->clusters, found->count, &clusters, &all.count, message);
    if (status == CLUMP_OK && job->groups)
        status =
            clump_big_to_first(job, sizeof *found->classes, found->classes, found->count, &classes, &unused, message);
    if (status == CLUMP_OK && job->options->hull)
        status = clump_big_to_first(job, CORNER, found->hulls, corners, &hulls, &unused, message);
    all.clusters = clusters, all.classes = classes, all.hulls = hulls;
    release(found);
    *found = all;
    return status;
}

static clump_status give_clusters(const clump_big_describing *d, const described *all, int64_t first,
                                  clump_message *message)
{
    const clump_big_options *const options = d->job->options;
    const float *hulls = all->hulls;
    for (size_t at = 0, now; at < all->count; at += now) {
        now = all->count - at < CLUSTERS_TO_CALLER ? all->count - at : CLUSTERS_TO_CALLER;
        const double part = (double)(first + (int64_t)at) / (double)d->job->result.clusters;
        CLUMP_BIG_TRY(
            clump_big_step(d->job, CLUMP_BIG_CLUSTERS, CLUMP_BIG_DEAL_END + (1 - CLUMP_BIG_DEAL_END) * part, message));
        const clump_status status =
            options->clusters(options->clusters_user, all->clusters + at, all->classes ? all->classes + at : NULL,
                              hulls, first + (int64_t)at, now, d->frame.origin);
        if (status != CLUMP_OK)
            return clump_big_fail(message, status, "the function that takes the clusters has failed");
        if (hulls) hulls += 2 * count_corners(all->clusters + at, now);
    }
    return CLUMP_OK;
}

/* Describes one bucket per rank, from bucket `at` on. Rank 0 gives all of them to the caller. */
static clump_status describe_buckets(const clump_big_describing *d, size_t at, clump_message *message)
{
    clump_big_job *const job = d->job;
    const size_t mine = at + (size_t)clump_big_rank(job);
    described found = {0};
    clump_status status = clump_big_workers_poll(&job->workers, message);
    if (status == CLUMP_OK && mine < d->count) status = describe_bucket(d, mine, &found, message);
    status = clump_big_agree(job, status, message);
    if (status == CLUMP_OK && clump_big_ranks(job) > 1) status = gather(job, &found, message);
    if (status == CLUMP_OK && clump_big_rank(job) == 0)
        status = give_clusters(d, &found, d->buckets[at].first, message);
    release(&found);
    return clump_big_agree(job, status, message);
}

static clump_status run_steps(clump_big_describing *d, clump_message *message)
{
    clump_big_job *const job = d->job;
    CLUMP_BIG_TRY(clump_big_clusters_plan(d, message));
    if (d->count == 0) return CLUMP_OK;
    CLUMP_BIG_TRY(clump_big_clusters_deal(d, message));
    for (size_t k = 0; k < d->count; k += (size_t)clump_big_ranks(job)) CLUMP_BIG_TRY(describe_buckets(d, k, message));
    clump_big_log_close(&d->log);
    return clump_big_agree(job, clump_big_disk_remove(&job->disk, CLUMP_BIG_CLUSTERS_NAME, message), message);
}

clump_status clump_big_clusters_describe(clump_big_job *job, clump_message *message)
{
    if (!job->options->clusters) return CLUMP_OK;
    clump_big_describing d = {.job = job, .frame = job->frame};
    d.frame.kind = CLUMP_FILE_FRAME_WHOLE;
    if (d.frame.coordinates == CLUMP_COORDINATES_STEPS) clump_big_frame_set_origin(&d.frame, job->reader, &job->box);
    const clump_status status = run_steps(&d, message);
    clump_big_outbox_close(&d.outbox);
    clump_big_log_close(&d.log);
    free(d.buckets);
    free(d.begin);
    return status;
}
