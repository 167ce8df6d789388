/* SPDX-License-Identifier: BSD-3-Clause
 *
 * batch.cu: see batch.h.
 */
#include "cuda/batch/batch.h"

#include "cuda/batch/batch_kernels.cuh"
#include "cuda/gpu/launch.h"

enum {
    BATCH_LARGE_THREADS = 512,
    BATCH_SORT_THREADS = 256,
    BATCH_PART_POINTS = 131072, /* a part has at least as many: a copy is long beside its start */
    BATCH_DIRECT = 131072,      /* points in pinned memory that kernels read themselves */
    BATCH_FEW = 8,              /* clouds that are too large for shared memory */
    BATCH_RAW_STRIDE = 24       /* pinned points with at most this stride are copied unpacked, as in gpu/transfer.cu */
};

/* Points, threads and pairs in the queue of the classes in shared memory. Of the first two, 14 and 4 thread blocks fit into a
 * multiprocessor of an H200. */
static const uint32_t class_points[BATCH_SMALL_CLASSES] = {256, 1024, 2048, 4096};
static const uint32_t class_threads[BATCH_SMALL_CLASSES] = {128, 512, 1024, 1024};
static const uint32_t class_room[BATCH_SMALL_CLASSES] = {512, 2048, 4096, 4096};

/* ----- memory ------------------------------------------------------------------------------------------ */

void clump_cuda_batch_trim(clump_work *work, clump_cuda *cuda, clump_cuda_batch *b)
{
    clump_device_buffer *const all[] = {&b->offsets, &b->radii, &b->found,  &b->core,  &b->list,
                                        &b->large,   &b->first, &b->labels, &b->counts};
    for (clump_device_buffer *buffer : all) clump_device_release(work, cuda, buffer);
}

void clump_cuda_batch_close(clump_work *work, clump_cuda_batch *b)
{
    clump_pinned_release(work, &b->report);
    for (cudaStream_t *stream : {&b->up, &b->down}) {
        if (*stream) (void)cudaStreamDestroy(*stream);
        *stream = NULL;
    }
    for (cudaEvent_t &event : b->passed) {
        if (event) (void)cudaEventDestroy(event);
        event = NULL;
    }
}

static void *small_kernel_of(bool density)
{
    return density ? (void *)batch_small_kernel<true> : (void *)batch_small_kernel<false>;
}

/* Finds which classes fit into the shared memory of a thread block, and how many thread blocks run at once. */
static clump_status find_classes(clump_work *work, clump_cuda *cuda, clump_cuda_batch *b)
{
    if (b->known) return CLUMP_OK;
    static const char what[] = "asking for shared memory";
    int most = 0;
    CLUMP_CUDA(work, cuda, what, cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, cuda->device));
    const int kept = 1024; /* variables of the kernels */
    for (int c = 0; c < BATCH_SMALL_CLASSES; c++) {
        const int bytes = (int)small_bytes(class_points[c], class_room[c]);
        b->capacity[c] = bytes + kept <= most ? class_points[c] : 0;
        for (int density = 0; b->capacity[c] > 0 && density < 2; density++) {
            void *const kernel = small_kernel_of(density);
            CLUMP_CUDA(work, cuda, what,
                       cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
            int resident = 0;
            CLUMP_CUDA(
                work, cuda, what,
                cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, (int)class_threads[c], (size_t)bytes));
            b->resident[density][c] = resident > 0 ? (uint32_t)(resident * cuda->units) : 1;
        }
    }
    b->known = true;
    return CLUMP_OK;
}

/* Copies an array of the caller in host memory to the GPU; null stays null. */
static clump_status send(clump_work *work, clump_cuda *cuda, clump_device_buffer *buffer, const void *from,
                         size_t bytes, const void **out)
{
    *out = NULL;
    if (!from || bytes == 0) return CLUMP_OK;
    CLUMP_TRY(clump_device_reserve(work, cuda, buffer, bytes));
    CLUMP_CUDA(work, cuda, "sending the batch to the GPU",
               cudaMemcpyAsync(buffer->data, from, bytes, cudaMemcpyHostToDevice, cuda->stream));
    *out = buffer->data;
    return CLUMP_OK;
}

