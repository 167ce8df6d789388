/* SPDX-License-Identifier: BSD-3-Clause
 *
 * detect.cu: see detect.h: memory of clump_detect, the jobs of its kernels, and whole calls. detect_launch.cu has the
 * kernels.
 *
 * With `fast` as the method (Euclidean clustering, DBSCAN or the elevation map) and clusters in the order of the points, a
 * call is a kernel and a launch graph. Everything else is launched step by step: the other methods read numbers back, a
 * radius that grows with the range, objects and the order by size use CUB, which needs numbers of the host. A stream that the
 * caller captures gets the kernels one by one.
 */
#include "cuda/detect/detect.h"

#include "cuda/detect/detect_launch.h"

#include <string.h>

/* ----- memory -------------------------------------------------------------------------------------- */

/* Places all buffers for n points in the arena at `base`; returns its size. With base null only the size counts. */
static size_t lay_out(char *base, size_t n, bool thins, detect_job *job)
{
    clump_cutter c = {base, 0};
    size_t slots = 1024;
    while (thins && slots < n + n / 2 && slots < (size_t)1 << 31) slots *= 2; /* no slot is CLUMP_GPU_NONE */
    CLUMP_ASSERT(slots > n || !thins); /* a search in the hash table ends at a free slot */
    job->slot_mask = (uint32_t)(slots - 1);
    clump_cut(&c, &job->allowed, n);
    clump_cut(&c, &job->left, n);
    clump_cut(&c, &job->grounds, (n + 31) / 32);
    clump_cut(&c, &job->heights, n);
    clump_cut(&c, &job->labels, n);
    clump_cut(&c, &job->sizes, n);
    clump_cut(&c, &job->owner, thins ? slots : 0);
    clump_cut(&c, &job->first, thins ? slots : 0);
    clump_cut(&c, &job->voxel_of, thins ? n : 0);
    return c.used;
}

static clump_status reserve(clump_work *work, clump_cuda *cuda, clump_cuda_detect *d, size_t n, bool thins)
{
    detect_job job;
    CLUMP_TRY(clump_device_reserve(work, cuda, &d->shared, sizeof(detect_shared)));
    CLUMP_TRY(clump_pinned_reserve(work, cuda, &d->report, sizeof(detect_report)));
    return clump_device_reserve(work, cuda, &d->arena, lay_out(NULL, n, thins, &job) + 1);
}

void clump_cuda_detect_close(clump_cuda_detect *d)
{
    for (clump_detect_graphs &kept : d->kept) {
        clump_launch_graphs_close(&kept.graphs);
        kept.used = 0;
    }
    clump_cuda_erccl_close(&d->ground);
}

void clump_cuda_detect_trim(clump_work *work, clump_cuda *cuda, clump_cuda_detect *d)
{
    clump_cuda_detect_close(d); /* launch graphs refer to the memory */
    clump_cuda_erccl_trim(work, cuda, &d->ground);
    clump_device_buffer *const all[] = {&d->shared, &d->arena, &d->boxes, &d->hull, &d->hull_offsets, &d->values};
    for (clump_device_buffer *buffer : all) clump_device_release(work, cuda, buffer);
    clump_pinned_buffer *const pinned[] = {&d->report, &d->boxes_on_host, &d->values_on_host};
    for (clump_pinned_buffer *buffer : pinned) clump_pinned_release(work, buffer);
}

/* ----- jobs ---------------------------------------------------------------------------------------- */

/* Returns the common part of the clustering that is asked for. */
static const clump_cloud_job *cloud_job(const clump_detect_job *job)
{
    switch (job->method) {
    case CLUMP_DETECT_EC:
        return &job->ec.in;
    case CLUMP_DETECT_DBSCAN:
        return &job->dbscan.in;
    case CLUMP_DETECT_OBJECTS:
        return &job->objects.in;
    default:
        return &job->erccl.in;
    }
}

static uint8_t clusters_of(const clump_detect_job *job)
{
    const bool grows = cloud_job(job)->per_metre > 0 && job->method != CLUMP_DETECT_ERCCL;
    if (job->method == CLUMP_DETECT_EC && job->ec.method == CLUMP_EC_FAST && !grows) return DETECT_FAST;
    if (job->method == CLUMP_DETECT_DBSCAN && job->dbscan.method == CLUMP_DBSCAN_FAST && !grows) return DETECT_DENSITY;
    if (job->method == CLUMP_DETECT_ERCCL && job->erccl.method == CLUMP_ERCCL_FAST) return DETECT_ERCCL;
    return DETECT_OTHER;
}

static clump_detect_shape shape_of(const clump_detect_job *job)
{
    const clump_cloud_job *const in = cloud_job(job);
    clump_detect_shape shape = {};
    shape.ground = (uint8_t)job->ground.method;
    shape.step = job->ground.step && job->ground.method != CLUMP_GROUND_NONE;
    shape.clusters = clusters_of(job);
    shape.thins = job->thin > 0;
    shape.limited = in->order == CLUMP_ORDER_INDEX && clump_labels_unfinished(in);
    shape.boxes = clump_detect_wants_boxes(job);
    shape.axes = shape.boxes && job->describe.options.axes;
    shape.polygons = shape.boxes && job->describe.options.hull_offsets;
    return shape;
}

/* A call on its way. */
typedef struct detect_call {
    const clump_detect_job *job;
    detect_run run;
    detect_jobs jobs;
    clump_cloud_job in;    /* of the clustering, without limits and order */
    clump_cloud_view view; /* the cloud that is clustered */
    bool waits;
    bool by_size; /* clusters are ordered by gpu/labels.h */
} detect_call;

/* Fills the job of the kernels of this room. */
static clump_status make_detect_job(clump_work *work, clump_cuda *cuda, clump_cuda_detect *d, detect_call *call)
{
    const clump_detect_job *const job = call->job;
    const clump_cloud_job *const in = cloud_job(job);
    detect_job *const out = &call->jobs.detect;
    const size_t n = job->in.count;
    CLUMP_TRY(reserve(work, cuda, d, n, job->thin > 0));
    detect_shared *const shared = (detect_shared *)d->shared.data;
    lay_out((char *)d->arena.data, n, job->thin > 0, out);
    out->has_region = job->has_region;
    out->region = clump_region_rule_make(job->region.lower, job->region.upper, job->region.min_range,
                                         job->region.max_range, job->sensor, job->two_d);
    out->two_d = job->two_d;
    out->thin = job->thin;
    out->key = work->hash_key;
    if (job->ground.method == CLUMP_GROUND_NONE) out->heights = NULL;
    const bool on_host = job->in.place == CLUMP_PLACE_HOST;
    if (!on_host && job->in.labels) out->labels = job->in.labels;
    if (on_host && job->in.labels && n > 0 && n <= CLUMP_TRANSFER_DIRECT)
        CLUMP_TRY(clump_place_labels(work, cuda, call->run.rooms->transfer, job->in.labels, n, &out->labels_on_host));
    out->limited = call->run.shape.limited;
    out->least = in->min_size;
    out->most = in->max_size;
    out->counts = &shared->counts;
    out->counters = &shared->counters;
    out->clusters_on_device = job->in.clusters_on_device;
    out->report = call->waits ? (detect_report *)d->report.data : NULL;
    return CLUMP_OK;
}

/* Connects the jobs: the cloud of the ground is what the first kernel makes of the caller's, and the cloud of the
 * clustering has the mask that the ground makes. */
static clump_status make_ground_job(clump_work *work, clump_cuda *cuda, clump_cuda_detect *d, detect_call *call)
{
    const clump_detect_job *const job = call->job;
    detect_jobs *const jobs = &call->jobs;
    clump_cloud_view from = {};
    CLUMP_TRY(clump_cuda_erccl_make_ground(work, cuda, &d->ground, &job->ground, &jobs->given, jobs->fetched,
                                           &jobs->ground, &from));
    const bool masks = job->has_region || (jobs->fetched && jobs->given.mask);
    if (!masks) jobs->detect.allowed = NULL;
    if (masks) jobs->ground.view.mask = jobs->detect.allowed;
    jobs->ground.report = call->waits ? (erccl_report *)d->ground.report.data : NULL;
    jobs->detect.view = jobs->ground.view;
    jobs->detect.surface = jobs->ground.ground.surface;
    call->view = jobs->ground.view;
    call->view.mask = jobs->detect.left;
    call->view.two_d = job->method != CLUMP_DETECT_ERCCL && job->two_d;
    return CLUMP_OK;
}

static clump_cuda_density density_of(const clump_detect_job *job)
{
    return clump_cuda_density{job->dbscan.min_points, job->dbscan.border_points, NULL};
}

/* Returns the job of the elevation map on the cloud without ground. */
static clump_erccl_job erccl_of(const detect_call *call)
{
    clump_erccl_job job = call->job->erccl;
    job.in = call->in;
    job.ground.method = CLUMP_GROUND_NONE;
    job.ground.heights = NULL;
    job.maps = clump_erccl_maps{};
    return job;
}