/* ----- kernels ----------------------------------------------------------------------------------------- */

/* Which classes have clouds; where only the GPU knows the sizes, all may. */
typedef struct batch_present {
    bool small[BATCH_SMALL_CLASSES], large;
} batch_present;

/* Returns the classes of clouds first ... last - 1; the host knows the offsets. */
static batch_present classes_of(const clump_cuda_batch *b, const clump_batch_job *job, size_t first, size_t last)
{
    batch_present present = {};
    for (size_t c = first; c < last; c++) {
        const int64_t n = job->offsets[c + 1] - job->offsets[c];
        int k = 0;
        while (k < BATCH_SMALL_CLASSES && n > (int64_t)b->capacity[k]) k++;
        if (k < BATCH_SMALL_CLASSES)
            present.small[k] = true;
        else if (n <= (int64_t)b->alone)
            present.large = true;
    }
    return present;
}

/* Returns the classes that a batch can have whose offsets only the GPU knows. */
static batch_present classes_up_to(const clump_cuda_batch *b, size_t points)
{
    batch_present present = {};
    size_t below = 0;
    for (int k = 0; k < BATCH_SMALL_CLASSES; k++) {
        present.small[k] = b->capacity[k] > 0 && points > below;
        if (b->capacity[k] > 0) below = b->capacity[k];
    }
    present.large = points > below;
    return present;
}

/* Puts the kernels for clouds job.first_cloud ... on the stream; those of more than job.alone points are left out. */
static clump_status launch(clump_work *work, clump_cuda *cuda, const clump_cuda_batch *b, const batch_gpu_job &job,
                           const batch_present &present)
{
    static const char what[] = "clustering";
    const bool density = job.min_points > 0;
    CLUMP_TRY(
        clump_launch_items(work, cuda, what, job.clouds, BATCH_SORT_THREADS, CLUMP_GRID_MOST, batch_sort_kernel, job));
    for (int c = BATCH_SMALL_CLASSES - 1; c >= 0; c--) {
        if (!present.small[c]) continue;
        const uint32_t most = b->resident[density][c];
        const clump_launch l = {job.clouds < most ? job.clouds : most,
                                class_threads[c],
                                small_bytes(class_points[c], class_room[c]),
                                cuda->stream,
                                false,
                                0};
        CLUMP_TRY(clump_launch_kernel(work, cuda, what, l,
                                      density ? batch_small_kernel<true> : batch_small_kernel<false>, job, c));
    }
    if (!present.large) return CLUMP_OK;
    const uint32_t most = 2 * (uint32_t)cuda->units;
    const clump_launch l = {job.clouds < most ? job.clouds : most, BATCH_LARGE_THREADS, 0, cuda->stream, false, 0};
    return clump_launch_kernel(work, cuda, what, l, density ? batch_large_kernel<true> : batch_large_kernel<false>,
                               job);
}

/* ----- the call ---------------------------------------------------------------------------------------- */

/* Returns the points of the largest cloud; the host knows the offsets. */
static size_t widest_of(const clump_batch_job *job)
{
    int64_t widest = 0;
    for (size_t c = 0; c < job->clouds; c++) {
        const int64_t n = job->offsets[c + 1] - job->offsets[c];
        if (n > widest) widest = n;
    }
    return (size_t)widest;
}

/* Returns from how many points on a cloud is left to `fast`. Where few clouds are too large for shared memory, all of them are: a
 * thread block per cloud would leave the GPU idle. Measured on an H200: a call with one class of 4,300 points 3.5 against 0.4 ms. */
static uint32_t alone_from(const clump_cuda_batch *b, const clump_batch_job *job)
{
    uint32_t small = 0;
    size_t larger = 0;
    for (int k = 0; k < BATCH_SMALL_CLASSES; k++)
        if (b->capacity[k] > small) small = b->capacity[k];
    for (size_t c = 0; c < job->clouds; c++) {
        const int64_t n = job->offsets[c + 1] - job->offsets[c];
        larger += n > (int64_t)small && n <= CLUMP_BATCH_ALONE;
    }
    return larger <= BATCH_FEW && small > 0 ? small : CLUMP_BATCH_ALONE;
}