static clump_status make_clustering_job(clump_work *work, clump_cuda *cuda, const clump_detect_rooms *rooms,
                                        detect_call *call)
{
    detect_jobs *const jobs = &call->jobs;
    int32_t *const labels = jobs->detect.labels;
    const uint8_t kind = call->run.shape.clusters;
    if (call->job->method == CLUMP_DETECT_ERCCL) {
        const clump_erccl_job job = erccl_of(call);
        clump_cloud_view from = {};
        CLUMP_TRY(clump_cuda_erccl_make(work, cuda, rooms->erccl, &job, &call->view, false, labels, call->waits,
                                        &jobs->erccl, &from));
        jobs->erccl.counts = jobs->detect.counts;
        return CLUMP_OK;
    }
    if (kind == DETECT_OTHER) return CLUMP_OK;
    const clump_cuda_density density = density_of(call->job);
    return clump_cuda_fast_make(work, cuda, rooms->fast, &call->in, kind == DETECT_DENSITY ? &density : NULL,
                                &call->view, labels, jobs->detect.counts, &jobs->fast);
}

/* ----- launching ----------------------------------------------------------------------------------- */

/* Returns the part of the call that is clump_objects. */
static clump_objects_call objects_of(const detect_call *call)
{
    const detect_job *const detect = &call->jobs.detect;
    return clump_objects_call{&call->job->objects, call->view,     detect->heights,
                              detect->labels,      detect->counts, call->waits};
}

/* Puts a clustering on the stream that is no part of a launch graph. */
static clump_status launch_other(clump_work *work, clump_cuda *cuda, const clump_detect_rooms *rooms,
                                 const detect_call *call, clump_stats *stats)
{
    const clump_detect_job *const job = call->job;
    int32_t *const labels = call->jobs.detect.labels;
    clump_counts *const counts = call->jobs.detect.counts;
    if (job->method == CLUMP_DETECT_EC) {
        clump_ec_job ec = job->ec;
        ec.in = call->in;
        if (ec.in.per_metre > 0)
            return clump_cuda_ec_ranged(work, cuda, rooms->ranged, rooms->fast, &ec.in, &call->view, labels, counts);
        return clump_cuda_ec_six(work, cuda, rooms->six, &ec, &call->view, labels, counts, stats);
    }
    if (job->method == CLUMP_DETECT_DBSCAN) {
        clump_dbscan_job dbscan = job->dbscan;
        dbscan.in = call->in;
        dbscan.core = NULL;
        if (dbscan.in.per_metre > 0)
            return clump_cuda_dbscan_ranged(work, cuda, rooms->ranged, rooms->fast, &dbscan, &call->view, labels, NULL,
                                            counts);
        return clump_cuda_dbscan_dclust(work, cuda, rooms->dclust, rooms->six, &dbscan, &call->view, labels, NULL,
                                        counts, stats);
    }
    if (job->method == CLUMP_DETECT_OBJECTS) {
        const clump_objects_call objects = objects_of(call);
        return clump_cuda_objects_run(work, cuda, rooms->objects, rooms->ranged, rooms->fast, &objects, stats);
    }
    const clump_erccl_job erccl = erccl_of(call);
    const clump_cloud_view from = {};
    return clump_cuda_erccl_launch(work, cuda, rooms->erccl, clump_cuda_erccl_sweeps, &erccl, &call->jobs.erccl, &from,
                                   &stats->passes);
}

/* Puts all steps after the first kernel on the stream, one by one. */
static clump_status launch_steps(clump_work *work, clump_cuda *cuda, const detect_call *call, clump_stats *stats)
{
    const detect_run *const run = &call->run;
    const size_t n = call->view.count;
    const cudaStream_t stream = cuda->stream;
    CLUMP_TRY(clump_detect_before(run, n, stream));
    if (run->shape.clusters == DETECT_OTHER)
        CLUMP_TRY(launch_other(work, cuda, run->rooms, call, stats));
    else
        CLUMP_TRY(clump_detect_cluster(run, n, stream));
    CLUMP_TRY(clump_detect_limit(run, n, stream));
    if (call->by_size) {
        clump_cloud_job in = *cloud_job(call->job);
        in.count = n;
        CLUMP_TRY(clump_labels_finish_on_gpu(work, cuda, run->rooms->finish, &in, call->jobs.detect.labels,
                                             call->jobs.detect.counts));
    }
    CLUMP_TRY(clump_detect_finish(run, n, stream));
    if (call->job->method == CLUMP_DETECT_OBJECTS) {
        const clump_objects_call objects = objects_of(call);
        CLUMP_TRY(clump_cuda_objects_list(work, cuda, run->rooms->objects, &objects, stats));
    }
    return clump_detect_report(run, n, stream);
}