/* Brings the arrays in host memory to the GPU, besides points, mask and labels. */
static clump_status bring(clump_work *work, clump_cuda *cuda, clump_cuda_batch *b, const clump_batch_job *job,
                          batch_gpu_job *gpu)
{
    const clump_cloud_job *const in = &job->in;
    const void *sent;
    CLUMP_TRY(send(work, cuda, &b->offsets, job->offsets, (job->clouds + 1) * sizeof(int64_t), &sent));
    gpu->offsets = (const int64_t *)sent;
    CLUMP_TRY(send(work, cuda, &b->radii, job->radii, job->clouds * sizeof(float), &sent));
    gpu->radii = (const float *)sent;
    if (job->counts) {
        CLUMP_TRY(clump_device_reserve(work, cuda, &b->found, job->clouds * sizeof(int32_t)));
        gpu->found = (int32_t *)b->found.data;
    }
    if (job->core && in->count > 0) {
        CLUMP_TRY(clump_device_reserve(work, cuda, &b->core, in->count));
        gpu->core = (uint8_t *)b->core.data;
    }
    return CLUMP_OK;
}

/* Lets kernels read points and write labels in the caller's pinned memory. */
static void use_pinned(const clump_cloud_job *in, batch_gpu_job *gpu)
{
    gpu->view = clump_cloud_view{(const char *)clump_pinned_address(in->points), in->stride,
                                 in->mask ? (const uint8_t *)clump_pinned_address(in->mask) : NULL, (uint32_t)in->count,
                                 in->two_d};
    gpu->labels = (int32_t *)clump_pinned_address(in->labels);
}

/* Whether kernels can read and write the arrays of the caller themselves. */
static bool is_pinned(const clump_cloud_job *in)
{
    return in->count > 0 && clump_pinned_address(in->points) && clump_pinned_address(in->labels) &&
           (!in->mask || clump_pinned_address(in->mask));
}

/* Puts `fast` for one cloud on the stream. */
static clump_status run_alone(clump_work *work, clump_cuda *cuda, clump_cuda_fast *fast, clump_labels_scratch *finish,
                              const clump_batch_job *job, const batch_gpu_job &gpu, batch_shared *shared, size_t cloud)
{
    const size_t first = (size_t)job->offsets[cloud], n = (size_t)job->offsets[cloud + 1] - first;
    clump_cloud_job one = job->in;
    one.count = n;
    one.wait = false;
    if (job->radii) one.d = job->radii[cloud], one.bound = clump_batch_bound(one.d, job->min_points > 0);
    clump_cloud_view view = gpu.view;
    view.points += first * view.stride;
    if (view.mask) view.mask += first;
    view.count = (uint32_t)n;
    int32_t *const labels = gpu.labels + first;
    const clump_cuda_density density = {job->min_points, job->border_points, gpu.core ? gpu.core + first : NULL};
    CLUMP_TRY(clump_cuda_run_fast(work, cuda, fast, &one, job->min_points > 0 ? &density : NULL, &view, false, labels,
                                  &shared->one));
    if (clump_labels_unfinished(&one))
        CLUMP_TRY(clump_labels_finish_on_gpu(work, cuda, finish, &one, labels, &shared->one));
    return clump_launch_items(work, cuda, "clustering", 1, 1, 1, batch_add_kernel, shared,
                              gpu.found ? gpu.found + cloud : (int32_t *)NULL);
}

/* Fetches results to host memory and waits. */
static clump_status fetch(clump_work *work, clump_cuda *cuda, clump_cuda_batch *b, clump_transfer *t,
                          const clump_batch_job *job, const batch_gpu_job &gpu, bool copied, clump_stats *stats)
{
    static const char what[] = "fetching results from the GPU";
    const clump_fetched found = {job->counts, gpu.found, job->counts ? job->clouds * sizeof(int32_t) : 0};
    CLUMP_TRY(clump_fetch(work, cuda, t, &found, 1));
    if (job->core && job->in.count > 0)
        CLUMP_CUDA(work, cuda, what,
                   cudaMemcpyAsync(job->core, gpu.core, job->in.count, cudaMemcpyDeviceToHost, cuda->stream));
    clump_counts *const counts = (clump_counts *)b->report.data;
    CLUMP_CUDA(work, cuda, what,
               cudaMemcpyAsync(counts, gpu.counts, sizeof *counts, cudaMemcpyDeviceToHost, cuda->stream));
    if (copied)
        CLUMP_TRY(clump_download(work, cuda, t, &job->in, stats));
    else
        CLUMP_TRY(clump_cuda_synchronize(work, cuda, what));
    stats->clusters = (int32_t)counts->clusters;
    stats->finite = counts->finite;
    stats->masked = counts->masked;
    stats->noise = counts->noise;
    return CLUMP_OK;
}

/* Fills what does not depend on where the arrays are. */
static batch_gpu_job make_job(const clump_work *work, const clump_cuda_batch *b, const clump_batch_job *job)
{
    batch_shared *const shared = (batch_shared *)b->counts.data;
    batch_gpu_job gpu = {};
    gpu.clouds = gpu.stride = (uint32_t)job->clouds;
    gpu.radius = job->in.d;
    if (!job->radii) gpu.rule = clump_cell_rule_make(job->in.d, job->in.two_d);
    gpu.min_points = job->min_points < UINT32_MAX ? (uint32_t)job->min_points : UINT32_MAX;
    gpu.borders = job->border_points;
    gpu.by_size = job->in.order == CLUMP_ORDER_SIZE;
    gpu.least = job->in.min_size;
    gpu.most = job->in.max_size;
    gpu.counts = &shared->sums;
    gpu.invalid = &shared->invalid;
    gpu.lists = (batch_lists *)(shared + 1);
    gpu.list = (uint32_t *)b->list.data;
    for (int c = 0; c < BATCH_SMALL_CLASSES; c++) gpu.capacity[c] = b->capacity[c], gpu.room[c] = class_room[c];
    gpu.alone = b->alone;
    gpu.hash_key = work->hash_key.x;
    return gpu;
}

/* ----- parts ------------------------------------------------------------------------------------------- */

/* Makes the streams for copies up and down, and the events that order them. */
static clump_status open_streams(clump_work *work, clump_cuda *cuda, clump_cuda_batch *b)
{
    static const char what[] = "making a stream";
    for (cudaStream_t *stream : {&b->up, &b->down})
        if (!*stream) CLUMP_CUDA(work, cuda, what, cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking));
    for (cudaEvent_t &event : b->passed)
        if (!event) CLUMP_CUDA(work, cuda, what, cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    return CLUMP_OK;
}

/* Lets stream `then` wait for what is on stream `first` now. */
static clump_status order(clump_work *work, clump_cuda *cuda, cudaEvent_t event, cudaStream_t first, cudaStream_t then)
{
    CLUMP_CUDA(work, cuda, "ordering streams", cudaEventRecord(event, first));
    CLUMP_CUDA(work, cuda, "ordering streams", cudaStreamWaitEvent(then, event, 0));
    return CLUMP_OK;
}