static clump_status launch_all(clump_work *work, clump_cuda *cuda, const detect_call *call, clump_stats *stats)
{
    const detect_run *const run = &call->run;
    const bool whole = run->shape.clusters != DETECT_OTHER && !call->by_size && !clump_cuda_capturing(cuda);
    cudaGraphExec_t graph = NULL;
    if (whole) CLUMP_TRY(clump_detect_graph(run, call->view.count, &graph));
    CLUMP_TRY(clump_detect_begin(work, cuda, run->d, run->rooms, &run->shape, &call->jobs));
    if (run->shape.clusters == DETECT_ERCCL) {
        const clump_erccl_job *const erccl = &call->job->erccl;
        const clump_cloud_view from = {};
        CLUMP_TRY(clump_cuda_erccl_clear(work, cuda, run->rooms->erccl, &call->jobs.erccl, &from, erccl->alike,
                                         (uint32_t)erccl->reach + 1));
    }
    if (call->job->method == CLUMP_DETECT_OBJECTS) {
        const clump_objects_call objects = objects_of(call);
        CLUMP_TRY(clump_cuda_objects_begin(work, cuda, run->rooms->objects, &objects));
    }
    if (!graph) return launch_steps(work, cuda, call, stats);
    CLUMP_CUDA(work, cuda, "clustering", cudaGraphLaunch(graph, cuda->stream));
    return CLUMP_OK;
}

/* ----- calls --------------------------------------------------------------------------------------- */

static double stage_ms(unsigned long long from, unsigned long long to)
{
    return to > from ? 1e-6 * (double)(to - from) : 0;
}

/* After the wait: times from the stamps of all kernels. */
static void report_times(const detect_call *call, const detect_report *r, clump_stats *stats)
{
    const clump_detect_rooms *const rooms = call->run.rooms;
    const uint8_t kind = call->run.shape.clusters;
    const unsigned long long begin = r->stamps[DETECT_BEGIN];
    const unsigned long long fetched =
        call->run.shape.ground == CLUMP_GROUND_NONE
            ? r->stamps[DETECT_FLAG]
            : ((const erccl_report *)call->run.d->ground.report.data)->stamps[1]; /* begin of its first kernel */
    (call->jobs.fetched ? stats->upload_ms : stats->ground_ms) += stage_ms(begin, fetched);
    stats->describe_ms = stage_ms(r->stamps[DETECT_BOXES], r->stamps[DETECT_END]);
    if (kind == DETECT_OTHER) {
        stats->ground_ms += stage_ms(fetched, r->stamps[DETECT_FLAG]);
        return;
    }
    const unsigned long long *const s = kind == DETECT_ERCCL ? ((const erccl_report *)rooms->erccl->report.data)->stamps
                                                             : ((const fast_report *)rooms->fast->report.data)->stamps;
    stats->ground_ms += stage_ms(fetched, s[1]);
    stats->build_ms = stage_ms(s[1], s[2]);
    stats->cluster_ms = stage_ms(s[2], s[3]);
    stats->label_ms = stage_ms(s[3], r->stamps[DETECT_BOXES]);
}

/* Puts the copy of the labels to a caller in host memory on the stream, between two events. */
static clump_status fetch_labels(clump_work *work, clump_cuda *cuda, const detect_call *call)
{
    const clump_cloud_job *const in = &call->job->in;
    clump_transfer *const t = call->run.rooms->transfer;
    const clump_fetched labels = {in->labels, call->jobs.detect.labels, in->count * sizeof(int32_t)};
    CLUMP_TRY(clump_transfer_record(work, cuda, &t->computed));
    CLUMP_TRY(clump_fetch(work, cuda, t, &labels, 1));
    return clump_transfer_record(work, cuda, &t->downloaded);
}