/* Puts one part on the streams: the points up, the kernels, the labels down. */
static clump_status run_part(clump_work *work, clump_cuda *cuda, clump_cuda_batch *b, const clump_batch_job *job,
                             batch_gpu_job gpu, int part, size_t first_cloud, size_t last_cloud)
{
    static const char what[] = "copying a part of the batch";
    const clump_cloud_job *const in = &job->in;
    const size_t first = (size_t)job->offsets[first_cloud], n = (size_t)job->offsets[last_cloud] - first;
    if (n > 0) { /* the last point may end where the caller's memory does */
        const size_t bytes = (n - 1) * in->stride + 3 * sizeof(float);
        CLUMP_CUDA(work, cuda, what,
                   cudaMemcpyAsync((char *)gpu.view.points + first * in->stride, in->points + first * in->stride, bytes,
                                   cudaMemcpyHostToDevice, b->up));
        if (in->mask)
            CLUMP_CUDA(
                work, cuda, what,
                cudaMemcpyAsync((uint8_t *)gpu.view.mask + first, in->mask + first, n, cudaMemcpyHostToDevice, b->up));
    }
    CLUMP_TRY(order(work, cuda, b->passed[2 * part], b->up, cuda->stream));
    gpu.first_cloud = (uint32_t)first_cloud;
    gpu.clouds = (uint32_t)(last_cloud - first_cloud);
    gpu.lists += part;
    CLUMP_TRY(launch(work, cuda, b, gpu, classes_of(b, job, first_cloud, last_cloud)));
    CLUMP_TRY(order(work, cuda, b->passed[2 * part + 1], cuda->stream, b->down));
    if (n > 0)
        CLUMP_CUDA(work, cuda, what,
                   cudaMemcpyAsync(in->labels + first, gpu.labels + first, n * sizeof(int32_t), cudaMemcpyDeviceToHost,
                                   b->down));
    return CLUMP_OK;
}

/* Puts all parts on the streams. At the end the context's stream waits for the others. */
static clump_status queue_parts(clump_work *work, clump_cuda *cuda, clump_cuda_batch *b, const clump_batch_job *job,
                                const batch_gpu_job &gpu)
{
    const size_t wanted = job->in.count / BATCH_PART_POINTS, most = CLUMP_BATCH_PARTS;
    const size_t parts = wanted < 1 ? 1 : wanted < most ? wanted : most;
    cudaEvent_t fork = b->passed[2 * CLUMP_BATCH_PARTS], join = b->passed[2 * CLUMP_BATCH_PARTS + 1];
    CLUMP_TRY(order(work, cuda, fork, cuda->stream, b->up));
    size_t first = 0;
    for (size_t k = 0; k < parts; k++) {
        const int64_t until = (int64_t)(job->in.count / parts * (k + 1));
        size_t last = first;
        while (last < job->clouds && (k + 1 == parts || job->offsets[last] < until)) last++;
        if (last > first) CLUMP_TRY(run_part(work, cuda, b, job, gpu, (int)k, first, last));
        first = last;
    }
    return order(work, cuda, join, b->down, cuda->stream);
}

/* Runs a batch in pinned memory in parts, so that copies and kernels overlap. */
static clump_status run_parts(clump_work *work, clump_cuda *cuda, clump_cuda_batch *b, clump_transfer *t,
                              const clump_batch_job *job, batch_gpu_job *gpu)
{
    const clump_cloud_job *const in = &job->in;
    CLUMP_TRY(open_streams(work, cuda, b));
    CLUMP_TRY(clump_device_reserve(work, cuda, &t->points, in->count * in->stride));
    CLUMP_TRY(clump_device_reserve(work, cuda, &t->labels, in->count * sizeof(int32_t)));
    if (in->mask) CLUMP_TRY(clump_device_reserve(work, cuda, &t->mask, in->count));
    gpu->view = clump_cloud_view{(const char *)t->points.data, in->stride,
                                 in->mask ? (const uint8_t *)t->mask.data : NULL, (uint32_t)in->count, in->two_d};
    gpu->labels = (int32_t *)t->labels.data;
    const clump_status status = queue_parts(work, cuda, b, job, *gpu);
    if (status == CLUMP_OK) return CLUMP_OK;
    (void)cudaStreamSynchronize(b->up); /* copies from and to the caller's memory end before the call does */
    (void)cudaStreamSynchronize(cuda->stream);
    (void)cudaStreamSynchronize(b->down);
    return status;
}

/* ----- all clouds -------------------------------------------------------------------------------------- */