/* Ends a call: lets it run, or waits and takes labels, boxes, counts and times. */
static clump_status finish_call(clump_work *work, clump_cuda *cuda, clump_cuda_detect *d, const detect_call *call,
                                clump_stats *stats)
{
    const clump_detect_job *const job = call->job;
    if (!call->waits) {
        stats->clusters = -1;
        return clump_cuda_leave_running(work, cuda);
    }
    clump_transfer *const t = call->run.rooms->transfer;
    const bool on_host = job->in.place == CLUMP_PLACE_HOST && job->in.count > 0;
    const bool fetches = on_host && job->in.labels && !call->jobs.detect.labels_on_host;
    if (fetches) CLUMP_TRY(fetch_labels(work, cuda, call));
    CLUMP_TRY(clump_take_labels(work, cuda, t, job->in.labels, job->in.count));
    const detect_report *const r = (const detect_report *)d->report.data;
    CLUMP_TRY(clump_detect_take_boxes(work, cuda, d, call->run.rooms, job, &call->jobs, (int32_t)r->counts.clusters));
    if (job->method == CLUMP_DETECT_OBJECTS) {
        const clump_objects_call objects = objects_of(call);
        clump_cuda_objects_finish(call->run.rooms->objects, &objects, (int32_t)r->counts.clusters, stats);
    }
    stats->clusters = (int32_t)r->counts.clusters;
    stats->finite = r->counts.finite;
    stats->masked = r->counts.masked;
    stats->noise = r->counts.noise;
    stats->ground = r->ground;
    stats->ground_level = r->level;
    stats->thinned = r->thinned;
    if (on_host && !call->jobs.fetched)
        CLUMP_TRY(clump_transfer_elapsed(work, cuda, t->before, t->uploaded, &stats->upload_ms));
    if (fetches) CLUMP_TRY(clump_transfer_elapsed(work, cuda, t->computed, t->downloaded, &stats->download_ms));
    report_times(call, r, stats);
    return CLUMP_OK;
}

clump_status clump_cuda_detect_run(clump_work *work, clump_cuda *cuda, clump_cuda_detect *d,
                                   const clump_detect_rooms *rooms, const clump_detect_job *job, clump_stats *stats)
{
    detect_call call = {};
    call.job = job;
    call.run = detect_run{work, cuda, d, rooms, shape_of(job)};
    call.in = *cloud_job(job);
    call.by_size = call.in.order == CLUMP_ORDER_SIZE;
    call.in.order = CLUMP_ORDER_INDEX;
    call.in.min_size = 1;
    call.in.max_size = 0;
    /* the other methods wait in any case, except objects and where the radius grows */
    const bool runs_on = job->method == CLUMP_DETECT_OBJECTS || call.in.per_metre > 0;
    call.waits = job->in.wait || (call.run.shape.clusters == DETECT_OTHER && !runs_on);
    call.in.wait = call.waits;
    clump_cloud_job upload = job->in;
    upload.labels = NULL;
    int32_t *unused;
    CLUMP_TRY(clump_upload(work, cuda, rooms->transfer, &upload, CLUMP_TRANSFER_DIRECT, CLUMP_TRANSFER_STAGED,
                           &call.jobs.given, &unused));
    call.jobs.fetched = rooms->transfer->direct && job->in.count > 0;
    CLUMP_TRY(make_detect_job(work, cuda, d, &call));
    CLUMP_TRY(make_ground_job(work, cuda, d, &call));
    CLUMP_TRY(make_clustering_job(work, cuda, rooms, &call));
    if (call.run.shape.boxes) CLUMP_TRY(clump_detect_make_boxes(work, cuda, d, rooms, job, &call.jobs));
    CLUMP_TRY(launch_all(work, cuda, &call, stats));
    return finish_call(work, cuda, d, &call, stats);
}

clump_status clump_cuda_detect_reserve(clump_work *work, clump_cuda *cuda, clump_cuda_detect *d,
                                       const clump_detect_rooms *rooms, size_t max_points)
{
    const clump_detect_options o = clump_detect_defaults();
    clump_cloud_view view = {}, from = {};
    view.count = (uint32_t)max_points;
    erccl_job ground;
    CLUMP_TRY(clump_cuda_erccl_make_ground(work, cuda, &d->ground, &o.ground, &view, false, &ground, &from));
    CLUMP_TRY(reserve(work, cuda, d, max_points, false));
    CLUMP_TRY(clump_detect_reserve_boxes(work, cuda, d, rooms, max_points, max_points / o.common.min_size));
    clump_detect_job job = {};
    job.ground = o.ground;
    job.ec.in.min_size = o.common.min_size;
    job.describe.described = 1;
    const detect_run run = {work, cuda, d, rooms, shape_of(&job)};
    for (size_t n = (size_t)1 << DETECT_LEAST_BITS;; n *= 2) { /* two per number of bits */
        cudaGraphExec_t graph;
        CLUMP_TRY(clump_detect_graph(&run, n - 1, &graph));
        if (n > max_points) break;
    }
    return CLUMP_OK;
}