/* How points and labels of the caller get to the GPU and back. */
enum batch_way {
    BATCH_THERE,    /* they are on the GPU */
    BATCH_BY_GPU,   /* kernels read and write pinned memory */
    BATCH_BY_PARTS, /* pinned memory is copied, part by part */
    BATCH_COPIED    /* copied as a whole, through pinned memory of the library where necessary */
};

static batch_way way_of(const clump_cuda_batch *b, const clump_batch_job *job, size_t widest)
{
    const clump_cloud_job *const in = &job->in;
    if (in->place == CLUMP_PLACE_DEVICE) return BATCH_THERE;
    const bool pinned = in->count > 0 && widest <= b->alone && is_pinned(in);
    if (pinned && in->count <= BATCH_DIRECT) return BATCH_BY_GPU;
    return pinned && in->stride <= BATCH_RAW_STRIDE ? BATCH_BY_PARTS : BATCH_COPIED;
}

/* Reserves what every batch needs, and clears the counters. */
static clump_status reserve(clump_work *work, clump_cuda *cuda, clump_cuda_batch *b, const clump_batch_job *job,
                            bool large)
{
    const size_t counters = sizeof(batch_shared) + CLUMP_BATCH_PARTS * sizeof(batch_lists);
    CLUMP_TRY(clump_device_reserve(work, cuda, &b->counts, counters));
    CLUMP_TRY(clump_device_reserve(work, cuda, &b->list, BATCH_CLASSES * job->clouds * sizeof(uint32_t)));
    CLUMP_TRY(clump_pinned_reserve(work, cuda, &b->report, sizeof(clump_counts)));
    if (large)
        CLUMP_TRY(clump_device_reserve(work, cuda, &b->large, job->in.count * BATCH_LARGE_WORDS * sizeof(uint32_t)));
    CLUMP_CUDA(work, cuda, "clearing counters", cudaMemsetAsync(b->counts.data, 0, counters, cuda->stream));
    return CLUMP_OK;
}

clump_status clump_cuda_batch_run(clump_work *work, clump_cuda *cuda, clump_cuda_batch *b, clump_transfer *t,
                                  clump_cuda_fast *fast, clump_labels_scratch *finish, const clump_batch_job *job,
                                  clump_stats *stats)
{
    if (job->clouds == 0) return CLUMP_OK;
    CLUMP_TRY(find_classes(work, cuda, b));
    const bool on_host = job->in.place == CLUMP_PLACE_HOST;
    const size_t widest = on_host ? widest_of(job) : job->in.count;
    b->alone = on_host ? alone_from(b, job) : UINT32_MAX;
    const batch_present present = on_host ? classes_of(b, job, 0, job->clouds) : classes_up_to(b, job->in.count);
    CLUMP_TRY(reserve(work, cuda, b, job, present.large));
    const batch_way way = way_of(b, job, widest);
    batch_gpu_job gpu = make_job(work, b, job);
    gpu.large = (uint32_t *)b->large.data;
    if (on_host) {
        CLUMP_TRY(bring(work, cuda, b, job, &gpu));
    } else {
        gpu.offsets = job->offsets, gpu.radii = job->radii, gpu.found = job->counts, gpu.core = job->core;
    }
    if (way == BATCH_BY_PARTS) {
        CLUMP_TRY(run_parts(work, cuda, b, t, job, &gpu));
    } else {
        if (way == BATCH_BY_GPU)
            use_pinned(&job->in, &gpu);
        else
            CLUMP_TRY(clump_upload(work, cuda, t, &job->in, 0, 0, &gpu.view, &gpu.labels));
        CLUMP_TRY(launch(work, cuda, b, gpu, present));
    }
    if (!on_host) {
        stats->clusters = -1;
        return clump_cuda_leave_running(work, cuda);
    }
    for (size_t c = 0; widest > b->alone && c < job->clouds; c++)
        if (job->offsets[c + 1] - job->offsets[c] > (int64_t)b->alone)
            CLUMP_TRY(run_alone(work, cuda, fast, finish, job, gpu, (batch_shared *)b->counts.data, c));
    return fetch(work, cuda, b, t, job, gpu, way == BATCH_COPIED, stats);
}
